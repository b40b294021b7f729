// SPDX-License-Identifier: Apache-2.0
// Gathers what a container scan finds into one FileScan. For this room only.
#pragma once
#include <cstdint>
#include <map>
#include <string>

#include "fatbin/container_scan.h"
#include "scan/decode_image.h"
#include "scan/scan.h"

namespace kernelfit {

// Of one file. Seen in real ones: 48,000 (cuFFT). A hostile one has millions in a few kilobytes.
constexpr std::size_t kMaxImages = 200'000;
constexpr const char* kTooManyImages =
    "more than 200000 images and containers; the rest is not read";
std::size_t image_count(const FileScan& file);  // images, containers, bare ones

inline bool is_full(const FileScan& file) {
  return image_count(file) >= kMaxImages;
}

class Collector : public ContainerVisitor {
 public:
  // `wants_images`: payloads come along (a stream); else they are read afterwards, in parallel.
  Collector(FileScan& file, const ScanOptions& options, bool wants_images)
      : file_(file), options_(options), wants_images_(wants_images), images_(image_count(file)) {}

  void section(std::string name) { section_ = std::move(name); }

  void container(std::uint64_t offset) override;
  bool entry(const FatbinEntry& entry) override;
  void payload(const FatbinEntry& entry, Bytes stored) override;
  bool bare_cubin(std::uint64_t offset, std::uint64_t size_bytes, Bytes header) override;
  void bare_payload(std::uint64_t offset, Bytes cubin) override;
  void hip_bundle(std::uint64_t offset, Bytes front) override;
  void problem(std::uint64_t offset, const std::string& text) override;

 private:
  FileScan& file_;
  const ScanOptions& options_;
  bool wants_images_;
  bool has_room(std::uint64_t offset);

  std::string section_;
  std::size_t images_;  // of the file
  bool full_ = false;
  // Of each architecture the smallest image of machine code so far: it tells the toolkit.
  struct Told {
    std::uint64_t stored_bytes = 0;
    DottedVersion toolkit;
  };
  bool tells_toolkit(const FatbinEntry& entry) const;
  std::map<GpuArch, Told> told_;
  ImageDecoder decoder_;
};

// At most 16 per file are kept.
void add_problem(FileScan& file, std::string text);
void add_problem(FileScan& file, std::uint64_t offset, const std::string& text);

// FileScan::toolkit, from the smallest image of machine code of each architecture.
void read_toolkit(const RandomAccess& access, FileScan& file);

// Gives options.on_image a cubin or a PTX text that lies in no container.
void pass_on(const FileScan& file, const GpuArch& arch, std::uint64_t offset, Bytes image,
             const ScanOptions& options);

// The last step of a scan: see FileScan::kernel_names.
void sort_kernel_names(FileScan& file);

// Decodes the images of `file` (its containers' and bare ones' payloads lie in `access`), counts
// their kernels and passes them to options.on_image. On as many threads as the options say.
void read_images(const RandomAccess& access, const ScanOptions& options, FileScan& file);
// The same without going back: each payload is read whole, in the order of the file.
void read_images_in_order(const RandomAccess& access, const ScanOptions& options, FileScan& file);

}  // namespace kernelfit
