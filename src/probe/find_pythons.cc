// SPDX-License-Identifier: Apache-2.0
// Where Pythons are: the active one, PATH, near the current folder, and the folders in which tools
// keep theirs. Only named places are looked at, never a whole disk.
#include <algorithm>

#include "base/json.h"
#include "base/text.h"
#include "probe/environments.h"
#include "pyenv/conda.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxPlaces = 100;
constexpr std::size_t kMaxChildren = 300;
constexpr int kMaxParents = 6;
constexpr std::size_t kMaxList = std::size_t{256} << 10;

class Finder {
 public:
  Finder(const Host& host, const ProbeOptions& options, std::vector<std::string>& problems)
      : host_(host),
        options_(options),
        problems_(problems),
        limit_(host, options.environment_budget_ms),
        home_(host.home_dir()),
        windows_(host.os() == OsFamily::windows) {}

  std::vector<PythonPlace> run() {
    for (const auto& path : options_.environments) add_given(path);
    if (!options_.only_given_environments) look_around();
    return std::move(places_);
  }

 private:
  void look_around() {
    add_active();
    add_path();
    add_near_current_folder();
    add_pyenv();
    add_conda();
    add_tools();
    add_system();
    add_kernels();
    if (over_) {
      problems_.push_back("looking for Python environments stopped after " +
                          std::to_string(options_.environment_budget_ms) + " ms");
    }
  }

  std::string in_home(std::string_view path) const {
    return home_.empty() ? "" : join_path(home_, path);
  }
  std::string variable(std::string_view name, const std::string& otherwise = {}) const {
    std::string value = host_.env(name).value_or("");
    return value.empty() ? otherwise : value;
  }
  bool is_over() { return over_ = over_ || limit_.is_over() || places_.size() >= kMaxPlaces; }

  // A loop of links is worth a line; a folder that is not there is not.
  std::optional<std::string> resolve(const std::string& path) {
    auto real = host_.real_path(path);
    if (real) return *real;
    if (real.error().kind != ErrorKind::not_found) problems_.push_back(real.error().text());
    return std::nullopt;
  }

  // Each prefix once; of /usr each Python version once. The first finder decides about `active`.
  bool add(PythonPlace place) {
    auto real = resolve(place.prefix);
    if (!real) return false;
    std::string key = *real;
    if (place.kind == "system" && place.python) {
      key += " " + place.python->version.first(2).text() + (place.python->free_threaded ? "t" : "");
    }
    if (std::ranges::find(keys_, key) != keys_.end()) return false;
    keys_.push_back(std::move(key));
    places_.push_back(std::move(place));
    return true;
  }

  bool add_prefix(const std::string& prefix, bool application = false) {
    if (prefix.empty() || is_over()) return false;
    auto place = read_python_place(host_, prefix);
    if (!place) return false;
    place->application = application;
    if (application) place->kind = "pipx";
    return add(std::move(*place));
  }

  // Folders of `root`, on its own file system; a link counts as what it points to.
  std::vector<std::string> children(const std::string& root) {
    std::vector<std::string> out;
    if (root.empty() || is_over()) return out;
    auto entries = host_.list_dir(root);
    if (!entries) {
      if (entries.error().kind == ErrorKind::denied) problems_.push_back(entries.error().text());
      return out;
    }
    const std::uint64_t device = host_.file_info(root) ? host_.file_info(root)->device : 0;
    for (const auto& entry : *entries) {
      if (entry.kind != FileKind::directory && entry.kind != FileKind::symlink) continue;
      const std::string path = join_path(root, entry.name);
      if (entry.kind == FileKind::symlink && !resolve(path)) continue;
      auto info = host_.file_info(path);
      if (!info || info->kind != FileKind::directory || info->device != device) continue;
      out.push_back(path);
      if (out.size() >= kMaxChildren) break;
    }
    return out;
  }
  void add_children(const std::string& root, bool application = false) {
    for (const auto& child : children(root)) add_prefix(child, application);
  }

  // --env: a prefix, its python, or its site-packages.
  void add_given(const std::string& given) {
    std::optional<PythonPlace> place;
    if (host_.is_dir(given)) {
      std::string prefix = given;
      for (int up = 0; !place && up < 4 && !prefix.empty(); ++up) {
        place = read_python_place(host_, prefix);
        prefix = parent_path(prefix);
      }
    } else if (host_.exists(given)) {
      place = place_of_program(host_, given);
    }
    if (!place && host_.is_dir(given)) {
      place.emplace();
      place->prefix = given;
      place->kind = "given";
    }
    if (!place) {
      problems_.push_back(given + ": not a Python environment");
      return;
    }
    place->given = true;
    place->active = is_active(place->prefix);
    add(std::move(*place));
  }

  bool is_active(const std::string& prefix) {
    const std::string active = variable("VIRTUAL_ENV", variable("CONDA_PREFIX"));
    if (active.empty()) return false;
    auto a = host_.real_path(active), b = host_.real_path(prefix);
    return a && b && *a == *b;
  }

  void add_active() {
    for (std::string_view name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
      const std::string prefix = variable(name);
      if (prefix.empty()) continue;
      auto place = read_python_place(host_, prefix);
      if (!place) {
        problems_.push_back(std::string(name) + "=" + prefix + ": not a Python environment");
        continue;
      }
      // With both set, the virtual environment's programs come first on PATH.
      place->active = !has_active_;
      has_active_ |= add(std::move(*place));
    }
  }

  // `python` and `python3`, each the first of its name on PATH.
  void add_path() {
    const std::string path = variable("PATH");
    const std::vector<std::string_view> names =
        windows_ ? std::vector<std::string_view>{"python.exe"}
                 : std::vector<std::string_view>{"python", "python3"};
    for (std::string_view name : names) {
      for (std::string_view folder : split(path, windows_ ? ';' : ':')) {
        if (folder.empty() || is_over()) continue;
        if (add_program(join_path(folder, name))) break;
      }
    }
  }

  // True where the program is a Python, new here or not.
  bool add_program(const std::string& program) {
    auto info = host_.file_info(program);
    if (!info || info->kind != FileKind::regular) return false;
    if (windows_ && info->size_bytes == 0) return false;  // the Store's stand-in in WindowsApps
    auto place = base_name(parent_path(program)) == "shims" ? place_of_shim(program)
                                                            : place_of_program(host_, program);
    if (!place) return false;
    place->active = !has_active_;
    has_active_ |= add(std::move(*place));
    return true;
  }

  // ~/.pyenv/shims/python starts the version of PYENV_VERSION, .python-version or ~/.pyenv/version.
  std::optional<PythonPlace> place_of_shim(const std::string& program) {
    const std::string root(parent_path(parent_path(program)));
    std::string version = variable("PYENV_VERSION");
    std::string folder = host_.current_dir();
    for (int up = 0; version.empty() && up < kMaxParents && !folder.empty(); ++up) {
      version = first_line(join_path(folder, ".python-version"));
      if (parent_path(folder) == folder) break;
      folder = parent_path(folder);
    }
    if (version.empty()) version = first_line(join_path(root, "version"));
    version = version.substr(0, version.find(':'));
    if (version.empty() || version == "system") return std::nullopt;
    return read_python_place(host_, join_path(join_path(root, "versions"), version));
  }

  std::string first_line(const std::string& path) {
    auto text = read_head(host_, path, 4096);
    if (!text) return {};
    const auto lines = lines_of(*text);
    return lines.empty() ? "" : std::string(trim(lines.front()));
  }

  // .venv, venv and whatever has a pyvenv.cfg here; .venv and venv of the parents.
  void add_near_current_folder() {
    std::string folder = host_.current_dir();
    if (folder.empty()) return;
    for (std::string_view name : {".venv", "venv", "env"}) add_prefix(join_path(folder, name));
    for (const auto& child : children(folder)) {
      if (host_.exists(join_path(child, "pyvenv.cfg"))) add_prefix(child);
    }
    add_children(join_path(folder, ".pixi/envs"));
    for (int up = 0; up < kMaxParents; ++up) {
      const std::string parent(parent_path(folder));
      if (parent.empty() || parent == folder || folder == home_) return;
      folder = parent;
      for (std::string_view name : {".venv", "venv"}) add_prefix(join_path(folder, name));
    }
  }

  void add_pyenv() {
    const std::string root =
        variable("PYENV_ROOT", in_home(windows_ ? ".pyenv\\pyenv-win" : ".pyenv"));
    if (root.empty()) return;
    for (const auto& version : children(join_path(root, "versions"))) {
      add_prefix(version);
      add_children(join_path(version, "envs"));
    }
    add_children(in_home(".asdf/installs/python"));
    add_children(in_home(".local/share/mise/installs/python"));
  }

  void add_conda_root(const std::string& root) {
    if (root.empty() || !host_.is_dir(root)) return;
    add_prefix(root);
    add_children(join_path(root, "envs"));
  }

  void add_conda() {
    const std::string program = variable("CONDA_EXE");
    if (!program.empty()) add_conda_root(std::string(parent_path(parent_path(program))));
    add_conda_root(variable("MAMBA_ROOT_PREFIX"));
    add_conda_root(in_home(".local/share/mamba"));  // micromamba 2
    add_children(in_home(".pixi/envs"));            // pixi global
    auto list =
        read_head(host_, in_home(windows_ ? ".conda\\environments.txt" : ".conda/environments.txt"),
                  kMaxList);
    if (list) {
      for (const auto& prefix : parse_conda_environments(*list)) add_prefix(prefix);
    }
    for (std::string_view name : {"miniconda3", "anaconda3", "miniforge3", "mambaforge",
                                  "micromamba", "miniconda", "anaconda", ".conda"}) {
      add_conda_root(in_home(name));
      if (!windows_) add_conda_root(join_path("/opt", name));
      if (windows_) add_conda_root(join_path("C:\\ProgramData", name));
    }
    if (!windows_) add_conda_root("/opt/conda");
  }

  // Pythons and environments that uv, pipx, poetry, hatch, pipenv and virtualenvwrapper keep.
  void add_tools() {
    const std::string local = windows_ ? variable("LOCALAPPDATA", in_home("AppData\\Local"))
                                       : variable("XDG_CACHE_HOME", in_home(".cache"));
    const std::string data = windows_ ? variable("APPDATA", in_home("AppData\\Roaming"))
                                      : variable("XDG_DATA_HOME", in_home(".local/share"));
    auto below = [](const std::string& root, std::initializer_list<std::string_view> parts) {
      std::string path = root;
      for (std::string_view part : parts) path = path.empty() ? path : join_path(path, part);
      return path;
    };
    add_children(variable("UV_PYTHON_INSTALL_DIR", below(data, {"uv", "python"})));
    if (windows_) {
      add_children(below(data, {"uv", "data", "python"}));
      add_children(below(data, {"uv", "data", "tools"}), true);
      add_store(local);
      add_children(below(local, {"Programs", "Python"}));
      add_children(below(local, {"pypoetry", "Cache", "virtualenvs"}));
    } else {
      add_children(below(local, {"pypoetry", "virtualenvs"}));
    }
    for (const auto& project :
         children(below(windows_ ? local : data, {"hatch", "env", "virtual"}))) {
      for (const auto& hash : children(project)) add_children(hash);
    }
    add_children(variable("WORKON_HOME", in_home(".virtualenvs")));
    add_children(below(data, {"virtualenvs"}));
    add_children(below(data, {"pdm", "venvs"}));
    add_children(variable("UV_TOOL_DIR", below(data, {"uv", "tools"})), true);
    add_children(below(variable("PIPX_HOME", below(data, {"pipx"})), {"venvs"}), true);
    add_children(in_home(windows_ ? "pipx\\venvs" : ".local/pipx/venvs"), true);
  }

  // Python of Windows' store keeps what pip installs in a folder of its package; its own files are
  // closed, and python.exe on PATH is a stand-in that starts it.
  void add_store(const std::string& local) {
    auto packages = host_.list_dir(join_path(local, "Packages"));
    if (!packages) return;
    for (const auto& entry : *packages) {
      constexpr std::string_view kFront = "PythonSoftwareFoundation.Python.";
      if (!entry.name.starts_with(kFront)) continue;
      const std::string_view number = std::string_view(entry.name).substr(kFront.size());
      auto python = parse_lib_folder("python" + std::string(number.substr(0, number.find('_'))));
      if (!python) continue;
      PythonPlace place;
      place.prefix = join_path(join_path(join_path(local, "Packages"), entry.name),
                               "LocalCache\\local-packages");
      const std::string folder = "Python" + std::to_string(python->version.major()) +
                                 std::to_string(python->version.minor());
      place.only_site = join_path(join_path(place.prefix, folder), "site-packages");
      if (!host_.is_dir(place.only_site)) continue;
      place.kind = "system";
      place.python = python;
      const std::string start = join_path(
          join_path(join_path(local, "Microsoft\\WindowsApps"), entry.name), "python.exe");
      if (host_.link_info(start)) place.interpreter = start;
      add(std::move(place));
    }
  }

  // Debian's own and what else stands in /usr/bin: python3.9 of deadsnakes beside python3.10.
  void add_system() {
    if (windows_) {
      for (int minor = 6; minor <= 15; ++minor) {
        add_prefix("C:\\Python3" + std::to_string(minor));
        add_prefix("C:\\Program Files\\Python3" + std::to_string(minor));
      }
      return;
    }
    for (std::string_view folder : {"/usr/local/bin", "/usr/bin"}) {
      std::vector<std::string> names = {"python3"};
      for (int minor = 6; minor <= 15; ++minor) names.push_back("python3." + std::to_string(minor));
      for (const auto& name : names) {
        const std::string program = join_path(folder, name);
        if (is_over() || !host_.exists(program)) continue;
        auto place = place_of_program(host_, program);
        if (!place) continue;
        place->other_python = name != "python3";
        add(std::move(*place));
      }
    }
  }

  // {"argv": ["/home/user/ai/.venv/bin/python", "-m", "ipykernel_launcher", …], …}
  void add_kernels() {
    const std::string root = windows_ ? join_path(variable("APPDATA"), "jupyter\\kernels")
                                      : in_home(".local/share/jupyter/kernels");
    for (const auto& kernel : children(root)) {
      auto text = read_head(host_, join_path(kernel, "kernel.json"), kMaxList);
      if (!text) continue;
      auto json = parse_json(*text);
      if (!json || json->at("argv").items().empty()) continue;
      const std::string program(json->at("argv").items().front().string());
      if (program.find_first_of("/\\") == std::string::npos || !host_.exists(program)) continue;
      if (auto place = place_of_program(host_, program)) add(std::move(*place));
    }
  }

  const Host& host_;
  const ProbeOptions& options_;
  std::vector<std::string>& problems_;
  TimeLimit limit_;
  std::string home_;
  bool windows_;
  bool over_ = false, has_active_ = false;
  std::vector<std::string> keys_;
  std::vector<PythonPlace> places_;
};

}  // namespace

std::vector<PythonPlace> find_pythons(const Host& host, const ProbeOptions& options,
                                      std::vector<std::string>& problems) {
  return Finder(host, options, problems).run();
}

}  // namespace kernelfit
