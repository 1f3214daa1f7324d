// Formulas over a few names, for tests.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "formula/check.hpp"
#include "formula/evaluate.hpp"

namespace ballast::test {

class NamedValues : public formula::Scope {
 public:
  std::map<std::string, formula::Value, std::less<>> values;
  std::map<std::string, formula::Value, std::less<>> config;
  ModelContext context;

  const formula::Value* find(std::string_view name) override {
    const auto found = values.find(name);
    return found == values.end() ? nullptr : &found->second;
  }
  formula::Value read(std::string_view path) override {
    const auto found = config.find(path);
    return found == config.end() ? formula::Value(formula::Absent{fmt::format("'{}'", path), false}) : found->second;
  }
  bool is_present(std::string_view dependency) override { return values.contains(dependency); }
  const ModelContext& model() const override { return context; }

  formula::Names names() const {
    formula::Names names;
    for (const auto& [name, value] : values) names.kinds.emplace(name, formula::kind_of(value));
    names.reads_config = true;
    names.makes_tensors = true;
    return names;
  }
};

// What is wrong with a formula: "character 3: sentence [expected | got | nearest]", a line each.
inline std::string faults_of(const std::string& text, const formula::Names& names, formula::Kind kind) {
  std::vector<formula::Fault> faults;
  (void)formula::compile(text, names, kind, faults);
  std::string lines;
  for (const formula::Fault& one : faults)
    lines += fmt::format("{}: {} [{} | {} | {}]\n", one.position + 1, one.what, one.expected, one.got, one.nearest);
  return lines;
}

inline formula::Value value_of(const std::string& text, NamedValues& scope) {
  std::vector<formula::Fault> faults;
  const auto tree = formula::compile(text, scope.names(), formula::Kind::any, faults);
  if (!tree) {
    ADD_FAILURE() << text << ": " << faults.front().what << ", expected " << faults.front().expected;
    return formula::Absent{};
  }
  return formula::evaluate(*tree, scope);
}

inline std::uint64_t number_of(const std::string& text, NamedValues& scope) {
  return formula::as_number(value_of(text, scope), formula::Node());
}

// The trouble that evaluating makes, as faults_of writes it; empty where there is none.
inline std::string trouble_of(const std::string& text, NamedValues& scope) {
  try {
    (void)number_of(text, scope);
  } catch (const formula::Trouble& trouble) {
    const formula::Fault& one = trouble.fault;
    return fmt::format("{}: {} [{} | {}]", one.position + 1, one.what, one.expected, one.got);
  }
  return {};
}

}  // namespace ballast::test
