// SPDX-License-Identifier: Apache-2.0
// kernelfit.h as a program calls it, rightly and wrongly. The values are those of
// tests/fixtures/fatbin/MANIFEST.md and of docs/compatibility.md.
#include <gtest/gtest.h>
#include <kernelfit/kernelfit.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "api/handles.h"
#include "base/json.h"
#include "host/temporary_folder_for_tests.h"

namespace {

namespace fs = std::filesystem;

fs::path fixture(const std::string& name) {
  return fs::path(KF_TESTS_DIR) / "fixtures" / "fatbin" / name;
}

// Opens, and closes what it opened.
class Opened {
 public:
  explicit Opened(const fs::path& path, const kernelfit_options* options = nullptr)
      : status(kernelfit_open(path.string().c_str(), options, &scan)) {}
  ~Opened() { kernelfit_close(scan); }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  const kernelfit_file* file(std::size_t index = 0) const { return kernelfit_file_at(scan, index); }

  kernelfit_scan* scan = nullptr;
  kernelfit_status status;
};

struct Judged {
  Judged(const Opened& opened, const char* gpu, const char* driver)
      : status(kernelfit_judge(opened.scan, gpu, driver, &answer)) {}
  ~Judged() { kernelfit_answer_close(answer); }
  Judged(const Judged&) = delete;
  Judged& operator=(const Judged&) = delete;
  std::string word() const { return kernelfit_verdict_word(kernelfit_verdict_at(answer, 0)); }

  kernelfit_answer* answer = nullptr;
  kernelfit_status status;
};

// Asks for everything there is, and one past it.
std::int64_t walk(const kernelfit_file* file) {
  std::int64_t images = 0;
  for (std::size_t i = 0; i <= kernelfit_entry_count(file); ++i) {
    images += kernelfit_entry_images(kernelfit_entry_at(file, i));
  }
  for (std::size_t i = 0; i <= kernelfit_image_count(file); ++i) {
    const kernelfit_image* image = kernelfit_image_at(file, i);
    EXPECT_EQ(image == nullptr, i == kernelfit_image_count(file));
    EXPECT_EQ(*kernelfit_image_arch(image) == '\0', image == nullptr);
    if (image) {
      EXPECT_LT(kernelfit_image_offset(image), kernelfit_file_bytes(file));
    }
  }
  for (std::size_t i = 0; kernelfit_file_needs(file, i) != nullptr; ++i) continue;
  return images;
}

TEST(Api, ListsWhatTheFileHolds) {
  const Opened opened(fixture("cu124_sm90a_ptx90a.fatbin"));
  ASSERT_EQ(opened.status, KERNELFIT_OK);
  EXPECT_STREQ(kernelfit_message(opened.scan), "");
  ASSERT_EQ(kernelfit_file_count(opened.scan), 1u);
  ASSERT_EQ(kernelfit_entry_count(opened.file()), 2u);
  const kernelfit_entry* sass = kernelfit_entry_at(opened.file(), 0);
  EXPECT_EQ(kernelfit_entry_code(sass), KERNELFIT_SASS);
  EXPECT_STREQ(kernelfit_entry_arch(sass), "sm_90a");
  EXPECT_EQ(kernelfit_entry_number(sass), 90);
  EXPECT_EQ(kernelfit_entry_suffix(sass), 'a');
  EXPECT_EQ(kernelfit_entry_images(sass), 1);
  EXPECT_EQ(kernelfit_entry_kernels(sass), -1);  // not asked for
  EXPECT_EQ(kernelfit_entry_empty(sass), -1);
  const kernelfit_entry* ptx = kernelfit_entry_at(opened.file(), 1);
  EXPECT_EQ(kernelfit_entry_code(ptx), KERNELFIT_PTX);
  EXPECT_STREQ(kernelfit_entry_arch(ptx), "compute_90a");
  EXPECT_STREQ(kernelfit_file_cuda_version(opened.file()), "12.4");
  EXPECT_STREQ(kernelfit_file_min_driver(opened.file()), "525.60.13");  // CUDA 12.x on Linux
  EXPECT_STREQ(kernelfit_file_coverage(opened.file(), 9, 0), "native");
  EXPECT_STREQ(kernelfit_file_coverage(opened.file(), 10, 0), "no-code");  // 'a' is 9.0 alone
}

TEST(Api, CountsKernelsWhenAskedTo) {
  kernelfit_options* options = kernelfit_options_new();
  EXPECT_EQ(kernelfit_options_set_kernels(options, 1), KERNELFIT_OK);
  const Opened opened(fixture("libcu124_two_tu.so"), options);
  kernelfit_options_free(options);
  const kernelfit_entry* sm_80 = kernelfit_entry_at(opened.file(), 0);
  EXPECT_STREQ(kernelfit_entry_arch(sm_80), "sm_80");
  EXPECT_EQ(kernelfit_entry_images(sm_80), 2);
  EXPECT_EQ(kernelfit_entry_kernels(sm_80), 2);  // vadd and vsub
  EXPECT_EQ(kernelfit_entry_empty(sm_80), 0);
  EXPECT_EQ(kernelfit_image_kernels(kernelfit_image_at(opened.file(), 0)), 1);
  EXPECT_STREQ(kernelfit_image_section(kernelfit_image_at(opened.file(), 0)), ".nv_fatbin");
}

TEST(Api, TellsRelocatableAndBareCodeApart) {
  const Opened linked(fixture("libcu118_vadd_rdc.so"));
  std::vector<std::pair<std::string, kernelfit_place>> entries;
  for (std::size_t i = 0; i < kernelfit_entry_count(linked.file()); ++i) {
    const kernelfit_entry* entry = kernelfit_entry_at(linked.file(), i);
    entries.emplace_back(kernelfit_entry_arch(entry), kernelfit_entry_place(entry));
    EXPECT_EQ(kernelfit_entry_images(entry), 1);
    const bool relocatable = entries.back().second == KERNELFIT_RELOCATABLE;
    EXPECT_STREQ(kernelfit_entry_compression(entry), relocatable ? "lz4" : "none");
  }
  const decltype(entries) expected = {{"sm_35", KERNELFIT_IN_CONTAINER},
                                      {"sm_50", KERNELFIT_IN_CONTAINER},
                                      {"sm_35", KERNELFIT_RELOCATABLE},
                                      {"sm_50", KERNELFIT_RELOCATABLE},
                                      {"compute_50", KERNELFIT_RELOCATABLE}};
  EXPECT_EQ(entries, expected);
  EXPECT_STREQ(kernelfit_file_compression(linked.file()), "lz4 none");
  EXPECT_STREQ(kernelfit_file_coverage(linked.file(), 6, 0), "ptx-jit");
  const Opened cubin(fixture("cu130_sm121a.cubin"));
  EXPECT_EQ(kernelfit_entry_place(kernelfit_entry_at(cubin.file(), 0)), KERNELFIT_BARE);
  EXPECT_STREQ(kernelfit_entry_arch(kernelfit_entry_at(cubin.file(), 0)), "sm_121a");
}

TEST(Api, JudgesACardAndADriver) {
  const Opened ptx(fixture("cu130_sm100_ptx.fatbin"));
  EXPECT_STREQ(kernelfit_file_coverage(ptx.file(), 12, 0), "ptx-jit");
  const Judged new_enough(ptx, "12.0", "580.95.05"), too_old(ptx, "sm_120", "570.211.01");
  EXPECT_EQ(new_enough.status, KERNELFIT_OK);
  EXPECT_EQ(new_enough.word(), "ptx-jit");
  EXPECT_EQ(too_old.status, KERNELFIT_DOES_NOT_FIT);
  EXPECT_EQ(too_old.word(), "driver-too-old");
  EXPECT_NE(std::string(kernelfit_verdict_reason(kernelfit_verdict_at(too_old.answer, 0))), "");

  const Opened kepler(fixture("cu118_sm35_sm50_ptx50.fatbin"));
  const Judged chips(kepler, "GT 730", nullptr);  // sold as 2.1, 3.0 and 3.5
  EXPECT_EQ(chips.status, KERNELFIT_IN_PART);
  EXPECT_EQ(kernelfit_verdict_count(chips.answer), 3u);
  const Judged none(kepler, "Tesla K80", "none"), dropped(kepler, "Tesla K80", "535.183.01");
  EXPECT_EQ(none.word(), "no-driver");
  EXPECT_EQ(dropped.word(), "driver-too-new-for-gpu");
  EXPECT_EQ(kernelfit_verdict_max_branch(kernelfit_verdict_at(dropped.answer, 0)), 470);
}

TEST(Api, AnAnswerOutlivesItsScan) {
  kernelfit_scan* scan = nullptr;
  kernelfit_answer* answer = nullptr;
  kernelfit_open(fixture("cu118_sm35.fatbin").string().c_str(), nullptr, &scan);
  EXPECT_EQ(kernelfit_judge(scan, "Tesla K80", nullptr, &answer), KERNELFIT_OK);
  kernelfit_close(scan);
  const kernelfit_verdict* verdict = kernelfit_verdict_at(answer, 0);
  EXPECT_STREQ(kernelfit_verdict_capability(verdict), "3.7");
  EXPECT_STREQ(kernelfit_verdict_used(verdict), "sm_35");
  EXPECT_EQ(walk(kernelfit_verdict_file(verdict)), 1);
  EXPECT_NE(std::string(kernelfit_answer_json(answer)).find("\"native\""), std::string::npos);
  kernelfit_answer_close(answer);
}

// Whatever the file: no crash, every image is in an entry, every problem names its file.
TEST(Api, WalksEveryFixture) {
  std::size_t seen = 0, faulty = 0;
  for (const auto& entry : fs::directory_iterator(fixture(""))) {
    SCOPED_TRACE(entry.path().filename().string());
    const Opened opened(entry.path());
    ++seen;
    for (std::size_t i = 0; i < kernelfit_file_count(opened.scan); ++i) {
      EXPECT_EQ(walk(opened.file(i)),
                static_cast<std::int64_t>(kernelfit_image_count(opened.file(i))));
    }
    const std::size_t problems = kernelfit_problem_count(opened.scan);
    EXPECT_EQ(problems == 0, opened.status == KERNELFIT_OK);
    for (std::size_t i = 0; i < problems; ++i) {
      const kernelfit_problem* problem = kernelfit_problem_at(opened.scan, i);
      EXPECT_EQ(entry.path().string(), kernelfit_problem_path(problem));
      EXPECT_NE(kernelfit_problem_offset(problem), KERNELFIT_NO_OFFSET)
          << kernelfit_problem_text(problem);
    }
    if (problems > 0) ++faulty;
    EXPECT_NE(std::string(kernelfit_scan_json(opened.scan)), "");
  }
  EXPECT_GT(seen, 80u);
  EXPECT_GT(faulty, 15u);
}

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Bytes turned over at random: whatever comes of it is an answer.
TEST(Api, BrokenFilesAreAnswered) {
  const kernelfit::TemporaryFolder folder;
  const fs::path path = folder.path("broken");
  kernelfit_options* options = kernelfit_options_new();
  kernelfit_options_set_kernels(options, 1);
  std::mt19937 random(4711);  // always the same ones
  for (const char* name : {"cu130_sm90a_ptx.fatbin", "cu118_vadd_rdc.o", "vadd-0.1-deflated.whl",
                           "libcu118_vadd.a", "cu130_sm121a.cubin", "vadd_pe.dll"}) {
    const std::string whole = bytes_of(fixture(name));
    for (int round = 0; round < 20; ++round) {
      std::string broken = whole;
      for (int i = 0; i < 8; ++i) broken[random() % broken.size()] = static_cast<char>(random());
      broken.resize(broken.size() - random() % 100);
      std::ofstream(path, std::ios::binary) << broken;
      const Opened opened(path, options);
      EXPECT_LE(opened.status, KERNELFIT_IN_PART) << name << " " << round;
      for (std::size_t i = 0; i < kernelfit_file_count(opened.scan); ++i) walk(opened.file(i));
      EXPECT_TRUE(kernelfit::parse_json(kernelfit_scan_json(opened.scan))) << name << " " << round;
    }
  }
  kernelfit_options_free(options);
}

TEST(Api, ANullHandleIsAnsweredWithNothing) {
  EXPECT_EQ(kernelfit_open("x", nullptr, nullptr), KERNELFIT_BAD_ARGUMENT);
  EXPECT_EQ(kernelfit_scan_status(nullptr), KERNELFIT_BAD_ARGUMENT);
  EXPECT_EQ(kernelfit_answer_status(nullptr), KERNELFIT_BAD_ARGUMENT);
  for (auto text : {kernelfit_message, kernelfit_scan_json}) EXPECT_STREQ(text(nullptr), "");
  for (auto text : {kernelfit_answer_message, kernelfit_answer_json}) {
    EXPECT_STREQ(text(nullptr), "");
  }
  for (auto text :
       {kernelfit_file_path, kernelfit_file_member, kernelfit_file_layer, kernelfit_file_kind,
        kernelfit_file_cpu_arch, kernelfit_file_compression, kernelfit_file_cuda_version,
        kernelfit_file_min_driver, kernelfit_file_ptx_isa, kernelfit_file_glibc}) {
    EXPECT_STREQ(text(nullptr), "");
  }
  for (auto text : {kernelfit_image_arch, kernelfit_image_compression, kernelfit_image_section}) {
    EXPECT_STREQ(text(nullptr), "");
  }
  for (auto text : {kernelfit_entry_arch, kernelfit_entry_compression}) {
    EXPECT_STREQ(text(nullptr), "");
  }
  for (auto text : {kernelfit_problem_path, kernelfit_problem_member, kernelfit_problem_text}) {
    EXPECT_STREQ(text(nullptr), "");
  }
  for (auto text : {kernelfit_verdict_gpu, kernelfit_verdict_capability, kernelfit_verdict_used,
                    kernelfit_verdict_min_driver, kernelfit_verdict_reason}) {
    EXPECT_STREQ(text(nullptr), "");
  }
  EXPECT_STREQ(kernelfit_verdict_word(nullptr), "unknown");
  EXPECT_STREQ(kernelfit_file_coverage(nullptr, 8, 6), "unknown");
  EXPECT_EQ(kernelfit_file_needs(nullptr, 0), nullptr);
  EXPECT_EQ(kernelfit_verdict_file(nullptr), nullptr);
  EXPECT_EQ(kernelfit_verdict_runs(nullptr), 0);
  EXPECT_EQ(kernelfit_verdict_max_branch(nullptr), 0);
}

TEST(Api, ANullHandleHoldsNothing) {
  EXPECT_EQ(kernelfit_file_count(nullptr), 0u);
  EXPECT_EQ(kernelfit_file_at(nullptr, 0), nullptr);
  EXPECT_EQ(kernelfit_problem_count(nullptr), 0u);
  EXPECT_EQ(kernelfit_problem_at(nullptr, 0), nullptr);
  EXPECT_EQ(kernelfit_problem_offset(nullptr), KERNELFIT_NO_OFFSET);
  EXPECT_EQ(kernelfit_verdict_count(nullptr), 0u);
  EXPECT_EQ(kernelfit_verdict_at(nullptr, 0), nullptr);
  EXPECT_EQ(kernelfit_file_bytes(nullptr), 0u);
  EXPECT_EQ(kernelfit_entry_code(nullptr), KERNELFIT_NONE);
  EXPECT_EQ(kernelfit_entry_place(nullptr), KERNELFIT_IN_CONTAINER);
  EXPECT_EQ(kernelfit_entry_suffix(nullptr), '\0');
  EXPECT_EQ(kernelfit_entry_kernels(nullptr) + kernelfit_entry_empty(nullptr), 0);
  EXPECT_EQ(kernelfit_image_code(nullptr), KERNELFIT_NONE);
  EXPECT_EQ(kernelfit_image_place(nullptr), KERNELFIT_IN_CONTAINER);
  EXPECT_EQ(kernelfit_image_kernels(nullptr), 0);
  EXPECT_EQ(kernelfit_image_stored_bytes(nullptr) + kernelfit_image_code_bytes(nullptr), 0u);
  EXPECT_EQ(walk(nullptr), 0);
  kernelfit_close(nullptr);
  kernelfit_answer_close(nullptr);
  kernelfit_options_free(nullptr);
  kernelfit_options_cancel(nullptr);
}

TEST(Api, WrongArgumentsAreNamed) {
  kernelfit_scan* empty = nullptr;
  EXPECT_EQ(kernelfit_open(nullptr, nullptr, &empty), KERNELFIT_BAD_ARGUMENT);
  EXPECT_STREQ(kernelfit_message(empty), "no path was given");
  EXPECT_STREQ(kernelfit_scan_json(empty), "");
  kernelfit_answer* answer = nullptr;
  EXPECT_EQ(kernelfit_judge(empty, "8.6", nullptr, &answer), KERNELFIT_BAD_ARGUMENT);
  kernelfit_answer_close(answer);
  kernelfit_close(empty);

  const Opened opened(fixture("cu118_sm35.fatbin"));
  EXPECT_EQ(kernelfit_judge(opened.scan, "8.6", nullptr, nullptr), KERNELFIT_BAD_ARGUMENT);
  const Judged no_gpu(opened, nullptr, nullptr), no_card(opened, "GTX 9999", nullptr),
      no_driver(opened, "8.6", "newest");
  EXPECT_EQ(no_gpu.status, KERNELFIT_BAD_ARGUMENT);
  EXPECT_EQ(no_card.status, KERNELFIT_BAD_ARGUMENT);
  EXPECT_EQ(no_driver.status, KERNELFIT_BAD_ARGUMENT);
  EXPECT_EQ(kernelfit_verdict_count(no_card.answer), 0u);
  // Strings are UTF-8, whatever was given.
  const Judged no_text(opened, "\xff\xfe", nullptr), no_version(opened, "8.6", "\xff");
  for (const auto* one : {&no_text, &no_version}) {
    const std::string message = kernelfit_answer_message(one->answer);
    EXPECT_EQ(message.find('\xff'), message.npos) << message;
  }
  for (const auto* one : {&no_gpu, &no_card, &no_driver}) {
    const std::string message = kernelfit_answer_message(one->answer);
    EXPECT_FALSE(message.empty() || message.starts_with("<")) << message;
  }
  for (int wrong : {-1, 0})
    EXPECT_STREQ(kernelfit_file_coverage(opened.file(), wrong, 0), "unknown");
  EXPECT_STREQ(kernelfit_file_coverage(opened.file(), 8, 60), "unknown");
}

TEST(Api, OptionsRefuseWhatTheyDoNotKnow) {
  kernelfit_options* options = kernelfit_options_new();
  EXPECT_EQ(kernelfit_options_set_threads(options, -1), KERNELFIT_BAD_ARGUMENT);
  EXPECT_EQ(kernelfit_options_set_threads(options, 1), KERNELFIT_OK);
  EXPECT_EQ(kernelfit_options_set_language(options, "tlh"), KERNELFIT_BAD_ARGUMENT);
  EXPECT_EQ(kernelfit_options_set_language(options, nullptr), KERNELFIT_BAD_ARGUMENT);
  EXPECT_EQ(kernelfit_options_set_language(options, "zh"), KERNELFIT_OK);
  EXPECT_EQ(kernelfit_options_set_kernels(nullptr, 1), KERNELFIT_BAD_ARGUMENT);
  EXPECT_EQ(kernelfit_options_set_sections_only(nullptr, 1), KERNELFIT_BAD_ARGUMENT);
  EXPECT_EQ(kernelfit_options_set_deep(nullptr, 1), KERNELFIT_BAD_ARGUMENT);
  EXPECT_EQ(kernelfit_options_set_threads(nullptr, 1), KERNELFIT_BAD_ARGUMENT);
  EXPECT_EQ(kernelfit_options_set_language(nullptr, "en"), KERNELFIT_BAD_ARGUMENT);
  const Opened opened("", options);
  EXPECT_STREQ(kernelfit_message(opened.scan), "没有给出路径");
  kernelfit_options_free(options);
}

TEST(Api, WhatCannotBeReadHasItsReason) {
  const Opened missing("/no/such/file");
  EXPECT_EQ(missing.status, KERNELFIT_NO_ANSWER);
  EXPECT_EQ(kernelfit_scan_status(missing.scan), KERNELFIT_NO_ANSWER);
  ASSERT_EQ(kernelfit_problem_count(missing.scan), 1u);
  EXPECT_STREQ(kernelfit_problem_path(kernelfit_problem_at(missing.scan, 0)), "/no/such/file");
  EXPECT_STREQ(kernelfit_file_kind(missing.file()), "unreadable");
  EXPECT_NE(std::string(kernelfit_message(missing.scan)).find("/no/such/file"), std::string::npos);
  EXPECT_STREQ(kernelfit_file_coverage(missing.file(), 8, 6), "unknown");
  const Judged judged(missing, "8.6", nullptr);
  EXPECT_EQ(judged.status, KERNELFIT_NO_ANSWER);

  // MANIFEST.md: the second entry's header is cut off at 912.
  const Opened cut(fixture("fault_trunc_header.fatbin"));
  EXPECT_EQ(cut.status, KERNELFIT_IN_PART);
  ASSERT_EQ(kernelfit_problem_count(cut.scan), 2u);
  EXPECT_EQ(kernelfit_problem_offset(kernelfit_problem_at(cut.scan, 1)), 912u);
  EXPECT_EQ(walk(cut.file()), 1);
}

TEST(Api, CancelledIsNotHalfRead) {
  kernelfit_options* options = kernelfit_options_new();
  kernelfit_options_cancel(options);
  const Opened opened(fixture(""), options);
  kernelfit_options_free(options);
  EXPECT_EQ(opened.status, KERNELFIT_CANCELLED);
  EXPECT_EQ(kernelfit_file_count(opened.scan), 0u);
  EXPECT_STREQ(kernelfit_scan_json(opened.scan), "");
}

TEST(Api, SeveralThreadsReadOneScan) {
  const Opened opened(fixture("vadd-0.1-deflated.whl"));
  std::vector<std::string> texts(8);
  std::vector<std::thread> threads;
  threads.reserve(texts.size());
  for (auto& text : texts) {
    threads.emplace_back([&] {
      const Judged judged(opened, "GeForce RTX 3090", "535.183.01");
      text = kernelfit_scan_json(opened.scan) + judged.word();
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& text : texts) EXPECT_EQ(text, texts.front());
  EXPECT_TRUE(texts.front().ends_with("native"));
}

TEST(Api, NoExceptionGetsOut) {
  using kernelfit::api::Ending;
  using kernelfit::api::guarded;
  const auto thrown = [](const auto& what) { return guarded([&]() -> Ending { throw what; }); };
  EXPECT_EQ(thrown(std::bad_alloc()).status, KERNELFIT_NO_MEMORY);
  EXPECT_STREQ(thrown(std::bad_alloc()).text(), "out of memory");
  EXPECT_EQ(thrown(std::runtime_error("torn")).status, KERNELFIT_BUG);
  EXPECT_STREQ(thrown(std::runtime_error("torn")).text(), "torn");
  EXPECT_EQ(thrown(4711).status, KERNELFIT_BUG);
}

TEST(Api, SaysWhatItIs) {
  EXPECT_EQ(kernelfit_abi_version(), KERNELFIT_ABI_VERSION);
  EXPECT_STREQ(kernelfit_version(), std::string(kernelfit::program_version()).c_str());
  EXPECT_EQ(std::string(kernelfit_knowledge_date()).size(), std::string("2026-11-30").size());
}

}  // namespace
