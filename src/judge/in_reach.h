// SPDX-License-Identifier: Apache-2.0
// Which of the cards that are there programs can see.
#pragma once
#include "machine/machine.h"

namespace kernelfit {

// No program sees this card, whatever torch is installed: CUDA_VISIBLE_DEVICES leaves it out, or
// beside the loaded NVIDIA driver another one holds it (nouveau for the screen, vfio-pci for a
// guest). A card that no driver holds is not meant: perhaps it should be served.
bool is_hidden(const Machine& machine, int gpu);

// The same, or nobody knows whether programs see it.
bool may_be_hidden(const Machine& machine, int gpu);

// Several cards, and which of them CUDA_VISIBLE_DEVICES shows is not known.
bool visible_unknown(const Machine& machine);

// No card was found where the bus could not be read: that is not "no card".
bool cards_unknown(const Machine& machine);

}  // namespace kernelfit
