// The numbers of a model, by the names under which formulas ask for them.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ballast/model_context.hpp"
#include "ballast/policy_rules.hpp"
#include "formula/check.hpp"
#include "formula/evaluate.hpp"

namespace ballast::formula {

// Members of ModelContext that are numbers of a config, and how to get at them.
struct UsualNumber {
  std::string_view name;
  std::uint64_t ModelConfig::*config;
  std::uint64_t ModelContext::*context;
};
[[nodiscard]] std::span<const UsualNumber> usual_numbers() noexcept;

inline constexpr std::string_view kTieWordEmbeddings = "tie_word_embeddings";
inline constexpr std::string_view kTieAbsentHead = "tie_absent_head";
inline constexpr std::string_view kFromGguf = "from_gguf";
inline constexpr std::string_view kTpRank = "tp_rank";
inline constexpr std::string_view kTpSize = "tp_size";
// Whether `gated_layout` is interleaved.
inline constexpr std::string_view kGatedInterleaved = "gated_interleaved";
inline constexpr std::string_view kLayer = "layer";
// Names of rules that become a property of the model begin with it.
inline constexpr std::string_view kProperties = "properties.";

// Names that rules of a context may use: the usual ones, those of the rules, and the config.
[[nodiscard]] Names names_of_rules(const ContextRules& rules);
// Names of a model that was made by such rules; with `of_rank`, also those of the rank that holds it.
[[nodiscard]] Names names_of_model(const ContextRules& rules, bool of_rank);

// A number, condition or list of a model; nothing where it has none of that name.
[[nodiscard]] std::optional<Value> value_of(const ModelContext& model, std::string_view name);

// A model's names, and one more that is set from outside (`layer`).
class ModelScope : public Scope {
 public:
  explicit ModelScope(const ModelContext& model) : model_(model) {}
  void set_layer(std::uint64_t layer) { layer_.emplace(layer); }
  [[nodiscard]] const Value* find(std::string_view name) override;
  [[nodiscard]] Value read(std::string_view path) override;
  [[nodiscard]] bool is_present(std::string_view dependency) override;
  [[nodiscard]] const ModelContext& model() const override { return model_; }

 private:
  const ModelContext& model_;
  std::optional<Value> layer_;
  std::optional<Value> found_;
};

}  // namespace ballast::formula
