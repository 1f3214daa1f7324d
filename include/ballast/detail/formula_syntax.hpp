// The grammar of formulas (docs/schema-files.md), once: formulas in headers are read by it while they compile, those of
// schema files when they are loaded.
//
//   from_gguf ? transform_norm(params) : config.n_inner ?? 4 * model_dim
//
// What is read is handed to a sink in postfix order: sink.emit(op, position, text, n_operands).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ballast::detail {

enum class FormulaOp : std::uint8_t {
  number,
  text,  // 'silu'
  name,
  path,  // config.a.b, gguf.a.b
  list,  // [1, 2]
  call,
  conditional,
  coalesce,
  any,
  all,
  negation,
  equal,
  unequal,
  less,
  less_equal,
  greater,
  greater_equal,
  contains,
  add,
  subtract,
  multiply,
  divide,
  remainder,
};

template <class Sink>
class FormulaSyntax {
 public:
  static constexpr std::size_t kMostDepth = 64;

  constexpr FormulaSyntax(std::string_view formula, Sink& sink) : formula_(formula), sink_(sink) { advance(); }

  // False where the text is no formula: `fault_position` and `expected` say what is wrong with it.
  constexpr bool parse() { return expression() && (token_.kind == TokenKind::end || fail("an operator, or the end")); }
  [[nodiscard]] constexpr std::size_t fault_position() const noexcept { return fault_position_; }
  [[nodiscard]] constexpr std::string_view expected() const noexcept { return expected_; }

 private:
  enum class TokenKind : std::uint8_t { end, number, text, name, symbol };
  struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text;
    std::size_t position = 0;
  };
  struct Operator {
    std::string_view text;
    int level;
    FormulaOp op;
  };
  // All associate to the left.
  static constexpr int kLevels = 6;
  static constexpr std::array<Operator, 15> kOperators{{{"??", 0, FormulaOp::coalesce},
                                                        {"||", 1, FormulaOp::any},
                                                        {"&&", 2, FormulaOp::all},
                                                        {"==", 3, FormulaOp::equal},
                                                        {"!=", 3, FormulaOp::unequal},
                                                        {"<", 3, FormulaOp::less},
                                                        {"<=", 3, FormulaOp::less_equal},
                                                        {">", 3, FormulaOp::greater},
                                                        {">=", 3, FormulaOp::greater_equal},
                                                        {"in", 3, FormulaOp::contains},
                                                        {"+", 4, FormulaOp::add},
                                                        {"-", 4, FormulaOp::subtract},
                                                        {"*", 5, FormulaOp::multiply},
                                                        {"/", 5, FormulaOp::divide},
                                                        {"%", 5, FormulaOp::remainder}}};

  static constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
  static constexpr bool is_letter(char c) noexcept {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }

  constexpr bool fail(std::string_view expected) {
    if (expected_.empty()) {
      expected_ = expected;
      fault_position_ = token_.position;
    }
    return false;
  }

  constexpr void advance() {
    while (at_ < formula_.size() && (formula_[at_] == ' ' || formula_[at_] == '\n' || formula_[at_] == '\t')) ++at_;
    const std::size_t begin = at_;
    token_ = {TokenKind::end, {}, begin};
    if (at_ == formula_.size()) return;
    const char c = formula_[at_];
    if (is_digit(c)) {
      token_.kind = TokenKind::number;
      while (at_ < formula_.size() && (is_digit(formula_[at_]) || is_letter(formula_[at_]))) ++at_;
    } else if (is_letter(c)) {
      token_.kind = TokenKind::name;
      while (at_ < formula_.size() && (is_digit(formula_[at_]) || is_letter(formula_[at_]) || formula_[at_] == '.'))
        ++at_;
    } else if (c == '\'' || c == '"') {
      token_.kind = TokenKind::text;
      const std::size_t end = formula_.find(c, at_ + 1);
      if (end == std::string_view::npos) {
        at_ = formula_.size();
        (void)fail("a closing quote");
        return;
      }
      at_ = end + 1;
      token_.text = formula_.substr(begin + 1, end - begin - 1);
      return;
    } else {
      token_.kind = TokenKind::symbol;
      const std::string_view two = formula_.substr(at_, 2);
      const bool pair =
          two == "??" || two == "||" || two == "&&" || two == "==" || two == "!=" || two == "<=" || two == ">=";
      at_ += pair ? 2 : 1;
    }
    token_.text = formula_.substr(begin, at_ - begin);
  }

  [[nodiscard]] constexpr bool is(std::string_view symbol) const noexcept {
    return token_.kind == TokenKind::symbol && token_.text == symbol;
  }
  constexpr bool expect(std::string_view symbol, std::string_view expected) {
    if (!is(symbol)) return fail(expected);
    advance();
    return true;
  }

  constexpr bool expression() {
    if (++depth_ > kMostDepth) return fail("less nesting");
    const bool good = conditional();
    --depth_;
    return good;
  }

  constexpr bool conditional() {
    if (!binary(0)) return false;
    if (!is("?")) return true;
    const std::size_t position = token_.position;
    advance();
    if (!expression() || !expect(":", "':' and what counts otherwise") || !expression()) return false;
    sink_.emit(FormulaOp::conditional, position, "?", 3);
    return true;
  }

  // Its index, and not a pointer: with -fsanitize=undefined gcc tests no pointer for null in a constant expression.
  constexpr std::size_t operator_at(int level) const noexcept {
    if (token_.kind != TokenKind::symbol && token_.kind != TokenKind::name) return kOperators.size();
    std::size_t i = 0;
    while (i < kOperators.size() && (kOperators[i].level != level || kOperators[i].text != token_.text)) ++i;
    return i;
  }

  constexpr bool binary(int level) {
    if (level == kLevels) return unary();
    if (!binary(level + 1)) return false;
    for (std::size_t i = operator_at(level); i < kOperators.size(); i = operator_at(level)) {
      const std::size_t position = token_.position;
      advance();
      if (!binary(level + 1)) return false;
      sink_.emit(kOperators[i].op, position, kOperators[i].text, 2);
    }
    return true;
  }

  constexpr bool unary() {
    if (!is("!")) return primary();
    const std::size_t position = token_.position;
    advance();
    if (++depth_ > kMostDepth) return fail("less nesting");
    const bool good = unary();
    --depth_;
    if (good) sink_.emit(FormulaOp::negation, position, "!", 1);
    return good;
  }

  constexpr bool primary() {
    const Token token = token_;
    if (is("(")) {
      advance();
      return expression() && expect(")", "')'");
    }
    if (is("[")) {
      advance();
      return elements(FormulaOp::list, token, "]", "',' or ']'");
    }
    if (token.kind == TokenKind::number) {
      for (const char c : token.text)
        if (!is_digit(c)) return fail("a whole number");
      sink_.emit(FormulaOp::number, token.position, token.text, 0);
    } else if (token.kind == TokenKind::text) {
      if (!expected_.empty()) return false;  // without its closing quote
      sink_.emit(FormulaOp::text, token.position, token.text, 0);
    } else if (token.kind == TokenKind::name) {
      return named(token);
    } else {
      return fail("a number, a name, a function or '('");
    }
    advance();
    return true;
  }

  constexpr bool named(const Token& token) {
    const std::string_view head = token.text.substr(0, token.text.find('.'));
    const bool is_path = head.size() != token.text.size();
    if (is_path && head != "config" && head != "gguf") return fail("a name without dots, or config... or gguf...");
    if (is_path && (token.text.back() == '.' || token.text.find("..") != std::string_view::npos))
      return fail("a key after each dot");
    advance();
    if (is_path || !is("(")) {
      sink_.emit(is_path ? FormulaOp::path : FormulaOp::name, token.position, token.text, 0);
      return true;
    }
    advance();
    return elements(FormulaOp::call, token, ")", "',' or ')'");
  }

  // What stands between brackets that have been opened.
  constexpr bool elements(FormulaOp op, const Token& token, std::string_view close, std::string_view expected) {
    std::size_t count = 0;
    while (!is(close)) {
      if (count != 0 && !expect(",", expected)) return false;
      if (!expression()) return false;
      ++count;
    }
    advance();
    sink_.emit(op, token.position, token.text, count);
    return true;
  }

  std::string_view formula_;
  Sink& sink_;
  std::size_t at_ = 0;
  Token token_;
  std::size_t depth_ = 0;
  std::size_t fault_position_ = 0;
  std::string_view expected_;
};

struct NoFormulaSink {
  constexpr void emit(FormulaOp, std::size_t, std::string_view, std::size_t) {}
};

// Not constexpr, so that calling it in a constant expression is an error that names it.
inline void this_is_not_a_formula() {}

}  // namespace ballast::detail

namespace ballast {

// A formula in a header. One that breaks the grammar does not compile; its names are looked up when it is used.
class FormulaText {
 public:
  consteval FormulaText(const char* text) : text_(text) {  // NOLINT(google-explicit-constructor): a formula is a text
    detail::NoFormulaSink sink;
    if (!detail::FormulaSyntax(text_, sink).parse()) detail::this_is_not_a_formula();
  }
  [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }

 private:
  std::string_view text_;
};

}  // namespace ballast
