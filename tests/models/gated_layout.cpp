// The layout of a gated MLP is the engine's choice: rows interleaved, or all gate rows and then all up rows.
#include <gtest/gtest.h>

#include <cstring>

#include "models/expected.hpp"

namespace ballast::test {
namespace {

// Every second row, from the first on, and then the others.
std::vector<std::byte> even_rows_first(const Tensor& tensor) {
  const std::uint64_t rows = tensor.shape[0];
  const std::uint64_t row_bytes = rows == 0 ? 0 : tensor.nbytes() / rows;
  std::vector<std::byte> bytes(tensor.nbytes());
  for (std::uint64_t row = 0; row < rows; ++row)
    std::memcpy(bytes.data() + (row / 2 + (row % 2) * (rows / 2)) * row_bytes, tensor.as<std::byte>() + row * row_bytes,
                row_bytes);
  return bytes;
}

TEST(GatedLayout, ConcatenatedHasTheSameRowsInAnotherOrder) {
  for (const char* name : {"llama_mha_f32", "llama_gqa_bf16_sharded", "llama_uneven_f32", "llama_gguf_q4_0"}) {
    for (const Case& one : read_expected(name).cases) {
      SCOPED_TRACE(fmt::format("{}, rank {}", name, one.name()));
      LoadOptions options = one.options();
      const LoadedModel interleaved = load(checkpoint_path(name), options);
      options.gated_layout = GatedLayout::concatenated;
      const LoadedModel concatenated = load(checkpoint_path(name), options);
      for (std::size_t layer = 0; layer < 2; ++layer) {
        const Tensor& mlp = interleaved.model().layer(layer)["mlp_1_w"].tensor();
        const std::vector<std::byte> wanted = even_rows_first(mlp);
        EXPECT_EQ(digest(concatenated.model().layer(layer)["mlp_1_w"].tensor()), sha256(wanted));
        EXPECT_EQ(concatenated.model().layer(layer)["mlp_1_w"].tensor().shape, mlp.shape);
      }
      Tensors others = one.tensors;
      Tensors got = tensors_of(concatenated.model());
      for (const char* mlp : {"transformer_layer_0.mlp_1_w", "transformer_layer_1.mlp_1_w"}) {
        others.erase(mlp);
        got.erase(mlp);
      }
      EXPECT_EQ(differences(got, others), "");
    }
  }
}

}  // namespace
}  // namespace ballast::test
