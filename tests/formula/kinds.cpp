// Names, functions, arguments and kinds are checked before anything is evaluated, all of them together.
#include "formula/formulas.hpp"

namespace ballast::test {
namespace {

using formula::Kind;

formula::Names names() {
  formula::Names names;
  names.kinds = {{"n_heads", Kind::number}, {"from_gguf", Kind::boolean}, {"q_params", Kind::tensor},
                 {"bias", Kind::tensor},    {"experts", Kind::tensors},   {"dense_layers", Kind::list}};
  names.optionals = {"bias"};
  names.makes_tensors = true;
  return names;
}
std::string recipe(const std::string& text) { return faults_of(text, names(), Kind::tensor); }

TEST(Kinds, GoodRecipesPass) {
  for (const char* text :
       {"transform_norm(q_params)", "concat(0, q_params, bias)", "concat(0, experts, q_params)", "stack(0, experts)",
        "stack(1, each(transpose(experts, 0, 1)))", "from_gguf ? from_gguf_rope(q_params, n_heads) : q_params",
        "present(bias) ? concat(0, q_params, bias) : nothing", "reshape(q_params, [n_heads, extent(q_params, 0) / 2])",
        "cast(q_params, 'F32')", "cast(q_params, dtype(bias))", "slice(q_params, 0, 0, min(n_heads, 4))",
        "element(experts, length(experts) - 1)", "rank(q_params) == 1 ? q_params : transpose(q_params, 0, 1)",
        "with_aux(q_params, 'scale', bias)", "element(dense_layers, 0) == 3 ? q_params : bias"})
    EXPECT_EQ(recipe(text), "") << text;
}

TEST(Kinds, UnknownNamesHaveTheirNearest) {
  EXPECT_EQ(recipe("transform_norm(q_param)"),
            "16: there is no 'q_param' [one of: bias, dense_layers, experts, from_gguf, n_heads, q_params | q_param | "
            "q_params]\n");
  const std::string function = recipe("transform_nrom(q_params)");
  EXPECT_TRUE(function.starts_with("1: there is no function 'transform_nrom' [one of: transform_embedding"))
      << function;
  EXPECT_TRUE(function.ends_with("| transform_nrom | transform_norm]\n")) << function;
}

TEST(Kinds, ArgumentsAreCounted) {
  EXPECT_EQ(recipe("slice(q_params, 0, 1)"),
            "1: 'slice' has the wrong number of arguments [slice(x, axis, begin, end) | 3 arguments | ]\n");
  EXPECT_EQ(recipe("concat(0)"),
            "1: 'concat' has the wrong number of arguments [concat(axis, x, ...) | 1 argument | ]\n");
  EXPECT_EQ(recipe("stack(each(experts, experts))"),
            "1: 'stack' has the wrong number of arguments [stack(axis, x, ...) | 1 argument | ]\n"
            "7: 'each' has the wrong number of arguments [each(recipe of lists) | 2 arguments | ]\n"
            "7: a part of the formula is of the wrong kind [a number | a list of dependencies | ]\n");
}

TEST(Kinds, KindsAreChecked) {
  EXPECT_EQ(recipe("n_heads"), "1: a part of the formula is of the wrong kind [a recipe | a number | ]\n");
  EXPECT_EQ(recipe("transform_norm(experts)"),
            "16: a part of the formula is of the wrong kind [a recipe | a list of dependencies | ]\n");
  EXPECT_EQ(recipe("q_params + 1 == 2 ? bias : bias"),
            "1: a part of the formula is of the wrong kind [a number | a recipe | ]\n");
  EXPECT_EQ(recipe("n_heads ? q_params : bias"),
            "1: a part of the formula is of the wrong kind [a condition | a number | ]\n");
  EXPECT_EQ(recipe("from_gguf ? q_params : 1"),
            "24: a part of the formula is of the wrong kind [a recipe | a number | ]\n");
  EXPECT_EQ(recipe("cast(q_params, 'float33')"), "16: there is no such dtype [a name like F32 or BF16 | float33 | ]\n");
  EXPECT_EQ(recipe("n_heads in 3 ? bias : bias"),
            "12: a part of the formula is of the wrong kind [a list | a number | ]\n");
}

TEST(Kinds, AllFaultsTogether) {
  EXPECT_EQ(recipe("concat(x, y, from_gguf)"),
            "8: there is no 'x' [one of: bias, dense_layers, experts, from_gguf, n_heads, q_params | x | ]\n"
            "11: there is no 'y' [one of: bias, dense_layers, experts, from_gguf, n_heads, q_params | y | ]\n"
            "14: a part of the formula is of the wrong kind [a recipe | a condition | ]\n");
}

TEST(Kinds, PresentAndEachAskForWhatTheyAreFor) {
  EXPECT_EQ(recipe("present(q_params) ? q_params : nothing"),
            "9: present() asks for an optional dependency [one of: bias | q_params | ]\n");
  EXPECT_EQ(recipe("stack(0, each(q_params))"),
            "10: each() is about no list [a recipe that uses a list of dependencies | none in it | ]\n");
  EXPECT_EQ(recipe("stack(0, each(stack(0, each(experts))))"),
            "24: each() within each() [one each() around all | two | ]\n");
}

TEST(Kinds, FormulasOfNumbersHaveNoRecipes) {
  formula::Names numbers = names();
  numbers.makes_tensors = false;
  const std::string fault = faults_of("extent(q_params, 0)", numbers, Kind::number);
  EXPECT_TRUE(fault.starts_with("1: there is no function 'extent' here [one of: length, min, max, element")) << fault;
  EXPECT_EQ(
      faults_of("config.x", numbers, Kind::number),
      "1: 'config.x' cannot be read here [a number of the model; rules of 'context' read the config | config.x | ]\n");
}

}  // namespace
}  // namespace ballast::test
