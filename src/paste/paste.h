// SPDX-License-Identifier: Apache-2.0
// A pasted text as a machine: what it tells is known, with the line it stands in; what it does not
// tell is unknown. Nothing is decided here.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "knowledge/knowledge.h"
#include "machine/machine.h"

namespace kernelfit {

struct PasteFact {  // for the report: "torch", "2.6.0+cu126", "line 9"
  std::string what, value, source;
};

struct Paste {
  Machine machine;                 // its log holds the messages
  std::vector<std::string> kinds;  // "collect-env", "nvidia-smi", "traceback", …, most lines first
  std::vector<PasteFact> facts;    // what was recognised
  int lines = 0;
  bool blank = true;  // not one of them says anything
};

// Bytes in pieces of any size: held are some thousand lines at once, and of every message and fact
// the first ones. Behind the first `whole` bytes only lines near the words of a message are
// cleaned.
class PasteReader {
 public:
  static constexpr std::size_t kWhole = std::size_t{256} << 10;  // longer than what people paste

  explicit PasteReader(const Knowledge& knowledge, std::size_t whole = kWhole);
  ~PasteReader();
  PasteReader(const PasteReader&) = delete;
  PasteReader& operator=(const PasteReader&) = delete;

  void feed(std::string_view bytes);
  // What follows is another file: evidence of several names theirs. Its encoding is its own.
  void begin_file(std::string name);
  Paste finish();
  // Rows of the tables that are no patterns: only `--knowledge` can bring any.
  std::vector<std::string> problems();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

Paste read_paste(std::string_view bytes, const Knowledge& knowledge);

}  // namespace kernelfit
