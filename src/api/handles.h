// SPDX-License-Identifier: Apache-2.0
// What stands behind the handles of include/kernelfit/kernelfit.h. For this room only.
#pragma once
#include <kernelfit/kernelfit.h>

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "judge/scan_verdicts.h"
#include "report/scan.h"

// NOLINTBEGIN(readability-identifier-naming): C has one namespace, and these are its names.

struct kernelfit_options {
  bool kernels = false, sections_only = false, deep = false;
  int threads = 0;
  std::string language = "en";
  std::atomic<bool> cancelled{false};
};

struct kernelfit_entry {
  kernelfit_code code;
  kernelfit_place place;
  kernelfit::ImageCount count;
  std::string arch;
};

struct kernelfit_image {
  kernelfit_code code;
  kernelfit_place place;
  std::string arch;
  // Of the ScanReport that the file is of.
  const char* section = "";
  const char* compression = "";
  std::uint64_t offset = 0, stored_bytes = 0, code_bytes = 0;
  std::int64_t kernels = -1;
};

struct kernelfit_file {
  const kernelfit::FileScan* scan;
  kernelfit::BinaryImages binary;
  kernelfit::DottedVersion toolkit;
  std::string compression, min_driver, ptx_isa;
  std::vector<kernelfit_entry> entries;
  std::vector<kernelfit_image> images;
};

struct kernelfit_problem {
  kernelfit::PlaceProblem problem;
  std::uint64_t offset;
};

namespace kernelfit::api {

// Everything that a scan found. It is shared by the scan and its answers, and never changes again;
// the knowledge, which reads its tables when they are first asked for, is behind a lock.
class Contents {
 public:
  Contents(ScanReport report, bool kernels, const std::string& language);
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;

  const std::vector<kernelfit_file>& files() const { return files_; }
  const std::vector<kernelfit_problem>& problems() const { return problems_; }
  const Catalogue& say() const { return say_; }

  // `use` gets the answer to a question, concluded, and the knowledge.
  template <typename Use>
  auto with_answer(const ScanQuestion& question, const Use& use) const {
    const std::lock_guard lock(mutex_);
    ScanAnswer answer = answer_to(question);
    const ScanOutcome outcome = conclude(answer);
    return use(answer, outcome);
  }
  std::string json(const ScanQuestion& question) const;
  Result<Gpu> gpu(std::string_view text) const;
  const kernelfit_file* handle_of(const FileScan* file) const;

 private:
  ScanAnswer answer_to(const ScanQuestion& question) const;

  ScanReport report_;
  bool kernels_;
  Catalogue say_;
  Knowledge knowledge_;
  std::vector<kernelfit_file> files_;
  std::vector<kernelfit_problem> problems_;
  mutable std::mutex mutex_;
};

kernelfit_file list_file(const FileScan& file, const Knowledge& knowledge);
std::vector<kernelfit_problem> list_problems(const ScanReport& report);
kernelfit_status status_of(ScanOutcome outcome);
// What an answer leaves open, one line each.
std::string message_of(const Remarks& remarks, const Catalogue& say);

// A text that is made when somebody first asks for it, whichever thread that is.
class LateText {
 public:
  template <typename Make>
  const char* get(const Make& make) const noexcept {
    try {
      const std::lock_guard lock(mutex_);
      if (text_.empty()) text_ = make();
      return text_.c_str();
    } catch (...) {
      return "";
    }
  }

 private:
  mutable std::mutex mutex_;
  mutable std::string text_;
};

// What a call came to, and why.
struct Ending {
  kernelfit_status status = KERNELFIT_OK;
  std::string message;

  const char* text() const {
    return status == KERNELFIT_NO_MEMORY ? "out of memory" : message.c_str();
  }
};

// The wall between exceptions and C: `work` gives an Ending, whatever it throws becomes one.
template <typename Work>
Ending guarded(const Work& work) noexcept {
  try {
    try {
      return work();
    } catch (const std::bad_alloc&) {
      return {KERNELFIT_NO_MEMORY, {}};
    } catch (const std::exception& bug) {
      return {KERNELFIT_BUG, bug.what()};
    } catch (...) {
      return {KERNELFIT_BUG, "an exception of no known kind"};
    }
  } catch (...) {
    return {KERNELFIT_NO_MEMORY, {}};  // there was not even enough for the message
  }
}

// A new handle with its Ending; NULL where memory ran out.
template <typename Handle, typename Work>
kernelfit_status make_handle(Handle** out, const Work& work) noexcept {
  if (out == nullptr) return KERNELFIT_BAD_ARGUMENT;
  *out = new (std::nothrow) Handle;
  if (*out == nullptr) return KERNELFIT_NO_MEMORY;
  (*out)->ending = guarded([&] { return work(**out); });
  return (*out)->ending.status;
}

template <typename Item>
const Item* item_at(const std::vector<Item>& items, std::size_t index) {
  return index < items.size() ? &items[index] : nullptr;
}

}  // namespace kernelfit::api

struct kernelfit_scan {
  kernelfit::api::Ending ending;
  std::shared_ptr<const kernelfit::api::Contents> contents;  // null: nothing was scanned
  kernelfit::api::LateText json;
};

struct kernelfit_verdict {
  kernelfit::ScanVerdict verdict;
  const kernelfit_file* file;
  std::string capability, used, reason;
};

struct kernelfit_answer {
  kernelfit::api::Ending ending;
  std::shared_ptr<const kernelfit::api::Contents> contents;  // null: nothing was judged
  kernelfit::ScanQuestion question;
  std::vector<kernelfit_verdict> verdicts;
  kernelfit::api::LateText json;
};

// NOLINTEND(readability-identifier-naming)
