#include "mapping/companions.hpp"

#include <array>
#include <utility>

namespace ballast::mapper {

std::string_view companion_scheme(std::string_view tensor_name) noexcept {
  // By what the tools' published checkpoints contain: AutoGPTQ and AutoAWQ, the FP8 checkpoints of DeepSeek and of
  // vLLM's compressed-tensors, ModelOpt, bitsandbytes, gpt-oss, ExLlamaV2.
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 25> kEndings{{
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
      {".SCB", "bitsandbytes 8-bit"},
      {".weight_format", "bitsandbytes 8-bit"},
      {"_blocks", "MXFP4"},
      {"_scales", "MXFP4"},
      {".q_weight", "EXL2"},
      {".q_scale", "EXL2"},
  }};
  for (const auto& [ending, scheme] : kEndings)
    if (tensor_name.ends_with(ending)) return scheme;
  if (tensor_name.find(".quant_state.") != std::string_view::npos) return "bitsandbytes 4-bit";
  return {};
}

}  // namespace ballast::mapper
