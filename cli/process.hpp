// What the program does with its standard streams.
#pragma once

#include <string_view>

namespace ballast::cli {

// Opens what of the three standard streams is closed (else a checkpoint's file would get its number), and turns
// SIGPIPE off: a reader that has seen enough (`| head`) is no reason to die with a signal.
void prepare_process();

// All of the text, to standard output. Gives the exit status: a reader that went away is fine, a full disk is not.
[[nodiscard]] int print(std::string_view text) noexcept;
// To standard error, as far as that can be written.
void print_error(std::string_view text) noexcept;

}  // namespace ballast::cli
