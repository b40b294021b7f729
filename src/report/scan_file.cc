// SPDX-License-Identifier: Apache-2.0
// One scanned file for people.
#include <algorithm>
#include <set>

#include "base/text.h"
#include "base/visible.h"
#include "report/scan_parts.h"
#include "report/words.h"

namespace kernelfit::report {
namespace {

bool has_runnable(const ScanCounts& counts) {
  return !counts.sass.empty() || !counts.ptx.empty() || !counts.bare.empty() ||
         !counts.relocatable_ptx.empty();
}

// PTX of an 'a' or 'f' target is not for newer cards.
bool has_plain_ptx(const ScanCounts& counts) {
  const auto plain = [](const ImageCount& count) { return count.arch.suffix == 0; };
  return std::ranges::any_of(counts.ptx, plain) ||
         std::ranges::any_of(counts.relocatable_ptx, plain);
}

int newest_major(const ScanCounts& counts) {
  int major = 0;
  for (const auto* list : {&counts.sass, &counts.bare}) {
    for (const auto& count : *list) major = std::max(major, count.arch.capability().major);
  }
  return major;
}

std::string section_label(const SectionCounts& section) {
  return section.hidden ? visible(section.section) : std::string();
}

std::string counts_part(const FileScan& file, const std::vector<SectionCounts>& sections,
                        const ScanCounts& loose, const ScanAnswer& answer, const Style& style,
                        const Catalogue& say) {
  std::vector<std::pair<std::string, const ScanCounts*>> parts;
  ScanCounts named;
  for (const auto& container : file.containers) {
    const auto at = std::ranges::find(sections, container.section, &SectionCounts::section);
    const bool apart = container.section == "__nv_relfatbin" && !file.kind.ends_with("-object");
    if (!at->hidden) named.add(container, apart, answer.selection);
  }
  parts.emplace_back("", &named);
  for (const auto& section : sections) {
    if (section.hidden) parts.emplace_back(section_label(section), &section.counts);
  }
  parts.emplace_back("", &loose);
  if (answer.kernels) return kernel_table(parts, style, say);
  std::vector<GridRow> rows;
  for (const auto& [label, counts] : parts) {
    for (auto& row : count_rows(*counts, label, say)) rows.push_back(std::move(row));
  }
  // Machine code alone needs no label.
  if (rows.size() == 1 && rows[0].label == "SASS") rows[0].label.clear();
  return rows.empty() ? std::string() : grid(rows, 2, style);
}

std::string stub_note(const SectionCounts& section, const FileScan& file, const Catalogue& say) {
  const ImageCount& count = section.counts.sass[0];
  const auto lone = std::ranges::find(file.containers, section.section, &ScannedContainer::section);
  Fill values = {{"section", section.section}, {"arch", count.arch.text()}};
  if (count.kernels) return say("report.scan.note.stub", values);
  values.emplace_back("size", size_text(lone->images[0].entry.code_bytes));
  return say("report.scan.note.stub-likely", values);
}

std::string section_notes(const FileScan& file, const std::vector<SectionCounts>& sections,
                          const Style& style, const Catalogue& say) {
  std::string out;
  for (const auto& section : sections) {
    if (is_stub(section, file)) out += note_line(stub_note(section, file, say), style);
    if (!section.hidden || section.section.empty()) continue;
    out += note_line(
        say("report.scan.note.hidden", {{"count", std::to_string(section.counts.containers)},
                                        {"section", visible(section.section)}}),
        style);
  }
  return out;
}

std::string ptx_note(const FileScan& file, const ScanCounts& counts, const Knowledge& knowledge,
                     const Catalogue& say) {
  if (!has_plain_ptx(counts)) {
    const int major = newest_major(counts);
    if (major == 0 || is_for_a_linker(file)) return {};
    if (!file.problems.empty()) return {};  // it may be in what was not read
    if (!counts.ptx.empty() || !counts.relocatable_ptx.empty()) {
      return say("report.scan.note.own-ptx");
    }
    return say("report.scan.note.no-ptx", {{"major", std::to_string(major)}});
  }
  const int branch = branch_for_ptx(counts.ptx_isa, knowledge);
  const std::string isa = counts.ptx_isa.text();
  const DottedVersion driver = minimum_driver(file, knowledge);
  const auto* needed = driver.empty() ? nullptr : branch_of(driver, driver_os_of(file), knowledge);
  if (branch != 0 && needed != nullptr && needed->branch >= branch) return {};  // said with it
  if (branch == 0) return say("report.scan.note.ptx-unknown", {{"isa", isa}});
  return say("report.scan.note.ptx-driver", {{"isa", isa}, {"branch", std::to_string(branch)}});
}

std::string needs_note(const FileScan& file, const Knowledge& knowledge, const Catalogue& say) {
  const DottedVersion driver = minimum_driver(file, knowledge);
  const DottedVersion glibc = file.needs ? file.needs->glibc : DottedVersion();
  if (driver.empty()) {
    return glibc.empty() ? std::string() : say("report.scan.note.glibc", {{"glibc", glibc.text()}});
  }
  if (glibc.empty()) return say("report.scan.note.driver", {{"driver", driver.text()}});
  return say("report.scan.note.driver-glibc", {{"driver", driver.text()}, {"glibc", glibc.text()}});
}

void add_note(std::string& out, const std::string& text, const Style& style) {
  if (!text.empty()) out += note_line(text, style);
}

std::string claim_note(const FileScan& file, const ScanAnswer& answer, const Catalogue& say) {
  for (const auto& claim : torch_claims(answer.scan)) {
    if (claim.claims == &file && !claim.differs()) {
      return say("report.scan.claim", {{"claimed", arch_list_text(claim.claimed)}});
    }
    if (claim.claims != &file && claim.library != &file) continue;
    if (claim.differs()) {
      return say("report.scan.claim-differs", {{"claimed", arch_list_text(claim.claimed)},
                                               {"held", arch_list_text(claim.held)}});
    }
  }
  return {};
}

// "8.0 59   8.6 59": of the capabilities on which it runs, those that lack some of its kernels.
std::string missing_note(const FileScan& file, const ScanAnswer& answer, const Style& style,
                         const Catalogue& say) {
  if (!answer.kernels) return {};
  std::set<std::string_view> all;
  for (const auto& [arch, names] : file.kernel_names) all.insert(names.begin(), names.end());
  std::vector<std::string> parts;
  for (const auto& [capability, code] : shown_coverage(file, answer.knowledge, style)) {
    if (!runs(code.verdict)) continue;
    const CodeRule rule{capability, is_tegra(capability), false, toolkit_of(file)};
    const std::size_t missing = missing_kernels(file, rule).size();
    if (missing > 0) parts.push_back(capability.text() + ": " + std::to_string(missing));
  }
  if (parts.empty()) return {};
  return say("report.scan.note.missing",
             {{"all", std::to_string(all.size())}, {"missing", join(parts, "   ")}});
}

std::string notes_part(const FileScan& file, const std::vector<SectionCounts>& sections,
                       const ScanCounts& counts, const ScanAnswer& answer, const Style& style,
                       const Catalogue& say) {
  std::string out = section_notes(file, sections, style, say);
  if (has_runnable(counts)) {
    add_note(out, ptx_note(file, counts, answer.knowledge, say), style);
    add_note(out, needs_note(file, answer.knowledge, say), style);
  }
  if (!counts.lto.empty() && !has_runnable(counts)) {
    add_note(out, say("report.scan.note.lto"), style);
  }
  if (is_for_a_linker(file)) add_note(out, say("report.scan.note.for-linker"), style);
  if (!file.hip_targets.empty()) {
    add_note(out, say("report.scan.hip", {{"targets", visible(join(file.hip_targets, " "))}}),
             style);
  }
  const auto& loads = file.needs ? file.needs->needed : file.imports;
  if (style.verbose && !loads.empty()) {
    add_note(out, say("report.scan.note.loads", {{"names", visible(join(loads, " "))}}), style);
  }
  add_note(out, claim_note(file, answer, say), style);
  add_note(out, missing_note(file, answer, style, say), style);
  return out;
}

std::string kernel_lines(const FileScan& file, const ScanAnswer& answer, const Style& style) {
  if (!answer.kernels || !style.verbose) return {};
  std::string out;
  for (const auto& [arch, names] : file.kernel_names) {
    if (!answer.selection.takes(arch)) continue;
    out += "  " + arch.text() + "\n";
    for (const auto& name : shown_names(names, answer.demangle)) {
      out += "    " + visible(name) + "\n";
    }
  }
  return out;
}

}  // namespace

std::string scan_file_block(const FileScan& file, const ScanAnswer& answer, const Style& style,
                            const Catalogue& say) {
  const auto sections = count_sections(file, answer.selection);
  const ScanCounts all = count_images(file);
  FileScan without;  // cubins and PTX that lie in no container
  without.bare = file.bare;
  without.ptx_texts = file.ptx_texts;
  without.kernel_names = file.kernel_names;
  const ScanCounts loose = count_images(without, answer.selection);
  std::string out;
  if (!style.quiet) {
    out += counts_part(file, sections, loose, answer, style, say);
    out += notes_part(file, sections, all, answer, style, say);
    out += kernel_lines(file, answer, style);
  }
  if (const auto unselected = nothing_selected(file, answer.selection)) {
    out += note_line(text_of(*unselected, say), style);
  }
  for (const auto& problem : file.problems) {
    out += paragraph({say("report.scan.problem"), Ink::doubt}, problem_text(file, problem, style),
                     2, 2, style);
  }
  const bool none = all.empty() && file.hip_targets.empty();
  if (none && !file.unreadable && file.torch_arch_flags.empty()) {
    out += note_line(say(no_code_key(file)), style);
  }
  if (!has_runnable(all)) return out;
  return out + coverage_lines(shown_coverage(file, answer.knowledge, style), style, say);
}

}  // namespace kernelfit::report
