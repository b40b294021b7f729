// SPDX-License-Identifier: Apache-2.0
#include "scan/threads.h"

namespace kernelfit {

void in_parallel(std::size_t count, int threads,
                 const std::function<void(std::size_t, std::size_t)>& job) {
  std::atomic<std::size_t> next{0};
  const auto work = [&](std::size_t worker) {
    for (std::size_t i = next++; i < count; i = next++) job(i, worker);
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < worker_count(count, threads); ++i) others.emplace_back(work, i);
  work(0);
  for (auto& thread : others) thread.join();
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
    job();
    lock.lock();
    if (--busy_ == 0 && jobs_.empty()) changed_.notify_all();
  }
}

void JobQueue::run(int threads) {
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < thread_count(threads); ++i) others.emplace_back([this] { work(); });
  work();
  for (auto& thread : others) thread.join();
}

}  // namespace kernelfit
