// The table of functions has all that recipes are made of, and each can be written down as itself.
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "formula/functions.hpp"
#include "recipe/traced.hpp"

namespace ballast::test {
namespace {

std::string header(const std::string& name) {
  std::ifstream file(std::string(BALLAST_FIXTURES "/../../include/ballast/") + name);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Names of functions that give a Recipe.
std::set<std::string> recipe_functions(const std::string& text) {
  static const std::regex pattern(R"(\[\[nodiscard\]\] Recipe ([a-z_0-9]+)\()");
  std::set<std::string> names;
  for (auto at = std::sregex_iterator(text.begin(), text.end(), pattern); at != std::sregex_iterator(); ++at)
    names.insert((*at)[1]);
  return names;
}

TEST(Functions, EveryTransformOfTheContextIsThere) {
  const std::set<std::string> names = recipe_functions(header("model_context.hpp"));
  ASSERT_GE(names.size(), 16U);
  for (const std::string& name : names) EXPECT_NE(formula::find_function(name), nullptr) << name;
}

TEST(Functions, EveryOperationIsThereButCustom) {
  std::set<std::string> names = recipe_functions(header("recipe.hpp"));
  ASSERT_EQ(names.erase("custom"), 1U);
  ASSERT_GE(names.size(), 10U);
  for (const std::string& name : names) EXPECT_NE(formula::find_function(name), nullptr) << name;
}

// On symbols, a function is written down and not done: under its own name, with its arguments.
TEST(Functions, EachIsWrittenDownAsItself) {
  ModelContext m;
  m.tp_size = 4;
  m.tp_rank = 1;
  for (const formula::Function& function : formula::all_functions()) {
    if (function.result != formula::Kind::tensor || function.name == "with_aux") continue;
    SCOPED_TRACE(function.name);
    auto extents = std::make_shared<recipe::Extents>([](std::size_t i) { return 1000 + i; });
    const Recipe x = recipe::symbol("x", std::nullopt, DType::F32, 3, extents);
    std::vector<formula::Value> arguments;
    for (const char letter : function.arguments) {
      if (letter == 't') arguments.emplace_back(x);
      if (letter == 'n') arguments.emplace_back(std::uint64_t{2});
      if (letter == 'l') arguments.emplace_back(formula::List{std::uint64_t{2}, std::uint64_t{1}, std::uint64_t{0}});
      if (letter == 'd') arguments.emplace_back(std::string("BF16"));
      if (letter == '*') arguments.emplace_back(formula::Tensors{x, x});
    }
    const Recipe result = std::get<Recipe>(function.call(m, arguments));
    const recipe::CallNode* call = recipe::as_call(*result.node());
    ASSERT_NE(call, nullptr);
    EXPECT_EQ(call->name, function.name);
    EXPECT_EQ(call->arguments.size(), arguments.size());
  }
}

TEST(Functions, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const formula::Function& function : formula::all_functions()) EXPECT_TRUE(names.insert(function.name).second);
}

}  // namespace
}  // namespace ballast::test
