// A schema file is untrusted: what it can ask for is bounded, and no text makes more than an error.
#include <chrono>
#include <random>

#include "ballast/load.hpp"
#include "schema_file/files.hpp"

namespace ballast::test {
namespace {

std::string joined(std::size_t n, const std::function<std::string(std::size_t)>& part) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text += (i == 0 ? "" : ", ") + part(i);
  return text;
}

TEST(SchemaLimits, SizesAreBounded) {
  EXPECT_TRUE(has_fault(error_of_file(std::string(2 << 20, ' ')), Errc::limit_exceeded, {"too large"}));
  const auto weights = joined(300, [](std::size_t i) { return fmt::format(R"("w{}": "Weight")", i); });
  EXPECT_TRUE(has_fault(error_of_file(with(R"({"emb": "Weight"})", "{" + weights + "}")), Errc::limit_exceeded,
                        {"an object has too many members", "containers.Rest.parameters"}));
  const auto rules =
      joined(1100, [](std::size_t i) { return fmt::format(R"({{"from": "a{}", "to": "emb.params"}})", i); });
  EXPECT_TRUE(has_fault(error_of_file(with(R"({"from": "emb.weight", "to": "emb.params"})", rules)),
                        Errc::limit_exceeded, {"an array is too long", "containers.Rest.rules"}));
  const auto names = joined(100, [](std::size_t i) { return fmt::format("\"a{}\"", i); });
  EXPECT_TRUE(has_fault(error_of_file(with(R"(["tiny"])", "[" + names + "]")), Errc::limit_exceeded));
}

// As many rules as may be, all of them wrong: still quick.
TEST(SchemaLimits, TheDefinitionRulesTakeBoundedTime) {
  const auto weights = joined(250, [](std::size_t i) { return fmt::format(R"("w{}": "Weight")", i); });
  const auto rules = joined(1000, [](std::size_t i) {
    return fmt::format(R"({{"from": ["*.a{}", "b{}"], "to": "w{}.params"}})", i, i, i % 250);
  });
  std::string text = with(R"({"emb": "Weight"})", "{" + weights + "}");
  text = with(R"({"from": "emb.weight", "to": "emb.params"})", rules, text);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(has_fault(error_of_file(text), Errc::dependency_mapped_twice));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(SchemaLimits, LayersAreBounded) {
  const auto policy = parse_schema_file(
      with(R"("prefixes": ["h"],)", R"("prefixes": ["h"], "count": "n_layers * 1000000",)"), "my.json");
  ModelContext m;
  m.n_layers = 4;
  m.extra["n_dense"] = 0;
  EXPECT_TRUE(fails_with([&] { (void)policy->container_map(m); }, Errc::limit_exceeded, {"too many layers"}));
}

// Whatever becomes of a byte, the file is read or refused.
TEST(SchemaLimits, DamagedFilesAreReadOrRefused) {
  std::mt19937 random(20'261'201);
  std::size_t refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text(kSound);
    for (int changes = 0; changes < 3; ++changes) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0)
        text.erase(at, 1 + random() % 5);
      else if (random() % 2 == 0)
        text.insert(at, 1, "{}[]\",:.*?0a'()!"[random() % 16]);
      else
        text[at] = static_cast<char>(random() % 256);
    }
    try {
      (void)parse_schema_file(text, "damaged.json");
    } catch (const Error& error) {
      ++refused;
      ASSERT_FALSE(error.diagnostics().empty());
    }
  }
  EXPECT_GT(refused, 1000U);
}

}  // namespace
}  // namespace ballast::test
