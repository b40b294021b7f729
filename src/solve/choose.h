// SPDX-License-Identifier: Apache-2.0
// The builds with code for every card, and which of them is taken: as things are, with another
// driver, with another Python, for a wish, of one channel.
#pragma once
#include <optional>
#include <vector>

#include "solve/installed.h"
#include "solve/rank.h"
#include "solve/wish.h"

namespace kernelfit::solving {

// A build that would do, and what has to change for it.
struct Found {
  const Candidate* candidate = nullptr;
  bool driver_changes = false, python_changes = false;
  explicit operator bool() const { return candidate != nullptr; }
};

class Chooser {
 public:
  Chooser(const Request& request, const Knowledge& knowledge);

  // On this platform, with code for every card; in the order of the table.
  const std::vector<Candidate>& candidates() const { return candidates_; }
  Fitter& fitter() { return fitter_; }
  // A driver that nothing is known of may well do.
  bool driver_fits(const Candidate& candidate) const;

  const Candidate* pick(const Wish& wish, bool any_driver, bool any_python) const;
  // As things are; else with another driver; else with another Python; else with both.
  Found find(const Wish& wish) const;
  // An installed torch that does not fit is best replaced by the same version from another index:
  // nothing else in the environment has to change.
  std::optional<Found> same_version(const InstalledTorch& installed) const;
  // conda's torch is best replaced by conda: the same version, else the newest. pip over it would
  // leave two torches, of which conda knows one.
  std::optional<Found> of_conda(const InstalledTorch& installed, const Wish& wish) const;
  // Of one channel (rank.h), what is not doubtful.
  const Candidate* of_channel(int rank, const Found& found) const;
  // Whole, with this driver, whatever Python.
  const Candidate* of_any_python(bool official) const;

  Choice choice(const Candidate& candidate) const;

 private:
  bool fits(const Candidate& candidate, bool any_driver) const;
  const Candidate* pick_for_python(const Candidate& newest, const Wish& wish,
                                   bool any_driver) const;

  const Request& request_;
  const Knowledge& knowledge_;
  Fitter fitter_;
  Ranking ranking_;
  std::vector<Candidate> candidates_;
};

}  // namespace kernelfit::solving
