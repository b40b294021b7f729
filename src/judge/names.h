// SPDX-License-Identifier: Apache-2.0
// Product names as people and drivers write them: "rtx3090", "NVIDIA GeForce RTX 3080 Laptop GPU",
// "GRID A100-10C", "NVIDIA A100-SXM4-40GB MIG 1g.5gb".
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/knowledge.h"

namespace kernelfit {

// Lower case, without maker, brand and filling words, MIG and vGPU profiles cut off: the words that
// tell one product from another.
std::vector<std::string> name_words(std::string_view name);

// The rows of the product that is meant: all rows of one name, or of several names that share one
// capability and last driver branch ("A100", "Tesla K40" of K40c and K40m). Empty: none is called
// that. `also`: the names of all rows where they are different chips ("RTX 6000" is Turing or Ada).
struct NameMatch {
  std::vector<const GpuProduct*> rows;
  std::vector<std::string_view> also;
};
NameMatch match_name(std::string_view name, const Knowledge& knowledge);

// The nearest product names, best first.
std::vector<std::string_view> nearest_names(std::string_view name, const Knowledge& knowledge,
                                            std::size_t count);

}  // namespace kernelfit
