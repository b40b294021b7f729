// SPDX-License-Identifier: Apache-2.0
#include "plan/conda.h"

#include <algorithm>

#include "base/text.h"
#include "plan/parts.h"
#include "solve/fitter.h"
#include "solve/pairs.h"

namespace kernelfit::planning {
namespace {

std::string prefix_words(const Request& request, const PlanOptions& options) {
  if (options.conda_prefix.empty()) return {};
  return " -p " + path_word(options.conda_prefix, request);
}

// A mirror's copy of a channel, where it has one; TUNA and USTC have no nvidia channel.
std::string channel_word(std::string_view channel, std::string_view mirror,
                         const Knowledge& knowledge) {
  const std::string base = mirror_base(mirror, "conda", knowledge);
  const bool has = channel == "conda-forge" || (channel == "pytorch" && mirror != "ustc");
  if (base.empty() || !has) return std::string(channel);
  return base + "/cloud/" + std::string(channel);
}

// "pytorch-gpu=2.13.0 cuda-version=12.9" and the pin that keeps cuDNN code for older cards.
std::vector<std::string> spec_words(const InstallCommand& row, const TorchBuild& build,
                                    const Request& request) {
  std::vector<std::string> out;
  for (const std::string_view word : split_words(row.conda_pins)) out.push_back(quoted(word));
  const std::string pin = solving::cudnn_pin(build, request.cards);
  if (!pin.empty()) out.push_back(quoted(pin));
  return out;
}

}  // namespace

std::vector<CommandBlock> conda_blocks(const Choice& choice, const Request& request,
                                       const PlanOptions& options, const Target& target,
                                       const Knowledge& knowledge) {
  const InstallCommand* row = solving::install_row(*choice.build, knowledge);
  if (row == nullptr) return {};
  CommandBlock block{"conda", shell_of(request), {}, {}};
  std::string where = prefix_words(request, options);
  if (target.new_environment) {
    const std::string name = "torch-" + choice.python.text();
    block.lines.push_back("conda create -n " + name + " python=" + choice.python.text());
    where = " -n " + name;
  }
  const bool cpuonly =
      !target.new_environment &&
      std::any_of(request.installed.begin(), request.installed.end(),
                  [](const Installed& installed) { return installed.name == "cpuonly"; });
  // While it is there conda takes no other build.
  if (cpuonly) block.lines.push_back("conda remove" + where + " cpuonly");
  std::string line = "conda install" + where;
  if (target.damaged) line += " --force-reinstall";
  for (const std::string_view channel : split_words(row->conda_channels))
    line += " -c " + channel_word(channel, options.mirror, knowledge);
  for (const std::string& word : spec_words(*row, *choice.build, request)) line += " " + word;
  block.lines.push_back(std::move(line));
  return {std::move(block)};
}

std::string conda_remove_line(const Request& request, const PlanOptions& options) {
  return "conda remove --force" + prefix_words(request, options) + " pytorch libtorch";
}

std::vector<CommandBlock> rebuild_blocks(const Answer::Component& component, const Request& request,
                                         const std::string& pip) {
  std::vector<std::string> archs;
  for (const Card& card : request.cards) {
    if (card.capability.has() &&
        std::find(archs.begin(), archs.end(), card.capability->text()) == archs.end())
      archs.push_back(card.capability->text());
  }
  const std::string list = join(archs, ";");
  CommandBlock block{"pip", shell_of(request), {}, {"plan.when.rebuild", {}}};
  const std::string line =
      pip + " --force-reinstall --no-deps --no-cache-dir --no-build-isolation" + " --no-binary " +
      component.package + " " + quoted(component.package + "==" + component.version);
  if (is_windows(request)) {
    block.lines = {"$env:TORCH_CUDA_ARCH_LIST = \"" + list + "\"", line};
  } else {
    block.lines = {"export TORCH_CUDA_ARCH_LIST=\"" + list + "\"", line};
  }
  return {std::move(block)};
}

}  // namespace kernelfit::planning
