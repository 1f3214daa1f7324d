// Tests an architecture: loads a checkpoint through it and compares every parameter of every rank with a digest that
// was worked out without Ballast (tiny_seed_oss/make.py).
//
//   seed_oss FOLDER
//
// FOLDER holds a checkpoint and expected.txt, with a line for each parameter:
//   <tp_size> <tp_rank> <container>.<parameter> sha256:<hex>
#include "seed_oss.hpp"

#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include "ballast/digest.hpp"
#include "ballast/load.hpp"

namespace {

using Digests = std::map<std::string, std::string>;  // "2 1 transformer_layer_0.qkv_b" -> "sha256:..."

Digests read_expected(const std::string& path) {
  Digests expected;
  std::ifstream file(path);
  std::string size, rank, parameter, digest;
  while (file >> size >> rank >> parameter >> digest) expected[size + " " + rank + " " + parameter] = digest;
  return expected;
}

Digests load_all_ranks(const std::string& folder, std::uint64_t most_ranks) {
  Digests got;
  ballast::LoadOptions options;
  for (options.tp_size = 1; options.tp_size <= most_ranks; ++options.tp_size)
    for (options.tp_rank = 0; options.tp_rank < options.tp_size; ++options.tp_rank) {
      const ballast::LoadedModel loaded = ballast::load(folder, options);
      for (const ballast::LayerContainer& container : loaded.model().containers())
        for (const ballast::ParameterState& parameter : container.parameters())
          got[std::to_string(options.tp_size) + " " + std::to_string(options.tp_rank) + " " + container.name() + "." +
              parameter.name()] = ballast::digest(parameter.tensor());
    }
  return got;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: seed_oss FOLDER\n";
    return 2;
  }
  const std::string folder = argv[1];
  try {
    ballast::PolicyRegistry::global().add<engine::SeedOssPolicy>();
    const Digests expected = read_expected(folder + "/expected.txt");
    const Digests got = load_all_ranks(folder, 2);
    if (got != expected || got.empty()) {
      for (const auto& [parameter, digest] : got)
        if (!expected.contains(parameter) || expected.at(parameter) != digest)
          std::cerr << parameter << " differs: " << digest << '\n';
      std::cerr << got.size() << " parameters, " << expected.size() << " expected\n";
      return 1;
    }
    std::cout << got.size() << " parameters of 3 ranks are as expected\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
