// SPDX-License-Identifier: Apache-2.0
// Which libcuda.so.1 a program gets, as ld.so(8) looks for it, and whether that is the driver's
// own: LD_PRELOAD, LD_LIBRARY_PATH, the cache, the default folders. Found without loading anything.
#include <algorithm>

#include "nvidia/system_text.h"
#include "probe/probes.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

constexpr std::string_view kName = "libcuda.so.1";
constexpr std::string_view kWslFolder = "/usr/lib/wsl/";

struct Candidate {
  std::string path, real;
  bool by_variable = false;  // LD_PRELOAD or LD_LIBRARY_PATH, not the system
  std::optional<DottedVersion> version;

  bool has_folder(std::string_view name) const {
    std::vector<std::string_view> parts = split(path, '/'), real_parts = split(real, '/');
    return std::ranges::find(parts, name) != parts.end() ||
           std::ranges::find(real_parts, name) != real_parts.end();
  }
  bool is_stub() const { return has_folder("stubs"); }
  bool is_compat() const { return has_folder("compat"); }
};

// libcuda.so.1 -> libcuda.so.535.183.01; where the link cannot be followed, the one file beside it.
std::optional<DottedVersion> version_beside(const Host& host, std::string_view path) {
  Result<std::vector<DirEntry>> entries = host.list_dir(parent_path(path));
  if (!entries) return std::nullopt;
  std::optional<DottedVersion> found;
  for (const DirEntry& entry : *entries) {
    if (!entry.name.starts_with("libcuda.so.")) continue;
    std::optional<DottedVersion> version = driver_version_of_file(entry.name);
    if (version && found) return std::nullopt;
    if (version) found = version;
  }
  return found;
}

Candidate candidate(const Host& host, const std::string& path, bool by_variable) {
  Candidate out;
  out.path = path;
  out.by_variable = by_variable;
  Result<std::string> real = host.real_path(path);
  out.real = real ? *real : path;
  out.version = driver_version_of_file(base_name(out.real));
  if (!out.version && !out.is_stub()) out.version = version_beside(host, out.real);
  return out;
}

void add_variables(const Host& host, const Variables& variables, std::vector<Candidate>& out) {
  std::string preload = replace_all(variables.ld_preload.value_or(""), ":", " ");
  for (std::string_view word : split_words(preload)) {
    if (base_name(word).starts_with("libcuda.so"))
      out.push_back(candidate(host, std::string(word), true));
  }
  std::string folders = variables.ld_library_path.value_or("");
  for (std::string_view folder : split(folders, ':')) {
    if (!folder.starts_with('/')) continue;
    std::string path = join_path(folder, kName);
    // The stubs folder of a toolkit has libcuda.so only; programs that open that name get it.
    bool stubs = base_name(folder) == "stubs";
    if (stubs && !host.exists(path)) path = join_path(folder, "libcuda.so");
    if (host.exists(path)) out.push_back(candidate(host, path, true));
  }
}

std::vector<LoaderEntry> read_cache(const Host& host) {
  // Ordinary users of Debian have no /sbin in their PATH.
  for (std::string_view program : {"ldconfig", "/sbin/ldconfig"}) {
    Result<CommandResult> result = host.run({.argv = {std::string(program), "-p"}, .env = {}});
    if (result && !result->timed_out && !result->out.empty()) return parse_ldconfig(result->out);
  }
  return {};
}

bool fits_arch(const LoaderEntry& entry, const System& system) {
  if (system.cpu_arch.is("x86_64")) return entry.abi == "x86-64";
  if (system.cpu_arch.is("aarch64")) return entry.abi == "AArch64";
  return true;
}

// Where drivers put it, on systems whose cache is stale or not there.
constexpr std::string_view kDefaults[] = {"/lib/x86_64-linux-gnu",
                                          "/usr/lib/x86_64-linux-gnu",
                                          "/usr/lib/aarch64-linux-gnu",
                                          "/usr/lib/aarch64-linux-gnu/nvidia",
                                          "/usr/lib/aarch64-linux-gnu/tegra",
                                          "/lib64",
                                          "/usr/lib64",
                                          "/usr/lib",
                                          "/usr/lib/wsl/lib",
                                          "/usr/local/nvidia/lib64",
                                          "/.singularity.d/libs"};

bool is_new(const std::vector<Candidate>& all, const Candidate& one) {
  return std::ranges::none_of(all, [&](const Candidate& c) { return c.real == one.real; });
}

void add_system(const Host& host, const System& system, std::vector<Candidate>& out) {
  bool cached = false;
  for (const LoaderEntry& entry : read_cache(host)) {
    if (entry.name != kName || !fits_arch(entry, system)) continue;
    cached = true;
    Candidate found = candidate(host, entry.path, false);
    if (is_new(out, found)) out.push_back(std::move(found));
  }
  if (cached) return;
  for (std::string_view folder : kDefaults) {
    std::string path = join_path(folder, kName);
    if (!host.exists(path)) continue;
    Candidate found = candidate(host, path, false);
    if (is_new(out, found)) out.push_back(std::move(found));
  }
}

bool in_system_folder(const Candidate& one) {
  return one.path.starts_with("/lib") || one.path.starts_with("/usr/lib") ||
         one.path.starts_with("/usr/local/nvidia") || one.path.starts_with("/.singularity.d");
}

// An update without a restart leaves the driver's own place with another version than the module's:
// that is no foreign library, and library_version beside version tells it.
bool is_foreign(const std::vector<Candidate>& all, const Candidate& chosen,
                const Machine& machine) {
  const Fact<DottedVersion>& driver = machine.driver.version;
  if (is_wsl(machine)) return chosen.version.has_value() && !chosen.real.starts_with(kWslFolder);
  if (!chosen.version || !driver.has() || *chosen.version == *driver) return false;
  bool other_fits = std::ranges::any_of(
      all, [&](const Candidate& c) { return c.version && *c.version == *driver; });
  return other_fits || chosen.by_variable || !in_system_folder(chosen);
}

std::string_view problem_of(const std::vector<Candidate>& all, const Machine& machine) {
  const Candidate& chosen = all.front();
  for (const Candidate& one : all) {
    if (one.is_stub() && (one.by_variable || &one == &chosen)) return "stub";
  }
  if (chosen.is_compat()) return "compat";
  if (is_foreign(all, chosen, machine)) return "foreign";
  for (const Candidate& one : all) {
    if (one.is_compat() || one.is_stub() || !one.version || !chosen.version) continue;
    if (*one.version != *chosen.version) return "duplicate";
  }
  return {};
}

std::string paths_of(const std::vector<Candidate>& all) {
  std::vector<std::string> paths;
  for (const Candidate& one : all) paths.push_back(one.real);
  return join(paths, ", ");
}

void read_windows(const Host& host, Driver& driver) {
  constexpr const char* kLibrary = "C:\\Windows\\System32\\nvcuda.dll";
  driver.library_path = host.exists(kLibrary) ? Fact<std::string>::known(kLibrary, kLibrary)
                                              : Fact<std::string>::absent(kLibrary);
  driver.library_problem = Fact<std::string>::absent(kLibrary);
  if (driver.version.has()) {
    driver.library_version = Fact<DottedVersion>::known(*driver.version, driver.version.source());
  }
}

}  // namespace

void probe_libcuda(const Host& host, const ProbeOptions&, Machine& machine) {
  Driver& driver = machine.driver;
  if (is_windows(machine)) return read_windows(host, driver);
  std::vector<Candidate> all;
  add_variables(host, machine.variables, all);
  add_system(host, machine.system, all);
  if (all.empty()) {
    const std::string looked = "ldconfig -p, LD_LIBRARY_PATH, /usr/lib";
    driver.library_path = Fact<std::string>::absent(looked);
    driver.library_problem = Fact<std::string>::absent(looked);
    if (!driver.library_version.has()) driver.library_version = Fact<DottedVersion>::absent(looked);
    return;
  }
  const Candidate& chosen = all.front();
  driver.library_path = Fact<std::string>::known(chosen.path, chosen.path);
  if (chosen.version) {
    driver.library_version = Fact<DottedVersion>::known(*chosen.version, chosen.real);
  } else if (!driver.library_version.has()) {
    driver.library_version =
        Fact<DottedVersion>::unknown("the file's name does not tell it", chosen.real);
  }
  std::string_view problem = problem_of(all, machine);
  driver.library_problem = problem.empty()
                               ? Fact<std::string>::absent(paths_of(all))
                               : Fact<std::string>::known(std::string(problem), paths_of(all));
}

}  // namespace kernelfit
