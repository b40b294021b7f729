// SPDX-License-Identifier: Apache-2.0
// How a driver of a branch comes onto a system. Linux distributions each have their own packages
// and names for old branches; Blackwell and newer need the open flavour of the kernel module, what
// is older than Turing has only the proprietary one.
#include <algorithm>

#include "base/text.h"
#include "plan/parts.h"
#include "solve/fitter.h"

namespace kernelfit {
namespace {

struct Steps {
  int branch = 0;
  std::string version;  // "580.178.04"
  std::string flavor;   // "open", "proprietary"
  std::string cpu_arch;
  std::string distribution;  // "Ubuntu 24.04", may be empty
  bool limited = false;      // a branch after this one no longer serves a card
};

// Where either flavour serves, NVIDIA's own default since 560 is the open one.
std::string flavor_for(const std::vector<Card>& cards, int branch) {
  for (const Card& card : cards) {
    const std::string_view flavor = module_flavor_for(card);
    if (!flavor.empty()) return std::string(flavor);
  }
  return branch >= 560 && !cards.empty() ? "open" : "proprietary";
}

bool open(const Steps& steps) {
  return steps.flavor == "open";
}
std::string number(const Steps& steps) {
  return std::to_string(steps.branch);
}

std::vector<std::string> ubuntu(const Steps& steps) {
  return {"sudo apt-get update",
          "sudo apt-get install nvidia-driver-" + number(steps) + (open(steps) ? "-open" : "")};
}

// Debian 12 carries 470 as a package of its own; newer branches come from NVIDIA's repository,
// pinned, so that an upgrade does not leave the branch.
std::vector<std::string> debian(const Steps& steps) {
  const bool bookworm = steps.distribution.empty() || contains(steps.distribution, "12");
  if (steps.branch == 470 && bookworm)
    return {"sudo apt-get update",
            "sudo apt-get install linux-headers-amd64 nvidia-tesla-470-driver"};
  if (steps.branch < 580) return {};
  const std::string release = bookworm ? "debian12" : "debian13";
  const std::string arch = steps.cpu_arch == "aarch64" ? "sbsa" : "x86_64";
  return {"wget https://developer.download.nvidia.com/compute/cuda/repos/" + release + "/" + arch +
              "/cuda-keyring_1.1-1_all.deb",
          "sudo dpkg -i cuda-keyring_1.1-1_all.deb", "sudo apt-get update",
          "sudo apt-get install nvidia-driver-pinning-" + number(steps),
          std::string("sudo apt-get install ") + (open(steps) ? "nvidia-open" : "cuda-drivers")};
}

// RPM Fusion: the newest branch without a number, legacy branches as "470xx", "580xx". Its module
// is the open one only where a macro says so.
std::vector<std::string> fedora(const Steps& steps) {
  const std::string base = "https://mirrors.rpmfusion.org/";
  const std::string release = "-release-$(rpm -E %fedora).noarch.rpm";
  const std::string suffix = steps.limited ? "-" + number(steps) + "xx" : "";
  std::vector<std::string> out = {"sudo dnf install " + base + "free/fedora/rpmfusion-free" +
                                  release + " " + base + "nonfree/fedora/rpmfusion-nonfree" +
                                  release};
  if (open(steps))
    out.push_back("echo '%_with_kmod_nvidia_open 1' | sudo tee /etc/rpm/macros.nvidia-kmod");
  out.push_back("sudo dnf install akmod-nvidia" + suffix + " xorg-x11-drv-nvidia" + suffix +
                "-cuda");
  return out;
}

// The repositories carry the newest branch in its open flavour; older branches are in the AUR.
std::vector<std::string> arch_linux(const Steps& steps) {
  if (!steps.limited) return {"sudo pacman -S nvidia-open-dkms nvidia-utils linux-headers"};
  const std::string package = "nvidia-" + number(steps) + "xx-utils";
  return {"git clone https://aur.archlinux.org/" + package + ".git",
          "cd " + package + " && makepkg -si"};
}

// G04 390, G05 470, G06 550 to 580, G07 newer.
std::vector<std::string> opensuse(const Steps& steps) {
  const std::string generation = steps.branch > 580    ? "G07"
                                 : steps.branch > 470  ? "G06"
                                 : steps.branch == 470 ? "G05"
                                                       : "G04";
  const std::string package =
      open(steps)
          ? "nvidia-open-driver-" + generation + "-signed-kmp-default nvidia-compute-utils-" +
                generation
          : "nvidia-driver-" + generation + "-kmp-default nvidia-compute-utils-" + generation;
  const bool tumbleweed = contains(lower(steps.distribution), "tumbleweed");
  return {std::string("sudo zypper addrepo --refresh https://download.nvidia.com/opensuse/") +
              (tumbleweed ? "tumbleweed" : "leap/15.6") + " NVIDIA",
          "sudo zypper install " + package};
}

// NVIDIA's own installer: the only one that takes any version on any distribution.
std::vector<std::string> run_file(const Steps& steps) {
  const std::string system = steps.cpu_arch == "aarch64" ? "Linux-aarch64" : "Linux-x86_64";
  const std::string folder = steps.cpu_arch == "aarch64" ? "aarch64" : "XFree86/Linux-x86_64";
  const std::string file = "NVIDIA-" + system + "-" + steps.version + ".run";
  std::string line = "sudo sh " + file;
  if (steps.branch >= 515) line += open(steps) ? " -M open" : " -M proprietary";
  return {"wget https://us.download.nvidia.com/" + folder + "/" + steps.version + "/" + file, line};
}

struct Distribution {
  std::string_view name;  // in the message catalogue: plan.when.distribution
  std::string_view word;  // in the name of the system
  std::vector<std::string> (*lines)(const Steps&);
};
constexpr Distribution kDistributions[] = {
    {"Ubuntu", "ubuntu", ubuntu},   {"Debian", "debian", debian},
    {"Fedora", "fedora", fedora},   {"Arch Linux", "arch", arch_linux},
    {"openSUSE", "suse", opensuse},
};

CommandBlock block(std::vector<std::string> lines, std::string_view distribution,
                   const Steps& steps) {
  return {"driver",
          "sh",
          std::move(lines),
          {steps.limited ? "plan.when.distribution" : "plan.when.distribution-newer",
           {{"distribution", std::string(distribution)},
            {"flavor", steps.flavor},
            {"driver", steps.version}}}};
}

std::vector<CommandBlock> linux_blocks(const Steps& steps) {
  std::vector<CommandBlock> out;
  const std::string here = lower(steps.distribution);
  for (const Distribution& distribution : kDistributions) {
    if (!here.empty() && !contains(here, distribution.word)) continue;
    std::vector<std::string> lines = distribution.lines(steps);
    if (!lines.empty()) out.push_back(block(std::move(lines), distribution.name, steps));
  }
  CommandBlock any{"driver",
                   "sh",
                   run_file(steps),
                   {"plan.when.run-file", {{"driver", steps.version}, {"flavor", steps.flavor}}}};
  out.push_back(std::move(any));
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
  if (os == DriverOs::windows) return windows_blocks(request, driver.text());
  const DriverBranch* branch = branch_of(driver, os, knowledge);
  Steps steps;
  steps.branch = branch == nullptr ? driver.major() : branch->branch;
  steps.version = driver.text();
  steps.flavor = flavor_for(request.cards, steps.branch);
  steps.cpu_arch = request.cpu_arch;
  steps.limited = std::any_of(request.cards.begin(), request.cards.end(),
                              [](const Card& card) { return card.last_branch != 0; });
  steps.distribution = request.os_name;
  return linux_blocks(steps);
}

}  // namespace kernelfit
