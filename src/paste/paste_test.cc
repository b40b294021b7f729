// SPDX-License-Identifier: Apache-2.0
#include "paste/paste.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include "paste/clean.h"
#include "paste/messages.h"

namespace kernelfit {
namespace {

const Knowledge& known() {
  static const Knowledge kKnowledge = Knowledge::embedded();
  return kKnowledge;
}

// Every row's example is a line that the row finds.
TEST(PasteTables, EveryExampleMatchesItsPattern) {
  for (const char* path : {"paste/messages.csv", "paste/facts.csv"}) {
    const Csv& table = known().table(path);
    ASSERT_GT(table.rows(), 50u) << path;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      std::string line = clean_line(table.cell(row, "example"));
      re2::RE2 pattern(std::string(table.cell(row, "pattern")));
      ASSERT_TRUE(pattern.ok()) << path << ":" << table.line(row) << ": " << pattern.error();
      EXPECT_TRUE(re2::RE2::PartialMatch(line, pattern)) << path << ":" << table.line(row);
    }
  }
}

const LogEvent* event(const Paste& paste, std::string_view id) {
  for (const auto& one : paste.machine.log) {
    if (one.id == id) return &one;
  }
  return nullptr;
}

constexpr std::string_view kCollectEnv = R"(Collecting environment information...
PyTorch version: 2.6.0+cu126
Is debug build: False
CUDA used to build PyTorch: 12.6
ROCM used to build PyTorch: N/A

OS: Ubuntu 24.10 (x86_64)
GCC version: (Ubuntu 14.2.0-4ubuntu2) 14.2.0
Libc version: glibc-2.40

Python version: 3.12.9 | packaged by Anaconda, Inc. | (64-bit runtime)
Python platform: Linux-6.11.0-21-generic-x86_64-with-glibc2.40
Is CUDA available: True
CUDA runtime version: Could not collect
GPU models and configuration: GPU 0: NVIDIA GeForce RTX 5090 D
Nvidia driver version: 570.124.04
)";

// Whatever lies before it, a file's lines count from 1, and its first is no end of another's last.
TEST(ReadPaste, SeveralFilesAreToldApart) {
  for (const auto& gap : {std::string(), std::string("epoch\n"), std::string(400000, 'x') + "\n"}) {
    PasteReader reader(known());
    reader.begin_file("a.log");
    reader.feed(gap + "Error: no ker");
    reader.begin_file("b.log");
    reader.feed("nel image is available for execution on the device\n");
    reader.feed("RuntimeError: CUDA error: no kernel image is available for execution\n");
    const Paste paste = reader.finish();
    ASSERT_FALSE(paste.machine.log.empty());
    EXPECT_EQ(line_source(paste.machine, paste.machine.log[0].line), "b.log:2");
  }
}

// PyTorch ends its list of architectures with a full stop (arch-supports-list in messages.csv).
TEST(ReadPaste, TheLastArchitectureOfASentenceCounts) {
  const Paste paste = read_paste(
      "The current PyTorch install supports CUDA capabilities sm_75 sm_80 sm_90 sm_120.\n",
      known());
  ASSERT_EQ(paste.machine.environments.size(), 1u);
  const Library* torch = paste.machine.environments[0].library("torch");
  ASSERT_TRUE(torch != nullptr && !torch->binaries.empty());
  EXPECT_EQ(arch_list_text(torch->binaries[0].groups[0].archs), "sm_75 sm_80 sm_90 sm_120");
}

// cuda/driver_branches.csv and driver_min.csv: R430 names CUDA 10.2 too, whose toolkit asks for
// 440.
TEST(ReadPaste, TheCudaOfADriverTellsItsBranch) {
  const auto driver_of = [](const std::string& text) {
    return read_paste(text, known()).machine.driver.version;
  };
  const std::string kOld = "The NVIDIA driver on your system is too old (found version ";
  EXPECT_EQ(driver_of(kOld + "12040).")->text(), "550");
  EXPECT_EQ(driver_of(kOld + "12040).").source(), "table: CUDA 12.4");
  EXPECT_EQ(driver_of(kOld + "10020).")->text(), "440");
  EXPECT_EQ(driver_of(kOld + "11040).\nNvidia driver version: 450.51.06")->text(), "450.51.06");
}

TEST(ReadPaste, CollectEnv) {
  Paste paste = read_paste(kCollectEnv, known());
  const Machine& machine = paste.machine;
  EXPECT_TRUE(machine.pasted);
  ASSERT_EQ(machine.gpus.size(), 1u);
  EXPECT_EQ(*machine.gpus[0].name, "GeForce RTX 5090 D");
  EXPECT_EQ(machine.gpus[0].name.source(), "line 15");
  EXPECT_EQ(machine.driver.version->text(), "570.124.04");
  EXPECT_EQ(machine.system.glibc->text(), "2.40");
  EXPECT_TRUE(machine.system.os.is("linux"));
  EXPECT_TRUE(machine.system.cpu_arch.is("x86_64"));
  ASSERT_EQ(machine.environments.size(), 1u);
  EXPECT_EQ(machine.environments[0].python->text(), "3.12.9");
  const Library* torch = machine.environments[0].library("torch");
  ASSERT_NE(torch, nullptr);
  EXPECT_EQ(torch->version, "2.6.0+cu126");
  EXPECT_EQ(torch->cuda->text(), "12.6");
}

TEST(ReadPaste, TheTableOfNvidiaSmi) {
  Paste paste = read_paste(R"(
| NVIDIA-SMI 550.120                Driver Version: 550.120        CUDA Version: 12.4     |
|-----------------------------------------+------------------------+----------------------+
|   0  NVIDIA GeForce GTX 1080 Ti     Off |   00000000:01:00.0  On |                  N/A |
|   1  Tesla T4                       Off |   00000000:02:00.0 Off |                    0 |
)",
                           known());
  const Machine& machine = paste.machine;
  ASSERT_EQ(machine.gpus.size(), 2u);
  EXPECT_EQ(*machine.gpus[0].name, "GeForce GTX 1080 Ti");
  EXPECT_EQ(*machine.gpus[1].name, "Tesla T4");
  EXPECT_EQ(machine.driver.version->text(), "550.120");
  EXPECT_EQ(machine.driver.cuda_max->text(), "12.4");
}

TEST(ReadPaste, WhatIsNotToldIsUnknown) {
  Paste paste = read_paste("GPU: RTX 3060", known());
  EXPECT_TRUE(paste.machine.driver.version.is_unknown());
  EXPECT_TRUE(paste.machine.system.glibc.is_unknown());
  EXPECT_TRUE(paste.machine.environments.empty());
}

TEST(ReadPaste, AWrappedMessageIsTheSameMessage) {
  Paste paste = read_paste(
      "The detected CUDA version (12.6) mismatches the version that was used to compile\n"
      "      PyTorch (11.8). Make sure to use the same CUDA versions.\n",
      known());
  ASSERT_FALSE(paste.machine.log.empty());
  EXPECT_EQ(paste.machine.log[0].line, 1);
}

TEST(ReadPaste, HostileTextIsBounded) {
  std::string text(std::size_t{1} << 20, '\xC3');
  for (int i = 0; i < 5000; ++i) text += "\n> > > > CUDA error: out of memory";
  Paste paste = read_paste(text, known());
  EXPECT_LE(paste.machine.log.size(), 200u);
  EXPECT_EQ(paste.lines, 5001);
  EXPECT_EQ(event(paste, "no such message"), nullptr);
}

// The cause stands at the end of a log whose warnings filled what is kept of each.
TEST(ReadPaste, WhatRepeatsDoesNotHideWhatComesLater) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "UserWarning: CUDA is not available. Disabling\n";
  text += "RuntimeError: CUDA error: device-side assert triggered\n";
  Paste paste = read_paste(text, known());
  ASSERT_NE(event(paste, "device-side-assert"), nullptr);
  EXPECT_EQ(event(paste, "device-side-assert")->line, 20001);
  EXPECT_LE(paste.machine.log.size(), 200u);
}

// A block of lines ends within the message.
TEST(ReadPaste, AWrappedMessageIsFoundAcrossBlocks) {
  for (int before = 2040; before < 2060; ++before) {
    std::string text;
    for (int i = 0; i < before; ++i) text += "step\n";
    text += "The detected CUDA version (12.6) mismatches the version that was used to\n compile\n";
    for (int i = 0; i < 3000; ++i) text += "step\n";
    Paste paste = read_paste(text, known());
    ASSERT_NE(event(paste, "detected-cuda-mismatches"), nullptr) << before;
    EXPECT_EQ(event(paste, "detected-cuda-mismatches")->line, before + 1);
    EXPECT_EQ(paste.machine.log.size(), 1u);
  }
}

// WinError and .dll exist on Windows alone.
TEST(Paste, WindowsIsToldByItsErrors) {
  for (const char* text : {"OSError: [WinError 126] The specified module could not be found.",
                           "Error loading \"c:\\users\\me\\torch\\lib\\fbgemm.dll\""}) {
    EXPECT_TRUE(read_paste(text, known()).machine.system.os.is("windows")) << text;
  }
  EXPECT_TRUE(read_paste("torch in /usr/lib/python3/", known()).machine.system.os.is("linux"));
}

}  // namespace
}  // namespace kernelfit
