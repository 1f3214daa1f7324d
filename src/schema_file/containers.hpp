// The section "containers" of a schema file.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "ballast/detail/declared.hpp"
#include "ballast/schema.hpp"
#include "schema_file/parameter_types.hpp"
#include "schema_file/reader.hpp"

namespace ballast::schema_file {

// By name; null for one that is at fault.
using Containers = std::map<std::string, std::unique_ptr<const ContainerSchema>, std::less<>>;

[[nodiscard]] Containers read_containers(Reader& reader, const Place& at, const ParameterTypes& types);

}  // namespace ballast::schema_file
