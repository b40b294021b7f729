// SPDX-License-Identifier: Apache-2.0
// What a torch was told to be built for, as its own libraries say it: the text behind
// torch.cuda.get_arch_list(), "sm_75 sm_80 compute_90" between two zero bytes. Releases before 1.7
// have the compiler's flags alone, "-gencode;arch=compute_35,code=sm_35;…", which
// torch.__config__.show() prints. It is a claim of the build, not what the file holds. For this
// room only.
#pragma once
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/stream.h"
#include "scan/scan.h"

namespace kernelfit {

// libtorch_python.so holds it; torch_python.dll on Windows; libtorch.so of old ones.
bool may_claim_archs(const FileScan& file);

// The one library of the releases whose flags are the only claim. Newer torches have them beside
// the list, in another library: a claim is said once.
bool has_only_compiler_flags(const FileScan& file);

// Looks at bytes that come in order.
class TorchFlagsFinder {
 public:
  explicit TorchFlagsFinder(bool compiler_flags = false) : compiler_flags_(compiler_flags) {}
  void feed(Bytes bytes);
  const std::string& found() const { return found_; }  // the first; empty: none so far

 private:
  void search(std::string_view text);
  void search_list(std::string_view text);
  void search_compiler_flags(std::string_view text);
  bool compiler_flags_;
  std::string found_;
  std::string tail_;  // of what came before: the text may lie across
};

std::string find_torch_flags(ByteStream& stream, bool compiler_flags = false);

}  // namespace kernelfit
