// Tensors that accompany quantised weights (B9).
#pragma once

#include <functional>
#include <string_view>

namespace ballast::mapper {

// Whether the checkpoint has a tensor of this name.
using HasName = std::function<bool(std::string_view)>;

// The scheme that a name like "...q_proj.qweight" belongs to ("GPTQ or AWQ"); empty for other names. Where a name alone
// does not tell, those beside it do.
[[nodiscard]] std::string_view companion_scheme(std::string_view tensor_name, const HasName& has);

}  // namespace ballast::mapper
