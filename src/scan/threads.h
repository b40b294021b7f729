// SPDX-License-Identifier: Apache-2.0
// Work side by side: a list of equal jobs, and a queue of jobs that may add others.
#pragma once
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace kernelfit {

inline std::size_t thread_count(int wanted) {
  if (wanted > 0) return static_cast<std::size_t>(wanted);
  const unsigned here = std::thread::hardware_concurrency();
  return here == 0 ? 1 : here;
}

// How many threads in_parallel() takes for so many jobs.
inline std::size_t worker_count(std::size_t jobs, int threads) {
  return std::max<std::size_t>(1, std::min(jobs, thread_count(threads)));
}

// job(0, worker) … job(count - 1, worker), each once, on up to `threads` threads (0: as many as
// there are cores); each has a number below worker_count(). What a job throws is thrown again here,
// once all threads have ended; what had not begun by then may be left out.
void in_parallel(std::size_t count, int threads,
                 const std::function<void(std::size_t job, std::size_t worker)>& job);

class JobQueue {
 public:
  void add(std::function<void()> job);
  // Runs jobs, those that they add too, until none is left. What a job throws is thrown again here;
  // the jobs that have not begun are dropped.
  void run(int threads);

 private:
  void work();
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  std::size_t busy_ = 0;
};

}  // namespace kernelfit
