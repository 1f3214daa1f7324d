// The runtime form of a container: what declared containers and data-declared ones become.
//
// A schema is immutable once made and safe to share between threads. Making one checks the definition rules D1-D8
// (docs/mapping.md) and throws Error with every fault; declared containers have been checked by then, while compiling.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ballast/detail/definition.hpp"
#include "ballast/model_context.hpp"
#include "ballast/recipe.hpp"

namespace ballast {

using DependencyKind = detail::DependencyKind;

// The operands of a parameter when its recipe is built: for each dependency, in the order of declaration, one recipe
// (a single), none or one (an optional), or one for each index (a list).
class Operands {
 public:
  explicit Operands(std::span<const std::span<const Recipe>> dependencies) : dependencies_(dependencies) {}
  [[nodiscard]] std::size_t size() const noexcept { return dependencies_.size(); }
  [[nodiscard]] std::span<const Recipe> operator[](std::size_t dependency) const { return dependencies_[dependency]; }

 private:
  std::span<const std::span<const Recipe>> dependencies_;
};

struct DependencySchema {
  std::string name;
  DependencyKind kind = DependencyKind::single;
  // Of a list: the name of its length for messages, and how to get it from a model context. Where `length` is empty the
  // name is looked up with ModelContext::attribute; an unknown one is Error(unknown_list_length).
  std::string length_name;
  std::function<std::uint64_t(const ModelContext&)> length;
  // Of a parameter that checkpoints store in one of several forms: which of them this belongs to, from 1. All or none
  // of a parameter's dependencies have a form.
  std::uint8_t form = 0;
};

struct ParameterSchema {
  std::string name;
  std::string type;  // of the declaration: "UnfusedQkv"
  std::vector<DependencySchema> dependencies;
  std::function<Recipe(const ModelContext&, const Operands&)> finalize;
  std::string place{};  // where it is declared, for messages: of a schema file only

  [[nodiscard]] std::optional<std::size_t> find(std::string_view dependency) const noexcept;

  // The form that is there, of those of which `is_there(dependency index)` holds for some dependency; the first form
  // where it holds for none, and 0 where there are no forms.
  template <class IsThere>
  [[nodiscard]] std::uint8_t present_form(IsThere&& is_there) const {
    for (std::size_t d = 0; d < dependencies.size(); ++d)
      if (dependencies[d].form != 0 && is_there(d)) return dependencies[d].form;
    return dependencies.empty() ? std::uint8_t{0} : dependencies.front().form;
  }
};

struct MappingTarget {
  std::string parameter;
  std::string dependency;
};

// One line of a param mapping: the source names (ordered alternatives, the first that a checkpoint has wins) and what
// they fill.
struct MappingRule {
  std::vector<std::string> sources;
  std::vector<MappingTarget> targets;
  // Full names (not relative to the container; alternatives) of the tensor that fills the targets when none of the
  // sources is there and the model ties its embeddings.
  std::vector<std::string> tied_to;
  std::string place{};  // where it is declared, for messages: of a schema file only
};

// Where a source name leads.
struct MappingMatch {
  std::size_t rule = 0;
  std::size_t alternative = 0;            // which of the rule's sources matched
  std::optional<std::string_view> index;  // the segment that '*' of a list pattern stood for
};

class ContainerSchema {
 public:
  // Rules in text form: "self_attn.q_proj.weight" -> "qkv_w.q_params". Throws Error(malformed_target) for a target
  // without a dot, and everything that the definition rules find, together. No rules at all: filled by hand (D8).
  [[nodiscard]] static ContainerSchema make(std::string name, std::vector<ParameterSchema> parameters,
                                            const std::vector<std::pair<std::string, std::vector<std::string>>>& rules);
  // The general form. `base`, where given, contributes its parameters and rules; those of the same name or the same
  // target given here win (D6).
  ContainerSchema(std::string name, std::vector<ParameterSchema> parameters, std::vector<MappingRule> rules,
                  const ContainerSchema* base = nullptr);

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] const std::vector<ParameterSchema>& parameters() const noexcept { return parameters_; }
  [[nodiscard]] const std::vector<MappingRule>& rules() const noexcept { return rules_; }
  [[nodiscard]] bool has_mapping() const noexcept { return !rules_.empty(); }
  [[nodiscard]] std::size_t n_params() const noexcept { return parameters_.size(); }
  [[nodiscard]] std::optional<std::size_t> find(std::string_view parameter) const noexcept;
  [[nodiscard]] std::vector<std::string> list_patterns() const;  // the patterns that fill lists

  // The rules that claim a source name (relative to the container): an exact name before a list pattern before a
  // leading-path pattern. More than one only where two patterns of the last kind match.
  [[nodiscard]] std::vector<MappingMatch> match(std::string_view source) const;
  // The same where at most one can match, without allocating; `ambiguous` is set where `match` would give more.
  [[nodiscard]] std::optional<MappingMatch> match_one(std::string_view source, bool* ambiguous = nullptr) const;

  // Where the targets of a rule are: parameter and dependency indices.
  struct Place {
    std::uint32_t parameter;
    std::uint32_t dependency;
  };
  [[nodiscard]] const std::vector<Place>& places(std::size_t rule) const { return places_[rule]; }
  // The rule that fills a dependency; nothing for an optional one without a rule, or without mapping.
  [[nodiscard]] std::optional<std::size_t> rule_of(std::size_t parameter, std::size_t dependency) const noexcept;

 private:
  struct PatternRef {
    std::string prefix;  // before the '*', with its dot
    std::string suffix;  // after it, with its dot
    std::uint32_t rule;
    std::uint32_t alternative;
  };
  struct StringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>()(text); }
  };

  void inherit(const ContainerSchema& base);
  void compile();

  std::string name_;
  std::vector<ParameterSchema> parameters_;
  std::vector<MappingRule> rules_;
  std::vector<std::vector<Place>> places_;
  std::unordered_map<std::string, std::pair<std::uint32_t, std::uint32_t>, StringHash, std::equal_to<>> exact_;
  std::vector<PatternRef> lists_;
  std::vector<PatternRef> paths_;
};

// The length of a list dependency in a model. Throws Error(unknown_list_length), or Error(limit_exceeded) beyond
// 65,536 elements.
[[nodiscard]] std::uint64_t list_length(const DependencySchema& dependency, const ModelContext& context);

}  // namespace ballast
