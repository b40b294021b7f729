// SPDX-License-Identifier: Apache-2.0
// What the small text files of a wheel say of it: METADATA, WHEEL, RECORD, torch/version.py. For
// this room only.
#pragma once
#include <string>
#include <string_view>

#include "archive/archive.h"
#include "scan/scan.h"

namespace kernelfit {

// Whether a member is one of them.
bool is_wheel_note(std::string_view name);
// Takes from one what is in it. RECORD comes last, when the members are known.
void note(std::string_view name, std::string_view text, RemoteScan& about);
// What the file's own name says where nothing else did.
void note_file_name(std::string_view name, RemoteScan& about);
// What RECORD says of the members: name, size, hash; packed sizes are not known by it. Empty where
// it is not as it should be.
std::vector<RemoteScan::Member> members_by_record(std::string_view text);
void note_members(const ZipDirectory& directory, RemoteScan& about);

constexpr std::size_t kMaxNote = std::size_t{16} << 20;

}  // namespace kernelfit
