// SPDX-License-Identifier: Apache-2.0
// The operating system: its kind and name, kernel, C library and processor, without running a
// program where a file says it.
#include "elf/elf_file.h"
#include "nvidia/system_text.h"
#include "probe/probes.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

constexpr std::string_view kOsRelease = "/proc/sys/kernel/osrelease";

// 5.15.133.1-microsoft-standard-WSL2; WSL 1 says "4.4.0-19041-Microsoft" and has no GPU.
void read_kernel(const Host& host, System& system) {
  std::string release = read_trimmed(host, kOsRelease);
  if (release.empty()) {
    system.kernel = Fact<std::string>::unknown("could not be read", std::string(kOsRelease));
    system.os = Fact<std::string>::known("linux", "the program");
    return;
  }
  bool wsl = contains(lower(release), "microsoft");
  system.os = Fact<std::string>::known(wsl ? "wsl" : "linux", std::string(kOsRelease));
  system.kernel = Fact<std::string>::known(release, std::string(kOsRelease));
}

void read_os_name(const Host& host, System& system) {
  for (std::string_view path : {"/etc/os-release", "/usr/lib/os-release"}) {
    Result<std::string> text = host.read_file(path);
    if (!text) continue;
    if (std::string name = parse_os_release(*text); !name.empty()) {
      system.os_name = Fact<std::string>::known(name, std::string(path));
      return;
    }
  }
  system.os_name = Fact<std::string>::unknown("no os-release file", "/etc/os-release");
}

// Where the C library lies on the systems that have wheels.
constexpr std::string_view kLibcs[] = {"/lib/x86_64-linux-gnu/libc.so.6",
                                       "/lib/aarch64-linux-gnu/libc.so.6", "/lib64/libc.so.6",
                                       "/usr/lib/libc.so.6", "/lib/libc.so.6"};

// The banner that `libc.so.6` prints when it is run lies in its .rodata.
std::optional<DottedVersion> banner_of(const RandomAccess& file) {
  Result<ElfFile> elf = parse_elf(file);
  constexpr std::uint64_t kStep = 64 << 10, kOverlap = 256, kMost = 8 << 20;
  std::uint64_t begin = 0, end = std::min(file.size(), kMost);
  if (elf) {
    for (const ElfSection& section : elf->sections) {
      if (section.name != ".rodata" || section.no_bits) continue;
      begin = section.offset;
      end = std::min(begin + std::min(section.size_bytes, kMost), file.size());
    }
  }
  std::string buffer;
  for (std::uint64_t at = begin; at < end; at += kStep) {
    buffer.resize(static_cast<std::size_t>(std::min(kStep + kOverlap, end - at)));
    if (!file.read(at, std::as_writable_bytes(std::span(buffer)))) return std::nullopt;
    if (auto version = find_glibc_banner(buffer)) return version;
  }
  return std::nullopt;
}

// gcompat gives Alpine a libc.so.6 too; pip goes by the C library of its Python, which is musl.
bool read_alpine(const Host& host, System& system) {
  constexpr std::string_view kAlpine = "/etc/alpine-release";
  if (!host.exists(kAlpine)) return false;
  system.glibc = Fact<DottedVersion>::absent("musl: " + std::string(kAlpine));
  return true;
}

void read_glibc(const Host& host, System& system) {
  if (read_alpine(host, system)) return;
  for (std::string_view path : kLibcs) {
    if (!host.exists(path)) continue;
    // Before 2.34 the name was a link: libc.so.6 -> libc-2.31.so
    Result<std::string> real = host.real_path(path);
    std::string_view name = real ? base_name(*real) : std::string_view();
    if (name.starts_with("libc-") && name.ends_with(".so")) {
      if (auto version = DottedVersion::parse(name.substr(5, name.size() - 8))) {
        system.glibc = Fact<DottedVersion>::known(*version, std::string(*real));
        return;
      }
    }
    Result<std::unique_ptr<RandomAccess>> file = host.open_file(path);
    if (!file) continue;
    if (auto version = banner_of(**file)) {
      system.glibc = Fact<DottedVersion>::known(*version, std::string(path));
      return;
    }
    system.glibc = Fact<DottedVersion>::unknown("it does not say its version", std::string(path));
  }
  for (std::string_view musl : {"/lib/ld-musl-x86_64.so.1", "/lib/ld-musl-aarch64.so.1"}) {
    if (!system.glibc.has() && host.exists(musl)) {
      system.glibc = Fact<DottedVersion>::absent("musl: " + std::string(musl));
    }
  }
}

void read_cpu_arch(const Host& host, System& system) {
  std::string arch = read_trimmed(host, "/proc/sys/kernel/arch");  // since Linux 6.1
  if (!arch.empty()) {
    system.cpu_arch = Fact<std::string>::known(arch, "/proc/sys/kernel/arch");
    return;
  }
  constexpr struct {
    std::string_view path, arch;
  } kLoaders[] = {{"/lib64/ld-linux-x86-64.so.2", "x86_64"},
                  {"/lib/ld-linux-aarch64.so.1", "aarch64"},
                  {"/lib/ld-musl-x86_64.so.1", "x86_64"},
                  {"/lib/ld-musl-aarch64.so.1", "aarch64"}};
  for (const auto& loader : kLoaders) {
    if (!host.exists(loader.path)) continue;
    system.cpu_arch = Fact<std::string>::known(std::string(loader.arch), std::string(loader.path));
    return;
  }
  system.cpu_arch = Fact<std::string>::unknown("no known loader", "/proc/sys/kernel/arch, /lib64");
}

// DMI of a PC ("NVIDIA_DGX_Spark"), the device tree of a board ("NVIDIA Jetson AGX Orin …").
void read_model(const Host& host, System& system) {
  for (std::string_view path : {"/proc/device-tree/model", "/sys/firmware/devicetree/base/model",
                                "/sys/class/dmi/id/product_name"}) {
    if (std::string model = read_trimmed(host, path); !model.empty()) {
      system.device_model = Fact<std::string>::known(model, std::string(path));
      return;
    }
  }
  system.device_model = Fact<std::string>::absent("/proc/device-tree, /sys/class/dmi");
}

// Microsoft Windows [Version 10.0.22631.4317]
void read_windows(const Host& host, System& system) {
  system.os = Fact<std::string>::known("windows", "the program");
  system.glibc = Fact<DottedVersion>::absent("Windows");
  std::string arch = lower(host.env("PROCESSOR_ARCHITECTURE").value_or(""));
  if (arch == "amd64") arch = "x86_64";
  if (arch == "arm64") arch = "aarch64";
  system.cpu_arch = arch.empty() ? Fact<std::string>::unknown("not set", "PROCESSOR_ARCHITECTURE")
                                 : Fact<std::string>::known(arch, "PROCESSOR_ARCHITECTURE");
  system.os_name = Fact<std::string>::known("Windows", "the program");
  Result<CommandResult> ver = host.run({.argv = {"cmd", "/c", "ver"}, .env = {}});
  if (!ver) return;
  std::size_t at = ver->out.find("ersion ");
  if (at == std::string::npos) return;
  std::string_view number = std::string_view(ver->out).substr(at + 7);
  number = number.substr(0, number.find_first_not_of("0123456789."));
  std::optional<DottedVersion> version = DottedVersion::parse(number);
  if (!version) return;
  system.kernel = Fact<std::string>::known(version->text(), "ver");
  // Windows 11 kept the number 10.0; its builds start at 22000.
  system.os_name = Fact<std::string>::known(
      version->major() == 10 && version->part(2) >= 22000 ? "Windows 11" : "Windows 10", "ver");
}

void read_other(System& system) {
  system.os = Fact<std::string>::known("other", "the program");
}

}  // namespace

void probe_system(const Host& host, const ProbeOptions&, Machine& machine) {
  System& system = machine.system;
  if (host.os() == OsFamily::windows) return read_windows(host, system);
  if (host.os() != OsFamily::linux) return read_other(system);
  read_kernel(host, system);
  read_os_name(host, system);
  read_glibc(host, system);
  read_cpu_arch(host, system);
  read_model(host, system);
}

}  // namespace kernelfit
