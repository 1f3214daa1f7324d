// Tensors handed in one by one, in any order, give what a load gives, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "models/expected.hpp"

namespace ballast::test {
namespace {

struct Streamed {
  const TensorInfo* info = nullptr;
  Tensor tensor;
  std::shared_ptr<const void> owner;
};

// All tensors of a checkpoint, read without any of the machinery that a load uses.
std::vector<Streamed> read_all(const Catalog& catalog) {
  std::vector<InputFile> files;
  for (const CatalogFile& file : catalog.files) files.emplace_back(file.path);
  std::vector<Streamed> all;
  for (const TensorInfo& info : catalog.tensors) {
    const auto bytes = std::make_shared<std::vector<std::byte>>(info.nbytes);
    files[info.file].read_at(info.offset, bytes->data(), info.nbytes);
    all.push_back({&info, contiguous_tensor(bytes->data(), info.dtype, info.shape), bytes});
  }
  return all;
}

class Streaming : public testing::TestWithParam<std::string> {};

TEST_P(Streaming, EqualsLoading) {
  const Catalog catalog = open_checkpoint(checkpoint_path(GetParam()));
  std::vector<Streamed> all = read_all(catalog);
  std::mt19937 random(7);  // any order will do; this one is the same every time
  for (const Case& one : read_expected(GetParam()).cases) {
    SCOPED_TRACE(one.name());
    std::shuffle(all.begin(), all.end(), random);
    Model model = make_model(PolicyRegistry::global().choose(catalog), *catalog.config, one.options());
    std::size_t skipped = 0;
    for (const Streamed& streamed : all)
      skipped += model.set_tensor(streamed.info->name, streamed.tensor, streamed.owner) ? 0 : 1;
    model.finish();
    EXPECT_TRUE(model.is_populated());
    EXPECT_TRUE(model.is_initialized());
    const LoadedModel loaded = load(catalog.path, one.options());
    EXPECT_EQ(differences(tensors_of(model), tensors_of(loaded.model())), "");
    EXPECT_EQ(differences(tensors_of(model), one.tensors), "");
    EXPECT_EQ(skipped, loaded.report().skipped.size());
  }
  for (const Streamed& streamed : all) EXPECT_EQ(streamed.owner.use_count(), 1) << streamed.info->name;
}

INSTANTIATE_TEST_SUITE_P(All, Streaming, testing::ValuesIn(checkpoint_names()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace ballast::test
