// The sentences for what the definition rules find in a schema made at run time.
#pragma once

#include <string>

#include "ballast/detail/definition.hpp"
#include "ballast/error.hpp"

namespace ballast::mapper {

[[nodiscard]] Diagnostic describe(const detail::Fault& fault, const detail::DefinitionView& view,
                                  const std::string& container);

}  // namespace ballast::mapper
