// Preparing the ranks of one checkpoint, one after the other, with what they share done once.
#pragma once

#include <memory>

#include "ballast/load.hpp"

namespace ballast {

class RankPreparer {
 public:
  // Chooses the policy and reads the config. Throws as those do.
  RankPreparer(std::shared_ptr<const Catalog> catalog, const LoadOptions& options);

  // The plan of one rank. Throws as bind() and make_plan() do.
  [[nodiscard]] PreparedLoad prepare(std::uint64_t rank);

 private:
  void bind_as(const PreparedLoad& prepared);

  std::shared_ptr<const Catalog> catalog_;
  const PolicyRegistry& policies_;
  const InferencePolicy* policy_ = nullptr;
  ModelContext context_;
  // What the last rank was bound with, and what came of it: the next one's is the same unless its policy wants other
  // containers, or lists of another length, for it.
  struct {
    std::shared_ptr<const ModelContext> context;
    ContainerMap map;
    Binding binding;
    Diagnostics faults;
  } last_;
};

}  // namespace ballast
