// S3: a finalize that throws leaves the container as it was; the cause stays in the chain, and a retry works.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

using testing::ElementsAre;

bool fails = false;
struct Fragile {
  Dependency a, b;
  Recipe finalize(const ModelContext&) const {
    if (fails) throw std::out_of_range("the table has no such entry");
    return concat(0, a, b);
  }
};
struct FragileLayer {
  Parameter<Fragile> w;
  static constexpr auto param_mapping =
      mapping<FragileLayer>(from("a", to<&FragileLayer::w, &Fragile::a>), from("b", to<&FragileLayer::w, &Fragile::b>));
};

// What the exception that `call` throws has nested in it: the message, if it is a Cause.
template <class Cause, class Call>
std::string nested_cause(Call&& call) {
  try {
    call();
  } catch (const std::exception& error) {
    try {
      std::rethrow_if_nested(error);
    } catch (const Cause& cause) {
      return cause.what();
    }
  }
  return "";
}

TEST(FailingFinalize, NamesContainerParameterSourcesAndCause) {
  fails = true;
  LayerContainer container = container_of<FragileLayer>();
  hand_in(container, "a", stored({1}, {1}));
  EXPECT_TRUE(fails_with(
      [&] { hand_in(container, "b", stored({1}, {2})); }, Errc::finalize_failed,
      {"'w' cannot be finalised", "the table has no such entry", "tensors \"a\", \"b\"", "transformer_layer_3.w"}));
}

TEST(FailingFinalize, LeavesTheContainerAsItWasAndTheCauseInTheChain) {
  fails = true;
  LayerContainer container = container_of<FragileLayer>();
  hand_in(container, "a", stored({1}, {1}));
  const std::string before = state_of(container);
  EXPECT_EQ(nested_cause<std::out_of_range>([&] { hand_in(container, "b", stored({1}, {2})); }),
            "the table has no such entry");
  EXPECT_EQ(state_of(container), before);
  fails = false;
  hand_in(container, "b", stored({1}, {2}));
  EXPECT_THAT(values(container["w"].tensor()), ElementsAre(1, 2));
}

TEST(FailingFinalize, MayBeARecipeThatDoesNotFitItsOperands) {
  LayerContainer container = container_of();
  hand_in(container, "attn.q.weight", stored({1, 2}, {1, 2}));
  const std::string before = state_of(container);
  const auto wrong = [&] { hand_in(container, "attn.k.weight", stored({1, 3}, {1, 2, 3})); };
  EXPECT_TRUE(fails_with(wrong, Errc::finalize_failed, {"[1, 3]"}));
  EXPECT_NE(nested_cause<Error>(wrong), "");
  EXPECT_EQ(state_of(container), before);
  hand_in(container, "attn.k.weight", stored({1, 2}, {3, 4}));
  EXPECT_TRUE(container["qkv_w"].is_finalised());
}

TEST(FailingFinalize, OfAnElementOfAListLeavesTheOthers) {
  LayerContainer container = container_of();
  hand_in(container, "mlp.experts.1.weight", stored({2}, {1, 2}));
  EXPECT_TRUE(fails_with([&] { hand_in(container, "mlp.experts.0.weight", stored({1}, {0})); }, Errc::finalize_failed));
  ASSERT_EQ(container.awaited().back().index, 0U);
  hand_in(container, "mlp.experts.0.weight", stored({2}, {3, 4}));
  EXPECT_THAT(values(container["moe_w"].tensor()), ElementsAre(3, 4, 1, 2));
}

}  // namespace
}  // namespace ballast::test
