#include <gtest/gtest.h>
#include <simdjson.h>

#include "formats/parse.hpp"
#include "support/gguf_writer.hpp"

namespace ballast::test {
namespace {

namespace dom = simdjson::dom;

const std::string kFolder = std::string(BALLAST_FIXTURES) + "/gguf/";

void expect_equal(const Value& got, dom::element expected, std::string_view key) {
  if (expected.is_array()) {
    ASSERT_NE(got.array(), nullptr) << key;
    ASSERT_EQ(got.array()->size(), expected.get_array().size()) << key;
    std::size_t i = 0;
    for (const dom::element element : expected.get_array()) expect_equal((*got.array())[i++], element, key);
  } else if (expected.is_string()) {
    ASSERT_NE(got.string(), nullptr) << key;
    EXPECT_EQ(*got.string(), std::string_view(expected.get_string())) << key;
  } else if (expected.is_bool()) {
    EXPECT_EQ(got.boolean(), expected.get_bool().value()) << key;
  } else if (expected.is_uint64() && !expected.is_int64()) {
    EXPECT_EQ(std::get<std::uint64_t>(got.storage()), expected.get_uint64().value()) << key;
  } else if (expected.is_int64() && std::holds_alternative<std::int64_t>(got.storage())) {
    EXPECT_EQ(std::get<std::int64_t>(got.storage()), expected.get_int64().value()) << key;
  } else {
    EXPECT_EQ(got.number(), expected.get_double().value()) << key;
  }
}

// A file that the reference implementation wrote, and what it says of it.
TEST(GgufValid, AgreesWithTheReferenceOnEveryMetadataType) {
  dom::parser parser;
  const dom::element expected = parser.load(kFolder + "all_metadata.json");
  const FileHeader header = read_header(InputFile(kFolder + "all_metadata.gguf"));
  EXPECT_EQ(header.format, FileFormat::gguf);
  EXPECT_EQ(header.version, expected["version"].get_uint64().value());
  EXPECT_EQ(header.alignment, expected["alignment"].get_uint64().value());
  EXPECT_EQ(header.header_bytes, expected["data_offset"].get_uint64().value());
  EXPECT_EQ(header.metadata.object()->size(), expected["metadata"].get_array().size());
  for (const dom::element member : expected["metadata"].get_array()) {
    const std::string_view key = member["key"].get_string();
    const Value* got = header.metadata.find(key);
    ASSERT_NE(got, nullptr) << key;
    expect_equal(*got, member["value"], key);
  }
}

TEST(GgufValid, AgreesWithTheReferenceOnEveryTensor) {
  dom::parser parser;
  const dom::array tensors = parser.load(kFolder + "all_metadata.json")["tensors"];
  const FileHeader header = read_header(InputFile(kFolder + "all_metadata.gguf"));
  ASSERT_EQ(header.tensors.size(), tensors.size());
  std::size_t i = 0;
  for (const dom::element tensor : tensors) {
    const TensorInfo& got = header.tensors[i++];
    EXPECT_EQ(got.name, std::string_view(tensor["name"].get_string()));
    EXPECT_EQ(name(got.dtype), std::string_view(tensor["type"].get_string())) << got.name;
    Shape shape;
    for (const std::uint64_t extent : tensor["shape"].get_array()) shape.push_back(extent);
    EXPECT_EQ(got.shape, shape) << got.name;
    EXPECT_EQ(got.offset, tensor["file_offset"].get_uint64().value()) << got.name;
    EXPECT_EQ(got.nbytes, tensor["nbytes"].get_uint64().value()) << got.name;
  }
}

TEST(GgufValid, Version2) {
  const FileHeader header = parse_gguf(GgufWriter(2).u32("k", 7).tensor("a", DType::F32, {2}).bytes());
  EXPECT_EQ(header.version, 2U);
  EXPECT_EQ(header.metadata.find("k")->unsigned_integer(), 7U);
}

TEST(GgufValid, TheInnermostDimensionIsStoredFirst) {
  const std::string header = gguf_start(1, 0) + gguf_string("a") + bytes_of(std::uint32_t{2}) +
                             bytes_of({std::uint64_t{4}, std::uint64_t{3}}) + bytes_of(std::uint32_t{0}) +
                             bytes_of(std::uint64_t{0});
  EXPECT_EQ(parse_gguf(gguf_file(header, 48)).tensors[0].shape, (Shape{3, 4}));
}

TEST(GgufValid, PaddingBetweenTensorsAndAfterTheLastIsNormal) {
  const std::string header = gguf_start(2, 0) + gguf_tensor("a", 1, 0, 0) + gguf_tensor("b", 1, 0, 32);
  for (const std::uint64_t data_bytes : {36U, 40U, 64U}) {
    const FileHeader parsed = parse_gguf(gguf_file(header, data_bytes));
    EXPECT_EQ(parsed.tensors[1].offset, parsed.header_bytes + 32);
  }
}

TEST(GgufValid, AFileOfMetadataAlone) {
  const std::string header = gguf_start(0, 1) + gguf_string("k") + bytes_of(std::uint32_t{0}) + "\x05";
  EXPECT_EQ(parse_gguf(header).header_bytes, header.size()) << "without padding";
  EXPECT_EQ(parse_gguf(gguf_file(header, 0)).header_bytes, 64U) << "with padding";
  EXPECT_NE(parse_gguf(gguf_start(0, 0)).metadata.object(), nullptr);
}

TEST(GgufValid, EveryAlignmentThatIsAPowerOfTwo) {
  for (const std::uint32_t alignment : {1U, 2U, 8U, 64U, 65536U}) {
    const FileHeader header =
        parse_gguf(GgufWriter{}.alignment(alignment).tensor("a", DType::I8, {3}).tensor("b", DType::I8, {3}).bytes());
    EXPECT_EQ(header.alignment, alignment);
    EXPECT_EQ(header.header_bytes % alignment, 0U);
  }
}

TEST(GgufValid, AScalarAndAnEmptyTensor) {
  const FileHeader header =
      parse_gguf(GgufWriter{}.tensor("scalar", DType::F32, {}).tensor("empty", DType::Q4_0, {0, 32}).bytes());
  EXPECT_EQ(header.tensors[0].nbytes, 4U);
  EXPECT_EQ(header.tensors[1].nbytes, 0U);
}

}  // namespace
}  // namespace ballast::test
