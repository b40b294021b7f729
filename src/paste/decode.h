// SPDX-License-Identifier: Apache-2.0
// Bytes that come in pieces, as UTF-8: what Windows writes as UTF-16 is read with its mark or
// without. Nothing is checked: what is no UTF-8 goes through.
#pragma once
#include <string>
#include <string_view>

namespace kernelfit {

class TextDecoder {
 public:
  // The text of these bytes, until the next call; the first 128 come once they are all there.
  std::string_view feed(std::string_view bytes);
  std::string_view finish();  // what was still held back

 private:
  enum class Form { undecided, utf8, utf16_little, utf16_big };

  void decide();
  void decode(std::string_view bytes);

  Form form_ = Form::undecided;
  std::string held_;  // bytes before the form is known; after it half a character of UTF-16
  std::string text_;
};

}  // namespace kernelfit
