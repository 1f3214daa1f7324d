// Schema files, made wrong in one way or another.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "ballast/schema_file.hpp"
#include "support/faults.hpp"

namespace ballast::test {

// A sound file, each part on lines of its own.
inline constexpr std::string_view kSound = R"json({
  "ballast_schema": 1,
  "name": "tiny",
  "model_types": ["tiny"],
  "architectures": ["TinyModel"],
  "context": {
    "n_dense": "config.n_dense ?? 0"
  },
  "parameters": {
    "Weight": {"dependencies": {"params": "single"}, "recipe": "to_activation_dtype(params)"},
    "Bias": {"dependencies": {"params": "optional"}, "recipe": "present(params) ? params : nothing"},
    "Experts": {"dependencies": {"all": {"list": "n_experts"}}, "recipe": "stack(0, all)"}
  },
  "containers": {
    "Dense": {
      "parameters": {"w": "Weight", "b": "Bias"},
      "rules": [
        {"from": "w.weight", "to": "w.params"},
        {"from": ["b.bias", "bias"], "to": "b.params"}
      ]
    },
    "Sparse": {
      "base": "Dense",
      "parameters": {"experts": "Experts"},
      "rules": [{"from": "experts.*.weight", "to": "experts.all"}]
    },
    "Rest": {
      "parameters": {"emb": "Weight"},
      "rules": [{"from": "emb.weight", "to": "emb.params"}]
    }
  },
  "container_map": {
    "layers": [
      {"prefixes": ["h"], "choices": [{"container": "Dense", "when": "layer < n_dense"}, {"container": "Sparse"}]}
    ],
    "rest": "Rest",
    "skip": [{"prefix": "h.{n_layers}", "reason": "one layer more"}]
  }
}
)json";

// The sound file with `from`, which must be there once, replaced.
inline std::string with(std::string_view from, std::string_view to, std::string_view text = kSound) {
  std::string changed(text);
  const std::size_t at = changed.find(from);
  if (at == std::string::npos || changed.find(from, at + 1) != std::string::npos) {
    ADD_FAILURE() << "not there once: " << from;
    return changed;
  }
  return changed.replace(at, from.size(), to);
}

inline std::optional<Error> error_of_file(const std::string& text) {
  return error_of([&] { (void)parse_schema_file(text, "my.json"); });
}

// That the one fault of a file is this, at this place.
inline testing::AssertionResult has_only(const std::string& text, Errc code, std::string_view what,
                                         std::string_view place, std::initializer_list<std::string_view> parts = {}) {
  const std::optional<Error> error = error_of_file(text);
  if (!error) return testing::AssertionFailure() << "nothing is wrong";
  const Diagnostic& d = error->diagnostics().front();
  if (error->total() != 1 || d.code != code || d.what != what || d.place != place || d.file != "my.json")
    return testing::AssertionFailure() << error->total() << " faults, place '" << d.place << "':\n" << error->what();
  return has_fault(error, code, parts);
}

}  // namespace ballast::test
