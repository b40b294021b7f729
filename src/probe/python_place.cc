// SPDX-License-Identifier: Apache-2.0
// What a folder is: a virtual environment, a conda environment, an installed Python; and which
// folders it imports packages from.
#include <algorithm>

#include "base/text.h"
#include "probe/environments.h"
#include "pyenv/metadata.h"
#include "pyenv/pyvenv_cfg.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxCfg = std::size_t{64} << 10;
constexpr std::size_t kMaxPythonPath = 16;
constexpr std::size_t kMaxPthFiles = 64, kMaxPthBytes = 64 << 10, kMaxSites = 64;

bool is_windows(const Host& host) {
  return host.os() == OsFamily::windows;
}

std::string join(std::string_view a, std::string_view b, std::string_view c) {
  return join_path(join_path(a, b), c);
}

bool is_absolute(std::string_view path) {
  return path.starts_with('/') || (path.size() > 2 && path[1] == ':');
}

// bin/python3, bin/python; Scripts\python.exe of a venv, python.exe of an installed one.
std::string find_interpreter(const Host& host, const std::string& prefix) {
  const std::vector<std::string> names =
      is_windows(host)
          ? std::vector{join(prefix, "Scripts", "python.exe"), join_path(prefix, "python.exe")}
          : std::vector{join(prefix, "bin", "python3"), join(prefix, "bin", "python")};
  for (const auto& name : names) {
    if (host.link_info(name)) return name;  // of a venv it may point at a Python that is gone
  }
  return {};
}

// The newest lib/python3.X of a prefix.
std::optional<PythonId> newest_lib_folder(const Host& host, const std::string& prefix) {
  std::optional<PythonId> newest;
  for (std::string_view lib : {"lib", "lib64"}) {
    auto entries = host.list_dir(join_path(prefix, lib));
    if (!entries) continue;
    for (const auto& entry : *entries) {
      auto id = parse_lib_folder(entry.name);
      if (id && (!newest || id->version > newest->version)) newest = id;
    }
  }
  return newest;
}

// "312" of python312.dll and Python312, "313t" of python313t.dll.
std::optional<PythonId> undotted_python(std::string_view digits) {
  if (digits.size() < 2 || !digits.starts_with('3')) return std::nullopt;
  return parse_lib_folder("python3." + std::string(digits.substr(1)));
}

// Windows has no folder with the version in its name, but python312.dll beside python.exe, and its
// installer calls the folder Python312.
std::optional<PythonId> windows_python(const Host& host, const std::string& prefix) {
  auto entries = host.list_dir(prefix);
  if (!entries) return std::nullopt;
  for (const auto& entry : *entries) {
    const std::string name = lower(entry.name);
    if (!name.starts_with("python3") || !name.ends_with(".dll")) continue;  // python3.dll has none
    if (auto id = undotted_python(name.substr(6, name.size() - 10))) return id;
  }
  const std::string folder = lower(base_name(prefix));
  return folder.starts_with("python3") ? undotted_python(folder.substr(6)) : std::nullopt;
}

std::optional<PythonId> conda_python(const Host& host, const std::string& prefix) {
  auto entries = host.list_dir(join_path(prefix, "conda-meta"));
  if (!entries) return std::nullopt;
  for (const auto& entry : *entries) {
    if (auto id = parse_conda_python(entry.name)) return id;
  }
  return std::nullopt;
}

std::optional<PythonPlace> read_venv(const Host& host, PythonPlace place) {
  auto text = read_head(host, join_path(place.prefix, "pyvenv.cfg"), kMaxCfg);
  if (!text) return std::nullopt;
  const PyvenvCfg cfg = parse_pyvenv_cfg(*text);
  place.kind = "venv";
  place.system_site = cfg.system_site;
  place.base = cfg.home;
  PythonId id = cfg.python;
  if (auto folder = newest_lib_folder(host, place.prefix)) {
    id.free_threaded = folder->free_threaded;
    if (id.version.empty()) id = *folder;
  }
  if (!id.version.empty()) place.python = id;
  return place;
}

// What its path says: a uv-managed or pyenv Python carries its full version in the folder's name.
void read_install(const Host& host, PythonPlace& place) {
  const std::string parent(base_name(parent_path(place.prefix)));
  const std::string above(base_name(parent_path(parent_path(place.prefix))));
  const bool uv = contains(base_name(place.prefix), "python-") && parent == "python";
  const bool pyenv = parent == "versions" && contains(above, "pyenv");
  place.kind = uv ? "uv" : pyenv ? "pyenv" : "system";
  place.python =
      is_windows(host) ? windows_python(host, place.prefix) : newest_lib_folder(host, place.prefix);
  if (!uv && !pyenv) return;
  // uv links cpython-3.12-linux-x86_64-gnu to the folder that names the release.
  auto named = parse_install_folder(base_name(host.real_path(place.prefix).value_or(place.prefix)));
  if (named && place.python) named->free_threaded |= place.python->free_threaded;
  if (named) place.python = named;
}

std::string version_folder(const PythonId& id) {
  const std::string prefix = id.implementation == "pypy" ? "pypy" : "python";
  return prefix + id.version.first(2).text() + (id.free_threaded ? "t" : "");
}

// "312": Windows keeps the user's packages in Python312\site-packages.
std::string nodot(const PythonId& id) {
  return std::to_string(id.version.major()) + std::to_string(id.version.minor());
}

// Empty where Python would not look there.
std::string user_site(const Host& host, const PythonPlace& place) {
  if (place.kind == "venv" && !place.system_site) return {};
  if (!host.env("PYTHONNOUSERSITE").value_or("").empty()) return {};
  if (!place.python) return {};
  const std::string base = host.env("PYTHONUSERBASE").value_or("");
  if (is_windows(host)) {
    const std::string root =
        base.empty()
            ? join_path(host.env("APPDATA").value_or(join(host.home_dir(), "AppData", "Roaming")),
                        "Python")
            : base;
    return join(root, "Python" + nodot(*place.python), "site-packages");
  }
  if (base.empty() && host.home_dir().empty()) return {};
  return join(join_path(base.empty() ? join_path(host.home_dir(), ".local") : base, "lib"),
              version_folder(*place.python), "site-packages");
}

// site-packages of a prefix, and Debian's dist-packages, in the order of sys.path.
std::vector<std::string> site_paths(const Host& host, const std::string& prefix,
                                    const std::optional<PythonId>& id) {
  if (is_windows(host)) return {join(prefix, "Lib", "site-packages")};
  std::vector<std::string> out;
  const std::string folder = id ? version_folder(*id) : "python3";
  if (prefix == "/usr") {
    for (std::string_view packages : {"dist-packages", "site-packages"}) {
      out.push_back(join("/usr/local/lib", folder, packages));
    }
    out.emplace_back("/usr/lib/python3/dist-packages");
    out.push_back(join("/usr/lib", folder, "dist-packages"));
  }
  for (std::string_view lib : {"lib", "lib64"}) {
    out.push_back(join(join_path(prefix, lib), folder, "site-packages"));
  }
  return out;
}

// pyvenv.cfg names the folder of the base's python: /usr/bin, C:\\Python312.
std::string base_prefix(const Host& host, const PythonPlace& venv) {
  return is_windows(host) ? venv.base : std::string(parent_path(venv.base));
}

// What the *.pth files of a site folder add: the source tree of `pip install -e` and of an old
// `setup.py develop`, the .egg folders of `setup.py install`.
std::vector<std::string> pth_folders(const Host& host, const Site& site) {
  std::vector<std::string> out;
  std::size_t files = 0;
  for (const auto& entry : site.entries) {
    if (!entry.name.ends_with(".pth") || ++files > kMaxPthFiles) continue;
    auto text = read_head(host, join_path(site.path, entry.name), kMaxPthBytes);
    if (!text) continue;
    for (std::string folder : parse_pth(*text)) {
      if (folder.starts_with("./")) folder.erase(0, 2);
      out.push_back(is_absolute(folder) ? folder : join_path(site.path, folder));
    }
  }
  return out;
}

}  // namespace

std::optional<PythonPlace> read_python_place(const Host& host, std::string_view prefix) {
  PythonPlace place;
  place.prefix = prefix;
  if (!host.is_dir(prefix)) return std::nullopt;
  place.interpreter = find_interpreter(host, place.prefix);
  if (auto venv = read_venv(host, place)) return venv;
  if (host.is_dir(join_path(prefix, "conda-meta"))) {
    place.kind = "conda";
    place.python = conda_python(host, place.prefix);
    return place;
  }
  if (place.interpreter.empty()) return std::nullopt;
  read_install(host, place);
  return place;
}

std::optional<PythonPlace> place_of_program(const Host& host, std::string_view program) {
  // Of a venv the program is a link to its base: what stands around the link counts.
  for (const std::string& path : {std::string(program), host.real_path(program).value_or("")}) {
    if (path.empty()) continue;
    const std::string_view folder = parent_path(path);
    const std::string beside(folder), above(parent_path(folder));
    const bool venv = host.exists(join_path(above, "pyvenv.cfg"));
    const bool conda = host.is_dir(join_path(above, "conda-meta"));
    const bool resolved = path != program || !host.read_link(path);
    if (!venv && !conda && !resolved) continue;
    const bool windows_install = is_windows(host) && !venv;  // python.exe stands in the prefix
    auto place = read_python_place(host, windows_install ? beside : above);
    if (!place) continue;
    place->interpreter = program;
    // /usr/bin/python3 -> python3.11 says which of several Pythons of /usr it is.
    if (auto named = parse_lib_folder(base_name(path)); named && place->kind == "system") {
      place->python = named;
    }
    return place;
  }
  return std::nullopt;
}

std::vector<Site> read_sites(const Host& host, const PythonPlace& place,
                             std::vector<std::string>& problems) {
  std::vector<Site> sites;
  std::vector<std::string> seen;
  auto add = [&](const std::string& path, bool of_user, bool by_pth = false) {
    if (path.empty()) return;
    auto entries = host.list_dir(path);
    if (!entries) {
      if (entries.error().kind != ErrorKind::not_found) problems.push_back(entries.error().text());
      return;
    }
    const std::string real = host.real_path(path).value_or(path);
    if (std::ranges::find(seen, real) != seen.end()) return;  // lib64 -> lib
    seen.push_back(real);
    sites.push_back({path, of_user, std::move(*entries), by_pth});
  };
  auto add_with_pth = [&](const std::string& path, bool of_user) {
    const std::size_t before = sites.size();
    add(path, of_user);
    if (sites.size() == before) return;
    for (const auto& folder : pth_folders(host, sites[before])) {
      if (sites.size() < kMaxSites && host.is_dir(folder)) add(folder, of_user, true);
    }
  };
  if (place.kind == "given") {  // a folder of `pip install --target`
    add(place.prefix, false);
    return sites;
  }
  if (!place.only_site.empty()) {
    add_with_pth(place.only_site, true);
    return sites;
  }
  const bool venv = place.kind == "venv";
  if (place.active) {
    const char separator = is_windows(host) ? ';' : ':';
    const std::string python_path = host.env("PYTHONPATH").value_or("");
    for (std::string_view path : split(python_path, separator)) {
      if (is_absolute(path) && seen.size() < kMaxPythonPath) add(std::string(path), false);
    }
  }
  // A venv comes before the user's packages, an installed Python behind them (site.py, main()).
  if (venv) {
    for (const auto& path : site_paths(host, place.prefix, place.python)) add_with_pth(path, false);
  }
  add_with_pth(user_site(host, place), true);
  std::string prefix = place.prefix;
  if (venv) prefix = place.system_site ? base_prefix(host, place) : "";
  if (!prefix.empty()) {
    for (const auto& path : site_paths(host, prefix, place.python)) add_with_pth(path, false);
  }
  return sites;
}

}  // namespace kernelfit
