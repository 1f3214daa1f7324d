// Tensors that accompany quantised weights (B9).
#pragma once

#include <string_view>

namespace ballast::mapper {

// The scheme that a name like "...q_proj.qweight" belongs to ("GPTQ or AWQ"); empty for other names.
[[nodiscard]] std::string_view companion_scheme(std::string_view tensor_name) noexcept;

}  // namespace ballast::mapper
