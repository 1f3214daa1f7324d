// Whatever a writer lays out by the rules is read back as it was.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "formats/parse.hpp"
#include "support/gguf_writer.hpp"
#include "support/safetensors_writer.hpp"

namespace ballast::test {
namespace {

struct Tensor {
  std::string name;
  DType dtype;
  Shape shape;
  std::uint64_t nbytes;
};

// Names of any bytes that JSON can carry; the index keeps them apart.
std::string some_name(std::size_t index) {
  std::string name = std::to_string(index) + ".";
  for (const auto piece : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 6)))
    name += std::array<const char*, 6>{"w", ".", "\"", "\\", "\n", "\xE8\xA1\xA8"}[static_cast<std::size_t>(piece)];
  return name;
}

std::vector<Tensor> some_tensors(const std::vector<DType>& dtypes, std::size_t max_rank) {
  std::vector<Tensor> tensors;
  const auto count = *rc::gen::inRange<std::size_t>(0, 8);
  for (std::size_t i = 0; i < count; ++i) {
    Tensor tensor{some_name(i), *rc::gen::elementOf(dtypes), {}, 0};
    const auto rank = *rc::gen::inRange<std::size_t>(0, max_rank + 1);
    for (std::size_t axis = 0; axis < rank; ++axis) tensor.shape.push_back(*rc::gen::inRange<std::uint64_t>(0, 5));
    const std::uint64_t block = info(tensor.dtype).block_elements;
    if (block > 1 && rank == 0) tensor.shape.push_back(1);
    if (block > 1) tensor.shape[tensor.shape.rank() - 1] *= block;
    tensor.nbytes = byte_size(tensor.dtype, tensor.shape.numel()).value();
    tensors.push_back(tensor);
  }
  return tensors;
}

// The reader's order among empty tensors is its own: compare by name.
void expect_same(const std::vector<Tensor>& written, const FileHeader& header) {
  RC_ASSERT(header.tensors.size() == written.size());
  std::uint64_t end = header.header_bytes;
  for (const TensorInfo& tensor : header.tensors) {
    const auto same_name = [&](const Tensor& other) { return other.name == tensor.name; };
    const auto found = std::find_if(written.begin(), written.end(), same_name);
    RC_ASSERT(found != written.end());
    RC_ASSERT(tensor.dtype == found->dtype);
    RC_ASSERT(tensor.shape == found->shape);
    RC_ASSERT(tensor.nbytes == found->nbytes);
    RC_ASSERT(tensor.offset >= end);
    RC_ASSERT(tensor.offset < end + header.alignment);
    end = tensor.offset + tensor.nbytes;
  }
  RC_ASSERT(end <= header.file_bytes);
}

std::vector<DType> dtypes_where(bool (*wanted)(const DTypeInfo&)) {
  std::vector<DType> dtypes;
  for (const DTypeInfo& row : all_dtypes())
    if (wanted(row)) dtypes.push_back(row.dtype);
  return dtypes;
}

TEST(RoundTrip, Safetensors) {
  const auto dtypes = dtypes_where([](const DTypeInfo& row) { return row.kind != DTypeKind::quantised; });
  EXPECT_TRUE(rc::check([&] {
    const std::vector<Tensor> tensors = some_tensors(dtypes, 5);
    SafetensorsWriter writer;
    for (const Tensor& tensor : tensors) writer.tensor(tensor.name, tensor.dtype, tensor.shape);
    const auto value = *rc::gen::string<std::string>();
    const bool plain = std::all_of(value.begin(), value.end(), [](char c) { return c > 0; });
    if (plain) writer.metadata("key", value);
    const std::string file = writer.bytes();
    const std::string json = writer.header_json();
    const FileHeader header = parse_safetensors_header(json, file.size(), "m");
    expect_same(tensors, header);
    if (plain) RC_ASSERT(*header.metadata.find("key")->string() == value);
  }));
}

TEST(RoundTrip, Gguf) {
  const auto dtypes = dtypes_where([](const DTypeInfo& row) {
    try {
      return (void)ggml_type(row.dtype), true;
    } catch (const std::exception&) {
      return false;
    }
  });
  EXPECT_TRUE(rc::check([&] {
    GgufWriter writer(*rc::gen::element(2U, 3U));
    writer.alignment(*rc::gen::element(1U, 8U, 32U, 4096U));
    const auto numbers = *rc::gen::arbitrary<std::vector<std::uint32_t>>();
    const auto texts = *rc::gen::arbitrary<std::vector<std::string>>();
    writer.u32s("numbers", numbers).texts("texts", texts);
    const std::vector<Tensor> tensors = some_tensors(dtypes, 4);
    for (const Tensor& tensor : tensors) writer.tensor(tensor.name, tensor.dtype, tensor.shape);
    const FileHeader header = parse_gguf(writer.bytes());
    expect_same(tensors, header);
    const Value::Array& read_numbers = *header.metadata.find("numbers")->array();
    RC_ASSERT(read_numbers.size() == numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) RC_ASSERT(read_numbers[i].unsigned_integer() == numbers[i]);
    const Value::Array& read_texts = *header.metadata.find("texts")->array();
    RC_ASSERT(read_texts.size() == texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) RC_ASSERT(*read_texts[i].string() == texts[i]);
  }));
}

}  // namespace
}  // namespace ballast::test
