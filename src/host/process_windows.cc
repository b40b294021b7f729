// SPDX-License-Identifier: Apache-2.0
// A child in a job of its own: the job ends with it, with its time, or with this program. Nothing
// here waits without a limit; anonymous pipes are peeked at before they are read.
#include "host/windows_text.h"

#include <algorithm>
#include <chrono>
#include <map>

#include "base/text.h"
#include "host/process.h"

namespace kernelfit {
namespace {

using Clock = std::chrono::steady_clock;
constexpr DWORD kStatusWhenKilled = 137;  // as on POSIX: 128 + SIGKILL
constexpr int kKillGraceMs = 500;

// What a program of Windows does not run without, on top of child_sees().
constexpr std::string_view kWindowsNames =
    "systemroot systemdrive windir comspec pathext temp tmp userprofile homedrive homepath "
    "programfiles programfiles(x86) programw6432 programdata localappdata appdata "
    "number_of_processors processor_architecture os";

std::optional<std::string> environment(const wchar_t* name) {
  std::wstring out(32768, L'\0');
  DWORD size = GetEnvironmentVariableW(name, out.data(), 32768);
  if (size == 0) return {};
  return narrow({out.data(), size});
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

// NAME=value\0…\0\0, sorted by name: CreateProcess wants it so.
std::wstring child_environment(const Command& command) {
  std::map<std::string, std::string> all;
  wchar_t* block = GetEnvironmentStringsW();
  for (const wchar_t* at = block; at != nullptr && *at != 0;) {
    std::wstring_view entry(at);
    at += entry.size() + 1;
    std::string text = narrow(entry);
    auto equals = text.find('=', 1);  // "=C:=C:\\…" are current folders of drives
    if (equals == std::string::npos) continue;
    std::string name = text.substr(0, equals);
    bool kept = child_sees(upper(name)) || contains_word(kWindowsNames, lower(name));
    if (kept) all[upper(name)] = text.substr(equals + 1);
  }
  if (block != nullptr) FreeEnvironmentStringsW(block);
  all["LC_ALL"] = "C";
  all["LANG"] = "C";
  for (const auto& [name, value] : command.env) all[upper(name)] = value;
  std::wstring out;
  for (const auto& [name, value] : all) {
    out += wide(name + "=" + value);
    out += L'\0';
  }
  return out + L'\0';
}

bool is_program(const std::string& path) {
  DWORD attributes = GetFileAttributesW(wide_path(path).c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
}

std::string with_exe(std::string_view path) {
  return lower(path).ends_with(".exe") ? std::string(path) : std::string(path) + ".exe";
}

// Only .exe: a batch file would be given to cmd, which reads its arguments in another way. Not in
// the current folder, where CreateProcess itself would look first.
Result<std::string> find_program(const std::string& name) {
  auto missing = [&] { return error(ErrorKind::not_found, "no such program: " + name); };
  if (name.empty()) return missing();
  if (name.find_first_of("/\\") != std::string::npos) {
    return is_program(with_exe(name)) ? Result<std::string>(with_exe(name)) : missing();
  }
  std::string path = environment(L"PATH").value_or("");
  std::string system = environment(L"SystemRoot").value_or("C:\\Windows") + "\\System32";
  std::string files = environment(L"ProgramFiles").value_or("C:\\Program Files");
  std::string smi = files + "\\NVIDIA Corporation\\NVSMI";  // nvidia-smi of drivers before 2020
  auto places = split(path, ';');
  places.emplace_back(system);
  places.emplace_back(smi);
  for (auto place : places) {
    bool absolute = place.size() > 2 && place[1] == ':';
    if (!absolute && !place.starts_with("\\\\")) continue;
    std::string candidate = join_path(place, with_exe(name));
    if (is_program(candidate)) return candidate;
  }
  return missing();
}

struct Pipe {
  Handle read_end, write_end;
};
Result<Pipe> make_pipe() {
  SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
  HANDLE read_end = nullptr, write_end = nullptr;
  if (!CreatePipe(&read_end, &write_end, &inherited, 1 << 16)) {
    return windows_error(GetLastError(), "pipe");
  }
  SetHandleInformation(read_end, HANDLE_FLAG_INHERIT, 0);
  return Pipe{Handle(read_end), Handle(write_end)};
}

// Handles that the child inherits: these three, and none that happens to be open.
class InheritedHandles {
 public:
  explicit InheritedHandles(std::vector<HANDLE> handles) : handles_(std::move(handles)) {
    SIZE_T size = 0;
    InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
    buffer_.resize(size);
    if (!InitializeProcThreadAttributeList(list(), 1, 0, &size)) return;
    ready_ =
        UpdateProcThreadAttribute(list(), 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, handles_.data(),
                                  handles_.size() * sizeof(HANDLE), nullptr, nullptr) != 0;
  }
  ~InheritedHandles() {
    if (ready_) DeleteProcThreadAttributeList(list());
  }
  InheritedHandles(const InheritedHandles&) = delete;
  InheritedHandles& operator=(const InheritedHandles&) = delete;
  LPPROC_THREAD_ATTRIBUTE_LIST list() {
    return reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(buffer_.data());
  }
  bool is_ready() const { return ready_; }

 private:
  std::vector<HANDLE> handles_;
  std::vector<char> buffer_;
  bool ready_ = false;
};

Handle make_job() {
  Handle job(CreateJobObjectW(nullptr, nullptr));
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  if (job.is_open()) {
    SetInformationJobObject(job.get(), JobObjectExtendedLimitInformation, &limits, sizeof limits);
  }
  return job;
}

struct Child {
  Handle job, process;
  // Suspended until it is in its job, so that nothing it starts can be outside.
  static Result<Child> start(const std::string& program, const Command& command, HANDLE input,
                             HANDLE out, HANDLE err) {
    InheritedHandles inherited({input, out, err});
    if (!inherited.is_ready()) return windows_error(GetLastError(), program);
    STARTUPINFOEXW startup{};
    startup.StartupInfo.cb = sizeof startup;
    startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    startup.StartupInfo.hStdInput = input;
    startup.StartupInfo.hStdOutput = out;
    startup.StartupInfo.hStdError = err;
    startup.lpAttributeList = inherited.list();
    std::wstring line = command_line(command.argv), env = child_environment(command);
    constexpr DWORD kFlags = CREATE_SUSPENDED | CREATE_NO_WINDOW | CREATE_NEW_PROCESS_GROUP |
                             CREATE_UNICODE_ENVIRONMENT | EXTENDED_STARTUPINFO_PRESENT;
    PROCESS_INFORMATION started{};
    if (!CreateProcessW(wide_path(program).c_str(), line.data(), nullptr, nullptr, TRUE, kFlags,
                        env.data(), nullptr, &startup.StartupInfo, &started)) {
      return windows_error(GetLastError(), program);
    }
    Child child{make_job(), Handle(started.hProcess)};
    Handle thread(started.hThread);
    if (child.job.is_open()) AssignProcessToJobObject(child.job.get(), child.process.get());
    ResumeThread(thread.get());
    return child;
  }
  bool has_ended(DWORD wait_ms) const {
    return WaitForSingleObject(process.get(), wait_ms) == WAIT_OBJECT_0;
  }
  void end() const {
    if (job.is_open()) TerminateJobObject(job.get(), kStatusWhenKilled);
    TerminateProcess(process.get(), kStatusWhenKilled);
    has_ended(kKillGraceMs);
  }
  int status() const {
    DWORD code = 0;
    if (!GetExitCodeProcess(process.get(), &code) || code == STILL_ACTIVE) code = kStatusWhenKilled;
    return static_cast<int>(code);
  }
};

// Everything that is there now; true where that was too much.
bool drain(HANDLE pipe, std::string& into, std::size_t limit) {
  char buffer[65536];
  DWORD available = 0;
  while (PeekNamedPipe(pipe, nullptr, 0, nullptr, &available, nullptr) && available > 0) {
    DWORD got = 0;
    DWORD wanted = std::min<DWORD>(available, sizeof buffer);
    if (!ReadFile(pipe, buffer, wanted, &got, nullptr) || got == 0) return false;
    std::size_t room = limit - into.size();
    into.append(buffer, std::min<std::size_t>(room, got));
    if (got > room) return true;
  }
  return false;
}

CommandResult watch(const Child& child, const Pipe& out, const Pipe& err, const Command& command,
                    Clock::time_point deadline) {
  CommandResult result;
  auto read_both = [&] {
    bool full = drain(out.read_end.get(), result.out, command.output_limit_bytes);
    result.truncated = drain(err.read_end.get(), result.err, command.output_limit_bytes) || full;
  };
  for (DWORD wait_ms = 1;; wait_ms = std::min<DWORD>(wait_ms + 1, 10)) {
    bool ended = child.has_ended(wait_ms);  // before reading: what it wrote is then all there
    read_both();
    result.timed_out = !ended && !result.truncated && Clock::now() >= deadline;
    if (ended || result.truncated || result.timed_out) break;
  }
  if (result.truncated || result.timed_out) child.end();
  result.status = child.status();
  return result;
}

}  // namespace

Result<CommandResult> run_process(const Command& command) {
  auto deadline = Clock::now() + command.timeout;
  KF_TRY(std::string program, find_program(command.argv.empty() ? std::string() : command.argv[0]));
  SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
  Handle null(CreateFileW(L"NUL", GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                          OPEN_EXISTING, 0, nullptr));
  if (!null.is_open()) return windows_error(GetLastError(), "NUL");
  KF_TRY(Pipe out, make_pipe());
  KF_TRY(Pipe err, make_pipe());
  KF_TRY(Child child,
         Child::start(program, command, null.get(), out.write_end.get(), err.write_end.get()));
  out.write_end.reset();
  err.write_end.reset();
  return watch(child, out, err, command, deadline);
}

Result<std::unique_ptr<RunningProgram>> start_process(const Command& /*command*/,
                                                      const std::atomic<bool>* /*cancelled*/) {
  return error(ErrorKind::unsupported,
               "URLs are not read on Windows yet (curl.exe -LO URL saves one as a file)");
}

}  // namespace kernelfit
