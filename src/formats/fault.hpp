// How the stages of this folder make a diagnostic.
#pragma once

#include <string>
#include <utility>

#include "ballast/error.hpp"

namespace ballast {

[[nodiscard]] inline Diagnostic header_fault(Errc code, std::string what, const std::string& path) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.what = std::move(what);
  diagnostic.operation = "read header";
  diagnostic.file = path;
  return diagnostic;
}

[[nodiscard]] inline Diagnostic tensor_fault(Errc code, std::string what, const std::string& path,
                                             std::string_view tensor) {
  Diagnostic diagnostic = header_fault(code, std::move(what), path);
  diagnostic.tensor = tensor;
  return diagnostic;
}

}  // namespace ballast
