// What may be printed of a text from outside: against the standard's ranges, and bytes that are no UTF-8.
#include "theory/source/printable.h"

#include "gtest/gtest.h"
#include "theory/source/spec_error.h"

namespace gpe::theory {
namespace printable_test {

TEST(Printable, keeps_words_of_any_language) {
  for (const char* text : {"", "ALiBi, slopes 2^(-8/h)", "Élémentaire…", "位置編碼", "𝒜(n) = −m·n"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, escapes_what_a_terminal_acts_on) {
  EXPECT_EQ(printable("a\nproved: b"), "a\\nproved: b");
  EXPECT_EQ(printable("a\r\tb"), "a\\r\\tb");
  EXPECT_EQ(printable("\033[2J"), "\\u001b[2J");
  EXPECT_EQ(printable(std::string("\0\x7F", 2)), "\\u0000\\u007f");
  EXPECT_EQ(printable("\xC2\x9B"), "\\u009b");  // the control sequence introducer in one character
  EXPECT_EQ(printable("a\xE2\x80\xAE"
                      "b"),
            "a\\u202eb");                                      // right to left from here on
  EXPECT_EQ(printable("\xE2\x80\xA8"), "\\u2028");             // a separator of lines
  EXPECT_EQ(printable("\xEF\xBB\xBF"), "\\ufeff");             // no width
  EXPECT_EQ(printable("\xF3\xA0\x81\xA1"), "\\udb40\\udc61");  // a tag, as JSON writes it
}

TEST(Printable, escapes_bytes_that_are_no_utf8) {
  EXPECT_EQ(printable("a\xFF"), "a\\xff");
  EXPECT_EQ(printable("\xC3"), "\\xc3");                             // cut off
  EXPECT_EQ(printable("\xC0\x8A"), "\\xc0\\x8a");                    // a line break in two bytes
  EXPECT_EQ(printable("\xE0\x80\x8A"), "\\xe0\\x80\\x8a");           // in three
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80");           // half of a pair
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last character
  EXPECT_EQ(printable("\x80é"), "\\x80é");
}

TEST(Printable, cuts_between_characters) {
  EXPECT_EQ(printable("ééé", 2), "éé…");
  EXPECT_EQ(printable("ééé", 3), "ééé");
  EXPECT_LE(printable(std::string(1 << 20, 'a')).size(), kMaxPrinted + 3);
}

TEST(Printable, knows_the_bytes_of_a_character_that_goes_on) {
  for (const std::string text : {"é", "→", "𝒜", "a"}) {
    EXPECT_EQ(unfinished("aé" + text), 0U);
    for (std::size_t length = 1; length < text.size(); ++length)
      EXPECT_EQ(unfinished("é" + text.substr(0, length)), length);
  }
  EXPECT_EQ(unfinished(""), 0U);
  EXPECT_EQ(unfinished("\xFF"), 0U);              // begins none
  EXPECT_EQ(unfinished("\x80\x80\x80\x80"), 0U);  // continues none
  EXPECT_EQ(unfinished("\xC3"
                       "a"),
            0U);
}

TEST(Printable, lines_keep_their_breaks_and_the_colours_that_are_allowed) {
  EXPECT_EQ(printable_lines("a\n\tb\r"), "a\n\tb\\r");
  EXPECT_EQ(printable_lines("\033[1;31ma\033[0m", true), "\033[1;31ma\033[0m");
  EXPECT_EQ(printable_lines("\033[1;31ma", false), "\\u001b[1;31ma");
  EXPECT_EQ(printable_lines("\033[2J\033]0;title\a", true), "\\u001b[2J\\u001b]0;title\\u0007");
}

TEST(Printable, a_message_has_no_line_that_looks_like_another_message) {
  EXPECT_EQ(printable_message("a\nprogram: proved"), "a\\nprogram: proved");
  EXPECT_EQ(printable_message("a\n  b\n   ^"), "a\n  b\n   ^");
}

TEST(SpecError, neither_source_nor_line_nor_message_reaches_the_terminal_raw) {
  const SpecError error = error_at("x\n\033.toml",
                                   "a\033\xE2\x80\xAE"
                                   "b = 1",
                                   1, 4, 1, "bad \xFF\nkey");
  EXPECT_STREQ(error.what(), "x\\n\\u001b.toml:1:4: bad \\xff\\nkey\n  a  b = 1\n     ^");
}

}  // namespace printable_test
}  // namespace gpe::theory
