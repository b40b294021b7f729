// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <chrono>
#include <ostream>

#include "base/visible.h"

namespace kernelfit::cli {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kFirst = 1s, kNext = 200ms;

// The end of a path tells more than its beginning.
std::string fitting(std::string text, int columns) {
  constexpr std::string_view kCut = "...";
  const int room = columns - static_cast<int>(kCut.size());
  if (display_width(text) <= columns || room < 0) return text;
  while (display_width(text) > room && !text.empty()) {
    std::size_t cut = 1;  // a whole character of UTF-8
    while (cut < text.size() && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) ++cut;
    text.erase(0, cut);
  }
  return std::string(kCut) + text;
}

}  // namespace

Progress::Progress(const Context& context)
    : context_(context), shows_(context.console.error_is_terminal && !context.style.quiet) {
  if (shows_) thread_ = std::thread([this] { run(); });
}

Progress::~Progress() {
  if (!shows_) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_all();
  thread_.join();
  if (drawn_) context_.err << "\r\x1b[K" << std::flush;
}

void Progress::at(std::string_view path) {
  if (!shows_) return;
  const std::lock_guard lock(mutex_);
  path_ = path;
  ++count_;
}

void Progress::run() {
  std::unique_lock lock(mutex_);
  std::chrono::milliseconds wait = kFirst;
  while (!changed_.wait_for(lock, wait, [this] { return done_; })) {
    draw();
    wait = kNext;
  }
}

void Progress::draw() {
  const int columns = context_.console.columns > 20 ? context_.console.columns : 80;
  const std::string head =
      context_.say("cli.progress.scan", {{"count", std::to_string(count_)}}) + "  ";
  const std::string path = visible(path_);
  context_.err << '\r' << head << fitting(path, columns - 1 - display_width(head)) << "\x1b[K"
               << std::flush;
  drawn_ = true;
}

}  // namespace kernelfit::cli
