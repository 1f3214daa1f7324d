#include "ballast/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace ballast {
namespace {

constexpr std::size_t kMaxNameBytes = 200;
constexpr std::size_t kMaxTextBytes = 2000;
constexpr std::string_view kContinuation = "\n            ";

// A field of free text. Its line breaks are ours and stay, set in below its label, so that a name with a line break
// in it cannot pass for a line of its own.
std::string sentence(std::string_view text) {
  std::string out;
  for (;;) {
    const std::size_t end = text.find('\n');
    out += printable(text.substr(0, end), kMaxTextBytes);
    if (end == std::string_view::npos) return out;
    out += kContinuation;
    text.remove_prefix(end + 1);
  }
}

// "transformer_layer_3.qkv_w.k_params", of whatever is known.
std::string target(const Diagnostic& diagnostic) {
  std::string path;
  for (const std::string* part : {&diagnostic.container, &diagnostic.parameter, &diagnostic.dependency}) {
    if (part->empty()) continue;
    if (!path.empty()) path += '.';
    path += printable(*part, kMaxNameBytes);
  }
  return path;
}

// "tensor "a.b"", or "tensors "a.b", "a.c"" for a list as the makers of diagnostics write it.
std::string quoted_names(std::string_view names) {
  constexpr std::string_view kSeparator = ", ";
  std::string text = names.find(kSeparator) == std::string_view::npos ? "tensor " : "tensors ";
  for (;;) {
    const std::size_t end = names.find(kSeparator);
    text += fmt::format("\"{}\"", printable(names.substr(0, end), kMaxNameBytes));
    if (end == std::string_view::npos) return text;
    text += kSeparator;
    names.remove_prefix(end + kSeparator.size());
  }
}

// ": tensor "a.b" of transformer_layer_3.qkv_w in /models/m.safetensors at byte 123"
std::string place(const Diagnostic& diagnostic) {
  std::string text;
  const auto add = [&text](std::string_view link, std::string_view part) {
    text += text.empty() ? ": " : link;
    text += part;
  };
  if (!diagnostic.tensor.empty()) add("", quoted_names(diagnostic.tensor));
  if (const std::string path = target(diagnostic); !path.empty()) add(" for ", path);
  // A path is for copying: cut only where it is absurd.
  if (!diagnostic.file.empty()) add(" in ", printable(diagnostic.file, kMaxTextBytes));
  if (!diagnostic.place.empty()) add(", ", printable(diagnostic.place, kMaxTextBytes));
  if (diagnostic.offset != Diagnostic::kNoOffset) add(" at ", fmt::format("byte {}", diagnostic.offset));
  return text;
}

}  // namespace

std::string to_string(const Diagnostic& diagnostic) {
  std::string text;
  if (!diagnostic.operation.empty()) text = sentence(diagnostic.operation) + ": ";
  text += diagnostic.what.empty() ? std::string(name(diagnostic.code)) : sentence(diagnostic.what);
  text += place(diagnostic);

  const std::array<std::pair<std::string_view, const std::string*>, 4> details{{{"expected: ", &diagnostic.expected},
                                                                                {"got:      ", &diagnostic.got},
                                                                                {"nearest:  ", &diagnostic.nearest},
                                                                                {"cause:    ", &diagnostic.cause}}};
  for (const auto& [label, value] : details) {
    if (value->empty()) continue;
    text += "\n  ";
    text += label;
    text += sentence(*value);
  }
  return text;
}

void Diagnostics::add(Diagnostic diagnostic) {
  if (kept_.size() < kMaxKept) kept_.push_back(std::move(diagnostic));
  ++total_;
}

void Diagnostics::append(const Diagnostics& other) {
  const std::size_t others = other.total_;  // `other` may be this one
  const std::size_t room = std::min(kMaxKept - kept_.size(), other.kept_.size());
  kept_.reserve(kept_.size() + room);
  for (std::size_t i = 0; i < room; ++i) kept_.push_back(other.kept_[i]);
  total_ += others;
}

void Diagnostics::throw_if_any() const {
  if (!empty()) throw Error(*this);
}

struct Error::State {
  Diagnostics diagnostics;
  std::string text;
};

namespace {

std::string render(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics.kept()) {
    if (!text.empty()) text += '\n';
    text += to_string(diagnostic);
  }
  if (const std::size_t rest = diagnostics.total() - diagnostics.kept().size(); rest != 0)
    fmt::format_to(std::back_inserter(text), "\n... and {} more", rest);
  return text;
}

Diagnostics only(Diagnostic diagnostic) {
  Diagnostics diagnostics;
  diagnostics.add(std::move(diagnostic));
  return diagnostics;
}

}  // namespace

Error::Error(Diagnostic diagnostic) : Error(only(std::move(diagnostic))) {}

Error::Error(Diagnostics diagnostics) {
  // An error says something, also where its maker had nothing to say.
  if (diagnostics.empty()) diagnostics.add({.code = Errc::invalid_argument, .what = "an error without a diagnostic"});
  std::string text = render(diagnostics);
  state_ = std::make_shared<const State>(State{std::move(diagnostics), std::move(text)});
}

const char* Error::what() const noexcept { return state_->text.c_str(); }
Errc Error::code() const noexcept { return state_->diagnostics.kept().front().code; }
const std::vector<Diagnostic>& Error::diagnostics() const noexcept { return state_->diagnostics.kept(); }
std::size_t Error::total() const noexcept { return state_->diagnostics.total(); }
const Diagnostics& Error::faults() const noexcept { return state_->diagnostics; }

}  // namespace ballast
