// SPDX-License-Identifier: Apache-2.0
// What an answer says for itself: why this build, what will not help, what to know. Every sentence
// is a key of data/messages/*/solve.txt; nothing is decided here.
#pragma once
#include <string>
#include <vector>

#include "solve/installed.h"
#include "solve/solve.h"

namespace kernelfit::solving {

// "2.14.1+cu126" of an index, "2.13.0 (cuda12.9, conda-forge)" of a conda channel.
std::string spec_text(const TorchBuild& build);

// Once, whether it is the choice or an alternative.
void say_third_party(Answer& answer, std::string_view channel);

// NVIDIA does not name the card for CUDA in WSL, but it is reported to work.
void say_wsl(Answer& answer, const Request& request, const Knowledge& knowledge);

void explain_choice(Answer& answer, const Request& request, const Candidate& chosen,
                    const std::vector<Candidate>& all, const Knowledge& knowledge);
void explain_keep(Answer& answer, const Request& request, const std::string& installed,
                  const Candidate& fit, const Knowledge& knowledge);
void explain_installed(Answer& answer, const Request& request, const InstalledTorch& installed);
void explain_driver(Answer& answer, const Request& request, const Candidate& chosen,
                    const Knowledge& knowledge);
void explain_python(Answer& answer, const Request& request, const Candidate& chosen,
                    const std::vector<Candidate>& all);
void explain_nothing(Answer& answer, const Request& request, const std::vector<Candidate>& all);
void explain_jetson(Answer& answer, const Request& request, const Choice& choice);
void explain_jetson_python(Answer& answer, const Request& request, const Choice& choice);
void explain_jetson_keep(Answer& answer, const Request& request, const InstalledTorch& installed,
                         bool newer_jetpack);
// What stands in the way of the installed one on this board.
void explain_jetson_installed(Answer& answer, const Request& request,
                              const InstalledTorch& installed);

}  // namespace kernelfit::solving
