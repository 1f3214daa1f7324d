#include "fold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "ballast/binding.hpp"
#include "ballast/error.hpp"
#include "words.hpp"

namespace ballast::cli {

namespace {

constexpr std::size_t kMostSources = 4;

bool is_joint(char c) { return c == '.' || c == '_'; }

bool balanced(std::string_view text) {
  return std::count(text.begin(), text.end(), '{') == std::count(text.begin(), text.end(), '}');
}

// How many leading bytes all lines share, up to a '.' or '_' and not into braces.
std::size_t common_head(const std::vector<std::string>& lines) {
  std::size_t n = lines[0].size();
  for (const std::string& line : lines)
    n = std::min<std::size_t>(
        n, static_cast<std::size_t>(std::mismatch(lines[0].begin(), lines[0].end(), line.begin(), line.end()).first -
                                    lines[0].begin()));
  while (n > 0 && !(is_joint(lines[0][n - 1]) && balanced(std::string_view(lines[0]).substr(0, n)))) --n;
  return n;
}

// The same from the end, leaving the common head alone.
std::size_t common_tail(const std::vector<std::string>& lines, std::size_t head) {
  const std::string& first = lines[0];
  std::size_t n = first.size() - head;
  for (const std::string& line : lines) {
    const auto [at, other] = std::mismatch(first.rbegin(), first.rend(), line.rbegin(), line.rend());
    n = std::min({n, static_cast<std::size_t>(at - first.rbegin()), line.size() - head});
  }
  while (n > 0 && !(is_joint(first[first.size() - n]) && balanced(std::string_view(first).substr(first.size() - n))))
    --n;
  return n;
}

// "attn_q.weight", "attn_k.weight" -> "attn_{q,k}.weight"; where little would be shared, a list.
std::string join_alternatives(const std::vector<std::string>& lines) {
  if (lines.size() == 1) return lines[0];
  const std::size_t head = common_head(lines);
  const std::size_t tail = common_tail(lines, head);
  if (head == 0 && tail == 0) return joined(lines);
  std::vector<std::string> middles;
  for (const std::string& line : lines) middles.push_back(line.substr(head, line.size() - head - tail));
  return fmt::format("{}{{{}}}{}", lines[0].substr(0, head), fmt::join(middles, ","),
                     lines[0].substr(lines[0].size() - tail));
}

}  // namespace

std::string fold_container_names(const std::vector<std::string>& names) {
  // A container's number follows its last underscore; fold_names looks for numbers between dots.
  std::vector<std::string> dotted = names;
  for (std::string& name : dotted)
    if (const std::size_t at = name.rfind('_'); at != std::string::npos) name[at] = '.';
  dotted = fold_names(std::move(dotted));
  for (std::string& name : dotted)
    if (const std::size_t at = name.find('.'); at != std::string::npos) name[at] = '_';
  return printable(joined(dotted));
}

std::string fold_sources(std::span<const std::vector<std::string>> of_containers) {
  std::size_t most = 0;
  for (const auto& sources : of_containers) most = std::max(most, sources.size());
  std::vector<std::string> lines;
  // By dependency, so that q, k, v stay in this order.
  for (std::size_t i = 0; i < most; ++i) {
    std::vector<std::string> names;
    for (const auto& sources : of_containers)
      if (i < sources.size()) names.push_back(sources[i]);
    for (std::string& line : fold_names(std::move(names), kMostSources + 1)) lines.push_back(std::move(line));
  }
  if (lines.size() > kMostSources) lines = fold_names(std::move(lines), kMostSources + 1);  // experts
  if (lines.size() > kMostSources) {
    lines.resize(kMostSources);
    return printable(joined(lines), 400) + ", ...";
  }
  return lines.empty() ? "" : printable(join_alternatives(lines), 400);
}

std::vector<Alike> fold_alike(const std::vector<std::string>& names, const std::vector<std::string>& looks) {
  std::vector<Alike> alike;
  std::map<std::string_view, std::size_t> seen;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [at, is_new] = seen.emplace(looks[i], alike.size());
    if (is_new) alike.emplace_back();
    alike[at->second].members.push_back(i);
  }
  for (Alike& group : alike) {
    std::vector<std::string> members;
    for (const std::size_t member : group.members) members.push_back(names[member]);
    group.name = fold_container_names(members);
  }
  return alike;
}

}  // namespace ballast::cli
