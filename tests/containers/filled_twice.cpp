// S2: filling a dependency twice, or a finalised parameter, is an error that names both sources and changes nothing.
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

// Handing in `source` fails with `code` and names all `parts`, and the container is as it was.
void expect_refused(LayerContainer& container, std::string_view source, Errc code,
                    std::initializer_list<std::string_view> parts) {
  const std::string before = state_of(container);
  EXPECT_TRUE(fails_with([&] { hand_in(container, source, stored({1}, {9})); }, code, parts));
  EXPECT_EQ(state_of(container), before);
}

TEST(FilledTwice, DependencyIsRefused) {
  LayerContainer container = container_of();
  hand_in(container, "attn.q.weight", stored({1}, {1}));
  expect_refused(container, "attn.q.weight", Errc::already_set,
                 {"transformer_layer_3.qkv_w.q_params", "got:      'attn.q.weight', after 'attn.q.weight'"});
  hand_in(container, "attn.k.weight", stored({1}, {2}));
  EXPECT_EQ(values(container["qkv_w"].tensor()), (std::vector<float>{1, 2})) << "the first one counts";
}

TEST(FilledTwice, ElementOfAListIsRefused) {
  LayerContainer container = container_of();
  hand_in(container, "mlp.experts.1.weight", stored({1}, {1}));
  expect_refused(
      container, "mlp.experts.1.weight", Errc::already_set,
      {"element 1 of a list", "transformer_layer_3.moe_w.experts", "'mlp.experts.1.weight', after 'mlp.experts.1."});
  hand_in(container, "mlp.experts.0.weight", stored({1}, {0}));
  EXPECT_TRUE(container["moe_w"].is_finalised());
}

TEST(FilledTwice, FinalisedParameterIsRefused) {
  LayerContainer container = container_of();
  hand_in(container, "attn.q.weight", stored({1}, {1}));
  hand_in(container, "attn.k.weight", stored({1}, {2}));
  expect_refused(container, "attn.k.weight", Errc::already_finalised,
                 {"'qkv_w' is finalised already", "transformer_layer_3.qkv_w.k_params",
                  "got:      'attn.k.weight', after 'attn.k.weight'"});
}

TEST(FilledTwice, FullListIsRefused) {
  LayerContainer container = container_of();
  hand_in(container, "mlp.experts.0.weight", stored({1}, {0}));
  hand_in(container, "mlp.experts.1.weight", stored({1}, {1}));
  expect_refused(container, "mlp.experts.0.weight", Errc::already_finalised,
                 {"transformer_layer_3.moe_w.experts", "'mlp.experts.0.weight', after 'mlp.experts.0.weight'"});
}

TEST(FilledTwice, UnderAnotherNameIsRefusedNamingBoth) {
  LayerContainer container = container_of();
  hand_in(container, "norm.gamma", stored({1}, {1}));
  expect_refused(container, "norm.weight", Errc::already_finalised,
                 {"transformer_layer_3.norm.params", "got:      'norm.weight', after 'norm.gamma'"});
}

TEST(FilledTwice, InjectedParameterIsRefusedNamingTheInjection) {
  LayerContainer container = container_of();
  container.direct_injection("norm", {});
  expect_refused(container, "norm.weight", Errc::already_finalised,
                 {"transformer_layer_3.norm.params", "'norm.weight', after a direct injection"});
}

}  // namespace
}  // namespace ballast::test
