// SPDX-License-Identifier: Apache-2.0
// kernelfit scan: which GPU code is inside files, folders, archives, environments.
#include <algorithm>

#include "cli/context.h"
#include "cli/exit_status.h"
#include "cli/what_if.h"
#include "judge/card.h"
#include "report/scan.h"

namespace kernelfit::cli {
namespace {

std::vector<ScanVerdict> judge_files(const ScanReport& scan, const Context& context) {
  std::vector<ScanVerdict> out;
  for (const auto& text : context.args.values("gpu")) {
    const auto gpu = gpu_from_text(text, context.knowledge);
    if (!gpu) continue;  // read_what_if refused it already
    const Card card = identify(*gpu, context.knowledge);
    for (const auto& file : scan.files) {
      if (!file.has_gpu_code()) continue;
      const CodeVerdict code = code_for({binary_images(file)}, code_rule(card, file.toolkit));
      out.push_back({text, card, file.path, file.member, code.verdict});
    }
  }
  return out;
}

int status_of(const ScanReport& scan, const std::vector<ScanVerdict>& verdicts) {
  const bool nothing_read =
      !scan.files.empty() && std::ranges::all_of(scan.files, &FileScan::unreadable);
  if (nothing_read) return kNoAnswer;
  if (std::ranges::any_of(verdicts, [](const auto& v) { return !runs(v.verdict); })) {
    return kDoesNotFit;
  }
  const bool in_part = !scan.problems.empty() || std::ranges::any_of(scan.files, [](const auto& f) {
    return !f.problems.empty();
  });
  return in_part ? kInPart : kFits;
}

}  // namespace

Outcome cmd_scan(const Context& context) {
  const Args& args = context.args;
  if (args.words.empty()) return usage(context, {"cli.error.scan-what", {}});
  for (const auto& text : args.values("gpu")) {
    if (auto gpu = gpu_from_text(text, context.knowledge); !gpu) {
      return usage(context, {"cli.error.gpu", {{"value", text}, {"problem", gpu.error().text()}}});
    }
  }
  ScanOptions options;
  options.kernels = args.has("kernels");
  options.sections_only = args.has("sections");
  const ScanReport scan = scan_paths(context.here, args.words, options);
  ScanAnswer answer{
      scan, context.knowledge, judge_files(scan, context), args.has("kernels"), args.has("archs"),
      {}};
  const int status = status_of(scan, answer.verdicts);
  answer.remarks.incomplete = status == kInPart || status == kNoAnswer;
  return {.status = status, .text = render_scan(answer, context.style, context.say), .problem = {}};
}

}  // namespace kernelfit::cli
