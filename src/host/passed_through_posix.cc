// SPDX-License-Identifier: Apache-2.0
// Two ways per output: the program writes into a pipe or a pseudo-terminal, this process reads it
// and writes it on. Input and controlling terminal are inherited, so job control, `read` and Ctrl-C
// work as without kernelfit.
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>

#include "host/passed_through.h"
#include "host/posix_file.h"

namespace kernelfit {
namespace {

constexpr int kWaitMs = 50;  // until the program's end is looked for, where an output stays open

// ------------------------------------------------------------------ signals

std::atomic<pid_t> program{0};
std::atomic<int> terminal{-1};  // the pseudo-terminal that follows the size of the real one
static_assert(std::atomic<pid_t>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

// Not what a terminal sends: the program has got that itself.
void pass_on(int number, siginfo_t* info, void*) {
  const bool sent = info->si_code == SI_USER || info->si_code == SI_QUEUE;
  const pid_t to = program;
  if (sent && to > 0 && info->si_pid != to) kill(to, number);
}

void copy_size(int from, int to) {
  winsize size{};
  if (ioctl(from, TIOCGWINSZ, &size) == 0) ioctl(to, TIOCSWINSZ, &size);
}
void resize(int, siginfo_t*, void*) {
  const int to = terminal, before = errno;
  const int from = isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : STDERR_FILENO;
  if (to >= 0) copy_size(from, to);
  errno = before;
}

void ignore(int, siginfo_t*, void*) {}

using Action = void (*)(int, siginfo_t*, void*);

// While it lives. A signal that was ignored (nohup) stays ignored, for the program too.
class Handlers {
 public:
  Handlers() {
    for (std::size_t i = 0; i < kPassed.size(); ++i) set(kPassed[i], pass_on, before_[i]);
    set(SIGWINCH, resize, size_before_);
    set(SIGPIPE, ignore, pipe_before_);  // SIG_IGN would be the program's as well
    program = 0;
  }
  ~Handlers() {
    program = 0;
    terminal = -1;
    for (std::size_t i = 0; i < kPassed.size(); ++i) sigaction(kPassed[i], &before_[i], nullptr);
    sigaction(SIGWINCH, &size_before_, nullptr);
    sigaction(SIGPIPE, &pipe_before_, nullptr);
  }
  Handlers(const Handlers&) = delete;
  Handlers& operator=(const Handlers&) = delete;

 private:
  static constexpr std::array kPassed = {SIGINT,  SIGQUIT, SIGTERM, SIGHUP,
                                         SIGUSR1, SIGUSR2, SIGCONT, SIGALRM};
  static void set(int number, Action action, struct sigaction& before) {
    struct sigaction wanted {};
    wanted.sa_sigaction = action;
    wanted.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(number, &wanted, nullptr);
  }
  std::array<struct sigaction, kPassed.size()> before_{};
  struct sigaction size_before_ {};
  struct sigaction pipe_before_ {};
};

// ------------------------------------------------------------------ ways

struct Way {
  FileDescriptor ours, theirs;  // to read from; the program's end
  int target = -1;              // where it goes on to
};

Result<Way> make_pipe(int target) {
  int ends[2];
  if (pipe(ends) != 0) return errno_error(errno, "pipe");
  Way way;
  // Away from 0, 1, 2, which may be closed here.
  way.ours = FileDescriptor(fcntl(ends[0], F_DUPFD_CLOEXEC, 3));
  way.theirs = FileDescriptor(fcntl(ends[1], F_DUPFD_CLOEXEC, 3));
  close(ends[0]);
  close(ends[1]);
  if (!way.ours.is_open() || !way.theirs.is_open()) return errno_error(errno, "pipe");
  way.target = target;
  return way;
}

// Of the real terminal's size and manners, but that it changes no byte: the real one still does.
Result<Way> make_terminal(int target) {
  Way way;
  way.ours = FileDescriptor(posix_openpt(O_RDWR | O_NOCTTY));
  if (!way.ours.is_open()) return errno_error(errno, "terminal");
  fcntl(way.ours.get(), F_SETFD, FD_CLOEXEC);
  const bool usable = grantpt(way.ours.get()) == 0 && unlockpt(way.ours.get()) == 0;
  const char* name = usable ? ptsname(way.ours.get()) : nullptr;
  if (name == nullptr) return errno_error(errno, "terminal");
  way.theirs = FileDescriptor(open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!way.theirs.is_open()) return errno_error(errno, "terminal");
  termios manners{};
  if (tcgetattr(target, &manners) != 0) return errno_error(errno, "terminal");
  manners.c_oflag &= ~static_cast<tcflag_t>(OPOST);
  manners.c_lflag &= ~static_cast<tcflag_t>(ECHO);
  tcsetattr(way.theirs.get(), TCSANOW, &manners);
  copy_size(target, way.theirs.get());
  way.target = target;
  return way;
}

Result<Way> way_to(int target) {
  if (isatty(target) == 1) {
    if (auto way = make_terminal(target)) return way;  // none in a bare container
  }
  return make_pipe(target);
}

bool same_terminal() {
  struct stat out {};
  struct stat err {};
  return isatty(STDOUT_FILENO) == 1 && isatty(STDERR_FILENO) == 1 &&
         fstat(STDOUT_FILENO, &out) == 0 && fstat(STDERR_FILENO, &err) == 0 &&
         out.st_rdev == err.st_rdev;
}

// One for both outputs where both are one terminal: what came first stays first.
Result<std::vector<Way>> make_ways() {
  std::vector<Way> ways;
  KF_TRY(Way out, way_to(STDOUT_FILENO));
  ways.push_back(std::move(out));
  if (same_terminal() && isatty(ways[0].theirs.get()) == 1) return ways;
  KF_TRY(Way err, way_to(STDERR_FILENO));
  ways.push_back(std::move(err));
  return ways;
}

// ------------------------------------------------------------------ the program

// Between fork and exec. Handlers that were set here are the default again after exec.
[[noreturn]] void become(char** argv, int out, int err, int failure) {
  if (dup2(out, STDOUT_FILENO) == STDOUT_FILENO && dup2(err, STDERR_FILENO) == STDERR_FILENO) {
    execvp(argv[0], argv);
  }
  const int reason = errno;
  const ssize_t written = write(failure, &reason, sizeof reason);
  (void)written;
  _exit(127);
}

Result<pid_t> start(std::vector<std::string> argv, const std::vector<Way>& ways) {
  std::vector<char*> words;
  for (auto& word : argv) words.push_back(word.data());
  words.push_back(nullptr);
  KF_TRY(Way failure, make_pipe(-1));
  const pid_t id = fork();
  if (id < 0) return errno_error(errno, "fork");
  if (id == 0) {
    become(words.data(), ways.front().theirs.get(), ways.back().theirs.get(), failure.theirs.get());
  }
  program = id;
  failure.theirs.reset();
  int reason = 0;
  ssize_t got = 0;
  do {
    got = read(failure.ours.get(), &reason, sizeof reason);
  } while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(sizeof reason)) return id;
  program = 0;
  waitpid(id, nullptr, 0);
  return errno_error(reason, argv[0]);
}

// Asked without reaping: until then the number is the program's own.
bool has_ended(pid_t id) {
  siginfo_t info{};
  const int answer = waitid(P_PID, static_cast<id_t>(id), &info, WEXITED | WNOHANG | WNOWAIT);
  return answer == 0 ? info.si_pid == id : errno != EINTR;
}

void reap(pid_t id, PassedThrough& result) {
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(id), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  program = 0;
  int raw = 0;
  waitpid(id, &raw, 0);
  if (WIFSIGNALED(raw)) result.signal = WTERMSIG(raw);
  result.status = WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw);
}

bool write_on(int target, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(target, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {  // somebody else made it so
      pollfd room{target, POLLOUT, 0};
      poll(&room, 1, kWaitMs);
      continue;
    }
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

class Passage {
 public:
  Passage(std::vector<Way>& ways, const std::function<void(Output, std::string_view)>& seen)
      : ways_(ways), seen_(seen) {}

  void follow(pid_t id, PassedThrough& result) {
    while (any_open()) {
      const bool ended = has_ended(id);  // before reading: what it wrote is then all there
      const bool quiet = !step();
      if (ended && quiet) break;
    }
    reap(id, result);
  }

 private:
  bool any_open() const {
    for (const auto& way : ways_) {
      if (way.ours.is_open()) return true;
    }
    return false;
  }
  // Whether any byte came.
  bool step() {
    std::array<pollfd, 2> wanted{};
    for (std::size_t i = 0; i < ways_.size(); ++i) wanted[i] = {ways_[i].ours.get(), POLLIN, 0};
    if (poll(wanted.data(), static_cast<nfds_t>(ways_.size()), kWaitMs) <= 0) return false;
    bool came = false;
    for (std::size_t i = 0; i < ways_.size(); ++i) {
      if (wanted[i].revents != 0) came = take(ways_[i]) || came;
    }
    return came;
  }
  static void shut(Way& way) {
    if (terminal == way.ours.get()) terminal = -1;
    way.ours.reset();
  }
  bool take(Way& way) {
    const ssize_t got = read(way.ours.get(), buffer_.data(), buffer_.size());
    if (got < 0 && errno == EINTR) return true;
    if (got <= 0) {  // a pseudo-terminal that nobody holds any more is EIO
      shut(way);
      return false;
    }
    const std::string_view bytes(buffer_.data(), static_cast<std::size_t>(got));
    if (!write_on(way.target, bytes)) shut(way);  // the program learns it as it would have
    seen_(way.target == STDERR_FILENO ? Output::error : Output::standard, bytes);
    return true;
  }

  std::vector<Way>& ways_;
  const std::function<void(Output, std::string_view)>& seen_;
  std::vector<char> buffer_ = std::vector<char>(std::size_t{1} << 16);
};

}  // namespace

Result<PassedThrough> run_passed_through(
    const std::vector<std::string>& argv,
    const std::function<void(Output, std::string_view)>& seen) {
  if (argv.empty() || argv[0].empty()) return error(ErrorKind::not_found, "no such program");
  KF_TRY(std::vector<Way> ways, make_ways());
  const Handlers handlers;
  KF_TRY(const pid_t id, start(argv, ways));
  for (auto& way : ways) {
    if (isatty(way.theirs.get()) == 1) terminal = way.ours.get();
    way.theirs.reset();
  }
  PassedThrough result;
  Passage(ways, seen).follow(id, result);
  return result;
}

}  // namespace kernelfit
