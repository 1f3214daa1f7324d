#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <future>

#include "ballast/catalog.hpp"
#include "support/faults.hpp"
#include "support/safetensors_writer.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

testing::AssertionResult path_fails(const std::string& path, Errc code, std::initializer_list<std::string_view> parts) {
  return fails_with([&] { (void)open_checkpoint(path); }, code, parts);
}

TEST(PathsThatCannotBeOpened, Empty) { EXPECT_TRUE(path_fails("", Errc::invalid_argument, {"path", "is empty"})); }

TEST(PathsThatCannotBeOpened, NulByte) {
  EXPECT_TRUE(path_fails(std::string("/tmp\0x", 6), Errc::invalid_argument, {"NUL"}));
}

TEST(PathsThatCannotBeOpened, NotThere) {
  const TempFolder folder;
  EXPECT_TRUE(path_fails(folder / "absent", Errc::io_open, {"no such file or folder", "/absent"}));
}

TEST(PathsThatCannotBeOpened, TheNameOfAModelOnAHub) {
  EXPECT_TRUE(path_fails("no-such-organisation/model", Errc::io_open, {"no such file", "hub", "download it first"}));
}

TEST(PathsThatCannotBeOpened, DanglingLink) {
  const TempFolder folder;
  const std::string link = folder.link("model.safetensors", "../blobs/0123");
  EXPECT_TRUE(path_fails(link, Errc::io_open, {"leads nowhere", "../blobs/0123"}));
  EXPECT_TRUE(path_fails(folder.path(), Errc::shard_missing, {"../blobs/0123", "incomplete download"}));
}

TEST(PathsThatCannotBeOpened, LinkToItself) {
  const TempFolder folder;
  EXPECT_TRUE(path_fails(folder.link("loop", "loop"), Errc::io_open, {"cannot be reached"}));
}

TEST(PathsThatCannotBeOpened, AFileInPlaceOfAFolderOnTheWay) {
  const TempFolder folder;
  folder.write("file", "x");
  EXPECT_TRUE(path_fails(folder / "file/model.safetensors", Errc::io_open, {"file/model.safetensors"}));
}

TEST(PathsThatCannotBeOpened, WithoutPermission) {
  const TempFolder folder;
  const std::string file = SafetensorsWriter{}.tensor("a", DType::F32, {1}).write(folder / "closed/model.safetensors");
  ASSERT_EQ(::chmod(file.c_str(), 0), 0);
  if (::access(file.c_str(), R_OK) == 0) GTEST_SKIP() << "this user can read everything";
  EXPECT_TRUE(path_fails(file, Errc::io_open, {"model.safetensors", "ermission denied"}));
  ASSERT_EQ(::chmod((folder / "closed").c_str(), 0), 0);
  EXPECT_TRUE(path_fails(folder / "closed", Errc::io_open, {"cannot be listed", "ermission denied"}));
  EXPECT_TRUE(path_fails(file, Errc::io_open, {"cannot be reached", "ermission denied"}));
  ASSERT_EQ(::chmod((folder / "closed").c_str(), 0700), 0);
}

// A test that waits for a FIFO's writer must not wait for ever.
std::optional<Error> error_in_time(const std::string& path, const std::string& fifo) {
  auto result = std::async(std::launch::async, [&] { return error_of([&] { (void)open_checkpoint(path); }); });
  if (result.wait_for(std::chrono::seconds(20)) != std::future_status::ready) {
    ADD_FAILURE() << "waits for " << fifo;
    const int writer = ::open(fifo.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);
    std::optional<Error> error = result.get();
    ::close(writer);
    return error;
  }
  return result.get();
}

TEST(PathsThatCannotBeOpened, AFifoInPlaceOfWeightsDoesNotBlock) {
  const TempFolder folder;
  const std::string fifo = folder.fifo("model.safetensors");
  EXPECT_TRUE(has_fault(error_in_time(fifo, fifo), Errc::not_a_regular_file, {"FIFO"}));
  EXPECT_TRUE(has_fault(error_in_time(folder.path(), fifo), Errc::not_a_regular_file, {"FIFO"}));
}

TEST(PathsThatCannotBeOpened, AFifoInPlaceOfConfigOrIndexDoesNotBlock) {
  const TempFolder folder;
  const std::string fifo = folder.fifo("config.json");
  EXPECT_TRUE(has_fault(error_in_time(fifo, fifo), Errc::not_a_regular_file, {"FIFO"}));
  SafetensorsWriter{}.tensor("a", DType::F32, {1}).write(folder / "model.safetensors");
  EXPECT_TRUE(has_fault(error_in_time(folder.path(), fifo), Errc::not_a_regular_file, {"config.json"}));
}

}  // namespace
}  // namespace ballast::test
