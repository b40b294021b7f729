// SPDX-License-Identifier: Apache-2.0
// Jetson boards: torch comes from NVIDIA's wheels and containers, made for one JetPack each, and
// the driver is part of the JetPack: no other is ever installed.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "solve/wish.h"

namespace kernelfit::solving {

bool is_jetson(const Request& request);  // a JetPack or an L4T release is named
bool is_board(const Request& request);   // that, or a Tegra chip

// Whether NVIDIA made torch for the board at all.
bool has_jetson_builds(const Card& card, const Knowledge& knowledge);

// The compute capabilities of the boards that a JetPack runs on; empty: not known.
std::vector<ComputeCapability> boards_of(std::string_view jetpack, const Knowledge& knowledge);

// The JetPacks that are known (torch/jetpack.csv), oldest first.
std::vector<std::string> known_jetpacks(const Knowledge& knowledge);
// Is its line among them: 6.2 of a later 6.2.9? Nothing is known of the builds of another.
bool is_known_line(const DottedVersion& jetpack, const Knowledge& knowledge);

// A board and a JetPack that never ran on it.
std::optional<Conflict> no_such_board(const Request& request, const Knowledge& knowledge);

// The rows for this board's JetPack and card, best first: NVIDIA's own before community builds, of
// this very JetPack before an older one of its line, a wheel for this Python, a wheel for another,
// a container (which brings its own Python), newest first.
std::vector<const JetsonTorch*> jetson_rows(const Request& request, const Knowledge& knowledge);

bool is_wheel(const JetsonTorch& row);
bool is_wheel_for(const JetsonTorch& row, const Fact<DottedVersion>& python);
bool is_container(const JetsonTorch& row);  // whose image's name is known
bool is_community(const JetsonTorch& row);
// "2.5.0a0", "==2.5.*", "2.5.0a0+b465a5843b"
bool grants(const JetsonTorch& row, const Wish& wish);
// Made for the board's own JetPack, or for its minor line.
bool is_of_jetpack(const JetsonTorch& row, const Request& request);

// The row that an installed build of NVIDIA's is: 2.5.0a0+b465a5843b.nv24.09 names commit and
// release, 2.0.0+nv23.05 the release. Null: not one of these.
const JetsonTorch* jetson_row_of(const PackageVersion& version, const Request& request,
                                 const Knowledge& knowledge);
// Where builds for this board and JetPack have the plain version of the release (the wheels of
// JetPack 4, the community's): the row. PyPI's Arm build of that number looks the same.
const JetsonTorch* plain_row_of(const PackageVersion& version, const Request& request,
                                const Knowledge& knowledge);
// Its JetPack is of the board's major, and it has the card's code.
bool serves_board(const JetsonTorch& row, const Request& request, const Knowledge& knowledge);
// Made for a newer JetPack of the same major.
bool is_of_newer_jetpack(const JetsonTorch& row, const Request& request,
                         const Knowledge& knowledge);

// "https://pypi.jetson-ai-lab.io/jp6/cu126"; empty: none is known for this JetPack.
std::string community_index(const JetsonTorch& row, const Request& request,
                            const Knowledge& knowledge);

enum class JetsonForm { wheel, container };
Choice jetson_choice(const JetsonTorch& row, JetsonForm form, const Request& request);
// The wish against board and JetPack.
Conflict jetson_wish_conflict(const Wish& wish, const JetsonTorch& instead, const Request& request);

}  // namespace kernelfit::solving
