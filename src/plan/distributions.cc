// SPDX-License-Identifier: Apache-2.0
#include "plan/distributions.h"

#include <algorithm>

#include "base/text.h"

namespace kernelfit::planning {
namespace {

bool open(const DriverSteps& steps) {
  return steps.flavor == "open";
}
std::string number(const DriverSteps& steps) {
  return std::to_string(steps.branch);
}

// First match wins: "Fedora Linux 43 (Silverblue)" before "Fedora Linux 43".
struct NameRow {
  std::string_view words;  // in the name, lower case
  Family family;
};
constexpr NameRow kNames[] = {
    {"nixos", Family::nixos},          {"silverblue", Family::image},
    {"kinoite", Family::image},        {"sway atomic", Family::image},
    {"budgie atomic", Family::image},  {"cosmic atomic", Family::image},
    {"coreos", Family::image},         {"bazzite", Family::image},
    {"bluefin", Family::image},        {"aurora", Family::image},
    {"truenas", Family::image},        {"steamos", Family::image},
    {"microos", Family::image},        {"aeon", Family::image},
    {"kalpa", Family::image},          {"unraid", Family::image},
    {"container-opt", Family::image},  {"flatcar", Family::image},
    {"talos", Family::image},          {"bottlerocket", Family::image},
    {"ubuntu core", Family::image},    {"ubuntu", Family::ubuntu},
    {"debian", Family::debian},        {"fedora", Family::fedora},
    {"arch linux", Family::arch},      {"opensuse", Family::opensuse},
    {"linux mint", Family::classic},   {"pop!_os", Family::classic},
    {"red hat", Family::classic},      {"rocky", Family::classic},
    {"almalinux", Family::classic},    {"centos", Family::classic},
    {"oracle linux", Family::classic}, {"suse linux", Family::classic},
};

// "Debian GNU/Linux 12 (bookworm)" -> 12, "openSUSE Leap 15.6" -> 15.6; "trixie/sid" -> empty.
DottedVersion release_in(std::string_view name) {
  for (const std::string_view word : split_words(name)) {
    if (const auto version = DottedVersion::parse(word)) return *version;
  }
  return {};
}

bool is_one_of(int branch, std::initializer_list<int> branches) {
  return std::find(branches.begin(), branches.end(), branch) != branches.end();
}

// The branches that the archive of each release carries.
bool ubuntu_has(const DottedVersion& release, int branch) {
  if (release == dotted("20.04")) return is_one_of(branch, {470, 535});
  if (release == dotted("22.04") || release == dotted("24.04"))
    return is_one_of(branch, {470, 535, 550, 570, 580});
  return release > dotted("24.04") && branch == 580;
}

std::vector<std::string> ubuntu(const DottedVersion& release, const DriverSteps& steps) {
  if (!ubuntu_has(release, steps.branch)) return {};
  return {"sudo apt-get update",
          "sudo apt-get install nvidia-driver-" + number(steps) + (open(steps) ? "-open" : "")};
}

// Debian 11 and 12 carry 470 as a package of its own, outside of what a system has by itself; newer
// branches come from NVIDIA's repository, pinned, so that an upgrade does not leave the branch.
std::vector<std::string> debian(const DottedVersion& release, const DriverSteps& steps) {
  const int major = release.empty() ? 0 : release.major();
  if (steps.branch == 470 && (major == 11 || major == 12))
    return {"sudo apt-get install software-properties-common",
            "sudo add-apt-repository --component contrib --component non-free",
            "sudo apt-get update",
            "sudo apt-get install linux-headers-amd64 nvidia-tesla-470-driver"};
  if (steps.branch < 580 || (major != 12 && major != 13)) return {};
  const std::string arch = steps.cpu_arch == "aarch64" ? "sbsa" : "x86_64";
  return {"wget https://developer.download.nvidia.com/compute/cuda/repos/debian" +
              std::to_string(major) + "/" + arch + "/cuda-keyring_1.1-1_all.deb",
          "sudo dpkg -i cuda-keyring_1.1-1_all.deb", "sudo apt-get update",
          "sudo apt-get install nvidia-driver-pinning-" + number(steps),
          std::string("sudo apt-get install ") + (open(steps) ? "nvidia-open" : "cuda-drivers")};
}

// RPM Fusion: the newest branch without a number, legacy branches as "470xx", "580xx". Its module
// is the open one only where a macro says so.
std::vector<std::string> fedora(const DottedVersion& release, const DriverSteps& steps) {
  if (release.empty() || release.major() < 41) return {};
  if (steps.limited && !is_one_of(steps.branch, {470, 580})) return {};
  const std::string base = "https://mirrors.rpmfusion.org/";
  const std::string rpm = "-release-$(rpm -E %fedora).noarch.rpm";
  const std::string suffix = steps.limited ? "-" + number(steps) + "xx" : "";
  std::vector<std::string> out = {"sudo dnf install " + base + "free/fedora/rpmfusion-free" + rpm +
                                  " " + base + "nonfree/fedora/rpmfusion-nonfree" + rpm};
  if (open(steps))
    out.push_back("echo '%_with_kmod_nvidia_open 1' | sudo tee /etc/rpm/macros.nvidia-kmod");
  out.push_back("sudo dnf install akmod-nvidia" + suffix + " xorg-x11-drv-nvidia" + suffix +
                "-cuda");
  return out;
}

// The repositories carry the newest branch in its open flavour; older branches are in the AUR.
std::vector<std::string> arch_linux(const DriverSteps& steps) {
  if (steps.cpu_arch == "aarch64") return {};  // Arch is x86_64 alone
  if (!steps.limited) return {"sudo pacman -S nvidia-open-dkms nvidia-utils linux-headers"};
  if (!is_one_of(steps.branch, {390, 470, 580})) return {};
  const std::string package = "nvidia-" + number(steps) + "xx-utils";
  return {"git clone https://aur.archlinux.org/" + package + ".git",
          "cd " + package + " && makepkg -si"};
}

// G04 390, G05 470, G06 550 to 580, G07 newer.
std::vector<std::string> opensuse(const DottedVersion& release, const DriverSteps& steps) {
  const bool tumbleweed = release.empty() || release.major() > 2000;
  if (!tumbleweed && release != dotted("15.6")) return {};
  const std::string generation = steps.branch > 580    ? "G07"
                                 : steps.branch > 470  ? "G06"
                                 : steps.branch == 470 ? "G05"
                                                       : "G04";
  const std::string package =
      open(steps)
          ? "nvidia-open-driver-" + generation + "-signed-kmp-default nvidia-compute-utils-" +
                generation
          : "nvidia-driver-" + generation + "-kmp-default nvidia-compute-utils-" + generation;
  return {std::string("sudo zypper addrepo --refresh https://download.nvidia.com/opensuse/") +
              (tumbleweed ? "tumbleweed" : "leap/15.6") + " NVIDIA",
          "sudo zypper install " + package};
}

}  // namespace

Distribution parse_distribution(std::string_view os_name) {
  if (trim(os_name).empty()) return {};
  const std::string name = lower(os_name);
  for (const NameRow& row : kNames) {
    if (contains(name, row.words)) return {row.family, release_in(os_name)};
  }
  return {Family::other, {}};
}

std::vector<std::string> driver_package_lines(const Distribution& distribution,
                                              const DriverSteps& steps) {
  switch (distribution.family) {
    case Family::ubuntu: return ubuntu(distribution.release.first(2), steps);
    case Family::debian: return debian(distribution.release, steps);
    case Family::fedora: return fedora(distribution.release, steps);
    case Family::arch: return arch_linux(steps);
    case Family::opensuse: return opensuse(distribution.release, steps);
    default: return {};
  }
}

std::vector<NamedDistribution> common_distributions() {
  return {{"Ubuntu 24.04", {Family::ubuntu, dotted("24.04")}},
          {"Debian 12", {Family::debian, dotted("12")}},
          {"Fedora 43", {Family::fedora, dotted("43")}},
          {"Arch Linux", {Family::arch, {}}},
          {"openSUSE Leap 15.6", {Family::opensuse, dotted("15.6")}}};
}

}  // namespace kernelfit::planning
