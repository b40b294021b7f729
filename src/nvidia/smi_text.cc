// SPDX-License-Identifier: Apache-2.0
// nvidia-smi --version, and the sentences with which nvidia-smi and NVML fail.
#include "base/text.h"
#include "nvidia/smi.h"
#include "nvidia/smi_values.h"

namespace kernelfit {
namespace {

// "CUDA UMD version    : 13.3" -> 13.3
DottedVersion version_line(std::string_view text, std::string_view key) {
  for (std::string_view line : lines_of(text)) {
    std::size_t colon = line.find(':');
    if (colon == line.npos || lower(trim(line.substr(0, colon))) != key) continue;
    if (DottedVersion version = smi_version(line.substr(colon + 1)); !version.empty())
      return version;
  }
  return {};
}

struct Sentence {
  std::string_view part, state;
};
// nvml.h, nvmlErrorString; nvidia-smi's own sentences as people paste them.
constexpr Sentence kSentences[] = {
    {"driver/library version mismatch", "version-mismatch"},
    {"couldn't communicate with the nvidia driver", "driver-not-loaded"},
    {"driver not loaded", "driver-not-loaded"},
    {"nvml shared library not found", "no-library"},
    {"couldn't find libnvidia-ml.so", "no-library"},
    {"no supported gpus were found", "no-devices"},
    {"no devices were found", "no-devices"},
    {"no devices found", "no-devices"},
    {"insufficient permissions", "no-permission"},
    {"gpu access blocked by the operating system", "blocked"},
    {"gpu is lost", "gpu-lost"},
    {"unable to determine the device handle", "gpu-lost"},
    {"gpu requires reset", "gpu-lost"},
    {"unknown error", "unknown-error"},
};

}  // namespace

SmiAnswer parse_smi_version(std::string_view text) {
  SmiAnswer answer;
  answer.driver = version_line(text, "kmd version");
  if (answer.driver.empty()) answer.driver = version_line(text, "driver version");
  answer.cuda_max = version_line(text, "cuda umd version");
  if (answer.cuda_max.empty()) answer.cuda_max = version_line(text, "cuda version");
  return answer;
}

std::string_view parse_smi_error(std::string_view text) {
  std::string low = lower(text.substr(0, 4096));
  for (const Sentence& sentence : kSentences) {
    if (contains(low, sentence.part)) return sentence.state;
  }
  return {};
}

}  // namespace kernelfit
