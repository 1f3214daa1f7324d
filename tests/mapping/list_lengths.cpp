#include <gtest/gtest.h>

#include "mapping/schemas.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

ModelContext context() {
  ModelContext m;
  m.n_experts = 8;
  m.extra["n_shared"] = 2;
  return m;
}

TEST(ListLength, ComesFromANumberOfTheContextByName) {
  EXPECT_EQ(list_length(list("experts", "n_experts"), context()), 8U);
  EXPECT_EQ(list_length(list("experts", "n_shared"), context()), 2U);
}

TEST(ListLength, ComesFromAFunctionWhereThereIsOne) {
  DependencySchema dependency = list("experts", "twice the experts");
  dependency.length = [](const ModelContext& m) { return 2 * m.n_experts; };
  EXPECT_EQ(list_length(dependency, context()), 16U);
}

TEST(ListLength, MayBeZero) { EXPECT_EQ(list_length(list("experts"), ModelContext()), 0U); }

TEST(ListLength, UnknownNameIsNamed) {
  EXPECT_TRUE(fails_with([] { (void)list_length(list("experts", "n_expertz"), context()); }, Errc::unknown_list_length,
                         {"'experts'", "'n_expertz'", "got:      n_expertz"}));
  EXPECT_TRUE(fails_with([] { (void)list_length(list("experts", ""), context()); }, Errc::unknown_list_length));
}

TEST(ListLength, IsLimited) {
  ModelContext m = context();
  m.n_experts = 65'536;
  EXPECT_EQ(list_length(list("experts"), m), 65'536U);
  m.n_experts = 65'537;
  EXPECT_TRUE(fails_with([&] { (void)list_length(list("experts"), m); }, Errc::limit_exceeded,
                         {"'experts' is too long", "at most 65536 elements", "got:      65537 (n_experts)"}));
}

}  // namespace
}  // namespace ballast::test
