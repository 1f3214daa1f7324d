#include <fmt/format.h>

#include <iterator>

#include "ballast/error.hpp"
#include "base/utf8.hpp"

namespace ballast {
namespace {

// Characters that a terminal obeys instead of showing, that show as nothing, or that reorder what is around them.
bool must_escape(char32_t c) noexcept {
  const auto in = [c](char32_t first, char32_t last) { return c >= first && c <= last; };
  return c < 0x20 || in(0x7F, 0x9F) || c == 0xAD || c == 0x61C || c == 0x180E || in(0x200B, 0x200F) ||
         in(0x2028, 0x202E) || in(0x2060, 0x206F) || c == 0xFEFF || in(0xFFF9, 0xFFFB) || in(0xE0000, 0xE007F);
}

void append_escaped(std::string& out, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character character = decode_utf8(text.substr(at));
    if (!character.valid)
      fmt::format_to(std::back_inserter(out), "\\x{:02X}", static_cast<unsigned char>(text[at]));
    else if (character.code == '\n')
      out += "\\n";
    else if (character.code == '\t')
      out += "\\t";
    else if (character.code < 0x80 && must_escape(character.code))
      fmt::format_to(std::back_inserter(out), "\\x{:02X}", static_cast<unsigned>(character.code));
    else if (must_escape(character.code))
      fmt::format_to(std::back_inserter(out), "\\u{{{:X}}}", static_cast<unsigned>(character.code));
    else
      out.append(text, at, character.length);
    at += character.length;
  }
}

// The largest cut at or before `at` that does not split a character.
std::size_t cut_before(std::string_view text, std::size_t at) noexcept {
  std::size_t cut = at;
  while (cut > 0 && at - cut < 3 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80) --cut;
  return cut;
}

}  // namespace

std::string printable(std::string_view text, std::size_t max_bytes) {
  std::string out;
  if (text.size() <= max_bytes) {
    append_escaped(out, text);
    return out;
  }
  // The end of a tensor's name tells as much as its beginning: keep a third of the room for it.
  const std::size_t head = cut_before(text, max_bytes - max_bytes / 3);
  const std::size_t tail = cut_before(text, text.size() - max_bytes / 3);
  append_escaped(out, text.substr(0, head));
  fmt::format_to(std::back_inserter(out), "...({} bytes left out)...", tail - head);
  append_escaped(out, text.substr(tail));
  return out;
}

}  // namespace ballast
