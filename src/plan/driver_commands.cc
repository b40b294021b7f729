// SPDX-License-Identifier: Apache-2.0
// How a driver of a branch comes onto a system. Blackwell and newer need the open flavour of the
// kernel module, what is older than Turing has only the proprietary one. Commands only for the
// distribution release that is there; words elsewhere.
#include <algorithm>

#include "base/text.h"
#include "plan/distributions.h"
#include "plan/parts.h"
#include "solve/fitter.h"
#include "solve/host_conflict.h"

namespace kernelfit {
namespace {

using planning::Distribution;
using planning::DriverSteps;
using planning::Family;

// Where either flavour serves, NVIDIA's own default since 560 is the open one.
std::string flavor_for(const std::vector<Card>& cards, int branch) {
  for (const Card& card : cards) {
    const std::string_view flavor = module_flavor_for(card);
    if (!flavor.empty()) return std::string(flavor);
  }
  return branch >= 560 && !cards.empty() ? "open" : "proprietary";
}

// NVIDIA's own installer: any version, on any distribution whose kernel modules are its own files.
std::vector<std::string> run_file(const DriverSteps& steps) {
  const std::string system = steps.cpu_arch == "aarch64" ? "Linux-aarch64" : "Linux-x86_64";
  const std::string folder = steps.cpu_arch == "aarch64" ? "aarch64" : "XFree86/Linux-x86_64";
  const std::string file = "NVIDIA-" + system + "-" + steps.version + ".run";
  std::string line = "sudo sh " + file;
  if (steps.branch >= 515) line += steps.flavor == "open" ? " -M open" : " -M proprietary";
  return {"wget https://us.download.nvidia.com/" + folder + "/" + steps.version + "/" + file, line};
}

Fill values_of(const DriverSteps& steps, std::string_view system) {
  return {{"distribution", std::string(system)},
          {"flavor", steps.flavor},
          {"driver", steps.version},
          {"branch", std::to_string(steps.branch)}};
}

CommandBlock words(std::string key, const DriverSteps& steps, std::string_view system) {
  return {"driver", "sh", {}, {std::move(key), values_of(steps, system)}};
}

CommandBlock package_block(std::vector<std::string> lines, const DriverSteps& steps,
                           std::string_view system) {
  return {"driver",
          "sh",
          std::move(lines),
          {steps.limited ? "plan.when.distribution" : "plan.when.distribution-newer",
           values_of(steps, system)}};
}

CommandBlock run_file_block(const DriverSteps& steps) {
  return {"driver", "sh", run_file(steps), {"plan.when.run-file", values_of(steps, "")}};
}

// Which system it is was not looked at or not found out: words first, then what would do where.
std::vector<CommandBlock> blocks_anywhere(const DriverSteps& steps) {
  std::vector<CommandBlock> out = {words("plan.when.driver-any-system", steps, "")};
  for (const auto& [name, distribution] : planning::common_distributions()) {
    auto lines = planning::driver_package_lines(distribution, steps);
    if (!lines.empty()) out.push_back(package_block(std::move(lines), steps, name));
  }
  out.push_back(run_file_block(steps));
  return out;
}

// nixpkgs keeps the branches that cards depend on as legacy_470, legacy_580.
std::string nixos_key(const DriverSteps& steps) {
  const bool legacy = steps.limited && (steps.branch == 470 || steps.branch == 580);
  return legacy ? "plan.when.driver-nixos-legacy" : "plan.when.driver-nixos";
}

std::vector<CommandBlock> linux_blocks(const DriverSteps& steps, const std::string& system) {
  const Distribution distribution = planning::parse_distribution(system);
  switch (distribution.family) {
    case Family::none: return blocks_anywhere(steps);
    case Family::other: return {words("plan.when.driver-other-system", steps, system)};
    case Family::image: return {words("plan.when.driver-image", steps, system)};
    case Family::nixos: return {words(nixos_key(steps), steps, system)};
    default: break;
  }
  std::vector<CommandBlock> out;
  auto lines = planning::driver_package_lines(distribution, steps);
  if (!lines.empty()) out.push_back(package_block(std::move(lines), steps, system));
  out.push_back(run_file_block(steps));
  return out;
}

// Windows and WSL: the page asks for the product; WSL's driver is the Windows one.
std::vector<CommandBlock> windows_blocks(const Request& request, const std::string& version) {
  const Fill values = {{"driver", version},
                       {"gpu", request.cards.empty() ? "" : request.cards.front().label}};
  const bool wsl = request.os == "wsl";
  CommandBlock windows{"driver",
                       "powershell",
                       {"start https://www.nvidia.com/en-us/drivers/"},
                       {wsl ? "plan.when.wsl-driver" : "plan.when.windows-driver", values}};
  if (wsl) windows.lines.push_back("wsl --update");
  if (wsl) windows.lines.push_back("wsl --shutdown");
  return {std::move(windows)};
}

}  // namespace

std::vector<CommandBlock> driver_commands(const Request& request, const DottedVersion& driver,
                                          const Knowledge& knowledge) {
  const DriverOs os = solving::driver_os(request);
  if (host_conflict(request, knowledge)) return {};
  if (os == DriverOs::windows) return windows_blocks(request, driver.text());
  const DriverBranch* branch = branch_of(driver, os, knowledge);
  DriverSteps steps;
  steps.branch = branch == nullptr ? driver.major() : branch->branch;
  steps.version = driver.text();
  steps.flavor = flavor_for(request.cards, steps.branch);
  steps.cpu_arch = request.cpu_arch;
  steps.limited = std::any_of(request.cards.begin(), request.cards.end(),
                              [](const Card& card) { return card.last_branch != 0; });
  return linux_blocks(steps, request.os_name);
}

}  // namespace kernelfit
