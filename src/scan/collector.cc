// SPDX-License-Identifier: Apache-2.0
#include "scan/collector.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "fatbin/cubin.h"
#include "fatbin/hip_bundle.h"
#include "scan/decode_image.h"
#include "scan/threads.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxProblems = 16;

bool is_wanted(const FileScan& file, const FatbinEntry& entry, const ScanOptions& options) {
  return !options.wants_image || options.wants_image(file, entry);
}

// What decoding one image told.
struct Decoded {
  std::vector<std::string> kernels;
  std::string problem;  // empty: none
  bool counted = false;
};

Result<std::vector<std::string>> look(const FileScan& file, const ScannedImage& image,
                                      const RandomAccess& from, std::uint64_t at,
                                      const ScanOptions& options, ImageDecoder& decoder) {
  if (!options.on_image || !is_wanted(file, image.entry, options)) {
    return decoder.kernels(image.entry, from, at);
  }
  KF_TRY(Bytes code, decoder.decode(image.entry, from, at));
  options.on_image(file, image, code);
  if (!options.kernels) return error(ErrorKind::unsupported, "not asked for");
  return ImageDecoder::kernels_in(image.entry, code);
}

Decoded look_into(const FileScan& file, const ScannedImage& image, const RandomAccess& from,
                  std::uint64_t at, const ScanOptions& options, ImageDecoder& decoder) {
  Decoded out;
  auto kernels = look(file, image, from, at, options, decoder);
  if (kernels) {
    out.kernels = std::move(*kernels);
    out.counted = true;
  } else if (kernels.error().kind != ErrorKind::unsupported) {
    // An obfuscated image is as its maker wanted it.
    out.problem = kernels.error().text();
  }
  return out;
}

using KernelNames = std::map<GpuArch, std::vector<std::string>>;

void move_to(std::vector<std::string>& names, std::vector<std::string> more) {
  names.insert(names.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

void keep(Decoded decoded, ScannedImage& image, KernelNames& names,
          std::vector<std::string>& problems) {
  if (!decoded.problem.empty() && problems.size() < kMaxProblems) {
    problems.push_back(std::move(decoded.problem));
  }
  if (!decoded.counted) return;
  image.kernels = static_cast<std::int64_t>(decoded.kernels.size());
  move_to(names[image.entry.arch], std::move(decoded.kernels));
}

// The toolkit stands in an image itself; the smallest of each architecture tells it.
constexpr std::uint64_t kLargestToTell = std::uint64_t{4} << 20;
bool may_tell_toolkit(const FatbinEntry& entry) {
  return entry.arch.kind == GpuArch::Kind::sass && entry.stored_bytes <= kLargestToTell &&
         entry.code_bytes <= 16 * kLargestToTell;
}

DottedVersion toolkit_in(const FatbinEntry& entry, const RandomAccess& from, std::uint64_t at) {
  ImageDecoder decoder;
  const auto code = decoder.decode(entry, from, at);
  if (!code) return {};
  const auto cubin = parse_cubin(*code, CubinDetail::header);
  return cubin ? cubin->toolkit : DottedVersion();
}

bool wants_payload(const FileScan& file, const FatbinEntry& entry, const ScanOptions& options) {
  return options.kernels || (options.on_image && is_wanted(file, entry, options));
}

}  // namespace

void pass_on(const FileScan& file, const GpuArch& arch, std::uint64_t offset, Bytes image,
             const ScanOptions& options) {
  if (!options.on_image) return;
  ScannedImage whole;
  whole.entry.arch = arch;
  whole.entry.compression = "none";
  whole.entry.offset = whole.entry.payload_offset = offset;
  whole.entry.stored_bytes = whole.entry.code_bytes = image.size();
  if (is_wanted(file, whole.entry, options)) options.on_image(file, whole, image);
}

std::size_t image_count(const FileScan& file) {
  std::size_t count = file.containers.size() + file.bare.size();
  for (const auto& container : file.containers) count += container.images.size();
  return count;
}

void add_problem(FileScan& file, std::string text) {
  if (file.problems.size() < kMaxProblems) file.problems.push_back(std::move(text));
}

void add_problem(FileScan& file, std::uint64_t offset, const std::string& text) {
  add_problem(file, "offset " + std::to_string(offset) + ": " + text);
}

bool Collector::has_room(std::uint64_t offset) {
  if (++images_ <= kMaxImages) return true;
  if (!full_) add_problem(file_, offset, kTooManyImages);
  full_ = true;
  return false;
}

void Collector::container(std::uint64_t offset) {
  if (has_room(offset)) file_.containers.push_back({section_, offset, {}});
}

bool Collector::entry(const FatbinEntry& entry) {
  if (!has_room(entry.offset)) return false;
  file_.containers.back().images.push_back({entry, std::nullopt});
  if (!wants_images_) return false;
  return wants_payload(file_, entry, options_) || tells_toolkit(entry);
}

bool Collector::tells_toolkit(const FatbinEntry& entry) const {
  if (!may_tell_toolkit(entry)) return false;
  const auto before = told_.find(entry.arch);
  return before == told_.end() || entry.stored_bytes < before->second.stored_bytes;
}

void Collector::payload(const FatbinEntry& entry, Bytes stored) {
  ScannedImage& image = file_.containers.back().images.back();
  const BufferAccess from(stored);
  if (tells_toolkit(entry)) {
    told_[entry.arch] = {entry.stored_bytes, toolkit_in(entry, from, 0)};
    file_.toolkit = {};
    for (const auto& [arch, told] : told_) file_.toolkit = std::max(file_.toolkit, told.toolkit);
  }
  if (!wants_payload(file_, entry, options_)) return;
  keep(look_into(file_, image, from, 0, options_, decoder_), image, file_.kernel_names,
       file_.problems);
}

bool Collector::bare_cubin(std::uint64_t offset, std::uint64_t, Bytes header) {
  const auto cubin = parse_cubin(header, CubinDetail::header);
  if (!cubin || !has_room(offset)) return false;
  file_.bare.push_back({cubin->arch, offset, cubin->toolkit, std::nullopt, cubin->relocatable});
  return true;  // its notes, at its end, name the architecture's suffix
}

void Collector::bare_payload(std::uint64_t offset, Bytes bytes) {
  BareCubin& bare = file_.bare.back();
  auto cubin = parse_cubin(bytes, CubinDetail::kernels);
  if (!cubin) return;
  bare.arch = cubin->arch;
  bare.toolkit = cubin->toolkit;
  bare.kernels = static_cast<std::int64_t>(cubin->kernels.size());
  pass_on(file_, bare.arch, offset, bytes, options_);
  if (options_.kernels) {
    auto& names = file_.kernel_names[bare.arch];
    names.insert(names.end(), cubin->kernels.begin(), cubin->kernels.end());
  }
}

void Collector::hip_bundle(std::uint64_t offset, Bytes front) {
  auto bundle = parse_hip_bundle(front);
  if (!bundle) return problem(offset, bundle.error().text());
  if (bundle->compressed) bundle->targets = {"gfx (compressed)"};
  constexpr std::size_t kMostTargets = 1024;
  for (auto& target : bundle->targets) {
    if (file_.hip_targets.size() < kMostTargets) file_.hip_targets.push_back(std::move(target));
  }
}

void Collector::problem(std::uint64_t offset, const std::string& text) {
  add_problem(file_, offset, text);
}

void sort_kernel_names(FileScan& file) {
  for (auto& [arch, names] : file.kernel_names) {
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
  }
}

void read_toolkit(const RandomAccess& access, FileScan& file) {
  std::map<GpuArch, const FatbinEntry*> smallest;
  for (const auto& container : file.containers) {
    for (const auto& image : container.images) {
      if (!may_tell_toolkit(image.entry)) continue;
      const FatbinEntry*& one = smallest[image.entry.arch];
      if (one == nullptr || image.entry.stored_bytes < one->stored_bytes) one = &image.entry;
    }
  }
  for (const auto& [arch, entry] : smallest) {
    file.toolkit = std::max(file.toolkit, toolkit_in(*entry, access, entry->payload_offset));
  }
}

void read_images(const RandomAccess& access, const ScanOptions& options, FileScan& file) {
  std::vector<ScannedImage*> images;
  for (auto& container : file.containers) {
    for (auto& image : container.images) {
      if (wants_payload(file, image.entry, options)) images.push_back(&image);
    }
  }
  struct Worker {
    ImageDecoder decoder;
    KernelNames names;
    std::vector<std::string> problems;
  };
  std::vector<Worker> workers(worker_count(images.size(), options.threads));
  in_parallel(images.size(), options.threads, [&](std::size_t i, std::size_t number) {
    if (options.cancelled && *options.cancelled) return;
    ScannedImage& image = *images[i];
    Worker& worker = workers[number];
    keep(look_into(file, image, access, image.entry.payload_offset, options, worker.decoder), image,
         worker.names, worker.problems);
  });
  for (Worker& worker : workers) {
    for (auto& [arch, names] : worker.names) move_to(file.kernel_names[arch], std::move(names));
    for (auto& problem : worker.problems) {
      if (file.problems.size() < kMaxProblems) file.problems.push_back(std::move(problem));
    }
  }
}

void read_images_in_order(const RandomAccess& access, const ScanOptions& options, FileScan& file) {
  constexpr std::uint64_t kMost = std::uint64_t{64} << 20;
  ImageDecoder decoder;
  std::vector<std::byte> stored;
  for (auto& container : file.containers) {
    for (auto& image : container.images) {
      if (options.cancelled && *options.cancelled) return;
      const FatbinEntry& entry = image.entry;
      if (!wants_payload(file, entry, options) || entry.stored_bytes > kMost) continue;
      stored.resize(static_cast<std::size_t>(entry.stored_bytes));
      if (Status status = access.read(entry.payload_offset, stored); !status) {
        add_problem(file, entry.offset, status.error().text());
        continue;
      }
      keep(look_into(file, image, BufferAccess(stored), 0, options, decoder), image,
           file.kernel_names, file.problems);
    }
  }
}

}  // namespace kernelfit
