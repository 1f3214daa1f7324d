// The runs of a C++ `finalize` on symbols: in which cases, and in which made-up models.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ballast/schema.hpp"
#include "recipe/traced.hpp"
#include "schema_file/trace.hpp"
#include "schema_file/trace_terms.hpp"

namespace ballast::schema_file {

// What a finalize may tell apart. What is not set here is different in every made-up model.
struct Case {
  bool from_gguf = false;
  bool gated_interleaved = false;
  std::vector<bool> present;  // of each optional dependency
  std::vector<bool> holds;    // of each condition of the context
  bool rank_is_0 = false;
  bool one_rank = false;
  std::size_t tensor_rank = 0;  // 0: four or more
};

// Probes show a branch on a number, which no formula that is traced can have: one number in place of all, and 1.
enum class Numbers : std::uint8_t { made_up, all_alike, all_one };

using Finalize = std::function<Recipe(const ModelContext&, const Operands&)>;

// What a parameter, or one form of it, can be run on.
class TraceRuns {
 public:
  TraceRuns(const ParameterSchema& parameter, std::uint32_t form, const ContextNames& names);

  [[nodiscard]] const std::vector<std::string>& conditions() const noexcept { return conditions_; }
  [[nodiscard]] std::size_t n_optionals() const noexcept { return optionals_.size(); }
  [[nodiscard]] const std::string& optional(std::size_t i) const { return parameter_.dependencies[optionals_[i]].name; }

  // Nothing is made of a parameter none of whose optional dependencies is there.
  [[nodiscard]] bool holds_nothing(const Case& one) const;
  // A formula for `rank` to ask: any dependency that is there has the rank of all. Empty where there is none.
  [[nodiscard]] std::string first_symbol(const Case& one) const;

  [[nodiscard]] Term run(const Case& one, std::size_t model, Numbers numbers, const Finalize& finalize) const {
    return run(one, model, numbers, finalize, extents(model));
  }
  // With the extents of another run, so that what is the same in both has the same.
  [[nodiscard]] Term run(const Case& one, std::size_t model, Numbers numbers, const Finalize& finalize,
                         const std::shared_ptr<recipe::Extents>& extents) const;
  [[nodiscard]] std::shared_ptr<recipe::Extents> extents(std::size_t model) const;

  // Writes what the runs of a case in all models gave as one formula.
  [[nodiscard]] std::string print(const Case& one, const std::array<Term, kModels>& terms) const;

 private:
  [[nodiscard]] bool is_there(const Case& one, std::size_t dependency) const;
  [[nodiscard]] std::size_t length(const DependencySchema& list, std::size_t model) const;
  [[nodiscard]] ModelContext context(const Case& one, std::size_t model, Numbers numbers) const;
  [[nodiscard]] std::vector<std::uint64_t> shape_of(const Case& one, std::size_t dependency, std::size_t model) const;
  void add_numbers(const Case& one, NumberFinder& finder) const;
  void add_dependency(const Case& one, std::size_t d, NumberFinder& finder, std::string& dtype_of) const;

  const ParameterSchema& parameter_;
  std::vector<std::string> numbers_;     // of the context, in the order of their made-up values
  std::vector<std::string> conditions_;  // of the context
  std::vector<std::size_t> mine_;        // dependencies of this form
  std::vector<std::size_t> optionals_;   // of those
  std::map<std::string, std::size_t> length_index_;
};

}  // namespace ballast::schema_file
