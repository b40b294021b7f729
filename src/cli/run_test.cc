// SPDX-License-Identifier: Apache-2.0
// The whole program as a function, on recorded machines.
#include "cli/run.h"

#include <gtest/gtest.h>

#ifndef _WIN32
#include <unistd.h>
#endif

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <streambuf>

#include "base/json.h"
#include "base/text.h"

namespace kernelfit::cli {
namespace {

namespace fs = std::filesystem;

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

// torch/builds.csv: 2.7.1 is the last with a cu118 build; a CUDA of which there is none is said.
TEST(Run, CudaIsTheWishForItsBuild) {
  const std::vector<std::string> here = {"plan", "--gpu", "8.6",      "--driver", "580.95.05",
                                         "--os", "linux", "--python", "3.12",     "--cuda"};
  const auto plan_with = [&](const char* cuda, const char* torch) {
    std::vector<std::string> words = here;
    words.insert(words.end(), {cuda, torch});
    return run_on("no-gpu-at-all", words).out;
  };
  EXPECT_TRUE(contains(plan_with("11.8", "torch"), "\"torch==2.7.1+cu118\""));
  EXPECT_TRUE(contains(plan_with("11.8", "torch"), "--cuda 11.8"));
  EXPECT_TRUE(contains(plan_with("11.9", "torch"), "--cuda 11.9 chooses nothing"));
  const std::string named = plan_with("11.8", "torch+cu126");
  EXPECT_TRUE(contains(named, "+cu126\"") && contains(named, "--cuda 11.8 chooses nothing"));
}

TEST(Run, WhatWasGivenIsNotCalledNotGiven) {
  const std::vector<std::string> here = {"doctor", "--gpu", "8.6", "--driver", "580.95.05"};
  std::vector<std::string> numpy = here;
  numpy.insert(numpy.end(), {"--installed", "numpy==2.0"});
  EXPECT_FALSE(contains(run_on("no-gpu-at-all", numpy).out, "was not given"));
  EXPECT_TRUE(contains(run_on("no-gpu-at-all", here).out, "was not given"));
}

// torch 2.13.0+cu126 holds nothing for a GT 710, whatever the plan keeps for the 3090.
TEST(Run, WhatServesTheOtherCardIsNotSaidToServeThisOne) {
  const Ran ran =
      run_on("no-gpu-at-all", {"doctor", "--gpu", "GT 710", "--gpu", "RTX 3090", "--driver",
                               "580.95.05", "--os", "linux", "--installed", "torch==2.13.0+cu126"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_FALSE(contains(ran.out, "still serves it")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "KF1007")) << ran.out;
}

// doctor says so of the same machine (tests/hosts/mixed-rtx3090-gt710): the 3090 works.
TEST(Run, ADroppedCardBesideAGoodOneIsNamedByBoth) {
  Ran plan = run_on("mixed-rtx3090-gt710", {"plan"});
  EXPECT_EQ(plan.status, run_on("mixed-rtx3090-gt710", {"doctor"}).status);
  EXPECT_TRUE(contains(plan.out, "keep torch 2.13.0+cu130")) << plan.out;
  EXPECT_TRUE(contains(plan.out, "GeForce GT 710 is left out")) << plan.out;
}

#ifndef _WIN32
// What the text leaves open is looked up where the program ran: a 1080 Ti, and for what runs in
// Python the active environment with its torch 2.13.0+cu130 (tests/hosts/gtx1080ti-580-…).
TEST(Run, AFailureIsExplainedForTheMachineThatIsHere) {
  const std::string error =
      "RuntimeError: CUDA error: no kernel image is available for execution on the device";
  const auto cause_on = [&](const std::string& host, std::vector<std::string> program) {
    program.insert(program.begin(), {"run", "--json"});
    Ran ran = run_on(host, program);
    EXPECT_EQ(ran.status, 1) << ran.err;
    EXPECT_EQ(ran.out, "");
    auto answer = parse_json(ran.err);
    EXPECT_TRUE(answer) << ran.err;
    return answer ? answer->at("findings").items().front() : Json();
  };
  const std::vector<std::string> python = {"python3", "-c", "exit('" + error + "')"},
                                 shell = {"sh", "-c", "echo '" + error + "' >&2; exit 1"};
  const std::string gtx1080ti = "gtx1080ti-580-torch2130-cu130";
  EXPECT_EQ(cause_on(gtx1080ti, python).at("name").string(), "wheel-arch-missing-older-gpu");
  EXPECT_TRUE(contains(cause_on(gtx1080ti, shell).dump(), "TORCH_CUDA_ARCH_LIST=6.1"));
  EXPECT_EQ(cause_on("no-gpu-at-all", shell).at("name").string(), "insufficient-information");
  EXPECT_EQ(run_on("no-gpu-at-all", {"run", "--quiet", "false"}).err, "");
}
#endif

// tests/hosts/<name>/README.md names what is wrong there; the build itself fits.
TEST(Run, APlanThatKeepsTorchNamesWhatDoctorFinds) {
  const std::pair<const char*, const char*> kHosts[] = {
      {"broken-version-py-1gb", "KF3012"},     {"broken-truncated-so", "KF3012"},
      {"case-283-centos7-glibc217", "KF3010"}, {"mixed-rtx3090-gtx1080ti-open", "KF1006"},
      {"t4-595-torch2130-linalg", "KF2009"},
  };
  for (auto [host, code] : kHosts) {
    Ran ran = run_on(host, {"plan"});
    EXPECT_TRUE(contains(ran.out, std::string(code) + " ")) << ran.out;
    EXPECT_TRUE(contains(ran.out, "`kernelfit doctor`")) << ran.out;
    EXPECT_FALSE(contains(ran.out, "nothing to install") || contains(ran.out, "it fits"))
        << ran.out;
    EXPECT_TRUE(contains(run_on(host, {"plan", "--lang", "zh"}).out, code)) << host;
  }
  EXPECT_TRUE(contains(run_on("fine-secure-boot-on", {"plan"}).out, "it fits"));
}

// docs/contract.md 2: whatever the build, where the machine itself keeps torch from running. The
// module of 570.133.07 is on the disk there: no other driver is installed.
TEST(Run, APlanWhereTheDriverIsNotLoaded) {
  Ran ran = run_on("rtx4090-not-loaded", {"plan"});
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(ran.out.starts_with("first KF1002")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "sudo modprobe nvidia")) << ran.out;
  EXPECT_FALSE(contains(ran.out, "apt-get install nvidia-driver")) << ran.out;
  Ran quiet = run_on("rtx4090-not-loaded", {"plan", "--quiet"});
  EXPECT_TRUE(quiet.out.starts_with("# KF1002")) << quiet.out;
  EXPECT_TRUE(contains(quiet.out, "\nsudo modprobe nvidia\n")) << quiet.out;
}

// The names are sold with several chips, and these builds hold code for none of them. All chips of
// a GT 730 and a GT 640 end with driver 390 or 470: there the driver comes first.
TEST(Run, TorchWithoutCodeIsTheCauseNotItsCudnn) {
  static constexpr struct {
    const char *gpu, *torch, *first;
  } kAsked[] = {{"GT 1030", "torch==2.15.0+cu132", "KF2002  this torch holds no code"},
                {"GT 730", "torch==2.15.0+cu132", "KF1007  this driver branch no longer serves"},
                {"GT 640", "torch==2.15.0+cu132", "KF1007  this driver branch no longer serves"},
                {"GTX 860M", "torch==2.15.0+cu132", "KF2002  this torch holds no code"},
                {"GTX 750 Ti", "torch==2.11.0+cu128", "KF2002  this torch holds no code"}};
  for (auto [gpu, torch, first] : kAsked) {
    Ran ran = run_on("no-gpu-at-all", {"doctor", "--gpu", gpu, "--driver", "580.95.05", "--os",
                                       "linux", "--python", "3.12", "--installed", torch});
    EXPECT_EQ(ran.status, 1) << gpu;
    EXPECT_TRUE(contains(ran.out, first)) << ran.out;
    EXPECT_FALSE(contains(ran.out, "KF2008") || contains(ran.out, "KF2009")) << ran.out;
    EXPECT_FALSE(contains(ran.out, "cudnn.enabled")) << ran.out;
  }
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

// docs/contract.md 2: doctor without any NVIDIA GPU is 1.
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
  for (const char* flag : {"--help", "--version", "--json"}) {
    out.clear();
    err.str("");
    EXPECT_EQ(run(**machine, {flag}, out, err), 2) << flag;
    EXPECT_TRUE(contains(err.str(), "could not be written out")) << err.str();
  }
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
  EXPECT_EQ(json->at("next").at("outcome").string(), "nothing-found");
  for (const char* code : {"KF2002", "kf2002", "Kf2"}) {
    EXPECT_EQ(run_on("gtx1080ti-580-torch2130-cu130", {"doctor", code}).status, 1) << code;
  }
}

#ifndef _WIN32
// Folders that the real host can show: a venv with a name to forge a finding, and what is none.
class Folders : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "kernelfit-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = fs::canonical(pattern);
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string venv(const std::string& name) const {
    fs::create_directories(root_ / name / "lib/python3.12/site-packages");
    write(name + "/pyvenv.cfg", "home = /usr/bin\nversion = 3.12.3\n");
    return root_ / name;
  }
  std::string write(const std::string& name, const std::string& text) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << text;
    return root_ / name;
  }
  Ran run_here(const std::vector<std::string>& arguments) const {
    std::ostringstream out, err;
    Ran ran;
    ran.status = run(*real_host(), arguments, out, err);
    return {ran.status, out.str(), err.str()};
  }
  // What a plan for a card of 8.6 asks of torch when it reads the file, and how it ends.
  std::string wanted_by(const std::string& file, int status = 0) const {
    Ran ran = run_here({"plan", "--gpu", "8.6", "--driver", "580.95.05", "--python", "3.12",
                        "--json", "--os", "linux", "-r", file});
    EXPECT_EQ(ran.status, status) << ran.err;
    const auto json = parse_json(ran.out);
    return json ? std::string(json->at("request").at("wanted").string()) : ran.err;
  }
  fs::path root_;
};

TEST_F(Folders, ANameCannotForgeAFinding) {
  const std::string path = venv("x\nKF9999  fake\x1b[31m\xe2\x80\xae`|");
  std::vector<std::string> doctor = {"doctor",      "--gpu", "8.6", "--driver", "580.95.05",
                                     "--no-redact", "--env", path,  "--format"};
  for (const char* format : {"terminal", "markdown"}) {
    auto arguments = doctor;
    arguments.emplace_back(format);
    Ran ran = run_here(arguments);
    EXPECT_FALSE(contains(ran.out, "\nKF9999")) << ran.out;
    EXPECT_EQ(ran.out.find_first_of("\x1b\r"), std::string::npos) << ran.out;
    EXPECT_FALSE(contains(ran.out, "\xe2\x80\xae")) << ran.out;
  }
  doctor.emplace_back("json");
  auto json = parse_json(run_here(doctor).out);
  ASSERT_TRUE(json);
  EXPECT_EQ(json->at("environments").items()[0].at("path").string(), path);
}

TEST_F(Folders, AnArgumentIsEchoedVisibly) {
  Ran ran = run_here({"plan", "--gpu", "\x1b[31mX\nKF9999"});
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(lines_of(ran.err).size(), 1u) << ran.err;
  EXPECT_TRUE(contains(ran.err, "\\x1b[31mX\\nKF9999")) << ran.err;
}

TEST_F(Folders, WhatIsNoEnvironmentIsExit2AndNamed) {
  const std::string file = write("notes.txt", "no Python\n");
  fs::create_directories(root_ / "empty");
  for (const std::string& path :
       {(root_ / "nowhere").string(), file, (root_ / "empty").string(), std::string("/dev/null")}) {
    for (const char* command : {"doctor", "plan"}) {
      Ran ran = run_here({command, "--gpu", "8.6", "--driver", "580.95.05", "--env", path});
      EXPECT_EQ(ran.status, 2) << path << ran.out;
      EXPECT_TRUE(contains(ran.err, path)) << ran.err;
      EXPECT_TRUE(ran.out.empty()) << ran.out;
    }
  }
}

TEST_F(Folders, EachEnvironmentThatIsNamedIsPlannedFor) {
  const std::string first = venv("first"), second = venv("second");
  std::vector<std::string> plan = {"plan",  "--gpu", "8.6",   "--driver", "580.95.05",
                                   "--env", first,   "--env", second};
  Ran ran = run_here(plan);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, first + "\n")) << ran.out;
  EXPECT_TRUE(contains(ran.out, second + "\n")) << ran.out;
}

TEST_F(Folders, ARequirementsFileOfGarbageIsNamedWithItsLine) {
  const std::string file = write("r.txt", "numpy\n\x01\x02\xff\x1b[31m garbage\n");
  Ran ran = run_here({"plan", "--gpu", "8.6", "--driver", "580.95.05", "-r", file});
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(contains(ran.err, "r.txt`, line 2")) << ran.err;
  EXPECT_FALSE(contains(ran.err, "\x1b")) << ran.err;
}

TEST_F(Folders, ARequirementsFileIsReadInItsEncoding) {
  EXPECT_EQ(wanted_by(write("bom.txt", "\xEF\xBB\xBFtorch==2.6.0\r\n")), "==2.6.0");
  std::string wide("\xFF\xFE");
  for (char c : std::string("torch==2.6.0\r\n")) wide += std::string({c, '\0'});
  EXPECT_EQ(wanted_by(write("utf16.txt", wide)), "==2.6.0");
  EXPECT_EQ(wanted_by(write("joined.txt", "torch \\\n    ==2.6.0 --hash=sha256:00\n")), "==2.6.0");
  EXPECT_EQ(wanted_by(write("extra.txt", "torch[opt-einsum]==2.6.0\n")), "==2.6.0");
}

TEST_F(Folders, ARequirementsFileNamesOthersBesideIt) {
  write("below/base.txt", "-c ../limits.txt\ntorch>=2.5\n");
  write("limits.txt", "torch<2.7\nnumpy<2\n");
  const std::string file = write("all.txt", "-r below/base.txt\n--index-url https://a.example\n");
  EXPECT_EQ(wanted_by(file), "<2.7,>=2.5");
  write("circle.txt", "-r there.txt\n");
  EXPECT_TRUE(contains(wanted_by(write("there.txt", "-r circle.txt\n"), 2), "circle.txt`, line 1"));
  EXPECT_TRUE(contains(wanted_by(write("lost.txt", "\n-r nowhere.txt\n"), 2), "lost.txt`, line 2"));
  EXPECT_TRUE(contains(wanted_by(write("odd.txt", "--colour red\n"), 2), "--colour"));
}

// A script that reads only the commands is told as well.
TEST_F(Folders, QuietStillSaysThatAWishWasRefused) {
  Ran ran = run_here({"plan", "torch==2.6.0", "--gpu", "12.0", "--driver", "580.95.05", "-q"});
  EXPECT_TRUE(ran.out.starts_with("# ")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "torch ==2.6.0")) << ran.out;
  // R470 is the last branch for Kepler: the driver comes before the command.
  Ran old = run_here({"plan", "--gpu", "Tesla K80", "--driver", "580.95.05", "-q"});
  EXPECT_TRUE(old.out.starts_with("# ")) << old.out;
  EXPECT_LT(old.out.find("470"), old.out.find("pip install")) << old.out;
  Ran ask = run_here({"plan", "--jetpack", "5.1", "-q"});
  EXPECT_EQ(ask.status, 3) << ask.err;
  EXPECT_TRUE(contains(ask.out, "7.2, 8.7")) << ask.out;
}

TEST_F(Folders, DoctorJudgesNoJetPackWithoutItsBoard) {
  Ran ran = run_here({"doctor", "--jetpack", "5.1"});
  EXPECT_EQ(ran.status, 2) << ran.out;
  EXPECT_TRUE(contains(ran.err, "7.2, 8.7")) << ran.err;
}

TEST_F(Folders, TheNextCommandCanBeTyped) {
  Ran ran = run_here({"doctor", "--gpu", "GT 730", "--driver", "470.256.02", "--installed",
                      "torch==1.13.1+cu117"});
  EXPECT_FALSE(contains(ran.out, "--env (given)")) << ran.out;
  Ran bare = run_here({"doctor", "--gpu", "GT 730", "--driver", "470.256.02"});
  EXPECT_EQ(bare.status, 3) << bare.out;
  EXPECT_FALSE(contains(bare.out, "nothing that uses the GPU is installed")) << bare.out;
  EXPECT_TRUE(contains(bare.out, "kernelfit plan --gpu ")) << bare.out;
}

TEST_F(Folders, AMatrixFitsEightyColumns) {
  setenv("COLUMNS", "80", 1);
  Ran ran = run_here({"torch", "--matrix"});
  unsetenv("COLUMNS");
  for (auto line : lines_of(ran.out)) EXPECT_LE(display_width(line), 80) << line;
}

TEST_F(Folders, WithoutUnicodeTheChecksAreAscii) {
  setenv("LC_ALL", "C", 1);
  Ran ran = run_here({"doctor", "--list", "--lang", "en"});
  unsetenv("LC_ALL");
  for (char c : ran.out) ASSERT_TRUE(c == '\n' || (c >= ' ' && c <= '~')) << ran.out;
}
#endif

TEST(Run, ForumReportNamesNobody) {
  Ran whole = run_on("gtx1080ti-580-torch2130-cu130", {"doctor", "--json"});
  Ran forum = run_on("gtx1080ti-580-torch2130-cu130", {"doctor", "--format", "markdown"});
  EXPECT_EQ(forum.status, whole.status);
  EXPECT_TRUE(contains(forum.out, "## ")) << forum.out;
}

#ifndef _WIN32
// A folder of knowledge with a loop of links, a linked table and a film of 10 GB in it.
TEST(Run, AFolderOfKnowledgeIsReadWithinBounds) {
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
