// SPDX-License-Identifier: Apache-2.0
// One line on a terminal for work that takes longer than a second: "scanning …". It is gone again
// before the answer is printed. Elsewhere nothing is written.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <iosfwd>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "cli/context.h"

namespace kernelfit::cli {

class Progress {
 public:
  explicit Progress(const Context& context);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  bool shows() const { return shows_; }
  void at(std::string_view path);  // from any thread

 private:
  void run();
  void draw();

  const Context& context_;
  bool shows_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  bool drawn_ = false;
  std::string path_;
  std::int64_t count_ = 0;
  std::thread thread_;
};

}  // namespace kernelfit::cli
