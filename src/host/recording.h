// SPDX-License-Identifier: Apache-2.0
// What was asked of a machine and what it answered: the state of a RecordingHost, apart from how it
// is written down (save_recording.cc).
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/host.h"
#include "host/parts.h"

namespace kernelfit {

// One path with no link in it.
struct SeenPath {
  FileKind kind = FileKind::directory;
  std::string link_target;                  // of a symlink
  std::optional<std::uint64_t> size_bytes;  // where somebody asked
  std::optional<std::string> text;          // read as a whole
  std::optional<PartsFile> parts;           // opened, and these ranges read
  std::optional<ErrorKind> refused;         // reading or listing it failed
  std::vector<DirEntry> listing;
  bool asked = false;  // by somebody, not only passed on the way or listed
};

struct SeenCommand {
  std::vector<std::string> argv;
  CommandResult result;
  std::optional<ErrorKind> refused;
};

struct Recording {
  OsFamily os = OsFamily::linux;
  std::string home, current_dir;
  int user_id = -1;
  std::map<std::string, std::string> env;
  std::map<std::string, SeenPath> paths;
  std::vector<SeenCommand> commands;  // in the order they were run
};

// Names of this machine and its users, to be redacted; asked of the host itself.
struct MachineNames {
  std::vector<std::string> users, hosts;
};
MachineNames names_of(const Host& host);

Status write_recording(const Recording& recording, const MachineNames& names,
                       std::string_view folder, bool redact);

}  // namespace kernelfit
