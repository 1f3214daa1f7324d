// The two tables of a policy that say how one model of its kind differs from another: how its numbers are read from a
// config, and which container each of its layers is. They are data, so that a policy can be written to a schema file
// and read from one; their formulas are explained in docs/schema-files.md.
//
//   static ContextRules context() {
//     return {
//         {"tie_absent_head", "from_gguf"},
//         {"first_k_dense_replace", "config.first_k_dense_replace ?? gguf.leading_dense_block_count ?? 0"},
//     };
//   }
//   static ContainerMapRules container_map() {
//     return ContainerMapRules()
//         .layers({"model.layers"}, {{schema_of<Dense>(), "layer < first_k_dense_replace"}, {schema_of<Moe>()}})
//         .non_transformer(schema_of<NonTransformer>())
//         .skip("model.layers.{n_layers}", "layers for multi-token prediction");
//   }
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/container_map.hpp"
#include "ballast/detail/formula_syntax.hpp"
#include "ballast/model_config.hpp"
#include "ballast/model_context.hpp"

namespace ballast {

// Numbers of a ModelContext by name, where they are not read in the usual way (ModelContext::from_config). Names that
// are no member of ModelContext become entries of `extra`, lists entries of `lists`, "properties.x" one of
// `properties`. The order does not matter; within its own rule a usual name means what was read in the usual way.
class ContextRules {
 public:
  struct Line {
    std::string_view name;
    FormulaText formula;
  };
  struct Rule {
    std::string name;
    std::string formula;
  };

  ContextRules() = default;
  ContextRules(std::initializer_list<Line> lines);
  // More rules, or others for the same names.
  [[nodiscard]] ContextRules with(std::initializer_list<Line> lines) const;
  // The same, with a formula that is known at run time.
  ContextRules& set(std::string name, std::string formula);

  [[nodiscard]] const std::vector<Rule>& rules() const noexcept { return rules_; }

  // The context of a model, with the usual defaults and checks. Throws Error(context_invalid | formula_invalid) with
  // all faults.
  [[nodiscard]] ModelContext evaluate(const ModelConfig& config) const;

 private:
  std::vector<Rule> rules_;
};

// A container map for every model of a policy (see ContainerMap for what its parts mean). Formulas may use the numbers
// of the context, `layer` where a layer's container is chosen, and `from_gguf`.
class ContainerMapRules {
 public:
  struct Line {
    const ContainerSchema& schema;
    FormulaText when = "true";
  };
  struct Choice {
    const ContainerSchema* schema = nullptr;
    std::string when;
  };
  struct Layers {
    std::vector<std::string> prefixes;
    std::vector<Choice> choices;  // the first whose condition holds
    std::string count;
  };
  struct Skip {
    std::string pattern;  // with formulas in braces: "model.layers.{n_layers}"
    std::string reason;
    std::string when;
  };

  ContainerMapRules& layers(std::vector<std::string> prefixes, const ContainerSchema& schema,
                            FormulaText count = "n_layers");
  ContainerMapRules& layers(std::vector<std::string> prefixes, std::initializer_list<Line> choices,
                            FormulaText count = "n_layers");
  ContainerMapRules& non_transformer(const ContainerSchema& schema);
  ContainerMapRules& non_transformer(std::initializer_list<Line> choices);
  ContainerMapRules& skip(std::string pattern, std::string reason, FormulaText when = "true");
  ContainerMapRules& optional_root(std::string root);
  // The same, with formulas that are known at run time.
  ContainerMapRules& layers(Layers group);
  ContainerMapRules& non_transformer(std::vector<Choice> choices);
  ContainerMapRules& skip(Skip skip);

  [[nodiscard]] const std::vector<Layers>& layer_groups() const noexcept { return layers_; }
  [[nodiscard]] const std::vector<Choice>& rest() const noexcept { return rest_; }
  [[nodiscard]] const std::vector<Skip>& skips() const noexcept { return skips_; }
  [[nodiscard]] const std::vector<std::string>& roots() const noexcept { return roots_; }

  // The map of a model. Throws Error(context_invalid | formula_invalid | limit_exceeded) with all faults.
  [[nodiscard]] ContainerMap evaluate(const ModelContext& context) const;

 private:
  std::vector<Layers> layers_;
  std::vector<Choice> rest_;
  std::vector<Skip> skips_;
  std::vector<std::string> roots_;
};

}  // namespace ballast
