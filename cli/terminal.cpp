#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cwchar>

namespace ballast::cli {

namespace {

bool wants_colour(Stream stream) noexcept {
  const char* no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  const char* term = std::getenv("TERM");
  return is_terminal(stream) && term != nullptr && std::string_view(term) != "dumb";
}

std::string_view code_of(Colour colour) noexcept {
  switch (colour) {
    case Colour::bold:
      return "\x1b[1m";
    case Colour::dim:
      return "\x1b[2m";
    case Colour::red:
      return "\x1b[1;31m";
    case Colour::yellow:
      return "\x1b[1;33m";
    case Colour::green:
      return "\x1b[32m";
  }
  return "";
}

}  // namespace

bool is_terminal(Stream stream) noexcept { return ::isatty(static_cast<int>(stream)) == 1; }

std::size_t terminal_width(Stream stream) noexcept {
  winsize size{};
  if (::ioctl(static_cast<int>(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

std::string paint(Stream stream, Colour colour, std::string_view text) {
  if (text.empty() || !wants_colour(stream)) return std::string(text);
  std::string painted(code_of(colour));
  painted += text;
  painted += "\x1b[0m";
  return painted;
}

std::size_t display_width(std::string_view text) noexcept {
  std::size_t columns = 0;
  std::mbstate_t state{};
  while (!text.empty()) {
    if (text[0] == '\x1b') {  // a colour, which ends with an m
      text.remove_prefix(std::min(text.find('m'), text.size() - 1) + 1);
      continue;
    }
    wchar_t character = 0;
    const std::size_t length = std::mbrtowc(&character, text.data(), text.size(), &state);
    if (length == 0 || length > text.size()) {  // not UTF-8, or no locale for it: a byte is a column
      state = {};
      ++columns;
      text.remove_prefix(1);
      continue;
    }
    const int width = ::wcwidth(character);
    columns += width < 0 ? 1 : static_cast<std::size_t>(width);
    text.remove_prefix(length);
  }
  return columns;
}

}  // namespace ballast::cli
