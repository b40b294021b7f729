// SPDX-License-Identifier: Apache-2.0
// This machine, through Windows. Only files of a disk are read: "CON", "NUL" and \\.\pipe\x would
// wait, or do something.
#include "host/windows_text.h"

#include <winioctl.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "base/text.h"
#include "host/file_errors.h"
#include "host/host.h"
#include "host/process.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxEntries = 200'000;  // of one directory
constexpr DWORD kShareAll = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

bool is_link_tag(DWORD tag) {
  return tag == IO_REPARSE_TAG_SYMLINK || tag == IO_REPARSE_TAG_MOUNT_POINT;
}

// A reparse point that is no link is something else: python.exe of WindowsApps, which only opens
// the store, is one.
FileKind kind_of(DWORD attributes, DWORD reparse_tag) {
  if ((attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) {
    if (is_link_tag(reparse_tag)) return FileKind::symlink;
    constexpr DWORD kAppExecLink = 0x8000001B;
    if (reparse_tag == kAppExecLink) return FileKind::other;
  }
  if ((attributes & FILE_ATTRIBUTE_DIRECTORY) != 0) return FileKind::directory;
  if ((attributes & FILE_ATTRIBUTE_DEVICE) != 0) return FileKind::other;
  return FileKind::regular;
}

bool names_a_device(std::string_view path) {
  return path.starts_with("\\\\.\\");
}

Result<Handle> open_for(std::string_view path, DWORD access, DWORD flags) {
  if (names_a_device(path)) {
    return error(ErrorKind::unsupported, std::string(path) + ": a device");
  }
  Handle handle(CreateFileW(wide_path(path).c_str(), access, kShareAll, nullptr, OPEN_EXISTING,
                            FILE_FLAG_BACKUP_SEMANTICS | flags, nullptr));
  if (!handle.is_open()) return windows_error(GetLastError(), path);
  if (GetFileType(handle.get()) != FILE_TYPE_DISK) {
    return error(ErrorKind::unsupported, std::string(path) + ": not a file of a disk");
  }
  return handle;
}

Result<FileInfo> info_of(HANDLE file, std::string_view path) {
  BY_HANDLE_FILE_INFORMATION from;
  if (!GetFileInformationByHandle(file, &from)) return windows_error(GetLastError(), path);
  FILE_ATTRIBUTE_TAG_INFO tag{};
  GetFileInformationByHandleEx(file, FileAttributeTagInfo, &tag, sizeof tag);
  // 100 ns since 1601 -> ns since 1970
  auto ticks =
      static_cast<std::int64_t>((std::uint64_t{from.ftLastWriteTime.dwHighDateTime} << 32) |
                                from.ftLastWriteTime.dwLowDateTime);
  return FileInfo{.kind = kind_of(from.dwFileAttributes, tag.ReparseTag),
                  .size_bytes = (std::uint64_t{from.nFileSizeHigh} << 32) | from.nFileSizeLow,
                  .device = from.dwVolumeSerialNumber,
                  .inode = (std::uint64_t{from.nFileIndexHigh} << 32) | from.nFileIndexLow,
                  .mtime_ns = (ticks - 116'444'736'000'000'000) * 100};
}

Result<Handle> open_regular(std::string_view path, FileInfo& info) {
  KF_TRY(Handle file, open_for(path, GENERIC_READ, 0));
  KF_TRY(info, info_of(file.get(), path));
  if (info.kind != FileKind::regular) {
    return error(ErrorKind::unsupported, std::string(path) + ": not a regular file");
  }
  return file;
}

class WindowsAccess : public RandomAccess {
 public:
  WindowsAccess(Handle file, std::uint64_t size, std::string path)
      : file_(std::move(file)), size_(size), path_(std::move(path)) {}
  std::uint64_t size() const override { return size_; }
  Status read(std::uint64_t offset, std::span<std::byte> into) const override {
    if (offset > size_ || into.size() > size_ - offset)
      return past_the_end(path_, size_, offset, into.size());
    for (std::size_t done = 0; done < into.size();) {
      OVERLAPPED where{};
      where.Offset = static_cast<DWORD>((offset + done) & 0xffffffff);
      where.OffsetHigh = static_cast<DWORD>((offset + done) >> 32);
      auto wanted = static_cast<DWORD>(std::min<std::size_t>(into.size() - done, 1U << 30));
      DWORD got = 0;
      if (!ReadFile(file_.get(), into.data() + done, wanted, &got, &where)) {
        return windows_error(GetLastError(), path_);
      }
      if (got == 0) return past_the_end(path_, size_, offset, into.size());  // it shrank
      done += got;
    }
    return {};
  }

 private:
  Handle file_;
  std::uint64_t size_;
  std::string path_;
};

// REPARSE_DATA_BUFFER of ntifs.h, which is not in the SDK.
struct ReparseHead {
  ULONG tag;
  USHORT size, reserved;
  USHORT substitute_offset, substitute_size, print_offset, print_size;
};

class WindowsHost : public Host {
 public:
  OsFamily os() const override { return OsFamily::windows; }
  std::string name() const override { return "this machine"; }
  bool is_recorded() const override { return false; }

  Result<std::string> read_file(std::string_view path, std::size_t limit_bytes) const override;
  Result<std::unique_ptr<RandomAccess>> open_file(std::string_view path) const override;
  Result<std::vector<DirEntry>> list_dir(std::string_view path) const override;
  Result<FileInfo> file_info(std::string_view path) const override {
    KF_TRY(Handle file, open_for(path, 0, 0));
    return info_of(file.get(), path);
  }
  Result<FileInfo> link_info(std::string_view path) const override {
    KF_TRY(Handle file, open_for(path, 0, FILE_FLAG_OPEN_REPARSE_POINT));
    return info_of(file.get(), path);
  }
  Result<std::string> read_link(std::string_view path) const override;
  Result<std::string> real_path(std::string_view path) const override;

  Result<CommandResult> run(const Command& command) const override { return run_process(command); }
  std::string self_path() const override {
    wchar_t buffer[32768];
    return narrow({buffer, GetModuleFileNameW(nullptr, buffer, 32768)});
  }
  std::optional<std::string> env(std::string_view name) const override {
    std::wstring wide_name = wide(name), out(32768, L'\0');
    SetLastError(ERROR_SUCCESS);
    DWORD size = GetEnvironmentVariableW(wide_name.c_str(), out.data(), 32768);
    if (size == 0 && GetLastError() == ERROR_ENVVAR_NOT_FOUND) return {};
    return narrow({out.data(), size});
  }
  std::string current_dir() const override {
    std::wstring out(32768, L'\0');
    return narrow({out.data(), GetCurrentDirectoryW(32768, out.data())});
  }
  std::string home_dir() const override { return env("USERPROFILE").value_or(""); }
  int user_id() const override { return -1; }
  Result<std::string> read_cache(std::string_view name) const override;
  Status write_cache(std::string_view name, std::string_view text) const override;
  std::int64_t clock_ms() const override { return static_cast<std::int64_t>(GetTickCount64()); }
};

Result<std::string> WindowsHost::read_file(std::string_view path, std::size_t limit_bytes) const {
  FileInfo info;
  KF_TRY(Handle file, open_regular(path, info));
  if (info.size_bytes > limit_bytes) {
    return too_large(std::string(path), info.size_bytes, limit_bytes);
  }
  std::string out(info.size_bytes, '\0');
  WindowsAccess access(std::move(file), info.size_bytes, std::string(path));
  Status status = access.read(0, std::as_writable_bytes(std::span(out)));
  if (!status) return tl::unexpected<Error>(std::move(status).error());
  return out;
}

Result<std::unique_ptr<RandomAccess>> WindowsHost::open_file(std::string_view path) const {
  FileInfo info;
  KF_TRY(Handle file, open_regular(path, info));
  return std::make_unique<WindowsAccess>(std::move(file), info.size_bytes, std::string(path));
}

Result<std::vector<DirEntry>> WindowsHost::list_dir(std::string_view path) const {
  KF_TRY(FileInfo info, file_info(path));
  if (info.kind != FileKind::directory) {
    return error(ErrorKind::not_found, std::string(path) + ": not a directory");
  }
  WIN32_FIND_DATAW entry;
  HANDLE search = FindFirstFileW(wide_path(join_path(path, "*")).c_str(), &entry);
  if (search == INVALID_HANDLE_VALUE) {
    DWORD reason = GetLastError();
    if (reason == ERROR_FILE_NOT_FOUND) return std::vector<DirEntry>();
    return windows_error(reason, path);
  }
  std::vector<DirEntry> out;
  do {
    std::string name = narrow(entry.cFileName);
    if (name == "." || name == "..") continue;
    out.push_back({std::move(name), kind_of(entry.dwFileAttributes, entry.dwReserved0)});
  } while (out.size() <= kMaxEntries && FindNextFileW(search, &entry));
  DWORD reason = GetLastError();
  FindClose(search);
  if (out.size() > kMaxEntries) {
    return error(ErrorKind::unsupported,
                 std::string(path) + ": more than " + std::to_string(kMaxEntries) + " entries");
  }
  if (reason != ERROR_NO_MORE_FILES) return windows_error(reason, path);
  std::sort(out.begin(), out.end(), [](auto& a, auto& b) { return a.name < b.name; });
  return out;
}

// A link's target, without the prefix that makes it a path of the kernel: "\??\C:\Python312".
Result<std::string> WindowsHost::read_link(std::string_view path) const {
  KF_TRY(Handle file, open_for(path, 0, FILE_FLAG_OPEN_REPARSE_POINT));
  auto not_a_link = [&] {
    return error(ErrorKind::unsupported, std::string(path) + ": not a symbolic link");
  };
  alignas(8) char buffer[16 * 1024];  // MAXIMUM_REPARSE_DATA_BUFFER_SIZE
  DWORD got = 0;
  if (!DeviceIoControl(file.get(), FSCTL_GET_REPARSE_POINT, nullptr, 0, buffer, sizeof buffer, &got,
                       nullptr)) {
    return not_a_link();
  }
  ReparseHead head;
  if (got < sizeof head) return not_a_link();
  std::memcpy(&head, buffer, sizeof head);
  if (!is_link_tag(head.tag)) return not_a_link();
  // A symbolic link has four more bytes of flags before its names.
  std::size_t names = sizeof head + (head.tag == IO_REPARSE_TAG_SYMLINK ? 4 : 0);
  std::size_t start = names + head.substitute_offset;
  if (start + head.substitute_size > got) return not_a_link();
  std::wstring target(head.substitute_size / sizeof(wchar_t), L'\0');
  std::memcpy(target.data(), buffer + start, target.size() * sizeof(wchar_t));
  std::string text = narrow(target);
  return text.starts_with("\\??\\") ? text.substr(4) : text;
}

Result<std::string> WindowsHost::real_path(std::string_view path) const {
  KF_TRY(Handle file, open_for(path, 0, 0));
  std::wstring out(32768, L'\0');
  DWORD size = GetFinalPathNameByHandleW(file.get(), out.data(), 32768, FILE_NAME_NORMALIZED);
  if (size == 0 || size >= 32768) return windows_error(GetLastError(), path);
  std::string text = narrow({out.data(), size});
  if (text.starts_with("\\\\?\\UNC\\")) return "\\\\" + text.substr(8);
  return text.starts_with("\\\\?\\") ? text.substr(4) : text;
}

// %LOCALAPPDATA%\kernelfit: its rights are this user's alone.
std::string cache_folder(const Host& host) {
  const std::string local = host.env("LOCALAPPDATA").value_or("");
  return local.empty() ? std::string() : join_path(local, "kernelfit");
}

Result<std::string> WindowsHost::read_cache(std::string_view name) const {
  const std::string folder = cache_folder(*this);
  if (folder.empty()) return error(ErrorKind::not_found, "there is no cache folder");
  return read_file(join_path(folder, name), kMaxCacheFile);
}

Status WindowsHost::write_cache(std::string_view name, std::string_view text) const {
  const std::string folder = cache_folder(*this);
  if (folder.empty()) return error(ErrorKind::not_found, "there is no cache folder");
  if (text.size() > kMaxCacheFile) return error(ErrorKind::unsupported, "too large for the cache");
  if (!CreateDirectoryW(wide_path(folder).c_str(), nullptr) &&
      GetLastError() != ERROR_ALREADY_EXISTS) {
    return windows_error(GetLastError(), folder);
  }
  const std::string path = join_path(folder, name);
  const std::string temporary = path + "." + std::to_string(GetCurrentProcessId());
  bool done = false;
  {
    Handle file(CreateFileW(wide_path(temporary).c_str(), GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS,
                            FILE_ATTRIBUTE_NORMAL, nullptr));
    if (!file.is_open()) return windows_error(GetLastError(), temporary);
    DWORD put = 0;
    done = WriteFile(file.get(), text.data(), static_cast<DWORD>(text.size()), &put, nullptr) &&
           put == text.size();
  }
  done = done && MoveFileExW(wide_path(temporary).c_str(), wide_path(path).c_str(),
                             MOVEFILE_REPLACE_EXISTING);
  if (done) return {};
  const DWORD reason = GetLastError();
  DeleteFileW(wide_path(temporary).c_str());
  return windows_error(reason, path);
}

}  // namespace

std::unique_ptr<Host> real_host() {
  return std::make_unique<WindowsHost>();
}

}  // namespace kernelfit
