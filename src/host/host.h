// SPDX-License-Identifier: Apache-2.0
// The only door outside. Files, programs, libraries and the environment are reached through a Host,
// so any machine can be recorded into a folder and played back anywhere:
//
//   std::unique_ptr<Host> host = real_host();                        // this machine
//   Result<std::unique_ptr<Host>> host = open_recorded_host("tests/hosts/t4-r595");
//
// A Host does not interpret what it reads. Every call is bounded in size and time. Paths are
// absolute and use the form of the machine they name (a recorded Windows machine has C:\ paths,
// which a recorded host maps to root/C/...); join_path() builds them.
#pragma once
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace kernelfit {

enum class OsFamily { linux, windows, other };

enum class FileKind { regular, directory, symlink, other };

struct FileInfo {
  FileKind kind = FileKind::other;  // of the path itself for link_info, of its target for file_info
  std::uint64_t size_bytes = 0;
  std::uint64_t device = 0;  // with inode: the same file under two names
  std::uint64_t inode = 0;
  std::int64_t mtime_ns = 0;
};

struct DirEntry {
  std::string name;
  FileKind kind = FileKind::other;  // a symlink is not followed
};

struct Command {
  std::vector<std::string> argv;  // argv[0] is looked up in PATH unless it holds a slash
  std::chrono::milliseconds timeout{5000};
  std::size_t output_limit_bytes = std::size_t{4} << 20;
  // Added to the child's scrubbed environment (PATH, HOME, LC_ALL=C and the loader's own
  // variables).
  std::map<std::string, std::string> env;
};

struct CommandResult {
  int status = 0;  // exit status; 128 + signal where a signal ended it
  bool timed_out = false;
  bool truncated = false;  // it wrote more than the limit and was ended there
  std::string out;
  std::string err;
};

class Host {
 public:
  virtual ~Host() = default;

  virtual OsFamily os() const = 0;
  // A short name for reports: "this machine" or the recorded folder.
  virtual std::string name() const = 0;
  virtual bool is_recorded() const = 0;

  // The whole file, at most `limit_bytes`; a longer one is ErrorKind::unsupported and says its
  // size. Never blocks on a pipe or a device: only regular files are read.
  virtual Result<std::string> read_file(std::string_view path,
                                        std::size_t limit_bytes = std::size_t{1} << 20) const = 0;
  virtual Result<std::unique_ptr<RandomAccess>> open_file(std::string_view path) const = 0;
  virtual Result<std::vector<DirEntry>> list_dir(
      std::string_view path) const = 0;                                 // sorted by name
  virtual Result<FileInfo> file_info(std::string_view path) const = 0;  // follows links
  virtual Result<FileInfo> link_info(std::string_view path) const = 0;  // does not
  virtual Result<std::string> read_link(std::string_view path) const = 0;
  // The path with every link resolved; at most 40 links.
  virtual Result<std::string> real_path(std::string_view path) const = 0;

  // not_found: there is no such program. A program that fails or hangs is a CommandResult.
  // The whole process group is killed at the timeout; one that cannot be killed is left behind.
  virtual Result<CommandResult> run(const Command& command) const = 0;
  // The program that is running now, to start it as a child (the NVML probe).
  virtual std::string self_path() const = 0;

  virtual std::optional<std::string> env(std::string_view name) const = 0;
  virtual std::string current_dir() const = 0;
  virtual std::string home_dir() const = 0;  // empty where there is none
  virtual int user_id() const = 0;           // -1 where the system has none
  // Milliseconds on a clock that only goes forward; recorded hosts stand still.
  virtual std::int64_t clock_ms() const = 0;

  // A small file in this user's cache folder (XDG_CACHE_HOME, ~/.cache, %LOCALAPPDATA%), by its
  // name alone ("scans.json"). Whatever is there may be old or cut off: the caller checks it. A
  // file that others could have written is refused. A recorded host keeps nothing.
  virtual Result<std::string> read_cache(std::string_view name) const;
  // Replaces it in one step, readable by this user only; at most kMaxCacheFile bytes. Where that
  // cannot be done, nothing is left behind.
  virtual Status write_cache(std::string_view name, std::string_view text) const;
  static constexpr std::size_t kMaxCacheFile = std::size_t{4} << 20;

  // Not virtual: small words on top of the above.
  bool exists(std::string_view path) const { return file_info(path).has_value(); }
  bool is_dir(std::string_view path) const;
};

// `a` and `b` with the separator of `a`'s form: join_path("C:\\Python312", "Lib") has a backslash.
std::string join_path(std::string_view a, std::string_view b);
std::string_view base_name(std::string_view path);
std::string_view parent_path(std::string_view path);

// One for the whole process: it carries nothing but the process's own environment.
std::unique_ptr<Host> real_host();

// tests/hosts/README.md describes the layout: root/ (files), commands/ (outputs), host.toml.
Result<std::unique_ptr<Host>> open_recorded_host(std::string_view folder);

// Passes every call on to `inner` and keeps what was asked and answered.
//
//   std::unique_ptr<RecordingHost> recording = record_host(*host);
//   inspect(*recording);
//   Status saved = recording->save("my-machine", true);
class RecordingHost : public Host {
 public:
  // Writes a recorded host into a folder that is new or empty. With `redact`, user names, host
  // names, UUIDs, serial numbers and addresses are replaced, and what lies in home folders but was
  // not asked about is left out (host/redact.h). Tokens and passwords are never written.
  virtual Status save(std::string_view folder, bool redact) const = 0;
};
std::unique_ptr<RecordingHost> record_host(const Host& inner);  // `inner` outlives it
inline Status save_recording(const RecordingHost& recording, std::string_view folder, bool redact) {
  return recording.save(folder, redact);
}
inline const Host& as_host(const RecordingHost& recording) {
  return recording;
}

}  // namespace kernelfit
