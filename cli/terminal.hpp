// Terminals: whether a stream is one, how wide it is, and colours where they are wanted.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ballast::cli {

enum class Stream : int { out = 1, error = 2 };

[[nodiscard]] bool is_terminal(Stream stream) noexcept;
// Columns of the terminal; 80 where it does not say.
[[nodiscard]] std::size_t terminal_width(Stream stream) noexcept;

// The text in a colour, on a terminal that has colours and a user who has not set NO_COLOR (no-color.org).
enum class Colour { bold, dim, red, yellow, green };
[[nodiscard]] std::string paint(Stream stream, Colour colour, std::string_view text);

// Columns that a text takes: wide characters take two, combining ones none, and what `paint` adds none.
// UTF-8, without control characters.
[[nodiscard]] std::size_t display_width(std::string_view text) noexcept;

}  // namespace ballast::cli
