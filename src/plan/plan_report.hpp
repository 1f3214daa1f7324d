// The faults of a plan: those that many layers share are one line (B7).
#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "ballast/binding.hpp"
#include "ballast/error.hpp"

namespace ballast::plan {

class PlanReport {
 public:
  PlanReport(const Catalog& catalog, const Binding& binding) : catalog_(catalog), binding_(binding) {}

  // What building or evaluating the recipe of a parameter threw.
  void add(std::uint32_t container, std::uint32_t parameter, std::span<const std::uint32_t> sources,
           const std::exception& error);
  [[nodiscard]] Diagnostics diagnose() const;

 private:
  struct Group {
    Diagnostic first;
    std::vector<std::string> containers;
    std::vector<std::string> tensors;
  };
  void add_one(std::uint32_t container, std::uint32_t parameter, std::span<const std::uint32_t> sources, Diagnostic d);

  const Catalog& catalog_;
  const Binding& binding_;
  std::map<std::string, std::size_t> by_text_;  // parameter, code and sentence -> group
  std::vector<Group> groups_;
};

}  // namespace ballast::plan
