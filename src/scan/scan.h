// SPDX-License-Identifier: Apache-2.0
// Which GPU code is really in files, folders, archives and environments: reads them through the
// Host, in parallel, nothing unpacked to disk. What it finds is raw truth; whether it runs on a
// card is judge's (judge/coverage.h).
//
//   ScanReport report = scan_paths(*host, {"torch-2.15.0-cp312-…whl"}, {});
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "elf/elf_dynamic.h"
#include "fatbin/fatbin.h"
#include "host/host.h"
#include "machine/images.h"

namespace kernelfit {

struct ScanOptions {
  bool kernels = false;        // decode every image: kernels counted, names kept
  bool sections_only = false;  // hop over .nv_fatbin and __nv_relfatbin, search nothing else
  int max_depth = 8;           // archives within archives
  int threads = 0;             // 0: as many as the machine has
  bool in_order = false;       // reading back costs much: images one after the other
  bool deep = false;           // of a URL, read all that may hold GPU code
  std::chrono::milliseconds timeout{30'000};  // of a server that sends nothing
  bool all_files = false;  // also those without GPU code, in folders and archives
  const std::atomic<bool>* cancelled = nullptr;
  std::function<void(std::string_view path)> progress;  // what is being read; from any thread
  // For --extract: called with each image decoded, from any thread; cubins outside containers and
  // .cubin and .ptx files too, as one image of the whole.
  std::function<void(const struct FileScan&, const struct ScannedImage&, Bytes image)> on_image;
  // Which of them on_image gets; without it, all. What nobody wants is not decoded.
  std::function<bool(const struct FileScan&, const FatbinEntry&)> wants_image;
};

struct ScannedImage {
  FatbinEntry entry;
  std::optional<std::int64_t> kernels;  // where it was decoded
};

struct ScannedContainer {
  std::string section;       // ".nv_fatbin", "__nv_relfatbin", ".ldata", …; "" for a bare .fatbin
  std::uint64_t offset = 0;  // in the file or member
  std::vector<ScannedImage> images;
};

// A cubin outside any container, or a .cubin file.
struct BareCubin {
  GpuArch arch;
  std::uint64_t offset = 0;
  DottedVersion toolkit;
  std::optional<std::int64_t> kernels;
  bool relocatable = false;  // input of a linker: no card runs it
};

struct FileScan {
  std::string path;    // as it was given or found
  std::string member;  // "torch/lib/libtorch_cuda.so"; of nested archives "a.whl!lib.so"
  std::string layer;   // of a container image: the digest of the layer that it comes from
  // "elf-shared" "elf-executable" "elf-object" "pe-dll" "pe-executable" "coff-object" "fatbin"
  // "cubin" "ptx" "data" (something else that holds containers), "unreadable"
  std::string kind;
  std::uint64_t size_bytes = 0;
  std::string cpu_arch;  // of Linux and Windows programs: "x86_64", "aarch64"; empty: not known
  std::vector<ScannedContainer> containers;
  std::vector<BareCubin> bare;
  DottedVersion toolkit;  // that compiled its newest image; empty: not known
  std::vector<std::pair<GpuArch, DottedVersion>> ptx_texts;  // of a .ptx file: target and ISA
  std::vector<std::string> hip_targets;                      // "gfx90a:sramecc+:xnack-"
  std::optional<ElfNeeds> needs;                             // of Linux libraries and programs
  std::vector<std::string> imports;                          // of Windows ones: DLL names
  // Of torch's own libraries: what torch.cuda.get_arch_list() would say, "sm_75 … compute_120".
  std::string torch_arch_flags;
  // With ScanOptions::kernels: names (mangled, sorted, unique) by architecture; SASS and PTX.
  std::map<GpuArch, std::vector<std::string>> kernel_names;
  bool linked_from_relocatable = false;  // a device-linked wrapper (version 2): its __nv_relfatbin
                                         // PTX counts for JIT
  std::vector<std::string> problems;     // "offset 4711: …"; what stands before the fault is kept
  bool unreadable = false;               // nothing could be read of it

  bool has_gpu_code() const {
    return !containers.empty() || !bare.empty() || !ptx_texts.empty() || !hip_targets.empty();
  }
};

// A container image that was read as a container sees it: the last content of each file.
struct ImageScan {
  std::string path, member;                  // of the tar or the folder that holds it
  std::string name;                          // "docker.io/library/app:1"; may be empty
  std::string platform;                      // "linux/amd64"; empty: not known
  std::vector<std::string> other_platforms;  // of the same image, not read
  struct Layer {
    std::string digest;
    std::uint64_t size_bytes = 0;  // as it lies there, compressed
  };
  std::vector<Layer> layers;  // the lowest first
};

// A file on a server: what its directory and a few small members tell, or all of it.
struct RemoteScan {
  std::string url;               // as it may be shown: no password, no query
  std::uint64_t size_bytes = 0;  // 0: the server does not tell
  bool ranges = false;           // it sends parts of a file
  std::uint64_t fetched_bytes = 0;
  std::int64_t requests = 0;
  bool whole = false;  // whatever may hold GPU code was read
  // Of a wheel.
  std::string name, version, requires_python;
  std::vector<std::string> requires_dist, tags;
  std::string torch_version, torch_cuda, torch_hip;  // torch/version.py
  struct Member {
    std::string name;
    std::uint64_t size_bytes = 0;
    std::optional<std::uint64_t> packed_bytes;  // RECORD does not tell it
    std::string hash;                           // as RECORD has it: "sha256=…"
  };
  std::vector<Member> members;
};

// Of a folder or an archive as such.
struct PlaceProblem {
  std::string path, member;
  std::string text;          // "archives are nested more than 8 deep"
  bool all_read = false;     // odd, and nothing is missing for it: a name that repeats
  std::string line() const;  // "a.whl!b.zip: archives are nested more than 8 deep"
};

struct ScanReport {
  std::vector<FileScan> files;  // those with GPU code or a problem, sorted by path and member;
                                // a file that was named itself is always there
  std::int64_t files_seen = 0;
  std::int64_t bytes_seen = 0;
  std::vector<PlaceProblem> problems;
  std::vector<ImageScan> images;
  std::vector<RemoteScan> remote;
  bool cancelled = false;
};

// Whether a member of that name may be more than text.
bool may_hold_code_by_name(std::string_view name);

// A path that begins with http:// or https:// is read from its server; nothing else ever is.
// A path that does not exist or cannot be opened is an unreadable FileScan with its problem.
ScanReport scan_paths(const Host& host, const std::vector<std::string>& paths,
                      const ScanOptions& options);

// One binary that can be read in place: no archive is opened.
FileScan scan_binary(const RandomAccess& file, const ScanOptions& options);

// The form that Machine keeps and judge judges.
BinaryImages binary_images(const FileScan& file);

}  // namespace kernelfit
