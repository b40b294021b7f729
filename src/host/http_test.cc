// SPDX-License-Identifier: Apache-2.0
// What is text of HTTP; the rest meets a real server in tests/scan_remote_test.py.
#include "host/http.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

TEST(Http, AUrlIsOneOfTwoSchemes) {
  for (const char* good : {"http://a", "https://a/b.whl", "HTTPS://A"})
    EXPECT_TRUE(is_http_url(good));
  for (const char* bad :
       {"http://", "ftp://a", "file:///etc/passwd", "a/http://b", "-http://a", ""}) {
    EXPECT_FALSE(is_http_url(bad)) << bad;
  }
}

TEST(Http, NothingSecretIsShown) {
  EXPECT_EQ(shown_url("https://a.org/b.whl"), "https://a.org/b.whl");
  EXPECT_EQ(shown_url("https://me:pa55@a.org:8080/b.whl?token=x#sha256=y"),
            "https://a.org:8080/b.whl");
  EXPECT_EQ(shown_url("https://me:pa@55@a.org/x@y"), "https://a.org/x@y");
  EXPECT_EQ(shown_url("https://token@a.org"), "https://a.org");
  EXPECT_EQ(shown_url("https://a.org?me@b"), "https://a.org");
}

TEST(Http, TheNameOfAFile) {
  EXPECT_EQ(file_name_of_url("https://a/w/torch-2.9.1%2Bcu128-py3-none-any.whl?x=/y#z"),
            "torch-2.9.1+cu128-py3-none-any.whl");
  EXPECT_EQ(file_name_of_url("https://a/b%2Fc%00%zz%4"), "b%2Fc%00%zz%4");
}

// RFC 9110, 14.4.
TEST(Http, ContentRange) {
  const auto range = parse_content_range("bytes 42-1233/1234");
  ASSERT_TRUE(range);
  EXPECT_EQ(range->first, 42u);
  EXPECT_EQ(range->last, 1233u);
  EXPECT_EQ(range->size, 1234u);
  for (const char* bad :
       {"bytes */1234", "bytes 0-99/*", "bytes 9-3/100", "bytes 0-100/100", "0-9/10", "bytes 0-9",
        "bytes -1-9/10", "bytes 0-9/99999999999999999999", "items 0-9/10", ""}) {
    EXPECT_FALSE(parse_content_range(bad)) << bad;
  }
}

TEST(Http, TheHeadOfAnAnswer) {
  const auto head =
      parse_http_head("HTTP/2 206 \r\nContent-Length: 5\r\nContent-RANGE:  bytes 0-4/9 ");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->status, 206);
  EXPECT_EQ(head->length(), 5u);
  EXPECT_EQ(head->field("content-range"), "bytes 0-4/9");
  EXPECT_EQ(parse_http_head("HTTP/1.1 200 OK\r\nContent-Length: -5")->length(), std::nullopt);
  for (const char* bad : {"", "SSH-2.0", "HTTP/1.1", "HTTP/1.1 OK", "HTTP/1.1 20"}) {
    EXPECT_FALSE(parse_http_head(bad)) << bad;
  }
}

}  // namespace
}  // namespace kernelfit
