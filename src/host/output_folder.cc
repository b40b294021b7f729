// SPDX-License-Identifier: Apache-2.0
#include "host/output_folder.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

namespace kernelfit {
namespace {

namespace fs = std::filesystem;

struct Closer {
  void operator()(std::FILE* file) const { std::fclose(file); }  // NOLINT: reading, nothing to lose
};
using File = std::unique_ptr<std::FILE, Closer>;

fs::path path_of(std::string_view utf8) {
  return fs::path(std::u8string(utf8.begin(), utf8.end()));
}

std::FILE* open_file(const fs::path& path, const char* mode) {
#ifdef _WIN32
  const std::string_view narrow(mode);
  return ::_wfopen(path.c_str(), std::wstring(narrow.begin(), narrow.end()).c_str());
#else
  return std::fopen(path.c_str(), mode);
#endif
}

// Neither a folder up nor another drive can be named.
bool is_plain(std::string_view name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find_first_of(std::string_view("/\\:\0", 4)) == std::string_view::npos;
}

bool holds(const fs::path& path, Bytes content) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed) || fs::file_size(path, failed) != content.size()) {
    return false;
  }
  const File file(open_file(path, "rb"));
  std::vector<char> found(content.size() + 1);
  return file && std::fread(found.data(), 1, found.size(), file.get()) == content.size() &&
         std::memcmp(found.data(), content.data(), content.size()) == 0;
}

Status write_new(const fs::path& path, Bytes content) {
  errno = 0;
  std::FILE* file = open_file(path, "wbx");  // x: never over a file, never through a link
  if (file == nullptr) return error(ErrorKind::denied, std::strerror(errno));
  const bool whole = std::fwrite(content.data(), 1, content.size(), file) == content.size();
  const int number = errno;
  if (std::fclose(file) == 0 && whole) return {};
  std::error_code ignored;
  fs::remove(path, ignored);
  return error(ErrorKind::unsupported, std::strerror(number != 0 ? number : errno));
}

}  // namespace

Result<OutputFolder> OutputFolder::open(std::string_view path) {
  OutputFolder folder;
  folder.path_ = path;
  std::error_code failed;
  folder.made_ = fs::create_directory(path_of(path), failed);
  if (failed) return error(ErrorKind::denied, failed.message());
  if (!fs::is_directory(path_of(path), failed)) return error(ErrorKind::denied, "not a folder");
  return folder;
}

Result<OutputFolder::Added> OutputFolder::add(std::string_view name, Bytes content) {
  if (!is_plain(name)) return error(ErrorKind::usage, "not a plain file name");
  const fs::path path = path_of(path_) / path_of(name);
  if (Status status = write_new(path, content); !status) {
    std::error_code failed;
    if (!fs::exists(fs::symlink_status(path, failed))) return tl::unexpected(status.error());
    if (holds(path, content)) return Added::same;
    return error(ErrorKind::denied, "a file of this name is there already");
  }
  written_.push_back(path.string());
  return Added::written;
}

void OutputFolder::take_back() {
  std::error_code ignored;
  for (const auto& file : written_) fs::remove(fs::path(file), ignored);
  written_.clear();
  if (made_) fs::remove(path_of(path_), ignored);
}

}  // namespace kernelfit
