#include "progress_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "process.hpp"
#include "terminal.hpp"
#include "words.hpp"

namespace ballast::cli {

namespace {

constexpr auto kPatience = std::chrono::seconds(1);
constexpr auto kBetweenPictures = std::chrono::milliseconds(50);

// "load  [######------]  51%  50.2 MB of 98.4 MB  1.25 GB/s  0:04", as much of it as there is room for.
std::string picture(const std::string& label, std::uint64_t done, std::uint64_t total, double seconds,
                    std::size_t width) {
  const double share = total == 0 ? 1.0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto left = share > 0 ? std::lround(seconds / share - seconds) : 0;
  const std::string numbers = fmt::format(" {:3.0f}%  {} of {}  {}  {}:{:02} left", share * 100, bytes_text(done),
                                          bytes_text(total), speed_text(done, seconds), left / 60, left % 60);
  const std::size_t taken = label.size() + numbers.size() + 4;
  if (taken + 10 > width) return fmt::format("{} {:3.0f}%", label, share * 100).substr(0, width - 1);
  const std::size_t room = std::min<std::size_t>(width - taken, 40);
  const auto full = static_cast<std::size_t>(share * static_cast<double>(room));
  return fmt::format("{} [{}{}]{}", label, std::string(full, '#'), std::string(room - full, '-'), numbers);
}

}  // namespace

ProgressBar::ProgressBar(std::string label) : label_(std::move(label)), wanted_(is_terminal(Stream::error)) {}

ProgressBar::~ProgressBar() {
  if (shown_) print_error("\r\x1b[K");
}

void ProgressBar::update(std::uint64_t done, std::uint64_t total) {
  const auto now = Clock::now();
  if (!wanted_ || now - start_ < kPatience || (shown_ && now - last_ < kBetweenPictures)) return;
  // The rest of the line is cleared after the text and not before it: nothing blinks.
  const double seconds = std::chrono::duration<double>(now - start_).count();
  print_error(fmt::format("\r{}\x1b[K", picture(label_, done, total, seconds, terminal_width(Stream::error))));
  shown_ = true;
  last_ = now;
}

}  // namespace ballast::cli
