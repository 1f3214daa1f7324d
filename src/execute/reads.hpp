// What a load reads and where that goes: the copies of one plan, or of several plans together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ballast/plan.hpp"

namespace ballast::execution {

// A plan, and the memory that it fills.
struct PlanMemory {
  const Plan* plan = nullptr;
  std::byte* arena = nullptr;
  std::byte* scratch = nullptr;

  // The block that the copy's dst_base counts from.
  [[nodiscard]] std::byte* target(const Copy& copy) const noexcept { return copy.to_scratch ? scratch : arena; }
};

class Reads {
 public:
  // One plan reads what it says itself.
  explicit Reads(const PlanMemory& only)
      : plans_(&only, 1), groups_(only.plan->groups), bytes_needed_(only.plan->bytes_needed) {}
  // All of these outlive it.
  Reads(const JointReads& joint, std::span<const PlanMemory> plans)
      : plans_(plans), joint_(joint.copies), groups_(joint.groups), bytes_needed_(joint.bytes_needed) {}

  [[nodiscard]] std::span<const PlanMemory> plans() const noexcept { return plans_; }
  [[nodiscard]] std::span<const ReadGroup> groups() const noexcept { return groups_; }
  [[nodiscard]] std::uint64_t bytes_needed() const noexcept { return bytes_needed_; }

  struct Placed {
    const Copy& copy;
    std::byte* target;  // the block that its dst_base counts from
  };
  // By ReadGroup::first_copy and on.
  [[nodiscard]] Placed operator[](std::uint32_t index) const noexcept {
    const JointReads::CopyOf at = joint_.empty() ? JointReads::CopyOf{0, index} : joint_[index];
    const PlanMemory& memory = plans_[at.plan];
    const Copy& copy = memory.plan->copies[at.copy];
    return {copy, memory.target(copy)};
  }
  [[nodiscard]] const Copy& first_copy(const ReadGroup& group) const noexcept { return (*this)[group.first_copy].copy; }

 private:
  std::span<const PlanMemory> plans_;
  std::span<const JointReads::CopyOf> joint_;  // none: the copies of the only plan
  std::span<const ReadGroup> groups_;
  std::uint64_t bytes_needed_ = 0;
};

}  // namespace ballast::execution
