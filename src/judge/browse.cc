// SPDX-License-Identifier: Apache-2.0
#include "judge/browse.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/text.h"
#include "judge/code.h"
#include "judge/cuda_floor.h"
#include "judge/judge.h"

namespace kernelfit {
namespace {

// --- torch by capability

std::vector<GpuArch> archs_of(const TorchBuild& build) {
  auto archs = build.sass;
  archs.insert(archs.end(), build.ptx.begin(), build.ptx.end());
  return archs;
}

Verdict build_verdict(const TorchBuild& build, CodeRule rule) {
  rule.built_with = build.cuda;
  return code_for(archs_of(build), rule).verdict;
}

CodeRule rule_for(ComputeCapability capability, bool sbsa_tegra_rule) {
  return {capability, is_tegra(capability), sbsa_tegra_rule, {}};
}

struct SpanKey {
  std::string_view channel, platform, via;
  auto operator<=>(const SpanKey&) const = default;
};

struct SpanEnds {
  const PackageVersion* first = nullptr;
  const PackageVersion* last = nullptr;
  std::set<std::string> first_builds, last_builds;

  void add(const TorchBuild& build) {
    if (first == nullptr || build.version < *first) first = &build.version, first_builds.clear();
    if (last == nullptr || build.version > *last) last = &build.version, last_builds.clear();
    if (build.version == *first) first_builds.emplace(build.build);
    if (build.version == *last) last_builds.emplace(build.build);
  }
};

TorchSpan span_of(const SpanKey& key, Verdict via, const SpanEnds& ends) {
  TorchSpan span;
  span.channel = key.channel;
  span.platform = key.platform;
  span.via = via;
  span.first_torch = ends.first->text();
  span.last_torch = ends.last->text();
  span.first_builds.assign(ends.first_builds.begin(), ends.first_builds.end());
  span.last_builds.assign(ends.last_builds.begin(), ends.last_builds.end());
  return span;
}

// A wheel that runs by PTX alone is of no use where the libraries of its CUDA do not know the card:
// `floor` is the first that does.
bool of_use(const TorchBuild& build, Verdict verdict, const DottedVersion& floor) {
  return runs(verdict) && (verdict == Verdict::native || floor.empty() || build.cuda >= floor);
}

std::vector<TorchSpan> spans_of(const CodeRule& rule, const DottedVersion& floor,
                                const Knowledge& knowledge) {
  std::map<SpanKey, SpanEnds> spans;
  for (const auto& build : knowledge.torch_builds()) {
    if (build.basis.confidence == Confidence::low || build.cuda.empty()) continue;
    Verdict verdict = build_verdict(build, rule);
    if (!of_use(build, verdict, floor)) continue;
    spans[{build.channel, build.platform, verdict == Verdict::native ? "sass" : "ptx"}].add(build);
  }
  std::vector<TorchSpan> out;
  for (const auto& [key, ends] : spans) {
    out.push_back(span_of(key, key.via == "sass" ? Verdict::native : Verdict::ptx_jit, ends));
  }
  std::stable_sort(out.begin(), out.end(), [](const TorchSpan& a, const TorchSpan& b) {
    return std::tie(a.channel, a.platform, a.via) < std::tie(b.channel, b.platform, b.via);
  });
  return out;
}

// What NVIDIA and others built for the board itself, by JetPack.
void add_jetson_spans(std::vector<TorchSpan>& out, ComputeCapability capability,
                      const Knowledge& knowledge) {
  std::map<std::pair<std::string, std::string_view>, std::vector<PackageVersion>> found;
  for (const auto& row : knowledge.jetson_torch()) {
    const auto torch = PackageVersion::parse(row.torch);
    const auto capabilities = split(row.capability, ';');
    const bool has = std::find(capabilities.begin(), capabilities.end(), capability.text()) !=
                     capabilities.end();
    if (!torch || !has || row.jetpack == "n/a") continue;
    const std::string channel = row.form.starts_with("community") ? "jetson-community" : "jetson";
    found[{channel, row.jetpack}].push_back(*torch);
  }
  for (auto& [key, versions] : found) {
    std::sort(versions.begin(), versions.end());
    TorchSpan span{key.first, "JetPack " + std::string(key.second), Verdict::native, {}, {}, {},
                   {}};
    span.first_torch = versions.front().text();
    span.last_torch = versions.back().text();
    out.push_back(std::move(span));
  }
}

// --- a card

std::string strip_maker(std::string_view name) {
  return std::string(name.starts_with("NVIDIA ") ? name.substr(7) : name);
}

bool is_of(const GpuProduct& product, const Card& card) {
  return card.capability.is(product.capability) &&
         (card.chip.empty() || product.chip == card.chip) &&
         (strip_maker(product.name) == strip_maker(card.label) ||
          std::any_of(card.pci_ids.begin(), card.pci_ids.end(), [&](const std::string& id) {
            return contains_word(lower(product.pci_ids), std::string_view(id).substr(5));
          }));
}

void add_once(std::vector<std::string>& list, std::string value) {
  if (value.empty() || std::find(list.begin(), list.end(), value) != list.end()) return;
  list.push_back(std::move(value));
}

void add_sources(CardPage& page, const Basis& basis) {
  for (auto source : split_words(basis.sources)) add_once(page.sources, std::string(source));
}

void add_product(CardPage& page, const GpuProduct& product) {
  add_once(page.names, std::string(product.name));
  for (auto size : split(product.memory_gb, ';')) add_once(page.memory_gb, std::string(size));
  for (auto id : split_words(product.pci_ids)) add_once(page.pci_ids, "10de:" + lower(id));
  for (auto other : split(product.capability_alternatives, ';')) {
    if (product.ambiguous) add_once(page.other_capabilities, std::string(other));
  }
  if (page.year.empty()) page.year = product.year;
  if (page.form.empty()) page.form = product.form;
  if (contains(product.last_driver_branch, "L4T")) page.jetpack = product.last_driver_branch;
  add_sources(page, product.basis);
  for (auto source : split_words(product.spec_sources)) {
    add_once(page.sources, std::string(source));
  }
  page.confidence = std::max(page.confidence, product.basis.confidence);
}

const DriverBranch* branch_numbered(int number, const Knowledge& knowledge) {
  for (const auto& branch : knowledge.driver_branches()) {
    if (number != 0 && branch.branch == number) return &branch;
  }
  return nullptr;
}

// "410.129-diagnostic/410.104": the one that people can install.
std::string plain_version(std::string_view cell) {
  return std::string(split(cell, '/').back());
}

void add_drivers(CardPage& page, const Card& card, const Knowledge& knowledge) {
  if (card.capability.has() && !card.tegra)
    page.first_branch = first_branch_of(*card.capability, knowledge);
  if (card.first_branch != 0) page.first_driver_linux = std::to_string(card.first_branch);
  if (const auto* last = branch_numbered(card.last_branch, knowledge)) {
    page.last_driver_linux = plain_version(last->last_linux);
    page.last_driver_windows = plain_version(last->last_windows);
  }
  if (!card.last_driver_windows.empty()) page.last_driver_windows = card.last_driver_windows.text();
}

void add_cuda(CardPage& page, ComputeCapability capability, const Knowledge& knowledge) {
  const auto& toolkits = knowledge.toolkits();
  bool current = false;
  for (const auto& toolkit : toolkits) {
    current = std::any_of(toolkit.sass.begin(), toolkit.sass.end(),
                          [&](const GpuArch& arch) { return arch.number == capability.number(); });
    if (!current) continue;
    if (page.first_cuda.empty()) page.first_cuda = toolkit.cuda;
    page.last_cuda = toolkit.cuda;
  }
  if (current) page.last_cuda = DottedVersion();
  // The cards before Fermi: no toolkit of the table compiles for them, their last driver ends it.
  const auto* last = branch_numbered(page.card.last_branch, knowledge);
  if (page.first_cuda.empty() && last != nullptr) page.last_cuda = last->max_cuda;
}

// A capability alone was asked for: the products that have it, and what the rules rest on.
void add_all_products(CardPage& page, const Card& card, const Knowledge& knowledge) {
  for (const auto& product : knowledge.products()) {
    if (!card.capability.is(product.capability) || product.form == "internal") continue;
    add_once(page.names, std::string(product.name));
  }
  if (const auto* branch = branch_numbered(card.first_branch, knowledge)) {
    add_sources(page, branch->basis);
  }
  if (const auto* branch = branch_numbered(card.last_branch, knowledge)) {
    add_sources(page, branch->basis);
  }
  for (const auto& toolkit : knowledge.toolkits()) {
    if (toolkit.cuda == page.first_cuda) add_sources(page, toolkit.basis);
  }
  page.confidence = Confidence::high;
}

CardPage page_of(const Card& card, const Knowledge& knowledge) {
  CardPage page;
  page.card = card;
  page.card.variants.clear();
  page.pci_ids = card.pci_ids;
  for (const auto& product : knowledge.products()) {
    if (is_of(product, card)) add_product(page, product);
  }
  add_drivers(page, card, knowledge);
  page.module_flavor = module_flavor_for(card);
  if (!card.capability.has()) return page;
  add_cuda(page, *card.capability, knowledge);
  if (page.names.empty()) add_all_products(page, card, knowledge);
  page.torch = spans_of(rule_for(*card.capability, card.sbsa_tegra_rule),
                        cuda_floor(*card.capability, knowledge), knowledge);
  if (!card.tegra) return page;
  // The processor beside it is an Arm one.
  std::erase_if(page.torch, [](const TorchSpan& span) { return span.platform != "linux-aarch64"; });
  add_jetson_spans(page.torch, *card.capability, knowledge);
  return page;
}

// --- a release

const TorchRelease* release_of(std::string_view version, const Knowledge& knowledge) {
  const TorchRelease* found = nullptr;
  std::string line = std::string(version) + ".";
  auto wanted = PackageVersion::parse(version);
  for (const auto& release : knowledge.torch_releases()) {
    if (wanted && wanted->release_size() > 2 && release.version == *wanted) return &release;
    if (version.empty() || release.version.text().starts_with(line)) found = &release;
  }
  return found;
}

void add_python(std::vector<std::string>& pythons, std::string_view words) {
  for (auto word : split_words(words)) add_once(pythons, std::string(word));
  std::sort(pythons.begin(), pythons.end(), [](const std::string& a, const std::string& b) {
    return std::pair(dotted(a), a) < std::pair(dotted(b), b);
  });
}

// --- the matrix

std::vector<ComputeCapability> discrete_capabilities(const Knowledge& knowledge) {
  std::set<ComputeCapability> all;
  for (const auto& range : knowledge.capability_ranges()) all.insert(range.capability);
  std::vector<ComputeCapability> out;
  std::copy_if(all.begin(), all.end(), std::back_inserter(out),
               [](ComputeCapability capability) { return !is_tegra(capability); });
  return out;
}

MatrixRow matrix_row(const TorchRelease& release, const std::vector<const TorchBuild*>& builds,
                     const std::vector<ComputeCapability>& capabilities,
                     const Knowledge& knowledge) {
  MatrixRow row;
  row.torch = release.version.text();
  row.date = release.date;
  row.python = std::string(release.python_min) + "-" + std::string(release.python_max);
  for (const auto* build : builds) add_once(row.builds, std::string(build->build));
  for (auto capability : capabilities) {
    const DottedVersion floor = cuda_floor(capability, knowledge);
    std::vector<std::string> native, by_ptx;
    for (const auto* build : builds) {
      const Verdict verdict = build_verdict(*build, rule_for(capability, false));
      if (!of_use(*build, verdict, floor)) continue;
      add_once(verdict == Verdict::native ? native : by_ptx, std::string(build->build));
    }
    row.runs.push_back(std::move(native));
    row.by_ptx.push_back(std::move(by_ptx));
  }
  return row;
}

std::vector<const TorchBuild*> cuda_builds(const TorchRelease& release, std::string_view channel,
                                           std::string_view platform, const Knowledge& knowledge) {
  std::vector<const TorchBuild*> builds;
  for (const auto& build : knowledge.torch_builds()) {
    if (build.version != release.version || build.channel != channel) continue;
    if (build.platform != platform || build.cuda.empty()) continue;
    builds.push_back(&build);
  }
  std::stable_sort(builds.begin(), builds.end(),
                   [](auto* a, auto* b) { return a->cuda < b->cuda; });
  return builds;
}

}  // namespace

std::vector<TorchSpan> torch_spans(ComputeCapability capability, bool sbsa_tegra_rule,
                                   const Knowledge& knowledge) {
  return spans_of(rule_for(capability, sbsa_tegra_rule), {}, knowledge);
}

std::vector<CardPage> card_pages(const Card& card, const Knowledge& knowledge) {
  std::vector<CardPage> pages;
  if (card.variants.empty()) return {page_of(card, knowledge)};
  pages.reserve(card.variants.size());
  for (const auto& variant : card.variants) pages.push_back(page_of(variant, knowledge));
  return pages;
}

std::optional<TorchPage> torch_page(std::string_view version, const Knowledge& knowledge) {
  const auto plus = std::min(version.find('+'), version.size());
  const std::string_view local = version.substr(plus);  // "+cu128"
  TorchPage page;
  page.release = release_of(version.substr(0, plus), knowledge);
  if (page.release == nullptr) return {};
  for (const auto& build : knowledge.torch_builds()) {
    if (build.version != page.release->version) continue;
    if (!local.empty() && (build.channel != "pip" || local.substr(1) != build.build)) continue;
    BuildPage one;
    one.build = &build;
    if (!build.cuda.empty()) {
      one.driver_linux =
          driver_needed(build.cuda, build.cuda_full, false, {}, DriverOs::linux, knowledge);
      one.driver_windows =
          driver_needed(build.cuda, build.cuda_full, false, {}, DriverOs::windows, knowledge);
    }
    page.builds.push_back(std::move(one));
    add_python(page.pythons, build.python);
  }
  if (page.builds.empty() && !local.empty()) return {};
  return page;
}

Matrix torch_matrix(std::string_view channel, std::string_view platform,
                    const Knowledge& knowledge) {
  Matrix matrix;
  matrix.channel = channel;
  matrix.platform = platform;
  matrix.capabilities = discrete_capabilities(knowledge);
  const auto& releases = knowledge.torch_releases();
  for (auto release = releases.rbegin(); release != releases.rend(); ++release) {
    auto builds = cuda_builds(*release, channel, platform, knowledge);
    if (!builds.empty())
      matrix.rows.push_back(matrix_row(*release, builds, matrix.capabilities, knowledge));
  }
  return matrix;
}

}  // namespace kernelfit
