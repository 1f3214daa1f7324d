#include "formula/check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/dtype.hpp"
#include "formula/functions.hpp"
#include "formula/nearest_of.hpp"

namespace ballast::formula {

std::string_view name(Kind kind) noexcept {
  switch (kind) {
    case Kind::boolean:
      return "a condition";
    case Kind::number:
      return "a number";
    case Kind::text:
      return "a text";
    case Kind::list:
      return "a list";
    case Kind::tensor:
      return "a recipe";
    case Kind::tensors:
      return "a list of dependencies";
    default:
      return "a value of the config";
  }
}

Kind kind_of(const Value& value) noexcept {
  struct Visitor {
    Kind operator()(const Absent&) const { return Kind::any; }
    Kind operator()(bool) const { return Kind::boolean; }
    Kind operator()(std::uint64_t) const { return Kind::number; }
    Kind operator()(const std::string&) const { return Kind::text; }
    Kind operator()(const List&) const { return Kind::list; }
    Kind operator()(const Recipe&) const { return Kind::tensor; }
    Kind operator()(const Tensors&) const { return Kind::tensors; }
  };
  return std::visit(Visitor(), value);
}

namespace {

class Checker {
 public:
  Checker(const Tree& tree, const Names& names, std::vector<Fault>& faults)
      : tree_(tree), names_(names), faults_(faults) {}

  Kind check(std::uint32_t index) {
    const Node& node = tree_.nodes[index];
    switch (node.op) {
      case Op::number:
        return Kind::number;
      case Op::text:
        return Kind::text;
      case Op::name:
        return name(node);
      case Op::path:
        if (!names_.reads_config)
          add(node, fmt::format("'{}' cannot be read here", node.text),
              "a number of the model; rules of 'context' read the config", node.text);
        return Kind::any;
      case Op::list:
        for (const std::uint32_t operand : node.operands)
          if (const Kind kind = check(operand); kind != Kind::number && kind != Kind::text && kind != Kind::any)
            want(operand, kind, Kind::number);
        return Kind::list;
      case Op::call:
        return call(node);
      case Op::conditional:
        want(node.operands[0], check(node.operands[0]), Kind::boolean);
        return alike(node.operands[1], node.operands[2]);
      case Op::coalesce:
        return alike(node.operands[0], node.operands[1]);
      default:
        return arithmetic(node);
    }
  }

  void want(std::uint32_t index, Kind got, Kind wanted) {
    if (got == wanted || got == Kind::any || wanted == Kind::any) return;
    add(tree_.nodes[index], "a part of the formula is of the wrong kind", std::string(formula::name(wanted)),
        std::string(formula::name(got)));
  }

 private:
  void add(const Node& node, std::string what, std::string expected, std::string got, std::string nearest = {}) {
    faults_.push_back({node.position, std::move(what), std::move(expected), std::move(got), std::move(nearest)});
  }

  Kind name(const Node& node) {
    if (node.text == "true" || node.text == "false") return Kind::boolean;
    if (node.text == "nothing" && names_.makes_tensors) return Kind::tensor;
    if (const auto found = names_.kinds.find(node.text); found != names_.kinds.end())
      return found->second == Kind::tensors && in_each_ ? Kind::tensor : found->second;
    std::vector<std::string_view> known;
    for (const auto& [one, kind] : names_.kinds) known.push_back(one);
    add(node, fmt::format("there is no '{}'", node.text), fmt::format("one of: {}", fmt::join(known, ", ")), node.text,
        nearest_of(node.text, known));
    return Kind::any;
  }

  Kind alike(std::uint32_t a, std::uint32_t b) {
    const Kind x = check(a), y = check(b);
    if (x == Kind::any) return y;
    want(b, y, x);
    return x;
  }

  Kind arithmetic(const Node& node) {
    const std::uint32_t a = node.operands.front(), b = node.operands.back();
    switch (node.op) {
      case Op::any:
      case Op::all:
      case Op::negation:
        for (const std::uint32_t operand : node.operands) want(operand, check(operand), Kind::boolean);
        return Kind::boolean;
      case Op::contains: {
        const Kind kind = check(a);
        if (kind != Kind::text) want(a, kind, Kind::number);
        want(b, check(b), Kind::list);
        return Kind::boolean;
      }
      case Op::equal:
      case Op::unequal: {
        const Kind kind = alike(a, b);
        if (kind == Kind::tensor || kind == Kind::tensors || kind == Kind::list) want(a, kind, Kind::number);
        return Kind::boolean;
      }
      case Op::less:
      case Op::less_equal:
      case Op::greater:
      case Op::greater_equal:
        for (const std::uint32_t operand : node.operands) want(operand, check(operand), Kind::number);
        return Kind::boolean;
      default:
        for (const std::uint32_t operand : node.operands) want(operand, check(operand), Kind::number);
        return Kind::number;
    }
  }

  Kind call(const Node& node) {
    if (is_special(node.text)) return special(node);
    const Function* function = find_function(node.text);
    const bool about_tensors =
        function != nullptr && (function->result == Kind::tensor || function->arguments.find('t') != std::string::npos);
    if (function == nullptr || (about_tensors && !names_.makes_tensors)) {
      std::vector<std::string_view> known;
      for (const Function& one : all_functions())
        if (names_.makes_tensors || (one.result == Kind::number && one.arguments.find('t') == std::string::npos))
          known.push_back(one.name);
      for (const char* one : {"element", "each", "present"})
        if (names_.makes_tensors || one == std::string_view("element")) known.push_back(one);
      add(node, fmt::format("there is no function '{}'{}", node.text, function != nullptr ? " here" : ""),
          fmt::format("one of: {}", fmt::join(known, ", ")), node.text, nearest_of(node.text, known));
      for (const std::uint32_t operand : node.operands) (void)check(operand);
      return Kind::any;
    }
    arguments(node, *function);
    return function->result;
  }

  void arguments(const Node& node, const Function& function) {
    const std::string_view letters = function.arguments;
    const bool variadic = letters.back() == '*';
    const std::size_t n = node.operands.size();
    if (variadic ? n < letters.size() : n != letters.size())
      add(node, fmt::format("'{}' has the wrong number of arguments", node.text), std::string(function.shown),
          fmt::format("{} argument{}", n, n == 1 ? "" : "s"));
    for (std::size_t i = 0; i < n; ++i) {
      const Kind kind = check(node.operands[i]);
      const char letter = i < letters.size() ? letters[i] : variadic ? '*' : 'c';
      if (letter == '*') {
        if (kind != Kind::tensors) want(node.operands[i], kind, Kind::tensor);
      } else if (letter == 'c') {
        if (i < letters.size() && kind != Kind::tensors) want(node.operands[i], kind, Kind::list);
      } else {
        want(node.operands[i], kind, argument_kind(letter));
      }
      if (letter == 'd') check_dtype(tree_.nodes[node.operands[i]]);
    }
  }

  void check_dtype(const Node& node) {
    if (node.op != Op::text) return;
    for (const DTypeInfo& one : all_dtypes())
      if (one.name == node.text) return;
    add(node, "there is no such dtype", "a name like F32 or BF16", node.text);
    faults_.back().code = Errc::unknown_dtype;
  }

  bool has_arguments(const Node& node, std::size_t n, std::string_view shown) {
    if (node.operands.size() == n) return true;
    add(node, fmt::format("'{}' has the wrong number of arguments", node.text), std::string(shown),
        fmt::format("{} argument{}", node.operands.size(), node.operands.size() == 1 ? "" : "s"));
    return false;
  }

  Kind special(const Node& node) {
    if (node.text == "element") {
      if (!has_arguments(node, 2, "element(list, i)")) return Kind::any;
      want(node.operands[1], check(node.operands[1]), Kind::number);
      const Kind kind = check(node.operands[0]);
      if (kind == Kind::tensors) return Kind::tensor;
      want(node.operands[0], kind, Kind::list);
      return Kind::any;
    }
    if (!names_.makes_tensors) {
      add(node, fmt::format("there is no function '{}' here", node.text), "a formula of numbers", node.text);
      return Kind::any;
    }
    if (node.text == "present") {
      if (!has_arguments(node, 1, "present(dependency)")) return Kind::boolean;
      const Node& asked = tree_.nodes[node.operands[0]];
      if (asked.op != Op::name ||
          std::find(names_.optionals.begin(), names_.optionals.end(), asked.text) == names_.optionals.end())
        add(asked, "present() asks for an optional dependency",
            names_.optionals.empty() ? std::string("there is none here")
                                     : fmt::format("one of: {}", fmt::join(names_.optionals, ", ")),
            asked.text);
      return Kind::boolean;
    }
    if (!has_arguments(node, 1, "each(recipe of lists)")) return Kind::tensors;
    if (in_each_) add(node, "each() within each()", "one each() around all", "two");
    const bool outer = std::exchange(in_each_, true);
    want(node.operands[0], check(node.operands[0]), Kind::tensor);
    in_each_ = outer;
    if (!mentions_list(node.operands[0]))
      add(node, "each() is about no list", "a recipe that uses a list of dependencies", "none in it");
    return Kind::tensors;
  }

  bool mentions_list(std::uint32_t index) const {
    const Node& node = tree_.nodes[index];
    if (node.op == Op::name) {
      const auto found = names_.kinds.find(node.text);
      return found != names_.kinds.end() && found->second == Kind::tensors;
    }
    return std::any_of(node.operands.begin(), node.operands.end(),
                       [this](std::uint32_t operand) { return mentions_list(operand); });
  }

  const Tree& tree_;
  const Names& names_;
  std::vector<Fault>& faults_;
  bool in_each_ = false;
};

}  // namespace

void check(const Tree& tree, const Names& names, Kind wanted, std::vector<Fault>& faults) {
  Checker checker(tree, names, faults);
  const auto root = static_cast<std::uint32_t>(tree.nodes.size() - 1);
  checker.want(root, checker.check(root), wanted);
}

std::optional<Tree> compile(std::string_view text, const Names& names, Kind wanted, std::vector<Fault>& faults) {
  const std::size_t before = faults.size();
  std::optional<Tree> tree = parse(text, faults);
  if (tree) check(*tree, names, wanted, faults);
  if (faults.size() != before) return std::nullopt;
  return tree;
}

}  // namespace ballast::formula
