// SPDX-License-Identifier: Apache-2.0
#include "scan/torch_flags.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "host/host.h"

namespace kernelfit {
namespace {

// The longest list of a published torch has 60 characters, the longest row of compiler flags 250.
constexpr std::size_t kLongest = 512;
constexpr std::string_view kCompilerFlag = "-gencode;arch=";

// One architecture alone is a message's word more often than a build's list.
bool is_list(std::string_view text) {
  const auto words = split_words(text);
  return words.size() >= 2 && std::ranges::all_of(words, [](std::string_view word) {
           const auto arch = GpuArch::parse(word);
           return arch && arch->kind != GpuArch::Kind::lto;
         });
}

// "-gencode;arch=compute_35,code=sm_35;-gencode;…" -> "sm_35 …"; empty where a flag names no code.
std::string list_of_flags(std::string_view flags) {
  std::vector<std::string> words;
  for (const std::string_view flag : split(flags, ';')) {
    if (flag == "-gencode") continue;
    const auto code = flag.find("code=");
    if (code == std::string_view::npos) return {};
    words.emplace_back(flag.substr(code + 5));
  }
  return join(words, " ");
}

}  // namespace

bool has_only_compiler_flags(const FileScan& file) {
  const std::string name = lower(base_name(file.member.empty() ? file.path : file.member));
  return name.starts_with("libtorch.so") || name == "torch.dll";
}

bool may_claim_archs(const FileScan& file) {
  const std::string name = lower(base_name(file.member.empty() ? file.path : file.member));
  if (name.starts_with("libtorch_cpu")) return false;  // 450 MB without it
  return std::ranges::any_of(
      std::array{"libtorch", "torch_cuda", "torch_python", "c10_cuda", "libc10_cuda"},
      [&](std::string_view start) { return name.starts_with(start); });
}

void TorchFlagsFinder::search(std::string_view text) {
  search_list(text);
  if (compiler_flags_ && found_.empty()) search_compiler_flags(text);
}

void TorchFlagsFinder::search_compiler_flags(std::string_view text) {
  for (auto at = text.find(kCompilerFlag); at != std::string_view::npos;
       at = text.find(kCompilerFlag, at + 1)) {
    const auto end = text.find('\0', at);
    if (end == std::string_view::npos) return;
    if (end - at > kLongest) continue;
    std::string list = list_of_flags(text.substr(at, end - at));
    if (!is_list(list)) continue;
    found_ = std::move(list);
    return;
  }
}

void TorchFlagsFinder::search_list(std::string_view text) {
  for (auto at = text.find("sm_"); at != std::string_view::npos; at = text.find("sm_", at + 1)) {
    if (at == 0 || text[at - 1] != '\0') continue;
    const auto end = text.find('\0', at);
    if (end == std::string_view::npos) return;
    const std::string_view list = text.substr(at, end - at);
    if (list.size() > kLongest || !is_list(list)) continue;
    found_ = list;
    return;
  }
}

void TorchFlagsFinder::feed(Bytes bytes) {
  if (!found_.empty()) return;
  const std::string_view text = as_text(bytes);
  tail_ += text.substr(0, kLongest);
  search(tail_);
  if (found_.empty()) search(text);
  if (text.size() >= kLongest) {
    tail_ = text.substr(text.size() - kLongest);
  } else if (tail_.size() > kLongest) {
    tail_.erase(0, tail_.size() - kLongest);
  }
}

std::string find_torch_flags(ByteStream& stream, bool compiler_flags) {
  TorchFlagsFinder finder(compiler_flags);
  std::vector<std::byte> part(std::size_t{256} << 10);
  while (finder.found().empty()) {
    const auto got = stream.read(part);
    if (!got || *got == 0) break;
    finder.feed(Bytes(part).first(*got));
  }
  return finder.found();
}

}  // namespace kernelfit
