// The section "container_map" of a schema file.
#pragma once

#include "ballast/policy_rules.hpp"
#include "schema_file/containers.hpp"
#include "schema_file/reader.hpp"

namespace ballast::schema_file {

[[nodiscard]] ContainerMapRules read_container_map(Reader& reader, const Place& at, const Containers& containers,
                                                   const ContextRules& rules);

}  // namespace ballast::schema_file
