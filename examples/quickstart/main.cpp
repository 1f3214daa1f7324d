// Opens a checkpoint and lists its tensors: names, types and shapes, from the headers alone.
#include <exception>
#include <iostream>

#include "ballast/catalog.hpp"
#include "ballast/version.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: quickstart CHECKPOINT\n";
    return 2;
  }
  try {
    const ballast::Catalog catalog = ballast::open_checkpoint(argv[1]);
    std::cout << "Ballast " << ballast::kVersion << ": " << catalog.tensors.size() << " tensors, "
              << catalog.tensor_bytes() << " bytes\n";
    for (const ballast::TensorInfo& tensor : catalog.tensors)
      std::cout << tensor.name << ' ' << ballast::name(tensor.dtype) << ' ' << ballast::to_string(tensor.shape) << '\n';
  } catch (const std::exception& error) {
    // A ballast::Error names every fault of the checkpoint, not only the first.
    std::cerr << error.what() << '\n';
    return 1;
  }
}
