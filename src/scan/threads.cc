// SPDX-License-Identifier: Apache-2.0
#include "scan/threads.h"

#include <exception>
#include <system_error>

namespace kernelfit {
namespace {

std::exception_ptr failure_of(const std::function<void()>& job) {
  try {
    job();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

// Threads beside this one, all doing the same. What one of them throws (no memory) is thrown again
// by work_with(), once all have come to an end: a thread that it left would end the process.
class Crew {
 public:
  template <typename Work>
  void work_with(std::size_t workers, const Work& work) {
    others_.reserve(workers);
    for (std::size_t i = 1; i < workers && hire(i, work); ++i) continue;
    guarded(0, work);
    for (auto& thread : others_) thread.join();
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  // False where the system gives no more threads: those that are there do.
  template <typename Work>
  bool hire(std::size_t worker, const Work& work) {
    try {
      others_.emplace_back([this, worker, &work] { guarded(worker, work); });
    } catch (const std::system_error&) {
      return false;
    }
    return true;
  }

  template <typename Work>
  void guarded(std::size_t worker, const Work& work) {
    const std::exception_ptr failure = failure_of([&] { work(worker); });
    const std::lock_guard lock(mutex_);
    if (failure && !failure_) failure_ = failure;
  }

  std::vector<std::thread> others_;
  std::mutex mutex_;
  std::exception_ptr failure_;
};

}  // namespace

void in_parallel(std::size_t count, int threads,
                 const std::function<void(std::size_t, std::size_t)>& job) {
  std::atomic<std::size_t> next{0};
  Crew crew;
  crew.work_with(worker_count(count, threads), [&](std::size_t worker) {
    for (std::size_t i = next++; i < count; i = next++) job(i, worker);
  });
}

void JobQueue::add(std::function<void()> job) {
  const std::lock_guard lock(mutex_);
  jobs_.push_back(std::move(job));
  changed_.notify_one();
}

void JobQueue::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return !jobs_.empty() || busy_ == 0; });
    if (jobs_.empty()) return;
    const std::function<void()> job = std::move(jobs_.front());
    jobs_.pop_front();
    ++busy_;
    lock.unlock();
    const std::exception_ptr failure = failure_of(job);
    lock.lock();
    if (failure) jobs_.clear();
    if (--busy_ == 0 && jobs_.empty()) changed_.notify_all();
    if (failure) std::rethrow_exception(failure);
  }
}

void JobQueue::run(int threads) {
  Crew crew;
  crew.work_with(thread_count(threads), [this](std::size_t) { work(); });
}

}  // namespace kernelfit
