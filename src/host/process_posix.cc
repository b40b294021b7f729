// SPDX-License-Identifier: Apache-2.0
// A child that can hang in the kernel (nvidia-smi on a sick GPU does) must not take this program
// with it. So nothing here waits without a limit: the start is reported through a pipe that is
// polled, the end is asked for with WNOHANG, and what SIGKILL does not end is left behind.
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "base/text.h"
#include "host/posix_file.h"
#include "host/process.h"

extern char** environ;  // NOLINT: POSIX has it so

namespace kernelfit {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kKillGrace{500};  // from SIGKILL to giving a child up

// dmesg, lspci and modinfo stand in folders that a user's or a service's PATH often lacks;
// nvidia-smi of WSL in one of its own.
constexpr std::string_view kMorePlaces[] = {"/usr/local/sbin", "/usr/local/bin", "/usr/sbin",
                                            "/usr/bin",        "/sbin",          "/bin",
                                            "/usr/lib/wsl/lib"};

bool is_file(const std::string& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}
bool is_program(const std::string& path) {
  return is_file(path) && access(path.c_str(), X_OK) == 0;
}

tl::unexpected<Error> not_runnable(const std::string& path) {
  return error(ErrorKind::denied, path + ": not a program that can be run");
}

// Relative entries of PATH are passed over: the current folder may be anybody's.
Result<std::string> find_program(const std::string& name) {
  auto missing = [&] { return error(ErrorKind::not_found, "no such program: " + name); };
  if (name.empty()) return missing();
  if (contains(name, "/")) {
    if (is_program(name)) return name;
    struct stat info;
    if (stat(name.c_str(), &info) != 0) return errno_error(errno, name);
    return not_runnable(name);
  }
  const char* path = std::getenv("PATH");
  auto places = split(path == nullptr ? "" : path, ':');
  places.insert(places.end(), std::begin(kMorePlaces), std::end(kMorePlaces));
  std::string refused;
  for (auto place : places) {
    if (!place.starts_with('/')) continue;
    std::string candidate = join_path(place, name);
    if (is_program(candidate)) return candidate;
    if (refused.empty() && is_file(candidate)) refused = candidate;
  }
  // One that is there and may not be run is something else than none.
  return refused.empty() ? missing() : not_runnable(refused);
}

std::vector<std::string> child_environment(const Command& command) {
  std::map<std::string, std::string> all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    std::string_view text = *entry;
    auto name = text.substr(0, text.find('='));
    if (name.size() < text.size() && child_sees(name))
      all[std::string(name)] = text.substr(name.size() + 1);
  }
  all["LC_ALL"] = "C";
  all["LANG"] = "C";
  for (const auto& [name, value] : command.env) all[name] = value;
  std::vector<std::string> out;
  out.reserve(all.size());
  for (const auto& [name, value] : all) out.emplace_back(name).append("=").append(value);
  return out;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (auto& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

struct Pipe {
  FileDescriptor read_end, write_end;
};
Result<Pipe> make_pipe() {
  int ends[2];
#ifdef __linux__
  if (pipe2(ends, O_CLOEXEC) != 0) return errno_error(errno, "pipe");
#else
  if (pipe(ends) != 0) return errno_error(errno, "pipe");
  for (int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
#endif
  // Away from 0, 1, 2, which may be closed in this process and are set anew in the child.
  Pipe out;
  out.read_end = FileDescriptor(fcntl(ends[0], F_DUPFD_CLOEXEC, 3));
  out.write_end = FileDescriptor(fcntl(ends[1], F_DUPFD_CLOEXEC, 3));
  close(ends[0]);
  close(ends[1]);
  if (!out.read_end.is_open() || !out.write_end.is_open()) return errno_error(errno, "pipe");
  fcntl(out.read_end.get(), F_SETFL, O_NONBLOCK);
  return out;
}

struct Launch {
  const char* program;
  char** argv;
  char** env;
  int input, out, err, failure;  // descriptors
  pid_t parent;
};

// Between fork and exec: only calls that are async-signal-safe.
[[noreturn]] void become(const Launch& launch) {
  setpgid(0, 0);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // Ctrl-C ends this program, then its children
  if (getppid() != launch.parent) _exit(127);
#endif
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int number : {SIGPIPE, SIGINT, SIGTERM, SIGQUIT, SIGHUP}) signal(number, SIG_DFL);
  bool ready = dup2(launch.input, 0) == 0 && dup2(launch.out, 1) == 1 && dup2(launch.err, 2) == 2;
  if (ready) execve(launch.program, launch.argv, launch.env);
  int reason = errno;
  ssize_t written = write(launch.failure, &reason, sizeof reason);
  (void)written;
  _exit(127);
}

struct Child {
  pid_t id = -1;
  bool ended = false;
  int status = 0;

  // Asks without waiting. Not yet reaped, the leader keeps its group's number from being reused,
  // so what it left behind can be killed first.
  bool has_ended() {
    if (ended) return true;
    siginfo_t info{};
    int answer = waitid(P_PID, static_cast<id_t>(id), &info, WEXITED | WNOHANG | WNOWAIT);
    if (answer == 0 && info.si_pid == 0) return false;
    if (answer != 0 && errno == EINTR) return false;
    kill(-id, SIGKILL);
    int raw = 0;
    if (answer == 0 && waitpid(id, &raw, WNOHANG) == id) {
      status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
    }
    ended = true;
    return true;
  }
  void end() {
    kill(-id, SIGKILL);
    kill(id, SIGKILL);  // it may not have made its group yet
    auto give_up = Clock::now() + kKillGrace;
    while (!has_ended() && Clock::now() < give_up) poll(nullptr, 0, 2);
    if (!ended) status = 128 + SIGKILL;
  }
};

enum class Drained { open, closed, full };

// Everything that is there now.
Drained drain(int descriptor, std::string& into, std::size_t limit) {
  char buffer[65536];
  for (;;) {
    ssize_t got = read(descriptor, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno == EAGAIN || errno == EWOULDBLOCK ? Drained::open : Drained::closed;
    if (got == 0) return Drained::closed;
    std::size_t room = limit - into.size();
    into.append(buffer, std::min(room, static_cast<std::size_t>(got)));
    if (static_cast<std::size_t>(got) > room) return Drained::full;
  }
}

int milliseconds_until(Clock::time_point when) {
  auto left = std::chrono::ceil<std::chrono::milliseconds>(when - Clock::now()).count();
  return static_cast<int>(std::clamp<long long>(left, 0, 10));
}

// Reads both outputs until the child has ended, its time is over, or it wrote too much.
CommandResult watch(Child& child, Pipe& out, Pipe& err, const Command& command,
                    Clock::time_point deadline) {
  CommandResult result;
  bool open[2] = {true, true};
  auto read_both = [&] {
    Pipe* pipes[2] = {&out, &err};
    std::string* texts[2] = {&result.out, &result.err};
    for (int i = 0; i < 2; ++i) {
      if (!open[i]) continue;
      Drained state = drain(pipes[i]->read_end.get(), *texts[i], command.output_limit_bytes);
      open[i] = state == Drained::open;
      result.truncated = result.truncated || state == Drained::full;
    }
  };
  while (!child.ended) {
    pollfd wanted[2];
    nfds_t count = 0;
    if (open[0]) wanted[count++] = {out.read_end.get(), POLLIN, 0};
    if (open[1]) wanted[count++] = {err.read_end.get(), POLLIN, 0};
    poll(wanted, count, count > 0 ? milliseconds_until(deadline) : 1);
    bool ended = child.has_ended();  // before reading: what it wrote is then all there
    read_both();
    if (ended) break;
    if (result.truncated) {
      child.end();
    } else if (Clock::now() >= deadline) {
      result.timed_out = true;
      child.end();
      read_both();
      break;
    }
  }
  result.status = child.status;
  return result;
}

// The reason why exec failed; nothing once it went well. A program on a file system that does not
// answer hangs here already.
std::optional<int> exec_failure(const Pipe& failure, Clock::time_point deadline) {
  for (;;) {
    pollfd wanted{failure.read_end.get(), POLLIN, 0};
    poll(&wanted, 1, milliseconds_until(deadline));
    int reason = 0;
    ssize_t got = read(failure.read_end.get(), &reason, sizeof reason);
    if (got == static_cast<ssize_t>(sizeof reason)) return reason;
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return {};
    if (Clock::now() >= deadline) return {};
  }
}

struct Started {
  Child child;
  Pipe out, err;
};

Result<Started> start(const Command& command, Clock::time_point deadline) {
  KF_TRY(std::string program, find_program(command.argv.empty() ? std::string() : command.argv[0]));
  std::vector<std::string> argv = command.argv, env = child_environment(command);
  auto argv_pointers = pointers_to(argv), env_pointers = pointers_to(env);
  FileDescriptor null(open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!null.is_open()) return errno_error(errno, "/dev/null");
  KF_TRY(Pipe out, make_pipe());
  KF_TRY(Pipe err, make_pipe());
  KF_TRY(Pipe failure, make_pipe());
  struct sigaction on_child {};
  if (sigaction(SIGCHLD, nullptr, &on_child) == 0 && on_child.sa_handler == SIG_IGN) {
    signal(SIGCHLD, SIG_DFL);  // else the kernel throws exit statuses away
  }
  Launch launch{program.c_str(),     argv_pointers.data(), env_pointers.data(),     null.get(),
                out.write_end.get(), err.write_end.get(),  failure.write_end.get(), getpid()};
  Child child;
  child.id = fork();
  if (child.id < 0) return errno_error(errno, "fork");
  if (child.id == 0) become(launch);
  setpgid(child.id, child.id);  // whoever is first; the other one fails harmlessly
  for (Pipe* pipe : {&out, &err, &failure}) pipe->write_end.reset();
  if (auto reason = exec_failure(failure, deadline)) {
    child.end();
    return errno_error(*reason, program);
  }
  return Started{child, std::move(out), std::move(err)};
}

class PosixProgram : public RunningProgram {
 public:
  PosixProgram(Started started, const Command& command, const std::atomic<bool>* cancelled)
      : started_(std::move(started)), timeout_(command.timeout), cancelled_(cancelled) {}
  ~PosixProgram() override {
    if (!started_.child.ended) started_.child.end();
  }
  PosixProgram(const PosixProgram&) = delete;
  PosixProgram& operator=(const PosixProgram&) = delete;

  Result<std::size_t> read(std::span<std::byte> into) override {
    if (done_ || into.empty()) return std::size_t{0};
    const auto deadline = Clock::now() + timeout_;
    for (;;) {
      if (cancelled_ != nullptr && *cancelled_) return give_up("interrupted");
      const ssize_t got = ::read(started_.out.read_end.get(), into.data(), into.size());
      if (got > 0) return static_cast<std::size_t>(got);
      if (got == 0) return finish(deadline);
      if (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return finish(deadline);
      if (Clock::now() >= deadline) {
        result_.timed_out = true;
        return give_up("nothing came for " + std::to_string(timeout_.count() / 1000) + " s");
      }
      wait();
    }
  }
  const CommandResult& result() const override { return result_; }

 private:
  static constexpr int kWait = 50;  // ms until Ctrl-C is looked for again
  static constexpr std::size_t kErrors = 4096;

  void wait() {
    pollfd wanted[2] = {{started_.out.read_end.get(), POLLIN, 0},
                        {started_.err.read_end.get(), POLLIN, 0}};
    poll(wanted, errors_open_ ? 2 : 1, kWait);
    read_errors();
  }
  // What is more than a few lines is let through the pipe and dropped.
  void read_errors() {
    while (errors_open_) {
      std::string more;
      const Drained state = drain(started_.err.read_end.get(), more, kErrors);
      result_.err.append(more, 0, kErrors - std::min(kErrors, result_.err.size()));
      errors_open_ = state != Drained::closed;
      if (state != Drained::full) return;
    }
  }
  Result<std::size_t> finish(Clock::time_point deadline) {
    done_ = true;
    while (!started_.child.has_ended() && Clock::now() < deadline) poll(nullptr, 0, 2);
    if (!started_.child.ended) started_.child.end();
    read_errors();
    result_.status = started_.child.status;
    return std::size_t{0};
  }
  tl::unexpected<Error> give_up(const std::string& why) {
    done_ = true;
    read_errors();
    started_.child.end();
    result_.status = started_.child.status;
    return error(ErrorKind::timeout, why);
  }

  Started started_;
  std::chrono::milliseconds timeout_;
  const std::atomic<bool>* cancelled_;
  CommandResult result_;
  bool errors_open_ = true, done_ = false;
};

}  // namespace

Result<CommandResult> run_process(const Command& command) {
  auto deadline = Clock::now() + command.timeout;
  KF_TRY(Started started, start(command, deadline));
  return watch(started.child, started.out, started.err, command, deadline);
}

Result<std::unique_ptr<RunningProgram>> start_process(const Command& command,
                                                      const std::atomic<bool>* cancelled) {
  KF_TRY(Started started, start(command, Clock::now() + command.timeout));
  return std::make_unique<PosixProgram>(std::move(started), command, cancelled);
}

}  // namespace kernelfit
