#include "formats/gguf_metadata.hpp"

#include <algorithm>
#include <vector>

#include "base/utf8.hpp"
#include "formats/duplicates.hpp"
#include "formats/gguf_types.hpp"

namespace ballast {
namespace {

// The format sets no bound to arrays within arrays; nothing published goes beyond two, and the stack has an end.
constexpr int kMaxDepth = 8;
constexpr std::uint64_t kSmallestPairBytes = 8 + 4 + 1;

class MetadataReader {
 public:
  MetadataReader(GgufCursor& cursor, std::uint64_t max_values) : cursor_(cursor), values_left_(max_values) {}

  // Counts values against the bound on all of them.
  void spend(std::uint64_t count) {
    if (count > values_left_) {
      Diagnostic fault = cursor_.here(Errc::limit_exceeded, "the metadata holds more values than the limit");
      fault.expected = fmt::format("at most {} more", values_left_);
      fault.got = fmt::format("{} more", count);
      fault.cause = "a damaged header; if it is sound, raise max_gguf_metadata_values";
      cursor_.fail(std::move(fault));
    }
    values_left_ -= count;
  }

  GgufValueType type(std::string_view key) {
    const auto id = cursor_.number<std::uint32_t>("a metadata type");
    if (id >= kGgufValueTypeCount) {
      Diagnostic fault = cursor_.here(Errc::header_invalid,
                                      fmt::format("the metadata key \"{}\" has an unknown type", printable(key)));
      fault.expected = fmt::format("a type below {}", kGgufValueTypeCount);
      fault.got = fmt::format("type {}", id);
      cursor_.fail(std::move(fault));
    }
    return static_cast<GgufValueType>(id);
  }

  Value value(GgufValueType type, std::string_view key, int depth) {
    constexpr std::string_view kWhat = "a metadata value";
    switch (type) {
      case GgufValueType::u8:
        return integer(cursor_.number<std::uint8_t>(kWhat));
      case GgufValueType::i8:
        return integer(cursor_.number<std::int8_t>(kWhat));
      case GgufValueType::u16:
        return integer(cursor_.number<std::uint16_t>(kWhat));
      case GgufValueType::i16:
        return integer(cursor_.number<std::int16_t>(kWhat));
      case GgufValueType::u32:
        return integer(cursor_.number<std::uint32_t>(kWhat));
      case GgufValueType::i32:
        return integer(cursor_.number<std::int32_t>(kWhat));
      case GgufValueType::f32:
        return Value(double{cursor_.f32(kWhat)});
      case GgufValueType::boolean:
        return boolean(key);
      case GgufValueType::string:
        return Value(std::string(cursor_.string("a metadata string")));
      case GgufValueType::array:
        return array(key, depth);
      case GgufValueType::u64:
        return unsigned_integer(cursor_.number<std::uint64_t>(kWhat));
      case GgufValueType::i64:
        return integer(cursor_.number<std::int64_t>(kWhat));
      case GgufValueType::f64:
        return Value(cursor_.f64(kWhat));
    }
    return Value();
  }

 private:
  static Value integer(std::int64_t number) { return Value(number); }

  static Value unsigned_integer(std::uint64_t number) {
    const auto as_signed = static_cast<std::int64_t>(number);
    return as_signed >= 0 ? Value(as_signed) : Value(number);
  }

  Value boolean(std::string_view key) {
    const auto byte = cursor_.number<std::uint8_t>("a metadata value");
    if (byte > 1) {
      Diagnostic fault =
          cursor_.here(Errc::header_invalid, fmt::format("the metadata key \"{}\" holds no boolean", printable(key)));
      fault.expected = "0 or 1";
      fault.got = fmt::format("{}", byte);
      cursor_.fail(std::move(fault));
    }
    return Value(byte == 1);
  }

  Value array(std::string_view key, int depth) {
    if (depth == kMaxDepth) {
      Diagnostic fault = cursor_.here(Errc::header_invalid,
                                      fmt::format("the metadata key \"{}\" nests arrays too deeply", printable(key)));
      fault.expected = fmt::format("at most {} arrays within each other", kMaxDepth);
      cursor_.fail(std::move(fault));
    }
    const GgufValueType element = type(key);
    const auto count = cursor_.number<std::uint64_t>("an array's length");
    const std::uint64_t each = smallest_bytes(element);
    cursor_.check_count(count, each, "array elements");
    spend(count);
    Value::Array elements;
    // By the bytes at hand, not by the count: those were paid for.
    elements.reserve(static_cast<std::size_t>(std::min(count, cursor_.left_at_hand() / each)));
    for (std::uint64_t i = 0; i < count; ++i) elements.push_back(value(element, key, depth + 1));
    return Value(std::move(elements));
  }

  GgufCursor& cursor_;
  std::uint64_t values_left_;
};

}  // namespace

Value::Object read_gguf_metadata(GgufCursor& cursor, std::uint64_t count, std::uint64_t max_values,
                                 const std::string& path, Diagnostics& faults) {
  cursor.check_count(count, kSmallestPairBytes, "metadata keys");
  MetadataReader reader(cursor, max_values);
  reader.spend(count);
  Value::Object members;
  std::vector<std::string_view> keys;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view key = cursor.string("a metadata key");
    if (find_invalid_utf8(key))
      cursor.fail(cursor.here(Errc::header_invalid_utf8,
                              fmt::format("the metadata key \"{}\" is not valid UTF-8", printable(key))));
    keys.push_back(key);
    members.emplace_back(key, reader.value(reader.type(key), key, 0));
  }
  for (const std::size_t second : find_duplicates(keys)) {
    Diagnostic fault = header_fault(
        Errc::duplicate_key, fmt::format("the metadata key \"{}\" is there twice", printable(keys[second])), path);
    fault.expected = "each key once";
    faults.add(std::move(fault));
  }
  return members;
}

}  // namespace ballast
