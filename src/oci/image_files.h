// SPDX-License-Identifier: Apache-2.0
// The parts of a container image by their names in its layout ("index.json",
// "blobs/sha256/…"), whether they lie in a folder or in a tar. Nothing is unpacked.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/json.h"
#include "base/result.h"
#include "base/stream.h"

namespace kernelfit {

class ImageFiles {
 public:
  virtual ~ImageFiles() = default;
  virtual bool has(std::string_view part) const = 0;
  virtual Result<std::shared_ptr<const RandomAccess>> open(std::string_view part) const = 0;
  // Where it lies, in a file whose parts are best read in this order.
  virtual std::uint64_t position(std::string_view /*part*/) const { return 0; }
};

// A manifest, an index or a configuration; none is larger than 4 MB.
Result<std::string> read_document(const ImageFiles& files, std::string_view part);
Result<Json> read_json(const ImageFiles& files, std::string_view part);

// Where the parts lie in a tar. Links of old `docker save` files, one layer under two names, are
// resolved.
struct TarParts {
  struct Part {
    std::uint64_t offset = 0, size_bytes = 0;
    std::string link;   // the part that it stands for; else empty
    std::string bytes;  // of a document that was kept
  };
  std::map<std::string, Part, std::less<>> parts;
  std::uint64_t size_bytes = 0;  // of the tar, up to where it was read
  std::vector<std::string> problems;
};

// Nothing (no parts) where `patience` members came by and none has a name as images have them.
// `keep_documents`: small JSON texts are kept, for a tar in which going back is dear.
TarParts list_tar_parts(ByteStream& tar, std::size_t patience, bool keep_documents);

class TarFiles : public ImageFiles {
 public:
  TarFiles(TarParts parts, std::shared_ptr<const RandomAccess> tar)
      : parts_(std::move(parts)), tar_(std::move(tar)) {}
  bool has(std::string_view part) const override { return find(part) != nullptr; }
  Result<std::shared_ptr<const RandomAccess>> open(std::string_view part) const override;
  std::uint64_t position(std::string_view part) const override;

 private:
  const TarParts::Part* find(std::string_view name) const;
  TarParts parts_;
  std::shared_ptr<const RandomAccess> tar_;
};

}  // namespace kernelfit
