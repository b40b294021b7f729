// SPDX-License-Identifier: Apache-2.0
// `scan` for people: one block per file, the cards it runs on last.
#include <algorithm>
#include <array>

#include "base/text.h"
#include "judge/card.h"
#include "report/scan_json.h"
#include "report/words.h"

namespace kernelfit::report {
namespace {

// The capabilities that people have most; the others are shown with --verbose.
constexpr std::array kCommon = {"5.0", "5.2", "6.0", "6.1",  "7.0",  "7.5",  "8.0",  "8.6",
                                "8.7", "8.9", "9.0", "10.0", "10.3", "11.0", "12.0", "12.1"};

std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t kKilo = 1000, kMega = kKilo * kKilo;
  if (bytes >= kMega) return std::to_string((bytes + kMega / 2) / kMega) + " MB";
  if (bytes >= kKilo) return std::to_string((bytes + kKilo / 2) / kKilo) + " kB";
  return std::to_string(bytes) + " B";
}

std::string name_of(const FileScan& file, const Style& style) {
  if (file.member.empty()) return short_path(file.path, style);
  return file.member;
}

std::string count_text(const ImageCount& count) {
  std::string out = count.arch.text() + " " + std::to_string(count.images);
  if (count.kernels) out += " (" + std::to_string(*count.kernels) + ")";
  return out;
}

std::string counts_text(const std::vector<ImageCount>& counts) {
  std::vector<std::string> parts;
  for (const auto& count : counts) parts.push_back(count_text(count));
  return join(parts, "   ");
}

void add_line(std::string& out, std::string_view text, const Style& style) {
  for (const auto& line : wrap(text, std::max(20, style.columns - 2))) out += "  " + line + "\n";
}

void add_labelled(std::string& out, const std::string& key, const std::vector<ImageCount>& counts,
                  const Style& style, const Catalogue& say) {
  if (counts.empty()) return;
  add_line(out, say(key, {{"images", counts_text(counts)}}), style);
}

std::string head_line(const FileScan& file, const ScanCounts& counts, const Style& style,
                      const Catalogue& say) {
  std::string out = paint(name_of(file, style), Ink::strong, style);
  out += "   " + size_text(file.size_bytes);
  const DottedVersion cuda = toolkit_of(file);
  if (!cuda.empty()) out += "   CUDA " + cuda.text();
  if (!counts.compression.empty() && counts.compression != "none") {
    out += "   " + counts.compression;
  }
  if (file.unreadable) out += "   " + say("report.scan.unreadable");
  return out + "\n";
}

bool is_common(const ComputeCapability& capability) {
  return std::ranges::find(kCommon, capability.text()) != kCommon.end();
}

void add_coverage(std::string& out, const std::vector<Covered>& covered, const Style& style,
                  const Catalogue& say) {
  std::vector<std::string> native, jit, partial, none;
  for (const auto& [capability, code] : covered) {
    if (!style.verbose && !is_common(capability)) continue;
    std::vector<std::string>* into = nullptr;
    if (code.verdict == Verdict::native) into = &native;
    if (code.verdict == Verdict::ptx_jit) into = &jit;
    if (code.verdict == Verdict::partial) into = &partial;
    if (code.verdict == Verdict::no_code) into = &none;
    if (into) into->push_back(capability.text());
  }
  const auto say_list = [&](const char* key, const std::vector<std::string>& list) {
    if (!list.empty()) out += say(key, {{"capabilities", join(list, " ")}}) + "\n";
  };
  say_list("report.scan.native", native);
  say_list("report.scan.ptx", jit);
  say_list("report.scan.partial", partial);
  say_list("report.scan.none", none);
}

bool has_runnable(const ScanCounts& counts) {
  return !counts.sass.empty() || !counts.ptx.empty() || !counts.bare.empty() ||
         !counts.relocatable_ptx.empty();
}

void add_file(std::string& out, const FileScan& file, const ScanAnswer& answer, const Style& style,
              const Catalogue& say) {
  const ScanCounts counts = count_images(file);
  out += head_line(file, counts, style, say);
  if (!counts.sass.empty()) add_line(out, counts_text(counts.sass), style);
  if (!counts.ptx.empty()) {
    add_line(out,
             say("report.scan.ptx-images",
                 {{"images", counts_text(counts.ptx)}, {"isa", counts.ptx_isa.text()}}),
             style);
  }
  add_labelled(out, "report.scan.lto-images", counts.lto, style, say);
  add_labelled(out, "report.scan.bare-images", counts.bare, style, say);
  add_labelled(out, "report.scan.relocatable-sass", counts.relocatable_sass, style, say);
  add_labelled(out, "report.scan.relocatable-ptx", counts.relocatable_ptx, style, say);
  if (!file.hip_targets.empty()) {
    add_line(out, say("report.scan.hip", {{"targets", join(file.hip_targets, " ")}}), style);
  }
  for (const auto& problem : file.problems) add_line(out, problem, style);
  if (!file.has_gpu_code() && !file.unreadable) add_line(out, say("report.scan.no-code"), style);
  if (has_runnable(counts)) {
    add_coverage(out, coverage({binary_images(file)}, toolkit_of(file), answer.knowledge), style,
                 say);
  }
  if (!answer.kernels) return;
  for (const auto& [arch, names] : file.kernel_names) {
    for (const auto& name : names) out += "  " + arch.text() + "  " + printable(name) + "\n";
  }
}

std::string archs_text(const ScanReport& scan) {
  ScanCounts counts;
  for (const auto& file : scan.files) counts.add(file);
  std::vector<std::string> archs;
  for (const auto* list : {&counts.sass, &counts.ptx, &counts.bare}) {
    for (const auto& count : *list) {
      if (std::ranges::find(archs, count.arch.text()) == archs.end()) {
        archs.push_back(count.arch.text());
      }
    }
  }
  return archs.empty() ? std::string() : join(archs, " ") + "\n";
}

void add_verdicts(std::string& out, const ScanAnswer& answer, const Style& style,
                  const Catalogue& say) {
  std::vector<Row> rows;
  for (const auto& verdict : answer.verdicts) {
    const std::string file = verdict.member.empty() ? verdict.path : verdict.member;
    rows.push_back({{verdict.card.label},
                    {file},
                    mark_of(verdict.verdict, style, say),
                    {verdict_text(verdict.verdict, say)}});
  }
  if (!rows.empty()) out += "\n" + lay_out(rows, {}, style);
}

}  // namespace

std::string scan_terminal(const ScanAnswer& answer, const Style& style, const Catalogue& say) {
  if (answer.archs_only) return archs_text(answer.scan);
  std::string out;
  std::string path;
  for (const auto& file : answer.scan.files) {
    if (!out.empty()) out += "\n";
    if (!file.member.empty() && file.path != path) {
      path = file.path;
      out += paint(short_path(path, style), Ink::dim, style) + "\n";
    }
    add_file(out, file, answer, style, say);
  }
  for (const auto& problem : answer.scan.problems) add_line(out, problem, style);
  if (answer.scan.files.empty()) {
    out += say("report.scan.nothing", {{"count", std::to_string(answer.scan.files_seen)}}) + "\n";
  }
  add_verdicts(out, answer, style, say);
  return out;
}

}  // namespace kernelfit::report

namespace kernelfit {

std::string render_scan(const ScanAnswer& answer, const Style& style, const Catalogue& say) {
  if (style.format == Format::json) return report::scan_json(answer, say);
  return report::scan_terminal(answer, style, say);
}

}  // namespace kernelfit
