// SPDX-License-Identifier: Apache-2.0
// What the kernel logged about the cards. dmesg is refused to ordinary users on many systems; then
// the files that syslog writes are tried, and the journal where the driver does not answer.
#include <algorithm>

#include "nvidia/kernel_log.h"
#include "probe/probes.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

constexpr std::uint64_t kTail = std::uint64_t{4} << 20;  // of a file: the last start is at its end

struct Log {
  std::string text, source;
};

std::string read_tail(const Host& host, std::string_view path) {
  Result<std::unique_ptr<RandomAccess>> file = host.open_file(path);
  if (!file) return {};
  std::uint64_t size = std::min((*file)->size(), kTail);
  std::string text(static_cast<std::size_t>(size), '\0');
  if (!(*file)->read((*file)->size() - size, std::as_writable_bytes(std::span(text)))) return {};
  return text;
}

std::optional<Log> read_journal(const Host& host) {
  Result<CommandResult> result =
      host.run({.argv = {"journalctl", "-k", "-b", "-q", "--no-pager"}, .env = {}});
  if (!result || result->status != 0 || result->out.empty()) return std::nullopt;
  return Log{result->out, "journalctl -k"};
}

std::optional<Log> read_log(const Host& host, bool driver_answers, std::string& why) {
  Result<CommandResult> dmesg = host.run({.argv = {"dmesg"}, .env = {}});
  if (dmesg && dmesg->status == 0 && !dmesg->out.empty()) return Log{dmesg->out, "dmesg"};
  // dmesg: read kernel buffer failed: Operation not permitted
  why = dmesg ? std::string(trim(printable(dmesg->err.substr(0, 200)))) : dmesg.error().text();
  for (std::string_view path : {"/var/log/kern.log", "/var/log/dmesg"}) {
    std::string text = read_tail(host, path);
    if (!text.empty()) return Log{std::move(text), std::string(path)};
  }
  // The journal takes its time: it is asked where something has to be explained.
  return driver_answers ? std::nullopt : read_journal(host);
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
  std::optional<Log> log = read_log(host, machine.driver.nvml.is("ok"), why);
  if (!log) {
    fact = Fact<std::string>::unknown(why.empty() ? "empty" : why, "dmesg");
    return;
  }
  machine.kernel_events = parse_kernel_log(log->text);
  fact = Fact<std::string>::known(log->source, log->source);
}

}  // namespace kernelfit
