#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ballast/error.hpp"
#include "ballast/policy_rules.hpp"
#include "formula/model_scope.hpp"

namespace ballast::formula {

namespace {

// As ModelContext::from_config bounds the usual numbers: products of them stay far from overflow.
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 31U;

Value from_document(const ballast::Value& value, std::string what) {
  if (value.is_null()) return Absent{std::move(what), false};
  if (const auto number = value.unsigned_integer()) return *number;
  if (const auto boolean = value.boolean()) return *boolean;
  if (const auto* text = value.string()) return *text;
  if (const auto* array = value.array()) {
    List list;
    for (const ballast::Value& element : *array) {
      if (const auto number = element.unsigned_integer())
        list.emplace_back(*number);
      else if (const auto* text = element.string())
        list.emplace_back(*text);
      else if (const auto boolean = element.boolean())
        list.emplace_back(std::uint64_t{*boolean ? 1U : 0U});
      else
        return Absent{std::move(what) + " in a form that can be used", false};
    }
    return list;
  }
  return Absent{std::move(what) + " in a form that can be used", false};
}

// Evaluates the rules of one config, each when it is first asked for.
class RuleScope : public Scope {
 public:
  RuleScope(const ContextRules& rules, const ModelConfig& config) : config_(config) {
    const Names names = names_of_rules(rules);
    for (const ContextRules::Rule& rule : rules.rules()) {
      std::vector<Fault> wrong;
      Entry& entry = entries_[rule.name];
      entry.rule = &rule;
      entry.tree = compile(rule.formula, names, Kind::any, wrong);
      for (const Fault& fault : wrong) complain(fault, rule);
    }
  }

  // Nothing where it cannot be had; a fault says why, once.
  std::optional<Value> result(const std::string& name) {
    const auto found = entries_.find(name);
    if (found == entries_.end() || !settle(found->second)) return std::nullopt;
    return found->second.value;
  }
  Diagnostics& faults() { return faults_; }

  void complain(const Fault& fault, const ContextRules::Rule& rule) {
    Diagnostic d = to_diagnostic(fault, rule.formula);
    d.operation = "read config";
    d.what = fmt::format("{}: {}", rule.name, d.what);
    d.file = config_.path;
    faults_.add(std::move(d));
  }

  const Value* find(std::string_view name) override {
    const auto entry = entries_.find(name);
    const bool own = entry != entries_.end() && !running_.empty() && running_.back() == &entry->second;
    if (entry == entries_.end() || own) {
      found_ = usual(name, own);
      return found_ ? &*found_ : nullptr;
    }
    if (!settle(entry->second)) throw Silent();
    return &entry->second.value;
  }

  Value read(std::string_view path) override {
    const bool from_gguf = path.starts_with("gguf.");
    const std::string key(path.substr(path.find('.') + 1));
    const std::string what = fmt::format("'{}'", key);
    if (from_gguf != config_.from_gguf) return Absent{what, false};
    const ballast::Value* value = from_gguf ? config_.document.find(config_.model_type + "." + key) : config_.find(key);
    return value == nullptr ? Value(Absent{what, false}) : from_document(*value, what);
  }

  bool is_present(std::string_view) override { return false; }
  const ModelContext& model() const override { return model_; }

 private:
  struct Entry {
    const ContextRules::Rule* rule = nullptr;
    std::optional<Tree> tree;
    Value value;
    enum class State : std::uint8_t { waiting, running, good, bad } state = State::waiting;
  };
  struct Silent {};  // what was asked for has a fault of its own

  // A rule has a result; what stands for 0 where it is absent is one.
  static Value present(Value value, const Node& root) {
    if (const auto* absent = std::get_if<Absent>(&value); absent != nullptr && !absent->reads_as_zero)
      (void)as_number(value, root);
    return value;
  }

  bool settle(Entry& entry) {
    if (entry.state == Entry::State::running) {
      complain({0, "the rule needs its own result", "a rule without a circle", "", "", Errc::formula_invalid},
               *entry.rule);
      return false;
    }
    if (entry.state != Entry::State::waiting) return entry.state == Entry::State::good;
    entry.state = Entry::State::running;
    running_.push_back(&entry);
    bool good = entry.tree.has_value();
    try {
      if (good) entry.value = present(evaluate(*entry.tree, *this), entry.tree->root());
    } catch (const Trouble& trouble) {
      complain(trouble.fault, *entry.rule);
      good = false;
    } catch (const Silent&) {
      good = false;
    }
    running_.pop_back();
    entry.state = good ? Entry::State::good : Entry::State::bad;
    return good;
  }

  std::optional<Value> usual(std::string_view name, bool as_stated) {
    for (const UsualNumber& one : usual_numbers()) {
      if (one.name != name) continue;
      const std::uint64_t stated = config_.*one.config;
      if (stated != 0) return stated;
      if (!as_stated && name == "n_heads_kv") return number_of("n_heads");
      if (!as_stated && name == "head_size") {
        const std::uint64_t heads = number_of("n_heads");
        if (heads != 0) return number_of("model_dim") / heads;
      }
      return Absent{fmt::format("'{}'", name), true};
    }
    if (name == kTieWordEmbeddings) {
      if (config_.tie_word_embeddings) return *config_.tie_word_embeddings;
      return Absent{fmt::format("'{}'", name), true};
    }
    if (name == kTieAbsentHead) return false;
    if (name == kFromGguf) return config_.from_gguf;
    return std::nullopt;
  }

  std::uint64_t number_of(std::string_view name) {
    const Value* value = find(name);
    const auto* number = value == nullptr ? nullptr : std::get_if<std::uint64_t>(value);
    return number == nullptr ? 0 : *number;
  }

  const ModelConfig& config_;
  ModelContext model_;
  std::map<std::string, Entry, std::less<>> entries_;
  std::vector<Entry*> running_;
  std::optional<Value> found_;
  Diagnostics faults_;
};

void bound(RuleScope& scope, const ContextRules::Rule& rule, std::uint64_t number) {
  if (number > kMostElements)
    scope.complain({0, "the number is absurd", fmt::format("at most {}", kMostElements), std::to_string(number), "",
                    Errc::context_invalid},
                   rule);
}

// Where the numbers of a rule go that are no usual ones.
void set_extra(RuleScope& scope, const ContextRules::Rule& rule, const Value& value, ModelContext& m) {
  const auto* list = std::get_if<List>(&value);
  const bool is_property = rule.name.starts_with(kProperties);
  if (list == nullptr || is_property) {
    const Node place;
    const std::uint64_t number = as_number(value, place);
    bound(scope, rule, number);
    if (is_property)
      m.properties[rule.name.substr(kProperties.size())] = number;
    else
      m.extra[rule.name] = number;
    return;
  }
  std::vector<std::uint64_t>& numbers = m.lists[rule.name];
  for (const Scalar& one : *list) {
    const auto* number = std::get_if<std::uint64_t>(&one);
    if (number == nullptr) {
      scope.complain({0, "a list of the model holds something other than numbers", "whole numbers",
                      std::get<std::string>(one), "", Errc::context_invalid},
                     rule);
      return;
    }
    bound(scope, rule, *number);
    numbers.push_back(*number);
  }
}

// What from_config reads, with the rules' results in place of what was stated; without the document, which may be
// large.
ModelConfig stated(const ModelConfig& config) {
  ModelConfig copy;
  copy.path = config.path;
  copy.from_gguf = config.from_gguf;
  copy.model_type = config.model_type;
  for (const UsualNumber& one : usual_numbers()) copy.*one.config = config.*one.config;
  copy.tie_word_embeddings = config.tie_word_embeddings;
  return copy;
}

void apply(RuleScope& scope, const ContextRules::Rule& rule, ModelConfig& config, ModelContext& m) {
  const std::optional<Value> value = scope.result(rule.name);
  if (!value) return;
  const Node place;
  for (const UsualNumber& one : usual_numbers())
    if (one.name == rule.name) {
      const std::uint64_t number = as_number(*value, place);
      bound(scope, rule, number);
      config.*one.config = number;
      return;
    }
  if (rule.name == kTieWordEmbeddings)
    config.tie_word_embeddings = as_condition(*value, place);
  else if (rule.name == kTieAbsentHead)
    m.tie_absent_head = as_condition(*value, place);
  else
    set_extra(scope, rule, *value, m);
}

ModelContext evaluate_rules(const ContextRules& rules, const ModelConfig& config) {
  RuleScope scope(rules, config);
  ModelConfig numbers = stated(config);
  ModelContext extras;
  for (const ContextRules::Rule& rule : rules.rules()) {
    try {
      apply(scope, rule, numbers, extras);
    } catch (const Trouble& trouble) {
      scope.complain(trouble.fault, rule);
    }
  }
  ModelContext m;
  try {
    m = ModelContext::from_config(numbers);
  } catch (const Error& error) {
    scope.faults().append(error.faults());
  }
  scope.faults().throw_if_any();
  m.tie_absent_head = extras.tie_absent_head;
  m.extra = std::move(extras.extra);
  m.lists = std::move(extras.lists);
  m.properties = std::move(extras.properties);
  return m;
}

}  // namespace

}  // namespace ballast::formula

namespace ballast {

ContextRules::ContextRules(std::initializer_list<Line> lines) : ContextRules(ContextRules().with(lines)) {}

ContextRules ContextRules::with(std::initializer_list<Line> lines) const {
  ContextRules all = *this;
  for (const Line& line : lines) all.set(std::string(line.name), std::string(line.formula.text()));
  return all;
}

ContextRules& ContextRules::set(std::string name, std::string formula) {
  const auto same = std::find_if(rules_.begin(), rules_.end(), [&](const Rule& rule) { return rule.name == name; });
  if (same != rules_.end())
    same->formula = std::move(formula);
  else
    rules_.push_back({std::move(name), std::move(formula)});
  return *this;
}

ModelContext ContextRules::evaluate(const ModelConfig& config) const {
  return rules_.empty() ? ModelContext::from_config(config) : formula::evaluate_rules(*this, config);
}

}  // namespace ballast
