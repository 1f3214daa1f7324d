// gpt-oss: biases everywhere, an attention sink for each head, experts packed and stored in -> out with gate and up
// alternating. Published in BF16 beside its MXFP4 form.
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/blocks.hpp"
#include "ballast/models/moe.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

struct Sinks {  // one number a query head
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_head_rows(params, 1); }
};

struct AlternatingMoeMlp1 {  // [E, dim, 2 * inter], or its bias of [E, 2 * inter]
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_alternating_moe_mlp_1(params); }
};

struct TransposedMoeMlp2 {  // [E, inter, dim]
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_moe_mlp_2(transpose(params, 1, 2)); }
};

struct MoeMlp2Bias {  // [E, dim], on rank 0
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_moe_mlp_2(params); }
};

struct GptOssLayer : AttentionBlock, QkvBiasBlock {
  Parameter<AttentionOutput> attn_out_b;
  Parameter<Sinks> sinks;
  Parameter<MoeGate> moe_gate;
  Parameter<Replicated> moe_gate_b;
  Parameter<AlternatingMoeMlp1> moe_mlp_1;
  Parameter<AlternatingMoeMlp1> moe_mlp_1_b;
  Parameter<TransposedMoeMlp2> moe_mlp_2;
  Parameter<MoeMlp2Bias> moe_mlp_2_b;

  static constexpr auto param_mapping = mapping<GptOssLayer>(
      inherits<AttentionBlock>, inherits<QkvBiasBlock>,
      from("self_attn.o_proj.bias", to<&GptOssLayer::attn_out_b, &AttentionOutput::params>),
      from("self_attn.sinks", to<&GptOssLayer::sinks, &Sinks::params>),
      from("mlp.router.weight", to<&GptOssLayer::moe_gate, &MoeGate::params>),
      from("mlp.router.bias", to<&GptOssLayer::moe_gate_b, &Replicated::params>),
      from("mlp.experts.gate_up_proj", to<&GptOssLayer::moe_mlp_1, &AlternatingMoeMlp1::params>),
      from("mlp.experts.gate_up_proj_bias", to<&GptOssLayer::moe_mlp_1_b, &AlternatingMoeMlp1::params>),
      from("mlp.experts.down_proj", to<&GptOssLayer::moe_mlp_2, &TransposedMoeMlp2::params>),
      from("mlp.experts.down_proj_bias", to<&GptOssLayer::moe_mlp_2_b, &MoeMlp2Bias::params>));
};
static_assert(well_mapped<GptOssLayer>);

struct GptOssPolicy {
  static constexpr std::string_view name = "gpt_oss";
  static constexpr std::array<std::string_view, 1> model_types{"gpt_oss"};
  static constexpr std::array<std::string_view, 1> architectures{"GptOssForCausalLM"};
  using Layer = GptOssLayer;
  using NonTransformer = DecoderNonTransformer;

  static ContextRules context() {
    return {
        {"head_size", "head_size ?? 64"},
        {"moe_intermediate_dim", "intermediate_dim"},
    };
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .layers({"model.layers"}, schema_of<GptOssLayer>())
        .non_transformer(schema_of<DecoderNonTransformer>());
  }
};

}  // namespace ballast::models
