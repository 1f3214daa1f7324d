#include "formula/evaluate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ballast/error.hpp"
#include "formula/functions.hpp"

namespace ballast::formula {

namespace {

// Parts that are evaluated and elements of lists that are passed on: bounds what a short formula can ask for.
constexpr std::size_t kMostSteps = std::size_t{1} << 22U;

[[noreturn]] void trouble(const Node& node, Errc code, std::string what, std::string expected, std::string got) {
  throw Trouble{{node.position, std::move(what), std::move(expected), std::move(got), "", code}};
}

[[noreturn]] void wrong_kind(const Value& value, const Node& node, Kind wanted) {
  if (const auto* absent = std::get_if<Absent>(&value))
    trouble(node, Errc::context_invalid, fmt::format("the config does not say {}", absent->what),
            std::string(name(wanted)), "nothing");
  trouble(node, Errc::context_invalid, "a part of the formula is of the wrong kind", std::string(name(wanted)),
          std::string(name(kind_of(value))));
}

class Evaluator {
 public:
  Evaluator(const Tree& tree, Scope& scope) : tree_(tree), scope_(scope) {}

  Value evaluate(std::uint32_t index) {
    const Node& node = tree_.nodes[index];
    spend(node, 1);
    switch (node.op) {
      case Op::number:
        return node.number;
      case Op::text:
        return node.text;
      case Op::name:
        return look_up(node);
      case Op::path:
        return scope_.read(node.text);
      case Op::list:
        return list(node);
      case Op::call:
        return call(node);
      case Op::conditional:
        return evaluate(node.operands[condition(node.operands[0]) ? 1 : 2]);
      case Op::coalesce: {
        Value left = evaluate(node.operands[0]);
        return std::holds_alternative<Absent>(left) ? evaluate(node.operands[1]) : left;
      }
      case Op::any:
        return condition(node.operands[0]) || condition(node.operands[1]);
      case Op::all:
        return condition(node.operands[0]) && condition(node.operands[1]);
      case Op::negation:
        return !condition(node.operands[0]);
      case Op::equal:
        return equal(node);
      case Op::unequal:
        return !equal(node);
      case Op::contains:
        return contains(node);
      default:
        return arithmetic(node, number(node.operands[0]), number(node.operands[1]));
    }
  }

 private:
  void spend(const Node& node, std::size_t steps) {
    steps_ += steps;
    if (steps_ > kMostSteps)
      trouble(node, Errc::limit_exceeded, "the formula takes too many steps", fmt::format("at most {}", kMostSteps),
              "more");
  }

  bool condition(std::uint32_t index) { return as_condition(evaluate(index), tree_.nodes[index]); }
  std::uint64_t number(std::uint32_t index) { return as_number(evaluate(index), tree_.nodes[index]); }

  Value look_up(const Node& node) {
    if (node.text == "true") return true;
    if (node.text == "false") return false;
    if (node.text == "nothing") return Recipe::nothing();
    const Value* value = scope_.find(node.text);
    if (value == nullptr)
      trouble(node, Errc::context_invalid, fmt::format("the model has no '{}'", node.text), "", node.text);
    const auto* all = std::get_if<Tensors>(value);
    if (all == nullptr) return *value;
    if (each_) return (*all)[*each_];
    spend(node, all->size());
    return *all;
  }

  Value list(const Node& node) {
    List all;
    for (const std::uint32_t operand : node.operands) {
      Value value = evaluate(operand);
      if (auto* text = std::get_if<std::string>(&value))
        all.emplace_back(std::move(*text));
      else
        all.emplace_back(as_number(value, tree_.nodes[operand]));
    }
    return all;
  }

  bool equal(const Node& node) {
    const Value a = evaluate(node.operands[0]), b = evaluate(node.operands[1]);
    if (std::holds_alternative<std::string>(a) || std::holds_alternative<std::string>(b)) {
      for (const auto& [value, operand] : {std::pair(&a, node.operands[0]), std::pair(&b, node.operands[1])})
        if (!std::holds_alternative<std::string>(*value)) wrong_kind(*value, tree_.nodes[operand], Kind::text);
      return std::get<std::string>(a) == std::get<std::string>(b);
    }
    return as_number(a, tree_.nodes[node.operands[0]]) == as_number(b, tree_.nodes[node.operands[1]]);
  }

  bool contains(const Node& node) {
    Value what = evaluate(node.operands[0]);
    const Value list = evaluate(node.operands[1]);
    if (!std::holds_alternative<List>(list)) wrong_kind(list, tree_.nodes[node.operands[1]], Kind::list);
    const List& all = std::get<List>(list);
    spend(node, all.size());
    const Scalar wanted = std::holds_alternative<std::string>(what)
                              ? Scalar(std::get<std::string>(std::move(what)))
                              : Scalar(as_number(what, tree_.nodes[node.operands[0]]));
    return std::find(all.begin(), all.end(), wanted) != all.end();
  }

  static Value arithmetic(const Node& node, std::uint64_t a, std::uint64_t b) {
    std::uint64_t result = 0;
    bool overflows = false;
    switch (node.op) {
      case Op::less:
        return a < b;
      case Op::less_equal:
        return a <= b;
      case Op::greater:
        return a > b;
      case Op::greater_equal:
        return a >= b;
      case Op::add:
        overflows = __builtin_add_overflow(a, b, &result);
        break;
      case Op::subtract:
        overflows = __builtin_sub_overflow(a, b, &result);
        break;
      case Op::multiply:
        overflows = __builtin_mul_overflow(a, b, &result);
        break;
      default:
        if (b == 0) trouble(node, Errc::context_invalid, "a division by zero", "a positive number", "0");
        result = node.op == Op::divide ? a / b : a % b;
        break;
    }
    if (overflows)
      trouble(node, Errc::context_invalid, "a number leaves its range", "a number from 0 to 2^64 - 1",
              fmt::format("{} {} {}", a, node.text, b));
    return result;
  }

  Value call(const Node& node) {
    if (node.text == "present") return scope_.is_present(tree_.nodes[node.operands[0]].text);
    if (node.text == "each") return each(node);
    if (node.text == "element") return element(node);
    const Function& function = *find_function(node.text);
    std::vector<Value> arguments;
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      if (i < function.arguments.size() && function.arguments[i] == '*') {
        arguments.emplace_back(joined(node, i));
        break;
      }
      arguments.push_back(argument(node.operands[i], function.arguments[i]));
    }
    return function.call(scope_.model(), arguments);
  }

  // One or more tensors and lists, as one list.
  Tensors joined(const Node& node, std::size_t first) {
    Tensors all;
    for (std::size_t i = first; i < node.operands.size(); ++i) {
      Value value = evaluate(node.operands[i]);
      if (auto* list = std::get_if<Tensors>(&value))
        all.insert(all.end(), list->begin(), list->end());
      else
        all.push_back(std::get<Recipe>(argument(std::move(value), node.operands[i], Kind::tensor)));
    }
    return all;
  }

  Value argument(std::uint32_t operand, char letter) {
    if (letter == 'n') return number(operand);
    Value value = evaluate(operand);
    if (letter == 'c') {
      if (!std::holds_alternative<Tensors>(value) && !std::holds_alternative<List>(value))
        wrong_kind(value, tree_.nodes[operand], Kind::list);
      return value;
    }
    if (letter == 'l' && std::holds_alternative<List>(value))
      for (const Scalar& one : std::get<List>(value))
        if (!std::holds_alternative<std::uint64_t>(one)) wrong_kind(value, tree_.nodes[operand], Kind::list);
    return argument(std::move(value), operand, argument_kind(letter));
  }
  Value argument(Value value, std::uint32_t operand, Kind wanted) {
    if (kind_of(value) != wanted) wrong_kind(value, tree_.nodes[operand], wanted);
    return value;
  }

  void lists_in(std::uint32_t index, std::vector<std::pair<std::string_view, std::size_t>>& lists) {
    const Node& node = tree_.nodes[index];
    if (node.op == Op::name)
      if (const Value* value = scope_.find(node.text); value != nullptr && std::holds_alternative<Tensors>(*value))
        lists.emplace_back(node.text, std::get<Tensors>(*value).size());
    for (const std::uint32_t operand : node.operands) lists_in(operand, lists);
  }

  Value each(const Node& node) {
    std::vector<std::pair<std::string_view, std::size_t>> lists;
    lists_in(node.operands[0], lists);
    for (const auto& [name, size] : lists)
      if (size != lists.front().second)
        trouble(node, Errc::recipe_invalid, "each() of lists that differ in length",
                fmt::format("{}, as many as '{}'", lists.front().second, lists.front().first),
                fmt::format("{} of '{}'", size, name));
    Tensors all;
    for (std::size_t i = 0; i < lists.front().second; ++i) {
      each_ = i;
      all.push_back(std::get<Recipe>(argument(evaluate(node.operands[0]), node.operands[0], Kind::tensor)));
    }
    each_.reset();
    return all;
  }

  Value element(const Node& node) {
    const Value list = evaluate(node.operands[0]);
    const std::uint64_t i = number(node.operands[1]);
    const auto check = [&](std::size_t size) {
      if (i >= size)
        trouble(node, Errc::context_invalid, "a list has no such element", fmt::format("a number below {}", size),
                std::to_string(i));
    };
    if (const auto* all = std::get_if<Tensors>(&list)) {
      check(all->size());
      return (*all)[i];
    }
    if (!std::holds_alternative<List>(list)) wrong_kind(list, tree_.nodes[node.operands[0]], Kind::list);
    const List& all = std::get<List>(list);
    check(all.size());
    return std::visit([](const auto& scalar) { return Value(scalar); }, all[i]);
  }

  const Tree& tree_;
  Scope& scope_;
  std::optional<std::size_t> each_;
  std::size_t steps_ = 0;
};

}  // namespace

Value evaluate(const Tree& tree, Scope& scope) {
  return Evaluator(tree, scope).evaluate(static_cast<std::uint32_t>(tree.nodes.size() - 1));
}

std::uint64_t as_number(const Value& value, const Node& node) {
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return *number;
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean ? 1 : 0;
  if (const auto* absent = std::get_if<Absent>(&value); absent != nullptr && absent->reads_as_zero) return 0;
  if (const auto* list = std::get_if<List>(&value); list != nullptr && !list->empty()) {
    // One number for each layer counts where all are equal.
    const bool alike = std::all_of(list->begin(), list->end(), [&](const Scalar& one) { return one == list->front(); });
    if (const auto* number = std::get_if<std::uint64_t>(&list->front()); alike && number != nullptr) return *number;
  }
  wrong_kind(value, node, Kind::number);
}

bool as_condition(const Value& value, const Node& node) {
  if (const auto* boolean = std::get_if<bool>(&value)) return *boolean;
  // What a rule makes of a condition is kept as a number.
  if (const auto* number = std::get_if<std::uint64_t>(&value)) return *number != 0;
  if (const auto* absent = std::get_if<Absent>(&value); absent != nullptr && absent->reads_as_zero) return false;
  wrong_kind(value, node, Kind::boolean);
}

}  // namespace ballast::formula
