// Files that are not what the catalog saw are told before anything is read.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include <filesystem>

#include "execute/two_ways.hpp"
#include "support/faults.hpp"

namespace ballast::test {
namespace {

struct Changed : testing::Test {
  Changed() {
    fill_two_ways(c, 10'000);
    options.preadv = [](int, const ::iovec*, int, std::uint64_t) -> long {
      ADD_FAILURE() << "something was read";
      return 0;
    };
  }
  Case c;
  ExecuteOptions options;
};

TEST_F(Changed, shorter) {
  std::filesystem::resize_file(c.path(1), 9'000);
  EXPECT_TRUE(fails_with([&] { c.load(options); }, Errc::io_changed, {"file1", "10000 bytes", "9000 bytes"}));
}

TEST_F(Changed, longer) {
  std::filesystem::resize_file(c.path(1), 11'000);
  EXPECT_TRUE(fails_with([&] { c.load(options); }, Errc::io_changed, {"file1", "10000 bytes", "11000 bytes"}));
}

TEST_F(Changed, gone) {
  std::filesystem::remove(c.path(1));
  EXPECT_TRUE(fails_with([&] { c.load(options); }, Errc::io_open, {"file1"}));
}

TEST_F(Changed, a_fifo_in_its_place) {
  std::filesystem::remove(c.path(1));
  ASSERT_EQ(::mkfifo(c.path(1).c_str(), 0600), 0);
  EXPECT_TRUE(fails_with([&] { c.load(options); }, Errc::not_a_regular_file, {"file1"}));
}

TEST(ChangedFiles, that_no_tensor_needs_do_not_matter) {
  Case c;
  fill_two_ways(c, 10'000);
  const std::uint32_t other = c.add_file("unrelated");
  c.finish();
  std::filesystem::remove(c.path(other));
  EXPECT_TRUE(c.loads_right());
}

}  // namespace
}  // namespace ballast::test
