// SPDX-License-Identifier: Apache-2.0
#include "cli/shared_text.h"

#include "base/json.h"

namespace kernelfit::cli {
namespace {

void add_name(std::vector<std::string>& names, std::string_view name) {
  std::string trimmed(trim(name));
  if (!trimmed.empty() && trimmed != "root" && trimmed != "localhost") names.push_back(trimmed);
}

Redaction redaction_of(const Host& host) {
  Redaction what;
  for (auto name : {"USER", "LOGNAME", "USERNAME", "SUDO_USER"}) {
    add_name(what.user_names, host.env(name).value_or(""));
  }
  add_name(what.user_names, base_name(host.home_dir()));
  for (auto name : {"HOSTNAME", "COMPUTERNAME"}) {
    add_name(what.host_names, host.env(name).value_or(""));
  }
  for (auto path : {"/etc/hostname", "/proc/sys/kernel/hostname"}) {
    add_name(what.host_names, host.read_file(path, 4096).value_or(""));
  }
  return what;
}

// Strings only: a user called "driver" must not rename a field.
Json redacted(const Json& json, const Redaction* what) {
  if (json.is_string()) {
    return what == nullptr ? redact_secrets(json.string()) : redact(json.string(), *what);
  }
  if (json.is_array()) {
    Json out = Json::array();
    for (const auto& item : json.items()) out.push(redacted(item, what));
    return out;
  }
  if (!json.is_object()) return json;
  Json out = Json::object();
  for (const auto& [key, value] : json.members()) out.add(key, redacted(value, what));
  return out;
}

std::string redacted_json(const std::string& text, const Redaction* what) {
  if (what == nullptr && redact_secrets(text) == text) return text;
  auto json = parse_json(text);
  return json ? redacted(*json, what).dump() : redact_secrets(text);
}

}  // namespace

bool redacts(const Args& args, Format format) {
  if (args.has("no-redact")) return false;
  return args.has("redact") || format == Format::markdown;
}

std::string shared_text(const std::string& text, const Context& context) {
  bool hides = redacts(context.args, context.style.format);
  Redaction what = hides ? redaction_of(context.host) : Redaction{};
  if (context.style.format == Format::json) return redacted_json(text, hides ? &what : nullptr);
  return hides ? redact(text, what) : redact_secrets(text);
}

}  // namespace kernelfit::cli
