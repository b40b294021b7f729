// SPDX-License-Identifier: Apache-2.0
// `scan --extract DIR`: each chosen image as a file of its own, decompressed.
#pragma once
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "host/output_folder.h"
#include "report/scan.h"

namespace kernelfit::cli {

// "torch_lib_libtorch_cuda.so.4711.sm_86.cubin": the member (or the path below what was named), the
// offset of the entry in it, the architecture. Nothing in it leads out of a folder.
std::string extract_name(const FileScan& file, const ScannedImage& image,
                         const std::vector<std::string>& roots);
// A cubin as it is; of a PTX the text, without the zero bytes that end it in the container.
Bytes extract_content(const ScannedImage& image, Bytes decoded);

class Extraction {
 public:
  Extraction(OutputFolder folder, std::vector<std::string> roots)
      : folder_(std::move(folder)), roots_(std::move(roots)) {}

  void take(const FileScan& file, const ScannedImage& image, Bytes decoded);  // from any thread
  void take_back() { folder_.take_back(); }
  // `scan`: for what was asked for and could not be read.
  Extracted result(const ScanReport& scan, const Selection& selection) const;

 private:
  std::string free_name(const FileScan& file, const ScannedImage& image);

  std::mutex mutex_;
  OutputFolder folder_;
  std::vector<std::string> roots_;
  std::map<std::string, std::string> taken_;  // name → where it is from
  Extracted done_;
  bool full_ = false;  // a file could not be filled: no other is begun
};

}  // namespace kernelfit::cli
