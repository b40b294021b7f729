// SPDX-License-Identifier: Apache-2.0
#include "report/scan_parts.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/visible.h"
#include "report/words.h"

namespace kernelfit::report {
namespace {

constexpr std::array kCommon = {"5.0", "5.2", "6.0", "6.1",  "7.0",  "7.5",  "8.0",  "8.6",
                                "8.7", "8.9", "9.0", "10.0", "10.3", "11.0", "12.0", "12.1"};
constexpr int kGap = 3;

bool is_common(const ComputeCapability& capability) {
  return std::ranges::find(kCommon, capability.text()) != kCommon.end();
}

int widest(const std::vector<std::string>& texts) {
  int width = 0;
  for (const auto& text : texts) width = std::max(width, display_width(text));
  return width;
}

std::vector<std::string> cells_of(const std::vector<ImageCount>& counts) {
  std::vector<std::string> cells;
  for (const auto& count : counts) {
    cells.push_back(count.arch.text() + " " + std::to_string(count.images));
  }
  return cells;
}

// What a count is called, in the order of reports.
struct Group {
  std::string label;
  const std::vector<ImageCount>* counts;
};
std::vector<Group> groups_of(const ScanCounts& counts, const std::string& section,
                             const Catalogue& say) {
  const auto label = [&](const std::string& text) {
    return section.empty() ? text : section + " " + text;
  };
  const std::string ptx = counts.ptx_isa.empty() ? "PTX" : "PTX " + counts.ptx_isa.text();
  return {{label("SASS"), &counts.sass},
          {label(ptx), &counts.ptx},
          {label("LTO-IR"), &counts.lto},
          {label(say("report.scan.label.bare")), &counts.bare},
          {label(say("report.scan.label.relocatable-sass")), &counts.relocatable_sass},
          {label(say("report.scan.label.relocatable-ptx")), &counts.relocatable_ptx}};
}

std::string number_text(const std::optional<std::int64_t>& number) {
  return number ? std::to_string(*number) : "-";
}

std::string padded_left(const std::string& text, int width) {
  const int missing = width - display_width(text);
  return std::string(static_cast<std::size_t>(std::max(0, missing)), ' ') + text;
}

}  // namespace

std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t kKilo = 1000, kMega = kKilo * kKilo, kGiga = kKilo * kMega;
  if (bytes >= 10 * kGiga) return std::to_string((bytes + kGiga / 2) / kGiga) + " GB";
  if (bytes >= kMega) return std::to_string((bytes + kMega / 2) / kMega) + " MB";
  if (bytes >= kKilo) return std::to_string((bytes + kKilo / 2) / kKilo) + " kB";
  return std::to_string(bytes) + " B";
}

std::string file_name(const FileScan& file, const Style& style) {
  const std::string name = file.member.empty() ? short_path(file.path, style) : file.member;
  return visible(name);
}

std::string cuda_text(const FileScan& file) {
  const DottedVersion cuda = toolkit_of(file);
  return cuda.empty() ? std::string() : "CUDA " + cuda.text();
}

// What is stored as it is needs no word beside what is compressed.
std::string compression_text(const ScanCounts& counts) {
  std::vector<std::string> words;
  for (auto word : split_words(counts.compression)) {
    if (word != "none") words.emplace_back(word);
  }
  std::ranges::sort(words);
  return join(words, " ");
}

std::vector<Covered> read_coverage(const FileScan& file, const Knowledge& knowledge) {
  auto covered = coverage({binary_images(file)}, toolkit_of(file), knowledge);
  if (!file.problems.empty()) {
    std::erase_if(covered, [](const auto& one) { return one.code.verdict == Verdict::no_code; });
  }
  return covered;
}

std::vector<Covered> common_coverage(const FileScan& file, const Knowledge& knowledge,
                                     const Style& style) {
  auto covered = read_coverage(file, knowledge);
  if (!style.verbose) {
    std::erase_if(covered, [](const auto& one) { return !is_common(one.capability); });
  }
  return covered;
}

std::vector<Covered> shown_coverage(const FileScan& file, const Knowledge& knowledge,
                                    const Style& style) {
  const auto is_running = [](const Covered& one) { return runs(one.code.verdict); };
  auto covered = common_coverage(file, knowledge, style);
  if (std::ranges::any_of(covered, is_running)) return covered;
  auto all = read_coverage(file, knowledge);
  std::erase_if(all,
                [&](const auto& one) { return !is_common(one.capability) && !is_running(one); });
  return style.verbose ? covered : all;
}

CoverageLists coverage_lists(const std::vector<Covered>& covered) {
  CoverageLists out;
  for (const auto& [capability, code] : covered) {
    if (code.verdict == Verdict::native) out.native.push_back(capability.text());
    if (code.verdict == Verdict::ptx_jit) out.jit.push_back(capability.text());
    if (code.verdict == Verdict::partial) out.partial.push_back(capability.text());
    if (code.verdict == Verdict::no_code) out.none.push_back(capability.text());
  }
  return out;
}

std::string coverage_lines(const std::vector<Covered>& covered, const Style& style,
                           const Catalogue& say) {
  const CoverageLists lists = coverage_lists(covered);
  std::vector<std::string> parts;
  const auto add = [&](const char* key, const std::vector<std::string>& list) {
    if (!list.empty()) parts.push_back(say(key, {{"capabilities", join(list, " ")}}));
  };
  add("report.scan.native", lists.native);
  add("report.scan.ptx", lists.jit);
  add("report.scan.partial", lists.partial);
  add("report.scan.none", lists.none);
  const std::string line = join(parts, "   ");
  if (display_width(line) <= style.columns) return line.empty() ? line : line + "\n";
  std::string out;
  for (const auto& part : parts) out += paragraph({}, part, 0, 0, style);
  return out;
}

std::string grid(const std::vector<GridRow>& rows, int indent, const Style& style) {
  int label_width = 0, cell_width = 0;
  for (const auto& row : rows) {
    label_width = std::max(label_width, display_width(row.label));
    cell_width = std::max(cell_width, widest(row.cells));
  }
  const int start = indent + (label_width > 0 ? label_width + kGap : 0);
  const int step = cell_width + kGap;
  const int per_line = std::max(1, (style.columns - start + kGap) / step);
  std::string out;
  for (const auto& row : rows) {
    std::string line = std::string(static_cast<std::size_t>(indent), ' ') + row.label;
    int on_line = 0;
    for (const auto& cell : row.cells) {
      if (on_line == per_line) {
        out += line + "\n";
        line.clear();
        on_line = 0;
      }
      line = pad_right(line, start + on_line++ * step) + cell;
    }
    out += line + "\n";
  }
  return out;
}

std::vector<GridRow> count_rows(const ScanCounts& counts, const std::string& section,
                                const Catalogue& say) {
  std::vector<GridRow> rows;
  for (const auto& group : groups_of(counts, section, say)) {
    if (!group.counts->empty()) rows.push_back({group.label, cells_of(*group.counts)});
  }
  return rows;
}

std::string kernel_table(const std::vector<std::pair<std::string, const ScanCounts*>>& sections,
                         const Style& style, const Catalogue& say) {
  std::vector<std::array<std::string, 5>> rows = {{"", "", say("report.scan.column.images"),
                                                   say("report.scan.column.kernels"),
                                                   say("report.scan.column.empty")}};
  for (const auto& [section, counts] : sections) {
    for (const auto& group : groups_of(*counts, section, say)) {
      for (const auto& count : *group.counts) {
        rows.push_back({group.label, count.arch.text(), std::to_string(count.images),
                        number_text(count.kernels), number_text(count.empty)});
      }
    }
  }
  std::array<int, 5> widths{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  std::string out, label;
  for (const auto& row : rows) {
    const bool repeats = row[0] == label;
    label = row[0];
    std::string line =
        "  " + pad_right(repeats ? "" : label, widths[0]) + "   " + pad_right(row[1], widths[1]);
    for (std::size_t i = 2; i < row.size(); ++i) line += "   " + padded_left(row[i], widths[i]);
    out += (&row == &rows.front() ? paint(line, Ink::dim, style) : line) + "\n";
  }
  return rows.size() > 1 ? out : std::string();
}

ShortNames::ShortNames(const std::vector<const FileScan*>& files, const Style& style)
    : style_(style) {
  for (const FileScan* file : files) {
    ++bases_[std::string(base_name(file_name(*file, style)))];
    ++names_[file_name(*file, style)];
  }
}

std::string ShortNames::name(const FileScan& file) const {
  std::string name = file_name(file, style_);
  std::string base(base_name(name));
  const auto is_one = [](const auto& counts, const std::string& key) {
    const auto at = counts.find(key);
    return at == counts.end() || at->second == 1;
  };
  if (is_one(bases_, base)) return base;
  if (is_one(names_, name) || file.member.empty()) return name;
  return visible(short_path(file.path, style_)) + "!" + name;
}

bool is_for_a_linker(const FileScan& file) {
  const auto relocatable = [](const ScannedContainer& one) {
    return one.section == "__nv_relfatbin" && !one.images.empty();
  };
  if (std::ranges::any_of(file.bare, &BareCubin::relocatable)) return true;
  return !file.linked_from_relocatable && std::ranges::any_of(file.containers, relocatable);
}

const char* no_code_key(const FileScan& file) {
  return file.problems.empty() ? "report.scan.no-code" : "report.scan.no-code-read";
}

std::string note_line(std::string_view text, const Style& style) {
  return paragraph({}, text, 2, 0, style);
}

std::string problem_text(const FileScan& file, const std::string& problem, const Style& style) {
  if (!file.path.empty() && problem.starts_with(file.path)) return visible(problem);
  return file_name(file, style) + ": " + visible(problem);
}

std::vector<std::string> shown_names(const std::vector<std::string>& names, bool demangle) {
  if (!demangle) return names;
  std::vector<std::string> out = demangled(names);
  std::ranges::sort(out);
  return out;
}

}  // namespace kernelfit::report

namespace kernelfit {

std::string run_reason(const ScanVerdict& verdict, const Knowledge& knowledge,
                       const Catalogue& say) {
  const RunAnswer& answer = verdict.answer;
  const bool jit_decided = answer.verdict == Verdict::ptx_jit && verdict.driver_given;
  const bool native = answer.verdict == Verdict::native || answer.verdict == Verdict::partial;
  if ((native || jit_decided) && answer.code.used) {
    return say("report.scan.run.by", {{"arch", answer.code.used->text()}});
  }
  const bool about_driver = answer.verdict == Verdict::driver_too_old ||
                            answer.verdict == Verdict::no_driver ||
                            answer.verdict == Verdict::ptx_jit;
  if (about_driver && !answer.need.ptx_isa.empty()) {
    const int branch = branch_for_ptx(answer.need.ptx_isa, knowledge);
    // The card itself may ask for a newer one.
    if (branch != 0 && answer.need.minimum.major() > branch) {
      return say("report.scan.run.driver", {{"driver", answer.need.minimum.text()}});
    }
    const std::string isa = answer.need.ptx_isa.text();
    if (branch == 0) return say("report.scan.run.ptx-unknown", {{"isa", isa}});
    return say("report.scan.run.ptx", {{"isa", isa}, {"branch", std::to_string(branch)}});
  }
  if (about_driver && !answer.need.minimum.empty()) {
    return say("report.scan.run.driver", {{"driver", answer.need.minimum.text()}});
  }
  if (answer.verdict == Verdict::driver_too_new_for_gpu) {
    return say("report.scan.run.last-branch",
               {{"branch", std::to_string(answer.need.last_branch)}});
  }
  if (answer.verdict == Verdict::broken) return say("report.scan.run.other-system");
  if (answer.verdict == Verdict::unknown && !verdict.file->problems.empty()) {
    return say("report.scan.run.not-whole");
  }
  if (answer.verdict == Verdict::unknown && !count_images(*verdict.file).lto.empty()) {
    return say("report.scan.note.lto");
  }
  if (answer.verdict == Verdict::unknown && report::is_for_a_linker(*verdict.file)) {
    return say("report.scan.note.for-linker");
  }
  if (answer.verdict == Verdict::no_code) {
    return say("report.scan.run.holds", {{"archs", arch_list_text(answer.code.archs)}});
  }
  return {};
}

}  // namespace kernelfit
