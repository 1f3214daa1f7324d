#include "execute/custom_steps.hpp"

#include <cstddef>
#include <exception>
#include <span>
#include <utility>
#include <vector>

#include "ballast/error.hpp"
#include "ballast/execute.hpp"

namespace ballast::execution {
namespace {

void run_step(const Plan& plan, const CustomStep& step, std::byte* scratch) {
  const auto bytes_of = [&](std::uint32_t index) {
    const ScratchTensor& tensor = plan.scratch[index];
    return std::span<std::byte>(scratch + tensor.offset, tensor.nbytes);
  };
  std::vector<std::span<const std::byte>> operands;
  operands.reserve(step.operands.size());
  for (const std::uint32_t operand : step.operands) operands.push_back(bytes_of(operand));
  try {
    step.function(operands, bytes_of(step.result));
  } catch (...) {
    Diagnostic fault;
    fault.code = Errc::custom_failed;
    fault.what = "the custom operation '" + printable(step.name) + "' failed";
    fault.operation = "load";
    fault.container = step.container;
    fault.parameter = step.parameter;
    try {
      throw;
    } catch (const std::exception& error) {
      fault.got = error.what();
    } catch (...) {
      fault.got = "an exception that is no std::exception";
    }
    std::throw_with_nested(Error(std::move(fault)));
  }
}

}  // namespace

void run_custom_steps(const PlanMemory& memory, const Control& control) {
  const Plan& plan = *memory.plan;
  auto copies = plan.scratch_copies.begin();
  for (std::size_t done = 0;; ++done) {
    for (; copies != plan.scratch_copies.end() && copies->after_steps <= done; ++copies) {
      control.check();
      ballast::place(copies->copy, memory.scratch + copies->copy.src_base, memory.target(copies->copy));
    }
    if (done == plan.steps.size()) return;
    control.check();
    run_step(plan, plan.steps[done], memory.scratch);
  }
}

}  // namespace ballast::execution
