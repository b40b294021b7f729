// SPDX-License-Identifier: Apache-2.0
// What else would do beside the choice, best first, and when it would be better.
#pragma once
#include "solve/choose.h"

namespace kernelfit::solving {

// The newest release, the conda channels, a third party, what another Python would give.
void add_alternatives(Answer& answer, const Found& found, const Request& request,
                      const Chooser& chooser);
// The wish takes a change, or its build is not sure to exist; what would do without.
void add_without_wish(Answer& answer, const Found& found, const Chooser& chooser);
// A newer driver would give a newer torch that the wish allows: said, not advised, since this one
// does.
void say_what_driver_brings(Answer& answer, const Found& found, const Wish& wish,
                            const Request& request, const Chooser& chooser);

// NVIDIA's image, where it is newer than the choice or leaves the Python alone.
void add_container(Answer& answer, const std::vector<const JetsonTorch*>& rows,
                   std::string_view newer_than, const Request& request);
// The other form of NVIDIA's build, and the community's.
void add_jetson_alternatives(Answer& answer, const std::vector<const JetsonTorch*>& rows,
                             const Wish& wish, const Request& request);

}  // namespace kernelfit::solving
