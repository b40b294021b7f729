// SPDX-License-Identifier: Apache-2.0
// A machine played back from a folder (tests/hosts/README.md). It reads that folder through the
// real host, and nothing outside of it: links of the disk are not followed.
#include <algorithm>
#include <utility>

#include "base/json.h"
#include "base/text.h"
#include "host/file_names.h"
#include "host/host.h"
#include "host/parts.h"
#include "host/recorded_tree.h"

namespace kernelfit {
namespace {

constexpr std::size_t kFileLimit = std::size_t{64} << 20;  // of any one file in the folder
constexpr int kMaxDepth = 64;

constexpr std::string_view kKeys[] = {"os",   "home",   "current_dir", "user_id", "env",    "dirs",
                                      "link", "denied", "command",     "file",    "listing"};

struct RecordedCommand {
  std::vector<std::string> argv;
  CommandResult result;
  std::optional<Error> refused;
};

ErrorKind error_kind_of(std::string_view name) {
  if (name == "not_found") return ErrorKind::not_found;
  if (name == "malformed") return ErrorKind::malformed;
  if (name == "truncated") return ErrorKind::truncated;
  if (name == "unsupported") return ErrorKind::unsupported;
  if (name == "timeout") return ErrorKind::timeout;
  return ErrorKind::denied;
}

std::string refusal_text(ErrorKind kind) {
  return kind == ErrorKind::denied ? "permission denied" : "cannot be read";
}

class RecordedHost : public Host {
 public:
  RecordedHost(std::string folder, bool windows)
      : folder_(std::move(folder)), disk_(real_host()), windows_(windows), tree_(windows) {}

  Status load(const Json& head);

  OsFamily os() const override { return windows_ ? OsFamily::windows : OsFamily::linux; }
  std::string name() const override { return folder_; }
  bool is_recorded() const override { return true; }
  Result<std::string> read_file(std::string_view path, std::size_t limit_bytes) const override;
  Result<std::unique_ptr<RandomAccess>> open_file(std::string_view path) const override;
  Result<std::vector<DirEntry>> list_dir(std::string_view path) const override;
  Result<FileInfo> file_info(std::string_view path) const override { return info(path, true); }
  Result<FileInfo> link_info(std::string_view path) const override { return info(path, false); }
  Result<std::string> read_link(std::string_view path) const override;
  Result<std::string> real_path(std::string_view path) const override;
  Result<CommandResult> run(const Command& command) const override;
  std::string self_path() const override { return "kernelfit"; }
  std::optional<std::string> env(std::string_view name) const override;
  std::string current_dir() const override { return current_dir_; }
  std::string home_dir() const override { return home_; }
  int user_id() const override { return user_id_; }
  std::int64_t clock_ms() const override { return 0; }

 private:
  std::string machine_path(const std::string& below_root) const;
  Status load_root(const std::string& disk, const std::string& below_root, int depth);
  Status load_paths(const Json& head);
  void load_listing(const Json& row);
  void load_denied(const Json& row);
  Status load_command(const Json& row);
  Result<std::string> inside(std::string_view relative) const;
  Result<std::string> output_of(const Json& row, std::string_view file_key,
                                std::string_view text_key) const;
  Result<FileInfo> info(std::string_view path, bool follow) const;
  std::uint64_t size_of(const RecordedNode& node) const;
  // The node of a file whose text can be asked for.
  Result<const RecordedNode*> file_node(std::string_view path) const;
  std::string absolute(std::string_view path) const;

  std::string folder_;
  std::unique_ptr<Host> disk_;
  bool windows_;
  RecordedTree tree_;
  std::string home_, current_dir_;
  int user_id_ = -1;
  std::map<std::string, std::string> env_;
  std::vector<RecordedCommand> commands_;
};

// A path of host.toml below the recorded folder; one that leads out of it is refused.
Result<std::string> RecordedHost::inside(std::string_view relative) const {
  std::string path = folder_;
  for (auto part : split(relative, '/')) {
    if (part.empty() || part == "." || part == ".." || contains(part, "\\") ||
        contains(part, ":")) {
      return error(ErrorKind::malformed, "not a path below the folder: " + std::string(relative));
    }
    path = join_path(path, part);
    auto info = disk_->link_info(path);
    if (!info) return tl::unexpected<Error>(std::move(info).error());
    if (info->kind == FileKind::symlink) {
      return error(ErrorKind::malformed, "a link: " + std::string(relative));
    }
  }
  return path;
}

// "C/Windows/x" is C:\Windows\x on a Windows machine, "proc/x" is /proc/x on others.
std::string RecordedHost::machine_path(const std::string& below_root) const {
  if (!windows_) return "/" + below_root;
  auto drive = below_root.find('/');
  if (drive == std::string::npos) return below_root + ":\\";
  return below_root.substr(0, drive) + ":" + below_root.substr(drive);
}

Status RecordedHost::load_root(const std::string& disk, const std::string& below_root, int depth) {
  if (depth > kMaxDepth) return error(ErrorKind::malformed, "root/ is nested too deeply");
  KF_TRY(auto entries, disk_->list_dir(disk));
  for (const auto& entry : entries) {
    std::string name = decode_file_name(entry.name);
    std::string below = below_root.empty() ? name : join_path(below_root, name);
    std::string path = join_path(disk, entry.name);
    if (entry.kind == FileKind::directory) {
      tree_.make(machine_path(below), FileKind::directory);
      if (Status status = load_root(path, below, depth + 1); !status) return status;
    } else if (entry.kind == FileKind::regular) {
      tree_.make(machine_path(below), FileKind::regular).disk_path = path;
    }
  }
  return {};
}

Status RecordedHost::load_paths(const Json& head) {
  for (const auto& path : head.at("dirs").strings()) tree_.make(path, FileKind::directory);
  for (const auto& row : head.at("link").items()) {
    tree_.make(row.at("path").string(), FileKind::symlink).link_target = row.at("target").string();
  }
  for (const auto& row : head.at("file").items()) {
    auto& node = tree_.make(row.at("path").string(), FileKind::regular);
    node.size_bytes =
        static_cast<std::uint64_t>(std::max<std::int64_t>(row.at("size_bytes").integer(0), 0));
    node.zero_fill = row.at("fill").string() == "zero";
    if (row.at("parts").is_null()) continue;
    auto parts = inside(row.at("parts").string());
    if (!parts) return tl::unexpected<Error>(std::move(parts).error().in("file"));
    node.parts_path = *parts;
  }
  for (const auto& row : head.at("listing").items()) load_listing(row);
  for (const auto& row : head.at("denied").items()) load_denied(row);
  return {};
}

// Names that a folder was seen to hold, and that were not looked at any further.
void RecordedHost::load_listing(const Json& row) {
  std::string folder(row.at("path").string());
  tree_.make(folder, FileKind::directory);
  for (const auto& name : row.at("dirs").strings()) {
    tree_.make(join_path(folder, name), FileKind::directory);
  }
  for (std::string_view key : {"files", "other"}) {
    for (const auto& name : row.at(key).strings()) {
      auto path = join_path(folder, name);
      auto& node = tree_.make(path, key == "files" ? FileKind::regular : FileKind::other);
      node.refused = Error{ErrorKind::unsupported, "was not recorded", {path}};
    }
  }
}

void RecordedHost::load_denied(const Json& row) {
  auto path = row.at("path").string(), name = row.at("kind").string();
  auto known = tree_.find(path, false);
  FileKind kind = known ? (*known)->kind : FileKind::regular;
  if (name == "directory") kind = FileKind::directory;
  if (name == "other") kind = FileKind::other;
  ErrorKind why = error_kind_of(row.at("error").string());
  tree_.make(path, kind).refused = Error{why, refusal_text(why), {std::string(path)}};
}

Result<std::string> RecordedHost::output_of(const Json& row, std::string_view file_key,
                                            std::string_view text_key) const {
  if (row.at(file_key).is_null()) return std::string(row.at(text_key).string());
  KF_TRY(std::string path, inside(row.at(file_key).string()));
  return disk_->read_file(path, kFileLimit);
}

Status RecordedHost::load_command(const Json& row) {
  RecordedCommand command;
  command.argv = row.at("argv").strings();
  if (command.argv.empty()) return error(ErrorKind::malformed, "a command without argv");
  auto out = output_of(row, "stdout", "out");
  if (!out) return tl::unexpected<Error>(std::move(out).error().in(command.argv[0]));
  auto err = output_of(row, "stderr", "err");
  if (!err) return tl::unexpected<Error>(std::move(err).error().in(command.argv[0]));
  command.result.out = *out;
  command.result.err = *err;
  command.result.status = static_cast<int>(row.at("status").integer(0));
  command.result.timed_out = row.at("timed_out").boolean();
  command.result.truncated = row.at("truncated").boolean();
  if (!row.at("error").is_null()) {
    ErrorKind kind = error_kind_of(row.at("error").string());
    command.refused = Error{kind, refusal_text(kind), {command.argv[0]}};
  }
  commands_.push_back(std::move(command));
  return {};
}

Status RecordedHost::load(const Json& head) {
  for (const auto& [key, value] : head.members()) {
    if (std::find(std::begin(kKeys), std::end(kKeys), key) == std::end(kKeys)) {
      return error(ErrorKind::malformed, "unknown key `" + key + "`");
    }
  }
  home_ = head.at("home").string();
  current_dir_ = head.at("current_dir").is_null() ? (windows_ ? "C:\\" : "/")
                                                  : std::string(head.at("current_dir").string());
  user_id_ = static_cast<int>(head.at("user_id").integer(windows_ ? -1 : 1000));
  for (const auto& [key, value] : head.at("env").members()) env_[key] = value.string();
  if (!home_.empty()) tree_.make(home_, FileKind::directory);
  tree_.make(current_dir_, FileKind::directory);
  std::string root = join_path(folder_, "root");
  if (disk_->is_dir(root)) {
    if (Status status = load_root(root, "", 0); !status) return status;
  }
  if (Status status = load_paths(head); !status) return status;
  for (const auto& row : head.at("command").items()) {
    if (Status status = load_command(row); !status) return status;
  }
  return {};
}

std::string RecordedHost::absolute(std::string_view path) const {
  bool is_absolute = windows_ ? path.size() >= 2 && path[1] == ':' : path.starts_with('/');
  return is_absolute || path.empty() ? std::string(path) : join_path(current_dir_, path);
}

std::uint64_t RecordedHost::size_of(const RecordedNode& node) const {
  if (node.size_bytes) return *node.size_bytes;
  if (node.disk_path.empty()) return 0;
  auto info = disk_->link_info(node.disk_path);
  return info ? info->size_bytes : 0;
}

Result<const RecordedNode*> RecordedHost::file_node(std::string_view path) const {
  KF_TRY(const RecordedNode* node, tree_.find(absolute(path), true));
  if (node->refused) return tl::unexpected<Error>(*node->refused);
  if (node->kind != FileKind::regular) {
    return error(ErrorKind::unsupported, "not a regular file: " + std::string(path));
  }
  return node;
}

Result<std::string> RecordedHost::read_file(std::string_view path, std::size_t limit_bytes) const {
  KF_TRY(const RecordedNode* node, file_node(path));
  std::uint64_t size = size_of(*node);
  if (size > limit_bytes) {
    return error(ErrorKind::unsupported, std::string(path) + " has " + std::to_string(size) +
                                             " bytes, more than " + std::to_string(limit_bytes));
  }
  if (!node->size_bytes) {
    return node->disk_path.empty() ? Result<std::string>(std::string())
                                   : disk_->read_file(node->disk_path, limit_bytes);
  }
  KF_TRY(auto file, open_file(path));
  std::string text(size, '\0');
  Status status = file->read(0, std::as_writable_bytes(std::span(text)));
  if (!status) return tl::unexpected<Error>(std::move(status).error().in(path));
  return text;
}

Result<std::unique_ptr<RandomAccess>> RecordedHost::open_file(std::string_view path) const {
  KF_TRY(const RecordedNode* node, file_node(path));
  if (!node->disk_path.empty() && !node->size_bytes) return disk_->open_file(node->disk_path);
  PartsFile parts;
  if (!node->parts_path.empty()) {
    KF_TRY(std::string text, disk_->read_file(node->parts_path, kFileLimit));
    KF_TRY(parts, parse_parts(text));
  }
  parts.size_bytes = size_of(*node);
  parts.zero_fill = node->zero_fill;
  return open_parts(std::move(parts));
}

Result<std::vector<DirEntry>> RecordedHost::list_dir(std::string_view path) const {
  KF_TRY(const RecordedNode* node, tree_.find(absolute(path), true));
  if (node->refused) return tl::unexpected<Error>(*node->refused);
  if (node->kind != FileKind::directory) {
    return error(ErrorKind::not_found, "not a directory: " + std::string(path));
  }
  std::vector<DirEntry> out;
  for (const auto& [key, child] : node->children) out.push_back({child->name, child->kind});
  std::sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.name < b.name; });
  return out;
}

Result<FileInfo> RecordedHost::info(std::string_view path, bool follow) const {
  KF_TRY(const RecordedNode* node, tree_.find(absolute(path), follow));
  return FileInfo{.kind = node->kind,
                  .size_bytes = node->kind == FileKind::regular ? size_of(*node) : 0,
                  .device = 1,
                  .inode = node->inode,
                  .mtime_ns = 0};
}

Result<std::string> RecordedHost::read_link(std::string_view path) const {
  KF_TRY(const RecordedNode* node, tree_.find(absolute(path), false));
  if (node->kind != FileKind::symlink) {
    return error(ErrorKind::unsupported, "not a symbolic link: " + std::string(path));
  }
  return node->link_target;
}

Result<std::string> RecordedHost::real_path(std::string_view path) const {
  KF_TRY(const RecordedNode* node, tree_.find(absolute(path), true));
  return tree_.path_of(*node);
}

Result<CommandResult> RecordedHost::run(const Command& command) const {
  for (const auto& recorded : commands_) {
    if (recorded.argv != command.argv) continue;
    if (recorded.refused) return tl::unexpected<Error>(*recorded.refused);
    return recorded.result;
  }
  return error(ErrorKind::not_found,
               "no such program: " + (command.argv.empty() ? "" : command.argv[0]));
}

std::optional<std::string> RecordedHost::env(std::string_view name) const {
  for (const auto& [key, value] : env_) {
    if (windows_ ? lower(key) == lower(name) : key == name) return value;
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Host>> open_recorded_host(std::string_view folder) {
  auto disk = real_host();
  std::string head_path = join_path(folder, "host.toml");
  KF_TRY(std::string text, disk->read_file(head_path, kFileLimit));
  auto head = parse_toml(text);
  if (!head) return tl::unexpected<Error>(std::move(head).error().in(head_path));
  auto os = head->at("os").string();
  if (os != "linux" && os != "windows" && !os.empty()) {
    return error(ErrorKind::malformed, head_path + ": os is \"linux\" or \"windows\"");
  }
  auto host = std::make_unique<RecordedHost>(std::string(folder), os == "windows");
  if (Status status = host->load(*head); !status) {
    return tl::unexpected<Error>(std::move(status).error().in(head_path));
  }
  return host;
}

}  // namespace kernelfit
