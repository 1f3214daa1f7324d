// The section "parameters" of a schema file.
#pragma once

#include <map>
#include <string>

#include "ballast/policy_rules.hpp"
#include "ballast/schema.hpp"
#include "schema_file/reader.hpp"

namespace ballast::schema_file {

inline constexpr std::size_t kMostTypes = 256;
inline constexpr std::size_t kMostDependencies = 16;
inline constexpr std::size_t kMostForms = 8;

// By name. One that is at fault is there too, so that what uses it can be checked; `schema.name` is empty.
struct ParameterTypes {
  std::map<std::string, ParameterSchema, std::less<>> types;
};

[[nodiscard]] ParameterTypes read_parameter_types(Reader& reader, const Place& at, const ContextRules& rules);

}  // namespace ballast::schema_file
