// Names that differ in numbers only, folded into one line (B7).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "ballast/binding.hpp"
#include "mapping/fold.hpp"

namespace ballast {

namespace mapper {

namespace {

// A name as its segments; those that are numbers (without sign or leading zeros) are where names may be folded.
struct Segments {
  std::vector<std::string> parts;
  std::vector<std::size_t> members;
};

bool is_number(std::string_view text) {
  if (text.empty() || text.size() > 9 || (text.size() > 1 && text[0] == '0')) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// No published name has as many segments. The rest of one that has is not taken apart: a hostile name of dots alone
// would take thirty times its own memory.
constexpr std::size_t kMostSegments = 24;

Segments split(std::string_view name) {
  Segments segments;  // without members yet
  for (;;) {
    const std::size_t dot = segments.parts.size() + 1 < kMostSegments ? name.find('.') : std::string_view::npos;
    segments.parts.emplace_back(name.substr(0, dot));
    if (dot == std::string_view::npos) return segments;
    name.remove_prefix(dot + 1);
  }
}

// "{0..47}", "{0,2,5..7}", or the number itself.
std::string fold_numbers(std::vector<std::uint64_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (numbers.size() == 1) return std::to_string(numbers[0]);
  std::string text = "{";
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t j = i;
    while (j + 1 < numbers.size() && numbers[j + 1] == numbers[j] + 1) ++j;
    if (text.size() > 1) text += ',';
    text += j > i ? fmt::format("{}..{}", numbers[i], numbers[j]) : std::to_string(numbers[i]);
    i = j + 1;
  }
  return text + "}";
}

std::uint64_t to_number(const std::string& text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Folds one position: names that are alike elsewhere become one.
std::vector<Segments> fold_at(std::vector<Segments> names, std::size_t position) {
  struct Group {
    std::vector<std::uint64_t> numbers;
    std::vector<std::size_t> members;
  };
  std::map<std::vector<std::string>, Group> groups;
  for (Segments& name : names) {
    const std::uint64_t number = to_number(name.parts[position]);
    name.parts[position].clear();
    Group& group = groups[std::move(name.parts)];
    group.numbers.push_back(number);
    group.members.insert(group.members.end(), name.members.begin(), name.members.end());
  }
  std::vector<Segments> folded;
  for (auto& [key, group] : groups) {
    Segments segments{key, std::move(group.members)};
    segments.parts[position] = fold_numbers(std::move(group.numbers));
    folded.push_back(std::move(segments));
  }
  return folded;
}

}  // namespace

// What stands for any number in the form of a name. (A real "0" is a number too.)
constexpr char kNumber = '0';

std::vector<Fold> fold(std::span<const std::string> names) {
  // Names of one form: the same segments where these are no numbers.
  std::map<std::vector<std::string>, std::vector<Segments>> forms;
  for (std::size_t i = 0; i < names.size(); ++i) {
    Segments segments = split(names[i]);
    segments.members.push_back(i);
    std::vector<std::string> form = segments.parts;
    for (std::string& part : form)
      if (is_number(part)) part.assign(1, kNumber);
    forms[std::move(form)].push_back(std::move(segments));
  }
  std::vector<Fold> folds;
  for (auto& [form, members] : forms) {
    for (std::size_t position = form.size(); position-- > 0;)
      if (form[position].size() == 1 && form[position][0] == kNumber) members = fold_at(std::move(members), position);
    for (Segments& member : members) {
      std::sort(member.members.begin(), member.members.end());
      folds.push_back({fmt::format("{}", fmt::join(member.parts, ".")), std::move(member.members)});
    }
  }
  std::sort(folds.begin(), folds.end(), [](const Fold& a, const Fold& b) { return a.line < b.line; });
  return folds;
}

std::string fold_containers(std::vector<std::string> names) {
  // Many tensors of one container are one mention of it.
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  // The number of a container follows an underscore, not a dot.
  for (std::string& name : names)
    if (const std::size_t at = name.rfind('_');
        at != std::string::npos && is_number(std::string_view(name).substr(at + 1)))
      name[at] = '.';
  std::string text;
  for (const Fold& folded : fold(names)) {
    std::string line = folded.line;
    if (const std::size_t at = line.find('.'); at != std::string::npos) line[at] = '_';
    text += (text.empty() ? "" : ", ") + line;
  }
  return text;
}

}  // namespace mapper

std::vector<std::string> fold_names(std::vector<std::string> names, std::size_t most) {
  std::vector<std::string> lines;
  for (mapper::Fold& folded : mapper::fold(names)) {
    if (lines.size() == most) break;
    lines.push_back(std::move(folded.line));
  }
  return lines;
}

}  // namespace ballast
