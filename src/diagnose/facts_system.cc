// SPDX-License-Identifier: Apache-2.0
#include "diagnose/facts_system.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace kernelfit {
namespace {

struct Family {
  std::string_view word;  // in the lower-case name of /etc/os-release
  std::string_view family;
  std::string_view initramfs;
};
constexpr std::array<Family, 14> kFamilies = {{
    {"ubuntu", "debian", "sudo update-initramfs -u"},
    {"debian", "debian", "sudo update-initramfs -u"},
    {"mint", "debian", "sudo update-initramfs -u"},
    {"pop!_os", "debian", "sudo update-initramfs -u"},
    {"fedora", "fedora", "sudo dracut --force"},
    {"red hat", "fedora", "sudo dracut --force"},
    {"centos", "fedora", "sudo dracut --force"},
    {"rocky", "fedora", "sudo dracut --force"},
    {"alma", "fedora", "sudo dracut --force"},
    {"suse", "suse", "sudo dracut --force"},
    {"arch", "arch", "sudo mkinitcpio -P"},
    {"manjaro", "arch", "sudo mkinitcpio -P"},
    {"cachyos", "arch", "sudo mkinitcpio -P"},
    {"endeavouros", "arch", "sudo mkinitcpio -P"},
}};

void set_family(Facts& facts, const System& system) {
  facts.set_unknown("system.family");
  facts.set_unknown("system.initramfs");
  if (!system.os_name.has()) return;
  std::string name = lower(*system.os_name);
  for (const auto& one : kFamilies) {
    if (!contains(name, one.word)) continue;
    facts.set_known("system.family", std::string(one.family), system.os_name.source());
    return facts.set("system.initramfs",
                     {FactState::known, std::string(one.initramfs), {}, {}, true});
  }
}

bool says_mismatch(const Machine& machine) {
  return std::any_of(machine.kernel_events.begin(), machine.kernel_events.end(),
                     [](const auto& event) { return event.kind == "api-mismatch"; });
}

// Libraries and kernel module of the driver have to be one version. WSL and Windows have no such
// pair, and the compat library of a container is another version on purpose.
Fact<bool> mismatch(const Machine& machine) {
  const Driver& driver = machine.driver;
  if (!machine.system.os.is("linux") || machine.system.l4t.has()) {
    return Fact<bool>::absent(machine.system.os.source());
  }
  if (driver.nvml.is("version-mismatch")) return Fact<bool>::known(true, driver.nvml.source());
  if (driver.nvml.is("ok") || driver.nvml.is("no-devices"))
    return Fact<bool>::known(false, driver.nvml.source());
  if (driver.library_problem.is("compat") || driver.library_problem.is("stub")) return {};
  if (!driver.library_version.has() && says_mismatch(machine)) {
    return Fact<bool>::known(true, "kernel log");
  }
  if (!driver.version.has() || !driver.library_version.has()) return {};
  return Fact<bool>::known(*driver.version != *driver.library_version,
                           driver.library_version.source());
}

// An upgrade leaves new libraries and a new module on the disk beside the old module in memory: a
// restart cures it, unless module and libraries on the disk differ as well.
bool by_upgrade(const Driver& driver) {
  if (driver.library_problem.is("duplicate")) return false;
  if (!driver.module_on_disk.has() || !driver.library_version.has()) return true;
  return *driver.module_on_disk == *driver.library_version;
}

void set_mismatch(Facts& facts, const Machine& machine) {
  Fact<bool> found = mismatch(machine);
  facts.set_fact("driver.mismatch", found);
  facts.set_unknown("driver.mismatch_by_upgrade");
  if (found.is(true)) facts.set_truth("driver.mismatch_by_upgrade", by_upgrade(machine.driver));
}

void set_version(Facts& facts, const std::string& name, const Fact<DottedVersion>& version) {
  facts.set_fact(name, version);
  facts.set(name + "_major",
            {version.state(), version.has() ? version->first(1).text() : "", version.source()});
}

// The version behind a word of a path: 8.0.3.33 of ".../cudnn/v8.0.3.33-cuda.11.0/…", 12.1 of
// "/usr/local/cuda-12.1/lib64". Clusters name their modules' folders so.
Fact<DottedVersion> version_in(std::string_view path, std::string_view word) {
  auto at = path.find(word);
  if (at == std::string_view::npos) return Fact<DottedVersion>::absent("LD_LIBRARY_PATH");
  path.remove_prefix(at + word.size());
  while (!path.empty() && contains("/-v", path.substr(0, 1))) path.remove_prefix(1);
  auto end = path.find_first_not_of("0123456789.");
  auto version = DottedVersion::parse(path.substr(0, end));
  if (!version || version->size() < 2) return Fact<DottedVersion>::absent("LD_LIBRARY_PATH");
  return Fact<DottedVersion>::known(*version, "LD_LIBRARY_PATH");
}

const Toolkit* toolkit_of(std::string_view folder, const Machine& machine) {
  for (const auto& toolkit : machine.toolkits) {
    if (!toolkit.path.empty() && folder.starts_with(toolkit.path)) return &toolkit;
  }
  return nullptr;
}

// What lies on LD_LIBRARY_PATH: the first folder of a toolkit or a cuDNN, as it was read, else by
// the name of the folder.
void set_loader(Facts& facts, const Machine& machine) {
  for (auto name : {"loader.toolkit", "loader.toolkit_major", "loader.toolkit_path", "loader.cudnn",
                    "loader.cudnn_major"}) {
    facts.set_absent(name, "LD_LIBRARY_PATH");
  }
  if (!machine.variables.ld_library_path.has()) return;
  for (auto folder : split(*machine.variables.ld_library_path, ':')) {
    const Toolkit* toolkit = toolkit_of(folder, machine);
    auto cudnn = toolkit != nullptr ? toolkit->cudnn : version_in(folder, "cudnn");
    auto version = toolkit != nullptr          ? toolkit->version
                   : contains(folder, "cudnn") ? Fact<DottedVersion>::absent("")
                                               : version_in(folder, "cuda");
    if (!cudnn.has() && !version.has()) continue;
    set_version(facts, "loader.toolkit", version);
    set_version(facts, "loader.cudnn", cudnn);
    return facts.set_known("loader.toolkit_path", std::string(folder), "LD_LIBRARY_PATH");
  }
}

}  // namespace

void set_system(Facts& facts, const Machine& machine) {
  set_family(facts, machine.system);
  set_mismatch(facts, machine);
  set_loader(facts, machine);
}

}  // namespace kernelfit
