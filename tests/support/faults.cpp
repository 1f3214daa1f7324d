#include "support/faults.hpp"

#include <algorithm>
#include <string>

namespace ballast::test {

testing::AssertionResult has_fault(const std::optional<Error>& error, Errc code,
                                   std::initializer_list<std::string_view> parts) {
  if (!error) return testing::AssertionFailure() << "no ballast::Error was thrown";
  for (const Diagnostic& diagnostic : error->diagnostics()) {
    if (diagnostic.code != code) continue;
    const std::string text = to_string(diagnostic);
    const auto contained = [&text](std::string_view part) { return text.find(part) != std::string::npos; };
    if (std::all_of(parts.begin(), parts.end(), contained)) return testing::AssertionSuccess();
  }
  testing::AssertionResult failure = testing::AssertionFailure() << "no " << name(code) << " with";
  for (const std::string_view part : parts) failure << " \"" << part << "\"";
  failure << " among\n";
  for (const Diagnostic& diagnostic : error->diagnostics())
    failure << name(diagnostic.code) << ": " << to_string(diagnostic) << "\n";
  return failure;
}

std::size_t count_faults(const std::optional<Error>& error, Errc code) {
  if (!error) return 0;
  const auto& all = error->diagnostics();
  const auto same = [code](const Diagnostic& diagnostic) { return diagnostic.code == code; };
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), same));
}

}  // namespace ballast::test
