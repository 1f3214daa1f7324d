// Custom operations: they run once all file reads are done, on operands that lie in scratch memory.
#pragma once

#include "execute/control.hpp"
#include "execute/reads.hpp"

namespace ballast::execution {

// Throws Error(custom_failed) naming the step, its cause nested, and Error(cancelled).
void run_custom_steps(const PlanMemory& memory, const Control& control);

}  // namespace ballast::execution
