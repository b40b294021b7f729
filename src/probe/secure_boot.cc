// SPDX-License-Identifier: Apache-2.0
// Secure Boot: on, the kernel takes only signed modules.
#include "nvidia/modules.h"
#include "probe/probes.h"
#include "probe/reading.h"

namespace kernelfit {
namespace {

// UEFI 2.10, 3.3: four bytes of attributes, then one byte, 1 where it is on.
constexpr std::string_view kVariable =
    "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";

std::optional<bool> read_efi_variable(const Host& host) {
  Result<std::string> bytes = host.read_file(kVariable, 64);
  if (!bytes || bytes->size() != 5) return std::nullopt;
  return bytes->back() == '\1';
}

}  // namespace

void probe_secure_boot(const Host& host, const ProbeOptions&, Machine& machine) {
  Fact<bool>& fact = machine.system.secure_boot;
  if (is_windows(machine) || is_wsl(machine)) {
    fact = Fact<bool>::unknown("it plays no part here");
    return;
  }
  if (auto on = read_efi_variable(host)) {
    fact = Fact<bool>::known(*on, std::string(kVariable));
    return;
  }
  bool efi = host.is_dir("/sys/firmware/efi");
  if (!efi && machine.system.container.has()) {
    fact = Fact<bool>::unknown("a container does not see the firmware", "/sys/firmware/efi");
    return;
  }
  if (!efi && host.is_dir("/sys/firmware")) {
    fact = Fact<bool>::known(false, "no /sys/firmware/efi: not started by UEFI");
    return;
  }
  Result<CommandResult> mokutil = host.run({.argv = {"mokutil", "--sb-state"}, .env = {}});
  std::optional<bool> said = mokutil ? parse_mokutil(mokutil->out + mokutil->err) : std::nullopt;
  fact = said ? Fact<bool>::known(*said, "mokutil --sb-state")
              : Fact<bool>::unknown("the EFI variable could not be read", std::string(kVariable));
}

}  // namespace kernelfit
