#include <gtest/gtest.h>

#include "formats/parse.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

testing::AssertionResult refused(std::string_view json, std::initializer_list<std::string_view> parts) {
  return fails_with([&] { (void)parse_safetensors(json, 1); }, Errc::duplicate_key, parts);
}

TEST(SafetensorsDuplicates, ATensorsName) {
  const std::string a = entry("a", "U8", "[1]", "[0,1]");
  EXPECT_TRUE(refused("{" + a + "," + a + "}", {"the name is there twice", "tensor \"a\"", "m.safetensors"}));
}

TEST(SafetensorsDuplicates, ANameWrittenInTwoWays) {
  EXPECT_TRUE(refused("{" + entry("a", "U8", "[1]", "[0,1]") + "," + entry(R"(\u0061)", "U8", "[0]", "[1,1]") + "}",
                      {"the name is there twice", "tensor \"a\""}));
}

TEST(SafetensorsDuplicates, ANameThriceIsOneFault) {
  const std::string a = entry("a", "U8", "[0]", "[0,0]");
  const auto error = error_of([&] { (void)parse_safetensors("{" + a + "," + a + "," + a + "}", 0); });
  EXPECT_EQ(count_faults(error, Errc::duplicate_key), 1U);
  EXPECT_EQ(error->total(), 1U);
}

TEST(SafetensorsDuplicates, AKeyOfATensor) {
  EXPECT_TRUE(refused(R"({"a":{"dtype":"U8","shape":[1],"dtype":"U8","data_offsets":[0,1]}})",
                      {"has \"dtype\" twice", "tensor \"a\""}));
  EXPECT_TRUE(refused(R"({"a":{"dtype":"U8","shape":[1],"shape":[1],"data_offsets":[0,1]}})", {"has \"shape\" twice"}));
  EXPECT_TRUE(refused(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"data_offsets":[0,1]}})",
                      {"has \"data_offsets\" twice"}));
  EXPECT_TRUE(refused(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"x":1,"x":2}})", {"has \"x\" twice"}));
}

TEST(SafetensorsDuplicates, TheMetadataAndItsKeys) {
  const std::string a = entry("a", "U8", "[1]", "[0,1]");
  EXPECT_TRUE(refused("{\"__metadata__\":{}," + a + ",\"__metadata__\":{}}", {"\"__metadata__\" is there twice"}));
  EXPECT_TRUE(refused("{\"__metadata__\":{\"k\":\"1\",\"k\":\"1\"}," + a + "}", {"the key \"k\" is twice"}));
}

}  // namespace
}  // namespace ballast::test
