// SPDX-License-Identifier: Apache-2.0
#include "plan/offline.h"

#include <algorithm>

#include "base/text.h"
#include "plan/caller.h"
#include "plan/parts.h"
#include "plan/wheel_file.h"
#include "solve/cpu.h"
#include "solve/pairs.h"

namespace kernelfit {
namespace {

using namespace planning;
using solving::Specs;

// glibc minors whose manylinux tags are in use. pip takes the tags it is given, and none below.
constexpr int kManylinux[] = {28, 27, 26, 24, 17};
constexpr int kNewestManylinux = 28;

// "cp312-cp312-manylinux_2_28_x86_64" -> its three parts.
std::vector<std::string_view> parts_of(std::string_view tag) {
  return split(tag, '-');
}

std::vector<std::string> platforms_of(const Choice& choice, const Request& request) {
  if (is_windows(request)) return {"win_amd64"};
  const std::string cpu = request.cpu_arch == "aarch64" ? "aarch64" : "x86_64";
  const int newest = request.glibc.has() && request.glibc->major() == 2
                         ? std::min(request.glibc->minor(), kNewestManylinux)
                         : kNewestManylinux;
  std::vector<std::string> out;
  for (const int minor : kManylinux) {
    if (minor <= newest) out.push_back("manylinux_2_" + std::to_string(minor) + "_" + cpu);
  }
  out.push_back("manylinux2014_" + cpu);  // pip adds 2010 and 1 by itself
  for (const std::string& tag : choice.wheel_tags) {
    const std::string platform(parts_of(tag).back());
    if (std::find(out.begin(), out.end(), platform) == out.end()) out.push_back(platform);
  }
  return out;
}

std::vector<std::string> abis_of(const Choice& choice) {
  std::vector<std::string> out;
  for (const std::string& tag : choice.wheel_tags) {
    const auto parts = parts_of(tag);
    if (parts.size() < 3) continue;
    const std::string abi(parts[1]);
    if (std::find(out.begin(), out.end(), abi) == out.end()) out.push_back(abi);
  }
  return out;
}

struct Wheels {
  std::vector<std::string> fetch;    // versions, or the files themselves
  std::vector<std::string> install;  // versions
  std::vector<std::string> remove;
  WheelSource source;
  Said when;  // third party
};

std::string spec(std::string_view package, std::string_view version) {
  return quoted(std::string(package) + "==" + std::string(version));
}

std::string host_of(std::string_view url) {
  const std::size_t start = url.find("://");
  const std::string_view rest = start == std::string_view::npos ? url : url.substr(start + 3);
  return std::string(rest.substr(0, rest.find('/')));
}

std::optional<Wheels> wheels_of(const Choice& choice, const Request& request,
                                const PlanOptions& options, const Knowledge& knowledge) {
  if (choice.build == nullptr || choice.wheel_tags.empty()) return std::nullopt;
  const InstallCommand* row = solving::install_row(*choice.build, knowledge);
  if (row == nullptr) return std::nullopt;
  const Specs specs = solving::specs_for(*choice.build, row, request.pins, knowledge);
  Wheels out;
  out.remove = to_uninstall(specs, *choice.build, request);
  const bool named = is_ambiguous(*row, *choice.build, knowledge);
  const bool on_index = row->index_flag == "--index-url";
  for (const auto& [package, version] : {std::pair(std::string_view("torch"), specs.torch),
                                         {"torchvision", specs.torchvision},
                                         {"torchaudio", specs.torchaudio}}) {
    const bool audio = package == "torchaudio";
    const bool elsewhere = on_index && contains(specs.torch, "+") && !contains(version, "+");
    if (version.empty() || (audio && (named || elsewhere))) continue;
    const std::string url =
        named ? wheel_url(package, version, *row, *choice.build, choice.python, knowledge) : "";
    if (named && package == "torch" && url.empty()) return std::nullopt;
    out.fetch.push_back(url.empty() ? spec(package, version) : url);
    out.install.push_back(spec(package, version));
  }
  if (!named) {
    out.source = official_source(*row);
    if (const auto mirror = mirror_source(*row, options.mirror, knowledge)) out.source = *mirror;
  }
  if (choice.channel.starts_with("third-party"))
    out.when = {"plan.when.third-party", {{"host", host_of(row->index_url)}}};
  return out;
}

std::string download_line(const Choice& choice, const Request& request, const Wheels& wheels,
                          const std::string& folder) {
  std::string line = "python -m pip download --only-binary :all: --dest " + folder;
  line += " --implementation cp --python-version " + choice.python.text();
  for (const std::string& abi : abis_of(choice)) line += " --abi " + abi;
  for (const std::string& platform : platforms_of(choice, request))
    line += " --platform " + platform;
  line += " " + join(wheels.fetch, " ");
  if (!wheels.source.pypi.empty()) line += " --index-url " + wheels.source.pypi;
  if (!wheels.source.flag.empty()) line += " " + wheels.source.flag + " " + wheels.source.url;
  return line;
}

std::vector<CommandBlock> blocks_for(const Choice& choice, const Request& request,
                                     const PlanOptions& options, const std::string& folder,
                                     const Knowledge& knowledge) {
  const auto wheels = wheels_of(choice, request, options, knowledge);
  if (!wheels) return {};
  const bool is_new = request.python.has() && choice.python != request.python->first(2);
  const Caller caller = is_new ? caller_new(choice, request) : caller_here(request, options);
  const std::string where = path_word(folder, request);
  const std::string from = " --no-index --find-links " + where + " " + join(wheels->install, " ");
  const Said then{"plan.when.offline-install", {{"folder", folder}}};
  CommandBlock fetch{"pip",
                     shell_of(request),
                     {download_line(choice, request, *wheels, where)},
                     {"plan.when.offline-download",
                      {{"system", is_windows(request) ? "Windows" : "Linux"},
                       {"arch", request.cpu_arch},
                       {"python", choice.python.text()}}}};
  if (!wheels->when.key.empty()) fetch.when = wheels->when;
  CommandBlock pip{"pip", shell_of(request), caller.pip_make, then};
  CommandBlock uv{"uv", shell_of(request), caller.uv_make, then};
  if (!wheels->remove.empty() && !is_new) {
    pip.lines.push_back(caller.pip_remove + " " + join(wheels->remove, " "));
    uv.lines.push_back(caller.uv_remove + " " + join(wheels->remove, " "));
  }
  pip.lines.push_back(caller.pip + from);
  uv.lines.push_back(caller.uv + " --offline" + from);
  if (choice.python.major() < 3) return {std::move(fetch), std::move(pip)};  // uv serves no 2.7
  return {std::move(fetch), std::move(pip), std::move(uv)};
}

bool is_of_driver(const CommandBlock& block) {
  return block.tool == "driver";
}

// The CPU build is a choice too, where nothing else runs.
std::optional<Choice> chosen(const Plan& plan, const Request& request, const Knowledge& knowledge) {
  if (!plan.answer.cpu_only) return plan.answer.choice;
  return solving::cpu_choice(request, knowledge);
}

}  // namespace

void make_offline(Plan& plan, const Request& request, const PlanOptions& options,
                  const std::string& folder, const Knowledge& knowledge) {
  const bool installs = std::any_of(plan.commands.begin(), plan.commands.end(),
                                    [](const CommandBlock& one) { return !is_of_driver(one); });
  std::erase_if(plan.commands, [](const CommandBlock& one) { return !is_of_driver(one); });
  if (!plan.commands.empty()) plan.notes.push_back({"plan.note.offline-driver", {}});
  const auto choice = chosen(plan, request, knowledge);
  if (installs && choice) {
    auto blocks = blocks_for(*choice, request, options, folder, knowledge);
    if (blocks.empty())
      plan.notes.push_back({"plan.note.offline-none", {{"channel", choice->channel}}});
    std::move(blocks.begin(), blocks.end(), std::back_inserter(plan.commands));
  }
  plan.alternative_commands.clear();
  for (const Choice& alternative : plan.answer.alternatives)
    plan.alternative_commands.push_back(
        blocks_for(alternative, request, options, folder, knowledge));
}

}  // namespace kernelfit
