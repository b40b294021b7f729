// SPDX-License-Identifier: Apache-2.0
#include "fatbin/cubin_front.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "fatbin/cubin.h"

namespace kernelfit {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kHeader = 64;
constexpr std::string_view kBegin = "\0.shstrtab\0"sv;  // of .shstrtab, and of .strtab behind it
constexpr std::string_view kText = ".text.", kParameters = ".nv.constant0.";

struct Names {
  std::vector<std::string_view> texts, parameters;  // what stands behind the prefix
};

// The names of .shstrtab, up to where .strtab begins. CUDA 13 leaves zeros between some of them.
FrontAnswer read_names(std::string_view text, Names& names) {
  for (std::size_t at = kBegin.size();;) {
    at = text.find_first_not_of('\0', at);
    if (at == text.npos) return FrontAnswer::needs_more;
    const std::size_t end = text.find('\0', at);
    if (end == text.npos) return FrontAnswer::needs_more;
    const std::string_view name = text.substr(at, end - at);
    if (name == kBegin.substr(1, kBegin.size() - 2)) return FrontAnswer::kernels;
    if (name.starts_with(kText)) names.texts.push_back(name.substr(kText.size()));
    if (name.starts_with(kParameters)) names.parameters.push_back(name.substr(kParameters.size()));
    at = end;
  }
}

}  // namespace

FrontAnswer kernels_from_front(Bytes front, std::vector<std::string>& kernels) {
  if (front.size() < kHeader + kBegin.size()) return FrontAnswer::needs_more;
  const std::string_view text = as_text(front).substr(kHeader);
  if (!looks_like_cubin(front) || !text.starts_with(kBegin)) return FrontAnswer::not_told;
  Names names;
  if (const auto answer = read_names(text, names); answer != FrontAnswer::kernels) return answer;
  if (names.texts != names.parameters) {
    std::ranges::sort(names.texts);
    std::ranges::sort(names.parameters);
  }
  if (names.texts != names.parameters) return FrontAnswer::not_told;
  kernels.assign(names.texts.begin(), names.texts.end());
  return FrontAnswer::kernels;
}

}  // namespace kernelfit
