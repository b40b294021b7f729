// SPDX-License-Identifier: Apache-2.0
// `kernelfit gpu`: what is known of a card, a page per chip that its name is sold with.
#include <algorithm>

#include "base/visible.h"
#include "report/json_parts.h"
#include "report/markdown.h"
#include "report/plan.h"
#include "report/words.h"

namespace kernelfit {
namespace report {
namespace {

std::string memory_of(const CardPage& page) {
  return page.memory_gb.empty() ? std::string() : join(page.memory_gb, ", ") + " GB";
}

std::string drivers_of(const CardPage& page, const Catalogue& say) {
  if (!page.jetpack.empty()) return page.jetpack;
  const Card& card = page.card;
  std::string first = page.first_driver_linux;
  if (first.empty() && card.first_branch > 0) first = std::to_string(card.first_branch);
  if (!card.branch_known) return say("report.unknown");
  if (card.last_branch == 0) {
    return first.empty() ? say("report.gpu.drivers-current")
                         : say("report.gpu.drivers-from", {{"first", first}});
  }
  Fill values = {{"first", first},
                 {"branch", std::to_string(card.last_branch)},
                 {"linux", page.last_driver_linux},
                 {"windows", page.last_driver_windows}};
  std::string key = first.empty() ? "report.gpu.drivers-to" : "report.gpu.drivers";
  if (page.last_driver_windows.empty() || page.last_driver_linux.empty()) key += "-branch";
  return say(key, values);
}

// What the list of branches alone would say, where that is earlier.
std::string doubt_of(const CardPage& page, const Catalogue& say) {
  const FirstBranch& first = page.first_branch;
  if (!first.is_doubtful()) return {};
  return say("report.gpu.first-branch",
             {{"listed", std::to_string(first.by_range)}, {"cuda", first.cuda.text()}});
}

std::string cuda_of(const CardPage& page, const Catalogue& say) {
  if (page.first_cuda.empty() && !page.last_cuda.empty())
    return say("report.gpu.cuda-to", {{"last", page.last_cuda.text()}});
  if (page.first_cuda.empty()) return {};
  std::string first = page.first_cuda.text();
  if (page.last_cuda.empty()) return say("report.gpu.cuda-from", {{"first", first}});
  return say("report.gpu.cuda", {{"first", first}, {"last", page.last_cuda.text()}});
}

std::string module_of(const CardPage& page, const Catalogue& say) {
  if (page.module_flavor.empty()) return {};
  return say("report.gpu.module-" + page.module_flavor);
}

struct Line {
  std::string label, value;
};
std::vector<Line> page_lines(const CardPage& page, const Catalogue& say) {
  std::vector<Line> lines = {
      {say("report.column.chip"), page.card.chip},
      {say("report.gpu.architecture"), page.card.architecture},
      {"PCI", join(page.pci_ids, " ")},
      {say("report.column.memory"), memory_of(page)},
      {say("report.gpu.year"), page.year},
      {say("report.fact.driver"), drivers_of(page, say)},
      {"", doubt_of(page, say)},
      {say("report.gpu.module"), module_of(page, say)},
      {"CUDA", cuda_of(page, say)},
      {say("report.gpu.other-capabilities"), list_text(page.other_capabilities, say)},
  };
  std::erase_if(lines, [](const Line& line) { return line.value.empty(); });
  return lines;
}

std::string sources_of(const CardPage& page, const Catalogue& say) {
  std::string confidence(text_of(page.confidence));
  if (page.sources.empty()) return say("report.confidence." + confidence);
  return say("report.gpu.sources", {{"sources", comma_list(page.sources, say)},
                                    {"confidence", say("report.confidence." + confidence)}});
}

std::string release_text(const std::string& torch, const std::vector<std::string>& builds) {
  return builds.empty() ? torch : torch + " (" + join(builds, " ") + ")";
}

std::string page_title(const CardPage& page, const Catalogue& say) {
  std::string capability = capability_text(page.card, say);
  std::string label = visible(page.card.label);  // may be the driver's word for it
  if (contains(label, capability)) return label;
  return label + "   " + say("report.gpu.capability", {{"capability", capability}});
}

std::string names_of(const CardPage& page, bool all, const Catalogue& say) {
  constexpr std::size_t kShown = 12;
  if (page.names.size() < 2) return {};
  std::vector<std::string> names = page.names;
  if (all || names.size() <= kShown) return comma_list(names, say);
  std::string more = std::to_string(names.size() - kShown);
  names.resize(kShown);
  return say("report.gpu.names-more", {{"names", comma_list(names, say)}, {"count", more}});
}

using Strings = std::vector<std::string>;

int channel_rank(std::string_view channel) {
  constexpr std::string_view kOrder[] = {"pip", "conda-forge", "conda-pytorch",
                                         "conda-pytorch-lts"};
  auto at = std::find(std::begin(kOrder), std::end(kOrder), channel);
  return static_cast<int>(at - std::begin(kOrder));
}

// The official wheels first; what runs by PTX only where nothing runs natively, unless all is asked
// for.
std::vector<const TorchSpan*> shown_spans(const CardPage& page, bool all) {
  std::vector<const TorchSpan*> out;
  for (const auto& span : page.torch) {
    auto better = [&](const TorchSpan& other) {
      return other.via == Verdict::native && other.channel == span.channel &&
             other.platform == span.platform;
    };
    bool hidden =
        span.via != Verdict::native && std::any_of(page.torch.begin(), page.torch.end(), better);
    if (all || !hidden) out.push_back(&span);
  }
  std::stable_sort(out.begin(), out.end(), [](const TorchSpan* a, const TorchSpan* b) {
    return channel_rank(a->channel) < channel_rank(b->channel);
  });
  return out;
}

std::string page_terminal(const CardPage& page, const Style& style, const Catalogue& say) {
  std::string out = paint(page_title(page, say), Ink::strong, style) + "\n\n";
  std::vector<Row> rows;
  for (const auto& line : page_lines(page, say)) {
    rows.push_back({{line.label, Ink::dim}, {line.value}});
  }
  std::string names = names_of(page, style.verbose, say);
  if (!names.empty()) rows.push_back({{say("report.gpu.names"), Ink::dim}, {names}});
  rows.push_back({{say("report.column.source"), Ink::dim}, {sources_of(page, say), Ink::dim}});
  out += lay_out(rows, {}, style) + "\n";
  if (page.torch.empty()) return out + "  " + say("report.gpu.no-torch") + "\n";
  std::vector<Row> spans = {{{say("report.gpu.torch"), Ink::strong},
                             {say("report.column.platform"), Ink::dim},
                             {say("report.gpu.first"), Ink::dim},
                             {say("report.gpu.last"), Ink::dim}}};
  for (const auto* span : shown_spans(page, style.verbose)) {
    std::string ptx = span->via == Verdict::native ? "" : verdict_text(span->via, say);
    std::string first =
        release_text(span->first_torch, style.verbose ? span->first_builds : Strings{});
    spans.push_back({{channel_text(span->channel, say)},
                     {span->platform},
                     {first},
                     {release_text(span->last_torch, span->last_builds)},
                     {ptx, Ink::doubt}});
  }
  return out + lay_out(spans, {.hang = 3}, style);
}

std::string page_markdown(const CardPage& page, const Catalogue& say) {
  std::string out = "## " + page_title(page, say) + "\n\n";
  std::vector<std::string> items;
  for (const auto& line : page_lines(page, say)) items.push_back(line.label + ": " + line.value);
  items.push_back(say("report.column.source") + ": " + sources_of(page, say));
  out += md_list(items) + "\n";
  std::vector<std::vector<std::string>> rows;
  for (const auto& span : page.torch) {
    rows.push_back({channel_text(span.channel, say), span.platform,
                    release_text(span.first_torch, span.first_builds),
                    release_text(span.last_torch, span.last_builds), verdict_text(span.via, say)});
  }
  return out +
         md_table({say("report.column.channel"), say("report.column.platform"),
                   say("report.gpu.first"), say("report.gpu.last"), say("report.column.verdict")},
                  rows);
}

Json span_json(const TorchSpan& span) {
  Json out = Json::object();
  out.add("channel", span.channel);
  out.add("platform", span.platform);
  out.add("via", text_of(span.via));
  out.add("first", span.first_torch);
  out.add("first_builds", strings_json(span.first_builds));
  out.add("last", span.last_torch);
  out.add("last_builds", strings_json(span.last_builds));
  return out;
}

Json page_json(const CardPage& page) {
  const Card& card = page.card;
  Json out = Json::object();
  out.add("name", card.label);
  out.add("names", strings_json(page.names));
  out.add("chip", text_json(card.chip));
  out.add("architecture", text_json(card.architecture));
  out.add("compute_capability", card.capability.has() ? Json(card.capability->text()) : Json());
  out.add("other_capabilities", strings_json(page.other_capabilities));
  out.add("tegra", card.tegra);
  out.add("pci_ids", strings_json(page.pci_ids));
  out.add("memory_gb", strings_json(page.memory_gb));
  out.add("year", text_json(page.year));
  out.add("form", text_json(page.form));
  Json driver = Json::object();
  driver.add("first_branch", branch_json(card.first_branch));
  driver.add("last_branch", branch_json(card.last_branch));
  driver.add("first_linux", text_json(page.first_driver_linux));
  driver.add("last_linux", text_json(page.last_driver_linux));
  driver.add("last_windows", text_json(page.last_driver_windows));
  driver.add("known", card.branch_known);
  driver.add("module", text_json(page.module_flavor));
  out.add("driver", std::move(driver));
  out.add("jetpack", text_json(page.jetpack));
  Json cuda = Json::object();
  cuda.add("first", version_json(page.first_cuda));
  cuda.add("last", version_json(page.last_cuda));
  out.add("cuda", std::move(cuda));
  Json torch = Json::array();
  for (const auto& span : page.torch) torch.push(span_json(span));
  out.add("torch", std::move(torch));
  out.add("sources", strings_json(page.sources));
  out.add("confidence", text_of(page.confidence));
  return out;
}

Json gpu_json(const GpuReport& report) {
  Json out = head_json("gpu", report.knowledge);
  Json cards = Json::array();
  for (const auto& asked : report.cards) {
    Json pages = Json::array();
    for (const auto& page : asked.pages) pages.push(page_json(page));
    Json item = Json::object();
    item.add("query", text_json(asked.query));
    item.add("variants", std::move(pages));
    cards.push(std::move(item));
  }
  out.add("cards", std::move(cards));
  out.add("incomplete", false);
  return out;
}

}  // namespace
}  // namespace report

std::string render_gpu(const GpuReport& report, const Style& style, const Catalogue& say) {
  using namespace report;  // NOLINT(google-build-using-namespace): the pieces above
  if (style.format == Format::json) return gpu_json(report).dump();
  std::string out;
  for (const auto& asked : report.cards) {
    if (asked.pages.size() > 1) {
      if (!out.empty()) out += "\n";
      out += say("report.gpu.sold-with", {{"name", asked.pages[0].card.label},
                                          {"count", std::to_string(asked.pages.size())}}) +
             "\n";
    }
    for (const auto& page : asked.pages) {
      if (!out.empty()) out += "\n";
      out += style.format == Format::markdown ? page_markdown(page, say)
                                              : page_terminal(page, style, say);
    }
  }
  return out;
}

}  // namespace kernelfit
