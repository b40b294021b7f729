// SPDX-License-Identifier: Apache-2.0
// What names a person or a machine. Each step knows one kind of thing and what looks like it but
// must stay: a report without versions and PCI addresses is worth nothing.
#include "host/redact.h"

#include <algorithm>
#include <cstdio>

#include "base/text.h"
#include "host/text_runs.h"

namespace kernelfit {
namespace {

// Names that tell nothing of a person, and would take half of the words of a report with them.
constexpr std::string_view kCommonNames =
    "root user users ubuntu debian fedora centos rocky arch nvidia jetson tegra admin "
    "administrator "
    "runner docker container conda mamba miniconda anaconda linuxbrew python torch pytorch cuda "
    "gpu "
    "home lib usr opt tmp var etc bin dev proc sys run mnt srv shared public default guest test "
    "jovyan vscode vagrant ec2-user opc azureuser coder host localhost localdomain linux windows "
    "desktop laptop server workspace build data nobody kernel driver none all";

bool is_common(std::string_view name) {
  return name.size() < 2 || contains_word(kCommonNames, lower(name));
}

std::string numbered(std::string_view word, std::size_t index) {
  return std::string(word) + (index == 0 ? "" : std::to_string(index + 1));
}

// Without regard to case, where neither a letter nor a digit touches it.
std::string replace_name(std::string_view text, std::string_view name, std::string_view with) {
  std::string small = lower(text), wanted = lower(name), out;
  std::size_t done = 0;
  for (auto at = small.find(wanted); at != std::string::npos; at = small.find(wanted, at + 1)) {
    std::size_t end = at + wanted.size();
    bool alone =
        (at == 0 || !is_alnum(text[at - 1])) && (end == text.size() || !is_alnum(text[end]));
    if (!alone || at < done) continue;
    out.append(text.substr(done, at - done)).append(with);
    done = end;
  }
  return out.append(text.substr(done));
}

std::string replace_names(std::string text, const std::vector<std::string>& names,
                          std::string_view word, bool number) {
  std::vector<std::pair<std::string, std::string>> all;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_common(names[i])) all.emplace_back(names[i], numbered(word, number ? i : 0));
  }
  // The longest first: "box.example.org" before "box".
  std::stable_sort(all.begin(), all.end(),
                   [](auto& a, auto& b) { return a.first.size() > b.first.size(); });
  for (const auto& [name, with] : all) text = replace_name(text, name, with);
  return text;
}

// The name in "/home/NAME/…", "/Users/NAME/…" and "C:\\Users\\NAME\\…" (also with the backslash
// doubled, as in JSON). A Windows name may hold spaces where a separator ends it.
std::string_view home_name(std::string_view behind, bool may_have_spaces) {
  auto end = behind.find_first_of("/\\\"'<>|:;,)\r\n");
  auto name = behind.substr(0, end);
  bool closed = end != std::string_view::npos && (behind[end] == '/' || behind[end] == '\\');
  if (!may_have_spaces || !closed) name = name.substr(0, name.find_first_of(" \t"));
  return name;
}

std::string replace_homes(std::string_view text, const Redaction& what) {
  constexpr std::string_view kHomes[] = {"/home/", "/users/", "\\users\\", "\\\\users\\\\"};
  std::string small = lower(text), out;
  std::size_t done = 0, at = 0;
  while (at < small.size()) {
    at = std::min(small.find_first_of("/\\", at), small.size());
    auto here = std::string_view(small).substr(at);
    std::size_t size = 0;
    for (auto home : kHomes) size = here.starts_with(home) ? home.size() : size;
    if (size == 0) {
      ++at;
      continue;
    }
    auto name = home_name(text.substr(at + size), size != kHomes[0].size());
    std::size_t start = at + size;
    at = start + name.size();
    if (name.empty() || is_common(name)) continue;
    auto known = std::find_if(what.user_names.begin(), what.user_names.end(),
                              [&](const auto& user) { return lower(user) == lower(name); });
    auto index = known == what.user_names.end() ? 0 : known - what.user_names.begin();
    out.append(text.substr(done, start - done))
        .append(numbered("user", static_cast<std::size_t>(index)));
    done = at;
  }
  return out.append(text.substr(std::min(done, text.size())));
}

// --- UUIDs ---

constexpr std::size_t kUuidGroups[] = {8, 4, 4, 4, 12};
constexpr std::size_t kUuidSize = 36;

bool is_uuid(std::string_view text) {
  if (text.size() != kUuidSize) return false;
  auto groups = split(text, '-');
  if (groups.size() != std::size(kUuidGroups)) return false;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].size() != kUuidGroups[i] ||
        !std::all_of(groups[i].begin(), groups[i].end(), is_hex_digit)) {
      return false;
    }
  }
  return true;
}
// Random ones name this machine. The others (8be4df61-93ca-11d2-…, an EFI variable) are the same on
// every machine, and part of paths that probes read.
bool is_random_uuid(std::string_view text) {
  return is_uuid(text) && text[14] == '4' && contains("89abAB", text.substr(19, 1));
}

std::string numbered_uuid(std::size_t number) {
  char out[kUuidSize + 1];
  std::snprintf(out, sizeof out, "%08x-0000-0000-0000-000000000000", static_cast<unsigned>(number));
  return out;
}

// Where a UUID, or the beginning of one that stands for a GPU (CUDA_VISIBLE_DEVICES=GPU-8f3a), lies
// in a run of letters, digits and dashes: behind "GPU-" or "MIG-", or the run itself.
std::string_view uuid_in(std::string_view run) {
  for (std::string_view prefix : {"GPU-", "MIG-"}) {
    auto at = run.rfind(prefix);
    if (at == std::string_view::npos || (at > 0 && is_alnum(run[at - 1]))) continue;
    auto rest = run.substr(at + prefix.size());
    bool hex =
        std::all_of(rest.begin(), rest.end(), [](char c) { return is_hex_digit(c) || c == '-'; });
    if (hex && rest.size() >= 4 && rest.size() <= kUuidSize) return rest;
  }
  if (is_random_uuid(run)) return run;
  if (run.size() > kUuidSize && is_random_uuid(run.substr(run.size() - kUuidSize)) &&
      run[run.size() - kUuidSize - 1] == '-') {
    return run.substr(run.size() - kUuidSize);
  }
  return {};
}

bool is_uuid_part(char c) {
  return is_alnum(c) || c == '-';
}

std::string replace_uuids(std::string_view text, std::vector<std::string> known) {
  return replace_runs(text, is_uuid_part, [&](std::string_view run, auto, auto) {
    auto uuid = uuid_in(run);
    if (uuid.empty()) return std::string(run);
    std::string small = lower(uuid);
    auto found = std::find_if(known.begin(), known.end(),
                              [&](const auto& one) { return one.starts_with(small); });
    if (found == known.end()) found = known.insert(known.end(), small);
    auto number = static_cast<std::size_t>(found - known.begin()) + 1;
    // A beginning stays one, and long enough to tell which.
    auto text_of_it = numbered_uuid(number).substr(0, std::max<std::size_t>(uuid.size(), 8));
    return std::string(run.substr(0, run.size() - uuid.size())) + text_of_it;
  });
}

// --- serial numbers ---

// Keeps the dashes and colons: "48-b0-2d" -> "00-00-00".
std::string zeros_for(std::string_view run) {
  std::string out(run);
  for (char& c : out) c = is_alnum(c) ? '0' : c;
  return out;
}

// "<serial>1322621042589</serial>", "Serial Number : 13…", "\"serial\": \"…\"", "SerialNumber=…"
std::string replace_serials(std::string_view text) {
  auto is_part = [](char c) { return is_alnum(c) || c == '-' || c == '_'; };
  return replace_runs(text, is_part, [](std::string_view run, std::string_view before, auto) {
    bool digit = std::any_of(run.begin(), run.end(), is_digit);
    if (!digit || run.size() < 6) return std::string(run);
    auto line = before.substr(before.find_last_of('\n') + 1);
    std::string name = lower(line.substr(line.size() - std::min<std::size_t>(line.size(), 60)));
    auto serial = name.rfind("serial");
    if (serial == std::string::npos) return std::string(run);
    // Between the name and the value stand only these: `_number`, quotes, a sign, spaces.
    std::string between = replace_all(name.substr(serial + 6), "number", "");
    bool next = between.find_first_not_of(" \t_:=>\"'") == std::string::npos && !between.empty();
    return next ? zeros_for(run) : std::string(run);
  });
}

// --- addresses ---

// 00:1b:21:3c:4d:5e, and longer ones (InfiniBand, key fingerprints). 0000:01:00.0 is a PCI address.
bool is_hardware_address(std::string_view run) {
  for (char separator : {':', '-'}) {
    auto groups = split(run, separator);
    bool pairs = groups.size() >= 6 && std::all_of(groups.begin(), groups.end(), [](auto group) {
                   return group.size() == 2 && is_hex_digit(group[0]) && is_hex_digit(group[1]);
                 });
    if (pairs) return true;
  }
  return false;
}

std::string replace_hardware_addresses(std::string_view text) {
  auto is_part = [](char c) { return is_alnum(c) || c == ':' || c == '-'; };
  return replace_runs(text, is_part, [](std::string_view run, auto, auto) {
    auto size = run.find_last_not_of(':') + 1;
    auto start = std::min(run.find_first_not_of(':'), size);
    auto address = run.substr(start, size - start);
    if (!is_hardware_address(address)) return std::string(run);
    std::string out(run);
    for (auto i = start; i < size; ++i) out[i] = is_alnum(out[i]) ? '0' : out[i];
    return out;
  });
}

// Four numbers are an address or a version. NVIDIA's libraries have versions such as 8.9.7.29 and
// 12.6.4.1, so below 20 it takes a word of the network in front, or a port behind.
bool is_network_address(std::string_view run, std::string_view before, std::string_view behind) {
  auto parts = split(run, '.');
  if (parts.size() != 4) return false;
  for (auto part : parts) {
    auto number = part.size() <= 3 ? parse_int(part) : std::optional<std::int64_t>();
    if (!number || *number > 255) return false;
  }
  auto first = *parse_int(parts[0]);
  if (first == 0 || first == 127 || first == 255) return false;
  char last = before.empty() ? ' ' : before.back();
  auto tail = lower(before.substr(before.size() - std::min<std::size_t>(before.size(), 10)));
  bool touched = is_alnum(last) || contains("_-+=.", std::string_view(&last, 1)) ||
                 (!behind.empty() && contains("-+_", behind.substr(0, 1)));
  if (touched) return tail.ends_with("ip=") || tail.ends_with("addr=");
  for (std::string_view word : {"://", "@", "inet ", "inet addr:", "address ", "host ", "ip: "}) {
    if (tail.ends_with(word)) return true;
  }
  bool port = behind.size() > 1 && (behind[0] == ':' || behind[0] == '/') && is_digit(behind[1]);
  return port || first >= 20;
}

// fe80::1ff:fe23:4567:890a, 2001:db8:…; torch::cuda and 0000:01:00.0 are none.
bool is_network_address6(std::string_view run) {
  if (run.size() < 6 || !std::any_of(run.begin(), run.end(), is_digit)) return false;
  auto groups = split(run, ':');
  bool hex = std::all_of(groups.begin(), groups.end(), [](auto group) {
    return group.size() <= 4 && std::all_of(group.begin(), group.end(), is_hex_digit);
  });
  std::string small = lower(run);
  bool begins = small.starts_with("fe80:") || small.starts_with("fc") || small.starts_with("fd") ||
                small[0] == '2' || small[0] == '3';
  return hex && begins && (contains(run, "::") ? groups.size() >= 3 : groups.size() == 8);
}

std::string replace_network_addresses(std::string_view text) {
  auto is_part = [](char c) { return is_digit(c) || c == '.'; };
  std::string out = replace_runs(text, is_part, [](std::string_view run, auto before, auto behind) {
    auto size = run.find_last_not_of('.') + 1;
    bool alone = behind.empty() || !is_alnum(behind[0]);
    if (!alone || !is_network_address(run.substr(0, size), before, behind)) return std::string(run);
    return "192.0.2.1" + std::string(run.substr(size));  // RFC 5737, for documentation
  });
  auto is_part6 = [](char c) { return is_alnum(c) || c == ':'; };
  return replace_runs(out, is_part6, [](std::string_view run, auto, auto) {
    return is_network_address6(run) ? std::string("2001:db8::1") : std::string(run);
  });
}

// "/docker/<64 hex digits>", "docker-<64 hex digits>.scope". A digest ("sha256=…") is no name.
std::string replace_container_ids(std::string_view text) {
  return replace_runs(text, is_alnum, [](std::string_view run, std::string_view before, auto) {
    bool id = run.size() == 64 && std::all_of(run.begin(), run.end(), is_hex_digit) &&
              (before.ends_with('/') || before.ends_with('-'));
    return id ? std::string(64, '0') : std::string(run);
  });
}

}  // namespace

void collect_uuids(std::string_view text, std::vector<std::string>& into) {
  replace_runs(text, is_uuid_part, [&](std::string_view run, auto, auto) {
    std::string uuid = lower(uuid_in(run));
    bool whole = uuid.size() == kUuidSize;
    if (whole && std::find(into.begin(), into.end(), uuid) == into.end()) into.push_back(uuid);
    return std::string();
  });
}

std::string redact(std::string_view text, const Redaction& what) {
  std::string out = redact_secrets(text);
  out = replace_homes(out, what);
  out = replace_names(std::move(out), what.user_names, "user", true);
  out = replace_names(std::move(out), what.host_names, "host", false);
  out = replace_uuids(out, what.uuids);
  out = replace_serials(out);
  out = replace_hardware_addresses(out);
  out = replace_network_addresses(out);
  return replace_container_ids(out);
}

}  // namespace kernelfit
