// Numbers of a recipe, found again by their values in several made-up models.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ballast::schema_file {

// A value in each of the made-up models. A formula that is right in all of them by chance would have to hit one vector
// of three numbers among some 10^15.
inline constexpr std::size_t kModels = 3;
using Values = std::array<std::uint64_t, kModels>;

// The made-up number `index` of a model: multiples of 24, so that they can be halved and the like, of primes that no
// other number of any model has.
[[nodiscard]] std::uint64_t made_up(std::size_t index, std::size_t model);

class NumberFinder {
 public:
  // Names are formulas of their own ("n_heads", "extent(x, 0)").
  void add(std::string name, const Values& values);
  // The simplest formula that has these values; nothing where there is none of up to four names and small constants.
  [[nodiscard]] std::optional<std::string> find(const Values& values);

 private:
  struct Known {
    std::string text;
    int level;  // 0: a name, 1: a sum, 2: a product; what needs brackets within what
  };
  struct Hash {
    std::size_t operator()(const Values& values) const noexcept;
  };
  using Table = std::unordered_map<Values, Known, Hash>;

  void prepare();
  void put(const Values& values, Known known);
  void put_all(const Values& a, const Known& x, const Values& b, const Known& y);
  [[nodiscard]] std::optional<std::string> of_two(const Values& values) const;

  std::vector<std::pair<Values, Known>> names_;
  std::vector<std::pair<Values, Known>> constants_;
  std::vector<std::pair<Values, Known>> ordered_;  // all of table_, in the order in which they were found
  Table table_;
  bool prepared_ = false;
};

}  // namespace ballast::schema_file
