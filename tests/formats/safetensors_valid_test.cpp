#include <gtest/gtest.h>
#include <simdjson.h>

#include "ballast/formats.hpp"
#include "formats/parse.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

const std::string kFolder = std::string(BALLAST_FIXTURES) + "/safetensors/";

// A file that the reference implementation wrote, and what it says of it.
TEST(SafetensorsValid, AgreesWithTheReferenceOnEveryDtype) {
  simdjson::dom::parser parser;
  const simdjson::dom::element expected = parser.load(kFolder + "all_dtypes.json");
  const FileHeader header = read_header(InputFile(kFolder + "all_dtypes.safetensors"));
  EXPECT_EQ(header.format, FileFormat::safetensors);
  EXPECT_EQ(header.header_bytes, 8 + expected["header_bytes"].get_uint64().value());
  EXPECT_EQ(*header.metadata.find("description")->string(),
            std::string_view(expected["metadata"]["description"].get_string()));

  const simdjson::dom::array tensors = expected["tensors"];
  ASSERT_EQ(header.tensors.size(), tensors.size());
  std::size_t i = 0;
  for (const simdjson::dom::element tensor : tensors) {
    const TensorInfo& got = header.tensors[i++];
    EXPECT_EQ(got.name, std::string_view(tensor["name"].get_string()));
    EXPECT_EQ(name(got.dtype), std::string_view(tensor["dtype"].get_string())) << got.name;
    Shape shape;
    for (const std::uint64_t extent : tensor["shape"].get_array()) shape.push_back(extent);
    EXPECT_EQ(got.shape, shape) << got.name;
    EXPECT_EQ(got.offset, tensor["file_offset"].get_uint64().value()) << got.name;
    EXPECT_EQ(got.nbytes, tensor["end"].get_uint64().value() - tensor["begin"].get_uint64().value()) << got.name;
  }
}

TEST(SafetensorsValid, SubByteTypesAreCountedInBits) {
  const FileHeader header =
      parse_safetensors("{" + entry("a", "F6_E2M3", "[4]", "[0,3]") + "," + entry("b", "F6_E3M2", "[2,4]", "[3,9]") +
                            "," + entry("c", "F4", "[3,2]", "[9,12]") + "}",
                        12);
  EXPECT_EQ(header.tensors[0].nbytes, 3U);
  EXPECT_EQ(header.tensors[1].nbytes, 6U);
  EXPECT_EQ(header.tensors[2].nbytes, 3U);
}

TEST(SafetensorsValid, ScalarsAndEmptyTensors) {
  const FileHeader header = parse_safetensors(
      "{" + entry("scalar", "F32", "[]", "[0,4]") + "," + entry("middle", "F32", "[0,3]", "[4,4]") + "," +
          entry("after", "U8", "[1]", "[4,5]") + "," + entry("end", "F16", "[5,0]", "[5,5]") + "}",
      5);
  ASSERT_EQ(header.tensors.size(), 4U);
  EXPECT_EQ(header.tensors[0].name, "scalar");
  EXPECT_EQ(header.tensors[1].name, "middle") << "an empty tensor comes before the one that begins where it lies";
  EXPECT_EQ(header.tensors[2].name, "after");
  EXPECT_EQ(header.tensors[3].shape, (Shape{5, 0}));
}

TEST(SafetensorsValid, TensorsComeInTheOrderOfTheirData) {
  const FileHeader header =
      parse_safetensors("{" + entry("a", "U8", "[2]", "[1,3]") + "," + entry("b", "U8", "[1]", "[0,1]") + "}", 3);
  EXPECT_EQ(header.tensors[0].name, "b");
  EXPECT_EQ(header.tensors[1].name, "a");
  EXPECT_EQ(header.tensors[1].offset, header.header_bytes + 1);
}

TEST(SafetensorsValid, NoTensorsAtAll) {
  EXPECT_TRUE(parse_safetensors("{}", 0).tensors.empty());
  EXPECT_TRUE(parse_safetensors("{}", 0).metadata.is_null());
}

TEST(SafetensorsValid, EmptyAndAbsentMetadataDiffer) {
  EXPECT_TRUE(parse_safetensors(R"({"__metadata__":{}})", 0).metadata.object()->empty());
  EXPECT_TRUE(parse_safetensors(R"({"__metadata__":null})", 0).metadata.is_null());
  const FileHeader header = parse_safetensors(R"({"__metadata__":{"format":"pt"}})", 0);
  EXPECT_EQ(*header.metadata.find("format")->string(), "pt");
  EXPECT_TRUE(header.tensors.empty());
}

TEST(SafetensorsValid, AHeaderMayEndInSpaces) {
  EXPECT_EQ(parse_safetensors("{" + entry("a", "U8", "[1]", "[0,1]") + "}     ", 1).tensors.size(), 1U);
}

TEST(SafetensorsValid, AHeaderOfAnyLengthIsRead) {
  const TempFolder folder;
  for (std::size_t spaces = 0; spaces < 8; ++spaces) {
    const std::string json = "{" + entry("a", "F64", "[1]", "[0,8]") + "}" + std::string(spaces, ' ');
    const std::string path = folder.write("m.safetensors", safetensors_bytes(json, std::string(8, 'x')));
    const FileHeader header = read_header(InputFile(path));
    EXPECT_EQ(header.tensors[0].offset, 8 + json.size());
  }
}

TEST(SafetensorsValid, KeysThatTheFormatDoesNotKnowAreIgnored) {
  const FileHeader header =
      parse_safetensors(R"({"a":{"dtype":"U8","note":{"x":[1]},"shape":[1],"data_offsets":[0,1],"more":null}})", 1);
  EXPECT_EQ(header.tensors[0].nbytes, 1U);
}

TEST(SafetensorsValid, NamesAreUnescaped) {
  EXPECT_EQ(parse_safetensors("{" + entry(R"(a\"\u00e9\u0000)", "U8", "[1]", "[0,1]") + "}", 1).tensors[0].name,
            std::string("a\"\xC3\xA9\0", 5));
}

}  // namespace
}  // namespace ballast::test
