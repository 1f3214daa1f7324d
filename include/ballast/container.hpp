// Containers at run time: parameters that are awaited, filled and finalised.
//
// A loaded model's containers are full when they are handed out. Made empty, a container is the streaming door: tensors
// are handed in one by one, in any order, under their source names, and every parameter finalises itself when its last
// dependency arrives. Not safe for concurrent changes; safe for concurrent reading.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/declare.hpp"
#include "ballast/model_context.hpp"
#include "ballast/schema.hpp"
#include "ballast/tensor.hpp"

namespace ballast {

class LayerContainer;

// One parameter of a container: empty, partly filled, or finalised. Belongs to its container and lives as long.
class ParameterState {
 public:
  [[nodiscard]] const std::string& name() const noexcept { return schema_->name; }
  [[nodiscard]] const ParameterSchema& schema() const noexcept { return *schema_; }
  [[nodiscard]] const std::string& container_name() const noexcept { return *container_name_; }
  [[nodiscard]] const ModelContext& model() const noexcept { return *model_; }
  // Finalised, perhaps to nothing. The tensor may lie on any device.
  [[nodiscard]] bool is_finalised() const noexcept { return value_.has_value(); }
  // Throws Error(not_loaded), naming container and parameter, before it is finalised.
  [[nodiscard]] const InferenceParameter& value() const;
  // The tensor of the above; throws Error(not_loaded) also where the parameter holds nothing on this rank.
  [[nodiscard]] const Tensor& tensor() const;

 private:
  friend class LayerContainer;
  struct Source {
    std::string name;  // empty: not here yet
    Tensor tensor;
    std::shared_ptr<const void> owner;
  };

  const ParameterSchema* schema_ = nullptr;
  const std::string* container_name_ = nullptr;
  const ModelContext* model_ = nullptr;
  std::vector<std::vector<Source>> sources_;  // by dependency, then by index; only names remain when finalised
  std::optional<InferenceParameter> value_;
};

// What a container still waits for.
struct Awaited {
  std::string parameter;
  std::string dependency;
  std::optional<std::uint64_t> index;  // in a list
  std::string source;                  // the (first) source name that fills it; empty without mapping
  bool optional = false;
};

class LayerContainer {
 public:
  // All parameters empty, but for those that wait for nothing (lists of length zero), which finalise at once. The
  // schema must outlive the container. Throws what finalising those throws, and Error(unknown_list_length).
  LayerContainer(const ContainerSchema& schema, std::shared_ptr<const ModelContext> model, std::string name);
  LayerContainer(LayerContainer&&) noexcept = default;
  LayerContainer& operator=(LayerContainer&&) noexcept = default;

  [[nodiscard]] const std::string& name() const noexcept { return self_->name; }
  [[nodiscard]] const ContainerSchema& schema() const noexcept { return *self_->schema; }
  [[nodiscard]] const ModelContext& model() const noexcept { return *self_->model; }

  // Hands in a tensor under its source name, relative to the container. It fills every dependency that the mapping
  // names; parameters that are complete by it are finalised, once, and let go of their sources. `tensor` is contiguous
  // and in host memory; `owner` keeps it alive until then (empty: the caller does). On any error the container is as it
  // was: unknown names (name_unclaimed, with the nearest one), several patterns (name_claimed_twice), a dependency
  // filled twice or a parameter already finalised (already_set, already_finalised, with both sources), a bad list index
  // (list_index_invalid), a finalize that throws (finalize_failed, with its cause nested).
  void set_dependency(std::string_view source, const Tensor& tensor, const std::shared_ptr<const void>& owner = {});
  // Gives a parameter its final value. Unknown names and parameters already finalised are errors.
  void direct_injection(std::string_view parameter, InferenceParameter value);
  // Nothing more comes: parameters that wait only for optional dependencies are finalised without them. Throws
  // Error(dependency_missing) with everything that is still awaited otherwise, and changes nothing then.
  void finish();

  // All parameters are finalised, wherever they lie.
  [[nodiscard]] bool is_populated() const noexcept { return self_->n_finalised == n_params(); }
  // ... and on `device`. A parameter, or an auxiliary of one, on another device is Error(wrong_device), naming it.
  [[nodiscard]] bool is_initialized(Device device = {}) const;

  [[nodiscard]] std::size_t n_params() const noexcept { return self_->parameters.size(); }
  [[nodiscard]] std::size_t n_finalised() const noexcept { return self_->n_finalised; }
  [[nodiscard]] std::vector<std::string> parameter_names() const;
  [[nodiscard]] const std::vector<ParameterState>& parameters() const noexcept { return self_->parameters; }
  // Throws Error(unknown_parameter), listing the valid names.
  [[nodiscard]] const ParameterState& operator[](std::string_view parameter) const;
  [[nodiscard]] std::vector<Awaited> awaited() const;

  // The declared form: its members are this container's parameters. Valid as long as the container lives, also when it
  // is moved. Throws Error(invalid_argument) where this container was not made from T's declaration.
  template <class T>
  [[nodiscard]] T as() const {
    check_schema(schema_of<T>());
    return detail::attach<T>(self_->parameters);
  }

 private:
  struct Self {  // on the heap, so that attached containers stay valid when this one moves
    const ContainerSchema* schema = nullptr;
    std::shared_ptr<const ModelContext> model;
    std::string name;
    std::vector<ParameterState> parameters;
    std::size_t n_finalised = 0;
  };
  struct Draft;

  void check_schema(const ContainerSchema& declared) const;
  [[nodiscard]] MappingMatch resolve(std::string_view source) const;
  void fill(Draft& draft, std::size_t dependency, const MappingMatch& match, std::string_view source,
            const Tensor& tensor, const std::shared_ptr<const void>& owner) const;
  [[nodiscard]] InferenceParameter finalise(const ParameterState& state) const;
  void commit(ParameterState& state, InferenceParameter value) noexcept;

  std::unique_ptr<Self> self_;
};

}  // namespace ballast
