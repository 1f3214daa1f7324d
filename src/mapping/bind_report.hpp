// The faults of a binding: collected name by name, reported folded (B7).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ballast/binding.hpp"
#include "ballast/error.hpp"
#include "mapping/fold.hpp"

namespace ballast::mapper {

// One name with a fault. `name` is what is folded: the tensor, or the awaited source name.
struct NameFault {
  Errc code = Errc::name_unclaimed;
  std::string name;
  std::string container;
  std::string parameter;
  std::string dependency;
  std::string detail;        // what else must be alike for two faults to be folded: the sentence's second half
  std::string alternatives;  // other names that would have done
  std::string file;          // of the first one is shown
  std::string layer;         // of a layer that the model does not have: "model.layers.32"
};

class BindReport {
 public:
  explicit BindReport(const ContainerMap& map) : map_(map) {}
  // Beyond what any person reads, faults are only counted: a config can ask for a million tensors.
  void add(NameFault fault) {
    if (faults_.size() < kMost)
      faults_.push_back(std::move(fault));
    else
      ++not_listed_;
  }
  [[nodiscard]] bool empty() const noexcept { return faults_.empty(); }
  // One diagnostic a fold, and one for all that were only counted.
  [[nodiscard]] Diagnostics diagnose() const;

 private:
  static constexpr std::size_t kMost = 200'000;

  using Members = std::vector<const NameFault*>;

  void diagnose(const Members& members, Diagnostics& all) const;
  void diagnose_layers(const Members& members, Diagnostics& all) const;
  [[nodiscard]] static std::string causes(const Members& members, const Fold& folded);
  [[nodiscard]] Diagnostic describe(const Members& members, const Fold& folded) const;
  void explain(const NameFault& first, std::size_t count, Diagnostic& d) const;

  const ContainerMap& map_;
  std::vector<NameFault> faults_;
  std::size_t not_listed_ = 0;
};

}  // namespace ballast::mapper
