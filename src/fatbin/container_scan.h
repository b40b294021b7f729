// SPDX-License-Identifier: Apache-2.0
// Finds every fat-binary container, bare cubin and HIP bundle in bytes that come in order, whether
// they are read from a file (what is not needed is jumped over) or run out of an archive. Nothing
// is kept but payloads that the visitor asks for.
//
// A container is believed when its header is right (version 1, 16 bytes, a size that fits) and its
// first entry's header is too: false magics in .text do not pass (docs/fatbin.md). A chain of
// entries that breaks ends its container with a problem, and the search goes on behind the break.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/stream.h"
#include "fatbin/fatbin.h"

namespace kernelfit {

// Called in the order of the bytes. Offsets count from the first of them.
class ContainerVisitor {
 public:
  virtual ~ContainerVisitor() = default;
  virtual void container(std::uint64_t offset) = 0;
  // An entry of the last container. True: its payload is wanted.
  virtual bool entry(const FatbinEntry& entry) = 0;
  // As it is stored, compressed or not; of an entry whose payload was wanted.
  virtual void payload(const FatbinEntry& entry, Bytes stored) = 0;
  // A cubin outside any container, of a size that its header tells. True: its bytes are wanted.
  virtual bool bare_cubin(std::uint64_t offset, std::uint64_t size_bytes, Bytes header) = 0;
  virtual void bare_payload(std::uint64_t offset, Bytes cubin) = 0;
  // AMD's bundle: `front` is what there is of its first 4 KB.
  virtual void hip_bundle(std::uint64_t offset, Bytes front) = 0;
  virtual void problem(std::uint64_t offset, const std::string& text) = 0;
};

struct ScanLimits {
  std::size_t entries = 2'000'000;
  std::uint64_t payload_bytes = std::uint64_t{64} << 20;  // a larger one is listed, not collected
};

class ContainerScan {
 public:
  // `size_bytes`: of everything that will come, where it is known: a container cannot be longer.
  explicit ContainerScan(ContainerVisitor& visitor,
                         std::uint64_t size_bytes = std::numeric_limits<std::uint64_t>::max(),
                         const ScanLimits& limits = {});

  // `bytes` begin at offset `at`, which is what the call before returned (0 at first). Returns the
  // offset that is wanted next. It may lie behind `bytes`: what is between need not be given. It
  // may lie within: from there on they are to be given again, with more behind them. `last`:
  // nothing comes behind `bytes`; then the result does not matter.
  std::uint64_t feed(std::uint64_t at, Bytes bytes, bool last);
  // What lies at the wanted offset need not be given where it is known to be zeros: go on behind
  // them.
  bool may_pass_zeros() const { return state_ == State::search; }
  // The bytes that are needed at a wanted offset before the scan can go on.
  static constexpr std::size_t kStep = 4096;

 private:
  enum class State { search, entries, payload, bare };
  struct Step {
    std::uint64_t next;
    bool more;  // more bytes are needed at `next`
  };
  Step search(std::uint64_t at, Bytes bytes, bool last);
  Step candidate(std::uint64_t at, Bytes bytes, bool last);
  Step container_candidate(std::uint64_t at, Bytes bytes, bool last);
  Step cubin_candidate(std::uint64_t at, Bytes bytes, bool last);
  Step read_entry(std::uint64_t at, Bytes bytes, bool last);
  Step collect(std::uint64_t at, Bytes bytes, bool last);

  ContainerVisitor& visitor_;
  std::uint64_t size_;
  ScanLimits limits_;
  State state_ = State::search;
  std::uint64_t container_end_ = 0;
  FatbinEntry entry_;              // whose payload is being collected
  std::uint64_t payload_end_ = 0;  // of the bytes that are collected
  std::uint64_t after_payload_ = 0;
  std::uint64_t bare_at_ = 0;
  std::vector<std::byte> collected_;
  std::size_t entries_ = 0;
};

// All of a file, or of [offset, end) of it: jumps over what is not needed. `next_data`: where the
// next bytes that are no hole begin, at or behind an offset; empty: there are no holes.
Status scan_access(const RandomAccess& file, std::uint64_t offset, std::uint64_t end,
                   ContainerVisitor& visitor, const ScanLimits& limits = {},
                   const std::function<std::uint64_t(std::uint64_t)>& next_data = {});
// A stream to its end. `size_bytes`: see ContainerScan.
Status scan_stream(ByteStream& stream, std::uint64_t size_bytes, ContainerVisitor& visitor,
                   const ScanLimits& limits = {});

}  // namespace kernelfit
