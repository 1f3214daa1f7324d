// What one run of a `finalize` on symbols gave, as a tree; and several runs, in models that differ in their numbers, as
// one formula.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ballast/recipe.hpp"
#include "schema_file/trace_numbers.hpp"

namespace ballast::schema_file {

struct Term {
  enum class Kind : std::uint8_t {
    call,     // `name` of `arguments`; also "nothing"
    symbol,   // a dependency, or with `element` one of a list
    list,     // all of a list
    each,     // its one argument, for each element of the lists in it
    tensors,  // arguments that are joined
    number,
    numbers,
    dtype,
    text,
  };
  Kind kind = Kind::call;
  std::string name;
  std::vector<Term> arguments;
  std::optional<std::uint64_t> element;
  std::vector<std::uint64_t> numbers;  // one of a number
  DType dtype = DType::F32;
  std::vector<std::uint64_t> extents;  // made up, of a call or symbol

  // But for `extents`.
  friend bool operator==(const Term& a, const Term& b);
};

// But for numbers as well.
[[nodiscard]] bool same_structure(const Term& a, const Term& b);

// `lengths` of the lists by name. Throws Error(invalid_argument) for what no formula can say.
[[nodiscard]] Term term_of(const Recipe& recipe, const std::map<std::string, std::size_t>& lengths);

// The formula of terms of one structure. Throws Error(invalid_argument) where a number cannot be told.
class TermPrinter {
 public:
  // `dtype_of`: a formula for the dtype of all operands, which is `dtypes` in each model.
  TermPrinter(NumberFinder numbers, std::string dtype_of, std::array<DType, kModels> dtypes)
      : numbers_(std::move(numbers)), dtype_of_(std::move(dtype_of)), dtypes_(dtypes) {}
  [[nodiscard]] std::string print(const std::array<const Term*, kModels>& terms);

 private:
  [[nodiscard]] std::string arguments(const std::array<const Term*, kModels>& terms);
  [[nodiscard]] std::string number(const Values& values);
  void learn_extents(const std::array<const Term*, kModels>& terms, const std::string& text);

  NumberFinder numbers_;
  std::vector<std::pair<Values, std::string>> extents_;  // of what has been printed
  std::string dtype_of_;
  std::array<DType, kModels> dtypes_;
};

}  // namespace ballast::schema_file
