// Names come from strangers: in errors they are escaped and cut.
#include <gtest/gtest.h>

#include "hostile/small_llama.hpp"

namespace ballast::test {
namespace {

// Nothing that a terminal would obey, and no more than a person reads.
void expect_harmless(const std::optional<Error>& error) {
  ASSERT_TRUE(error);
  const std::string text = error->what();
  for (const char c : text)
    EXPECT_TRUE(c == '\n' || (static_cast<unsigned char>(c) >= 0x20 && c != '\x7f')) << static_cast<int>(c);
  EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos);      // a control sequence in one character
  EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos);  // turns the direction of what follows
  EXPECT_EQ(text.find('\xff'), std::string::npos);
  EXPECT_LT(text.size(), 20'000U);
}

const std::vector<std::string>& hostile_names() {
  static const std::vector<std::string> names{"\x1b[2J\x1b]0;title\x07",
                                              "a\nbind: all is well",
                                              "a\rb\tc\x7f",
                                              std::string("nul\0inside", 10),
                                              "\xc2\x9b"
                                              "31m",
                                              "\xe2\x80\xae"
                                              "thgir",
                                              std::string(100'000, 'x'),
                                              std::string(100'000, '.'),
                                              "model.layers.0." + std::string(5'000, '7'),
                                              "model.layers.99999999999999999999.w"};
  return names;
}

TEST(HostileNames, InSafetensors) {
  for (const std::string& name : hostile_names()) {
    const TempFolder folder;
    write_model(folder, small_safetensors().tensor(name, DType::F16, {1}).bytes());
    expect_harmless(load_error(folder.path()));
  }
}

TEST(HostileNames, InGguf) {
  std::vector<std::string> names = hostile_names();
  names.emplace_back("\xff\xfe not UTF-8");
  for (const std::string& name : names) {
    const TempFolder folder;
    expect_harmless(load_error(small_gguf().tensor(name, DType::F16, {1}).write(folder / "model.gguf")));
  }
}

TEST(HostileNames, NotUtf8InSafetensors) {
  const TempFolder folder;
  write_model(folder, safetensors_bytes(
                          std::string("{\"\xff\":{\"dtype\":\"F16\",\"shape\":[],\"data_offsets\":[0,2]}}"), "xx"));
  const auto error = load_error(folder.path());
  EXPECT_TRUE(has_fault(error, Errc::header_invalid_utf8));
  expect_harmless(error);
}

TEST(HostileNames, ModelTypeThatIsNone) {
  const TempFolder folder;
  write_model(folder, small_safetensors().bytes(), R"({"model_type": "\u001b[31mllama\n"})");
  const auto error = load_error(folder.path());
  EXPECT_TRUE(has_fault(error, Errc::unknown_architecture));
  expect_harmless(error);
}

}  // namespace
}  // namespace ballast::test
