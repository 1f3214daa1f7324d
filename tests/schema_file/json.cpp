// The JSON of schema files: what is read, and what is said of what cannot be.
#include "schema_file/json.hpp"

#include "schema_file/files.hpp"

namespace ballast::test {
namespace {

using schema_file::Json;

testing::AssertionResult refuses(const std::string& text, Errc code, std::string_view what, std::string_view place) {
  const auto error = error_of([&] { (void)schema_file::parse_json(text, "my.json"); });
  if (!error) return testing::AssertionFailure() << "is read";
  const Diagnostic& d = error->diagnostics().front();
  if (d.code == code && d.what == what && d.place == place && d.file == "my.json") return testing::AssertionSuccess();
  return testing::AssertionFailure() << error->what();
}

TEST(SchemaJson, ReadsAllKindsOfValues) {
  const Json json = schema_file::parse_json("\n {\"a\": [1, -2.5e3, true, false, null, \"x\"], \"b\": {}}\r\n", "");
  const Json::Array& a = *json.find("a")->array();
  ASSERT_EQ(a.size(), 6U);
  EXPECT_EQ(std::get<Json::Number>(a[0].value).text, "1");
  EXPECT_EQ(std::get<Json::Number>(a[1].value).text, "-2.5e3");
  EXPECT_TRUE(std::get<bool>(a[2].value));
  EXPECT_FALSE(std::get<bool>(a[3].value));
  EXPECT_TRUE(std::holds_alternative<std::monostate>(a[4].value));
  EXPECT_EQ(*a[5].string(), "x");
  EXPECT_EQ(a[5].offset, 39U);
  EXPECT_TRUE(json.find("b")->object()->empty());
}

TEST(SchemaJson, ReadsEscapes) {
  EXPECT_EQ(*schema_file::parse_json(R"("\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00")", "").string(),
            "\"\\/\b\f\n\r\tA\u00e9\u20ac\U0001F600");
}

TEST(SchemaJson, SaysWhereItCannotBeRead) {
  constexpr Errc kInvalid = Errc::schema_invalid;
  EXPECT_TRUE(refuses("", kInvalid, "the file is empty", "line 1, column 1"));
  EXPECT_TRUE(refuses("{\n  \"a\": 1,\n}", kInvalid, "a comma has nothing after it", "line 3, column 1"));
  EXPECT_TRUE(refuses("[1 2]", kInvalid, "the JSON cannot be read", "line 1, column 4"));
  EXPECT_TRUE(refuses("[1", kInvalid, "the JSON cannot be read", "line 1, column 3"));
  EXPECT_TRUE(refuses("{\"a\" 1}", kInvalid, "a key has no value", "line 1, column 6"));
  EXPECT_TRUE(refuses("{a: 1}", kInvalid, "an object lacks a key", "line 1, column 2"));
  EXPECT_TRUE(refuses("{}\n{}", kInvalid, "there is text after the end of the JSON", "line 2, column 1"));
  EXPECT_TRUE(refuses("\"abc", kInvalid, "a text has no end", "line 1, column 1"));
  EXPECT_TRUE(refuses("\"a\tb\"", kInvalid, "a control character in a text", "line 1, column 3"));
  EXPECT_TRUE(refuses(R"("\x")", kInvalid, "there is no such escape", "line 1, column 2"));
  EXPECT_TRUE(refuses(R"("\u12g4")", kInvalid, "an escape is cut short", "line 1, column 2"));
  EXPECT_TRUE(refuses(R"("\ud800")", kInvalid, "half a surrogate pair", "line 1, column 2"));
  EXPECT_TRUE(refuses(R"("\ud800\u0041")", kInvalid, "half a surrogate pair", "line 1, column 2"));
  EXPECT_TRUE(refuses("012", kInvalid, "a number starts with 0", "line 1, column 1"));
  EXPECT_TRUE(refuses("nul", kInvalid, "the JSON cannot be read", "line 1, column 1"));
  EXPECT_TRUE(refuses("\"\xff\"", kInvalid, "the file is not UTF-8", "line 1, column 2"));
}

TEST(SchemaJson, RefusesAKeyTwice) {
  EXPECT_TRUE(refuses("{\"a\": 1, \"a\": 2}", Errc::duplicate_key, "the key 'a' stands twice in one object",
                      "line 1, column 10"));
}

TEST(SchemaJson, NestingIsBounded) {
  EXPECT_TRUE(
      refuses(std::string(100'000, '['), Errc::limit_exceeded, "the JSON is nested too deeply", "line 1, column 34"));
}

TEST(SchemaJson, FindsCharactersBehindEscapes) {
  const std::string text = R"(  "a\u0041\n+b")";
  EXPECT_EQ(text[schema_file::offset_in_string(text, 2, 0)], 'a');
  EXPECT_EQ(text[schema_file::offset_in_string(text, 2, 3)], '+');
  EXPECT_EQ(text[schema_file::offset_in_string(text, 2, 4)], 'b');
  EXPECT_LE(schema_file::offset_in_string(text, 2, 1000), text.size());
}

}  // namespace
}  // namespace ballast::test
