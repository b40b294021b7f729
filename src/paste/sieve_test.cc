// SPDX-License-Identifier: Apache-2.0
// A long log is sifted: what a message says must be found wherever it stands.
#include "paste/sieve.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "paste/paste.h"

namespace kernelfit {
namespace {

const Knowledge& known() {
  static const Knowledge kKnowledge = Knowledge::embedded();
  return kKnowledge;
}

std::string training(int lines) {
  std::string out;
  for (int i = 0; i < lines; ++i) {
    out += "step " + std::to_string(i) + " loss 0.5 error_rate 0.1 on cuda:0, 1.2 it/s\n";
  }
  return out;
}

// Nothing is read whole; the text comes in pieces.
Paste sifted(std::string_view text, std::size_t piece = 50'000) {
  PasteReader reader(known(), 0);
  for (std::size_t at = 0; at < text.size(); at += piece) reader.feed(text.substr(at, piece));
  return reader.finish();
}

const LogEvent* event(const Paste& paste, std::string_view id) {
  for (const auto& one : paste.machine.log) {
    if (one.id == id) return &one;
  }
  return nullptr;
}

TEST(Sieve, AMessageIsFoundWithItsLineWhereverItStands) {
  const std::string message = "RuntimeError: CUDA error: device-side assert triggered\n";
  const std::string log = training(3000);
  for (int before : {0, 1, 7, 8, 9, 1500, 2990, 3000}) {
    const auto cut = training(before).size();
    const Paste paste = sifted(log.substr(0, cut) + message + log.substr(cut));
    const LogEvent* found = event(paste, "device-side-assert");
    ASSERT_NE(found, nullptr) << before;
    EXPECT_EQ(found->line, before + 1);
    EXPECT_EQ(paste.lines, 3001);
  }
}

TEST(Sieve, WhereATextIsCutDoesNotMatter) {
  const std::string text =
      training(40) + "CUDA error: an illegal memory access was encountered\n" + training(40);
  for (std::size_t piece : {1, 7, 100, 1000, 100'000}) {
    const LogEvent* found = event(sifted(text, piece), "illegal-address");
    EXPECT_NE(found, nullptr) << piece;
  }
}

TEST(Sieve, BrokenWithinAWordByATerminal) {
  std::string line(70, 'x');
  const std::string text =
      training(500) + line + " no kernel im\nage is available for execution\n" + training(500);
  const Paste paste = sifted(text);
  ASSERT_NE(event(paste, "no-kernel-image"), nullptr);
  EXPECT_EQ(event(paste, "no-kernel-image")->line, 501);
}

TEST(Sieve, WhatStandsBesideAMessageIsReadWithIt) {
  const std::string text = training(500) +
                           "NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible "
                           "with the current PyTorch installation.\n"
                           "The current PyTorch install supports CUDA capabilities sm_50 sm_90.\n" +
                           training(500);
  const Paste paste = sifted(text);
  ASSERT_EQ(paste.machine.gpus.size(), 1U);
  EXPECT_EQ(paste.machine.gpus[0].name.value_or(""), "GeForce RTX 5090");
}

TEST(Sieve, AHundredThousandOfOneMessageDoNotHideAnother) {
  std::string text;
  for (int i = 0; i < 20'000; ++i)
    text += "CUDA error: out of memory at step " + std::to_string(i) + "\n";
  text += "NVRM: Xid (PCI:0000:01:00): 79, pid=1, GPU has fallen off the bus.\n" + training(100);
  const Paste paste = sifted(text);
  EXPECT_NE(event(paste, "hardware-xid"), nullptr);
  EXPECT_LE(paste.machine.log.size(), 1000U);
}

TEST(Sieve, LinesWithoutEnd) {
  const std::string text =
      training(10) + std::string(300'000, 'x') + "\nCUDA error: out of memory\n";
  const Paste paste = sifted(text);
  EXPECT_EQ(paste.lines, 12);
  ASSERT_NE(event(paste, "oom-bare"), nullptr);
  EXPECT_EQ(event(paste, "oom-bare")->line, 12);
}

// Every message that the table knows, far from each other in a log: what is found in lines that are
// all read is found by the sieve. Only what decides nothing by itself may have no word long enough.
TEST(Sieve, EveryMessageOfTheTable) {
  const Csv& table = known().table("paste/messages.csv");
  std::map<std::string, std::string, std::less<>> kinds;
  std::string text;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    kinds.emplace(table.cell(row, "id"), table.cell(row, "kind"));
    text += training(30) + std::string(table.cell(row, "example")) + "\n";
  }
  text += training(30);
  auto found = [&](const Paste& paste) {
    std::set<std::pair<std::string, int>> out;
    for (const auto& one : paste.machine.log) out.emplace(one.id, one.line);
    return out;
  };
  const auto all = found(read_paste(text, known())), some = found(sifted(text));
  EXPECT_GT(all.size(), 250U);
  std::set<std::string> missed;
  for (const auto& one : all) {
    if (!some.contains(one)) missed.insert(one.first + " " + kinds.find(one.first)->second);
  }
  const std::set<std::string> short_words = {
      "apple-machine context",        "compute-mode-exclusive context",
      "docker-run-with-gpus context", "first-call-slow context",
      "jetson-said context",          "mig-device context",
      "min-max-numbers context",      "other-kernel-works context",
      "python-banner context",        "slurm-gres context",
      "sudo-python context",          "tcc-mode context",
      "torch-cpu-version context"};
  EXPECT_EQ(missed, short_words);
}

}  // namespace
}  // namespace kernelfit
