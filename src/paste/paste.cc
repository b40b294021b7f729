// SPDX-License-Identifier: Apache-2.0
#include "paste/paste.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "nvidia/kernel_log.h"
#include "paste/fill.h"
#include "paste/lines.h"
#include "paste/messages.h"

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

struct PasteReader::State {
  explicit State(const Knowledge& known)
      : knowledge(known),
        messages(known, "paste/messages.csv", MessagePatterns::Once::by_id),
        facts(known, "paste/facts.csv", MessagePatterns::Once::by_row) {}

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
  void add_kernel_line(const std::string& line) {
    bool kernel = contains(line, "NVRM") || contains(line, "nvidia") || contains(line, "nouveau");
    if (kernel && kernel_text.size() < kMaximumKernelText) kernel_text += line + "\n";
  }

  const Knowledge& knowledge;
  MessagePatterns messages, facts;
  LineReader reader;
  std::vector<PasteLine> lines;
  FirstOfEach log, found;
  std::string kernel_text;
  bool blank = true;
};

PasteReader::PasteReader(const Knowledge& knowledge) : state_(std::make_unique<State>(knowledge)) {}
PasteReader::~PasteReader() = default;

void PasteReader::feed(std::string_view bytes) {
  constexpr std::size_t kPiece = std::size_t{64} << 10;  // its lines are looked at before the next
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    state_->reader.feed(bytes.substr(at, kPiece), state_->lines);
    state_->take(false);
  }
}

Paste PasteReader::finish() {
  State& state = *state_;
  state.reader.finish(state.lines);
  state.take(true);
  Paste out;
  out.lines = state.reader.lines();
  out.blank = state.blank;
  for (const auto* table : {&state.messages, &state.facts}) {
    out.problems.insert(out.problems.end(), table->problems().begin(), table->problems().end());
  }
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
