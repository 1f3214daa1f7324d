// Custom operations get their operands in scratch memory, in order, and their results are placed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "execute/case.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

constexpr std::uint64_t kElements = 1000;
constexpr std::uint64_t kBytes = kElements * 4;

ScratchTensor scratch_tensor(std::uint64_t offset) {
  ScratchTensor tensor;
  tensor.spec = {DType::F32, {kElements}};
  tensor.offset = offset;
  tensor.nbytes = kBytes;
  return tensor;
}

CustomStep step(std::string name, std::vector<std::uint32_t> operands, std::uint32_t result, CustomFunction function) {
  CustomStep made;
  made.name = std::move(name);
  made.operands = std::move(operands);
  made.result = result;
  made.function = std::move(function);
  return made;
}

void reverse(std::span<const std::span<const std::byte>> operands, std::span<std::byte> out) {
  std::reverse_copy(operands[0].begin(), operands[0].end(), out.begin());
}

void exclusive_or(std::span<const std::span<const std::byte>> operands, std::span<std::byte> out) {
  for (std::size_t i = 0; i != out.size(); ++i) out[i] = operands[0][i] ^ operands[1][i];
}

// Two tensors of a file into scratch; reversed the first; the two combined; then into the arena.
struct CustomSteps : testing::Test {
  CustomSteps() {
    file = arbitrary_bytes(2 * kBytes);
    c.add_file(file);
    for (std::uint32_t i = 0; i != 2; ++i) {
      Copy copy = copy_of(0, DType::F32, i * kBytes, {{kElements, 1, 1}});
      copy.to_scratch = true;
      copy.dst_base = i * 4032;
      c.add(copy);
    }
    c.finish();
    Plan& plan = c.plan();
    for (std::uint64_t i = 0; i != 4; ++i) plan.scratch.push_back(scratch_tensor(i * 4032));
    plan.scratch_bytes = 4 * 4032;
    plan.steps.push_back(step("reverse", {0}, 2, reverse));
    plan.steps.push_back(step("combine", {2, 1}, 3, exclusive_or));
    for (const std::uint32_t after : {1U, 2U}) {
      Copy copy = copy_of(0, DType::F32, (1 + after) * 4032, {{kElements, 1, 2}});
      copy.from_scratch = true;
      copy.dst_begin = after - 1;
      plan.scratch_copies.push_back({after, copy});
    }
    base = c.reserve(2 * kBytes);
    plan.scratch_copies[0].copy.dst_base = plan.scratch_copies[1].copy.dst_base = base;
  }

  std::string load(const ExecuteOptions& options = {}) {
    std::string arena = c.blank_arena();
    (void)execute(c.catalog(), c.plan(), reinterpret_cast<std::byte*>(arena.data()), options);
    return arena;
  }

  std::string file;
  Case c;
  std::uint64_t base = 0;
};

TEST_F(CustomSteps, run_in_order_and_are_placed) {
  const std::string reversed(file.rend() - kBytes, file.rend());
  std::string right = c.blank_arena();
  for (std::uint64_t i = 0; i != kElements; ++i) {
    right.replace(base + i * 8, 4, reversed, i * 4, 4);
    for (std::uint64_t b = 0; b != 4; ++b)
      right[base + i * 8 + 4 + b] = static_cast<char>(reversed[i * 4 + b] ^ file[kBytes + i * 4 + b]);
  }
  EXPECT_EQ(load(), right);
}

TEST_F(CustomSteps, a_failure_names_the_step_and_keeps_the_cause) {
  c.plan().steps[1].function = [](auto, auto) { throw std::domain_error("no such matrix"); };
  const auto fails = [&] {
    try {
      (void)load();
    } catch (const Error& error) {
      EXPECT_THROW(std::rethrow_if_nested(error), std::domain_error);
      throw;
    }
  };
  EXPECT_TRUE(fails_with(fails, Errc::custom_failed, {"'combine'", "no such matrix"}));
}

TEST_F(CustomSteps, what_is_thrown_may_be_anything) {
  c.plan().steps[0].function = [](auto, auto) { throw 42; };
  EXPECT_TRUE(fails_with([&] { (void)load(); }, Errc::custom_failed, {"'reverse'"}));
}

TEST_F(CustomSteps, no_function_at_all) {
  c.plan().steps[0].function = nullptr;
  EXPECT_TRUE(fails_with([&] { (void)load(); }, Errc::custom_failed, {"'reverse'"}));
}

TEST_F(CustomSteps, are_not_begun_once_cancelled) {
  std::stop_source stop;
  ExecuteOptions options;
  options.cancel = stop.get_token();
  c.plan().steps[0].function = [&](auto operands, auto out) {
    stop.request_stop();
    reverse(operands, out);
  };
  c.plan().steps[1].function = [](auto, auto) { ADD_FAILURE() << "begun"; };
  EXPECT_TRUE(fails_with([&] { (void)load(options); }, Errc::cancelled));
}

}  // namespace
}  // namespace ballast::test
