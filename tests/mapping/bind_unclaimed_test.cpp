// B4: a name that nobody claims is an error, with the nearest known name.
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

struct Unclaimed : testing::Test {
  const ContainerSchema block = layer({qkv("qkv_w"), weight("up")}, {{"self_attn.q_proj.weight", {"qkv_w.q_params"}},
                                                                     {"self_attn.k_proj.weight", {"qkv_w.k_params"}},
                                                                     {"self_attn.v_proj.weight", {"qkv_w.v_params"}},
                                                                     {"mlp.up_proj.weight", {"up.params"}}});
  const ContainerMap map = ContainerMap().layers({"model.layers"}, block, 1);
  const std::vector<std::string> good{"model.layers.0.self_attn.q_proj.weight",
                                      "model.layers.0.self_attn.k_proj.weight",
                                      "model.layers.0.self_attn.v_proj.weight", "model.layers.0.mlp.up_proj.weight"};
  std::optional<Error> with(const std::string& name) const {
    std::vector<std::string> names = good;
    names.push_back(name);
    return bind_error(names, map, context_of(1));
  }
};

TEST_F(Unclaimed, IsNamedWithItsFileAndContainer) {
  EXPECT_TRUE(
      has_fault(with("model.layers.0.self_attn.q_norm.weight"), Errc::name_unclaimed,
                {"there is a tensor in the checkpoint that nothing in the model takes",
                 "\"model.layers.0.self_attn.q_norm.weight\"", "transformer_layer_0", "/models/m/model.safetensors"}));
}

TEST_F(Unclaimed, NearestNameIsWholeAndClosest) {
  EXPECT_TRUE(has_fault(with("model.layers.0.mlp.upproj.weight"), Errc::name_unclaimed,
                        {"nearest:  model.layers.0.mlp.up_proj.weight"}));
  EXPECT_TRUE(has_fault(with("model.layers.0.self_attn.vproj.weight"), Errc::name_unclaimed,
                        {"nearest:  model.layers.0.self_attn.v_proj.weight"}));
}

TEST_F(Unclaimed, NothingIsSuggestedForWhatIsLikeNothing) {
  const auto error = with("model.layers.0.zzzzzzzzzzzzzzzzzzzzzzzz");
  ASSERT_TRUE(has_fault(error, Errc::name_unclaimed));
  EXPECT_EQ(error->diagnostics()[0].nearest, "");
}

TEST_F(Unclaimed, ALayerIsKnownBehindAnUnknownPath) {
  const auto nearest = [&](const std::string& name) { return with(name)->diagnostics()[0].nearest; };
  EXPECT_EQ(nearest("layers.0.mlp.up_proj.weight"), "model.layers.0.mlp.up_proj.weight");
  EXPECT_EQ(nearest("language_model.decoder.layers.0.mlp.upproj.weight"), "model.layers.0.mlp.up_proj.weight");
  EXPECT_EQ(nearest("layers.7.mlp.up_proj.weight"), "") << "there is no such layer";
  EXPECT_EQ(nearest("layers.99999999999999999999999.mlp.up_proj.weight"), "");
}

TEST_F(Unclaimed, OutsideOfAllContainers) {
  EXPECT_TRUE(has_fault(with("lm_head.weight"), Errc::name_unclaimed, {"\"lm_head.weight\""}));
}

TEST_F(Unclaimed, EmptyNamesAndDotsAreNamesToo) {
  for (const char* name : {"", ".", "..", "model.layers.0.", "model..layers.0.x", ".model.layers.0.x"})
    EXPECT_TRUE(with(name)) << name;
}

}  // namespace
}  // namespace ballast::test
