// SPDX-License-Identifier: Apache-2.0
// Does this driver run this CUDA on this card? Pure rules of docs/compatibility.md 3: the toolkit's
// floor (exact before 11.1, the major's minor-version floor after), the first and last branch that
// know the card, and the full toolkit driver where only PTX matches.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "judge/card.h"
#include "judge/verdict.h"

namespace kernelfit {

enum class Platform { linux_x86_64, linux_aarch64, windows_x86_64, other };
std::string_view text_of(Platform platform);  // "linux-x86_64": as the tables write it

// Which table of driver versions counts: WSL uses the Windows driver.
enum class DriverOs { linux, windows };

// The branch of a driver version: 535 of "535.183.01"; Windows "551.86" belongs to 550,
// "582.41" to 580 (driver_branches.windows_versions). Nothing where no branch fits.
const DriverBranch* branch_of(const DottedVersion& driver, DriverOs os, const Knowledge& knowledge);

struct DriverNeed {
  DottedVersion minimum;    // "525.60.13"; empty: not known
  int first_branch = 0;     // of the card, 0: none known
  int last_branch = 0;      // 0: no upper limit
  DottedVersion maximum;    // where a card's drivers end within that branch; empty: they do not
  bool impossible = false;  // no driver can do it: the last branch is below the minimum
  std::string sources;      // ids
  bool by_minor_compatibility = false;
  DottedVersion ptx_isa;  // only PTX matches: the driver has to know this ISA; else empty
};
// `needs_ptx`: only PTX matches, so the full toolkit driver is needed (and its PTX ISA).
// Several cards: the highest minimum, the lowest last branch.
DriverNeed driver_needed(const DottedVersion& cuda, std::string_view cuda_full, bool needs_ptx,
                         const std::vector<Card>& cards, DriverOs os, const Knowledge& knowledge);

// The ISA that a file's own PTX asks for goes before what its toolkit would have written.
void set_ptx_isa(DriverNeed& need, const DottedVersion& isa, DriverOs os,
                 const Knowledge& knowledge);

// native: it does. Else driver_too_old, driver_too_new_for_gpu, no_driver (absent) or unknown.
Verdict driver_serves(const Fact<DottedVersion>& driver, const DriverNeed& need, DriverOs os,
                      const Knowledge& knowledge);

// The driver to install for `need`: the newest version of the best branch that is neither legacy
// nor ended if one serves (LTS or production before new-feature), else the last version of the last
// branch. Linux or Windows version; nothing where it is impossible.
std::optional<DottedVersion> driver_to_install(const DriverNeed& need, DriverOs os,
                                               const Knowledge& knowledge);

// The last driver branch of a card on this system; 0: none.
int last_branch_of(const Card& card, DriverOs os);
// Does this card's last branch, or its last version within it, come before the driver?
bool driver_dropped(const Card& card, const DottedVersion& driver, DriverOs os,
                    const Knowledge& knowledge);
// Does the driver's branch come before the first that knows the card?
bool driver_precedes(const Card& card, const DottedVersion& driver, DriverOs os,
                     const Knowledge& knowledge);

// "open": needs the open kernel module (Blackwell and newer, Grace); "proprietary": only that one
// serves it (Maxwell, Pascal, Volta and older); empty: either (Turing to Hopper).
std::string_view module_flavor_for(const Card& card);

}  // namespace kernelfit
