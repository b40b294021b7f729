// SPDX-License-Identifier: Apache-2.0
// `--knowledge DIR`: a folder laid out as data/ corrects facts without a release.
#pragma once
#include <string>

#include "host/host.h"
#include "knowledge/knowledge.h"

namespace kernelfit::cli {

// The embedded copy where `folder` is empty.
Result<Knowledge> knowledge_for(const std::string& folder, const Host& here);

}  // namespace kernelfit::cli
