#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <thread>
#include <vector>

#include "ballast/formats.hpp"
#include "support/faults.hpp"
#include "support/temp_folder.hpp"

namespace ballast::test {
namespace {

testing::AssertionResult refused(const std::string& path, Errc code, std::initializer_list<std::string_view> parts) {
  return fails_with([&] { InputFile file(path); }, code, parts);
}

std::string read(const InputFile& file, std::uint64_t offset, std::uint64_t count) {
  std::string bytes(count, '\0');
  file.read_at(offset, bytes.data(), count);
  return bytes;
}

TEST(InputFile, ReadsAnyPart) {
  const TempFolder folder;
  const InputFile file(folder.write("f", "0123456789"));
  EXPECT_EQ(file.size(), 10U);
  EXPECT_EQ(read(file, 3, 4), "3456");
  EXPECT_EQ(read(file, 10, 0), "");
}

TEST(InputFile, FollowsSymbolicLinks) {
  const TempFolder folder;
  folder.write("blob", "abc");
  EXPECT_EQ(read(InputFile(folder.link("model", "blob")), 0, 3), "abc");
}

TEST(InputFile, IsClosedOnExec) {
  const TempFolder folder;
  const InputFile file(folder.write("f", "x"));
  EXPECT_NE(::fcntl(file.descriptor(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST(InputFile, MovesItsDescriptor) {
  const TempFolder folder;
  InputFile first(folder.write("a", "first"));
  const int descriptor = first.descriptor();
  InputFile second(std::move(first));
  EXPECT_EQ(second.descriptor(), descriptor);
  InputFile third(folder.write("b", "third"));
  const int closed = third.descriptor();
  third = std::move(second);
  EXPECT_EQ(read(third, 0, 5), "first");
  EXPECT_EQ(::fcntl(closed, F_GETFD), -1) << "the descriptor assigned over is closed";
}

TEST(InputFile, AMissingFile) {
  const TempFolder folder;
  EXPECT_TRUE(refused(folder / "none", Errc::io_open, {"cannot be opened", "No such file", "none"}));
  EXPECT_TRUE(refused("", Errc::io_open, {"cannot be opened"}));
}

TEST(InputFile, ALinkIntoACacheThatLostItsBlob) {
  const TempFolder folder;
  EXPECT_TRUE(refused(folder.link("model", "../blobs/abc"), Errc::io_open,
                      {"a symbolic link to ../blobs/abc, which does not exist"}));
}

TEST(InputFile, APathWithANulIsNotCutShort) {
  const TempFolder folder;
  const std::string path = folder.write("f", "x") + std::string("\0.bak", 5);
  EXPECT_TRUE(refused(path, Errc::io_open, {"NUL character", "\\x00.bak"}));
}

TEST(InputFile, WhatIsNoRegularFileIsNamed) {
  const TempFolder folder;
  EXPECT_TRUE(refused(folder.path(), Errc::not_a_regular_file, {"a folder"}));
  EXPECT_TRUE(refused(folder.fifo("fifo"), Errc::not_a_regular_file, {"a FIFO"})) << "and does not wait for a writer";
  EXPECT_TRUE(refused("/dev/zero", Errc::not_a_regular_file, {"a character device"}));
}

TEST(InputFile, ASocketIsNamed) {
  const TempFolder folder;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = folder / "socket";
  ASSERT_LT(path.size(), sizeof(address.sun_path));
  std::strcpy(address.sun_path, path.c_str());
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  EXPECT_TRUE(refused(path, Errc::not_a_regular_file, {"a socket"}));
  ::close(descriptor);
}

TEST(InputFile, AFileThatShrinksIsReportedWithBothSizes) {
  const TempFolder folder;
  const std::string path = folder.write("f", "0123456789");
  const InputFile file(path);
  std::filesystem::resize_file(path, 4);
  EXPECT_EQ(read(file, 0, 4), "0123");
  EXPECT_TRUE(fails_with([&] { (void)read(file, 2, 6); }, Errc::io_changed,
                         {"became shorter", "10 bytes, as when it was opened", "4 bytes now", "at byte 4"}));
}

TEST(InputFile, AReadBeyondTheEndIsRefused) {
  const TempFolder folder;
  const InputFile file(folder.write("f", "0123"));
  char bytes[8];
  EXPECT_TRUE(fails_with([&] { file.read_at(1, bytes, 4); }, Errc::io_read, {"beyond the end", "at most 4 bytes"}));
  EXPECT_TRUE(fails_with([&] { file.read_at(~std::uint64_t{0}, bytes, 2); }, Errc::io_read, {"beyond the end"}));
}

// A folder's descriptor in place of the file's stands for a device that fails.
TEST(InputFile, AReadThatFailsSaysWhyAndWhere) {
  const TempFolder folder;
  const InputFile file(folder.write("f", "0123"));
  const int other = ::open(folder.path().c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::dup2(other, file.descriptor()), file.descriptor());
  ::close(other);
  EXPECT_TRUE(fails_with([&] { (void)read(file, 2, 2); }, Errc::io_read,
                         {"cannot be read", std::strerror(EISDIR), "at byte 2", file.path()}));
}

TEST(InputFile, SeveralThreadsReadAtOnce) {
  const TempFolder folder;
  std::string contents;
  for (int i = 0; i < 4096; ++i) contents += std::to_string(i);
  const InputFile file(folder.write("f", contents));
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (std::size_t t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (std::uint64_t at = t; at + 64 < contents.size(); at += 64)
        wrong[t] += read(file, at, 64) != contents.substr(at, 64);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

}  // namespace
}  // namespace ballast::test
