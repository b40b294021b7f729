// SPDX-License-Identifier: Apache-2.0
// A file on a server that sends ranges, read in place: what came is kept, and little is asked for.
// For this room only.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "base/bytes.h"
#include "host/http.h"

namespace kernelfit {

class HttpFile : public RandomAccess {
 public:
  // `request.range` is not regarded.
  HttpFile(const Host& host, HttpRequest request, std::uint64_t size_bytes)
      : host_(host), request_(std::move(request)), size_(size_bytes) {}
  std::uint64_t size() const override { return size_; }
  Status read(std::uint64_t offset, std::span<std::byte> into) const override;

  // Bytes that came already.
  void keep(std::uint64_t offset, std::vector<std::byte> bytes) const;
  // Asks for a part in one request, where it is not there.
  Status prefetch(std::uint64_t offset, std::uint64_t count) const;
  std::uint64_t fetched() const { return fetched_; }
  std::int64_t requests() const { return requests_; }

 private:
  const std::vector<std::byte>* holding(std::uint64_t offset, std::uint64_t count,
                                        std::uint64_t& at) const;
  Status fetch(std::uint64_t first, std::uint64_t count) const;

  const Host& host_;
  HttpRequest request_;
  std::uint64_t size_;
  mutable std::map<std::uint64_t, std::vector<std::byte>> parts_;
  mutable std::uint64_t fetched_ = 0;
  mutable std::int64_t requests_ = 0;
};

// "the server says 404"; for a status that brings no file.
std::string status_text(int status);

}  // namespace kernelfit
