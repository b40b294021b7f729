// SPDX-License-Identifier: Apache-2.0
// A mangled name of 300 letters may stand for one of 2^60: what demangles cannot be told to stop,
// so it works on a thread of its own, and one that does not come back is left behind.
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>

#include "report/scan.h"
#if __has_include(<cxxabi.h>)
#include <cxxabi.h>
#endif

namespace kernelfit {
namespace {

constexpr std::size_t kLongest = 16'384;              // of what is mangled
constexpr std::size_t kLongestText = 65'536;          // of what comes of it
constexpr std::chrono::milliseconds kPatience{1000};  // for one name
constexpr int kMostLeftBehind = 4;                    // in this process

std::string demangled_here(const std::string& name) {
#if __has_include(<cxxabi.h>)
  if (!name.starts_with("_Z") || name.size() > kLongest) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  if (status == 0 && text && std::string_view(text.get()).size() <= kLongestText) return text.get();
#endif
  return name;
}

// Outlives the caller where the thread does.
struct Work {
  std::vector<std::string> names, texts;
  bool unwanted = false;
  std::mutex mutex;
  std::condition_variable changed;

  void run() {
    for (const auto& name : names) {
      std::string text = demangled_here(name);
      const std::lock_guard lock(mutex);
      texts.push_back(std::move(text));
      changed.notify_all();
      if (unwanted) return;
    }
  }
};

// As many as could be done, from the first; fewer than there are where one takes too long.
std::vector<std::string> demangled_front(std::vector<std::string> names) {
  const auto work = std::make_shared<Work>();
  work->names = std::move(names);
  std::thread thread([work] { work->run(); });
  std::unique_lock lock(work->mutex);
  for (std::size_t had = 0; had < work->names.size(); had = work->texts.size()) {
    const auto more = [&] { return work->texts.size() > had; };
    if (work->changed.wait_for(lock, kPatience, more)) continue;
    work->unwanted = true;
    thread.detach();
    return work->texts;
  }
  lock.unlock();
  thread.join();
  return std::move(work->texts);
}

}  // namespace

std::vector<std::string> demangled(const std::vector<std::string>& names) {
  static int left_behind = 0;
  std::vector<std::string> out;
  while (out.size() < names.size()) {
    const auto from = names.begin() + static_cast<std::ptrdiff_t>(out.size());
    if (left_behind >= kMostLeftBehind) {
      out.insert(out.end(), from, names.end());
      break;
    }
    auto texts = demangled_front({from, names.end()});
    out.insert(out.end(), texts.begin(), texts.end());
    if (out.size() == names.size()) break;
    ++left_behind;
    out.push_back(names[out.size()]);
  }
  return out;
}

}  // namespace kernelfit
