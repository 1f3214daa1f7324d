// Tells what a file is from its first bytes, and says what to do about the things that people take for weights.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "ballast/formats.hpp"
#include "formats/fault.hpp"
#include "formats/little_endian.hpp"

namespace ballast {
namespace {

constexpr std::uint64_t kPrefixBytes = 1024;  // an LFS pointer is smaller than this
constexpr std::string_view kSupported = "a safetensors or GGUF file";
constexpr std::string_view kConvert = "not supported; convert the model to safetensors";

struct Known {
  std::string_view magic;
  std::string_view what;
  std::string_view cause;
};

using namespace std::string_view_literals;

constexpr std::array<Known, 14> kKnown{{
    {"PK\x03\x04"sv, "this is a zip archive: a PyTorch checkpoint (.bin, .pt, .pth) or NumPy .npz", kConvert},
    {"\x80\x02"sv, "this is a Python pickle: a PyTorch checkpoint of the old kind", kConvert},
    {"\x80\x03"sv, "this is a Python pickle", kConvert},
    {"\x80\x04"sv, "this is a Python pickle", kConvert},
    {"\x80\x05"sv, "this is a Python pickle", kConvert},
    {"\x93NUMPY"sv, "this is a NumPy array", kConvert},
    {"\x89HDF\r\n\x1a\n"sv, "this is an HDF5 file (Keras or TensorFlow weights)", kConvert},
    {"lmgg"sv, "this is a GGML file, the format before GGUF", "convert the model to GGUF"},
    {"tjgg"sv, "this is a GGJT file, the format before GGUF", "convert the model to GGUF"},
    {"fmgg"sv, "this is a GGMF file, the format before GGUF", "convert the model to GGUF"},
    {"FUGG"sv, "this is a GGUF file with its magic byte-swapped", "written on a big-endian machine; not supported"},
    {"\x1f\x8b"sv, "this is a gzip archive", "unpack it first"},
    {"\x28\xb5\x2f\xfd"sv, "this is a zstd archive", "unpack it first"},
    {"\xfd\x37zXZ"sv, "this is an xz archive", "unpack it first"},
}};

constexpr std::string_view kSpace = " \t\r\n\f\v";

std::string_view without_leading_space(std::string_view text) noexcept {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text.substr(std::min(text.find_first_not_of(kSpace), text.size()));
}

bool starts_with_ignoring_case(std::string_view text, std::string_view lower_case) noexcept {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return text.size() >= lower_case.size() &&
         std::equal(lower_case.begin(), lower_case.end(), text.begin(), [&](char a, char b) { return a == lower(b); });
}

// A word about the size that an LFS pointer states: "size 4976698672".
std::string lfs_size(std::string_view pointer) {
  constexpr std::string_view kKey = "\nsize ";
  const std::size_t at = pointer.find(kKey);
  if (at == std::string_view::npos) return {};
  const std::string_view digits = pointer.substr(at + kKey.size());
  const std::size_t end = std::min({digits.find_first_not_of("0123456789"), digits.size(), std::size_t{20}});
  return fmt::format(" (the file itself has {} bytes)", digits.substr(0, end));
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes)
    fmt::format_to(std::back_inserter(text), "{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned char>(byte));
  return text;
}

std::uint64_t header_length(std::string_view prefix) noexcept {
  return little_endian<std::uint64_t>(reinterpret_cast<const unsigned char*>(prefix.data()));
}

// The format has no magic number: a header's length, then the header's brace. Whether the length is true is for the
// header's reader to say, as long as it is a length at all: text, having no zero bytes, never is.
bool is_header_length(std::string_view prefix) noexcept {
  constexpr std::uint64_t kPlausible = std::uint64_t{1} << 40;
  return prefix.size() >= 8 && header_length(prefix) < kPlausible;
}

bool is_safetensors(std::string_view prefix) noexcept {
  return is_header_length(prefix) && prefix.size() > 8 && prefix[8] == '{';
}

// Without the brace, so weaker: asked only after everything that is known by a magic number.
bool may_be_safetensors(std::string_view prefix, std::uint64_t file_bytes) noexcept {
  return is_header_length(prefix) && (file_bytes == 8 || header_length(prefix) <= file_bytes - 8);
}

Diagnostic refusal(std::string_view what, std::string_view cause, const std::string& path) {
  Diagnostic fault = header_fault(Errc::not_a_checkpoint, std::string(what), path);
  fault.operation = "detect format";
  fault.expected = kSupported;
  fault.cause = cause;
  return fault;
}

// Things saved under a model's name that are text.
void refuse_text(std::string_view prefix, const std::string& path) {
  if (prefix.starts_with("version https://git-lfs"))
    throw Error(refusal("this is a Git LFS pointer, not the file itself",
                        "run `git lfs pull` in the repository to fetch it" + lfs_size(prefix), path));
  const std::string_view text = without_leading_space(prefix);
  if (starts_with_ignoring_case(text, "<!doctype html") || starts_with_ignoring_case(text, "<html"))
    throw Error(refusal("this is an HTML page, not a model",
                        "a download saved a web page, probably a login or error page: fetch the file again", path));
  if (text.starts_with('{') || text.starts_with('['))
    throw Error(refusal("this is a JSON text file, not weights",
                        "a config or an index was named in place of the weights, or of the folder that holds them?",
                        path));
  if (text.starts_with('<'))
    throw Error(refusal("this is an XML or HTML text, not a model",
                        "a download saved a server's error message: fetch the file again", path));
}

void refuse_known(std::string_view prefix, const std::string& path) {
  for (const Known& known : kKnown)
    if (prefix.starts_with(known.magic)) throw Error(refusal(known.what, known.cause, path));
}

void refuse_zeros(std::string_view prefix, const std::string& path) {
  if (prefix.size() <= 8 || prefix.find_first_not_of('\0') != std::string_view::npos) return;
  throw Error(refusal("the file begins with nothing but zeros",
                      "a download that reserved its space and never filled it: fetch the file again", path));
}

[[noreturn]] void refuse_short(std::uint64_t file_bytes, const std::string& path) {
  Diagnostic fault = header_fault(Errc::header_truncated, "the file is too short to hold a header", path);
  fault.operation = "detect format";
  fault.expected = fmt::format("{}, at least 8 bytes", kSupported);
  fault.got = fmt::format("{} bytes", file_bytes);
  fault.cause = "an incomplete download?";
  throw Error(std::move(fault));
}

[[noreturn]] void refuse_unknown(std::string_view prefix, const std::string& path) {
  Diagnostic fault = refusal("the format of this file is not known", "", path);
  fault.got = fmt::format("a file that begins with the bytes {}", hex(prefix.substr(0, 16)));
  throw Error(std::move(fault));
}

}  // namespace

std::string_view name(FileFormat format) noexcept {
  switch (format) {
    case FileFormat::safetensors:
      return "safetensors";
    case FileFormat::gguf:
      return "gguf";
  }
  return "unknown";
}

FileFormat detect_format(const InputFile& file) {
  const std::string& path = file.path();
  if (file.size() == 0) throw Error(refusal("the file is empty", "a download that never began?", path));
  std::string bytes(static_cast<std::size_t>(std::min(file.size(), kPrefixBytes)), '\0');
  file.read_at(0, bytes.data(), bytes.size());
  const std::string_view prefix = bytes;

  if (prefix.starts_with("GGUF")) return FileFormat::gguf;
  if (is_safetensors(prefix)) return FileFormat::safetensors;
  refuse_known(prefix, path);
  refuse_zeros(prefix, path);
  if (may_be_safetensors(prefix, file.size())) return FileFormat::safetensors;
  refuse_text(prefix, path);
  if (prefix.size() < 8) refuse_short(file.size(), path);
  refuse_unknown(prefix, path);
}

}  // namespace ballast
