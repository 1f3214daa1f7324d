// B9: companions of quantised weights never fall through to a rule for the weight, and are called what they are.
#include <gtest/gtest.h>

#include "mapping/bind_catalog.hpp"

namespace ballast::test {
namespace {

struct Companions : testing::Test {
  const ContainerSchema block = layer(
      {weight("up"), experts("moe"), experts("whole")},
      {{"*.up_proj.weight", {"up.params"}}, {"experts.*.weight", {"moe.experts"}}, {"packed.*", {"whole.experts"}}});
  const ContainerMap map = ContainerMap().layers({"layers"}, block, 1);
  const ModelContext context = context_of(1, 1);
  std::optional<Error> with(const std::string& name) const {
    return bind_error({"layers.0.mlp.up_proj.weight", "layers.0.experts.0.weight", "layers.0.packed.0", name}, map,
                      context);
  }
};

TEST_F(Companions, HaveTheirOwnSentenceThatNamesTheScheme) {
  const std::vector<std::pair<std::string, std::string>> all{{"qweight", "GPTQ or AWQ"},
                                                             {"qzeros", "GPTQ or AWQ"},
                                                             {"scales", "GPTQ or AWQ"},
                                                             {"g_idx", "GPTQ"},
                                                             {"weight_scale", "FP8 or compressed-tensors"},
                                                             {"weight_scale_inv", "FP8 blocks"},
                                                             {"input_scale", "FP8 or compressed-tensors"},
                                                             {"k_scale", "FP8 key/value cache"},
                                                             {"v_scale", "FP8 key/value cache"},
                                                             {"weight_scale_2", "NVFP4"},
                                                             {"weight_global_scale", "NVFP4"},
                                                             {"weight_packed", "compressed-tensors"},
                                                             {"weight_shape", "compressed-tensors"},
                                                             {"weight_zero_point", "compressed-tensors"},
                                                             {"weight.absmax", "bitsandbytes 4-bit"},
                                                             {"weight.quant_map", "bitsandbytes 4-bit"},
                                                             {"weight.quant_state.bitsandbytes__nf4", "bitsandbytes"},
                                                             {"SCB", "bitsandbytes 8-bit"},
                                                             {"gate_up_proj_blocks", "MXFP4"},
                                                             {"gate_up_proj_scales", "MXFP4"},
                                                             {"q_weight", "EXL2"},
                                                             {"weight.nested_absmax", "bitsandbytes 4-bit"},
                                                             {"weight.nested_quant_map", "bitsandbytes 4-bit"},
                                                             {"W_q", "HQQ"},
                                                             {"codebooks", "AQLM"},
                                                             {"weight_scales", "EETQ"},
                                                             {"weight_qdata", "torchao"},
                                                             {"pre_quant_scale", "ModelOpt"}};
  for (const auto& [ending, scheme] : all)
    for (const char* stem : {"mlp.up_proj.", "experts.0.", "packed.", ""}) {
      const auto error = with("layers.0." + (stem + ending));
      EXPECT_TRUE(has_fault(error, Errc::companion_unclaimed,
                            {"a tensor belongs to quantised weights", scheme, "a quantised checkpoint", ending}))
          << stem << ending;
      EXPECT_EQ(error->total(), 1U);
    }
}

TEST_F(Companions, OutsideOfContainersToo) {
  EXPECT_TRUE(has_fault(with("lm_head.qweight"), Errc::companion_unclaimed, {"GPTQ or AWQ"}));
}

TEST_F(Companions, ComeFirstAndAreWhyTheWeightsAreMissing) {
  const auto error = bind_error({"layers.0.experts.0.qweight", "layers.0.experts.0.scales", "stray"}, map, context);
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), Errc::companion_unclaimed);
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"\"layers.0.experts.0.weight\"", "it is stored quantised"}));
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing, {"\"layers.0.packed.0\"", "an incomplete checkpoint"}));
}

TEST_F(Companions, AreFolded) {
  const ContainerMap many = ContainerMap().layers({"layers"}, block, 32);
  std::vector<std::string> names;
  for (int i = 0; i < 32; ++i) names.push_back("layers." + std::to_string(i) + ".mlp.up_proj.qweight");
  EXPECT_TRUE(has_fault(bind_error(names, many, context), Errc::companion_unclaimed,
                        {"32 tensors belong to quantised weights", "layers.{0..31}.mlp.up_proj.qweight"}));
}

TEST_F(Companions, OfMlxAreToldByBothOfThem) {
  const auto both = bind_error({"layers.0.mlp.up_proj.weight", "layers.0.experts.0.weight", "layers.0.packed.0",
                                "layers.0.mlp.up_proj.scales", "layers.0.mlp.up_proj.biases"},
                               map, context);
  EXPECT_TRUE(has_fault(both, Errc::companion_unclaimed, {"(MLX)", "up_proj.scales"}));
  EXPECT_TRUE(has_fault(both, Errc::companion_unclaimed, {"(MLX)", "up_proj.biases"}));
  EXPECT_TRUE(has_fault(with("layers.0.mlp.up_proj.biases"), Errc::name_unclaimed, {"up_proj.biases"}));
}

TEST_F(Companions, RuleThatNamesOneTakesIt) {
  const ContainerSchema quantised = layer({parameter("up", {single("w"), single("scale")})},
                                          {{"up.weight", {"up.w"}}, {"up.weight_scale", {"up.scale"}}});
  EXPECT_EQ(bind_names({"up.weight_scale", "up.weight"}, only(quantised)).containers[0].sources,
            (std::vector<std::uint32_t>{1, 0}));
}

}  // namespace
}  // namespace ballast::test
