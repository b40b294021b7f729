// SPDX-License-Identifier: Apache-2.0
// In place and as a stream must say the same, whatever the bytes are.
#include "fatbin/container_scan.h"

#include <cstdlib>

namespace {

class Counter : public kernelfit::ContainerVisitor {
 public:
  std::uint64_t sum = 0;
  void add(std::uint64_t value) { sum = sum * 31 + value + 1; }
  void container(std::uint64_t offset) override { add(offset); }
  bool entry(const kernelfit::FatbinEntry& entry) override {
    add(entry.offset);
    return entry.offset % 3 == 0;
  }
  void payload(const kernelfit::FatbinEntry&, kernelfit::Bytes stored) override {
    add(stored.size());
  }
  bool bare_cubin(std::uint64_t offset, std::uint64_t size, kernelfit::Bytes) override {
    add(offset + size);
    return true;
  }
  void bare_payload(std::uint64_t, kernelfit::Bytes cubin) override { add(cubin.size()); }
  void hip_bundle(std::uint64_t offset, kernelfit::Bytes) override { add(offset); }
  void problem(std::uint64_t, const std::string&) override {}
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const kernelfit::BufferAccess file(std::as_bytes(std::span<const std::uint8_t>(data, size)));
  Counter in_place, streamed;
  (void)kernelfit::scan_access(file, 0, size, in_place);
  kernelfit::AccessStream stream(file);
  (void)kernelfit::scan_stream(stream, size, streamed);
  if (in_place.sum != streamed.sum) std::abort();
  return 0;
}
