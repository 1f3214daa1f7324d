// Architectures in files: what a policy declares in C++, as JSON (docs/schema-files.md).
//
//   PolicyRegistry registry;
//   registry.add(load_schema_file("my_arch.json"));
//   LoadOptions options;
//   options.policies = &registry;
//   const LoadedModel model = load("path/to/checkpoint", options);
//
// The rules and the messages are those of declared containers. A schema file is untrusted input: everything in it is
// checked, and what it can ask for is bounded.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "ballast/policy.hpp"

namespace ballast {

// Throws Error with every fault of the file, each with its place: schema_invalid, formula_invalid, duplicate_key,
// limit_exceeded, and the codes of the definition rules. What is loaded with the policy needs it as long as it lives.
[[nodiscard]] std::unique_ptr<const InferencePolicy> load_schema_file(const std::string& path);
// The same, of text; `path` only names it in errors.
[[nodiscard]] std::unique_ptr<const InferencePolicy> parse_schema_file(std::string_view json, const std::string& path);

// A policy as a schema file. What the file makes of a checkpoint is what the policy makes of it. Throws
// Error(invalid_argument) with everything that keeps the policy from being written: tables that are code, recipes that
// are not formulas (docs/schema-files.md, "Exporting").
[[nodiscard]] std::string export_schema(const InferencePolicy& policy);

}  // namespace ballast
