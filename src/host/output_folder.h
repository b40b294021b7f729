// SPDX-License-Identifier: Apache-2.0
// A folder that a command fills with files of its own: nothing that is there is written over, and
// everything can be taken back.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace kernelfit {

class OutputFolder {
 public:
  // Makes the folder where there is none; its parent has to be there.
  static Result<OutputFolder> open(std::string_view path);

  enum class Added { written, same };  // same: the file is there already, with these bytes
  // `name` is a plain file name. A file of other content is ErrorKind::denied; half of a file is
  // never left.
  // ErrorKind::unsupported: it was begun and could not be filled (a full disk); it is gone again.
  Result<Added> add(std::string_view name, Bytes content);
  // Removes what was written, and the folder if it was made here and is empty.
  void take_back();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool made_ = false;
  std::vector<std::string> written_;
};

}  // namespace kernelfit
