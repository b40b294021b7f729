// SPDX-License-Identifier: Apache-2.0
#include "nvidia/kernel_log.h"

#include <algorithm>

#include "base/text.h"
#include "nvidia/pci_text.h"

namespace kernelfit {
namespace {

constexpr std::size_t kMaxEvents = 200;     // a card that dies logs thousands of lines
constexpr std::size_t kMaxLine = 400;       // bytes kept of one line
constexpr std::size_t kMaxJoinedLines = 8;  // NVRM breaks a sentence over this many lines at most

// The kernel's own time stamps differ; every line about NVIDIA has one of these words behind them.
constexpr std::string_view kMarkers[] = {"NVRM:",  "nvidia",     "nouveau ",  "Lockdown: modprobe",
                                         "PKCS#7", "Loading of", "modprobe:", "Key was rejected"};

std::string_view from_marker(std::string_view line) {
  std::size_t first = line.npos;
  for (std::string_view marker : kMarkers) {
    std::size_t at = line.find(marker);
    // "[drm] [nvidia-drm]" starts with a bracket, "kernel: NVRM:" with a space.
    if (at != line.npos && (at == 0 || contains(" \t[]>:", line.substr(at - 1, 1)))) {
      first = std::min(first, at);
    }
  }
  return first == line.npos ? std::string_view() : trim(line.substr(first, kMaxLine));
}

// What was logged since the machine started last: /var/log/kern.log keeps weeks.
std::string_view last_start(std::string_view text) {
  std::size_t at = text.rfind("Linux version ");
  return at == text.npos ? text : text.substr(at);
}

std::vector<std::string_view> relevant_lines(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::string_view line : lines_of(last_start(text))) {
    if (std::string_view rest = from_marker(line); !rest.empty()) out.push_back(rest);
  }
  return out;
}

// NVRM: API mismatch: the client has the version 535.171.04, but
// NVRM: this kernel module has the version 535.161.07.  Please
// Joins lines from `at` on until one holds `end`, without their "NVRM:".
std::string joined(const std::vector<std::string_view>& lines, std::size_t at,
                   std::initializer_list<std::string_view> ends) {
  std::string out;
  for (std::size_t i = at; i < std::min(lines.size(), at + kMaxJoinedLines); ++i) {
    std::string_view line = lines[i];
    if (!line.starts_with("NVRM:")) continue;
    std::string_view part = trim(line.substr(5));
    if (i > at && part.starts_with("GPU ")) break;  // the next message
    out += out.empty() ? "" : " ";
    out += part;
    for (std::string_view end : ends) {
      if (contains(part, end)) return out;
    }
  }
  return out;
}

std::string address_in(std::string_view text) {
  for (std::string_view word : split_words(text)) {
    while (!word.empty() && contains("(:),.", word.substr(word.size() - 1))) word.remove_suffix(1);
    if (word.starts_with("(")) word.remove_prefix(1);
    if (word.starts_with("PCI:")) word.remove_prefix(4);
    if (std::string address = normal_pci_address(word); !address.empty()) return address;
  }
  return {};
}

// The words that parse as driver versions: "535.171.04 535.161.07"
std::string versions_in(std::string_view text) {
  std::vector<std::string> out;
  for (std::string_view word : split_words(text)) {
    while (word.ends_with(',') || word.ends_with('.')) word.remove_suffix(1);
    std::optional<DottedVersion> version = DottedVersion::parse(word);
    if (version && version->size() >= 2) out.push_back(version->text());
  }
  return join(out, " ");
}

KernelEvent event(std::string kind, std::string_view text, std::string detail = {}, int xid = 0) {
  return {std::move(kind), printable(text), xid, printable(detail)};
}

// NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.
std::optional<KernelEvent> xid_event(std::string_view line) {
  std::size_t close = line.find("): ");
  std::size_t open = line.find('(');
  if (close == line.npos || open == line.npos || open > close) return std::nullopt;
  std::string_view number = line.substr(close + 3);
  number = number.substr(0, number.find_first_not_of("0123456789"));
  std::optional<std::int64_t> xid = parse_int(number);
  if (!xid || *xid <= 0 || *xid > 100000) return std::nullopt;
  std::string kind = *xid == 79 ? "fallen-off-bus" : "xid";
  return event(kind, line, address_in(line.substr(open, close - open + 1)), static_cast<int>(*xid));
}

// NVRM: The NVIDIA GPU 0000:03:00.0 (PCI ID: 10de:1bb3)
// NVRM: installed in this system is not supported by open
// NVRM: nvidia.ko because it does not include the required GPU
// NVRM: System Processor (GSP).
//
// NVRM: The NVIDIA NVIDIA GeForce GTX 1050 GPU installed in this system is
// NVRM:  supported through the NVIDIA 580.xx Legacy drivers. Please
std::optional<KernelEvent> refused_gpu(const std::vector<std::string_view>& lines, std::size_t at) {
  std::string text = joined(
      lines, at,
      {"Legacy drivers", "(GSP)", "open kernel module", "driver release", "Continuing probe"});
  std::string address = address_in(text);
  if (contains(text, "not supported by open")) {
    return event("open-module-unsupported", text, address);
  }
  if (contains(text, "requires use of the NVIDIA open kernel module")) {
    return event("open-module-required", text, address);
  }
  if (std::size_t legacy = text.find(" Legacy drivers"); legacy != text.npos) {
    std::size_t space = text.rfind(' ', legacy - 1);
    std::string branch = text.substr(space + 1, legacy - space - 1);
    return event("unsupported-gpu", text, "legacy " + branch);
  }
  if (contains(text, "is not supported by the")) return event("unsupported-gpu", text, address);
  return std::nullopt;
}

// NVRM: GPU 0000:01:00.0: RmInitAdapter failed! (0x22:0x56:884)
KernelEvent init_failed(std::string_view line) {
  std::string detail = address_in(line);
  std::size_t open = line.rfind('('), close = line.rfind(')');
  if (open != line.npos && close != line.npos && close > open) {
    detail += (detail.empty() ? "" : " ") + std::string(line.substr(open + 1, close - open - 1));
  }
  return event("init-failed", line, detail);
}

std::optional<KernelEvent> nvrm_event(const std::vector<std::string_view>& lines, std::size_t at) {
  std::string_view line = lines[at];
  if (contains(line, "NVRM: Xid (")) return xid_event(line);
  if (contains(line, "API mismatch")) {
    std::string text = joined(lines, at, {"same version"});
    return event("api-mismatch", text, versions_in(text));
  }
  if (contains(line, "NVRM: The NVIDIA ") && !contains(line, "probe routine")) {
    return refused_gpu(lines, at);
  }
  if (contains(line, "RmInitAdapter failed") || contains(line, "rm_init_adapter failed")) {
    return init_failed(line);
  }
  // NVRM: GPU 0000:01:00.0 is already bound to vfio-pci.
  if (std::size_t bound = line.find(" is already bound to "); bound != line.npos) {
    std::string_view by = line.substr(bound + 21);
    while (by.ends_with('.')) by.remove_suffix(1);
    return event("already-bound", line, address_in(line) + " " + std::string(by));
  }
  if (contains(line, "No NVIDIA devices probed") || contains(line, "No NVIDIA GPU found")) {
    return event("no-devices-probed", line);
  }
  if (contains(line, "fallen off the bus")) return event("fallen-off-bus", line, address_in(line));
  // NVRM: loading NVIDIA UNIX x86_64 Kernel Module  550.144.03  Mon Dec 30 17:44:08 UTC 2024
  if (contains(line, "NVRM: loading NVIDIA UNIX")) {
    return event("module-load", line, versions_in(line));
  }
  if (contains(line, "assigned to your NVIDIA device is invalid")) {
    return event("bar-invalid", line, address_in(line));
  }
  std::string low = lower(line);
  if (contains(line, "GSP") && (contains(low, "fail") || contains(low, "cannot init"))) {
    return event("gsp", line, address_in(line));
  }
  return std::nullopt;
}

// modprobe: ERROR: could not insert 'vmmon': Key was rejected by service   (not about NVIDIA)
bool names_other_module(std::string_view line) {
  std::size_t open = line.find('\'');
  return open != line.npos && !line.substr(open + 1).starts_with("nvidia");
}

std::optional<KernelEvent> other_event(std::string_view line) {
  // nouveau 0000:01:00.0: NVIDIA GK107 (0e7280a2)
  if (line.starts_with("nouveau ")) {
    std::string address = address_in(line);
    if (!address.empty()) return event("nouveau", line, address);
    return std::nullopt;
  }
  const std::string_view rejected[] = {
      "Key was rejected by service", "module loading is restricted", "unsigned module is rejected",
      "unavailable key is rejected"};
  for (std::string_view sentence : rejected) {
    if (contains(line, sentence) && !names_other_module(line)) return event("key-rejected", line);
  }
  // nvidia: version magic '6.8.0-40-generic SMP …' should be '6.8.0-87-generic SMP …'
  if (line.starts_with("nvidia") &&
      (contains(line, "version magic") || contains(line, "disagrees about version of symbol") ||
       contains(line, "Unknown symbol"))) {
    return event("module-mismatch", line);
  }
  return std::nullopt;
}

bool same(const KernelEvent& a, const KernelEvent& b) {
  if (a.kind != b.kind) return false;
  if (a.kind == "fallen-off-bus") return a.detail == b.detail;
  return a.xid == b.xid && a.detail == b.detail;
}

}  // namespace

std::vector<KernelEvent> parse_kernel_log(std::string_view text) {
  std::vector<std::string_view> lines = relevant_lines(text);
  std::vector<KernelEvent> events;
  for (std::size_t i = 0; i < lines.size() && events.size() < kMaxEvents; ++i) {
    std::optional<KernelEvent> found =
        lines[i].starts_with("NVRM:") ? nvrm_event(lines, i) : other_event(lines[i]);
    if (!found) continue;
    if (std::ranges::none_of(events, [&](const KernelEvent& e) { return same(e, *found); })) {
      events.push_back(std::move(*found));
    }
  }
  return events;
}

}  // namespace kernelfit
