// SPDX-License-Identifier: Apache-2.0
#include "probe/module_on_disk.h"

#include <algorithm>

#include "elf/elf_file.h"
#include "nvidia/modules.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

constexpr std::string_view kDkms = "/var/lib/dkms";

// nvidia.ko.zst, and Debian's nvidia-current.ko, nvidia-current-open.ko, nvidia-tesla-470.ko,
// nvidia-legacy-390xx.ko; not nvidia-uvm.ko, nvidia-drm.ko, nvidia-current-modeset.ko, …
bool is_driver_module(std::string_view file_name) {
  std::size_t ko = file_name.find(".ko");
  if (!file_name.starts_with("nvidia") || ko == file_name.npos) return false;
  std::string name = replace_all(std::string(file_name.substr(0, ko)), "_", "-");
  for (std::string_view part : {"-uvm", "-drm", "-modeset", "-peermem", "-fs", "-vgpu", "-wmi"}) {
    if (contains(name, part)) return false;
  }
  return name == "nvidia" || name.starts_with("nvidia-current") ||
         name.starts_with("nvidia-tesla") || name.starts_with("nvidia-legacy");
}

// modules.dep of depmod: "updates/dkms/nvidia.ko.zst: kernel/drivers/char/drm/drm.ko.zst"
std::string find_in_modules_dep(std::string_view text) {
  for (std::string_view line : lines_of(text)) {
    std::string_view path = line.substr(0, line.find(':'));
    if (is_driver_module(base_name(path))) return std::string(path);
  }
  return {};
}

// A module that is not compressed says its version in its section .modinfo.
ModuleInfo read_ko(const Host& host, const std::string& path) {
  Result<std::unique_ptr<RandomAccess>> file = host.open_file(path);
  if (!file) return {};
  Result<ElfFile> elf = parse_elf(**file);
  if (!elf) return {};
  for (const ElfSection& section : elf->sections) {
    if (section.name != ".modinfo" || section.size_bytes > (1U << 20)) continue;
    std::string bytes(static_cast<std::size_t>(section.size_bytes), '\0');
    if (!(*file)->read(section.offset, std::as_writable_bytes(std::span(bytes)))) return {};
    return parse_modinfo_section(bytes);
  }
  return {};
}

// modinfo shows the module of the running kernel; Debian's has a name of its own.
ModuleInfo run_modinfo(const Host& host, const std::string& path, bool& has_none) {
  Result<CommandResult> result = host.run({.argv = {"modinfo", "nvidia"}, .env = {}});
  // modinfo: ERROR: Module nvidia not found.
  has_none =
      path.empty() && result && contains(result->err + result->out, "Module nvidia not found");
  if (result && result->status != 0 && !path.empty()) {
    std::string_view name = base_name(path);
    std::string module(name.substr(0, name.find(".ko")));
    if (module != "nvidia") result = host.run({.argv = {"modinfo", module}, .env = {}});
  }
  if (!result || result->status != 0) return {};
  return parse_modinfo(result->out);
}

// /var/lib/dkms/nvidia/580.105.08/6.8.0-87-generic/x86_64/module; kernel-6.8.0-87-generic-x86_64 is
// a link where it is installed. Read as files: the program dkms takes a second.
std::optional<std::vector<DkmsModule>> read_dkms_tree(const Host& host) {
  Result<std::vector<DirEntry>> modules = host.list_dir(kDkms);
  if (!modules) return std::nullopt;
  std::vector<DkmsModule> out;
  for (const DirEntry& module : *modules) {
    if (!module.name.starts_with("nvidia") || module.name.starts_with("nvidia-fs")) continue;
    std::string folder = join_path(kDkms, module.name);
    Result<std::vector<DirEntry>> versions = host.list_dir(folder);
    if (!versions) continue;
    std::vector<std::string> installed;
    for (const DirEntry& entry : *versions) {
      if (entry.name.starts_with("kernel-")) installed.push_back(entry.name.substr(7));
    }
    for (const DirEntry& version : *versions) {
      std::optional<DottedVersion> number = driver_version_of_package(version.name);
      if (!number || version.name.starts_with("kernel-")) continue;
      out.push_back({module.name, *number, {}, "added"});
      Result<std::vector<DirEntry>> kernels = host.list_dir(join_path(folder, version.name));
      if (!kernels) continue;
      for (const DirEntry& kernel : *kernels) {
        if (kernel.name == "source" || kernel.name == "build") continue;
        bool is_installed = std::ranges::any_of(installed, [&](const std::string& name) {
          return name.starts_with(kernel.name + "-");
        });
        out.push_back({module.name, *number, kernel.name, is_installed ? "installed" : "built"});
      }
    }
  }
  return out;
}

std::vector<DkmsModule> read_dkms(const Host& host, bool may_run) {
  if (auto tree = read_dkms_tree(host)) return *tree;
  if (!may_run) return {};
  Result<CommandResult> result = host.run({.argv = {"dkms", "status"}, .env = {}});
  if (!result || result->timed_out) return {};
  std::vector<DkmsModule> modules = parse_dkms_status(result->out);
  std::erase_if(modules, [](const DkmsModule& m) { return !m.name.starts_with("nvidia"); });
  return modules;
}

const DkmsModule* find_dkms(const std::vector<DkmsModule>& modules, std::string_view kernel) {
  const DkmsModule* found = nullptr;
  for (const DkmsModule& module : modules) {
    if (module.kernel == kernel) return &module;
    // "added" stands for the kernels it was not built for
    if (found == nullptr) found = &module;
  }
  return found;
}

void set_dkms(const std::vector<DkmsModule>& modules, std::string_view kernel, Driver& driver) {
  const DkmsModule* module = find_dkms(modules, kernel);
  if (module == nullptr) {
    driver.dkms = Fact<std::string>::absent("/var/lib/dkms, dkms status");
  } else {
    bool this_kernel = module->kernel == kernel;
    driver.dkms = Fact<std::string>::known(this_kernel ? module->state : "added", "dkms status");
  }
}

}  // namespace

void read_module_on_disk(const Host& host, Machine& machine) {
  Driver& driver = machine.driver;
  const Fact<std::string>& kernel = machine.system.kernel;
  // Programs are asked only where there is something to ask about: doctor starts in a blink.
  bool may_run = !machine.gpus.empty() || driver.module_loaded.is(true);
  std::vector<DkmsModule> dkms = read_dkms(host, may_run);
  set_dkms(dkms, kernel.value_or(""), driver);
  if (!kernel.has()) {
    driver.module_on_disk = Fact<DottedVersion>::unknown("the running kernel is not known");
    return;
  }
  std::string folder = join_path("/lib/modules", *kernel);
  std::string list = join_path(folder, "modules.dep");
  Result<std::string> text = host.read_file(list, std::size_t{16} << 20);
  std::string path = text ? find_in_modules_dep(*text) : std::string();
  if (!path.empty() && path.front() != '/') path = join_path(folder, path);
  ModuleInfo info;
  if (!path.empty() && path.ends_with(".ko")) info = read_ko(host, path);
  // The list may be missing where modinfo still answers, and a compressed module is not read here.
  bool has_none = false;
  if (info.version.empty() && may_run && (!path.empty() || !text)) {
    info = run_modinfo(host, path, has_none);
  }
  if (!info.kernel.empty() && info.kernel != *kernel) info = {};
  if (info.version.empty() && (!path.empty() || !text)) {
    const DkmsModule* module = find_dkms(dkms, *kernel);
    if (module != nullptr && module->kernel == *kernel) info.version = module->version;
  }
  if (!info.version.empty()) {
    std::string source = path.empty() ? "modinfo nvidia" : path;
    driver.module_on_disk = Fact<DottedVersion>::known(info.version, source);
    if (!driver.flavor.has() && !info.flavor.empty()) {
      driver.flavor = Fact<std::string>::known(info.flavor, source);
    }
  } else if (!path.empty()) {
    driver.module_on_disk = Fact<DottedVersion>::unknown("it does not say its version", path);
  } else if (text || has_none) {
    driver.module_on_disk = Fact<DottedVersion>::absent(has_none ? "modinfo nvidia" : list);
  } else if (machine.system.container.has()) {
    driver.module_on_disk = Fact<DottedVersion>::unknown("a container has no modules", list);
  } else {
    driver.module_on_disk = Fact<DottedVersion>::unknown(text.error().text(), list);
  }
  if (driver.flavor.is_unknown()) {
    driver.flavor = driver.module_on_disk.is_absent()
                        ? Fact<std::string>::absent(list)
                        : Fact<std::string>::unknown("no module tells it", list);
  }
}

}  // namespace kernelfit
