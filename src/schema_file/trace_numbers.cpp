#include "schema_file/trace_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ballast::schema_file {

namespace {

constexpr std::size_t kFirstPrime = 30;  // 127: larger than any constant that a recipe would have

const std::vector<std::uint64_t>& primes() {
  static const std::vector<std::uint64_t> all = [] {
    constexpr std::uint64_t kMost = 120'000;
    std::vector<bool> composite(kMost);
    std::vector<std::uint64_t> found;
    for (std::uint64_t n = 2; n < kMost; ++n) {
      if (composite[n]) continue;
      found.push_back(n);
      for (std::uint64_t m = n * n; m < kMost; m += n) composite[m] = true;
    }
    return found;
  }();
  return all;
}

template <class Operation>
std::optional<Values> each(const Values& a, const Values& b, Operation operation) {
  Values result{};
  for (std::size_t i = 0; i < kModels; ++i) {
    const std::optional<std::uint64_t> one = operation(a[i], b[i]);
    if (!one) return std::nullopt;
    result[i] = *one;
  }
  return result;
}

using Maybe = std::optional<std::uint64_t>;
Maybe add(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_add_overflow(a, b, &result) ? Maybe() : Maybe(result);
}
Maybe subtract(std::uint64_t a, std::uint64_t b) { return a >= b ? Maybe(a - b) : Maybe(); }
Maybe multiply(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? Maybe() : Maybe(result);
}
// Only without a remainder: what rounds in the made-up models would round elsewhere in others.
Maybe divide(std::uint64_t a, std::uint64_t b) { return b != 0 && a % b == 0 ? Maybe(a / b) : Maybe(); }

struct Arithmetic {
  char sign;
  Maybe (*apply)(std::uint64_t, std::uint64_t);
  Maybe (*undo)(std::uint64_t, std::uint64_t);  // the left operand, from result and right operand
};
constexpr std::array<Arithmetic, 4> kArithmetic{
    {{'+', &add, &subtract}, {'-', &subtract, &add}, {'*', &multiply, &divide}, {'/', &divide, &multiply}}};

bool is_product(char sign) { return sign == '*' || sign == '/'; }

}  // namespace

std::uint64_t made_up(std::size_t index, std::size_t model) {
  const std::size_t at = kFirstPrime + index * kModels + model;
  return at < primes().size() ? 24 * primes()[at] : 0;
}

std::size_t NumberFinder::Hash::operator()(const Values& values) const noexcept {
  std::uint64_t hash = 0;
  for (const std::uint64_t value : values) hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL + (hash >> 29U);
  return hash;
}

void NumberFinder::add(std::string name, const Values& values) {
  names_.emplace_back(values, Known{std::move(name), 0});
}

// What is 0 or 1 whatever the names are is no formula of them.
void NumberFinder::put(const Values& values, Known known) {
  if (std::all_of(values.begin(), values.end(), [&](std::uint64_t v) { return v == values.front(); })) return;
  if (std::find(values.begin(), values.end(), 0) != values.end()) return;
  if (const auto [at, is_new] = table_.emplace(values, known); is_new) ordered_.emplace_back(values, std::move(known));
}

namespace {

std::string joined(const std::string& a, int level_a, char sign, const std::string& b, int level_b) {
  const bool product = is_product(sign);
  const bool left = product && level_a == 1;
  const bool right = product ? level_b != 0 : sign == '-' && level_b == 1;
  return fmt::format("{}{}{} {} {}{}{}", left ? "(" : "", a, left ? ")" : "", sign, right ? "(" : "", b,
                     right ? ")" : "");
}

}  // namespace

void NumberFinder::put_all(const Values& a, const Known& x, const Values& b, const Known& y) {
  for (const Arithmetic& one : kArithmetic)
    if (const auto result = each(a, b, one.apply))
      put(*result, {joined(x.text, x.level, one.sign, y.text, y.level), is_product(one.sign) ? 2 : 1});
}

void NumberFinder::prepare() {
  if (prepared_) return;
  prepared_ = true;
  for (const auto& [values, known] : names_) put(values, known);
  const std::vector<std::pair<Values, Known>> singles = ordered_;
  // Constants are operands and no results.
  for (const std::uint64_t c : {1U, 2U, 3U, 4U, 6U, 8U, 12U, 16U, 24U, 32U, 64U}) {
    Values values{};
    values.fill(c);
    constants_.emplace_back(values, Known{std::to_string(c), 0});
  }
  for (const auto& [c, number] : constants_)
    for (const auto& [values, known] : singles) {
      if (const auto result = each(c, values, &multiply))
        put(*result, {fmt::format("{} * {}", number.text, known.text), 2});
      put_all(values, known, c, number);
    }
  for (const auto& [a, x] : singles)
    for (const auto& [b, y] : singles) put_all(a, x, b, y);
  // Query, key and value rows and the like: n_heads + 2 * n_heads_kv.
  for (const auto& [a, x] : singles)
    for (const auto& [b, y] : singles)
      if (const auto twice = each(b, constants_[1].first, &multiply))
        if (const auto result = each(a, *twice, kArithmetic[0].apply))
          put(*result, {fmt::format("{} + 2 * {}", x.text, y.text), 1});
}

std::optional<std::string> NumberFinder::of_two(const Values& values) const {
  for (const auto* right : {&constants_, &ordered_})
    for (const auto& [b, y] : *right)
      for (const Arithmetic& one : kArithmetic) {
        const auto a = each(values, b, one.undo);
        const auto found = a ? table_.find(*a) : table_.end();
        if (found != table_.end()) return joined(found->second.text, found->second.level, one.sign, y.text, y.level);
      }
  return std::nullopt;
}

std::optional<std::string> NumberFinder::find(const Values& values) {
  if (std::all_of(values.begin(), values.end(), [&](std::uint64_t v) { return v == values.front(); }))
    return std::to_string(values.front());
  for (const auto& [known, name] : names_)
    if (known == values) return name.text;
  prepare();
  if (const auto found = table_.find(values); found != table_.end()) return found->second.text;
  return of_two(values);
}

}  // namespace ballast::schema_file
