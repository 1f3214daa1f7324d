// One reader for each format; `read_header` chooses.
#pragma once

#include "ballast/formats.hpp"

namespace ballast {

[[nodiscard]] FileHeader read_safetensors_header(const InputFile& file, const HeaderLimits& limits);
[[nodiscard]] FileHeader read_gguf_header(const InputFile& file, const HeaderLimits& limits);

}  // namespace ballast
