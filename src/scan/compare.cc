// SPDX-License-Identifier: Apache-2.0
#include "scan/compare.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>

#include "base/text.h"
#include "host/host.h"

namespace kernelfit {
namespace {

struct Named {
  std::string name;
  const FileScan* file;
  bool matched = false;
};

// The file that was named itself is "" on both sides, whatever it is called.
std::string name_in(const ScanSide& side, const FileScan& file) {
  if (!file.member.empty()) return file.member;
  std::string_view rest = file.path;
  if (!rest.starts_with(side.path)) return file.path;
  rest.remove_prefix(side.path.size());
  while (!rest.empty() && (rest[0] == '/' || rest[0] == '\\')) rest.remove_prefix(1);
  return std::string(rest);
}

std::vector<Named> named_files(const ScanSide& side) {
  std::vector<Named> out;
  for (const auto& file : side.scan.files) {
    if (file.has_gpu_code()) out.push_back({name_in(side, file), &file});
  }
  return out;
}

bool is_hash(std::string_view part) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return (part.size() == 8 || part.size() == 32) && std::ranges::all_of(part, is_hex);
}

// auditwheel and delvewheel put a hash of the content into the name: "libnvjpeg.f00ca762.so.12",
// "zlib1-3a1b….dll". Each build has another one.
std::string without_hash(std::string_view name) {
  std::string out;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find_first_of(".-", at), name.size());
    const std::string_view part = name.substr(at, end - at);
    out += at > 0 && is_hash(part) ? "#" : part;
    if (end < name.size()) out += name[end];
    at = end + 1;
  }
  return out;
}

// "libcublas.so.12.4.5" and "libcublas.so.13" are the same library of two releases.
std::string without_numbers(std::string_view name) {
  std::string out;
  for (char c : name) {
    const bool digit = c >= '0' && c <= '9';
    if (digit && out.ends_with('#')) continue;
    out += digit ? '#' : c;
  }
  while (contains(out, "#.#")) out = replace_all(out, "#.#", "#");
  return out;
}

using Key = std::function<std::string(const std::string&)>;
using Pairs = std::vector<std::pair<Named*, Named*>>;

std::map<std::string, std::vector<Named*>> by_key(std::vector<Named>& files, const Key& key) {
  std::map<std::string, std::vector<Named*>> out;
  for (auto& file : files) {
    if (!file.matched) out[key(file.name)].push_back(&file);
  }
  return out;
}

void pair_up(Named* a, Named* b, Pairs& pairs) {
  a->matched = b->matched = true;
  pairs.emplace_back(a, b);
}

// Only where the key is one file's on each side.
void match(std::vector<Named>& a, std::vector<Named>& b, const Key& key, Pairs& pairs) {
  const auto of_b = by_key(b, key);
  for (const auto& [name, files] : by_key(a, key)) {
    const auto at = of_b.find(name);
    if (files.size() != 1 || at == of_b.end() || at->second.size() != 1) continue;
    pair_up(files[0], at->second[0], pairs);
  }
}

std::map<GpuArch, std::int64_t> images_of(const FileScan* file) {
  std::map<GpuArch, std::int64_t> out;
  if (file == nullptr) return out;
  for (const auto& container : file->containers) {
    for (const auto& image : container.images) ++out[image.entry.arch];
  }
  for (const auto& bare : file->bare) ++out[bare.arch];
  for (const auto& [target, isa] : file->ptx_texts) ++out[target];
  return out;
}

// Everything that a comparison looks at.
auto content_of(const Named* file) {
  return std::pair(images_of(file->file), file->file->kernel_names);
}

// Several members of one name (an archive may have them): the same ones first, then in order.
void match_same_names(std::vector<Named>& a, std::vector<Named>& b, Pairs& pairs) {
  const auto own_name = [](const std::string& name) { return name; };
  auto of_b = by_key(b, own_name);
  for (auto& [name, files] : by_key(a, own_name)) {
    const auto at = of_b.find(name);
    if (at == of_b.end()) continue;
    if (files.size() == 1 && at->second.size() == 1) {
      pair_up(files[0], at->second[0], pairs);
      continue;
    }
    std::map<decltype(content_of(nullptr)), std::vector<Named*>> by_content;
    for (Named* file : at->second) by_content[content_of(file)].push_back(file);
    for (Named* file : files) {
      auto& same = by_content[content_of(file)];
      if (same.empty()) continue;
      pair_up(file, same.back(), pairs);
      same.pop_back();
    }
    std::erase_if(files, [](const Named* file) { return file->matched; });
    std::erase_if(at->second, [](const Named* file) { return file->matched; });
    for (std::size_t i = 0; i < std::min(files.size(), at->second.size()); ++i) {
      pair_up(files[i], at->second[i], pairs);
    }
  }
}

std::vector<ArchChange> arch_changes(const FileScan* before, const FileScan* after) {
  std::map<GpuArch, ArchChange> all;
  for (const auto& [arch, images] : images_of(before)) all[arch].before = images;
  for (const auto& [arch, images] : images_of(after)) all[arch].after = images;
  std::vector<ArchChange> out;
  for (auto& [arch, change] : all) {
    change.arch = arch;
    if (change.before != change.after) out.push_back(change);
  }
  return out;
}

std::vector<KernelChange> kernel_changes(const FileScan& before, const FileScan& after) {
  std::map<GpuArch, KernelChange> all;
  const auto difference = [](const auto& from, const auto& without, std::vector<std::string>& to) {
    std::ranges::set_difference(from, without, std::back_inserter(to));
  };
  static const std::vector<std::string> kNone;
  const auto names = [](const FileScan& file, const GpuArch& arch) -> const auto& {
    const auto at = file.kernel_names.find(arch);
    return at == file.kernel_names.end() ? kNone : at->second;
  };
  for (const auto& [arch, list] : before.kernel_names) {
    difference(list, names(after, arch), all[arch].gone);
  }
  for (const auto& [arch, list] : after.kernel_names) {
    difference(list, names(before, arch), all[arch].came);
  }
  std::vector<KernelChange> out;
  for (auto& [arch, change] : all) {
    change.arch = arch;
    if (!change.gone.empty() || !change.came.empty()) out.push_back(std::move(change));
  }
  return out;
}

FileChange change_of(const Named* before, const Named* after) {
  FileChange out;
  out.before = before ? before->file : nullptr;
  out.after = after ? after->file : nullptr;
  out.name = after ? after->name : before->name;
  if (out.name.empty()) out.name = base_name((after ? after : before)->file->path);
  out.archs = arch_changes(out.before, out.after);
  if (out.before && out.after) out.kernels = kernel_changes(*out.before, *out.after);
  return out;
}

}  // namespace

std::vector<FileChange> compare_scans(const ScanSide& a, const ScanSide& b) {
  std::vector<Named> files_a = named_files(a), files_b = named_files(b);
  Pairs pairs;
  match_same_names(files_a, files_b, pairs);
  match(
      files_a, files_b, [](const auto& name) { return without_numbers(without_hash(name)); },
      pairs);
  match(
      files_a, files_b,
      [](const auto& name) { return without_numbers(without_hash(base_name(name))); }, pairs);
  std::vector<FileChange> out;
  for (const auto& [before, after] : pairs) out.push_back(change_of(before, after));
  for (const auto& file : files_a) {
    if (!file.matched) out.push_back(change_of(&file, nullptr));
  }
  for (const auto& file : files_b) {
    if (!file.matched) out.push_back(change_of(nullptr, &file));
  }
  std::ranges::sort(out, {}, &FileChange::name);
  return out;
}

}  // namespace kernelfit
