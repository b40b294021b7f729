// SPDX-License-Identifier: Apache-2.0
// Which images are meant: `--sm 8.6 --kind ptx --member '*torch_cuda*'`.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scan/scan.h"

namespace kernelfit {

// "8.6": every image for it, whatever its kind and suffix. "sm_90a": exactly that, of any kind;
// "compute_90": PTX only, "lto_90": LTO-IR only.
struct ArchChoice {
  int number = 0;
  std::optional<char> suffix;         // nothing: any
  std::optional<GpuArch::Kind> kind;  // nothing: any
  static std::optional<ArchChoice> parse(std::string_view text);
  bool takes(const GpuArch& arch) const;
};

struct Selection {
  std::vector<ArchChoice> archs;     // empty: all
  std::vector<GpuArch::Kind> kinds;  // empty: all
  std::vector<std::string> members;  // globs; empty: all
  bool empty() const { return archs.empty() && kinds.empty() && members.empty(); }
  bool takes(const GpuArch& arch) const;
  bool takes(const FileScan& file) const;  // by its member's name, or the file's own
  bool of_images() const { return !archs.empty() || !kinds.empty(); }
};

// Leaves out what is not selected: files, and images and kernels in them.
void keep_selected(ScanReport& scan, const Selection& selection);
// Of the globs for members, those that no file answers to.
std::vector<std::string> unmatched_members(const ScanReport& scan, const Selection& selection);

// `*` any characters, `/` too; `?` one. Letters count as they are.
bool glob_matches(std::string_view pattern, std::string_view text);

// What --extract and --member call the file: its member, else its own name.
std::string_view member_name(const FileScan& file);

}  // namespace kernelfit
