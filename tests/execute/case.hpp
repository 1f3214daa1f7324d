// A plan made by hand over real files, and what executing it must give: element by element, the slow and plain way.
//
//   Case c;
//   const auto file = c.add_file(bytes);
//   c.add(copy_of(file, DType::F32, 0, {{4, 1, 1}}));
//   EXPECT_TRUE(c.loads_right());
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "ballast/execute.hpp"
#include "execute/worker.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {

// Loops in any order; those of one turn are left out, those that are contiguous on both sides are merged.
[[nodiscard]] Copy copy_of(std::uint32_t file, DType dtype, std::uint64_t src_base, std::vector<CopyDim> dims);

// Bytes that differ from place to place, and that make small finite numbers in every dtype.
[[nodiscard]] std::string arbitrary_bytes(std::size_t count, std::uint64_t seed = 1);

class Case {
 public:
  std::uint32_t add_file(std::string bytes);
  // A place in the arena for so many bytes; a gap follows it.
  std::uint64_t reserve(std::uint64_t bytes);
  Copy& add(const Copy& copy);

  // Groups, and sizes, of the copies added so far. To be called before the plan is used.
  void finish();

  [[nodiscard]] const Catalog& catalog() const { return catalog_; }
  [[nodiscard]] Catalog& catalog() { return catalog_; }
  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] Plan& plan() { return plan_; }
  [[nodiscard]] const std::string& path(std::uint32_t file) const { return catalog_.files[file].path; }
  [[nodiscard]] const TempFolder& folder() const { return folder_; }

  // The arena as executing the plan must leave it, made of a fresh `blank_arena()`.
  [[nodiscard]] std::string expected() const;
  [[nodiscard]] std::string blank_arena() const;

  // Executes and compares every byte of the arena, and the counts.
  [[nodiscard]] testing::AssertionResult loads_right(const ExecuteOptions& options = {}) const;
  // The same with sizes that the library would choose larger.
  [[nodiscard]] testing::AssertionResult loads_right(unsigned threads, const execution::Sizes& sizes,
                                                     const ExecuteOptions& options = {}) const;
  // Executes into an arena that is thrown away.
  ExecuteStats load(const ExecuteOptions& options = {}) const;

  // The same with the copies dealt out in turn to several plans, each with an arena of its own, read in one pass.
  [[nodiscard]] testing::AssertionResult loads_right_dealt(std::size_t plans, const ExecuteOptions& options = {}) const;
  [[nodiscard]] testing::AssertionResult loads_right_dealt(std::size_t plans, unsigned threads,
                                                           const execution::Sizes& sizes) const;
  ExecuteStats load_dealt(std::size_t plans, const ExecuteOptions& options = {}) const;

 private:
  using Execute = std::function<ExecuteStats(const JointReads&, std::span<const ExecuteTarget>)>;
  [[nodiscard]] testing::AssertionResult dealt_is_right(std::size_t plans, const Execute& execute) const;
  [[nodiscard]] std::vector<Plan> deal(std::size_t plans) const;
  [[nodiscard]] testing::AssertionResult is_right(const ExecuteStats& stats) const;
  [[nodiscard]] testing::AssertionResult is_right(const std::string& arena, const ExecuteStats& stats) const;

  TempFolder folder_;
  std::vector<std::string> contents_;
  Catalog catalog_;
  Plan plan_;
};

}  // namespace ballast::test
