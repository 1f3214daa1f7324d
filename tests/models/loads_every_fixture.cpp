// Every fixture checkpoint, on every rank and in every dtype that was worked out independently: bit for bit.
#include <gtest/gtest.h>

#include "models/expected.hpp"

namespace ballast::test {
namespace {

class EveryFixture : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] static std::string path() { return checkpoint_path(GetParam()); }
};

TEST_P(EveryFixture, IsAsExpected) {
  const Expected expected = read_expected(GetParam());
  ASSERT_GE(expected.cases.size(), 7U);
  for (const Case& one : expected.cases) {
    SCOPED_TRACE(one.name());
    const LoadedModel loaded = load(path(), one.options());
    EXPECT_EQ(PolicyRegistry::global().find(expected.model_type)->name(), loaded.report().policy);
    EXPECT_EQ(differences(tensors_of(loaded.model()), one.tensors), "");
    EXPECT_EQ(loaded.report().execute.bytes_read, loaded.plan().bytes_needed);
    EXPECT_TRUE(loaded.report().warnings.empty());
    EXPECT_TRUE(loaded.model().is_populated());
    EXPECT_TRUE(loaded.model().is_initialized());
  }
}

// However it is read.
TEST_P(EveryFixture, IsTheSameWithAnyThreadsAndStaging) {
  const Expected expected = read_expected(GetParam());
  for (const Case& one : expected.cases)
    for (const unsigned threads : {1U, 4U})
      for (const std::uint64_t staging : {std::uint64_t{1}, std::uint64_t{32} << 20U}) {
        SCOPED_TRACE(fmt::format("{}, {} threads, staging {}", one.name(), threads, staging));
        LoadOptions options = one.options();
        options.execute.threads = threads;
        options.execute.staging_bytes = staging;
        const LoadedModel loaded = load(path(), options);
        EXPECT_EQ(differences(tensors_of(loaded.model()), one.tensors), "");
        EXPECT_EQ(loaded.report().execute.bytes_read, loaded.plan().bytes_needed);
      }
}

// From headers alone: shapes and dtypes are right before anything is read, and no rank reads more than all weights.
TEST_P(EveryFixture, IsPlannedAsExpected) {
  const Catalog catalog = open_checkpoint(path());
  for (const Case& one : read_expected(GetParam()).cases) {
    SCOPED_TRACE(one.name());
    const PreparedLoad prepared = prepare(catalog, one.options());
    std::size_t held = 0;
    for (const auto& [name, tensor] : one.tensors) held += tensor ? 1 : 0;
    EXPECT_EQ(prepared.plan.tensors.size(), held);
    for (const PlannedTensor& tensor : prepared.plan.tensors) {
      const BoundContainer& container = prepared.binding.containers[tensor.container];
      const auto& wanted = one.tensors.at(container.name + "." + container.schema->parameters()[tensor.parameter].name);
      ASSERT_TRUE(wanted);
      EXPECT_EQ(torch_name(tensor.spec.dtype), wanted->dtype);
      EXPECT_EQ(to_string(tensor.spec.shape), to_string(wanted->shape));
    }
    EXPECT_LE(prepared.plan.bytes_needed, catalog.tensor_bytes());
  }
}

INSTANTIATE_TEST_SUITE_P(All, EveryFixture, testing::ValuesIn(checkpoint_names()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace ballast::test
