// The load itself, with its sizes in the caller's hands. `ballast::execute` chooses them by the machine and the plan.
#pragma once

#include "ballast/execute.hpp"
#include "execute/worker.hpp"

namespace ballast::execution {

[[nodiscard]] ExecuteStats execute_with(const Catalog& catalog, const Plan& plan, std::byte* arena,
                                        const ExecuteOptions& options, unsigned threads, const Sizes& sizes);

}  // namespace ballast::execution
