// SPDX-License-Identifier: Apache-2.0
#include "cli/shared_text.h"

#include "report/redacted_json.h"

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
