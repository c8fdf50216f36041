// SPDX-License-Identifier: BSD-3-Clause
#include "settings/json_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace xredist::core {
namespace {

TEST(JsonText, QuotesWhatJsonAndHtmlGiveAMeaning) {
  EXPECT_EQ(json_text(""), R"("")");
  EXPECT_EQ(json_text(R"(/home/a "b"/c\d)"), R"("/home/a \"b\"/c\\d")");
  EXPECT_EQ(json_text("</script><!--&'"), R"("\u003c/script\u003e\u003c!--\u0026\u0027")");
  EXPECT_EQ(json_text("a\nb\t\x1f\x7f"), R"("a\u000ab\u0009\u001f\u007f")");
  EXPECT_EQ(json_text(std::string_view("\0x", 2)), R"("\u0000x")");
}

TEST(JsonText, KeepsUtf8AndReplacesOtherBytes) {
  const std::string valid =
      "gr\xc3\xb6\xc3\x9f"
      "e \xe2\x82\xac \xf0\x9f\x98\x80 \xf4\x8f\xbf\xbf \xed\x9f\xbf";
  EXPECT_EQ(json_text(valid), "\"" + valid + "\"");
  EXPECT_EQ(json_text("\xff"
                      "a\xc3"),
            R"("\ufffda\ufffd")");
  EXPECT_EQ(json_text("\xc0\xaf"), R"("\ufffd\ufffd")");            // overlong
  EXPECT_EQ(json_text("\xe0\x9f\xbf"), R"("\ufffd\ufffd\ufffd")");  // overlong
  EXPECT_EQ(json_text("\xed\xa0\x80"), R"("\ufffd\ufffd\ufffd")");  // a surrogate
  EXPECT_EQ(json_text("\xf4\x90\x80\x80"), R"("\ufffd\ufffd\ufffd\ufffd")");
  EXPECT_EQ(json_text("\xe2\x82<"), R"("\ufffd\ufffd\u003c")");  // cut off: the next character is kept
}

TEST(JsonText, JoinsMembersAndValues) {
  EXPECT_EQ(json_object({}), "{}");
  EXPECT_EQ(json_object({member("a", "1"), member("b", json_text("x"))}), R"({"a": 1, "b": "x"})");
  EXPECT_EQ(json_lines(std::vector<std::string>{}), "[]");
  EXPECT_EQ(json_lines(std::vector<std::string>{"1", "2"}), "[\n1,\n2\n]");
}

}  // namespace
}  // namespace xredist::core
