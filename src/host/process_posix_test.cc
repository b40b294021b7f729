// SPDX-License-Identifier: Apache-2.0
// Programs that behave, and programs that do not.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "base/text.h"
#include "host/host.h"
#include "host/temporary_folder_for_tests.h"

namespace kernelfit {
namespace {

using namespace std::chrono_literals;

Command shell(std::string script, std::chrono::milliseconds timeout = 5000ms) {
  Command command;
  command.argv = {"sh", "-c", std::move(script)};
  command.timeout = timeout;
  return command;
}

struct Timed {
  Result<CommandResult> result;
  std::int64_t took_ms;
};
Timed run_timed(const Command& command) {
  auto host = real_host();
  auto start = host->clock_ms();
  auto result = host->run(command);
  return {std::move(result), host->clock_ms() - start};
}

TEST(Process, KeepsBothOutputsAndTheStatus) {
  auto got = real_host()->run(shell("echo out; echo err >&2; exit 3"));
  ASSERT_TRUE(got) << got.error().text();
  EXPECT_EQ(got->out, "out\n");
  EXPECT_EQ(got->err, "err\n");
  EXPECT_EQ(got->status, 3);
  EXPECT_FALSE(got->timed_out);
}

TEST(Process, ASignalIs128AndItsNumber) {
  EXPECT_EQ(real_host()->run(shell("kill -SEGV $$"))->status, 128 + 11);
}

TEST(Process, ThereIsNoSuchProgram) {
  Command command;
  command.argv = {"kernelfit-no-such-program"};
  EXPECT_EQ(real_host()->run(command).error().kind, ErrorKind::not_found);
  command.argv = {"/nowhere/nvidia-smi"};
  EXPECT_EQ(real_host()->run(command).error().kind, ErrorKind::not_found);
  command.argv = {};
  EXPECT_EQ(real_host()->run(command).error().kind, ErrorKind::not_found);
}

TEST(Process, AFileThatIsNoProgramIsAnError) {
  TemporaryFolder folder;
  auto path = folder.write("tool",
                           "\x7f"
                           "ELF and nothing more");
  Command command;
  command.argv = {path};
  EXPECT_EQ(real_host()->run(command).error().kind, ErrorKind::denied);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  EXPECT_FALSE(real_host()->run(command));  // exec refuses it
}

TEST(Process, EndsAHangingProgram) {
  auto [result, took] = run_timed(shell("echo begun; sleep 100", 300ms));
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->timed_out);
  EXPECT_EQ(result->out, "begun\n");
  EXPECT_GE(took, 290);
  EXPECT_LT(took, 2000);
}

TEST(Process, EndsAProgramThatIgnoresSigterm) {
  auto [result, took] = run_timed(shell("trap '' TERM INT HUP; while :; do sleep 1; done", 300ms));
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->timed_out);
  EXPECT_LT(took, 2000);
}

TEST(Process, EndsTheWholeGroup) {
  TemporaryFolder folder;
  auto mark = folder.path("mark");
  auto [result, took] = run_timed(shell("(sleep 1; echo alive > " + mark + ") & sleep 100", 200ms));
  ASSERT_TRUE(result);
  usleep(1'300'000);
  EXPECT_FALSE(real_host()->exists(mark));
}

// nvidia-smi may start a daemon that keeps the pipe open.
TEST(Process, DoesNotWaitForWhatAProgramLeavesBehind) {
  auto [result, took] = run_timed(shell("sleep 100 & echo done", 5000ms));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->out, "done\n");
  EXPECT_EQ(result->status, 0);
  EXPECT_FALSE(result->timed_out);
  EXPECT_LT(took, 2000);
}

TEST(Process, EndsAProgramThatWritesWithoutEnd) {
  Command command = shell("yes kernelfit", 20'000ms);
  command.output_limit_bytes = 100'000;
  auto [result, took] = run_timed(command);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->truncated);
  EXPECT_FALSE(result->timed_out);
  EXPECT_EQ(result->out.size(), 100'000u);
  EXPECT_LT(took, 5000);
}

TEST(Process, KeepsMoreThanAPipeHolds) {
  auto got = real_host()->run(shell("head -c 3000000 /dev/zero; head -c 300000 /dev/zero >&2"));
  ASSERT_TRUE(got);
  EXPECT_EQ(got->out.size(), 3'000'000u);
  EXPECT_EQ(got->err.size(), 300'000u);
}

TEST(Process, HasNoInputAndAScrubbedEnvironment) {
  setenv("PYTHONPATH", "/evil", 1);
  setenv("HF_TOKEN", "secret", 1);
  setenv("CUDA_VISIBLE_DEVICES", "1", 1);
  setenv("LC_ALL", "de_DE.UTF-8", 1);
  Command command = shell("cat; env");
  command.env["KERNELFIT_EXTRA"] = "yes";
  auto got = real_host()->run(command);
  for (const char* name : {"PYTHONPATH", "HF_TOKEN", "CUDA_VISIBLE_DEVICES", "LC_ALL"})
    unsetenv(name);
  ASSERT_TRUE(got);
  EXPECT_FALSE(contains(got->out, "PYTHONPATH")) << got->out;
  EXPECT_FALSE(contains(got->out, "HF_TOKEN"));
  EXPECT_TRUE(contains(got->out, "CUDA_VISIBLE_DEVICES=1\n"));
  EXPECT_TRUE(contains(got->out, "LC_ALL=C\n"));
  EXPECT_TRUE(contains(got->out, "KERNELFIT_EXTRA=yes\n"));
  EXPECT_TRUE(contains(got->out, "PATH="));
}

TEST(Process, LeavesNoDescriptorsAndNoChildren) {
  auto count = [] {
    auto entries = real_host()->list_dir("/proc/self/fd");
    return entries ? entries->size() : 0;
  };
  auto before = count();
  for (int i = 0; i < 20; ++i) {
    auto got = real_host()->run(shell(i % 2 == 0 ? "exit 0" : "sleep 100", 20ms));
    ASSERT_TRUE(got);
  }
  EXPECT_EQ(count(), before);
  EXPECT_LT(waitpid(-1, nullptr, WNOHANG), 0);  // ECHILD
}

// nvidia-smi without its x bit is there: "no such program" would say that no driver is installed.
TEST(Process, TellsAProgramThatMayNotRunFromNone) {
  TemporaryFolder folder;
  auto path = folder.write("kf-nvidia-smi", "#!/bin/sh\n");
  const char* variable = getenv("PATH");
  const std::string before = variable == nullptr ? "" : variable;
  setenv("PATH", std::string(parent_path(path)).c_str(), 1);
  auto refused = real_host()->run({.argv = {"kf-nvidia-smi"}, .env = {}});
  auto missing = real_host()->run({.argv = {"kf-nvidia-smi-2"}, .env = {}});
  setenv("PATH", before.c_str(), 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::denied);
  EXPECT_EQ(refused.error().message, path + ": not a program that can be run");
  EXPECT_EQ(missing.error().kind, ErrorKind::not_found);
}

// A PATH of a service or of a user without /usr/sbin must not hide modinfo; a relative entry of
// PATH is never looked at.
TEST(Process, FindsProgramsWhereTheyUsuallyAre) {
  TemporaryFolder folder;
  auto fake = folder.write("fake-tool", "#!/bin/sh\necho fake\n");
  std::filesystem::permissions(fake, std::filesystem::perms::owner_all);
  std::string path = std::getenv("PATH");
  auto here = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  setenv("PATH", ".::relative", 1);
  Command command;
  command.argv = {"fake-tool"};
  auto relative = real_host()->run(command);
  auto usual = real_host()->run(shell("echo found"));
  setenv("PATH", folder.path().c_str(), 1);
  auto absolute = real_host()->run(command);
  setenv("PATH", path.c_str(), 1);
  std::filesystem::current_path(here);
  EXPECT_FALSE(relative);
  ASSERT_TRUE(usual);
  EXPECT_EQ(usual->out, "found\n");
  ASSERT_TRUE(absolute);
  EXPECT_EQ(absolute->out, "fake\n");
}

}  // namespace
}  // namespace kernelfit
