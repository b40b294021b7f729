// SPDX-License-Identifier: Apache-2.0
#include "solve/installed.h"

#include <algorithm>

#include "base/text.h"
#include "judge/pair_check.h"
#include "pyenv/requirement.h"
#include "pyenv/version_py.h"
#include "solve/companions.h"
#include "solve/jetson.h"
#include "solve/pairs.h"
#include "solve/rank.h"

namespace kernelfit::solving {
namespace {

const Installed* find(const Request& request, std::string_view name) {
  for (const Installed& installed : request.installed) {
    if (installed.name == name) return &installed;
  }
  return nullptr;
}

bool matches(const TorchBuild& row, const PackageVersion& version, std::string_view build) {
  return row.version.public_text() == version.public_text() &&
         (build.empty() ? row.pypi_default == "yes" : row.build == build);
}

// Its own row: of its conda channel where that is known; of conflicting rows the surer one.
const TorchBuild* own_row(const PackageVersion& version, std::string_view build,
                          std::string_view platform, std::string_view conda_channel,
                          const Knowledge& knowledge) {
  const auto better = [&](const TorchBuild& a, const TorchBuild& b) {
    const bool own_a = is_conda_channel(a.channel, conda_channel);
    const bool own_b = is_conda_channel(b.channel, conda_channel);
    return own_a != own_b ? own_a : a.basis.confidence > b.basis.confidence;
  };
  const TorchBuild* best = nullptr;
  for (const TorchBuild& row : knowledge.torch_builds()) {
    if (row.platform != platform || row.channel.starts_with("third-party")) continue;
    if (!matches(row, version, build)) continue;
    if (best == nullptr || better(row, *best)) best = &row;
  }
  return best;
}

// A third party publishes under PyTorch's own versions: 1.13.1+cu117 is nelsonliu.me's too.
const TorchBuild* third_party_row(const TorchBuild& own, const Knowledge& knowledge) {
  for (const TorchBuild& row : knowledge.torch_builds()) {
    if (row.channel.starts_with("third-party") && row.platform == own.platform &&
        row.version == own.version && row.build == own.build && own.channel == "pip")
      return &row;
  }
  return nullptr;
}

// A nightly or a patch release that the table does not have: the newest release below it with the
// same build speaks for it; the nightlies of a release that began this build, the release itself.
const TorchBuild* neighbour_row(const PackageVersion& version, std::string_view build,
                                std::string_view platform, const Knowledge& knowledge) {
  const TorchBuild *below = nullptr, *above = nullptr;
  for (const TorchBuild& row : knowledge.torch_builds()) {
    if (row.platform != platform || row.channel != "pip" || row.build != build || row.sass.empty())
      continue;
    if (row.version > version) {
      if (above == nullptr || row.version < above->version) above = &row;
    } else if (below == nullptr || row.version > below->version) {
      below = &row;
    }
  }
  if (below != nullptr || above == nullptr) return below;
  return version.text().starts_with(above->version.text()) ? above : nullptr;
}

void split_archs(const std::vector<GpuArch>& archs, TorchBuild& build) {
  build.sass.clear(), build.ptx.clear();
  for (const GpuArch& arch : archs) {
    if (arch.kind == GpuArch::Kind::sass) build.sass.push_back(arch);
    if (arch.kind == GpuArch::Kind::ptx) build.ptx.push_back(arch);
  }
}

std::string build_word(const PackageVersion& version) {
  const std::string& local = version.local();
  return local.substr(0, local.find('.', local.starts_with("cuda") ? 7 : 0));
}

// What else stands there ("b465a5843b", "git1234567") says nothing of what was built.
bool is_without_cuda(std::string_view build) {
  return build.starts_with("cpu") || build.starts_with("rocm") || build.starts_with("xpu");
}

void read_table(InstalledTorch& torch, const Request& request, const Knowledge& knowledge) {
  const std::string where = platform(request);
  torch.build = build_word(torch.version);
  torch.row = own_row(torch.version, torch.build, where, request.conda_channel, knowledge);
  const TorchBuild* row = torch.row;
  if (row == nullptr && !torch.build.empty())
    row = neighbour_row(torch.version, torch.build, where, knowledge);
  torch.inferred = torch.row == nullptr && row != nullptr;
  torch.as = std::make_shared<TorchBuild>(row == nullptr ? TorchBuild() : *row);
  if (row != nullptr && torch.build.empty()) torch.build = row->build;
  torch.conda = torch.build.starts_with("cuda");
  torch.without_cuda = is_without_cuda(torch.build);
  torch.known = torch.without_cuda || row != nullptr;
}

// The archs that were read from its files count more than any table.
void read_files(InstalledTorch& torch, const Installed& installed) {
  if (installed.archs.empty()) return;
  split_archs(installed.archs, *torch.as);
  torch.known = true;
  torch.without_cuda = false;
  torch.inferred = false;
  if (torch.as->cuda.empty()) torch.as->cuda = cuda_of_build(torch.build).value_or(DottedVersion());
  if (torch.as->channel.empty()) torch.as->channel = torch.conda ? "conda-forge" : "pip";
}

bool has_code(const std::vector<GpuArch>& archs, const Request& request) {
  return std::all_of(request.cards.begin(), request.cards.end(), [&](const Card& card) {
    return !card.capability.has() || runs(code_for(archs, code_rule(card, {})).verdict);
  });
}

bool is_pair_package(std::string_view name) {
  return name == "torchvision" || name == "torchaudio";
}

// The CUDA a torchvision or torchaudio was built for, as a build word; PyPI's have no local
// version and are those of the release's default build.
std::string build_of_pair(const Installed& package, const InstalledTorch& torch,
                          const Request& request, const Knowledge& knowledge) {
  const auto version = PackageVersion::parse(package.version);
  if (!version) return {};
  if (!version->local().empty()) return build_word(*version);
  const TorchBuild* row = own_row(torch.version, "", platform(request), {}, knowledge);
  return row == nullptr ? std::string() : std::string(row->build);
}

bool cuda_differs(const Installed& package, const InstalledTorch& torch, const std::string& build,
                  const Knowledge& knowledge) {
  if (build.empty() || torch.build.empty() || build == torch.build || torch.conda) return false;
  const auto own = cuda_of_build(build), its = cuda_of_build(torch.build);
  if (!own || !its) return contains(package.version, "+");  // +cpu beside CUDA
  const auto version = PackageVersion::parse(package.version);
  return version && !accepts_cuda(package.name, *version, *own, *its, knowledge);
}

std::string wanted_pair(std::string_view package, const Request& request,
                        const InstalledTorch& torch, const Knowledge& knowledge) {
  const Specs specs =
      specs_for(*torch.row, install_row(*torch.row, knowledge), request.pins, knowledge);
  return package == "torchvision" ? specs.torchvision : specs.torchaudio;
}

bool is_pinned_otherwise(std::string_view package, const PackageVersion& version,
                         const Request& request) {
  return std::any_of(request.pins.begin(), request.pins.end(), [&](const Pin& pin) {
    return pin.package == package && !pin.version.contains(version);
  });
}

std::optional<WrongComponent> wrong_pair(const Installed& package, const Request& request,
                                         const InstalledTorch& torch, const Knowledge& knowledge) {
  const auto version = PackageVersion::parse(package.version);
  if (!version || torch.row == nullptr) return std::nullopt;
  WrongComponent wrong{
      package.name, package.version, wanted_pair(package.name, request, torch, knowledge), {}};
  const Fill values = {{"package", package.name},
                       {"version", package.version},
                       {"wanted", wrong.wanted},
                       {"torch", torch.text}};
  if (!is_pair(package.name, *version, torch.version, knowledge)) {
    wrong.why = {"solve.why.pair-version", values};
    return wrong;
  }
  if (is_pinned_otherwise(package.name, *version, request)) {
    wrong.why = {"solve.why.pair-pinned", values};
    return wrong;
  }
  // The page of that release names this very one: torchaudio 0.9.0 beside any build of torch 1.9.0.
  if (package.version == wrong.wanted) return std::nullopt;
  if (cuda_differs(package, torch, build_of_pair(package, torch, request, knowledge), knowledge)) {
    wrong.why = {"solve.why.pair-cuda", values};
    return wrong;
  }
  return std::nullopt;
}

// Read from its files: nothing for one of the cards.
std::optional<WrongComponent> without_code(const Installed& package, const Request& request,
                                           const InstalledTorch& torch,
                                           const Knowledge& knowledge) {
  if (package.archs.empty() || has_code(package.archs, request)) return std::nullopt;
  const bool hopeless =
      std::any_of(request.cards.begin(), request.cards.end(), [&](const Card& card) {
        return is_below_floor(package.name, package.version, torch.as->cuda, request, card,
                              knowledge);
      });
  if (hopeless) return std::nullopt;  // said as a caveat: building it again is of no use
  WrongComponent wrong{package.name, package.version, {}, {}};
  if (is_pair_package(package.name) && torch.row != nullptr)
    wrong.wanted = wanted_pair(package.name, request, torch, knowledge);
  wrong.why = {"solve.why.component-code",
               {{"package", package.name},
                {"version", package.version},
                {"archs", arch_list_text(package.archs)}}};
  return wrong;
}

// What was asked for by name and is not there.
void add_missing(std::vector<WrongComponent>& out, const Request& request,
                 const InstalledTorch& torch, const Knowledge& knowledge) {
  if (torch.row == nullptr) return;
  for (const std::string& word : request.also) {
    const auto asked = parse_requirement(word);
    if (!asked || !is_pair_package(asked->name) || find(request, asked->name) != nullptr) continue;
    WrongComponent missing{
        asked->name, {}, wanted_pair(asked->name, request, torch, knowledge), {}};
    if (missing.wanted.empty()) continue;
    missing.why = {"solve.why.pair-missing",
                   {{"package", asked->name}, {"wanted", missing.wanted}, {"torch", torch.text}}};
    out.push_back(std::move(missing));
  }
}

// The table of servers' builds says nothing of a build that a board's table knows.
void read_board(InstalledTorch& torch, const Request& request, const Knowledge& knowledge) {
  torch.jetson = jetson_row_of(torch.version, request, knowledge);
  if (torch.jetson != nullptr || torch.read) return;
  const JetsonTorch* plain = plain_row_of(torch.version, request, knowledge);
  if (plain == nullptr) return;
  torch.row = nullptr;
  torch.build.clear();
  torch.known = torch.without_cuda = torch.inferred = false;
  if (!is_community(*plain)) torch.jetson = plain;
}

}  // namespace

std::optional<InstalledTorch> installed_torch(const Request& request, const Knowledge& knowledge,
                                              Fitter& fitter) {
  const Installed* installed = find(request, "torch");
  if (installed == nullptr) return std::nullopt;
  const auto version = PackageVersion::parse(installed->version);
  if (!version) return std::nullopt;
  InstalledTorch torch;
  torch.version = *version;
  torch.text = installed->version;
  read_table(torch, request, knowledge);
  read_files(torch, *installed);
  torch.read = !installed->archs.empty();
  if (is_board(request)) read_board(torch, request, knowledge);
  if (!torch.known || torch.without_cuda) return torch;
  torch.fit = fitter.fit_installed(*torch.as);
  // Theirs always name the CUDA; PyPI's default does not.
  if (!torch.read && torch.row != nullptr && !torch.version.local().empty())
    torch.twin = third_party_row(*torch.row, knowledge);
  return torch;
}

std::vector<WrongComponent> wrong_components(const Request& request, const InstalledTorch& torch,
                                             const Knowledge& knowledge) {
  std::vector<WrongComponent> out;
  for (const Installed& package : request.installed) {
    if (package.name == "torch") continue;
    auto wrong = is_pair_package(package.name) ? wrong_pair(package, request, torch, knowledge)
                                               : std::nullopt;
    if (!wrong) wrong = without_code(package, request, torch, knowledge);
    if (wrong) out.push_back(*std::move(wrong));
  }
  add_missing(out, request, torch, knowledge);
  return out;
}

}  // namespace kernelfit::solving
