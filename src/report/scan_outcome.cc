// SPDX-License-Identifier: Apache-2.0
// What an answer to `scan` amounts to, and what it leaves open.
#include <algorithm>

#include "report/scan.h"

namespace kernelfit {
namespace {

bool is_faulty(const FileScan& file) {
  return !file.unreadable && !file.problems.empty();
}

std::vector<Said> missing_of(const ScanAnswer& answer) {
  std::vector<Said> out;
  const auto note = [&](const char* key, auto count) {
    if (count != 0) out.push_back({key, {{"count", std::to_string(count)}}});
  };
  const auto& files = answer.scan.files;
  note("report.scan.missing.unreadable", std::ranges::count_if(files, &FileScan::unreadable));
  note("report.scan.missing.faulty", std::ranges::count_if(files, is_faulty));
  note("report.scan.missing.archives", answer.scan.problems.size());
  for (const auto& remote : answer.scan.remote) {
    if (!remote.whole) out.push_back({"report.scan.missing.remote", {{"url", remote.url}}});
  }
  if (answer.extracted) note("report.scan.missing.extracted", answer.extracted->failed);
  for (const auto& gpu : answer.gpus) {
    if (fit_of(gpu, answer.verdicts) != CardFit::undecided) continue;
    out.push_back({"report.scan.missing.card", {{"gpu", gpu}}});
  }
  return out;
}

}  // namespace

bool nothing_read(const ScanReport& scan) {
  return !scan.files.empty() && std::ranges::all_of(scan.files, &FileScan::unreadable);
}

bool read_whole(const ScanReport& scan) {
  const auto is_whole = [](const FileScan& file) { return file.problems.empty(); };
  return scan.problems.empty() && std::ranges::all_of(scan.files, is_whole);
}

ScanOutcome conclude(ScanAnswer& answer) {
  answer.remarks.missing = missing_of(answer);
  answer.remarks.incomplete = !answer.remarks.missing.empty();
  if (nothing_read(answer.scan)) return ScanOutcome::no_answer;
  const bool misfit = std::ranges::any_of(answer.gpus, [&](const auto& gpu) {
    return fit_of(gpu, answer.verdicts) == CardFit::does_not_fit;
  });
  if (misfit) return ScanOutcome::does_not_fit;
  return answer.remarks.incomplete ? ScanOutcome::in_part : ScanOutcome::fits;
}

}  // namespace kernelfit
