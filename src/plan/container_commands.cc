// SPDX-License-Identifier: Apache-2.0
#include "plan/container_commands.h"

#include <optional>
#include <string>
#include <tuple>

#include "base/text.h"

namespace kernelfit::planning {
namespace {

constexpr std::string_view kImage = "pytorch/pytorch";

struct Image {
  std::string tag;
  const Candidate* torch = nullptr;
};

// The images of conda's time hold the builds of the pytorch channel, later ones the wheels.
bool holds(const Csv& images, std::size_t row, const Candidate& candidate) {
  const TorchBuild& build = *candidate.build;
  const bool wheels = images.cell(row, "note").starts_with("pip");
  return images.cell(row, "image") == kImage && images.cell(row, "tag").ends_with("-runtime") &&
         images.cell(row, "torch") == build.version.text() &&
         dotted(images.cell(row, "cuda")) == build.cuda &&
         build.channel == (wheels ? "pip" : "conda-pytorch");
}

// As for an install: what is surer, newer, the default of its release, then the highest CUDA.
bool is_better(const Candidate& a, const Candidate& b) {
  const auto rank = [](const Candidate& one) {
    const TorchBuild& build = *one.build;
    return std::tuple(one.whole, one.native, build.basis.confidence != Confidence::low,
                      build.version, build.pypi_default == "yes", build.cuda);
  };
  return rank(b) < rank(a);
}

Image best_image(const std::vector<Candidate>& all, const Csv& images) {
  Image best;
  for (const Candidate& candidate : all) {
    if (!candidate.fits || candidate.build->cuda.empty()) continue;
    if (best.torch != nullptr && !is_better(candidate, *best.torch)) continue;
    for (std::size_t row = 0; row < images.rows(); ++row) {
      if (!holds(images, row, candidate)) continue;
      best = {std::string(images.cell(row, "tag")), &candidate};
      break;
    }
  }
  return best;
}

}  // namespace

std::vector<CommandBlock> container_blocks(const Request& request, const Knowledge& knowledge) {
  const bool linux = request.os == "linux" || request.os == "wsl";
  if (!linux || request.cpu_arch != "x86_64" || !request.driver.has()) return {};
  Request inside = request;
  inside.glibc = Fact<DottedVersion>::unknown("the container's own");
  inside.python = Fact<DottedVersion>::unknown("the container's own");
  const std::vector<Candidate> all = candidates(inside, knowledge);
  const Image image = best_image(all, knowledge.table("torch/ngc_images.csv"));
  if (image.torch == nullptr) return {};
  const std::string name = std::string(kImage) + ":" + image.tag;
  CommandBlock block{"docker", "sh", {"docker run --gpus all -it --rm " + name}, {}};
  block.when = {
      "plan.when.pytorch-image",
      {{"torch", image.torch->build->version.text()}, {"cuda", image.torch->build->cuda.text()}}};
  return {std::move(block)};
}

}  // namespace kernelfit::planning
