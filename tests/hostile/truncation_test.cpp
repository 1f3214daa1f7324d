// A checkpoint that ends too early, wherever it ends, is an error and never a load.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "hostile/small_llama.hpp"
#include "support/index_json.hpp"

namespace ballast::test {
namespace {

// Every byte of the header, and one byte either side of every tensor boundary; below the end of the last tensor.
std::set<std::uint64_t> cuts(const std::string& path) {
  const Catalog catalog = open_checkpoint(path);
  std::set<std::uint64_t> all;
  for (std::uint64_t at = 0; at <= catalog.files[0].header_bytes; ++at) all.insert(at);
  std::uint64_t end = 0;
  for (const TensorInfo& tensor : catalog.tensors) {
    for (const std::uint64_t edge : {tensor.offset, tensor.offset + tensor.nbytes})
      all.insert({edge - 1, edge, edge + 1});
    end = std::max(end, tensor.offset + tensor.nbytes);
  }
  all.erase(all.lower_bound(end), all.end());
  return all;
}

void every_cut_fails(const std::string& path, const std::string& load_path) {
  ASSERT_FALSE(load_error(load_path));
  const std::set<std::uint64_t> all = cuts(path);
  for (auto cut = all.rbegin(); cut != all.rend(); ++cut) {
    std::filesystem::resize_file(path, *cut);
    EXPECT_TRUE(load_error(load_path)) << "loaded from " << *cut << " bytes";
  }
}

TEST(Truncation, Safetensors) {
  const TempFolder folder;
  write_model(folder, small_safetensors().bytes());
  every_cut_fails(folder / "model.safetensors", folder.path());
}

TEST(Truncation, Gguf) {
  const TempFolder folder;
  const std::string path = small_gguf().write(folder / "model.gguf");
  every_cut_fails(path, path);
}

// An object without its last brace is no object.
void every_prefix_fails(const TempFolder& folder, std::string_view name, Errc code) {
  ASSERT_FALSE(load_error(folder.path()));
  for (std::size_t cut = read_file(folder / name).size(); cut-- > 0;) {
    std::filesystem::resize_file(folder / name, cut);
    EXPECT_TRUE(has_fault(load_error(folder.path()), code, {name})) << cut;
  }
}

TEST(Truncation, Config) {
  const TempFolder folder;
  write_model(folder, small_safetensors().bytes());
  every_prefix_fails(folder, "config.json", Errc::config_invalid);
}

TEST(Truncation, Index) {
  const TempFolder folder;
  folder.write("config.json", kSmallConfig);
  std::vector<std::pair<std::string, std::string>> places;
  for (const std::size_t shard : {0U, 1U}) {
    const std::string file = "model-0000" + std::to_string(shard + 1) + "-of-00002.safetensors";
    small_safetensors(shard).write(folder / file);
    for (const std::string& name : small_names(shard)) places.emplace_back(name, file);
  }
  folder.write("model.safetensors.index.json", index_json(places));
  every_prefix_fails(folder, "model.safetensors.index.json", Errc::index_invalid);
}

}  // namespace
}  // namespace ballast::test
