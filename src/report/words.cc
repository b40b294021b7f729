// SPDX-License-Identifier: Apache-2.0
#include "report/words.h"

#include <algorithm>

#include "report/problems.h"

namespace kernelfit::report {
namespace {

// "driver (NVML)" -> "driver-nvml": the key under which a language may translate a source.
std::string slug(std::string_view text) {
  std::string out;
  for (char c : lower(text)) {
    bool keeps = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (keeps) out += c;
    if (!keeps && !out.empty() && out.back() != '-') out += '-';
  }
  while (!out.empty() && out.back() == '-') out.pop_back();
  return out;
}

std::string mark_key(Verdict verdict) {
  if (verdict == Verdict::unknown) return "report.mark.unknown";
  if (verdict == Verdict::partial) return "report.mark.partial";
  return runs(verdict) ? "report.mark.ok" : "report.mark.no";
}

}  // namespace

std::string text_of(const Said& said, const Catalogue& say) {
  return said.key.empty() ? std::string() : say(said.key, said.values);
}

std::string source_text(std::string_view source, const Catalogue& say) {
  std::string key = "report.source." + slug(source);
  if (say.has(key)) return say(key);
  constexpr std::string_view kLine = "line ";
  if (source.starts_with(kLine) && parse_int(source.substr(kLine.size()))) {
    return say("report.source-line", {{"line", std::string(source.substr(kLine.size()))}});
  }
  constexpr std::string_view kTable = "table: ";
  if (source.starts_with(kTable)) {
    return say("report.table-source", {{"what", std::string(source.substr(kTable.size()))}});
  }
  return std::string(source);
}

std::string basis_text(const LibraryVerdict& verdict, const Catalogue& say) {
  if (verdict.basis == "file") return say("report.basis.file");
  if (verdict.basis != "table") return say("report.basis.none");
  std::string confidence(text_of(verdict.confidence));
  return say("report.basis.table", {{"confidence", say("report.confidence." + confidence)}});
}

std::string short_path(std::string_view path, const Style& style) {
  bool inside = !style.home.empty() && style.home != "/" && path.starts_with(style.home);
  std::string_view rest = inside ? path.substr(style.home.size()) : path;
  if (!inside || (!rest.empty() && rest[0] != '/' && rest[0] != '\\')) return std::string(path);
  return "~" + std::string(rest);
}

std::string environment_text(const Environment& environment, const Style& style,
                             const Catalogue& say) {
  if (environment.path.empty()) return say("report.environment.given");
  return short_path(environment.path, style);
}

std::string_view no_card_key(const Machine& machine) {
  if (cards_unknown(machine)) return "report.gpu.not-read";
  return machine.system.os.is("wsl") ? "report.gpu.none-in-wsl" : "report.gpu.none";
}

std::string gpu_label(const Situation& situation, int gpu) {
  auto index = static_cast<std::size_t>(gpu);
  if (gpu < 0 || index >= situation.machine.gpus.size()) return {};
  if (index < situation.judgement.cards.size()) return situation.judgement.cards[index].label;
  return situation.machine.gpus[index].name.value_or("");
}

std::string gpu_title(const Gpu& gpu, const Catalogue& say) {
  if (gpu.index < 0) return say("report.gpu.unnumbered");
  return say("report.gpu.numbered", {{"index", std::to_string(gpu.index)}});
}

std::string capability_text(const Card& card, const Catalogue& say) {
  if (card.capability.has()) return card.capability->text();
  std::vector<std::string> all;
  for (const auto& variant : card.variants) {
    if (!variant.capability.has()) continue;
    std::string text = variant.capability->text();  // two chips can be of one capability
    if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(std::move(text));
  }
  return all.empty() ? say("report.unknown") : list_text(all, say);
}

std::string memory_text(const Fact<std::int64_t>& memory_mib) {
  if (!memory_mib.has() || *memory_mib <= 0) return {};
  if (*memory_mib < 1000) return std::to_string(*memory_mib) + " MB";
  return std::to_string((*memory_mib + 512) / 1024) + " GB";
}

std::string driver_text(const Machine& machine, const Catalogue& say) {
  const Driver& driver = machine.driver;
  if (driver.version.has()) {
    std::string version = driver.version->text();
    if (!driver.cuda_max.has()) return say("report.driver.version", {{"version", version}});
    return say("report.driver.version-cuda",
               {{"version", version}, {"cuda", driver.cuda_max->text()}});
  }
  if (machine.system.l4t.has()) return say("report.driver.l4t", {{"l4t", *machine.system.l4t}});
  if (driver.version.is_absent()) return say("report.driver.absent");
  if (machine.pasted) return say("report.driver.not-told");
  if (machine.hypothetical) return say("report.driver.not-given");
  return say("report.driver.unknown", {{"reason", driver.version.reason()}});
}

std::string verdict_text(Verdict verdict, const Catalogue& say) {
  return say("report.verdict." + std::string(kernelfit::text_of(verdict)));
}

Cell mark_of(Verdict verdict, const Style& style, const Catalogue& say) {
  Ink ink = verdict == Verdict::unknown || verdict == Verdict::partial ? Ink::doubt
            : runs(verdict)                                            ? Ink::good
                                                                       : Ink::bad;
  std::string key = mark_key(verdict);
  return {style.unicode ? say(key) : say(key + ".ascii"), ink};
}

std::string comma_list(const std::vector<std::string>& items, const Catalogue& say) {
  std::string out;
  for (const auto& item : items) {
    out = out.empty() ? item : say("report.list.comma", {{"first", out}, {"last", item}});
  }
  return out;
}

std::string list_text(const std::vector<std::string>& items, const Catalogue& say) {
  if (items.size() < 2) return items.empty() ? std::string() : items[0];
  std::vector<std::string> head(items.begin(), items.end() - 1);
  return say("report.list.or", {{"first", comma_list(head, say)}, {"last", items.back()}});
}

FindingText finding_text(const Finding& finding, const std::vector<Rule>& rules,
                         const Catalogue& say) {
  const Rule* rule = find_rule(rules, finding.name);
  FindingText out;
  if (rule != nullptr) {
    Finding said = finding;  // what a probe could not do is said in the reader's language
    for (auto& [name, value] : said.values) {
      if (name == "verdict.problem") value = problem_text(value, say);
    }
    out = render_finding(said, *rule, say);
  }
  out.fixes.resize(finding.fixes.size());
  return out;
}

std::string evidence_label(const Evidence& evidence, const Catalogue& say) {
  if (say.has(evidence.what.key)) return say(evidence.what.key, evidence.what.values);
  if (!evidence.what.values.empty()) return evidence.what.values[0].second;
  return evidence.what.key;
}

}  // namespace kernelfit::report
