#include "formula/tree.hpp"

#include <fmt/format.h>

#include <charconv>

namespace ballast::formula {

namespace {

class TreeSink {
 public:
  TreeSink(Tree& tree, std::vector<Fault>& faults) : tree_(tree), faults_(faults) {}

  void emit(Op op, std::size_t position, std::string_view text, std::size_t n_operands) {
    if (tree_.nodes.size() == kMostNodes) {
      if (!too_many_) add_fault(position, "the formula has too many parts", fmt::format("at most {}", kMostNodes), "");
      too_many_ = true;
    }
    if (too_many_) return;
    Node node;
    node.op = op;
    node.position = static_cast<std::uint32_t>(position);
    node.text = text;
    if (op == Op::number) {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), node.number);
      if (error != std::errc()) add_fault(position, "the number is too large", "one below 2^64", std::string(text));
    }
    node.operands.assign(stack_.end() - static_cast<std::ptrdiff_t>(n_operands), stack_.end());
    stack_.resize(stack_.size() - n_operands);
    stack_.push_back(static_cast<std::uint32_t>(tree_.nodes.size()));
    tree_.nodes.push_back(std::move(node));
  }

 private:
  void add_fault(std::size_t position, std::string what, std::string expected, std::string got) {
    faults_.push_back({position, std::move(what), std::move(expected), std::move(got)});
  }

  Tree& tree_;
  std::vector<Fault>& faults_;
  std::vector<std::uint32_t> stack_;
  bool too_many_ = false;
};

}  // namespace

std::optional<Tree> parse(std::string_view text, std::vector<Fault>& faults) {
  const std::size_t before = faults.size();
  if (text.size() > kMostBytes) {
    faults.push_back({0, "the formula is too long", fmt::format("at most {} characters", kMostBytes),
                      std::to_string(text.size()), "", Errc::limit_exceeded});
    return std::nullopt;
  }
  Tree tree;
  tree.text = text;
  TreeSink sink(tree, faults);
  detail::FormulaSyntax syntax(tree.text, sink);
  if (!syntax.parse() && faults.size() == before) {
    const std::size_t at = syntax.fault_position();
    faults.push_back({at, "the formula cannot be read", std::string(syntax.expected()),
                      at < text.size() ? fmt::format("'{}'", text.substr(at, 20)) : std::string("its end")});
  }
  if (faults.size() != before) return std::nullopt;
  return tree;
}

Diagnostic to_diagnostic(const Fault& fault, std::string_view formula) {
  Diagnostic d;
  d.code = fault.code;
  d.operation = "formula";
  d.what = fault.what;
  d.place = fmt::format("character {} of \"{}\"", fault.position + 1, formula);
  d.expected = fault.expected;
  d.got = fault.got;
  d.nearest = fault.nearest;
  return d;
}

}  // namespace ballast::formula
