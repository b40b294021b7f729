// SPDX-License-Identifier: Apache-2.0
#include "pyenv/gpu_packages.h"

#include <algorithm>

#include "base/text.h"

namespace kernelfit {

GpuPackages::GpuPackages(std::vector<GpuPackage> rows) {
  for (GpuPackage& row : rows) {
    const bool beginning = row.name.ends_with('*');
    if (beginning) row.name.pop_back();
    (beginning ? beginnings_ : names_).push_back(std::move(row));
  }
  std::ranges::sort(names_, {}, &GpuPackage::name);
  std::ranges::stable_sort(beginnings_, std::ranges::greater(),
                           [](const GpuPackage& row) { return row.name.size(); });
}

const GpuPackage* GpuPackages::find(std::string_view name) const {
  auto own = std::ranges::lower_bound(names_, name, {}, &GpuPackage::name);
  if (own != names_.end() && own->name == name) return &*own;
  auto begun = std::ranges::find_if(
      beginnings_, [&](const GpuPackage& row) { return name.starts_with(row.name); });
  return begun == beginnings_.end() ? nullptr : &*begun;
}

std::string GpuPackages::pip_name_of(std::string_view name) const {
  const GpuPackage* row = find(name);
  return row == nullptr || row->pip_name.empty() ? std::string(name) : row->pip_name;
}

bool GpuPackages::is_library(std::string_view name) const {
  const GpuPackage* row = find(name);
  return name == "torch" || (row != nullptr && row->reads != "seen");
}

std::string GpuPackages::folder_of(std::string_view name) const {
  const GpuPackage* row = find(name);
  if (row != nullptr && !row->folder.empty()) return row->folder;
  return replace_all(std::string(name), "-", "_");
}

}  // namespace kernelfit
