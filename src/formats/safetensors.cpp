// The header of a safetensors file: its length in 8 bytes, then one JSON object, from tensor name to dtype, shape and
// data_offsets, with room for a map of strings under "__metadata__". The tensors must tile the data exactly: no
// overlap, no hole, nothing after.
//
// Nothing here assumes alignment: a header's length need not be a multiple of 8.

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "ballast/formats.hpp"
#include "base/utf8.hpp"
#include "formats/fault.hpp"
#include "formats/little_endian.hpp"
#include "formats/read_header.hpp"
#include "formats/safetensors_entries.hpp"

namespace ballast {
namespace {

namespace dom = simdjson::dom;

constexpr std::uint64_t kLengthBytes = 8;

[[noreturn]] void refuse_truncated(std::uint64_t header_bytes, std::uint64_t file_bytes, const std::string& path) {
  Diagnostic fault = header_fault(Errc::header_truncated, "the file ends inside its header", path);
  fault.expected = fmt::format("at least {} bytes", header_bytes);
  fault.got = fmt::format("{} bytes", file_bytes);
  fault.cause = fmt::format("{} bytes are missing: an incomplete download?", header_bytes - file_bytes);
  throw Error(std::move(fault));
}

[[noreturn]] void refuse_large(std::uint64_t length, const HeaderLimits& limits, const std::string& path) {
  Diagnostic fault = header_fault(Errc::header_too_large, "the header is larger than the limit", path);
  fault.expected = fmt::format("at most {} bytes", limits.max_safetensors_header_bytes);
  fault.got = fmt::format("{} bytes", length);
  fault.cause = "not a safetensors file, or damaged; if it is sound, raise max_safetensors_header_bytes";
  throw Error(std::move(fault));
}

[[noreturn]] void refuse_json(simdjson::error_code error, std::string_view json, const std::string& path) {
  Diagnostic fault = header_fault(Errc::header_invalid_json, "the header is not valid JSON", path);
  fault.got = simdjson::error_message(error);
  fault.cause = "a damaged file: compare its checksum with the publisher's, or fetch it again";
  if (error == simdjson::UTF8_ERROR) {
    fault.code = Errc::header_invalid_utf8;
    fault.what = "the header is not valid UTF-8";
    const std::size_t at = find_invalid_utf8(json).value_or(0);
    fault.offset = kLengthBytes + at;
    fault.got = fmt::format("the byte 0x{:02x}", static_cast<unsigned char>(json[at]));
  } else if (error == simdjson::MEMALLOC) {
    fault.code = Errc::out_of_memory;
    fault.what = fmt::format("not enough memory to parse a header of {} bytes", json.size());
    fault.cause.clear();
  } else if (error == simdjson::CAPACITY) {
    fault.code = Errc::header_too_large;
    fault.what = fmt::format("a header of {} bytes is too large to parse", json.size());
    fault.cause.clear();
  } else if (error == simdjson::NUMBER_ERROR) {
    fault.what = "the header holds a number that is malformed or beyond 64 bits";
  }
  throw Error(std::move(fault));
}

}  // namespace

FileHeader parse_safetensors_header(std::string_view header_json, std::uint64_t file_bytes, const std::string& path) {
  const std::uint64_t header_bytes = kLengthBytes + header_json.size();
  if (file_bytes < header_bytes) refuse_truncated(header_bytes, file_bytes, path);
  if (!header_json.starts_with('{')) {
    Diagnostic fault = header_fault(Errc::header_invalid_json, "the header does not begin with '{'", path);
    fault.got = header_json.empty() ? "an empty header" : fmt::format("\"{}\"", printable(header_json.substr(0, 16)));
    fault.offset = kLengthBytes;
    throw Error(std::move(fault));
  }

  dom::parser parser;
  dom::element root;
  dom::object object;
  simdjson::error_code error = parser.parse(header_json.data(), header_json.size()).get(root);
  if (error == simdjson::SUCCESS) error = root.get(object);
  if (error != simdjson::SUCCESS) refuse_json(error, header_json, path);
  return read_safetensors_entries(object, header_bytes, file_bytes, path);
}

FileHeader read_safetensors_header(const InputFile& file, const HeaderLimits& limits) {
  if (file.size() < kLengthBytes) refuse_truncated(kLengthBytes, file.size(), file.path());
  std::array<unsigned char, kLengthBytes> bytes{};
  file.read_at(0, bytes.data(), bytes.size());
  const std::uint64_t length = little_endian<std::uint64_t>(bytes.data());
  if (length > limits.max_safetensors_header_bytes) refuse_large(length, limits, file.path());
  if (length > file.size() - kLengthBytes) {
    // No overflow, unless the limit was raised to where no file can follow.
    const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - kLengthBytes;
    refuse_truncated(kLengthBytes + std::min(length, room), file.size(), file.path());
  }
  std::string json(static_cast<std::size_t>(length), '\0');
  file.read_at(kLengthBytes, json.data(), length);
  return parse_safetensors_header(json, file.size(), file.path());
}

}  // namespace ballast
