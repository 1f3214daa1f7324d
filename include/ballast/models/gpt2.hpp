// GPT-2: matrices are stored [in, out] and turned first. Names with and without the leading "transformer.".
#pragma once

#include <array>
#include <string_view>

#include "ballast/models/common.hpp"
#include "ballast/policy.hpp"

namespace ballast::models {

// A matrix of [in, out] as [out, in]; a bias as it is.
inline Recipe out_in(const Recipe& x) { return x.rank() == 2 ? transpose(x, 0, 1) : x; }

struct Conv1dQkv {
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_qkv(out_in(params)); }
};
struct Conv1dAttentionOutput {
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_attn_out(out_in(params)); }
};
struct Conv1dMlp1 {
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_mlp_1(out_in(params)); }
};
struct Conv1dMlp2 {
  Dependency params;
  Recipe finalize(const ModelContext& m) const { return m.transform_mlp_2(out_in(params)); }
};

struct Gpt2Layer {
  Parameter<Conv1dQkv> qkv_w;
  Parameter<Conv1dQkv> qkv_b;
  Parameter<Conv1dAttentionOutput> attn_out_w;
  Parameter<Conv1dAttentionOutput> attn_out_b;
  Parameter<Conv1dMlp1> mlp_1_w;
  Parameter<Conv1dMlp1> mlp_1_b;
  Parameter<Conv1dMlp2> mlp_2_w;
  Parameter<Conv1dMlp2> mlp_2_b;
  Parameter<Norm> attn_norm_gamma;
  Parameter<Norm> attn_norm_beta;
  Parameter<Norm> mlp_norm_gamma;
  Parameter<Norm> mlp_norm_beta;

  static constexpr auto param_mapping =
      mapping<Gpt2Layer>(from("attn.c_attn.weight", to<&Gpt2Layer::qkv_w, &Conv1dQkv::params>),
                         from("attn.c_attn.bias", to<&Gpt2Layer::qkv_b, &Conv1dQkv::params>),
                         from("attn.c_proj.weight", to<&Gpt2Layer::attn_out_w, &Conv1dAttentionOutput::params>),
                         from("attn.c_proj.bias", to<&Gpt2Layer::attn_out_b, &Conv1dAttentionOutput::params>),
                         from("mlp.c_fc.weight", to<&Gpt2Layer::mlp_1_w, &Conv1dMlp1::params>),
                         from("mlp.c_fc.bias", to<&Gpt2Layer::mlp_1_b, &Conv1dMlp1::params>),
                         from("mlp.c_proj.weight", to<&Gpt2Layer::mlp_2_w, &Conv1dMlp2::params>),
                         from("mlp.c_proj.bias", to<&Gpt2Layer::mlp_2_b, &Conv1dMlp2::params>),
                         from("ln_1.weight", to<&Gpt2Layer::attn_norm_gamma, &Norm::params>),
                         from("ln_1.bias", to<&Gpt2Layer::attn_norm_beta, &Norm::params>),
                         from("ln_2.weight", to<&Gpt2Layer::mlp_norm_gamma, &Norm::params>),
                         from("ln_2.bias", to<&Gpt2Layer::mlp_norm_beta, &Norm::params>));
};
static_assert(well_mapped<Gpt2Layer>);

struct Gpt2NonTransformer {
  Parameter<Embedding> word_emb;
  Parameter<Replicated> word_emb_pos;
  Parameter<Unembed> word_unembed;
  Parameter<Norm> final_norm_gamma;
  Parameter<Norm> final_norm_beta;

  static constexpr auto param_mapping = mapping<Gpt2NonTransformer>(
      from("wte.weight", to<&Gpt2NonTransformer::word_emb, &Embedding::params>),
      from("wpe.weight", to<&Gpt2NonTransformer::word_emb_pos, &Replicated::params>),
      from("lm_head.weight", to<&Gpt2NonTransformer::word_unembed, &Unembed::params>).tied_to("wte.weight"),
      from("ln_f.weight", to<&Gpt2NonTransformer::final_norm_gamma, &Norm::params>),
      from("ln_f.bias", to<&Gpt2NonTransformer::final_norm_beta, &Norm::params>));
};
static_assert(well_mapped<Gpt2NonTransformer>);

struct Gpt2Policy {
  static constexpr std::string_view name = "gpt2";
  static constexpr std::array<std::string_view, 1> model_types{"gpt2"};
  static constexpr std::array<std::string_view, 1> architectures{"GPT2LMHeadModel"};
  using Layer = Gpt2Layer;
  using NonTransformer = Gpt2NonTransformer;

  static ContextRules context() {
    return {
        {"intermediate_dim", "intermediate_dim ?? 4 * model_dim"},
        {"tie_word_embeddings", "tie_word_embeddings ?? true"},
    };
  }
  static ContainerMapRules container_map() {
    return ContainerMapRules()
        .optional_root("transformer")
        .skip("h.*.attn.bias", "the causal mask")
        .skip("h.*.attn.masked_bias", "what masked scores are set to")
        .layers({"h"}, schema_of<Gpt2Layer>())
        .non_transformer(schema_of<Gpt2NonTransformer>());
  }
};

}  // namespace ballast::models
