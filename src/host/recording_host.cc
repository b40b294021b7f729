// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>
#include <mutex>

#include "base/text.h"
#include "host/host.h"
#include "host/recording.h"

namespace kernelfit {
namespace {

constexpr int kMaxLinks = 40;

// Shared with the files that were opened, which may live longer than the host.
struct Shared {
  std::mutex mutex;
  Recording recording;
};

class RecordingAccess : public RandomAccess {
 public:
  RecordingAccess(std::unique_ptr<RandomAccess> inner, std::shared_ptr<Shared> shared,
                  std::string path)
      : inner_(std::move(inner)), shared_(std::move(shared)), path_(std::move(path)) {}
  std::uint64_t size() const override { return inner_->size(); }
  Status read(std::uint64_t offset, std::span<std::byte> into) const override {
    Status status = inner_->read(offset, into);
    if (status && !into.empty()) {
      std::lock_guard lock(shared_->mutex);
      shared_->recording.paths[path_].parts->add(offset, as_text(into));
    }
    return status;
  }

 private:
  std::unique_ptr<RandomAccess> inner_;
  std::shared_ptr<Shared> shared_;
  std::string path_;
};

class Recorder : public RecordingHost {
 public:
  explicit Recorder(const Host& inner) : inner_(inner), shared_(std::make_shared<Shared>()) {}

  OsFamily os() const override { return inner_.os(); }
  std::string name() const override { return inner_.name(); }
  bool is_recorded() const override { return inner_.is_recorded(); }
  std::string self_path() const override { return inner_.self_path(); }
  std::string current_dir() const override { return inner_.current_dir(); }
  std::string home_dir() const override { return inner_.home_dir(); }
  int user_id() const override { return inner_.user_id(); }
  std::int64_t clock_ms() const override { return inner_.clock_ms(); }

  Result<std::string> read_file(std::string_view path, std::size_t limit_bytes) const override;
  Result<std::unique_ptr<RandomAccess>> open_file(std::string_view path) const override;
  Result<std::vector<DirEntry>> list_dir(std::string_view path) const override;
  Result<FileInfo> file_info(std::string_view path) const override;
  Result<FileInfo> link_info(std::string_view path) const override;
  Result<std::string> read_link(std::string_view path) const override;
  Result<std::string> real_path(std::string_view path) const override;
  Result<CommandResult> run(const Command& command) const override;
  std::optional<std::string> env(std::string_view name) const override;

  Status save(std::string_view folder, bool redact) const override;

 private:
  // Keeps every link and folder on the way. The path without links; nothing where it leads nowhere.
  SeenPath* learn(std::string_view path, bool follow_last, std::string* resolved = nullptr) const;
  SeenPath* look_at(const std::string& path) const;
  std::deque<std::string> parts_of(std::string_view path) const;
  std::string root_of(std::string_view path) const;
  void keep_info(SeenPath* seen, const Result<FileInfo>& info) const;

  const Host& inner_;
  std::shared_ptr<Shared> shared_;
};

// "/" or "C:\\"; a relative path begins at the current folder.
std::string Recorder::root_of(std::string_view path) const {
  if (os() != OsFamily::windows) return "/";
  return path.size() >= 2 && path[1] == ':' ? std::string(path.substr(0, 2)) + "\\" : "C:\\";
}

std::deque<std::string> Recorder::parts_of(std::string_view path) const {
  std::string text(path);
  if (os() == OsFamily::windows) {
    if (text.size() >= 2 && text[1] == ':') text.erase(0, 2);
    text = replace_all(std::move(text), "\\", "/");
  }
  std::deque<std::string> out;
  for (auto part : split(text, '/')) {
    if (!part.empty() && part != ".") out.emplace_back(part);
  }
  return out;
}

// What is at a path whose folders hold no link; asked of the machine once.
SeenPath* Recorder::look_at(const std::string& path) const {
  auto& paths = shared_->recording.paths;
  if (auto known = paths.find(path); known != paths.end()) return &known->second;
  auto info = inner_.link_info(path);
  if (!info) {
    if (info.error().kind == ErrorKind::denied) {
      paths[std::string(parent_path(path))].refused = ErrorKind::denied;
    }
    return nullptr;
  }
  SeenPath& seen = paths[path];
  seen.kind = info->kind;
  if (info->kind == FileKind::symlink) seen.link_target = inner_.read_link(path).value_or("");
  return &seen;
}

SeenPath* Recorder::learn(std::string_view asked, bool follow_last, std::string* resolved) const {
  bool absolute = asked.starts_with('/') || (asked.size() >= 2 && asked[1] == ':');
  std::string path = absolute ? std::string(asked) : join_path(current_dir(), asked);
  std::string at = root_of(path);
  auto ahead = parts_of(path);
  SeenPath* seen = look_at(at);
  int links = 0;
  while (!ahead.empty() && seen != nullptr) {
    std::string part = std::move(ahead.front());
    ahead.pop_front();
    if (part == "..") {
      at = parent_path(at);
      seen = look_at(at);
      continue;
    }
    std::string next = join_path(at, part);
    seen = look_at(next);
    bool follow =
        seen != nullptr && seen->kind == FileKind::symlink && (follow_last || !ahead.empty());
    if (!follow) {
      at = next;
      continue;
    }
    seen->asked = true;  // what was asked for is behind it
    if (++links > kMaxLinks) return nullptr;
    auto target = parts_of(seen->link_target);
    bool to_root = seen->link_target.starts_with('/') ||
                   (seen->link_target.size() >= 2 && seen->link_target[1] == ':');
    if (to_root) at = root_of(seen->link_target);
    ahead.insert(ahead.begin(), target.begin(), target.end());
    if (ahead.empty()) seen = look_at(at);
  }
  if (seen != nullptr) seen->asked = true;
  if (resolved != nullptr) *resolved = at;
  return seen;
}

void Recorder::keep_info(SeenPath* seen, const Result<FileInfo>& info) const {
  if (seen != nullptr && info && info->kind == FileKind::regular) {
    seen->size_bytes = info->size_bytes;
  }
}

Result<std::string> Recorder::read_file(std::string_view path, std::size_t limit_bytes) const {
  auto text = inner_.read_file(path, limit_bytes);
  std::lock_guard lock(shared_->mutex);
  SeenPath* seen = learn(path, true);
  if (seen == nullptr) return text;
  if (text) {
    seen->text = *text;
    return text;
  }
  auto info = inner_.file_info(path);
  keep_info(seen, info);
  bool too_large = info && info->kind == FileKind::regular && info->size_bytes > limit_bytes;
  bool folder = seen->kind == FileKind::directory;  // reading one fails everywhere
  if (!too_large && !folder && !seen->text) seen->refused = text.error().kind;
  return text;
}

Result<std::unique_ptr<RandomAccess>> Recorder::open_file(std::string_view path) const {
  auto file = inner_.open_file(path);
  std::lock_guard lock(shared_->mutex);
  std::string resolved;
  SeenPath* seen = learn(path, true, &resolved);
  if (seen == nullptr) return file;
  if (!file) {
    if (seen->kind != FileKind::directory) seen->refused = file.error().kind;
    return file;
  }
  if (!seen->parts) seen->parts.emplace();
  seen->parts->size_bytes = (*file)->size();
  seen->size_bytes = (*file)->size();
  return std::make_unique<RecordingAccess>(std::move(*file), shared_, resolved);
}

Result<std::vector<DirEntry>> Recorder::list_dir(std::string_view path) const {
  auto entries = inner_.list_dir(path);
  std::lock_guard lock(shared_->mutex);
  std::string resolved;
  SeenPath* seen = learn(path, true, &resolved);
  if (seen == nullptr) return entries;
  if (!entries) {
    if (seen->kind == FileKind::directory) seen->refused = entries.error().kind;
    return entries;
  }
  seen->listing = *entries;
  for (const auto& entry : *entries) {  // where a link leads is part of what was seen
    if (entry.kind == FileKind::symlink) look_at(join_path(resolved, entry.name));
  }
  return entries;
}

Result<FileInfo> Recorder::file_info(std::string_view path) const {
  auto info = inner_.file_info(path);
  std::lock_guard lock(shared_->mutex);
  keep_info(learn(path, true), info);
  return info;
}

Result<FileInfo> Recorder::link_info(std::string_view path) const {
  auto info = inner_.link_info(path);
  std::lock_guard lock(shared_->mutex);
  keep_info(learn(path, false), info);
  return info;
}

Result<std::string> Recorder::read_link(std::string_view path) const {
  auto target = inner_.read_link(path);
  std::lock_guard lock(shared_->mutex);
  learn(path, false);
  return target;
}

Result<std::string> Recorder::real_path(std::string_view path) const {
  auto real = inner_.real_path(path);
  std::lock_guard lock(shared_->mutex);
  learn(path, true);
  return real;
}

Result<CommandResult> Recorder::run(const Command& command) const {
  auto result = inner_.run(command);
  std::lock_guard lock(shared_->mutex);
  SeenCommand seen;
  seen.argv = command.argv;
  if (!seen.argv.empty() && seen.argv[0] == self_path()) seen.argv[0] = "kernelfit";
  if (result)
    seen.result = *result;
  else if (result.error().kind == ErrorKind::not_found)
    return result;
  else
    seen.refused = result.error().kind;
  auto& all = shared_->recording.commands;
  auto same = std::find_if(all.begin(), all.end(),
                           [&](const auto& other) { return other.argv == seen.argv; });
  if (same == all.end())
    all.push_back(std::move(seen));
  else
    *same = std::move(seen);
  return result;
}

std::optional<std::string> Recorder::env(std::string_view name) const {
  auto value = inner_.env(name);
  std::lock_guard lock(shared_->mutex);
  if (value) shared_->recording.env[std::string(name)] = *value;
  return value;
}

Status Recorder::save(std::string_view folder, bool redact) const {
  std::lock_guard lock(shared_->mutex);
  Recording recording = shared_->recording;
  recording.os = inner_.os();
  recording.home = inner_.home_dir();
  recording.current_dir = inner_.current_dir();
  recording.user_id = inner_.user_id();
  return write_recording(recording, names_of(inner_), folder, redact);
}

}  // namespace

std::unique_ptr<RecordingHost> record_host(const Host& inner) {
  return std::make_unique<Recorder>(inner);
}

}  // namespace kernelfit
