#include "formats/read_header.hpp"

namespace ballast {

FileHeader read_header(const InputFile& file, const HeaderLimits& limits) {
  return detect_format(file) == FileFormat::gguf ? read_gguf_header(file, limits)
                                                 : read_safetensors_header(file, limits);
}

}  // namespace ballast
