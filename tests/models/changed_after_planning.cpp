// A file that is not any more what was planned is an error that names it, and nothing half-done stays behind.
#include <gtest/gtest.h>

#include <filesystem>

#include "models/tiny_llama.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

class ChangedAfterPlanning : public testing::Test {
 protected:
  ChangedAfterPlanning() : prepared_(prepare(TinyLlama().write(folder_))) {}

  void expect_fault(Errc code) {
    EXPECT_TRUE(fails_with([&] { (void)load(std::move(prepared_)); }, code, {file_}));
  }

  TempFolder folder_;
  std::string file_ = folder_ / "model.safetensors";
  PreparedLoad prepared_;
};

TEST_F(ChangedAfterPlanning, Shorter) {
  std::filesystem::resize_file(file_, std::filesystem::file_size(file_) - 1);
  expect_fault(Errc::io_changed);
}

TEST_F(ChangedAfterPlanning, Longer) {
  std::filesystem::resize_file(file_, std::filesystem::file_size(file_) + 1);
  expect_fault(Errc::io_changed);
}

TEST_F(ChangedAfterPlanning, Gone) {
  std::filesystem::remove(file_);
  expect_fault(Errc::io_open);
}

TEST_F(ChangedAfterPlanning, NotAtAll) { EXPECT_TRUE(load(std::move(prepared_)).model().is_populated()); }

}  // namespace
}  // namespace ballast::test
