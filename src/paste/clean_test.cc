// SPDX-License-Identifier: Apache-2.0
#include "paste/clean.h"

#include <gtest/gtest.h>

namespace kernelfit {
namespace {

constexpr std::string_view kError = "RuntimeError: CUDA error: device-side assert triggered";

// How logs and forums wrap the same line.
TEST(CleanLine, WhatSurroundsAMessageComesOff) {
  for (std::string_view before :
       {"", "> ", "> > ", "[rank0]: ", "(Worker pid=4711) ",
        "(RayWorkerWrapper pid=1, ip=10.0.0.1) ", "2024-06-18 19:45:55,713 ",
        "[2024-06-18 19:45:55,713] ", "[ERROR] ", "[   87.358035] ", "Nov 30 22:09:09 ",
        "2026-11-30T22:09:09.123456Z ", "ERROR 06-18 19:45:55 worker.py:12] ",
        "E0618 19:45:55.123456 4711 file.cc:12] ", "\x1b[31m", "\x1b[1;31m[ERROR]\x1b[0m "}) {
    EXPECT_EQ(clean_line(std::string(before) + std::string(kError)), kError) << before;
  }
  EXPECT_EQ(clean_line(std::string(kError) + "\x1b[0m\r"), kError);
}

TEST(CleanLine, EntitiesAndWideMarksBecomePlain) {
  EXPECT_EQ(clean_line("torch&gt;=2.1 &amp;&amp; &quot;x&quot;"), "torch>=2.1 && \"x\"");
  EXPECT_EQ(clean_line("ＣＵＤＡ　ｅｒｒｏｒ：　ｏｕｔ"), "CUDA error: out");
  EXPECT_EQ(clean_line("version \u2018GLIBC_2.27\u2019 not found"),
            "version 'GLIBC_2.27' not found");
}

TEST(CleanLine, WhatAPromptSaysStays) {
  EXPECT_EQ(clean_line(">>> torch.__version__"), ">>> torch.__version__");
  EXPECT_EQ(clean_line("[pip3] torch==1.2.0"), "[pip3] torch==1.2.0");
  EXPECT_EQ(clean_line("[conda] pytorch  1.3.0"), "[conda] pytorch  1.3.0");
  EXPECT_EQ(clean_line("12.6"), "12.6");
}

TEST(CleanLine, IsBounded) {
  EXPECT_LE(clean_line(std::string(1 << 20, 'x')).size(), kMaximumPasteLine);
}

}  // namespace
}  // namespace kernelfit
