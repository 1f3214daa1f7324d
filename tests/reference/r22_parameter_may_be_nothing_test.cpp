// R22: a finalised parameter may be nothing (a bias of another rank).
#include <gtest/gtest.h>

#include "containers/streaming.hpp"
#include "models/expected.hpp"

namespace ballast::reference {
namespace {

struct Bias {
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_attn_out(params); }
};
struct OneBias {
  Parameter<Bias> attn_out_b;
  static constexpr auto param_mapping = mapping<OneBias>(from("bias", to<&OneBias::attn_out_b, &Bias::params>));
};

TEST(R22, FinalisedParameterMayBeNothing) {
  auto context = std::make_shared<ModelContext>();
  context->tp_rank = 1;
  context->tp_size = 2;
  LayerContainer container = test::container_of<OneBias>(context);
  test::hand_in(container, "bias", test::stored({2}, {1, 2}));
  EXPECT_TRUE(container["attn_out_b"].is_finalised());
  EXPECT_FALSE(container["attn_out_b"].value().has_tensor());
  EXPECT_TRUE(container.is_populated());
}

TEST(R22, LoadedOneToo) {
  LoadOptions options;
  options.tp_size = 2;
  options.tp_rank = 1;
  const LoadedModel loaded = load(test::checkpoint_path("bert_f32"), options);
  EXPECT_TRUE(loaded.model().layer(0)["attn_out_b"].is_finalised());
  EXPECT_FALSE(loaded.model().layer(0)["attn_out_b"].value().has_tensor());
  EXPECT_TRUE(loaded.model().is_populated());
}

}  // namespace
}  // namespace ballast::reference
