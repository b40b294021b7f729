// SPDX-License-Identifier: Apache-2.0
#include "nvidia/system_text.h"

#include "base/json.h"
#include "base/text.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxLine = 1000;

std::string unquoted(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') && text.back() == text[0]) {
    text = text.substr(1, text.size() - 2);
  }
  return printable(text);
}

// The number behind "#define NAME ".
std::optional<std::int64_t> defined(std::string_view text, std::string_view name) {
  // cuda.h has 20,000 lines: only those that hold the name are looked at.
  for (std::size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    const std::size_t start = text.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::string_view line = text.substr(start, text.find('\n', at) - start);
    const std::vector<std::string_view> words = split_words(line.substr(0, kMaxLine));
    if (words.size() >= 3 && words[0] == "#define" && words[1] == name) return parse_int(words[2]);
  }
  return std::nullopt;
}

}  // namespace

//	libcudnn.so.8 (libc6,x86-64) => /usr/local/cuda/targets/x86_64-linux/lib/libcudnn.so.8
std::vector<LoaderEntry> parse_ldconfig(std::string_view text) {
  std::vector<LoaderEntry> entries;
  for (std::string_view line : lines_of(text)) {
    std::size_t arrow = line.find(" => ");
    std::size_t open = line.find(" (");
    if (arrow == line.npos || open == line.npos || open > arrow) continue;
    LoaderEntry entry;
    entry.name = printable(trim(line.substr(0, open)));
    entry.path = printable(trim(line.substr(arrow + 4)));
    for (std::string_view word : split(line.substr(open + 2, arrow - open - 2), ',')) {
      word = trim(word.substr(0, word.find(')')));
      if (word == "x86-64" || word == "AArch64") entry.abi = std::string(word);
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

// 10:net_prio:/docker/0000000000000000000000000000000000000000000000000000000000000000
// 0::/user.slice/user-1000.slice/session-1.scope           (no container)
std::string_view parse_cgroup_container(std::string_view text) {
  for (std::string_view line : lines_of(text)) {
    if (contains(line, "kubepods")) return "kubernetes";
    if (contains(line, "libpod")) return "podman";
    if (contains(line, "/docker/") || contains(line, "docker-")) return "docker";
    if (contains(line, "/lxc/") || contains(line, "lxc.payload")) return "lxc";
    if (contains(line, "cri-containerd")) return "kubernetes";
  }
  return {};
}

std::string parse_os_release(std::string_view text) {
  if (auto pretty = line_value(text, "PRETTY_NAME=")) return unquoted(*pretty);
  std::string name = unquoted(line_value(text, "NAME=").value_or(""));
  std::string version = unquoted(line_value(text, "VERSION=").value_or(""));
  return version.empty() ? name : name + " " + version;
}

std::optional<DottedVersion> find_glibc_banner(std::string_view bytes) {
  std::size_t start = bytes.find("GNU C Library (");
  if (start == bytes.npos) return std::nullopt;
  std::string_view line = bytes.substr(start, 200);
  constexpr std::string_view kBefore = "release version ";
  std::size_t at = line.find(kBefore);
  if (at == line.npos) return std::nullopt;
  line = line.substr(at + kBefore.size());
  line = line.substr(0, line.find_first_not_of("0123456789."));
  while (line.ends_with('.')) line.remove_suffix(1);
  return DottedVersion::parse(line);
}

std::optional<DottedVersion> driver_version_of_file(std::string_view file_name) {
  std::size_t so = file_name.find(".so.");
  if (so == file_name.npos) return std::nullopt;
  std::optional<DottedVersion> version = DottedVersion::parse(file_name.substr(so + 4));
  // A driver's first number has three digits since 2008 (167.x); 1 and 1.1 are the library's ABI.
  if (!version || version->size() < 2 || version->major() < 100) return std::nullopt;
  return version;
}

// { "cuda": { "name": "CUDA SDK", "version": "12.4.20240408" }, … }
std::optional<DottedVersion> parse_cuda_version_json(std::string_view text) {
  Result<Json> json = parse_json(text);
  if (!json) return std::nullopt;
  return DottedVersion::parse(json->at("cuda").at("version").string());
}

std::optional<DottedVersion> parse_cuda_version_txt(std::string_view text) {
  std::optional<std::string_view> value = line_value(text, "CUDA Version");
  return value ? DottedVersion::parse(*value) : std::nullopt;
}

std::optional<DottedVersion> cuda_version_of_number(std::int64_t number) {
  if (number < 1000 || number > 999999) return std::nullopt;
  return DottedVersion::parse(std::to_string(number / 1000) + "." +
                              std::to_string(number % 1000 / 10));
}

std::optional<DottedVersion> parse_cuda_header(std::string_view text) {
  std::optional<std::int64_t> number = defined(text, "CUDA_VERSION");
  return number ? cuda_version_of_number(*number) : std::nullopt;
}

std::optional<DottedVersion> parse_cudnn_header(std::string_view text) {
  std::optional<std::int64_t> major = defined(text, "CUDNN_MAJOR");
  std::optional<std::int64_t> minor = defined(text, "CUDNN_MINOR");
  std::optional<std::int64_t> patch = defined(text, "CUDNN_PATCHLEVEL");
  if (!major || !minor || !patch) return std::nullopt;
  return DottedVersion::parse(std::to_string(*major) + "." + std::to_string(*minor) + "." +
                              std::to_string(*patch));
}

}  // namespace kernelfit
