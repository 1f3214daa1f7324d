// A folder of its own for one test, removed with everything in it when the test ends.
#pragma once

#include <string>
#include <string_view>

namespace ballast::test {

class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] std::string operator/(std::string_view name) const;

  // Each makes the folders above it, and returns the path of what it made.
  std::string write(std::string_view name, std::string_view contents) const;
  std::string folder(std::string_view name) const;
  std::string link(std::string_view name, const std::string& target) const;  // a symbolic link
  std::string fifo(std::string_view name) const;

 private:
  std::string path_;
};

// The whole file. Throws std::runtime_error where it cannot be read.
[[nodiscard]] std::string read_file(const std::string& path);
void write_file(const std::string& path, std::string_view contents);

}  // namespace ballast::test
