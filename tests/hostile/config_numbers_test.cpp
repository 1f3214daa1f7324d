// Numbers of a config that no model has.
#include <gtest/gtest.h>

#include "hostile/small_llama.hpp"

namespace ballast::test {
namespace {

// The small config with another value for one key.
std::string with(std::string_view key, std::string_view value) {
  std::string config = kSmallConfig;
  const std::size_t at = config.find(":", config.find("\"" + std::string(key) + "\"")) + 2;
  return config.replace(at, config.find_first_of(",}", at) - at, value);
}

std::optional<Error> load_with(std::string_view key, std::string_view value) {
  const TempFolder folder;
  write_model(folder, small_safetensors().bytes(), with(key, value));
  return load_error(folder.path());
}

TEST(ConfigNumbers, TooLarge) {
  for (const char* value : {"9223372036854775808", "18446744073709551615", "1000000000000"})
    EXPECT_TRUE(has_fault(load_with("hidden_size", value), Errc::context_invalid, {"hidden_size is absurd", value}));
  EXPECT_TRUE(has_fault(load_with("num_hidden_layers", "1000000000"), Errc::context_invalid,
                        {"num_hidden_layers is absurd", "at most 4096", "1000000000"}));
  EXPECT_TRUE(load_with("num_attention_heads", "9223372036854775808"));
  EXPECT_TRUE(load_with("num_key_value_heads", "9223372036854775808"));
  EXPECT_LT(peak_memory(), kLittleMemory);
}

TEST(ConfigNumbers, TooLargeForAnyInteger) {
  for (const char* key : {"hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads"})
    for (const char* value : {"100000000000000000000", "1e400", "1e30"}) EXPECT_TRUE(load_with(key, value)) << key;
}

TEST(ConfigNumbers, Zero) {
  EXPECT_TRUE(has_fault(load_with("num_attention_heads", "0"), Errc::context_invalid,
                        {"num_attention_heads", "a positive number"}));
  EXPECT_TRUE(has_fault(load_with("num_hidden_layers", "0"), Errc::context_invalid, {"num_hidden_layers"}));
  EXPECT_TRUE(has_fault(load_with("hidden_size", "0"), Errc::context_invalid, {"hidden_size"}));
}

TEST(ConfigNumbers, NegativeOrOfAnotherKind) {
  for (const char* key : {"hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads"})
    for (const char* value : {"-1", "1.5", "\"4\"", "[]", "{}", "true"})
      EXPECT_TRUE(has_fault(load_with(key, value), Errc::config_invalid, {key, "config.json"})) << value;
}

TEST(ConfigNumbers, HeadsThatDoNotDivide) {
  EXPECT_TRUE(has_fault(load_with("num_attention_heads", "3"), Errc::context_invalid,
                        {"the dimension is not a multiple of the heads", "a multiple of 3", "4"}));
  const TempFolder folder;
  std::string config = with("num_attention_heads", "4");
  config.replace(config.find("\"num_key_value_heads\": 1"), 24, "\"num_key_value_heads\": 3");
  write_model(folder, small_safetensors().bytes(), config);
  EXPECT_TRUE(has_fault(load_error(folder.path()), Errc::context_invalid,
                        {"query heads cannot share key/value heads evenly", "divides 4 query heads", "3 key/value"}));
}

TEST(ConfigNumbers, SeveralFaultsAreOneError) {
  const TempFolder folder;
  write_model(folder, small_safetensors().bytes(), R"({"model_type": "llama"})");
  const auto error = load_error(folder.path());
  ASSERT_TRUE(error);
  EXPECT_EQ(count_faults(error, Errc::context_invalid), 3U);
}

TEST(ConfigNumbers, MoreLayersThanTheFileHasAreMissing) {
  const auto error = load_with("num_hidden_layers", "4000");
  EXPECT_TRUE(has_fault(error, Errc::dependency_missing,
                        {"3999 tensors are missing", "\"model.layers.{1..3999}.self_attn.q_proj.weight\""}));
  EXPECT_EQ(error->total(), 9U);
}

TEST(ConfigNumbers, AbsurdInGguf) {
  const TempFolder folder;
  GgufWriter writer;
  writer.text("general.architecture", "llama").u64("llama.block_count", ~std::uint64_t{0});
  EXPECT_TRUE(has_fault(load_error(writer.tensor("a", DType::F16, {1}).write(folder / "m.gguf")), Errc::context_invalid,
                        {"block_count is absurd"}));
}

}  // namespace
}  // namespace ballast::test
