// R35: a checkpoint in any layout and tensors in memory fill the same containers with the same bytes.
#include <gtest/gtest.h>

#include "models/expected.hpp"

namespace ballast::reference {
namespace {

// Hands in all tensors of a checkpoint from memory.
Model streamed(const Catalog& catalog) {
  Model model = make_model(PolicyRegistry::global().choose(catalog), *catalog.config);
  for (const TensorInfo& info : catalog.tensors) {
    const auto bytes = std::make_shared<std::vector<std::byte>>(info.nbytes);
    InputFile(catalog.files[info.file].path).read_at(info.offset, bytes->data(), info.nbytes);
    model.set_tensor(info.name, contiguous_tensor(bytes->data(), info.dtype, info.shape), bytes);
  }
  model.finish();
  return model;
}

TEST(R35, OneFileShardsGgufAndMemoryAreAllSources) {
  for (const char* name : {"llama_mha_f32", "llama_gqa_bf16_sharded", "llama_gguf_f16"}) {
    const std::string path = test::checkpoint_path(name);
    const test::Tensors expected = test::read_expected(name).cases.front().tensors;
    EXPECT_EQ(test::differences(test::tensors_of(load(path).model()), expected), "") << name;
    EXPECT_EQ(test::differences(test::tensors_of(streamed(open_checkpoint(path))), expected), "") << name;
  }
}

}  // namespace
}  // namespace ballast::reference
