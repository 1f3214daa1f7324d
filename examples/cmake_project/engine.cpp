// The beginning of an engine: loads a model of any architecture that Ballast knows and lists its parameters.
//
//   engine CHECKPOINT [TP_RANK TP_SIZE]
#include <exception>
#include <iostream>
#include <string>

#include "ballast/load.hpp"
#include "ballast/version.hpp"

int main(int argc, char** argv) {
  if (argc != 2 && argc != 4) {
    std::cerr << "usage: engine CHECKPOINT [TP_RANK TP_SIZE]\n";
    return 2;
  }
  try {
    ballast::LoadOptions options;
    if (argc == 4) {
      options.tp_rank = std::stoull(argv[2]);
      options.tp_size = std::stoull(argv[3]);
    }
    const ballast::LoadedModel loaded = ballast::load(argv[1], options);
    std::cout << "built with Ballast " << ballast::kVersion << "; policy " << loaded.report().policy << '\n';
    for (const ballast::LayerContainer& container : loaded.model().containers())
      for (const ballast::ParameterState& parameter : container.parameters()) {
        std::cout << container.name() << '.' << parameter.name();
        if (parameter.value().has_tensor())
          std::cout << ' ' << name(parameter.tensor().dtype) << ' ' << to_string(parameter.tensor().shape) << '\n';
        else
          std::cout << " holds nothing on this rank\n";
      }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
