#include <gtest/gtest.h>

#include "formats/parse.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

testing::AssertionResult refused(std::string_view entries, std::uint64_t data_bytes, Errc code,
                                 std::initializer_list<std::string_view> parts) {
  const std::string json = "{" + std::string(entries) + "}";
  const auto error = error_of([&] { (void)parse_safetensors(json, data_bytes); });
  if (error && error->total() != 1) return testing::AssertionFailure() << "more than one fault:\n" << error->what();
  return has_fault(error, code, parts);
}

TEST(SafetensorsExtents, Overlap) {
  EXPECT_TRUE(refused(entry("a", "U8", "[4]", "[0,4]") + "," + entry("b", "U8", "[4]", "[3,7]"), 7,
                      Errc::extent_overlap, {"tensor \"b\"", "byte 4 of the data, where \"a\" ends", "[3, 7)"}));
}

TEST(SafetensorsExtents, OverlapWithOneThatIsNotTheNeighbour) {
  const auto error = error_of([] {
    (void)parse_safetensors("{" + entry("long", "U8", "[9]", "[0,9]") + "," + entry("b", "U8", "[1]", "[2,3]") + "," +
                                entry("c", "U8", "[1]", "[5,6]") + "}",
                            9);
  });
  EXPECT_TRUE(has_fault(error, Errc::extent_overlap, {"tensor \"b\"", "where \"long\" ends"}));
  EXPECT_TRUE(has_fault(error, Errc::extent_overlap, {"tensor \"c\"", "where \"long\" ends"}));
  EXPECT_EQ(error->total(), 2U);
}

TEST(SafetensorsExtents, AnEmptyTensorInsideAnother) {
  EXPECT_TRUE(refused(entry("a", "U8", "[4]", "[0,4]") + "," + entry("b", "U8", "[0]", "[2,2]"), 4,
                      Errc::extent_overlap, {"tensor \"b\""}));
}

TEST(SafetensorsExtents, Hole) {
  EXPECT_TRUE(refused(entry("a", "U8", "[1]", "[0,1]") + "," + entry("b", "U8", "[1]", "[3,4]"), 4, Errc::extent_hole,
                      {"2 bytes before the tensor belong to no tensor", "tensor \"b\"", "byte 1 of the data"}));
  EXPECT_TRUE(refused(entry("a", "U8", "[1]", "[1,2]"), 2, Errc::extent_hole, {"1 bytes before the tensor"}));
}

TEST(SafetensorsExtents, Reversed) {
  EXPECT_TRUE(refused(entry("a", "U8", "[1]", "[1,0]"), 1, Errc::extent_reversed, {"ends before it begins", "[1,0]"}));
}

TEST(SafetensorsExtents, DisagreesWithShapeAndDtype) {
  EXPECT_TRUE(refused(entry("a", "F32", "[2,3]", "[0,23]"), 23, Errc::extent_mismatch,
                      {"tensor \"a\"", "24 bytes, for shape [2, 3] of F32", "23 bytes"}));
  EXPECT_TRUE(refused(entry("a", "F32", "[]", "[0,0]"), 0, Errc::extent_mismatch, {"4 bytes"}));
}

TEST(SafetensorsExtents, SubByteTensorsFillWholeBytes) {
  EXPECT_TRUE(refused(entry("a", "F4", "[3]", "[0,2]"), 2, Errc::extent_mismatch,
                      {"whole number of bytes", "a multiple of 2 elements of F4", "3 elements"}));
  EXPECT_TRUE(refused(entry("a", "F6_E2M3", "[2]", "[0,2]"), 2, Errc::extent_mismatch, {"whole number of bytes"}));
}

TEST(SafetensorsExtents, SizesThatOverflowInAnyOrder) {
  for (const char* shape : {"[8589934592,8589934592]", "[0,8589934592,8589934592]", "[8589934592,8589934592,0]",
                            "[8589934592,0,8589934592]", "[18446744073709551615]"})
    EXPECT_TRUE(refused(entry("a", "F32", shape, "[0,0]"), 0, Errc::shape_overflow, {"tensor \"a\"", "64 bits"}));
}

TEST(SafetensorsExtents, BytesAfterTheLastTensor) {
  const std::string a = entry("a", "U8", "[1]", "[0,1]");
  const std::string end = std::to_string(8 + a.size() + 2 + 1);
  EXPECT_TRUE(
      refused(a, 4, Errc::trailing_bytes, {"3 bytes follow the last tensor", "at byte " + end, "m.safetensors"}));
  EXPECT_TRUE(refused("", 1, Errc::trailing_bytes, {"1 bytes follow"}));
}

TEST(SafetensorsExtents, AFileTooShortIsOneFaultThatCountsWhatIsMissing) {
  EXPECT_TRUE(refused(
      entry("a", "U8", "[4]", "[0,4]") + "," + entry("b", "U8", "[4]", "[4,8]") + "," +
          entry("c", "U8", "[4]", "[8,12]"),
      5, Errc::extent_out_of_file,
      {"the file ends before 2 of its 3 tensors do", "tensor \"b\"", "7 bytes are missing: an incomplete download?"}));
}

TEST(SafetensorsExtents, OffsetsAtTheEndOf64Bits) {
  const auto error = error_of([] {
    (void)parse_safetensors("{" + entry("a", "U8", "[1]", "[18446744073709551614,18446744073709551615]") + "}", 1);
  });
  EXPECT_TRUE(has_fault(error, Errc::extent_hole));
  EXPECT_TRUE(has_fault(error, Errc::extent_out_of_file, {"damaged"}));
}

}  // namespace
}  // namespace ballast::test
