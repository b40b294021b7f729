// SPDX-License-Identifier: Apache-2.0
// A recording as a folder: the layout of tests/hosts/README.md.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>

#include "base/text.h"
#include "host/file_names.h"
#include "host/recording.h"
#include "host/redact.h"

namespace fs = std::filesystem;

namespace kernelfit {
namespace {

bool is_binary(std::string_view text) {
  return contains(text, std::string_view("\0", 1));
}

// "C:\\Users\\x" and "/home/x": the names between the separators.
std::vector<std::string> names_in(std::string_view path, OsFamily os) {
  std::string text(path);
  if (os == OsFamily::windows) {
    text = replace_all(std::move(text), "\\", "/");
    if (text.size() >= 2 && text[1] == ':') text.erase(1, 1);
  }
  std::vector<std::string> out;
  for (auto part : split(text, '/')) {
    if (!part.empty()) out.emplace_back(part);
  }
  return out;
}

bool is_below(std::string_view path, std::string_view folder) {
  if (folder.size() < 2 || !path.starts_with(folder) || path.size() <= folder.size()) return false;
  return path[folder.size()] == '/' || path[folder.size()] == '\\';
}

// --- what is left out of a redacted recording ---

// What people keep in their home folders is nobody's business, unless a probe asked for it or it
// belongs to an installation.
class Privacy {
 public:
  Privacy(const Recording& recording, bool active) : recording_(recording), active_(active) {
    for (const auto& folder : {recording.home, recording.current_dir}) {
      if (folder.size() > 3) folders_.push_back(folder);
    }
    for (const auto& [path, seen] : recording.paths) {
      if (keeps_itself(path, seen)) keep_with_parents(path);
    }
  }
  bool leaves_out(const std::string& path) const {
    return active_ && is_private(path) && !kept_.contains(path) && !is_installed(path);
  }

 private:
  bool is_private(std::string_view path) const {
    bool home = is_below(path, "/home") || is_below(path, "/Users") || is_below(path, "C:\\Users");
    return home || std::any_of(folders_.begin(), folders_.end(),
                               [&](const auto& folder) { return is_below(path, folder); });
  }
  bool is_installed(std::string_view path) const {
    constexpr std::string_view kFolders =
        "lib lib64 bin include DLLs Lib Scripts conda-meta site-packages dist-packages nvvm";
    auto names = names_in(parent_path(path), recording_.os);
    return std::any_of(names.begin(), names.end(),
                       [&](const auto& name) { return contains_word(kFolders, name); });
  }
  // A folder alone says nothing but its name.
  bool keeps_itself(const std::string& path, const SeenPath& seen) const {
    return !is_private(path) || is_installed(path) ||
           (seen.asked && (seen.kind != FileKind::directory || seen.refused));
  }
  void keep_with_parents(std::string_view path) {
    while (!path.empty() && kept_.insert(std::string(path)).second) {
      auto above = parent_path(path);
      if (above == path) return;
      path = above;
    }
  }

  const Recording& recording_;
  bool active_;
  std::vector<std::string> folders_;
  std::set<std::string> kept_;
};

// --- TOML ---

// "…" with the escapes of TOML: a basic string.
std::string toml_string(std::string_view raw) {
  std::string out = "\"";
  for (char c : printable(raw)) {
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '"' || c == '\\')
      out.append("\\").append(1, c);
    else
      out += c;
  }
  return out + '"';
}

std::string toml_list(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  out.reserve(words.size());
  for (const auto& word : words) out.push_back(toml_string(word));
  return "[" + join(out, ", ") + "]";
}

std::string_view text_of_kind(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::not_found: return "not_found";
    case ErrorKind::malformed: return "malformed";
    case ErrorKind::truncated: return "truncated";
    case ErrorKind::timeout: return "timeout";
    case ErrorKind::denied: return "denied";
    default: return "unsupported";
  }
}

// --- the folder ---

class Writer {
 public:
  Writer(const Recording& recording, const MachineNames& names, std::string_view folder,
         bool redact)
      : recording_(recording),
        folder_(fs::path(std::u8string(folder.begin(), folder.end()))),
        redact_(redact),
        privacy_(recording, redact) {
    what_.user_names = names.users;
    what_.host_names = names.hosts;
    collect_all_uuids();
  }
  Status write();

 private:
  void collect_all_uuids();
  std::string clean(std::string_view text) const {
    if (is_binary(text)) return std::string(text);
    return redact_ ? redact(text, what_) : redact_secrets(text);
  }
  std::string clean_env(const std::string& name, const std::string& value) const {
    return is_secret_name(name) ? "***" : clean(value);
  }
  std::string clean_toml(std::string_view text) const { return toml_string(clean(text)); }

  Status put(const std::vector<std::string>& below, std::string_view text);
  void head();
  Status path(const std::string& path, const SeenPath& seen);
  Status file(const std::string& path, const SeenPath& seen);
  PartsFile clean_parts(const PartsFile& file) const;
  void listing(const std::string& path, const SeenPath& seen);
  Status command(const SeenCommand& seen);
  Status output(std::string_view key, std::string_view text, const std::string& name);
  std::string next_name(std::string_view stem, std::string_view end);

  const Recording& recording_;
  fs::path folder_;
  bool redact_;
  Privacy privacy_;
  Redaction what_;
  std::string toml_;
  std::string tables_;  // after the plain keys
  std::vector<std::string> dirs_;
  int count_ = 0;
};

// All of them first, so that the one of the NVML child is the one of nvidia-smi.
void Writer::collect_all_uuids() {
  for (const auto& command : recording_.commands) {
    collect_uuids(command.result.out, what_.uuids);
    collect_uuids(command.result.err, what_.uuids);
  }
  for (const auto& [path, seen] : recording_.paths) {
    if (seen.text && !is_binary(*seen.text)) collect_uuids(*seen.text, what_.uuids);
  }
  for (const auto& [name, value] : recording_.env) collect_uuids(value, what_.uuids);
}

Status Writer::put(const std::vector<std::string>& below, std::string_view text) {
  fs::path path = folder_;
  for (const auto& name : below) {
    std::string encoded = encode_file_name(name);
    path /= fs::path(std::u8string(encoded.begin(), encoded.end()));
  }
  std::error_code problem;
  fs::create_directories(path.parent_path(), problem);
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.close();
  if (!out) return error(ErrorKind::denied, "could not write " + path.string());
  return {};
}

// "03-nvidia-smi.txt"
std::string Writer::next_name(std::string_view stem, std::string_view end) {
  char number[16];
  std::snprintf(number, sizeof number, "%02d-", ++count_);
  return number + clean(stem) + std::string(end);
}

void Writer::head() {
  toml_ +=
      std::string("os = \"") + (recording_.os == OsFamily::windows ? "windows" : "linux") + "\"\n";
  if (!recording_.home.empty()) toml_ += "home = " + clean_toml(recording_.home) + "\n";
  toml_ += "current_dir = " + clean_toml(recording_.current_dir) + "\n";
  int user = redact_ && recording_.user_id > 0 ? 1000 : recording_.user_id;
  toml_ += "user_id = " + std::to_string(user) + "\n";
  tables_ += "\n[env]\n";
  for (const auto& [name, value] : recording_.env) {
    tables_ += toml_string(name) + " = " + toml_string(clean_env(name, value)) + "\n";
  }
}

Status Writer::path(const std::string& path, const SeenPath& seen) {
  if (privacy_.leaves_out(path)) return {};
  if (seen.kind == FileKind::symlink) {
    tables_ += "\n[[link]]\npath = " + clean_toml(path) +
               "\ntarget = " + clean_toml(seen.link_target) + "\n";
    return {};
  }
  if (seen.kind == FileKind::directory) {
    // What is below it makes a folder exist.
    if (!dirs_.empty() && is_below(clean(path), dirs_.back())) dirs_.pop_back();
    dirs_.push_back(clean(path));
    listing(path, seen);
  } else if (seen.kind == FileKind::regular) {
    if (Status status = file(path, seen); !status) return status;
  }
  bool special = seen.kind == FileKind::other;
  if ((!seen.refused && !special) || seen.text) return {};
  tables_ += "\n[[denied]]\npath = " + clean_toml(path) + "\n";
  if (seen.kind == FileKind::directory) tables_ += "kind = \"directory\"\n";
  if (special) tables_ += "kind = \"other\"\n";
  auto why = seen.refused.value_or(ErrorKind::unsupported);
  tables_ += "error = \"" + std::string(text_of_kind(why)) + "\"\n";
  return {};
}

// A text that was read in places is cleaned like any other. Its size stays, its places too.
PartsFile Writer::clean_parts(const PartsFile& file) const {
  PartsFile out = file;
  bool binary = std::any_of(out.parts.begin(), out.parts.end(),
                            [](const Part& part) { return is_binary(part.bytes); });
  for (auto& part : out.parts) {
    auto size = part.bytes.size();
    if (!binary) part.bytes = clean(part.bytes);
    part.bytes.resize(size, ' ');
  }
  return out;
}

Status Writer::file(const std::string& path, const SeenPath& seen) {
  const std::string* text = seen.text ? &*seen.text : nullptr;
  const auto* parts = seen.parts && !seen.parts->parts.empty() ? &*seen.parts : nullptr;
  bool whole = parts != nullptr && parts->parts[0].bytes.size() == parts->size_bytes;
  if (text == nullptr && whole) text = &parts->parts[0].bytes;
  if (text != nullptr) {
    std::vector<std::string> below{"root"};
    for (auto& name : names_in(clean(path), recording_.os)) below.push_back(std::move(name));
    return put(below, clean(*text));
  }
  tables_ += "\n[[file]]\npath = " + clean_toml(path) +
             "\nsize_bytes = " + std::to_string(seen.size_bytes.value_or(0)) + "\n";
  if (parts == nullptr) return {};
  std::string name = next_name(base_name(path), ".kfparts");
  tables_ += "parts = " + toml_string("parts/" + encode_file_name(name)) + "\n";
  return put({"parts", name}, render_parts(clean_parts(*parts)));
}

void Writer::listing(const std::string& path, const SeenPath& seen) {
  std::vector<std::string> files, dirs, other;
  for (const auto& entry : seen.listing) {
    std::string below = join_path(path, entry.name);
    if (recording_.paths.contains(below) || privacy_.leaves_out(below)) continue;
    auto& list = entry.kind == FileKind::directory ? dirs
                 : entry.kind == FileKind::regular ? files
                                                   : other;
    list.push_back(clean(entry.name));
  }
  if (files.empty() && dirs.empty() && other.empty()) return;
  tables_ += "\n[[listing]]\npath = " + clean_toml(path) + "\n";
  if (!files.empty()) tables_ += "files = " + toml_list(files) + "\n";
  if (!dirs.empty()) tables_ += "dirs = " + toml_list(dirs) + "\n";
  if (!other.empty()) tables_ += "other = " + toml_list(other) + "\n";
}

Status Writer::output(std::string_view key, std::string_view text, const std::string& name) {
  if (text.empty()) return {};
  tables_ += std::string(key) + " = " + toml_string("commands/" + encode_file_name(name)) + "\n";
  return put({"commands", name}, clean(text));
}

Status Writer::command(const SeenCommand& seen) {
  std::vector<std::string> argv;
  for (const auto& word : seen.argv) argv.push_back(clean(word));
  tables_ += "\n[[command]]\nargv = " + toml_list(argv) + "\n";
  if (seen.refused) {
    tables_ += "error = \"" + std::string(text_of_kind(*seen.refused)) + "\"\n";
    return {};
  }
  if (seen.result.status != 0) tables_ += "status = " + std::to_string(seen.result.status) + "\n";
  if (seen.result.timed_out) tables_ += "timed_out = true\n";
  if (seen.result.truncated) tables_ += "truncated = true\n";
  std::string name = next_name(base_name(seen.argv[0]), "");
  if (Status status = output("stdout", seen.result.out, name + ".txt"); !status) return status;
  return output("stderr", seen.result.err, name + ".err.txt");
}

Status Writer::write() {
  std::error_code problem;
  fs::create_directories(folder_, problem);
  if (problem) return error(ErrorKind::denied, folder_.string() + ": " + problem.message());
  if (!fs::is_empty(folder_, problem) || problem) {
    return error(ErrorKind::usage, folder_.string() + ": is not empty");
  }
  head();
  for (const auto& seen : recording_.commands) {
    if (Status status = command(seen); !status) return status;
  }
  for (const auto& [name, seen] : recording_.paths) {
    if (Status status = path(name, seen); !status) return status;
  }
  if (!dirs_.empty()) {
    toml_ += "dirs = [\n";
    for (const auto& dir : dirs_) toml_ += "  " + toml_string(dir) + ",\n";
    toml_ += "]\n";
  }
  return put({"host.toml"}, toml_ + tables_);
}

void add_name(std::vector<std::string>& names, std::string_view name) {
  name = trim(name);
  bool known = std::find(names.begin(), names.end(), name) != names.end();
  if (!name.empty() && !known) names.emplace_back(name);
}

}  // namespace

MachineNames names_of(const Host& host) {
  MachineNames out;
  for (auto name : {"USER", "LOGNAME", "USERNAME", "SUDO_USER"}) {
    add_name(out.users, host.env(name).value_or(""));
  }
  add_name(out.users, base_name(host.home_dir()));
  for (auto folder : {"/home", "/Users", "C:\\Users"}) {
    auto entries = host.list_dir(folder);
    if (!entries) continue;
    for (const auto& entry : *entries) add_name(out.users, entry.name);
  }
  for (auto name : {"HOSTNAME", "COMPUTERNAME", "USERDOMAIN"}) {
    add_name(out.hosts, host.env(name).value_or(""));
  }
  for (auto file : {"/proc/sys/kernel/hostname", "/etc/hostname"}) {
    auto text = host.read_file(file);
    if (!text) continue;
    add_name(out.hosts, *text);
    add_name(out.hosts, text->substr(0, text->find('.')));  // "box" of "box.example.org"
  }
  return out;
}

Status write_recording(const Recording& recording, const MachineNames& names,
                       std::string_view folder, bool redact) {
  return Writer(recording, names, folder, redact).write();
}

}  // namespace kernelfit
