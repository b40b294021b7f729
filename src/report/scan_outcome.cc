// SPDX-License-Identifier: Apache-2.0
// What an answer to `scan` amounts to, and what it leaves open.
#include <algorithm>
#include <set>

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
  note("report.scan.missing.archives",
       std::ranges::count(answer.scan.problems, false, &PlaceProblem::all_read));
  for (const auto& remote : answer.scan.remote) {
    if (!remote.whole) out.push_back({"report.scan.missing.remote", {{"url", remote.url}}});
  }
  for (const auto& glob : answer.unmatched) {
    out.push_back({"cli.error.scan-member", {{"value", glob}}});
  }
  if (answer.extracted) note("report.scan.missing.extracted", answer.extracted->failed);
  for (const auto& gpu : answer.gpus) {
    if (fit_of(gpu, answer.verdicts) != CardFit::undecided) continue;
    out.push_back({"report.scan.missing.card", {{"gpu", gpu}}});
  }
  return out;
}

Said none_of(const ScanCounts& all) {
  std::set<GpuArch> archs;
  for (const auto* list :
       {&all.sass, &all.ptx, &all.lto, &all.relocatable_sass, &all.relocatable_ptx, &all.bare}) {
    for (const auto& count : *list) archs.insert(count.arch);
  }
  return {"report.scan.none-selected", {{"archs", arch_list_text({archs.begin(), archs.end()})}}};
}

}  // namespace

bool nothing_read(const ScanReport& scan) {
  return !scan.files.empty() && std::ranges::all_of(scan.files, &FileScan::unreadable);
}

bool read_whole(const ScanReport& scan) {
  const auto is_whole = [](const FileScan& file) { return file.problems.empty(); };
  return std::ranges::all_of(scan.problems, &PlaceProblem::all_read) &&
         std::ranges::all_of(scan.files, is_whole);
}

std::optional<Said> nothing_selected(const FileScan& file, const Selection& selection) {
  ScanCounts all;
  all.add(file);
  if (!selection.of_images() || all.empty() || !count_images(file, selection).empty()) return {};
  return none_of(all);
}

std::optional<Said> nothing_selected(const ScanReport& scan, const Selection& selection) {
  ScanCounts all, selected;
  for (const auto& file : scan.files) {
    all.add(file);
    selected.add(file, selection);
  }
  if (!selection.of_images() || all.empty() || !selected.empty()) return {};
  return none_of(all);
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
