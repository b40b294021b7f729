// SPDX-License-Identifier: Apache-2.0
// This machine, through POSIX. Files are opened without waiting and only if they are regular: a
// pipe named version.py or a device must not stop a report.
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>

#include "base/text.h"
#include "host/file_access.h"
#include "host/file_errors.h"
#include "host/host.h"
#include "host/posix_file.h"
#include "host/process.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxEntries = 200'000;  // of one directory

FileKind kind_of_mode(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::regular;
  if (S_ISDIR(mode)) return FileKind::directory;
  if (S_ISLNK(mode)) return FileKind::symlink;
  return FileKind::other;
}

FileInfo info_of(const struct stat& from) {
#ifdef __APPLE__
  const auto& modified = from.st_mtimespec;
#else
  const auto& modified = from.st_mtim;
#endif
  return {.kind = kind_of_mode(from.st_mode),
          .size_bytes = static_cast<std::uint64_t>(from.st_size),
          .device = static_cast<std::uint64_t>(from.st_dev),
          .inode = static_cast<std::uint64_t>(from.st_ino),
          .mtime_ns = static_cast<std::int64_t>(modified.tv_sec) * 1'000'000'000 +
                      static_cast<std::int64_t>(modified.tv_nsec)};
}

Result<FileDescriptor> open_regular(const std::string& path, struct stat& info) {
  // Looked at before it is opened: opening a device can do something.
  if (stat(path.c_str(), &info) != 0) return errno_error(errno, path);
  if (!S_ISREG(info.st_mode)) {
    return error(ErrorKind::unsupported, path + ": not a regular file");
  }
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!file.is_open()) return errno_error(errno, path);
  if (fstat(file.get(), &info) != 0) return errno_error(errno, path);
  if (!S_ISREG(info.st_mode)) {
    return error(ErrorKind::unsupported, path + ": not a regular file");
  }
  return file;
}

class PosixAccess : public FileAccess {
 public:
  PosixAccess(FileDescriptor file, const struct stat& info, std::string path)
      : file_(std::move(file)),
        size_(static_cast<std::uint64_t>(info.st_size)),
        has_holes_(static_cast<std::uint64_t>(info.st_blocks) * 512 < size_),
        path_(std::move(path)) {}
  std::uint64_t size() const override { return size_; }
  Status read(std::uint64_t offset, std::span<std::byte> into) const override {
    if (offset > size_ || into.size() > size_ - offset)
      return past_the_end(path_, size_, offset, into.size());
    std::size_t done = 0;
    while (done < into.size()) {
      ssize_t got = pread(file_.get(), into.data() + done, into.size() - done,
                          static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return errno_error(errno, path_);
      if (got == 0) return past_the_end(path_, size_, offset, into.size());  // it shrank
      done += static_cast<std::size_t>(got);
    }
    return {};
  }
  std::uint64_t next_data(std::uint64_t from) const override {
#ifdef SEEK_DATA
    if (!has_holes_ || from >= size_) return from;
    // The position that this moves is not used: reads name their own.
    const off_t found = lseek(file_.get(), static_cast<off_t>(from), SEEK_DATA);
    if (found >= 0) return static_cast<std::uint64_t>(found);
    return errno == ENXIO ? size_ : from;
#else
    return from;
#endif
  }
  bool in_memory(std::uint64_t offset) const override {
#ifdef RWF_NOWAIT
    char byte = 0;
    const iovec into{&byte, 1};
    const ssize_t got = preadv2(file_.get(), &into, 1, static_cast<off_t>(offset), RWF_NOWAIT);
    return got >= 0 || errno != EAGAIN;
#else
    return offset <= size_;
#endif
  }
  void expect_far_apart(bool far_apart) const override {
#ifdef POSIX_FADV_RANDOM
    posix_fadvise(file_.get(), 0, 0, far_apart ? POSIX_FADV_RANDOM : POSIX_FADV_NORMAL);
#endif
  }

 private:
  FileDescriptor file_;
  std::uint64_t size_;
  bool has_holes_;
  std::string path_;
};

class PosixHost : public Host {
 public:
  OsFamily os() const override {
#ifdef __linux__
    return OsFamily::linux;
#else
    return OsFamily::other;
#endif
  }
  std::string name() const override {
    return "this machine";
  }
  bool is_recorded() const override {
    return false;
  }

  Result<std::string> read_file(std::string_view path, std::size_t limit_bytes) const override;
  Result<std::unique_ptr<RandomAccess>> open_file(std::string_view path) const override {
    struct stat info;
    KF_TRY(FileDescriptor file, open_regular(std::string(path), info));
    return std::make_unique<PosixAccess>(std::move(file), info, std::string(path));
  }
  Result<std::vector<DirEntry>> list_dir(std::string_view path) const override;
  Result<FileInfo> file_info(std::string_view path) const override {
    struct stat info;
    if (stat(std::string(path).c_str(), &info) != 0) return errno_error(errno, path);
    return info_of(info);
  }
  Result<FileInfo> link_info(std::string_view path) const override {
    struct stat info;
    if (lstat(std::string(path).c_str(), &info) != 0) return errno_error(errno, path);
    return info_of(info);
  }
  Result<std::string> read_link(std::string_view path) const override;
  Result<std::string> real_path(std::string_view path) const override {
    char buffer[PATH_MAX];
    if (realpath(std::string(path).c_str(), buffer) == nullptr) return errno_error(errno, path);
    return std::string(buffer);
  }

  Result<CommandResult> run(const Command& command) const override {
    return run_process(command);
  }
  std::string self_path() const override;

  std::optional<std::string> env(std::string_view name) const override {
    const char* value = std::getenv(std::string(name).c_str());
    if (value == nullptr) return {};
    return std::string(value);
  }
  std::string current_dir() const override {
    char buffer[PATH_MAX];
    return getcwd(buffer, sizeof buffer) == nullptr ? "" : std::string(buffer);
  }
  std::string home_dir() const override;
  int user_id() const override {
    return static_cast<int>(geteuid());
  }
  Result<std::string> read_cache(std::string_view name) const override;
  Status write_cache(std::string_view name, std::string_view text) const override;
  std::int64_t clock_ms() const override {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
};

// Read to its end and not by its size: files of /proc and /sys say 0 or 4096.
Result<std::string> PosixHost::read_file(std::string_view path_view,
                                         std::size_t limit_bytes) const {
  std::string path(path_view);
  struct stat info;
  KF_TRY(FileDescriptor file, open_regular(path, info));
  auto size = static_cast<std::uint64_t>(info.st_size);
  if (size > limit_bytes) return too_large(path, size, limit_bytes);
  std::string out;
  std::size_t step = std::clamp<std::size_t>(size + 1, 4096, std::size_t{1} << 20);
  for (;;) {
    std::size_t had = out.size();
    out.resize(had + step);
    ssize_t got = ::read(file.get(), out.data() + had, step);
    out.resize(had + (got > 0 ? static_cast<std::size_t>(got) : 0));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno_error(errno, path);
    if (got == 0) return out;
    if (out.size() > limit_bytes) return too_large(path, out.size(), limit_bytes);
  }
}

FileKind kind_of_entry(int folder, const dirent& entry) {
#ifdef DT_UNKNOWN
  if (entry.d_type == DT_REG) return FileKind::regular;
  if (entry.d_type == DT_DIR) return FileKind::directory;
  if (entry.d_type == DT_LNK) return FileKind::symlink;
  if (entry.d_type != DT_UNKNOWN) return FileKind::other;
#endif
  struct stat info;  // some file systems do not tell
  if (fstatat(folder, entry.d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) return FileKind::other;
  return kind_of_mode(info.st_mode);
}

Result<std::vector<DirEntry>> PosixHost::list_dir(std::string_view path_view) const {
  std::string path(path_view);
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open()) return errno_error(errno, path);
  int number = dup(file.get());
  DIR* folder = number < 0 ? nullptr : fdopendir(number);
  if (folder == nullptr) {
    int reason = errno;
    if (number >= 0) close(number);
    return errno_error(reason, path);
  }
  std::vector<DirEntry> out;
  errno = 0;
  while (const dirent* entry = readdir(folder)) {
    std::string_view name = entry->d_name;
    if (name != "." && name != "..") {
      out.push_back({std::string(name), kind_of_entry(file.get(), *entry)});
    }
    if (out.size() > kMaxEntries) break;
    errno = 0;
  }
  int reason = errno;
  closedir(folder);
  if (out.size() > kMaxEntries) {
    return error(ErrorKind::unsupported,
                 path + ": more than " + std::to_string(kMaxEntries) + " entries");
  }
  if (reason != 0) return errno_error(reason, path);
  std::sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.name < b.name; });
  return out;
}

Result<std::string> PosixHost::read_link(std::string_view path) const {
  char buffer[PATH_MAX];
  ssize_t size = readlink(std::string(path).c_str(), buffer, sizeof buffer);
  if (size < 0 && errno == EINVAL) {
    return error(ErrorKind::unsupported, std::string(path) + ": not a symbolic link");
  }
  if (size < 0) return errno_error(errno, path);
  return std::string(buffer, static_cast<std::size_t>(size));
}

// A program that was replaced while it runs can still be started through /proc/self/exe.
std::string PosixHost::self_path() const {
#ifdef __APPLE__
  char buffer[PATH_MAX];
  std::uint32_t size = sizeof buffer;
  return _NSGetExecutablePath(buffer, &size) == 0 ? buffer : "kernelfit";
#else
  constexpr const char* kSelf = "/proc/self/exe";
  auto path = read_link(kSelf);
  return path && !path->ends_with(" (deleted)") ? *path : kSelf;
#endif
}

// HOME, else the line of /etc/passwd: "user:x:1000:1000::/home/user:/bin/bash". getpwuid could ask
// a directory server and wait for it.
std::string PosixHost::home_dir() const {
  if (auto home = env("HOME"); home && !home->empty()) return *home;
  auto passwd = read_file("/etc/passwd", std::size_t{1} << 20);
  if (!passwd) return {};
  for (auto line : lines_of(*passwd)) {
    auto fields = split(line, ':');
    if (fields.size() >= 6 && fields[2] == std::to_string(user_id())) return std::string(fields[5]);
  }
  return {};
}

// The cache folder, as the XDG base directory specification says; empty where there is none.
std::string cache_folder(const Host& host) {
  const std::string given = host.env("XDG_CACHE_HOME").value_or("");
  if (given.starts_with('/')) return join_path(given, "kernelfit");
  const std::string home = host.home_dir();
  return home.starts_with('/') ? join_path(join_path(home, ".cache"), "kernelfit") : std::string();
}

// Nobody else can write it: with sudo, the folder of another user is left alone.
bool is_own(const struct stat& info) {
  return info.st_uid == geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

Status make_cache_folder(const std::string& folder) {
  const std::string above(parent_path(folder));
  struct stat info;
  if (stat(above.c_str(), &info) != 0 && mkdir(above.c_str(), 0700) != 0) {
    return errno_error(errno, above);
  }
  if (stat(above.c_str(), &info) != 0) return errno_error(errno, above);
  if (info.st_uid != geteuid()) return error(ErrorKind::denied, above + ": another user's");
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return errno_error(errno, folder);
  if (lstat(folder.c_str(), &info) != 0) return errno_error(errno, folder);
  if (S_ISDIR(info.st_mode) && is_own(info)) return {};
  return error(ErrorKind::denied, folder + ": not a folder of this user alone");
}

Status write_whole(const FileDescriptor& file, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t put = ::write(file.get(), text.data(), text.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return errno_error(errno, path);
    text.remove_prefix(static_cast<std::size_t>(put));
  }
  return {};
}

Result<std::string> PosixHost::read_cache(std::string_view name) const {
  const std::string folder = cache_folder(*this);
  if (folder.empty()) return error(ErrorKind::not_found, "there is no cache folder");
  const std::string path = join_path(folder, name);
  struct stat info;
  if (lstat(path.c_str(), &info) != 0) return errno_error(errno, path);
  if (!S_ISREG(info.st_mode) || !is_own(info)) {
    return error(ErrorKind::denied, path + ": not a file of this user alone");
  }
  return read_file(path, kMaxCacheFile);
}

Status PosixHost::write_cache(std::string_view name, std::string_view text) const {
  const std::string folder = cache_folder(*this);
  if (folder.empty()) return error(ErrorKind::not_found, "there is no cache folder");
  if (text.size() > kMaxCacheFile) return error(ErrorKind::unsupported, "too large for the cache");
  if (Status made = make_cache_folder(folder); !made) return made;
  const std::string path = join_path(folder, name);
  std::string temporary = path + ".XXXXXX";  // of mkstemp: a name of its own, mode 0600
  FileDescriptor file(mkstemp(temporary.data()));
  if (!file.is_open()) return errno_error(errno, temporary);
  Status status = write_whole(file, text, temporary);
  if (status && rename(temporary.c_str(), path.c_str()) != 0) status = errno_error(errno, path);
  if (!status) unlink(temporary.c_str());
  return status;
}

}  // namespace

std::unique_ptr<Host> real_host() {
  return std::make_unique<PosixHost>();
}

}  // namespace kernelfit
