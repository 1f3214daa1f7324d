// A pass for all ranks that fails leaves nothing of any rank, and says what one for a single rank says.
#include <gtest/gtest.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "models/tiny_llama.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

long open_files() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

class AllRanksEndingEarly : public testing::Test {
 protected:
  AllRanksEndingEarly() {
    TinyLlama().write(folder_);
    options_.tp_size = 4;
  }

  TempFolder folder_;
  LoadOptions options_;
};

TEST_F(AllRanksEndingEarly, AFailingRead) {
  const long before = open_files();
  options_.execute.preadv = [](int, const ::iovec*, int, std::uint64_t) -> long {
    errno = EIO;
    return -1;
  };
  EXPECT_TRUE(fails_with([&] { (void)load_ranks(folder_.path(), options_); }, Errc::io_read, {"model.safetensors"}));
  EXPECT_EQ(open_files(), before);
}

TEST_F(AllRanksEndingEarly, ARequestToStop) {
  std::stop_source stop;
  stop.request_stop();
  options_.execute.cancel = stop.get_token();
  EXPECT_TRUE(fails_with([&] { (void)load_ranks(folder_.path(), options_); }, Errc::cancelled));
}

TEST_F(AllRanksEndingEarly, AFileThatChangedAfterPlanning) {
  PreparedRanks prepared = prepare_ranks(folder_.path(), options_);
  std::filesystem::resize_file(folder_ / "model.safetensors", 100);
  EXPECT_TRUE(fails_with([&] { (void)load_ranks(std::move(prepared)); }, Errc::io_changed, {"model.safetensors"}));
}

// Ranks that fit one by one and not together are refused as one block that large would be.
TEST_F(AllRanksEndingEarly, MoreMemoryTogetherThanThereIs) {
  PreparedRanks prepared = prepare_ranks(folder_.path(), options_);
  for (PreparedLoad& rank : prepared.ranks) rank.plan.arena_bytes = std::uint64_t{1} << 45U;
  const std::string together = std::to_string(std::uint64_t{1} << 47U) + " bytes";
  EXPECT_TRUE(fails_with([&] { (void)load_ranks(std::move(prepared)); }, Errc::out_of_memory, {together}));
}

}  // namespace
}  // namespace ballast::test
