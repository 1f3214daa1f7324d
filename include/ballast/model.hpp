// A model's containers: loaded from a checkpoint, or filled tensor by tensor.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/binding.hpp"
#include "ballast/container.hpp"
#include "ballast/container_map.hpp"
#include "ballast/execute.hpp"
#include "ballast/plan.hpp"

namespace ballast {

// The containers of one rank. Owns them; movable. Views (Tensor, declared containers) are valid as long as it lives.
class Model {
 public:
  // All containers empty: the streaming door.
  Model(std::shared_ptr<const ModelContext> context, ContainerMap map);

  [[nodiscard]] const ModelContext& context() const noexcept { return *context_; }
  [[nodiscard]] const ContainerMap& container_map() const noexcept { return map_; }
  [[nodiscard]] std::vector<LayerContainer>& containers() noexcept { return containers_; }
  [[nodiscard]] const std::vector<LayerContainer>& containers() const noexcept { return containers_; }
  [[nodiscard]] std::size_t n_layers() const noexcept { return n_layers_; }
  // Throws Error(invalid_argument) where there is no such layer, or no container for the rest.
  [[nodiscard]] const LayerContainer& layer(std::size_t index) const;
  [[nodiscard]] const LayerContainer& non_transformer() const;
  template <class T>
  [[nodiscard]] T layer(std::size_t index) const {
    return layer(index).template as<T>();
  }
  template <class T>
  [[nodiscard]] T non_transformer() const {
    return non_transformer().template as<T>();
  }

  // Hands in one tensor under its full source name (see LayerContainer::set_dependency). False where the container map
  // skips the name on purpose. A name that no container takes is an error that names it and the nearest known one.
  bool set_tensor(std::string_view full_name, const Tensor& tensor, const std::shared_ptr<const void>& owner = {});
  // Nothing more comes: fills tied parameters and finishes every container (LayerContainer::finish), all faults at
  // once.
  void finish();

  [[nodiscard]] bool is_populated() const noexcept;
  [[nodiscard]] bool is_initialized(Device device = {}) const;

 private:
  [[nodiscard]] bool is_tie_target(std::string_view local) const;
  void fill_ties();

  std::shared_ptr<const ModelContext> context_;
  ContainerMap map_;
  std::vector<LayerContainer> containers_;
  std::size_t n_layers_ = 0;
  struct Kept {  // tensors that a tie may ask for
    Tensor tensor;
    std::shared_ptr<const void> owner;
  };
  std::map<std::string, Kept, std::less<>> kept_for_ties_;
};

// What a load did. Where all ranks were loaded in one pass, `execute`, `bytes_needed` and `seconds` are of the whole
// pass, and the same for each rank.
struct LoadReport {
  std::string policy;
  std::vector<SkippedTensor> skipped;
  std::vector<Diagnostic> warnings;  // such as tied weights that the file holds twice and differently
  ExecuteStats execute;
  std::uint64_t bytes_needed = 0;  // distinct bytes of the files; what `execute` read
  std::uint64_t bytes_loaded = 0;  // of all final tensors, aliases once
  struct Seconds {
    double open = 0, bind = 0, plan = 0, execute = 0, total = 0;
  } seconds;
};

// A model loaded from a checkpoint: its containers, the arena that holds every tensor, and how it came about.
class LoadedModel {
 public:
  // Not const, so that containers without a mapping can be filled by hand.
  [[nodiscard]] Model& model() noexcept { return *model_; }
  [[nodiscard]] const Model& model() const noexcept { return *model_; }
  [[nodiscard]] const ModelContext& context() const noexcept { return model_->context(); }
  [[nodiscard]] const Catalog& catalog() const noexcept { return *catalog_; }
  [[nodiscard]] const Binding& binding() const noexcept { return binding_; }
  [[nodiscard]] const Plan& plan() const noexcept { return plan_; }
  [[nodiscard]] const LoadReport& report() const noexcept { return report_; }
  [[nodiscard]] const Arena& arena() const noexcept { return *arena_; }

  // Names of the stored tensors that a parameter was made of, in the order of its dependencies.
  [[nodiscard]] std::vector<std::string> sources(std::size_t container, std::size_t parameter) const;

  template <class T>
  [[nodiscard]] T layer(std::size_t index) const {
    return model_->layer<T>(index);
  }
  template <class T>
  [[nodiscard]] T non_transformer() const {
    return model_->non_transformer<T>();
  }

 private:
  friend class Loader;
  std::shared_ptr<const Catalog> catalog_;
  Binding binding_;
  Plan plan_;
  std::shared_ptr<Arena> arena_;
  std::unique_ptr<Model> model_;
  LoadReport report_;
};

// A loaded model whose policy is known while compiling, so that its layers have their declared types.
template <class Policy>
class TypedModel : public LoadedModel {
 public:
  explicit TypedModel(LoadedModel loaded) : LoadedModel(std::move(loaded)) {}
  [[nodiscard]] std::size_t n_layers() const noexcept { return model().n_layers(); }
  [[nodiscard]] typename Policy::Layer layer(std::size_t index) const {
    return model().template layer<typename Policy::Layer>(index);
  }
  [[nodiscard]] typename Policy::NonTransformer non_transformer() const {
    return model().template non_transformer<typename Policy::NonTransformer>();
  }
};

}  // namespace ballast
