#include <gtest/gtest.h>

#include "recipe/recipes.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

void do_nothing(std::span<const std::span<const std::byte>>, std::span<std::byte>) {}

TEST(Custom, HasTheLayoutThatItSays) {
  const std::vector<Recipe> operands{stored({8}), stored({3, 2}, DType::I32)};
  const Recipe x = custom("unpack", operands, {DType::F16, {4, 4}}, do_nothing);
  EXPECT_EQ(x.spec(), (TensorSpec{DType::F16, {4, 4}}));
  EXPECT_EQ(x.node()->name, "unpack");
  EXPECT_EQ(x.node()->operands.size(), 2U);
}

TEST(Custom, IsAnOperandLikeAnyOther) {
  const std::vector<Recipe> operands{stored({8})};
  EXPECT_EQ(slice(custom("unpack", operands, {DType::F16, {4, 4}}, do_nothing), 0, 1, 2).shape(), (Shape{1, 4}));
}

TEST(Custom, RefusesNoFunction) {
  const std::vector<Recipe> operands{stored({8})};
  EXPECT_TRUE(fails_with(
      [&] {
        (void)custom("unpack", operands, {DType::F16, {4}}, {});
      },
      Errc::recipe_invalid, {"without a function"}));
}

TEST(Custom, RefusesNoOperands) {
  EXPECT_TRUE(fails_with(
      [] {
        (void)custom("unpack", {}, {DType::F16, {4}}, do_nothing);
      },
      Errc::recipe_invalid, {"unpack of no tensors"}));
}

TEST(Custom, RefusesAResultBeyond64Bits) {
  const std::vector<Recipe> operands{stored({8})};
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 32;
  EXPECT_TRUE(fails_with(
      [&] {
        (void)custom("unpack", operands, {DType::F16, {kHuge, kHuge}}, do_nothing);
      },
      Errc::too_large, {"F16 [4294967296, 4294967296]"}));
  EXPECT_TRUE(fails_with(
      [&] {
        (void)custom("unpack", operands, {DType::F32, {kHuge, kHuge >> 1}}, do_nothing);
      },
      Errc::too_large));
}

TEST(Custom, RefusesWhatHoldsNothing) {
  const std::vector<Recipe> operands{Recipe::nothing()};
  EXPECT_TRUE(fails_with(
      [&] {
        (void)custom("unpack", operands, {DType::F16, {4}}, do_nothing);
      },
      Errc::recipe_invalid, {"unpack: an operand holds nothing"}));
}

}  // namespace
}  // namespace ballast::test
