// The load itself, with its sizes in the caller's hands. `ballast::execute` chooses them by the machine and the plan.
#pragma once

#include "ballast/execute.hpp"
#include "execute/worker.hpp"

namespace ballast::execution {

// Of one plan where `joint` is null, else of what it joins.
[[nodiscard]] ExecuteStats execute_with(const Catalog& catalog, const JointReads* joint,
                                        std::span<const ExecuteTarget> targets, const ExecuteOptions& options,
                                        unsigned threads, const Sizes& sizes);

}  // namespace ballast::execution
