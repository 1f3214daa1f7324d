#include "mapping/companions.hpp"

#include <array>
#include <string>
#include <utility>

namespace ballast::mapper {

namespace {

// MLX keeps scales and biases beside each packed weight; a name that ends in ".biases" alone means nothing.
std::string_view scheme_of_scales(std::string_view name, const HasName& has) {
  for (const std::string_view ending : {".scales", ".biases"}) {
    if (!name.ends_with(ending)) continue;
    const std::string stem(name.substr(0, name.size() - ending.size()));
    if (has(stem + ".scales") && has(stem + ".biases")) return "MLX";
  }
  return {};
}

}  // namespace

std::string_view companion_scheme(std::string_view tensor_name, const HasName& has) {
  if (const std::string_view scheme = scheme_of_scales(tensor_name, has); !scheme.empty()) return scheme;
  // By what the tools' published checkpoints contain: AutoGPTQ and AutoAWQ, the FP8 checkpoints of DeepSeek and of
  // vLLM's compressed-tensors, ModelOpt, bitsandbytes, gpt-oss, ExLlamaV2, HQQ, AQLM, EETQ, QuIP#, Quanto, torchao.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 41> kEndings{{
      {".qweight", "GPTQ or AWQ"},
      {".qzeros", "GPTQ or AWQ"},
      {".g_idx", "GPTQ"},
      {".scales", "GPTQ or AWQ"},
      {".weight_scale_inv", "FP8 blocks"},
      {".weight_scale", "FP8 or compressed-tensors"},
      {".input_scale", "FP8 or compressed-tensors"},
      {".k_scale", "FP8 key/value cache"},
      {".v_scale", "FP8 key/value cache"},
      {".weight_scale_2", "NVFP4"},
      {".weight_global_scale", "NVFP4 in compressed-tensors"},
      {".input_global_scale", "NVFP4 in compressed-tensors"},
      {".weight_packed", "compressed-tensors"},
      {".weight_shape", "compressed-tensors"},
      {".weight_zero_point", "compressed-tensors"},
      {".weight_g_idx", "compressed-tensors"},
      {".absmax", "bitsandbytes 4-bit"},
      {".quant_map", "bitsandbytes 4-bit"},
      {".nested_absmax", "bitsandbytes 4-bit"},
      {".nested_quant_map", "bitsandbytes 4-bit"},
      {".SCB", "bitsandbytes 8-bit"},
      {".weight_format", "bitsandbytes 8-bit"},
      {".weight_scales", "EETQ"},
      {"_blocks", "MXFP4"},
      {"_scales", "MXFP4"},
      {".q_weight", "EXL2"},
      {".q_scale", "EXL2"},
      {".q_scale_max", "EXL2"},
      {".q_groups", "EXL2"},
      {".q_invperm", "EXL2"},
      {".W_q", "HQQ"},
      {".codes", "AQLM"},
      {".codebooks", "AQLM"},
      {".Qidxs", "QuIP#"},
      {".weight._data", "Quanto"},
      {".weight._scale", "Quanto"},
      {".weight._shift", "Quanto"},
      {".weight_qdata", "torchao"},
      {".pre_quant_scale", "ModelOpt"},
      {".output_scale", "ModelOpt"},
      {".weights_scaling_factor", "TensorRT-LLM"},
  }};
  for (const auto& [ending, scheme] : kEndings)
    if (tensor_name.ends_with(ending)) return scheme;
  if (tensor_name.find(".quant_state.") != std::string_view::npos) return "bitsandbytes 4-bit";
  return {};
}

}  // namespace ballast::mapper
