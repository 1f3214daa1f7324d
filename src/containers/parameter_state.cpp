#include <fmt/format.h>

#include "ballast/container.hpp"
#include "ballast/error.hpp"

namespace ballast {

namespace {

[[noreturn]] void not_loaded(const std::string& container, const std::string& parameter, std::string what,
                             std::string cause) {
  Diagnostic d;
  d.code = Errc::not_loaded;
  d.operation = "read parameter";
  d.container = container;
  d.parameter = parameter;
  d.what = std::move(what);
  d.cause = std::move(cause);
  throw Error(std::move(d));
}

}  // namespace

const InferenceParameter& ParameterState::value() const {
  if (!value_)
    not_loaded(container_name(), name(), fmt::format("parameter '{}' is not loaded yet", name()),
               "dependencies are still awaited; LayerContainer::awaited() lists them");
  return *value_;
}

const Tensor& ParameterState::tensor() const {
  if (!value().has_tensor())
    not_loaded(container_name(), name(), fmt::format("parameter '{}' holds nothing on this rank", name()),
               "the bias of a row-parallel layer lives on rank 0 only, and optional parameters may be absent; ask "
               "has_tensor() first");
  return value_->tensor();
}

namespace detail {

namespace {

const ParameterState& attached(const ParameterState* state) {
  if (state == nullptr)
    not_loaded({}, {}, "this container is not attached to a loaded one",
               "get it from LayerContainer::as or from a model");
  return *state;
}

}  // namespace

bool ParameterSlot::is_loaded() const noexcept { return state_ != nullptr && state_->is_finalised(); }
bool ParameterSlot::has_tensor() const { return get().has_tensor(); }
const Tensor& ParameterSlot::tensor() const { return attached(state_).tensor(); }
const InferenceParameter& ParameterSlot::get() const { return attached(state_).value(); }

const Tensor& ParameterSlot::aux(std::string_view aux_name) const {
  const auto& all = get().aux();
  const auto found = all.find(aux_name);
  if (found == all.end())
    not_loaded(state_->container_name(), state_->name(),
               fmt::format("parameter '{}' has no auxiliary tensor '{}'", state_->name(), aux_name), {});
  return found->second;
}

}  // namespace detail
}  // namespace ballast
