// SPDX-License-Identifier: Apache-2.0
// `scan` for people: few files as blocks, many as a table; totals and verdicts last.
#include <algorithm>
#include <map>
#include <optional>
#include <span>

#include "base/text.h"
#include "base/visible.h"
#include "judge/card.h"
#include "report/scan_parts.h"
#include "report/words.h"

namespace kernelfit::report {
namespace {

constexpr std::size_t kFewFiles = 3;

// A library that only says what torch claims is a part of torch, not a finding of its own.
bool is_shown(const FileScan& file, const ScanAnswer& answer) {
  const bool only_claims = !file.has_gpu_code() && file.problems.empty() &&
                           !file.torch_arch_flags.empty() && answer.scan.files.size() > 1;
  return !only_claims;
}

std::vector<const FileScan*> shown_files(const ScanAnswer& answer) {
  std::vector<const FileScan*> out;
  for (const auto& file : answer.scan.files) {
    if (is_shown(file, answer)) out.push_back(&file);
  }
  return out;
}

std::string head_line(const FileScan& file, const ScanCounts& counts, const Style& style,
                      const Catalogue& say) {
  std::string out = paint(file_name(file, style), Ink::strong, style);
  if (file.unreadable) return out + "   " + say("report.scan.unreadable") + "\n";
  out += "   " + size_text(file.size_bytes);
  for (const auto& part : {cuda_text(file), compression_text(counts)}) {
    if (!part.empty()) out += "   " + part;
  }
  return out + "\n";
}

std::string blocks(const std::vector<const FileScan*>& files, const ScanAnswer& answer,
                   const Style& style, const Catalogue& say) {
  std::string out, path;
  for (const FileScan* file : files) {
    if (!out.empty()) out += "\n";
    if (!file->member.empty() && file->path != path) {
      path = file->path;
      out += paint(visible(short_path(path, style)), Ink::dim, style) + "\n";
    }
    if (style.quiet) {
      out += paint(file_name(*file, style), Ink::strong, style) + "\n";
    } else {
      out += head_line(*file, count_images(*file), style, say);
    }
    out += scan_file_block(*file, answer, style, say);
  }
  return out;
}

std::string runs_cell(const FileScan& file, const ScanAnswer& answer, const Style& style,
                      const Catalogue& say) {
  if (file.unreadable) return say("report.scan.unreadable");
  const CoverageLists lists = coverage_lists(shown_coverage(file, answer.knowledge, style));
  std::vector<std::string> parts;
  if (!lists.native.empty()) parts.push_back(join(lists.native, " "));
  if (!lists.jit.empty()) {
    parts.push_back(say("report.scan.table.ptx", {{"capabilities", join(lists.jit, " ")}}));
  }
  if (!lists.partial.empty()) {
    parts.push_back(say("report.scan.table.partial", {{"capabilities", join(lists.partial, " ")}}));
  }
  if (!parts.empty()) return join(parts, "   ");
  if (!file.hip_targets.empty()) return say("report.scan.table.hip");
  return count_images(file).empty() ? say(no_code_key(file)) : say("report.scan.table.nothing");
}

std::string table(const std::vector<const FileScan*>& files, const ScanAnswer& answer,
                  const Style& style, const Catalogue& say) {
  std::vector<Row> rows = {{{say("report.scan.column.file"), Ink::dim},
                            {say("report.scan.column.size"), Ink::dim},
                            {say("report.scan.column.runs"), Ink::dim}}};
  std::map<std::string, std::vector<const FileScan*>> archives;  // "": files of their own
  for (const FileScan* file : files) {
    archives[file->member.empty() ? std::string() : file->path].push_back(file);
  }
  std::optional<ShortNames> names;
  std::string out, path;
  const auto flush = [&] {
    if (rows.size() > 1) out += lay_out(rows, {.indent = 2, .gap = 3, .hang = 2}, style);
    rows.resize(1);
  };
  for (const FileScan* file : files) {
    const std::string archive = file->member.empty() ? std::string() : file->path;
    if (archive != path) {
      flush();
      path = archive;
      names.reset();
      if (!out.empty()) out += "\n";
      if (!path.empty()) out += paint(visible(short_path(path, style)), Ink::dim, style) + "\n";
    }
    if (!names) names.emplace(archives[archive], style);
    rows.push_back({{names->name(*file)},
                    {size_text(file->size_bytes)},
                    {runs_cell(*file, answer, style, say)}});
  }
  flush();
  return out;
}

std::string problem_lines(const std::vector<const FileScan*>& files, const ScanAnswer& answer,
                          const Style& style, const Catalogue& say) {
  std::string out;
  const Cell label{say("report.scan.problem"), Ink::doubt};
  for (const FileScan* file : files) {
    for (const auto& problem : file->problems) {
      out += paragraph(label, problem_text(*file, problem, style), 2, 2, style);
    }
  }
  for (const auto& problem : answer.scan.problems) {
    out += paragraph(label, visible(problem.line()), 2, 2, style);
  }
  return out;
}

std::string sources(const ScanAnswer& answer, const Style& style, const Catalogue& say) {
  std::string out;
  for (const auto& line : source_lines(answer, style, say)) {
    out += paragraph({}, line.text, line.indent, 2, style);
  }
  const bool more = !answer.scan.files.empty() || !answer.scan.problems.empty();
  return out.empty() || !more ? out : out + "\n";
}

// On which cards everything runs, on which only some of it.
std::string together(const std::vector<const FileScan*>& files, const ScanAnswer& answer,
                     const Style& style, const Catalogue& say) {
  std::map<ComputeCapability, std::size_t> running;
  std::size_t judged = 0;
  for (const FileScan* file : files) {
    const auto covered = common_coverage(*file, answer.knowledge, style);
    const bool known = std::ranges::any_of(
        covered, [](const auto& one) { return one.code.verdict != Verdict::unknown; });
    if (!known) continue;
    ++judged;
    for (const auto& [capability, code] : covered) {
      running[capability] += runs(code.verdict) ? 1 : 0;
    }
  }
  std::vector<std::string> all, some, none;
  for (const auto& [capability, count] : running) {
    (count == judged ? all : count > 0 ? some : none).push_back(capability.text());
  }
  std::string out;
  const auto add = [&](const char* key, const std::vector<std::string>& list) {
    if (list.empty()) return;
    out += paragraph({}, say(key, {{"capabilities", join(list, " ")}}), 0, 0, style);
  };
  const bool whole = read_whole(answer.scan);
  add(whole ? "report.scan.all-run" : "report.scan.all-read-run", all);
  add("report.scan.some-run", some);
  if (whole) add("report.scan.none-run", none);
  return out;
}

std::string totals(const std::vector<const FileScan*>& files, const ScanAnswer& answer,
                   const Style& style, const Catalogue& say) {
  ScanCounts counts;
  std::uint64_t bytes = 0;
  std::size_t with_code = 0;
  for (const FileScan* file : files) {
    const std::int64_t before = counts.images();
    counts.add(*file, answer.selection);
    if (counts.images() == before) continue;
    ++with_code;
    bytes += file->size_bytes;
  }
  std::string out = "\n" +
                    say("report.scan.totals", {{"files", std::to_string(with_code)},
                                               {"size", size_text(bytes)},
                                               {"images", std::to_string(counts.images())}}) +
                    "\n";
  if (answer.kernels) return out + kernel_table({{"", &counts}}, style, say);
  const auto rows = count_rows(counts, "", say);
  return rows.empty() ? out : out + grid(rows, 2, style);
}

std::string many(const std::vector<const FileScan*>& files, const ScanAnswer& answer,
                 const Style& style, const Catalogue& say) {
  std::string out = table(files, answer, style, say);
  if (style.verbose) return out + "\n" + blocks(files, answer, style, say);
  const std::string problems = problem_lines(files, answer, style, say);
  return problems.empty() ? out : out + "\n" + problems;
}

std::string extracted_part(const Extracted& extracted, const Style& style, const Catalogue& say) {
  const std::string folder = visible(short_path(extracted.folder, style));
  std::string out;
  for (const auto& problem : extracted.problems) {
    out += paragraph({say("report.scan.problem"), Ink::doubt}, visible(problem), 0, 2, style);
  }
  if (extracted.obfuscated > 0) {
    out += paragraph(
        {},
        say("report.scan.extract.obfuscated", {{"count", std::to_string(extracted.obfuscated)}}), 0,
        0, style);
  }
  if (!extracted.same.empty()) {
    out += paragraph({},
                     say("report.scan.extract.same",
                         {{"count", std::to_string(extracted.same.size())}, {"folder", folder}}),
                     0, 0, style);
  }
  out += paragraph({},
                   say("report.scan.extract.written",
                       {{"count", std::to_string(extracted.written.size())},
                        {"size", size_text(static_cast<std::uint64_t>(extracted.bytes))},
                        {"folder", folder}}),
                   0, 0, style);
  return "\n" + out;
}

// The name is sold with several chips: chip and ids tell which this one is.
bool is_one_of_several(const ScanVerdict& verdict, const ScanAnswer& answer) {
  return std::ranges::any_of(answer.verdicts, [&](const ScanVerdict& other) {
    return other.gpu == verdict.gpu && !verdict.card.pci_ids.empty() &&
           other.card.pci_ids != verdict.card.pci_ids;
  });
}

// "GeForce RTX 3090   compute capability 8.6   driver 535.183.01": what was asked about.
std::string card_line(const ScanVerdict& verdict, const ScanAnswer& answer, const Style& style,
                      const Catalogue& say) {
  std::vector<std::string> parts;
  // A card that was named by its capability alone is called so in every language.
  if (!verdict.card.label.starts_with("compute capability")) {
    parts.push_back(paint(verdict.card.label, Ink::strong, style));
  }
  parts.push_back(
      say("report.scan.capability", {{"capability", capability_text(verdict.card, say)}}));
  if (is_one_of_several(verdict, answer)) {
    parts.push_back(
        paint(verdict.card.chip + " " + join(verdict.card.pci_ids, " "), Ink::dim, style));
  }
  if (!answer.driver.empty()) {
    parts.push_back(say("report.driver.version", {{"version", answer.driver.text()}}));
  }
  return join(parts, "   ") + "\n";
}

Row verdict_row(const ScanVerdict& one, const ShortNames& names, const ScanAnswer& answer,
                const Style& style, const Catalogue& say) {
  const Verdict verdict = one.answer.verdict;
  std::string words = verdict_text(verdict, say);
  const std::string reason = run_reason(one, answer.knowledge, say);
  if (!reason.empty()) {
    words = say("report.scan.run.line", {{"verdict", words}, {"reason", reason}});
  }
  return {mark_of(verdict, style, say), {names.name(*one.file)}, {words}};
}

bool same_card(const ScanVerdict& a, const ScanVerdict& b) {
  return a.gpu == b.gpu && a.card.label == b.card.label &&
         a.card.capability.value_or({}) == b.card.capability.value_or({});
}

// Of many files only those that do not run are named, and how many do.
std::string card_part(std::span<const ScanVerdict> verdicts, const ScanAnswer& answer,
                      const Style& style, const Catalogue& say) {
  constexpr std::size_t kMany = 8;
  const bool all_named = verdicts.size() <= kMany || style.verbose;
  const ShortNames names(shown_files(answer), style);
  std::vector<Row> rows;
  std::size_t running = 0;
  for (const auto& one : verdicts) {
    const bool fits = runs(one.answer.verdict);
    running += fits ? 1U : 0U;
    if (all_named || !fits) rows.push_back(verdict_row(one, names, answer, style, say));
  }
  std::string out = "\n" + card_line(verdicts.front(), answer, style, say);
  out += lay_out(rows, {.indent = 2, .gap = 3, .hang = 2}, style);
  if (verdicts.size() == 1) return out;
  return out +
         say("report.scan.run.sum",
             {{"running", std::to_string(running)}, {"all", std::to_string(verdicts.size())}}) +
         "\n";
}

std::string verdicts_part(const ScanAnswer& answer, const Style& style, const Catalogue& say) {
  std::string out;
  // Nothing here can be judged: AMD code, or nothing at all.
  for (const auto& gpu : answer.verdicts.empty() ? answer.gpus : std::vector<std::string>()) {
    out +=
        (out.empty() ? "\n" : "") + say("report.scan.missing.card", {{"gpu", visible(gpu)}}) + "\n";
  }
  const std::span<const ScanVerdict> all(answer.verdicts);
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && same_card(all[begin], all[end])) ++end;
    out += card_part(all.subspan(begin, end - begin), answer, style, say);
  }
  return out;
}

}  // namespace

std::string scan_archs(const ScanAnswer& answer) {
  ScanCounts counts;
  for (const auto& file : answer.scan.files) counts.add(file, answer.selection);
  std::vector<GpuArch> archs;
  for (const auto* list : {&counts.sass, &counts.ptx, &counts.bare, &counts.relocatable_ptx}) {
    for (const auto& count : *list) archs.push_back(count.arch);
  }
  std::ranges::sort(archs);
  archs.erase(std::unique(archs.begin(), archs.end()), archs.end());
  return archs.empty() ? std::string() : arch_list_text(archs) + "\n";
}

std::string scan_terminal(const ScanAnswer& answer, const Style& style, const Catalogue& say) {
  const auto files = shown_files(answer);
  const bool few = files.size() <= kFewFiles;
  std::string out = style.quiet ? std::string() : sources(answer, style, say);
  const bool read_all = std::ranges::all_of(answer.scan.remote, &RemoteScan::whole);
  out += few ? blocks(files, answer, style, say) : many(files, answer, style, say);
  if (few) out += problem_lines({}, answer, style, say);
  const auto none = nothing_selected(answer.scan, answer.selection);
  if (none && !few) out += paragraph({}, text_of(*none, say), 0, 0, style);
  for (const auto& glob : answer.unmatched) {
    out += paragraph({}, say("cli.error.scan-member", {{"value", visible(glob)}}), 0, 0, style);
  }
  if (files.empty() && read_all && answer.unmatched.empty()) {
    const std::string seen = std::to_string(answer.scan.files_seen);
    out += say(read_whole(answer.scan) ? "report.scan.nothing" : "report.scan.nothing-read",
               {{"count", seen}}) +
           "\n";
  }
  if (!few && !style.quiet) out += totals(files, answer, style, say);
  if (files.size() > 1)
    out += (few || style.quiet ? "\n" : "") + together(files, answer, style, say);
  if (answer.extracted) out += extracted_part(*answer.extracted, style, say);
  return out + verdicts_part(answer, style, say);
}

}  // namespace kernelfit::report

namespace kernelfit {

std::string render_scan(const ScanAnswer& answer, const Style& style, const Catalogue& say) {
  if (style.format == Format::json) return report::scan_json(answer, say);
  if (answer.archs_only) return report::scan_archs(answer);
  if (style.format == Format::markdown) return report::scan_markdown(answer, style, say);
  return report::scan_terminal(answer, style, say);
}

}  // namespace kernelfit
