#include "failure.hpp"

#include <fmt/format.h>

#include <new>
#include <string>

#include "json.hpp"
#include "process.hpp"
#include "program.hpp"
#include "terminal.hpp"
#include "words.hpp"

namespace ballast::cli {

namespace {

std::string causes_text(const std::exception& error) {
  try {
    std::rethrow_if_nested(error);
  } catch (const std::exception& cause) {
    return fmt::format("  because: {}\n{}", cause.what(), causes_text(cause));
  } catch (...) {
    return "  because of an error of an unknown kind\n";
  }
  return "";
}

int report(const Error& error, const std::exception& whole, bool json) {
  if (error.code() == Errc::cancelled) {
    print_error("cancelled\n");
    if (json) (void)print(document(error_json(error)));
    return kCancelled;
  }
  std::string text;
  const std::string label = paint(Stream::error, Colour::red, "error:");
  for (const Diagnostic& diagnostic : error.diagnostics()) text += fmt::format("{} {}\n", label, to_string(diagnostic));
  text += causes_text(whole);
  const std::size_t kept = error.diagnostics().size();
  if (error.total() > kept) text += fmt::format("... and {} more\n", count_text(error.total() - kept));
  if (error.total() > 1) text += fmt::format("{}.\n", counted(error.total(), "fault"));
  print_error(text);
  if (json) (void)print(document(error_json(error)));
  return kWrongData;
}

int report(Errc code, const char* what, bool json) {
  const Error error(Diagnostic{.code = code, .what = what});
  return report(error, error, json);
}

}  // namespace

int report_failure(bool json) noexcept {
  try {
    try {
      throw;
    } catch (const Error& error) {
      return report(error, error, json);
    } catch (const std::bad_alloc&) {
      return report(Errc::out_of_memory, "there is not enough memory", json);
    } catch (const std::exception& error) {
      return report(Errc::invalid_argument, error.what(), json);
    }
  } catch (...) {
    print_error("ballast: failed, and could not say how\n");
    return kWrongData;
  }
}

void report_warnings(const std::vector<Diagnostic>& warnings) {
  const std::string label = paint(Stream::error, Colour::yellow, "warning:");
  for (const Diagnostic& warning : warnings) print_error(fmt::format("{} {}\n", label, to_string(warning)));
}

}  // namespace ballast::cli
