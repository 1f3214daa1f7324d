// Which policy the names of a checkpoint look like. Asked only when something is wrong, and then of every policy: so a
// bounded number of names is looked at, some of each form, and each stands for the others of its form.
#include "models/resemblance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace ballast {

namespace {

constexpr std::size_t kMostNames = 4096;
constexpr std::size_t kMostOfAForm = 64;

// Names that differ in numbers only.
struct Form {
  std::uint64_t count = 0;
  std::vector<std::string_view> some;
};

struct Names {
  std::vector<Form> forms;
  std::uint64_t total = 0;  // those that the forms stand for
  // What the names themselves say of the model, for configs that do not.
  std::uint64_t n_layers = 0;
  std::uint64_t n_experts = 0;
};

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 9 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The form of a name into `form`; its first two numbers raise the counts of layers and experts.
void take_apart(std::string_view name, std::string& form, Names& names) {
  form.clear();
  std::uint64_t* counts[] = {&names.n_layers, &names.n_experts};
  std::size_t n_numbers = 0;
  for (std::string_view rest = name;;) {
    const std::size_t dot = rest.find('.');
    const std::string_view segment = rest.substr(0, dot);
    if (is_number(segment)) {
      form += '0';
      std::uint64_t number = 0;
      std::from_chars(segment.data(), segment.data() + segment.size(), number);
      if (n_numbers < 2) *counts[n_numbers] = std::max(*counts[n_numbers], number + 1);
      ++n_numbers;
    } else {
      form += segment;
    }
    if (dot == std::string_view::npos) return;
    form += '.';
    rest.remove_prefix(dot + 1);
  }
}

Names names_of(const Catalog& catalog) {
  Names names;
  std::unordered_map<std::string, std::size_t> by_form;
  std::string form;
  std::size_t kept = 0;
  for (const TensorInfo& tensor : catalog.tensors) {
    take_apart(tensor.name, form, names);
    auto found = by_form.find(form);
    if (found == by_form.end()) {
      if (kept == kMostNames) continue;  // not looked at
      found = by_form.emplace(form, names.forms.size()).first;
      names.forms.emplace_back();
    }
    Form& mine = names.forms[found->second];
    ++mine.count;
    ++names.total;
    if (mine.some.size() == kMostOfAForm || (kept == kMostNames && !mine.some.empty())) continue;
    mine.some.push_back(tensor.name);
    ++kept;
  }
  // No published model has more; a policy makes something of each.
  names.n_layers = std::min<std::uint64_t>(names.n_layers, 1024);
  names.n_experts = std::min<std::uint64_t>(names.n_experts, 1024);
  return names;
}

// The config with what every policy needs: numbers that it lacks are those of the names, or any that agree.
ModelConfig completed(const Catalog& catalog, const Names& names) {
  ModelConfig config = catalog.config.value_or(ModelConfig());
  const std::uint64_t layers = std::max<std::uint64_t>(names.n_layers, 1);
  if (config.n_layers == 0 || config.n_layers > 4096) config.n_layers = layers;
  if (config.n_experts == 0 && names.n_experts > 1) config.n_experts = names.n_experts;
  config.n_heads = config.n_heads_kv = 1;
  config.head_size = 64;
  config.model_dim = 64;
  if (config.intermediate_dim == 0) config.intermediate_dim = 64;
  if (config.vocab_size == 0) config.vocab_size = 64;
  return config;
}

// The container map of a policy for a checkpoint that may be of another; nothing where it cannot be made.
std::optional<ContainerMap> map_of(const InferencePolicy& policy, const Catalog& catalog, const ModelConfig& complete) {
  const auto made_of = [&](const ModelConfig& config) -> std::optional<ContainerMap> {
    try {
      return policy.container_map(policy.context(config));
    } catch (const std::exception&) {  // a policy may throw what it likes at a config that is not its own
      return std::nullopt;
    }
  };
  if (catalog.config)
    if (auto map = made_of(*catalog.config)) return map;
  if (auto map = made_of(complete)) return map;
  try {
    ModelContext bare;
    bare.model_type = std::string(policy.name());
    bare.n_layers = complete.n_layers;
    bare.n_experts = complete.n_experts;
    bare.n_heads = bare.n_heads_kv = 1;
    bare.head_size = bare.model_dim = bare.intermediate_dim = bare.vocab_size = 64;
    return policy.container_map(bare);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

// What a policy makes of names.
class Score {
 public:
  explicit Score(const ContainerMap& map) : map_(map) {
    for (const ContainerMap::Layers& group : map.layer_groups()) {
      std::vector<const ContainerSchema*> distinct = group.schemas;
      std::sort(distinct.begin(), distinct.end());
      distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
      for (std::size_t i = 0; i < group.schemas.size(); ++i) {
        layers_.push_back(group.schemas[i]);
        group_of_.push_back(groups_.size());
      }
      for (const ContainerSchema* schema : distinct) await(*schema);
      groups_.push_back(std::move(distinct));
    }
    if (map.rest() != nullptr) await(*map.rest());
  }

  enum class Fate : std::uint8_t { unknown, skipped, placed };
  Fate look(std::string_view name) {
    const ContainerMap::Route route = map_.route(name);
    switch (route.kind) {
      case ContainerMap::RouteKind::skip:
        return Fate::skipped;
      case ContainerMap::RouteKind::layer:
        return place(*layers_[route.container], route.local);
      case ContainerMap::RouteKind::bad_layer:
        return is_number(route.index) ? place_beyond(route) : Fate::unknown;
      case ContainerMap::RouteKind::rest:
        break;
    }
    return map_.rest() == nullptr ? Fate::unknown : place(*map_.rest(), route.local);
  }

  // Parameters for which there was no name.
  [[nodiscard]] std::uint64_t lacking() const {
    std::uint64_t count = 0;
    for (const auto& [schema, seen] : seen_)
      count += static_cast<std::uint64_t>(std::count(seen.begin(), seen.end(), 0));
    return count;
  }

 private:
  // A parameter is waited for where it has a dependency that is not optional and has no tie.
  void await(const ContainerSchema& schema) {
    const auto [at, is_new] = seen_.try_emplace(&schema, schema.n_params(), char{1});
    if (!is_new) return;
    for (std::size_t r = 0; r < schema.rules().size(); ++r)
      for (const ContainerSchema::Place& place : schema.places(r))
        if (schema.rules()[r].tied_to.empty() &&
            schema.parameters()[place.parameter].dependencies[place.dependency].kind != DependencyKind::optional)
          at->second[place.parameter] = 0;
  }

  Fate place(const ContainerSchema& schema, std::string_view local) {
    const auto match = schema.match_one(local);
    if (!match) return Fate::unknown;
    for (const ContainerSchema::Place& place : schema.places(match->rule)) seen_[&schema][place.parameter] = 1;
    return Fate::placed;
  }

  // A layer that the config does not have: any of its group's schemas will do.
  Fate place_beyond(const ContainerMap::Route& route) {
    if (route.container >= group_of_.size()) return Fate::unknown;
    for (const ContainerSchema* schema : groups_[group_of_[route.container]])
      if (place(*schema, route.local) == Fate::placed) return Fate::placed;
    return Fate::unknown;
  }

  const ContainerMap& map_;
  std::vector<const ContainerSchema*> layers_;
  std::vector<std::size_t> group_of_;                        // of each layer
  std::vector<std::vector<const ContainerSchema*>> groups_;  // the distinct schemas of each
  std::unordered_map<const ContainerSchema*, std::vector<char>> seen_;
};

Resemblance score(const InferencePolicy& policy, const Names& names, const ContainerMap& map) {
  Resemblance result;
  result.policy = &policy;
  result.names = names.total;
  Score score(map);
  for (const Form& form : names.forms) {
    std::uint64_t placed = 0, skipped = 0;
    for (const std::string_view name : form.some) {
      const Score::Fate fate = score.look(name);
      placed += fate == Score::Fate::placed ? 1 : 0;
      skipped += fate == Score::Fate::skipped ? 1 : 0;
    }
    // Counts of names fit 32 bits, and a form has few representatives.
    result.placed += form.count * placed / form.some.size();
    result.known += form.count * (placed + skipped) / form.some.size();
  }
  result.lacking = score.lacking();
  return result;
}

// Fewer names lacking decide between policies that know the same names: one that awaits what is not there is not it.
bool is_better(const Resemblance& a, const Resemblance& b) {
  return std::pair(b.placed, a.lacking) < std::pair(a.placed, b.lacking);
}

bool is_likely(const Resemblance& one) { return one.placed != 0 && one.known * 2 >= one.names; }

std::string quoted_names(const std::vector<Resemblance>& all, std::size_t n) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (std::size_t i = 0; i < n && i < kShown; ++i)
    text += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == n ? " or " : ", ", all[i].policy->name());
  return n > kShown ? fmt::format("{} or {} others", text, n - kShown) : text;
}

// How many of the first are equally good.
std::size_t n_equal(const std::vector<Resemblance>& all) {
  std::size_t n = 1;
  while (n < all.size() && !is_better(all[0], all[n])) ++n;
  return n;
}

std::string share(const Resemblance& one) { return fmt::format("{} of {} names", one.known, one.names); }

// Those of a registry, and those of Ballast that it lacks.
std::vector<const InferencePolicy*> known_policies(const PolicyRegistry& registry) {
  std::vector<const InferencePolicy*> all = registry.all();
  for (const InferencePolicy* policy : PolicyRegistry::global().all())
    if (registry.find(policy->name()) == nullptr) all.push_back(policy);
  return all;
}

}  // namespace

std::vector<Resemblance> resemblances_of(const Catalog& catalog, std::span<const InferencePolicy* const> policies) {
  const Names names = names_of(catalog);
  const ModelConfig complete = completed(catalog, names);
  std::vector<Resemblance> all;
  for (const InferencePolicy* policy : policies)
    if (const auto map = map_of(*policy, catalog, complete)) all.push_back(score(*policy, names, *map));
  std::stable_sort(all.begin(), all.end(), is_better);
  return all;
}

std::optional<Diagnostic> another_architecture(const Catalog& catalog, const InferencePolicy& chosen,
                                               const PolicyRegistry& registry) {
  const std::vector<Resemblance> all = resemblances_of(catalog, known_policies(registry));
  const auto mine = std::find_if(all.begin(), all.end(), [&](const Resemblance& r) { return r.policy == &chosen; });
  if (mine == all.end() || catalog.tensors.empty()) return std::nullopt;
  const Resemblance& best = all.front();
  // A stray name makes no other architecture, if that one would lack more. Where both know the same names, only one
  // that lacks nothing is worth a word.
  const bool fits = best.lacking <= mine->lacking || !is_likely(*mine);
  const bool better = (best.placed > mine->placed && fits) || (is_better(best, *mine) && best.lacking == 0);
  if (better ? !is_likely(best) && is_likely(*mine) : is_likely(*mine)) return std::nullopt;
  Diagnostic d;
  d.code = Errc::another_architecture;
  d.operation = "choose policy";
  d.file = catalog.path;
  d.expected = fmt::format("names of '{}', which {} are", chosen.name(), share(*mine));
  if (!is_likely(best)) {
    d.what = "the names look like those of no architecture that is known";
    d.got = fmt::format("at best {}, which '{}' knows", share(best), best.policy->name());
    d.cause = "an architecture that Ballast does not know yet (docs/adding-an-architecture.md shows how to add it)";
    return d;
  }
  const std::string names = quoted_names(all, n_equal(all));
  d.what = fmt::format("the names look like those of {}, not of '{}'", names, chosen.name());
  d.got = fmt::format("{} are those of {}", share(best), names);
  if (best.placed == mine->placed) d.got += ", which lacks nothing";
  d.cause = "a config.json of another model, or a wrong model type (--model-type, LoadOptions::model_type)";
  return d;
}

std::string looks_like(const Catalog& catalog, const PolicyRegistry& registry) {
  const std::vector<Resemblance> all = resemblances_of(catalog, known_policies(registry));
  if (all.empty() || !is_likely(all.front())) return {};
  return fmt::format("{} ({})", quoted_names(all, n_equal(all)), share(all.front()));
}

std::vector<Resemblance> PolicyRegistry::resemblances(const Catalog& catalog) const {
  return resemblances_of(catalog, all());
}

}  // namespace ballast
