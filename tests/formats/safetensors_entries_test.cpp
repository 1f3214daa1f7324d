// Entries that are JSON, but not what the format says.
#include <gtest/gtest.h>

#include "formats/parse.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

testing::AssertionResult refused(std::string_view json, Errc code, std::initializer_list<std::string_view> parts) {
  const auto error = error_of([&] { (void)parse_safetensors(json, 1); });
  if (error && error->total() != 1) return testing::AssertionFailure() << "more than one fault:\n" << error->what();
  return has_fault(error, code, parts);
}

TEST(SafetensorsEntries, ATensorIsAnObject) {
  EXPECT_TRUE(refused(R"({"a":[1]})", Errc::header_invalid, {"tensor \"a\"", "not an object", "a list"}));
  EXPECT_TRUE(refused(R"({"a":null})", Errc::header_invalid, {"not an object", "null"}));
}

TEST(SafetensorsEntries, EachFieldMustBeThere) {
  EXPECT_TRUE(refused(R"({"a":{"shape":[1],"data_offsets":[0,1]}})", Errc::header_invalid, {"has no dtype"}));
  EXPECT_TRUE(refused(R"({"a":{"dtype":"U8","data_offsets":[0,1]}})", Errc::header_invalid, {"has no shape"}));
  EXPECT_TRUE(refused(R"({"a":{"dtype":"U8","shape":[1]}})", Errc::header_invalid, {"has no data_offsets"}));
}

TEST(SafetensorsEntries, TheDtypeMustBeKnown) {
  EXPECT_TRUE(refused("{" + entry("a", "F17", "[1]", "[0,1]") + "}", Errc::unknown_dtype,
                      {"tensor \"a\"", "\"F17\"", "F64, F32, F16", "F8_E4M3FNUZ"}));
  EXPECT_TRUE(
      refused("{" + entry("a", "uint8", "[1]", "[0,1]") + "}", Errc::unknown_dtype, {"writes this type as U8"}));
  EXPECT_TRUE(refused("{" + entry("a", "Q4_0", "[1]", "[0,1]") + "}", Errc::unknown_dtype, {"\"Q4_0\""}));
  EXPECT_TRUE(refused(R"({"a":{"dtype":8,"shape":[1],"data_offsets":[0,1]}})", Errc::header_invalid,
                      {"dtype is not a string"}));
}

TEST(SafetensorsEntries, TheShapeIsAListOfWholeNumbers) {
  for (const char* shape : {"[-1]", "[1.0]", "[\"1\"]", "[null]", "1", "{}"})
    EXPECT_TRUE(refused("{" + entry("a", "U8", shape, "[0,1]") + "}", Errc::header_invalid,
                        {"tensor \"a\"", "shape is not a list of whole numbers", shape}));
}

TEST(SafetensorsEntries, TheRankIsBounded) {
  std::string shape = "[1";
  for (std::size_t i = 1; i < Shape::kMaxRank; ++i) shape += ",1";
  EXPECT_NO_THROW((void)parse_safetensors("{" + entry("a", "U8", shape + "]", "[0,1]") + "}", 1));
  EXPECT_TRUE(refused("{" + entry("a", "U8", shape + ",1]", "[0,1]") + "}", Errc::rank_too_large,
                      {"at most 16 dimensions", "17 dimensions"}));
}

TEST(SafetensorsEntries, TheOffsetsAreTwoWholeNumbers) {
  for (const char* offsets : {"[0]", "[0,1,2]", "[]", "[-1,0]", "[0,1.0]", "[\"0\",1]", "0", "{}"})
    EXPECT_TRUE(refused("{" + entry("a", "U8", "[1]", offsets) + "}", Errc::header_invalid,
                        {"tensor \"a\"", "not two whole numbers", offsets}));
}

TEST(SafetensorsEntries, MetadataIsAMapOfStrings) {
  const std::string a = entry("a", "U8", "[1]", "[0,1]");
  EXPECT_TRUE(refused("{\"__metadata__\":[]," + a + "}", Errc::header_invalid, {"not an object", "a list"}));
  EXPECT_TRUE(refused("{\"__metadata__\":{\"k\":1}," + a + "}", Errc::header_invalid, {"\"k\"", "not a string", "1"}));
}

TEST(SafetensorsEntries, AllFaultsAreReportedTogether) {
  const auto error = error_of([] {
    (void)parse_safetensors("{" + entry("a", "F17", "[1]", "[0,1]") + "," + entry("b", "F16", "[2]", "[1,4]") + "," +
                                entry("c", "U8", "[-1]", "[4,5]") + "," + entry("d", "U8", "[1]", "[7,8]") + "}",
                            8);
  });
  EXPECT_TRUE(has_fault(error, Errc::unknown_dtype, {"tensor \"a\""}));
  EXPECT_TRUE(has_fault(error, Errc::extent_mismatch, {"tensor \"b\""}));
  EXPECT_TRUE(has_fault(error, Errc::header_invalid, {"tensor \"c\""}));
  EXPECT_TRUE(has_fault(error, Errc::extent_hole, {"tensor \"d\""}));
  EXPECT_EQ(error->total(), 4U);
}

TEST(SafetensorsEntries, AnUnplacedTensorMakesNoHoles) {
  const auto error = error_of([] {
    (void)parse_safetensors(R"({"a":{"dtype":"U8","shape":[1]},)" + entry("b", "U8", "[1]", "[1,2]") + "}", 2);
  });
  EXPECT_EQ(error->total(), 1U) << error->what();
}

}  // namespace
}  // namespace ballast::test
