// SPDX-License-Identifier: Apache-2.0
// How one build stands to a request: code for each card, cuDNN, driver, Python, glibc, platform.
// Driver floors and cuDNN ranges repeat over hundreds of builds and are looked up once.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "solve/solve.h"

namespace kernelfit::solving {

DriverOs driver_os(const Request& request);    // WSL: the Windows driver
std::string platform(const Request& request);  // WSL: "linux-x86_64"

// The first CUDA whose libraries (cuBLAS and the rest) know the card: cuda/card_floor.csv. Code
// that would run by itself, an old PTX on a new card say, is of no use without them.
DottedVersion cuda_floor(const Card& card, const Knowledge& knowledge);

bool glibc_serves(const TorchBuild& build, const Fact<DottedVersion>& glibc,
                  const Knowledge& knowledge);

// The driver's CUDA of a JetPack ("6.1" -> 12.6), or of all those that run on the board; empty: not
// a Jetson, or not known.
DottedVersion jetpack_cuda(const Request& request, const Knowledge& knowledge);

// The cuDNN that a build brings. conda-forge chooses it when it solves: `pinned` is then the pin
// that keeps older cards ("cudnn<9.11"), or empty.
struct Cudnn {
  std::string version;  // empty: not known
  std::string pin;
};

class Fitter {
 public:
  Fitter(const Request& request, const Knowledge& knowledge);
  Candidate fit(const TorchBuild& build);
  // What is installed runs on this system and Python already: only cards and driver are asked.
  Candidate fit_installed(const TorchBuild& build);
  PerGpu on_card(const std::vector<GpuArch>& archs, const TorchBuild& build, const Card& card);
  DriverNeed need(const TorchBuild& build, bool needs_ptx);
  Verdict driver(const TorchBuild& build, const DriverNeed& need) const;
  bool cudnn_serves(const TorchBuild& build, const Card& card);

 private:
  void fit_cards(const TorchBuild& build, Candidate& out);
  using NeedKey = std::tuple<std::string, std::string_view, bool>;
  struct DriverAnswer {
    DriverNeed need;
    Verdict verdict = Verdict::unknown;
    std::optional<DottedVersion> to_install;
  };
  const DriverAnswer& driver_answer(const TorchBuild& build, bool needs_ptx);
  bool cudnn_range_serves(std::string_view version, const DottedVersion& cuda,
                          ComputeCapability capability);
  std::string_view cudnn_of(const TorchBuild& build) const;

  const Request& request_;
  const Knowledge& knowledge_;
  std::string platform_;
  DriverOs driver_os_;
  bool board_;  // the driver is part of the JetPack
  DottedVersion jetpack_cuda_;
  std::map<NeedKey, DriverAnswer> driver_answers_;
  std::map<std::tuple<std::string_view, std::string, int>, bool> cudnn_answers_;
  std::vector<DottedVersion> cuda_floors_;  // beside the request's cards
};

// "cudnn<9.11" where a conda-forge build needs it for one of these cards; empty: no pin.
std::string cudnn_pin(const TorchBuild& build, const std::vector<Card>& cards);

}  // namespace kernelfit::solving
