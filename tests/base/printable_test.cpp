// Names come from files, files come from anyone, and messages go to terminals.
#include <gtest/gtest.h>

#include "ballast/error.hpp"
#include "base/utf8.hpp"

namespace ballast {
namespace {

using namespace std::string_view_literals;

TEST(Printable, LeavesOrdinaryTextAlone) {
  EXPECT_EQ(printable("model.layers.0.self_attn.q_proj.weight"), "model.layers.0.self_attn.q_proj.weight");
  EXPECT_EQ(printable("na\xC3\xAFve \xE8\xA1\xA8"), "na\xC3\xAFve \xE8\xA1\xA8");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, EscapesWhatATerminalObeys) {
  EXPECT_EQ(printable("\x1B[2Jgone"), "\\x1B[2Jgone");
  EXPECT_EQ(printable("a\nb\tc\r\x7F"), "a\\nb\\tc\\x0D\\x7F");
  EXPECT_EQ(printable("\0"sv), "\\x00");
  EXPECT_EQ(printable("\xC2\x9B"), "\\u{9B}") << "the one-character CSI";
}

TEST(Printable, EscapesWhatHidesOrReordersText) {
  EXPECT_EQ(printable("\xE2\x80\xAE"), "\\u{202E}");
  EXPECT_EQ(printable("\xE2\x80\x8B"), "\\u{200B}");
  EXPECT_EQ(printable("\xEF\xBB\xBF"), "\\u{FEFF}");
}

TEST(Printable, EscapesInvalidUtf8ByteByByte) { EXPECT_EQ(printable("a\xFF\xC3"), "a\\xFF\\xC3"); }

TEST(Printable, KeepsBothEndsOfWhatIsTooLong) {
  const std::string text = "begin" + std::string(1000, 'x') + "end";
  const std::string shown = printable(text, 60);
  EXPECT_LT(shown.size(), 100U);
  EXPECT_TRUE(shown.starts_with("beginxxx"));
  EXPECT_TRUE(shown.ends_with("xend"));
  EXPECT_NE(shown.find("(948 bytes left out)"), std::string::npos) << shown;
}

TEST(Printable, CutsBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "\xE8\xA1\xA8";
  for (std::size_t room = 1; room < 20; ++room) {
    const std::string shown = printable(text, room);
    EXPECT_EQ(shown.find("\\x"), std::string::npos) << shown;
    EXPECT_FALSE(find_invalid_utf8(shown)) << shown;
  }
}

}  // namespace
}  // namespace ballast
