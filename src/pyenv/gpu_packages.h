// SPDX-License-Identifier: Apache-2.0
// Which packages concern GPUs, because they hold GPU code, bring CUDA libraries, or decide about
// either: rows of data/libraries/packages.csv, handed in by a room that may read data.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace kernelfit {

struct GpuPackage {
  std::string name{};      // normalised; one that ends in * is the beginning of names
  std::string pip_name{};  // "torch" of conda's pytorch and Debian's python3-torch; empty: `name`
  // "seen": it is listed, no more. "table": a library that tables and rules judge, no file of it is
  // opened. "files": its `files` are opened. "torch": its files, found by torch's own rules.
  std::string reads{};
  std::string folder{};  // its module, "mmcv" of mmcv-full; empty: the name with _ for -
  // Patterns below site-packages, or with "@/" in front below the prefix of a conda environment;
  // `*` in the last part, or in one folder. Of names that a ".so*" at its end matches, those that
  // differ only behind the .so are one file.
  std::string files{};
  bool version_py = false;  // its build writes version.py with constants
};

class GpuPackages {
 public:
  GpuPackages() = default;
  explicit GpuPackages(std::vector<GpuPackage> rows);

  // The row of a package (normalised name): its own, else that of its longest beginning; nullptr
  // where it does not concern GPUs.
  const GpuPackage* find(std::string_view normalized) const;
  std::string pip_name_of(std::string_view normalized) const;

  // torch is a library whatever the table says.
  bool is_library(std::string_view normalized) const;
  // The module's folder in site-packages: "flash_attn" of flash-attn.
  std::string folder_of(std::string_view normalized) const;

 private:
  std::vector<GpuPackage> names_;       // sorted
  std::vector<GpuPackage> beginnings_;  // longest first, without their *
};

}  // namespace kernelfit
