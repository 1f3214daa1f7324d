// A file that changes between prepare() and load(), or while it is read.
#include <gtest/gtest.h>
#include <sys/uio.h>

#include <filesystem>

#include "hostile/small_llama.hpp"

namespace ballast::test {
namespace {

struct ChangedBetween : testing::Test {
  ChangedBetween() {
    write_model(folder, whole);
    options.threads = 1;
    options.staging_bytes = 64 << 10;
  }
  std::optional<Error> load_after(const std::function<void()>& change) {
    PreparedLoad prepared = prepare(folder.path());
    change();
    return error_of([&] { (void)load(std::move(prepared), options); });
  }
  const std::string whole = small_safetensors().bytes();
  TempFolder folder;
  const std::string path = folder / "model.safetensors";
  ExecuteOptions options;
};

TEST_F(ChangedBetween, Shrunk) {
  EXPECT_TRUE(has_fault(
      load_after([&] { std::filesystem::resize_file(path, whole.size() - 1); }), Errc::io_changed,
      {"the file changed after its header was read", "model.safetensors", std::to_string(whole.size()) + " bytes"}));
}

TEST_F(ChangedBetween, Grown) {
  EXPECT_TRUE(has_fault(load_after([&] { std::filesystem::resize_file(path, whole.size() + 1); }), Errc::io_changed));
}

TEST_F(ChangedBetween, Gone) {
  EXPECT_TRUE(has_fault(load_after([&] { std::filesystem::remove(path); }), Errc::io_open, {"model.safetensors"}));
}

TEST_F(ChangedBetween, ReplacedByAnotherModel) {
  const std::string other = small_safetensors().tensor("more", DType::F16, {4}).write(folder / "other");
  EXPECT_TRUE(has_fault(load_after([&] { std::filesystem::rename(other, path); }), Errc::io_changed));
}

TEST_F(ChangedBetween, ReplacedByAFolder) {
  EXPECT_TRUE(load_after([&] {
    std::filesystem::remove(path);
    std::filesystem::create_directory(path);
  }));
}

TEST_F(ChangedBetween, ReplacedByOneOfTheSameSize) {
  const std::string other = folder.write("other", std::string(whole.size(), '\xff'));
  EXPECT_TRUE(has_fault(load_after([&] { std::filesystem::rename(other, path); }), Errc::io_changed,
                        {"another file of the same name and size"}));
}

TEST_F(ChangedBetween, ShrinksWhileItIsRead) {
  options.preadv = [&](int descriptor, const ::iovec* parts, int count, std::uint64_t offset) -> long {
    std::filesystem::resize_file(path, 100);
    return ::preadv(descriptor, parts, count, static_cast<::off_t>(offset));
  };
  const auto error = load_after([] {});
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->code() == Errc::io_changed || error->code() == Errc::io_read);
  EXPECT_TRUE(has_fault(error, error->code(), {"model.safetensors"}));
}

}  // namespace
}  // namespace ballast::test
