// Binding: every name of a catalog goes to the dependency that waits for it. Three passes, each of which states what
// holds after it; faults are collected by all and thrown together at the end.
#include "ballast/binding.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <unordered_map>

#include "mapping/bind_names.hpp"
#include "mapping/bind_report.hpp"
#include "mapping/companions.hpp"
#include "mapping/found.hpp"

namespace ballast {

namespace {

using mapper::BindReport;
using mapper::NameFault;
using mapper::NameSpelling;

std::optional<std::uint32_t> list_index(std::string_view text, std::uint32_t length) {
  if (text.empty() || text.size() > 9 || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  std::uint32_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc() || end != text.data() + text.size() || index >= length) return std::nullopt;
  return index;
}

class Binder {
 public:
  Binder(const Catalog& catalog, const ContainerMap& map, const ModelContext& context)
      : catalog_(catalog), map_(map), context_(context), report_(map), spelling_(catalog, map), found_(map.n_layers()) {
    make_containers();
  }

  Binding run(Diagnostics& faults) {
    for (std::uint32_t t = 0; t < catalog_.tensors.size(); ++t) claim(t);
    // From here on every tensor is in a dependency's entry, skipped on purpose, or reported.
    fill_tied();
    for (std::size_t c = 0; c < binding_.containers.size(); ++c) require_all(c);
    // From here on every dependency has its tensors, or is reported.
    if (!report_.empty()) faults.append(report_.diagnose());
    return std::move(binding_);
  }

 private:
  void make_containers() {
    std::unordered_map<const ContainerSchema*, std::shared_ptr<const SlotLayout>> layouts;
    const auto add = [&](std::string name, const ContainerSchema* schema) {
      auto& layout = layouts[schema];
      if (!layout) layout = std::make_shared<const SlotLayout>(*schema, context_);
      check_entries(layout->size());
      binding_.containers.push_back({std::move(name), schema, layout, {}});
      binding_.containers.back().sources.assign(layout->size(), kUnbound);
    };
    std::size_t layer = 0;
    for (const ContainerMap::Layers& group : map_.layer_groups())
      for (const ContainerSchema* schema : group.schemas) add(fmt::format("transformer_layer_{}", layer++), schema);
    if (map_.rest() != nullptr) add("non_transformer", map_.rest());
  }

  // A config can ask for any number of tensors; one that asks for far more than there are is refused before entries
  // for them are made.
  void check_entries(std::uint64_t more) {
    constexpr std::uint64_t kFree = 1'000'000;
    entries_ += more;
    if (entries_ <= kFree + 2 * catalog_.tensors.size()) return;
    Diagnostic d;
    d.code = Errc::context_invalid;
    d.operation = "bind";
    d.file = catalog_.path;
    d.what = "the config asks for far more tensors than the checkpoint has";
    d.expected = fmt::format("layers and experts for about {} tensors", catalog_.tensors.size());
    d.got = fmt::format("{} layers, {} experts: more than {} tensors", context_.n_layers, context_.n_experts, kFree);
    d.cause = "a config.json of another model";
    throw Error(std::move(d));
  }

  [[nodiscard]] const std::string& file_of(std::uint32_t tensor) const {
    return catalog_.files[catalog_.tensors[tensor].file].path;
  }

  void complain(Errc code, std::uint32_t tensor, std::string detail, std::string container = {},
                std::string parameter = {}, std::string dependency = {}) {
    NameFault fault;
    fault.code = code;
    fault.name = catalog_.tensors[tensor].name;
    fault.container = std::move(container);
    fault.parameter = std::move(parameter);
    fault.dependency = std::move(dependency);
    fault.detail = std::move(detail);
    fault.file = file_of(tensor);
    report_.add(std::move(fault));
  }

  void claim(std::uint32_t t) {
    const std::string& name = catalog_.tensors[t].name;
    const ContainerMap::Route route = map_.route(name);
    switch (route.kind) {
      case ContainerMap::RouteKind::skip:
        binding_.skipped.push_back({t, map_.skips()[route.container].reason});
        return;
      case ContainerMap::RouteKind::bad_layer:
        return wrong_layer(t, route);
      case ContainerMap::RouteKind::layer:
        return match(t, route.container, route.local);
      case ContainerMap::RouteKind::rest:
        break;
    }
    if (map_.rest() != nullptr) return match(t, binding_.containers.size() - 1, route.local);
    unclaimed(t, {});
  }

  void wrong_layer(std::uint32_t t, const ContainerMap::Route& route) {
    NameFault fault;
    fault.code = Errc::layer_index_out_of_range;
    fault.name = catalog_.tensors[t].name;
    fault.layer = fault.name.substr(
        0, static_cast<std::size_t>(route.index.data() + route.index.size() - catalog_.tensors[t].name.data()));
    fault.detail = fmt::format("a layer number below {}", layers_from(route.container));
    fault.file = file_of(t);
    report_.add(std::move(fault));
  }

  // Layers are numbered within their group; a route to a wrong one gives the group's first.
  [[nodiscard]] std::size_t layers_from(std::size_t first) const {
    std::size_t begin = 0;
    for (const ContainerMap::Layers& group : map_.layer_groups()) {
      if (begin == first) return group.schemas.size();
      begin += group.schemas.size();
    }
    return 0;
  }

  // The scheme that a tensor is a companion of; empty for any other.
  [[nodiscard]] std::string_view scheme_of(std::uint32_t t) {
    const std::string_view name = catalog_.tensors[t].name;
    return mapper::companion_scheme(name, [&](std::string_view other) { return by_name().contains(other); });
  }

  void unclaimed(std::uint32_t t, const std::string& container) {
    const std::string_view scheme = scheme_of(t);
    if (scheme.empty()) return complain(Errc::name_unclaimed, t, {}, container);
    // A companion gets its own sentence: it is no stray, it says that the weights beside it are not plain.
    spelling_.note_companion(catalog_.tensors[t].name);
    complain(Errc::companion_unclaimed, t, std::string(scheme), container);
  }

  void match(std::uint32_t t, std::size_t c, std::string_view local) {
    const ContainerSchema& schema = *binding_.containers[c].schema;
    bool ambiguous = false;
    const auto found = schema.match_one(local, &ambiguous);
    if (!found) return unclaimed(t, binding_.containers[c].name);
    if (ambiguous) {
      std::string patterns;
      for (const MappingMatch& one : schema.match(local))
        patterns += fmt::format("{}'{}'", patterns.empty() ? "the patterns " : " and ",
                                schema.rules()[one.rule].sources[one.alternative]);
      return complain(Errc::name_claimed_twice, t, std::move(patterns), binding_.containers[c].name);
    }
    if (schema.rules()[found->rule].sources.size() > 1) spelling_.note_alternative(found->alternative);
    for (const ContainerSchema::Place& place : schema.places(found->rule)) fill(t, c, place, *found);
  }

  void fill(std::uint32_t t, std::size_t c, const ContainerSchema::Place& place, const MappingMatch& found) {
    BoundContainer& container = binding_.containers[c];
    const ParameterSchema& parameter = container.schema->parameters()[place.parameter];
    const DependencySchema& dependency = parameter.dependencies[place.dependency];
    std::uint32_t entry = container.layout->begin(place.parameter, place.dependency);
    const std::uint32_t length = container.layout->end(place.parameter, place.dependency) - entry;
    if (dependency.kind == DependencyKind::list) {
      const auto index = list_index(*found.index, length);
      if (!index && !scheme_of(t).empty()) return unclaimed(t, container.name);
      if (!index)
        return complain(Errc::list_index_invalid, t, fmt::format("a decimal index below {}", length), container.name,
                        parameter.name, dependency.name);
      entry += *index;
    }
    std::uint32_t& source = container.sources[entry];
    if (source == kUnbound) {
      source = t;
      return;
    }
    replace_alternative(t, c, source, found, parameter, dependency);
  }

  // Two names for one dependency: alternatives in order, or a fault.
  void replace_alternative(std::uint32_t t, std::size_t c, std::uint32_t& source, const MappingMatch& found,
                           const ParameterSchema& parameter, const DependencySchema& dependency) {
    const ContainerSchema& schema = *binding_.containers[c].schema;
    const auto earlier = schema.match_one(map_.route(catalog_.tensors[source].name).local);
    if (!earlier || earlier->alternative == found.alternative)
      return complain(Errc::name_claimed_twice, t,
                      fmt::format("'{}.{}' is filled by '{}' already", parameter.name, dependency.name,
                                  catalog_.tensors[source].name),
                      binding_.containers[c].name, parameter.name, dependency.name);
    const std::uint32_t loser = earlier->alternative < found.alternative ? t : source;
    if (loser == source) source = t;
    // A rule with several targets comes here for each of them.
    if (!binding_.skipped.empty() && binding_.skipped.back().tensor == loser) return;
    binding_.skipped.push_back({loser, fmt::format("an alternative of '{}'", catalog_.tensors[source].name)});
  }

  // Made when it is first needed: a checkpoint without ties and faults does without.
  [[nodiscard]] const std::unordered_map<std::string_view, std::uint32_t>& by_name() {
    if (by_name_.empty()) {
      by_name_.reserve(catalog_.tensors.size());
      for (std::uint32_t t = 0; t < catalog_.tensors.size(); ++t) by_name_.emplace(catalog_.tensors[t].name, t);
    }
    return by_name_;
  }

  [[nodiscard]] std::optional<std::uint32_t> find_tied(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      if (const auto found = by_name().find(name); found != by_name().end()) return found->second;
      for (const std::string& root : map_.roots())
        if (const auto found = by_name().find(fmt::format("{}.{}", root, name)); found != by_name().end())
          return found->second;
    }
    return std::nullopt;
  }

  // B8: a head that is not stored is the embedding, where the model ties them.
  void fill_tied() {
    if (!context_.fills_absent_head()) return;
    for (BoundContainer& container : binding_.containers)
      for (std::size_t r = 0; r < container.schema->rules().size(); ++r) {
        const MappingRule& rule = container.schema->rules()[r];
        if (rule.tied_to.empty()) continue;
        const auto tied = find_tied(rule.tied_to);
        if (!tied) continue;
        for (const ContainerSchema::Place& place : container.schema->places(r)) {
          std::uint32_t& source = container.sources[container.layout->begin(place.parameter, place.dependency)];
          if (source == kUnbound)
            source = *tied;
          else if (source != *tied && context_.tie_word_embeddings)
            binding_.tied_and_stored.push_back({source, *tied});
        }
      }
  }

  void require_all(std::size_t c) {
    const BoundContainer& container = binding_.containers[c];
    const ContainerSchema& schema = *container.schema;
    if (!schema.has_mapping()) return;  // D8: filled by hand
    for (std::size_t p = 0; p < schema.n_params(); ++p) {
      const ParameterSchema& parameter = schema.parameters()[p];
      const std::uint8_t form =
          parameter.present_form([&](std::size_t d) { return first_bound(container, p, d) != kUnbound; });
      for (std::size_t d = 0; d < parameter.dependencies.size(); ++d) {
        if (parameter.dependencies[d].form != form) {
          refuse_second_form(c, p, d);
          continue;
        }
        if (parameter.dependencies[d].kind == DependencyKind::optional) continue;
        const std::uint32_t begin = container.layout->begin(p, d);
        for (std::uint32_t entry = begin; entry < container.layout->end(p, d); ++entry)
          if (container.sources[entry] == kUnbound) missing(c, p, d, entry - begin);
      }
    }
  }

  [[nodiscard]] static std::uint32_t first_bound(const BoundContainer& container, std::size_t p, std::size_t d) {
    for (std::uint32_t entry = container.layout->begin(p, d); entry < container.layout->end(p, d); ++entry)
      if (container.sources[entry] != kUnbound) return container.sources[entry];
    return kUnbound;
  }

  [[nodiscard]] static bool is_absent(const BoundContainer& container, std::size_t p) {
    for (std::size_t d = 0; d < container.schema->parameters()[p].dependencies.size(); ++d)
      if (first_bound(container, p, d) != kUnbound) return false;
    return true;
  }

  void refuse_second_form(std::size_t c, std::size_t p, std::size_t d) {
    const BoundContainer& container = binding_.containers[c];
    const ParameterSchema& parameter = container.schema->parameters()[p];
    if (const std::uint32_t t = first_bound(container, p, d); t != kUnbound)
      complain(Errc::name_claimed_twice, t, fmt::format("'{}' is stored in another form as well", parameter.name),
               container.name, parameter.name, parameter.dependencies[d].name);
  }

  // What would do in place of a whole form, for a sentence.
  [[nodiscard]] static std::string other_forms(const ContainerSchema& schema, std::size_t p, std::size_t d) {
    const ParameterSchema& parameter = schema.parameters()[p];
    std::string text;
    for (std::size_t other = 0; other < parameter.dependencies.size(); ++other)
      if (parameter.dependencies[other].form != parameter.dependencies[d].form)
        text += fmt::format("{}'{}'", text.empty() ? "" : " and ",
                            schema.rules()[*schema.rule_of(p, other)].sources.front());
    return text;
  }

  void missing(std::size_t c, std::size_t p, std::size_t d, std::uint32_t element) {
    BoundContainer& container = binding_.containers[c];
    if (container.incomplete.empty() || container.incomplete.back() != p)
      container.incomplete.push_back(static_cast<std::uint32_t>(p));
    const ParameterSchema& parameter = container.schema->parameters()[p];
    const MappingRule& rule = container.schema->rules()[*container.schema->rule_of(p, d)];
    NameFault fault;
    fault.code = Errc::dependency_missing;
    fault.container = container.name;
    fault.parameter = parameter.name;
    fault.dependency = parameter.dependencies[d].name;
    const std::size_t likely = spelling_.likely_alternative(rule);
    fault.name = spelling_.full_name(c, rule.sources[likely], element);
    fault.file = catalog_.path;
    fault.detail =
        why_missing(rule, fault.name, c, container.layout->begin(p, d), container.layout->end(p, d), element);
    fault.alternatives = NameSpelling::others(rule, likely);
    if (parameter.dependencies[d].form != 0 && is_absent(container, p))
      fault.alternatives += (fault.alternatives.empty() ? "" : " or ") + other_forms(*container.schema, p, d);
    report_.add(std::move(fault));
  }

  // Of element `element` of the entries [begin, end) of a container.
  [[nodiscard]] std::string why_missing(const MappingRule& rule, const std::string& name, std::size_t c,
                                        std::uint32_t begin, std::uint32_t end, std::uint32_t element) {
    if (spelling_.has_companion(name)) return "it is stored quantised";
    if (rule.tied_to.empty() && !spelling_.has_companions()) {
      if (found_.is_empty_layer(binding_, c)) return found_.why_empty(binding_, c);
      if (const std::uint32_t there = found_.elements(binding_, c, begin, end); there > 0 && element >= there)
        return fmt::format(
            "the config has {} of them, the checkpoint {}: a config.json of another model, or an incomplete checkpoint",
            end - begin, there);
    }
    if (rule.tied_to.empty()) return "an incomplete checkpoint, or one of another architecture";
    if (context_.fills_absent_head())
      return fmt::format("it is tied to '{}', which is missing too", fmt::join(rule.tied_to, "' or '"));
    return "the config does not tie it to the embeddings (tie_word_embeddings), so the file must hold it";
  }

  const Catalog& catalog_;
  const ContainerMap& map_;
  const ModelContext& context_;
  BindReport report_;
  NameSpelling spelling_;
  mapper::Found found_;
  Binding binding_;
  std::uint64_t entries_ = 0;
  std::unordered_map<std::string_view, std::uint32_t> by_name_;
};

void refuse_quantised(const Catalog& catalog) {
  if (!catalog.config || catalog.config->quantisation.empty()) return;
  const ModelConfig& config = *catalog.config;
  Diagnostic d;
  d.code = Errc::quantised_checkpoint;
  d.operation = "bind";
  d.what = fmt::format("the checkpoint is quantised with '{}'", config.quantisation);
  d.file = config.quantisation_path.empty() ? config.path : config.quantisation_path;
  d.expected = "plain weights";
  const std::string& key = config.quantisation_key;
  d.got = fmt::format("{} of '{}'", key.empty() ? "quantization_config" : key, config.quantisation);
  if (!config.quantisation_details.empty()) d.got += fmt::format(" ({})", config.quantisation_details);
  d.cause = "use the original checkpoint; loading this scheme is not supported yet";
  throw Error(std::move(d));
}

}  // namespace

Binding bind(const Catalog& catalog, const ContainerMap& map, const ModelContext& context, Diagnostics& faults) {
  refuse_quantised(catalog);
  return Binder(catalog, map, context).run(faults);
}

Binding bind(const Catalog& catalog, const ContainerMap& map, const ModelContext& context) {
  Diagnostics faults;
  Binding binding = bind(catalog, map, context, faults);
  faults.throw_if_any();
  return binding;
}

}  // namespace ballast
