// SPDX-License-Identifier: Apache-2.0
#include "paste/paste.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"
#include "nvidia/kernel_log.h"
#include "paste/decode.h"
#include "paste/fill.h"
#include "paste/lines.h"
#include "paste/messages.h"
#include "paste/sieve.h"

namespace kernelfit {
namespace {

using Order = std::map<std::string, int, std::less<>>;

// The kinds of facts.csv in the order of the table: the sooner, the more it is believed.
Order trust_order(const Csv& table) {
  Order out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    out.emplace(std::string(table.cell(row, "id")), static_cast<int>(out.size()));
  }
  return out;
}

void set_kinds(Paste& paste, const std::vector<LogEvent>& facts) {
  std::map<std::string, int> counts;
  for (const auto& fact : facts) ++counts[fact.id];
  std::vector<std::pair<int, std::string>> order;
  for (const auto& [kind, count] : counts) order.emplace_back(-count, kind);
  std::sort(order.begin(), order.end());
  for (auto& [count, kind] : order) paste.kinds.push_back(std::move(kind));
}

// What is listed, then what messages name, then what is only mentioned.
void fill_machine(Paste& paste, const std::vector<LogEvent>& found, const Knowledge& knowledge) {
  MachineFiller filler(paste, knowledge);
  auto listing = [](const LogEvent& one) {
    return one.id == "nvidia-smi" || one.id == "collect-env";
  };
  for (const auto& one : found) {
    if (one.id != "prose") filler.fill(one, listing(one));
  }
  for (const auto& one : paste.machine.log) filler.fill(one, true);
  for (const auto& one : found) {
    if (one.id == "prose") filler.fill(one, false);
  }
  filler.finish();
}

void set_kernel_events(Paste& paste, std::string_view text) {
  if (text.empty()) return;
  paste.machine.kernel_events = parse_kernel_log(text);
  if (paste.machine.kernel_events.empty()) return;
  paste.machine.driver.kernel_log = Fact<std::string>::known("pasted", "");
  paste.kinds.emplace_back("kernel-log");
}

constexpr std::size_t kBlockLines = 2048;
constexpr std::size_t kPiece = std::size_t{64} << 10;
constexpr int kEnough = 256;

// Lines of a kernel's log that nvidia/kernel_log.h reads.
constexpr std::array<std::string_view, 7> kKernelSigns = {
    "NVRM: (?:Xid|API mismatch|The NVIDIA|No NVIDIA|loading NVIDIA|GPU |failed|RmInit|.* GSP)",
    "rm_init_adapter failed|RmInitAdapter failed|is already bound to|fallen off the bus",
    "nouveau 0.*NVIDIA",
    "nvidia.*(?:version magic|disagrees about version|Unknown symbol)",
    "Key was rejected by service",
    "module loading is restricted",
    "unsigned module is rejected|unavailable key is rejected"};
constexpr std::size_t kMaximumKernelText = std::size_t{256} << 10;

// The first of each kind are kept: what repeats for a million lines says no more.
class FirstOfEach {
 public:
  void add(std::vector<LogEvent> events) {
    constexpr int kKept = 64;
    for (auto& event : events) {
      std::string key = event.id;
      for (const auto& [name, value] : event.fields) key += " " + name;
      if (++counts_[std::move(key)] > kKept) continue;
      kept_.push_back(std::move(event));
    }
  }
  std::vector<LogEvent>& events() { return kept_; }

 private:
  std::map<std::string, int, std::less<>> counts_;
  std::vector<LogEvent> kept_;
};

}  // namespace

struct PasteReader::State : SievePatterns {
  State(const Knowledge& known, std::size_t bytes)
      : knowledge(known),
        whole(bytes),
        messages(known, "paste/messages.csv", MessagePatterns::Once::by_id),
        facts(known, "paste/facts.csv", MessagePatterns::Once::by_row) {}

  void feed(std::string_view text) {
    if (read < whole) {
      read += text.size();
      reader.feed(text, lines);
      return take(false);
    }
    if (reader.open()) {
      const auto part = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
      reader.feed(part, lines);
      text.remove_prefix(part.size());
    }
    pending += text;
    const auto end = pending.rfind('\n') + 1;  // 0 where there is none
    const bool endless = pending.size() - end > kPiece;
    sift(end, endless);
    if (!endless) return;
    reader.feed(pending, lines);
    pending.clear();
  }

  // Of what is pending, the first `bytes`: whole lines.
  void sift(std::size_t bytes, bool last) {
    if (!sieve) sieve = std::make_unique<Sieve>(*this);
    const std::string_view text = std::string_view(pending).substr(0, bytes);
    const Sifted sifted = sieve->sift(text, last);
    for (const auto& range : sifted.ranges) {
      skip(range.skipped);
      reader.feed(text.substr(range.begin, range.end - range.begin), lines);
      take(false);
    }
    skip(sifted.skipped);
    pending.erase(0, sifted.decided);
  }
  // No line and no message goes on in the next one.
  void end_file() {
    feed(decoder.finish());
    decoder = {};
    if (!pending.empty()) {
      const auto end = pending.rfind('\n') + 1;
      const std::string rest = pending.substr(end);
      sift(end, true);
      reader.feed(rest, lines);
      pending.clear();
    }
    reader.finish(lines);
    take(true);
  }
  void skip(int count) {
    if (count == 0) return;
    take(true);
    reader.skip(count);
    blank = false;
  }

  // Looks at all lines but the last few, which what follows may belong to.
  void take(bool last) {
    const std::size_t held_back = last ? 0 : kJoinedLines - 1;
    if (lines.size() <= held_back || (!last && lines.size() < kBlockLines)) return;
    const std::size_t count = lines.size() - held_back;
    log.add(messages.find(lines, count));
    found.add(facts.find(lines, count));
    for (std::size_t i = 0; i < count; ++i) {
      blank = blank && lines[i].text.empty();
      add_kernel_line(lines[i].text);
    }
    lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(count));
  }
  // Signs of a kernel's log, then messages, then facts. What is said in passing is read near
  // others.
  std::vector<std::string_view> patterns() const override {
    std::vector<std::string_view> out(kKernelSigns.begin(), kKernelSigns.end());
    for (std::size_t row = 0; row < messages.rows(); ++row) out.push_back(messages.pattern(row));
    for (std::size_t row = 0; row < facts.rows(); ++row) {
      const std::string_view kind = facts.id(row);
      out.push_back(kind == "prose" || kind == "system" ? std::string_view() : facts.pattern(row));
    }
    return out;
  }
  // The table and the row of a pattern behind the signs.
  std::pair<MessagePatterns*, std::size_t> row_of(std::size_t pattern) {
    const std::size_t row = pattern - kKernelSigns.size();
    if (row < messages.rows()) return {&messages, row};
    return {&facts, row - messages.rows()};
  }
  // What was found often enough is not looked for any more.
  bool wanted(std::size_t pattern) override {
    if (pattern < kKernelSigns.size()) return kernel_text.size() < kMaximumKernelText;
    const auto [table, row] = row_of(pattern);
    return table->found(row) < kEnough;
  }
  bool matches(std::size_t pattern, const std::string& line) override {
    if (pattern < kKernelSigns.size()) return true;
    const auto [table, row] = row_of(pattern);
    return table->matches(row, line);
  }

  void add_kernel_line(const std::string& line) {
    bool kernel = contains(line, "NVRM") || contains(line, "nvidia") || contains(line, "nouveau");
    if (kernel && kernel_text.size() < kMaximumKernelText) kernel_text += line + "\n";
  }

  const Knowledge& knowledge;
  const std::size_t whole;  // so many bytes are looked at whole
  MessagePatterns messages, facts;
  TextDecoder decoder;
  std::size_t read = 0;
  std::string pending;  // behind them: not sifted yet
  std::unique_ptr<Sieve> sieve;
  LineReader reader;
  std::vector<PasteLine> lines;
  FirstOfEach log, found;
  std::vector<LogFile> files;
  std::string kernel_text;
  bool blank = true;
};

PasteReader::PasteReader(const Knowledge& knowledge, std::size_t whole)
    : state_(std::make_unique<State>(knowledge, whole)) {}
PasteReader::~PasteReader() = default;

void PasteReader::feed(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    state_->feed(state_->decoder.feed(bytes.substr(at, kPiece)));
  }
}

std::vector<std::string> PasteReader::problems() {
  std::vector<std::string> out = state_->messages.problems();
  for (auto& one : state_->facts.problems()) out.push_back(std::move(one));
  return out;
}

void PasteReader::begin_file(std::string name) {
  state_->end_file();
  state_->files.push_back({std::move(name), state_->reader.lines()});
}

Paste PasteReader::finish() {
  State& state = *state_;
  state.end_file();
  Paste out;
  if (state.files.size() > 1) out.machine.log_files = std::move(state.files);
  out.lines = state.reader.lines();
  out.blank = state.blank;
  out.machine.log = std::move(state.log.events());
  auto& found = state.found.events();
  set_kinds(out, found);
  const Order order = trust_order(state.knowledge.table("paste/facts.csv"));
  std::stable_sort(found.begin(), found.end(), [&](const LogEvent& a, const LogEvent& b) {
    return order.find(a.id)->second < order.find(b.id)->second;
  });
  fill_machine(out, found, state.knowledge);
  set_kernel_events(out, state.kernel_text);
  return out;
}

Paste read_paste(std::string_view bytes, const Knowledge& knowledge) {
  PasteReader reader(knowledge);
  reader.feed(bytes);
  return reader.finish();
}

}  // namespace kernelfit
