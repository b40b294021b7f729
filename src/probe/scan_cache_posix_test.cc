// SPDX-License-Identifier: Apache-2.0
// The cache of scans on this machine's own disk, with what can stand in it.
#include "probe/scan_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "host/temporary_folder_for_tests.h"
#include "probe/environments.h"
#include "probe/helper_limit.h"

namespace kernelfit {
namespace {

std::string fixture(const std::string& name) {
  std::ifstream in(std::string(KF_TESTS_DIR) + "/fixtures/fatbin/" + name, std::ios::binary);
  EXPECT_TRUE(in) << name;
  return {std::istreambuf_iterator<char>(in), {}};
}

// XDG_CACHE_HOME in a folder of its own.
class CacheTest : public testing::Test {
 protected:
  CacheTest() {
    if (const char* before = std::getenv("XDG_CACHE_HOME")) before_ = before;
    setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
  }
  ~CacheTest() override {
    if (before_) {
      setenv("XDG_CACHE_HOME", before_->c_str(), 1);
    } else {
      unsetenv("XDG_CACHE_HOME");
    }
  }

  BinaryImages read(const std::string& path, bool use = true) {
    ScanCache cache(*host_, use);
    auto read = read_binaries(*host_, {path}, {true, &limit_, &cache});
    cache.save();
    EXPECT_TRUE(read[0]) << (read[0] ? "" : read[0].error().text());
    return read[0].value_or(BinaryImages());
  }
  std::size_t kept() { return ScanCache(*host_, true).size(); }
  std::string table() { return folder_.read("kernelfit/scans.json"); }

  TemporaryFolder folder_;
  std::unique_ptr<Host> host_ = real_host();
  TimeLimit limit_{*host_, 60'000};
  std::optional<std::string> before_;
};

TEST_F(CacheTest, TellsTheSameOfAFileThatIsTheSame) {
  const auto path = folder_.write("lib.so", fixture("libcu130_vadd_rdc.so"));
  const BinaryImages first = read(path);
  ASSERT_EQ(kept(), 1u);
  const BinaryImages second = read(path);
  EXPECT_EQ(second.file, path);
  EXPECT_EQ(second.ptx_isa, first.ptx_isa);
  EXPECT_EQ(second.compression, first.compression);
  ASSERT_EQ(second.groups.size(), first.groups.size());
  for (std::size_t i = 0; i < first.groups.size(); ++i) {
    const ContainerGroup &a = first.groups[i], &b = second.groups[i];
    EXPECT_EQ(a.section, b.section);
    EXPECT_EQ(a.archs, b.archs);
    EXPECT_EQ(a.containers, b.containers);
    EXPECT_EQ(a.images, b.images);
    EXPECT_EQ(a.code_bytes, b.code_bytes);
    EXPECT_EQ(a.relocatable, b.relocatable);
  }
}

// The table is what answers: another list in it comes back.
TEST_F(CacheTest, AnswersFromTheTable) {
  const auto path = folder_.write("lib.so", fixture("libcu118_vadd.so"));
  read(path);
  std::string text = table();
  const auto at = text.find("sm_35 sm_50");
  ASSERT_NE(at, std::string::npos);
  folder_.write("kernelfit/scans.json", text.replace(at, 11, "sm_35 sm_52"));
  EXPECT_EQ(arch_list_text(read(path).groups[0].archs), "sm_35 sm_52 compute_50");
  EXPECT_EQ(arch_list_text(read(path, false).groups[0].archs), "sm_35 sm_50 compute_50");
}

TEST_F(CacheTest, ReadsAFileThatChangedAnew) {
  const auto path = folder_.write("lib.so", fixture("libcu118_vadd.so"));
  read(path);
  const auto before = std::filesystem::last_write_time(path);
  folder_.write("lib.so", fixture("libcu124_vadd.so"));
  EXPECT_EQ(arch_list_text(read(path).groups[0].archs), "sm_75 sm_80 sm_86 compute_86");
  // The same size, another time.
  folder_.write("lib.so", fixture("libcu118_vadd.so"));
  std::filesystem::last_write_time(path, before + std::chrono::hours(1));
  EXPECT_EQ(arch_list_text(read(path).groups[0].archs), "sm_35 sm_50 compute_50");
}

// On a slow disk: the sections made for GPU code, and nothing half searched is kept.
TEST_F(CacheTest, WhenTheTimeIsUpTheSectionsMustDo) {
  const auto named = folder_.write("named.so", fixture("libcu124_vadd.so"));
  const auto hidden = folder_.write("hidden.so", fixture("fatbin_in_data_section.so"));
  ScanCache cache(*host_, true);
  const TimeLimit over(*host_, 0);
  auto read = read_binaries(*host_, {named, hidden}, {true, &over, &cache});
  EXPECT_EQ(arch_list_text(read[0]->groups.at(0).archs), "sm_75 sm_80 sm_86 compute_86");
  EXPECT_TRUE(read[1]->groups.empty());
  EXPECT_EQ(cache.size(), 0u);
}

TEST_F(CacheTest, IsNotWrittenWithoutLeave) {
  read(folder_.write("lib.so", fixture("libcu118_vadd.so")), false);
  EXPECT_FALSE(std::filesystem::exists(folder_.path("kernelfit")));
}

TEST_F(CacheTest, ThrowsAwayWhatItDidNotWrite) {
  const auto path = folder_.write("lib.so", fixture("libcu118_vadd.so"));
  read(path);
  const std::string good = table();
  auto with = [&](std::string_view what, std::string_view other) {
    std::string text = good;
    const auto at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return text.replace(at, what.size(), other);
  };
  const std::string kBad[] = {
      "",
      "{",
      "[]",
      "null",
      std::string(4096, '['),
      "\x00\xff",
      good.substr(0, good.size() / 2),
      with("\"format\":1", "\"format\":2"),
      with("\"program\":\"", "\"program\":\"9"),
      with("sm_35", "sm_x"),
      with("sm_35 sm_50", "sm_50 sm_35 sm_50"),
      with("\"containers\":1", "\"containers\":-1"),
      with("\"images\":3", "\"images\":9223372036854775807"),
      with("\"bytes\":", "\"bytes\":\"\",\"b\":"),
      with("\"groups\":[", "\"groups\":{\"a\":["),
      with("\"ptx_isa\":\"7.8\"", "\"ptx_isa\":\"7.x\""),
  };
  for (const auto& text : kBad) {
    folder_.write("kernelfit/scans.json", text);
    EXPECT_EQ(kept(), 0u) << text;
    EXPECT_EQ(arch_list_text(read(path).groups[0].archs), "sm_35 sm_50 compute_50");
    EXPECT_EQ(kept(), 1u);  // and it is written again
  }
}

TEST_F(CacheTest, KeepsTheNewestOfMany) {
  ScanCache cache(*host_, true);
  ContainerGroup group;
  group.archs = parse_arch_list("sm_80");
  BinaryImages images;
  images.groups = {group};
  for (std::uint64_t i = 1; i <= 600; ++i) cache.add({FileKind::regular, 1, 1, i, 1}, images);
  cache.save();
  ScanCache again(*host_, true);
  EXPECT_EQ(again.size(), 512u);
  EXPECT_EQ(again.find({FileKind::regular, 1, 1, 1, 1}), nullptr);
  EXPECT_NE(again.find({FileKind::regular, 1, 1, 600, 1}), nullptr);
  EXPECT_EQ(again.find({FileKind::regular, 1, 1, 600, 2}), nullptr);
}

// The host that the probes are handed.
TEST_F(CacheTest, IsReachedThroughTheProbesHost) {
  const HelperLimit limited(*host_);
  ASSERT_TRUE(limited.write_cache("x", "text"));
  EXPECT_EQ(limited.read_cache("x").value_or(""), "text");
}

TEST_F(CacheTest, NobodyIsToldThatThereIsNone) {
  folder_.write("kernelfit", "a file");
  const auto path = folder_.write("lib.so", fixture("libcu118_vadd.so"));
  EXPECT_EQ(read(path).groups.size(), 1u);
  EXPECT_EQ(kept(), 0u);
}

// A recording keeps what the named sections need; played back, the rest is done without.
TEST_F(CacheTest, ARecordingIsEnoughForTheNamedSections) {
  for (const char* name : {"libcu130_vadd_rdc.so", "libcu124_two_tu.so", "vadd_pe.dll"}) {
    const auto path = folder_.write(name, fixture(name));
    auto recording = record_host(*host_);
    auto while_recorded = read_binaries(*recording, {path}, {true, nullptr, nullptr});
    const std::string saved = folder_.path(std::string("saved-") + name);
    ASSERT_TRUE(recording->save(saved, false));
    auto recorded = open_recorded_host(saved);
    ASSERT_TRUE(recorded);
    auto read = read_binaries(**recorded, {path}, {true, &limit_, nullptr});
    ASSERT_TRUE(read[0]) << name << ": " << read[0].error().text();
    EXPECT_TRUE(read[0]->problems.empty()) << read[0]->problems[0];
    ASSERT_EQ(read[0]->groups.size(), while_recorded[0]->groups.size()) << name;
    EXPECT_EQ(read[0]->groups[0].archs, while_recorded[0]->groups[0].archs);
  }
}

}  // namespace
}  // namespace kernelfit
