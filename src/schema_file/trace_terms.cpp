#include "schema_file/trace_terms.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ballast/error.hpp"
#include "recipe/traced.hpp"

namespace ballast::schema_file {

namespace {

using Kind = Term::Kind;

[[noreturn]] void refuse(std::string what, std::string cause) {
  throw Error(Diagnostic{.code = Errc::invalid_argument,
                         .what = std::move(what),
                         .operation = "write formula",
                         .cause = std::move(cause)});
}

Term simple(Kind kind, std::string name = {}) {
  Term term;
  term.kind = kind;
  term.name = std::move(name);
  return term;
}

Term of_numbers(Kind kind, std::vector<std::uint64_t> numbers) {
  Term term = simple(kind);
  term.numbers = std::move(numbers);
  return term;
}

// Whether `b` is what `a` is for element 0 of its lists, for element `i`.
bool is_for_element(const Term& a, const Term& b, std::uint64_t i, bool& has_list) {
  if (a.kind != b.kind || a.name != b.name || a.numbers != b.numbers || a.dtype != b.dtype ||
      a.arguments.size() != b.arguments.size() || a.element.has_value() != b.element.has_value())
    return false;
  if (a.element) {
    has_list = true;
    if (*a.element != 0 || *b.element != i) return false;
  }
  for (std::size_t k = 0; k < a.arguments.size(); ++k)
    if (!is_for_element(a.arguments[k], b.arguments[k], i, has_list)) return false;
  return true;
}

// The size of the lists whose element 0 is in a term; 0 where there is none.
std::size_t list_size(const Term& term, const std::map<std::string, std::size_t>& lengths) {
  if (term.element) {
    const auto found = lengths.find(term.name);
    return *term.element == 0 && found != lengths.end() ? found->second : 0;
  }
  for (const Term& argument : term.arguments)
    if (const std::size_t size = list_size(argument, lengths); size != 0) return size;
  return 0;
}

void forget_elements(Term& term) {
  if (term.element) {
    term.element.reset();
    term.kind = Kind::list;
  }
  for (Term& argument : term.arguments) forget_elements(argument);
}

// Runs of one recipe for each element of a list, in order, become one.
std::vector<Term> with_lists(std::vector<Term> all, const std::map<std::string, std::size_t>& lengths) {
  std::vector<Term> result;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t size = list_size(all[at], lengths);
    bool matches = size != 0 && at + size <= all.size();
    bool has_list = false;
    for (std::size_t i = 0; matches && i < size; ++i) matches = is_for_element(all[at], all[at + i], i, has_list);
    if (!matches || !has_list) {
      result.push_back(std::move(all[at++]));
      continue;
    }
    Term one = std::move(all[at]);
    forget_elements(one);
    if (one.kind != Kind::list) {
      Term loop = simple(Kind::each);
      loop.arguments.push_back(std::move(one));
      one = std::move(loop);
    }
    result.push_back(std::move(one));
    at += size;
  }
  return result;
}

class TermMaker {
 public:
  explicit TermMaker(const std::map<std::string, std::size_t>& lengths) : lengths_(lengths) {}

  Term make(const detail::RecipeNode& node) {
    if (node.kind == detail::RecipeKind::nothing) return simple(Kind::call, "nothing");
    const recipe::CallNode* call = recipe::as_call(node);
    if (call == nullptr) refuse("a recipe has a part that was made without its dependencies", "");
    if (call->name == "custom") refuse("the recipe has a custom operation", "a formula cannot call C++");
    Term term = simple(call->is_symbol ? Kind::symbol : Kind::call, call->name);
    if (call->list_element) term.element = *call->list_element;
    term.extents.assign(node.spec.shape.begin(), node.spec.shape.end());
    for (const recipe::CallArgument& argument : call->arguments) term.arguments.push_back(std::visit(*this, argument));
    return term;
  }

  Term operator()(const Recipe& x) { return make(*x.node()); }
  Term operator()(const std::vector<Recipe>& all) {
    Term term = simple(Kind::tensors);
    for (const Recipe& x : all) term.arguments.push_back(make(*x.node()));
    term.arguments = with_lists(std::move(term.arguments), lengths_);
    return term;
  }
  Term operator()(std::uint64_t number) const { return of_numbers(Kind::number, {number}); }
  Term operator()(const std::vector<std::uint64_t>& numbers) const { return of_numbers(Kind::numbers, numbers); }
  Term operator()(DType dtype) const {
    Term term = simple(Kind::dtype);
    term.dtype = dtype;
    return term;
  }

 private:
  const std::map<std::string, std::size_t>& lengths_;
};

}  // namespace

bool operator==(const Term& a, const Term& b) {
  return a.kind == b.kind && a.name == b.name && a.element == b.element && a.numbers == b.numbers &&
         a.dtype == b.dtype && a.arguments == b.arguments;
}

bool same_structure(const Term& a, const Term& b) {
  if (a.kind != b.kind || a.name != b.name || a.element.has_value() != b.element.has_value() ||
      a.numbers.size() != b.numbers.size() || a.arguments.size() != b.arguments.size())
    return false;
  for (std::size_t i = 0; i < a.arguments.size(); ++i)
    if (!same_structure(a.arguments[i], b.arguments[i])) return false;
  return true;
}

Term term_of(const Recipe& recipe, const std::map<std::string, std::size_t>& lengths) {
  TermMaker maker(lengths);
  Term term = maker.make(*recipe.node());
  for (const auto& [name, aux] : recipe.aux()) {
    Term with = simple(Kind::call, "with_aux");
    with.arguments.push_back(std::move(term));
    with.arguments.push_back(simple(Kind::text, name));
    with.arguments.push_back(maker.make(*aux.node()));
    term = std::move(with);
  }
  return term;
}

std::string TermPrinter::number(const Values& values) {
  if (auto text = numbers_.find(values)) return *text;
  for (const auto& [known, text] : extents_) {
    if (known == values) return text;
    for (const std::uint64_t c : {2U, 3U, 4U, 8U}) {
      Values times = known, over = known;
      for (std::uint64_t& one : times) one *= c;
      for (std::uint64_t& one : over) one /= c;
      if (times == values) return fmt::format("{} * {}", text, c);
      if (over == values) return fmt::format("{} / {}", text, c);
    }
  }
  refuse("the recipe has a number that is no simple formula of the model's numbers and the shapes of its dependencies",
         "a number from elsewhere, or a branch on one");
}

void TermPrinter::learn_extents(const std::array<const Term*, kModels>& terms, const std::string& text) {
  std::size_t rank = terms[0]->extents.size();
  for (const Term* term : terms) rank = std::min(rank, term->extents.size());
  for (std::size_t axis = 0; axis < rank; ++axis) {
    Values values{};
    for (std::size_t m = 0; m < kModels; ++m) values[m] = terms[m]->extents[axis];
    extents_.emplace_back(values, fmt::format("extent({}, {})", text, axis));
  }
}

std::string TermPrinter::arguments(const std::array<const Term*, kModels>& terms) {
  std::string text;
  for (std::size_t i = 0; i < terms[0]->arguments.size(); ++i) {
    std::array<const Term*, kModels> each{};
    for (std::size_t m = 0; m < kModels; ++m) each[m] = &terms[m]->arguments[i];
    text += (i == 0 ? "" : ", ") + print(each);
  }
  return text;
}

std::string TermPrinter::print(const std::array<const Term*, kModels>& terms) {
  const Term& first = *terms[0];
  const auto values = [&](auto get) {
    Values all{};
    for (std::size_t m = 0; m < kModels; ++m) all[m] = get(*terms[m]);
    return all;
  };
  switch (first.kind) {
    case Kind::number:
      return number(values([](const Term& term) { return term.numbers[0]; }));
    case Kind::numbers: {
      std::string text;
      for (std::size_t i = 0; i < first.numbers.size(); ++i)
        text += (i == 0 ? "" : ", ") + number(values([i](const Term& term) { return term.numbers[i]; }));
      return fmt::format("[{}]", text);
    }
    case Kind::dtype: {
      bool same = true, as_operands = true;
      for (std::size_t m = 0; m < kModels; ++m) {
        same = same && terms[m]->dtype == first.dtype;
        as_operands = as_operands && terms[m]->dtype == dtypes_[m];
      }
      if (!same && !as_operands)
        refuse("the recipe has a dtype that is none of its dependencies'", "ModelContext::dtype?");
      return same ? fmt::format("'{}'", name(first.dtype)) : dtype_of_;
    }
    case Kind::text:
      return fmt::format("'{}'", first.name);
    case Kind::list:
      return first.name;
    case Kind::tensors:
      return arguments(terms);
    case Kind::each:
      return fmt::format("each({})", arguments(terms));
    case Kind::symbol:
      if (!first.element) return first.name;
      return fmt::format("element({}, {})", first.name, number(values([](const Term& term) { return *term.element; })));
    case Kind::call:
      break;
  }
  if (first.name == "nothing") return first.name;
  std::string text = fmt::format("{}({})", first.name, arguments(terms));
  learn_extents(terms, text);
  return text;
}

}  // namespace ballast::schema_file
