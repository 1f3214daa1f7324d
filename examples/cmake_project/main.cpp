// The beginning of an engine: what model is this, and how large is it?
#include <exception>
#include <iostream>

#include "ballast/catalog.hpp"
#include "ballast/version.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: engine CHECKPOINT\n";
    return 2;
  }
  try {
    const ballast::Catalog catalog = ballast::open_checkpoint(argv[1]);
    std::cout << "built with Ballast " << ballast::kVersion << '\n';
    if (catalog.config)
      std::cout << catalog.config->model_type << ": " << catalog.config->n_layers << " layers of dimension "
                << catalog.config->model_dim << '\n';
    std::cout << catalog.tensors.size() << " tensors, " << catalog.tensor_bytes() << " bytes\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
