#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <exception>

#include "ballast/container.hpp"
#include "ballast/error.hpp"
#include "containers/finalise.hpp"
#include "mapping/nearest.hpp"

namespace ballast {

namespace {

Diagnostic diagnostic(Errc code, std::string operation, const std::string& container, std::string what) {
  Diagnostic d;
  d.code = code;
  d.operation = std::move(operation);
  d.container = container;
  d.what = std::move(what);
  return d;
}

template <class Dependency>
bool any_named(const Dependency& dependency) {
  return std::any_of(dependency.begin(), dependency.end(), [](const auto& one) { return !one.name.empty(); });
}

template <class Dependency>
const std::string& first_name(const Dependency& dependency) {
  return std::find_if(dependency.begin(), dependency.end(), [](const auto& one) { return !one.name.empty(); })->name;
}

template <class Sources>
std::uint8_t present_form(const ParameterSchema& schema, const Sources& sources) {
  return schema.present_form([&](std::size_t d) { return any_named(sources[d]); });
}

template <class Sources>
bool is_complete(const ParameterSchema& schema, const Sources& sources) {
  const std::uint8_t form = present_form(schema, sources);
  for (std::size_t d = 0; d < sources.size(); ++d)
    if (schema.dependencies[d].form == form &&
        !std::all_of(sources[d].begin(), sources[d].end(), [](const auto& one) { return !one.name.empty(); }))
      return false;
  return true;
}

// Who filled a dependency of a finalised parameter, by the name that its source left.
std::string earlier_source(const std::string& name) {
  return name.empty() ? std::string("a direct injection") : fmt::format("'{}'", name);
}

}  // namespace

// What handing in one tensor makes of one parameter, worked out on a copy before anything is changed.
struct LayerContainer::Draft {
  std::size_t parameter = 0;
  ParameterState state;
  std::optional<InferenceParameter> finalised;
};

LayerContainer::LayerContainer(const ContainerSchema& schema, std::shared_ptr<const ModelContext> model,
                               std::string container_name)
    : self_(std::make_unique<Self>()) {
  self_->schema = &schema;
  self_->model = std::move(model);
  self_->name = std::move(container_name);
  self_->parameters.resize(schema.n_params());
  for (std::size_t p = 0; p < schema.n_params(); ++p) {
    ParameterState& state = self_->parameters[p];
    state.schema_ = &schema.parameters()[p];
    state.container_name_ = &self_->name;
    state.model_ = self_->model.get();
    bool waits = state.schema_->dependencies.empty() || !schema.has_mapping();
    for (const DependencySchema& dependency : state.schema_->dependencies) {
      const std::uint64_t length = dependency.kind == DependencyKind::list ? list_length(dependency, *self_->model) : 1;
      state.sources_.emplace_back(length);
      waits = waits || (length != 0 && dependency.form <= 1);
    }
    if (!waits) commit(state, finalise(state));
  }
}

void LayerContainer::check_schema(const ContainerSchema& declared) const {
  if (&declared == self_->schema) return;
  Diagnostic d =
      diagnostic(Errc::invalid_argument, "attach", name(), "the container was made from another declaration");
  d.expected = declared.name();
  d.got = self_->schema->name();
  throw Error(std::move(d));
}

const ParameterState& LayerContainer::operator[](std::string_view parameter) const {
  if (const auto p = self_->schema->find(parameter)) return self_->parameters[*p];
  Diagnostic d = diagnostic(Errc::unknown_parameter, "find parameter", name(),
                            fmt::format("the container has no parameter '{}'", parameter));
  d.expected = fmt::format("one of: {}", fmt::join(parameter_names(), ", "));
  d.got = parameter;
  throw Error(std::move(d));
}

std::vector<std::string> LayerContainer::parameter_names() const {
  std::vector<std::string> names;
  for (const ParameterState& state : self_->parameters) names.push_back(state.name());
  return names;
}

MappingMatch LayerContainer::resolve(std::string_view source) const {
  bool ambiguous = false;
  const auto found = schema().match_one(source, &ambiguous);
  if (found && !ambiguous) return *found;
  Diagnostic d = diagnostic(ambiguous ? Errc::name_claimed_twice : Errc::name_unclaimed, "set dependency", name(),
                            ambiguous ? "several patterns claim a name" : "nothing in the container takes this name");
  d.tensor = source;
  if (ambiguous) {
    for (const MappingMatch& one : schema().match(source))
      d.got += fmt::format("{}'{}'", d.got.empty() ? "" : " and ", schema().rules()[one.rule].sources[one.alternative]);
    d.expected = "one pattern";
  } else {
    d.nearest = mapper::nearest_source(schema(), source);
  }
  throw Error(std::move(d));
}

void LayerContainer::fill(Draft& draft, std::size_t dependency_index, const MappingMatch& match,
                          std::string_view source, const Tensor& tensor,
                          const std::shared_ptr<const void>& owner) const {
  const ParameterState& state = draft.state;
  const DependencySchema& dependency = state.schema_->dependencies[dependency_index];
  const auto refuse = [&](Errc code, std::string what, std::string expected, std::string got) {
    Diagnostic d = diagnostic(code, "set dependency", name(), std::move(what));
    d.parameter = state.name();
    d.dependency = dependency.name;
    d.tensor = source;
    d.expected = std::move(expected);
    d.got = std::move(got);
    throw Error(std::move(d));
  };
  std::vector<ParameterState::Source>& sources = draft.state.sources_[dependency_index];
  std::size_t index = 0;
  if (dependency.kind == DependencyKind::list) {
    const std::string_view text = *match.index;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (error != std::errc() || end != text.data() + text.size() || (text.size() > 1 && text[0] == '0') ||
        index >= sources.size())
      refuse(Errc::list_index_invalid, "a list index is not valid",
             fmt::format("a decimal index below {}", sources.size()), std::string(text));
  }
  if (state.is_finalised()) {
    refuse(Errc::already_finalised, fmt::format("parameter '{}' is finalised already", state.name()),
           "each source once", fmt::format("'{}', after {}", source, earlier_source(sources[index].name)));
  }
  if (!sources[index].name.empty())
    refuse(Errc::already_set,
           dependency.kind == DependencyKind::list ? fmt::format("element {} of a list is filled already", index)
                                                   : std::string("a dependency is filled already"),
           "each from one source", fmt::format("'{}', after '{}'", source, sources[index].name));
  if (dependency.form != 0)
    for (std::size_t d = 0; d < draft.state.sources_.size(); ++d)
      if (state.schema().dependencies[d].form != dependency.form && any_named(draft.state.sources_[d]))
        refuse(Errc::already_set, fmt::format("parameter '{}' has come in another form", state.name()), "one form",
               fmt::format("'{}', after '{}'", source, first_name(draft.state.sources_[d])));
  sources[index] = {std::string(source), tensor, owner};
}

void LayerContainer::set_dependency(std::string_view source, const Tensor& tensor,
                                    const std::shared_ptr<const void>& owner) {
  const MappingMatch match = resolve(source);
  const bool has_memory = tensor.data != nullptr || tensor.shape.numel() == 0;
  if (!has_memory || !tensor.is_contiguous() || tensor.device.kind != DeviceKind::cpu) {
    Diagnostic d = diagnostic(Errc::invalid_argument, "set dependency", name(), "the tensor cannot be read");
    d.tensor = source;
    d.expected = "a contiguous tensor in host memory";
    d.got = has_memory ? fmt::format("strides {} on {}", to_string(tensor.strides), to_string(tensor.device))
                       : std::string("a null pointer");
    throw Error(std::move(d));
  }
  std::vector<Draft> drafts;  // one a parameter, though one source may fill several of its dependencies
  for (const ContainerSchema::Place& place : schema().places(match.rule)) {
    auto draft =
        std::find_if(drafts.begin(), drafts.end(), [&](const Draft& d) { return d.parameter == place.parameter; });
    if (draft == drafts.end())
      draft = drafts.insert(drafts.end(), {place.parameter, self_->parameters[place.parameter], std::nullopt});
    fill(*draft, place.dependency, match, source, tensor, owner);
  }
  for (Draft& draft : drafts)
    if (is_complete(*draft.state.schema_, draft.state.sources_)) draft.finalised = finalise(draft.state);
  // Nothing below throws: either all targets change or none.
  for (Draft& draft : drafts) {
    ParameterState& state = self_->parameters[draft.parameter];
    state.sources_ = std::move(draft.state.sources_);
    if (draft.finalised) commit(state, std::move(*draft.finalised));
  }
}

InferenceParameter LayerContainer::finalise(const ParameterState& state) const {
  std::vector<std::vector<Tensor>> tensors(state.sources_.size());
  std::string sources;
  for (std::size_t d = 0; d < tensors.size(); ++d)
    for (const ParameterState::Source& source : state.sources_[d])
      if (!source.name.empty()) {
        tensors[d].push_back(source.tensor);
        if (sources.size() < 300) sources += (sources.empty() ? "" : ", ") + source.name;
      }
  try {
    return containers::finalise(*state.schema_, *state.model_, tensors);
  } catch (const std::exception& cause) {
    Diagnostic d = diagnostic(Errc::finalize_failed, "finalize", name(),
                              fmt::format("parameter '{}' cannot be finalised: {}", state.name(), cause.what()));
    d.parameter = state.name();
    d.tensor = sources;
    std::throw_with_nested(Error(std::move(d)));
  }
}

void LayerContainer::commit(ParameterState& state, InferenceParameter value) noexcept {
  state.value_ = std::move(value);
  // Lets go of the tensors and their owners; the names stay, for messages about a second filling.
  for (auto& dependency : state.sources_)
    for (ParameterState::Source& source : dependency) {
      source.tensor = {};
      source.owner.reset();
    }
  ++self_->n_finalised;
}

void LayerContainer::direct_injection(std::string_view parameter, InferenceParameter value) {
  ParameterState& state = const_cast<ParameterState&>((*this)[parameter]);
  if (state.is_finalised()) {
    Diagnostic d = diagnostic(Errc::already_finalised, "inject", name(),
                              fmt::format("parameter '{}' is finalised already", parameter));
    d.parameter = parameter;
    throw Error(std::move(d));
  }
  commit(state, std::move(value));
}

std::vector<Awaited> LayerContainer::awaited() const {
  std::vector<Awaited> all;
  for (std::size_t p = 0; p < n_params(); ++p) {
    const ParameterState& state = self_->parameters[p];
    if (state.is_finalised()) continue;
    const std::uint8_t form = present_form(state.schema(), state.sources_);
    for (std::size_t d = 0; d < state.sources_.size(); ++d)
      for (std::size_t i = 0; i < state.sources_[d].size(); ++i) {
        const DependencySchema& dependency = state.schema_->dependencies[d];
        if (dependency.form != form || !state.sources_[d][i].name.empty()) continue;
        Awaited one;
        one.parameter = state.name();
        one.dependency = dependency.name;
        if (dependency.kind == DependencyKind::list) one.index = i;
        one.optional = dependency.kind == DependencyKind::optional;
        if (const auto rule = schema().rule_of(p, d)) {
          one.source = schema().rules()[*rule].sources.front();
          if (const std::size_t star = one.source.find('*'); one.index && star != std::string::npos)
            one.source.replace(star, 1, std::to_string(i));
        }
        all.push_back(std::move(one));
      }
  }
  return all;
}

void LayerContainer::finish() {
  Diagnostics missing;
  for (const Awaited& one : awaited()) {
    if (one.optional) continue;
    Diagnostic d = diagnostic(Errc::dependency_missing, "finish", name(), "a dependency has not arrived");
    d.parameter = one.parameter;
    d.dependency = one.index ? fmt::format("{}[{}]", one.dependency, *one.index) : one.dependency;
    d.tensor = one.source;
    missing.add(std::move(d));
  }
  missing.throw_if_any();
  std::vector<std::pair<ParameterState*, InferenceParameter>> values;
  for (ParameterState& state : self_->parameters)
    if (!state.is_finalised() && !state.sources_.empty()) values.emplace_back(&state, finalise(state));
  for (auto& [state, value] : values) commit(*state, std::move(value));
}

bool LayerContainer::is_initialized(Device device) const {
  if (!is_populated()) return false;
  const auto check = [&](const ParameterState& state, std::string_view what, const Tensor& tensor) {
    if (tensor.device == device) return;
    Diagnostic d = diagnostic(Errc::wrong_device, "check device", name(),
                              fmt::format("parameter '{}'{} lies on another device", state.name(), what));
    d.parameter = state.name();
    d.expected = to_string(device);
    d.got = to_string(tensor.device);
    throw Error(std::move(d));
  };
  for (const ParameterState& state : self_->parameters) {
    if (!state.value_->has_tensor()) continue;
    check(state, "", state.value_->tensor());
    for (const auto& [aux, tensor] : state.value_->aux()) check(state, fmt::format(" ({})", aux), tensor);
  }
  return true;
}

}  // namespace ballast
