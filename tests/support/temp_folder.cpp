#include "support/temp_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace ballast::test {
namespace fs = std::filesystem;

TempFolder::TempFolder() {
  path_ = (fs::temp_directory_path() / "ballast-XXXXXX").string();
  if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder: " + path_);
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TempFolder::operator/(std::string_view name) const { return path_ + "/" + std::string(name); }

std::string TempFolder::write(std::string_view name, std::string_view contents) const {
  std::string path = *this / name;
  write_file(path, contents);
  return path;
}

std::string TempFolder::folder(std::string_view name) const {
  std::string path = *this / name;
  fs::create_directories(path);
  return path;
}

std::string TempFolder::link(std::string_view name, const std::string& target) const {
  std::string path = *this / name;
  fs::create_directories(fs::path(path).parent_path());
  fs::create_symlink(target, path);
  return path;
}

std::string TempFolder::fifo(std::string_view name) const {
  std::string path = *this / name;
  fs::create_directories(fs::path(path).parent_path());
  if (::mkfifo(path.c_str(), 0600) != 0) throw std::runtime_error("no FIFO: " + path);
  return path;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void write_file(const std::string& path, std::string_view contents) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  out.close();
  if (!out) throw std::runtime_error("cannot write " + path);
}

}  // namespace ballast::test
