#include "formula/model_scope.hpp"

#include <array>

namespace ballast::formula {

namespace {

constexpr std::array<UsualNumber, 12> kUsual{{
    {"model_dim", &ModelConfig::model_dim, &ModelContext::model_dim},
    {"n_layers", &ModelConfig::n_layers, &ModelContext::n_layers},
    {"n_heads", &ModelConfig::n_heads, &ModelContext::n_heads},
    {"n_heads_kv", &ModelConfig::n_heads_kv, &ModelContext::n_heads_kv},
    {"head_size", &ModelConfig::head_size, &ModelContext::head_size},
    {"intermediate_dim", &ModelConfig::intermediate_dim, &ModelContext::intermediate_dim},
    {"vocab_size", &ModelConfig::vocab_size, &ModelContext::vocab_size},
    {"n_experts", &ModelConfig::n_experts, &ModelContext::n_experts},
    {"moe_intermediate_dim", &ModelConfig::moe_intermediate_dim, &ModelContext::moe_intermediate_dim},
    {"shared_intermediate_dim", &ModelConfig::shared_intermediate_dim, &ModelContext::shared_intermediate_dim},
    {"max_positions", &ModelConfig::max_positions, &ModelContext::max_positions},
    {"type_vocab_size", &ModelConfig::type_vocab_size, &ModelContext::type_vocab_size},
}};

Names usual_names() {
  Names names;
  for (const UsualNumber& one : kUsual) names.kinds.emplace(one.name, Kind::number);
  for (const std::string_view one : {kTieWordEmbeddings, kTieAbsentHead, kFromGguf})
    names.kinds.emplace(one, Kind::boolean);
  return names;
}

// The kind that each rule gives, where it can be told without looking at the others' kinds first.
void add_rules(const ContextRules& rules, Names& names) {
  Names unknown = names;
  for (const ContextRules::Rule& rule : rules.rules()) unknown.kinds.try_emplace(rule.name, Kind::any);
  unknown.reads_config = true;
  for (const ContextRules::Rule& rule : rules.rules()) {
    Kind found = Kind::any;
    for (const Kind kind : {Kind::boolean, Kind::number, Kind::list}) {
      std::vector<Fault> faults;
      if (found == Kind::any && compile(rule.formula, unknown, kind, faults)) found = kind;
    }
    // A config's value is of any kind: every one of them passed.
    std::vector<Fault> faults;
    if (compile(rule.formula, unknown, Kind::boolean, faults) && compile(rule.formula, unknown, Kind::list, faults))
      found = Kind::any;
    names.kinds.try_emplace(rule.name, found);
  }
}

}  // namespace

std::span<const UsualNumber> usual_numbers() noexcept { return kUsual; }

Names names_of_rules(const ContextRules& rules) {
  Names names = usual_names();
  add_rules(rules, names);
  names.reads_config = true;
  return names;
}

Names names_of_model(const ContextRules& rules, bool of_rank) {
  Names names = usual_names();
  add_rules(rules, names);
  if (of_rank) {
    names.kinds.emplace(kTpRank, Kind::number);
    names.kinds.emplace(kTpSize, Kind::number);
    names.kinds.emplace(kGatedInterleaved, Kind::boolean);
  }
  return names;
}

std::optional<Value> value_of(const ModelContext& model, std::string_view name) {
  if (name == kTieWordEmbeddings) return Value(model.tie_word_embeddings);
  if (name == kTieAbsentHead) return Value(model.tie_absent_head);
  if (name == kFromGguf) return Value(model.from_gguf);
  if (name == kTpRank) return Value(model.tp_rank);
  if (name == kGatedInterleaved) return Value(model.gated_layout == GatedLayout::interleaved);
  if (const auto number = model.attribute(name)) return Value(*number);
  if (const auto found = model.lists.find(name); found != model.lists.end())
    return Value(List(found->second.begin(), found->second.end()));
  return std::nullopt;
}

const Value* ModelScope::find(std::string_view name) {
  if (name == kLayer && layer_) return &*layer_;
  found_ = value_of(model_, name);
  return found_ ? &*found_ : nullptr;
}

Value ModelScope::read(std::string_view path) { return Absent{std::string(path), false}; }
bool ModelScope::is_present(std::string_view) { return false; }

}  // namespace ballast::formula
