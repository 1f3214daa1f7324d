// Loads a Llama, walks its layers by name and computes with their tensors.
//
//   quickstart [CHECKPOINT]
#include <cstdint>
#include <iostream>
#include <string>

#include "ballast/error.hpp"
#include "ballast/load.hpp"
#include "ballast/models/llama.hpp"

using ballast::Tensor;

namespace {

// Of rows [begin, end) of a matrix of floats.
double mean_square(const Tensor& matrix, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t columns = matrix.shape[1];
  double sum = 0;
  for (std::uint64_t i = begin * columns; i < end * columns; ++i) {
    const double value = matrix.as<float>()[i];
    sum += value * value;
  }
  return sum / static_cast<double>((end - begin) * columns);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string path = argc > 1 ? argv[1] : DEFAULT_CHECKPOINT;
  try {
    ballast::LoadOptions options;
    options.dtype = ballast::DType::F32;
    const auto model = ballast::load<ballast::models::LlamaPolicy>(path, options);

    const ballast::ModelContext& numbers = model.context();
    const std::uint64_t q_rows = numbers.n_heads * numbers.head_size;
    const std::uint64_t kv_rows = numbers.n_heads_kv * numbers.head_size;
    for (std::size_t i = 0; i < model.n_layers(); ++i) {
      const Tensor& qkv = model.layer(i).qkv_w;  // rows: all q heads, all k heads, all v heads
      std::cout << "layer " << i << ": qkv_w " << to_string(qkv.shape) << ", mean square of q "
                << mean_square(qkv, 0, q_rows) << ", of k " << mean_square(qkv, q_rows, q_rows + kv_rows) << ", of v "
                << mean_square(qkv, q_rows + kv_rows, q_rows + 2 * kv_rows) << '\n';
    }
    const Tensor& embedding = model.non_transformer().word_emb;
    const Tensor& head = model.non_transformer().word_unembed;
    std::cout << "word_emb " << to_string(embedding.shape) << ", word_unembed " << to_string(head.shape)
              << (head.data == embedding.data ? ", the same memory\n" : "\n");
    std::cout << model.report().bytes_loaded << " bytes of " << name(embedding.dtype) << " in "
              << model.plan().tensors.size() << " tensors\n";
  } catch (const ballast::Error& error) {
    std::cerr << error.what() << '\n';  // every fault of the checkpoint, not only the first
    return 1;
  }
}
