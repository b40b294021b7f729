// SPDX-License-Identifier: Apache-2.0
// The whole program as a function, on recorded machines.
#include "cli/run.h"

#include <gtest/gtest.h>

#ifndef _WIN32
#include <unistd.h>
#endif

#include <filesystem>
#include <fstream>
#include <sstream>
#include <streambuf>

#include "base/json.h"
#include "base/text.h"

namespace kernelfit::cli {
namespace {

struct Ran {
  int status = 0;
  std::string out, err;
};

std::string host_folder(const std::string& name) {
  return std::string(KF_TESTS_DIR "/hosts/") + name;
}

Ran run_on(const std::string& host, const std::vector<std::string>& arguments,
           const Console& console = {}) {
  auto machine = open_recorded_host(host_folder(host));
  EXPECT_TRUE(machine) << (machine ? "" : machine.error().text());
  std::ostringstream out, err;
  Ran ran;
  if (machine) ran.status = run(**machine, arguments, out, err, console);
  ran.out = out.str();
  ran.err = err.str();
  return ran;
}

TEST(Run, VersionIsOneLine) {
  Ran ran = run_on("no-gpu-at-all", {"--version"});
  EXPECT_EQ(ran.status, 0);
  EXPECT_TRUE(ran.out.starts_with("kernelfit ")) << ran.out;
  EXPECT_EQ(lines_of(ran.out).size(), 1u);
}

TEST(Run, HelpIsInBothLanguages) {
  Ran english = run_on("no-gpu-at-all", {"plan", "--help"});
  Ran chinese = run_on("no-gpu-at-all", {"plan", "--help", "--lang", "zh"});
  EXPECT_EQ(english.status, 0);
  EXPECT_TRUE(contains(english.out, "--gpu GPU")) << english.out;
  EXPECT_TRUE(contains(chinese.out, "用法")) << chinese.out;
  EXPECT_FALSE(contains(english.out + chinese.out, "<cli.")) << english.out << chinese.out;
  EXPECT_TRUE(contains(run_on("no-gpu-at-all", {"--help"}).out, "doctor"));
  EXPECT_FALSE(contains(run_on("no-gpu-at-all", {"--help"}).out, "__nvml"));
}

TEST(Run, WrongUseIsExit2AndSaysWhatIsNear) {
  Ran ran = run_on("no-gpu-at-all", {"docter"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(ran.out.empty());
  EXPECT_EQ(ran.err, "kernelfit: there is no command `docter`; did you mean `doctor`?\n");
  EXPECT_EQ(run_on("no-gpu-at-all", {"doctor", "--host", "/nowhere"}).status, 2);
  EXPECT_EQ(run_on("no-gpu-at-all", {"doctor", "--knowledge", "/nowhere"}).status, 2);
  EXPECT_EQ(run_on("no-gpu-at-all", {"doctor", "no-such-check"}).status, 2);
  EXPECT_EQ(run_on("no-gpu-at-all", {"record"}).status, 2);
}

// contract.md 2: doctor without any NVIDIA GPU is 1.
TEST(Run, DoctorWithoutAGpuIs1) {
  Ran ran = run_on("no-gpu-at-all", {});
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(contains(ran.out, "no NVIDIA GPU was found")) << ran.out;
  EXPECT_TRUE(ran.err.empty()) << ran.err;
}

TEST(Run, JsonIsOneObjectWithItsHead) {
  auto json = parse_json(run_on("no-gpu-at-all", {"doctor", "--json"}).out);
  ASSERT_TRUE(json);
  EXPECT_EQ(json->members()[0].second.string(), "kernelfit.doctor/1");
  EXPECT_EQ(json->members()[1].first, "kernelfit");
  EXPECT_EQ(json->members()[2].first, "knowledge");
}

TEST(Run, SameInputSameOutput) {
  for (const char* format : {"terminal", "json", "markdown"}) {
    std::vector<std::string> arguments = {"doctor", "--steps", "--format", format};
    EXPECT_EQ(run_on("gtx1080ti-580-torch2130-cu130", arguments).out,
              run_on("gtx1080ti-580-torch2130-cu130", arguments).out);
  }
}

TEST(Run, NoColourWithoutATerminal) {
  Ran ran = run_on("gtx1080ti-580-torch2130-cu130", {});
  EXPECT_FALSE(contains(ran.out, "\x1b"));
  Console console;
  console.is_terminal = true;
  EXPECT_TRUE(contains(run_on("gtx1080ti-580-torch2130-cu130", {}, console).out, "\x1b"));
}

TEST(Run, OldKnowledgeIsSaidInOneLineForThisMachineOnly) {
  Console console;
  console.today = "2027-11-30";
  EXPECT_FALSE(contains(run_on("no-gpu-at-all", {}, console).out, "the knowledge is of"));
}

// A terminal that is gone, a full disk.
class FullDisk : public std::streambuf {
  int overflow(int) override { return std::char_traits<char>::eof(); }
};

TEST(Run, AnAnswerThatCannotBeWrittenIsExit2) {
  auto machine = open_recorded_host(host_folder("no-gpu-at-all"));
  ASSERT_TRUE(machine);
  FullDisk disk;
  std::ostream out(&disk);
  std::ostringstream err;
  EXPECT_EQ(run(**machine, {"--help"}, out, err), 2);
  EXPECT_TRUE(contains(err.str(), "could not be written out")) << err.str();
}

TEST(Run, ABugIsExit70AndAsksForAReport) {
  auto machine = open_recorded_host(host_folder("no-gpu-at-all"));
  ASSERT_TRUE(machine);
  FullDisk disk;
  std::ostream out(&disk);
  out.exceptions(std::ios::badbit);  // stands for any exception nobody expected
  std::ostringstream err;
  EXPECT_EQ(run(**machine, {"--help"}, out, err), 70);
  EXPECT_TRUE(contains(err.str(), "a bug in kernelfit")) << err.str();
}

TEST(Run, ListNamesTheChecksAndAGroupRunsSome) {
  Ran list = run_on("gtx1080ti-580-torch2130-cu130", {"doctor", "--list"});
  EXPECT_EQ(list.status, 0);
  EXPECT_TRUE(contains(list.out, "wheel-arch-missing-older-gpu")) << list.out;
  Ran driver = run_on("gtx1080ti-580-torch2130-cu130", {"doctor", "KF1", "--json"});
  auto json = parse_json(driver.out);
  ASSERT_TRUE(json);
  EXPECT_TRUE(json->at("findings").items().empty());  // its fault is of KF2
  EXPECT_EQ(driver.status, 0);
}

TEST(Run, ForumReportNamesNobody) {
  Ran whole = run_on("gtx1080ti-580-torch2130-cu130", {"doctor", "--json"});
  Ran forum = run_on("gtx1080ti-580-torch2130-cu130", {"doctor", "--format", "markdown"});
  EXPECT_EQ(forum.status, whole.status);
  EXPECT_TRUE(contains(forum.out, "## ")) << forum.out;
}

#ifndef _WIN32
// A folder of knowledge with a loop of links, a linked table and a film of 10 GB in it.
TEST(Run, AFolderOfKnowledgeIsReadWithinBounds) {
  namespace fs = std::filesystem;
  const fs::path folder =
      fs::path(testing::TempDir()) / ("kf_knowledge_" + std::to_string(getpid()));
  auto refused = [&] {
    std::ostringstream out, err;
    EXPECT_EQ(run(*real_host(), {"doctor", "--list", "--knowledge", folder.string()}, out, err, {}),
              2);
    return err.str();
  };
  fs::create_directories(folder / "elsewhere");
  fs::create_directory_symlink(".", folder / "loop");
  std::ofstream(folder / "film.mp4").close();
  fs::resize_file(folder / "film.mp4", std::uintmax_t{10} << 30);
  EXPECT_TRUE(contains(refused(), "holds no knowledge"));
  std::ofstream(folder / "elsewhere" / "builds.csv").close();
  fs::create_directory_symlink("elsewhere", folder / "torch");
  EXPECT_TRUE(contains(refused(), "torch/builds.csv: holds no rows"));
  fs::resize_file(folder / "elsewhere" / "builds.csv", std::uintmax_t{10} << 30);
  EXPECT_TRUE(contains(refused(), "builds.csv: 10737418240 bytes"));
  fs::remove_all(folder);
}
#endif

}  // namespace
}  // namespace kernelfit::cli
