// SPDX-License-Identifier: Apache-2.0
// What the kernel logged about the cards. dmesg is refused to ordinary users on many systems; then
// the files that syslog writes are tried.
#include "nvidia/kernel_log.h"
#include "probe/probes.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

constexpr std::size_t kLogLimit = std::size_t{16} << 20;

struct Log {
  std::string text, source;
};

std::optional<Log> read_log(const Host& host, std::string& why) {
  Result<CommandResult> dmesg = host.run({.argv = {"dmesg"}, .env = {}});
  if (dmesg && dmesg->status == 0 && !dmesg->out.empty()) return Log{dmesg->out, "dmesg"};
  // dmesg: read kernel buffer failed: Operation not permitted
  why = dmesg ? std::string(trim(printable(dmesg->err.substr(0, 200)))) : dmesg.error().text();
  for (std::string_view path : {"/var/log/kern.log", "/var/log/dmesg"}) {
    Result<std::string> text = host.read_file(path, kLogLimit);
    if (text && !text->empty()) return Log{std::move(*text), std::string(path)};
  }
  return std::nullopt;
}

}  // namespace

void probe_kernel_log(const Host& host, const ProbeOptions&, Machine& machine) {
  Fact<std::string>& fact = machine.driver.kernel_log;
  if (is_windows(machine) || is_wsl(machine)) {
    fact = Fact<std::string>::absent(machine.system.os.value_or(""));
    return;
  }
  if (machine.gpus.empty() && !machine.driver.module_loaded.is(true)) {
    fact = Fact<std::string>::unknown("not read: there is no NVIDIA GPU and no module");
    return;
  }
  std::string why;
  std::optional<Log> log = read_log(host, why);
  if (!log) {
    fact = Fact<std::string>::unknown(why.empty() ? "empty" : why, "dmesg");
    return;
  }
  machine.kernel_events = parse_kernel_log(log->text);
  fact = Fact<std::string>::known(log->source, log->source);
}

}  // namespace kernelfit
