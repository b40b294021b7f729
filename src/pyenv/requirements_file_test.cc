// SPDX-License-Identifier: Apache-2.0
#include "pyenv/requirements_file.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

using Kind = RequirementsLine::Kind;

// Byte order marks: the Unicode Standard, table 23-3. 丁 is U+4E01, 𠀀 is U+20000.
TEST(DecodedText, FollowsTheByteOrderMark) {
  const std::string utf16 = std::string("\xFF\xFE", 2) + std::string("a\0\x01\x4E\n\0", 6);
  EXPECT_EQ(decoded_text(utf16), "a丁\n");
  EXPECT_EQ(decoded_text(std::string("\xFE\xFF\0a\xD8\x40\xDC\x00", 8)), "a𠀀");
  EXPECT_EQ(decoded_text(std::string("\xFF\xFE\0\0a\0\0\0", 8)), "a");
  EXPECT_EQ(decoded_text(std::string("\0\0\xFE\xFF\0\0\0a", 8)), "a");
  EXPECT_EQ(decoded_text("\xEF\xBB\xBFtorch"), "torch");
  EXPECT_EQ(decoded_text("torch"), "torch");
  EXPECT_EQ(decoded_text(std::string("\xFF\xFE\x00\xD8x", 5)), "\xEF\xBF\xBD");  // half a pair
}

// pip's documentation, "Requirements File Format": its example, and what the text around it says.
TEST(RequirementsFile, IsReadAsPipReadsIt) {
  const auto lines = parse_requirements(
      "# comment\r\n"
      "pytest-cov\r\n"
      "beautifulsoup4   # behind a package\n"
      "docopt == 0.6.1 ; python_version < \"3.9\"\n"
      "-r other-requirements.txt\n"
      "--constraint=c.txt\n"
      "./downloads/numpy-1.9.2-cp34-none-win32.whl\n"
      "urllib3 @ https://github.com/x.zip#sha256=1\n"
      "torch \\\n"
      "  ==2.6.0 \\\n"
      "  --hash=sha256:00\n"
      "-i https://a/simple --extra-index-url https://b\n"
      "-e git+https://c#egg=d\n"
      "-r 'my file.txt'\n");
  EXPECT_EQ(lines, (std::vector<RequirementsLine>{
                       {2, Kind::requirement, "pytest-cov"},
                       {3, Kind::requirement, "beautifulsoup4"},
                       {4, Kind::requirement, "docopt == 0.6.1 ; python_version < \"3.9\""},
                       {5, Kind::requirements, "other-requirements.txt"},
                       {6, Kind::constraints, "c.txt"},
                       {7, Kind::requirement, "./downloads/numpy-1.9.2-cp34-none-win32.whl"},
                       {8, Kind::requirement, "urllib3 @ https://github.com/x.zip#sha256=1"},
                       {9, Kind::requirement, "torch   ==2.6.0"},
                       {12, Kind::option, "--index-url"},
                       {12, Kind::option, "--extra-index-url"},
                       {13, Kind::editable, "git+https://c#egg=d"},
                       {14, Kind::requirements, "my file.txt"},
                   }));
}

// A comment is not continued, and ends what was (pip, join_lines).
TEST(RequirementsFile, CommentsEndAContinuedLine) {
  EXPECT_EQ(
      parse_requirements("a \\\n# b \\\nc\n"),
      (std::vector<RequirementsLine>{{1, Kind::requirement, "a"}, {3, Kind::requirement, "c"}}));
  EXPECT_EQ(parse_requirements("a==1\\"),
            (std::vector<RequirementsLine>{{1, Kind::requirement, "a==1"}}));
}

TEST(RequirementsFile, UnknownOptionsAreTold) {
  EXPECT_EQ(
      parse_requirements("--colour red\n-r\n"),
      (std::vector<RequirementsLine>{{1, Kind::unknown, "--colour"}, {2, Kind::unknown, "-r"}}));
}

}  // namespace
}  // namespace kernelfit
