// SPDX-License-Identifier: Apache-2.0
// Pipes only: a program that asks whether it writes to a console is told no. Ctrl-C reaches both.
#include "host/windows_text.h"

#include <thread>

#include "host/passed_through.h"

namespace kernelfit {
namespace {

struct Way {
  Handle ours, theirs;
  HANDLE target = nullptr;
};

Result<Way> make_way(DWORD which) {
  SECURITY_ATTRIBUTES inherited{sizeof inherited, nullptr, TRUE};
  HANDLE read_end = nullptr, write_end = nullptr;
  if (!CreatePipe(&read_end, &write_end, &inherited, 1 << 16)) {
    return windows_error(GetLastError(), "pipe");
  }
  SetHandleInformation(read_end, HANDLE_FLAG_INHERIT, 0);
  Way way;
  way.ours = Handle(read_end);
  way.theirs = Handle(write_end);
  way.target = GetStdHandle(which);
  return way;
}

BOOL WINAPI stay(DWORD event) {
  return event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT;
}

void write_on(HANDLE target, std::string_view bytes) {
  while (!bytes.empty()) {
    DWORD written = 0;
    if (!WriteFile(target, bytes.data(), static_cast<DWORD>(bytes.size()), &written, nullptr)) {
      return;
    }
    bytes.remove_prefix(written);
  }
}

using Seen = std::function<void(Output, std::string_view)>;

void follow(const Way& way, Output output, CRITICAL_SECTION& one_at_a_time, const Seen& seen) {
  std::vector<char> buffer(std::size_t{1} << 16);
  DWORD got = 0;
  while (ReadFile(way.ours.get(), buffer.data(), static_cast<DWORD>(buffer.size()), &got,
                  nullptr) != 0 &&
         got > 0) {
    const std::string_view bytes(buffer.data(), got);
    EnterCriticalSection(&one_at_a_time);
    write_on(way.target, bytes);
    seen(output, bytes);
    LeaveCriticalSection(&one_at_a_time);
  }
}

}  // namespace

Result<PassedThrough> run_passed_through(const std::vector<std::string>& argv, const Seen& seen) {
  if (argv.empty() || argv[0].empty()) return error(ErrorKind::not_found, "no such program");
  KF_TRY(Way out, make_way(STD_OUTPUT_HANDLE));
  KF_TRY(Way err, make_way(STD_ERROR_HANDLE));
  STARTUPINFOW startup{};
  startup.cb = sizeof startup;
  startup.dwFlags = STARTF_USESTDHANDLES;
  startup.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
  startup.hStdOutput = out.theirs.get();
  startup.hStdError = err.theirs.get();
  std::wstring line = command_line(argv);
  PROCESS_INFORMATION started{};
  SetConsoleCtrlHandler(stay, TRUE);
  if (!CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &startup,
                      &started)) {
    const DWORD reason = GetLastError();
    SetConsoleCtrlHandler(stay, FALSE);
    return windows_error(reason, argv[0]);
  }
  const Handle process(started.hProcess), thread(started.hThread);
  out.theirs.reset();
  err.theirs.reset();
  CRITICAL_SECTION one_at_a_time;
  InitializeCriticalSection(&one_at_a_time);
  // Its own thread: a pipe cannot be waited for.
  std::thread errors([&] { follow(err, Output::error, one_at_a_time, seen); });
  follow(out, Output::standard, one_at_a_time, seen);
  errors.join();
  DeleteCriticalSection(&one_at_a_time);
  WaitForSingleObject(process.get(), INFINITE);
  DWORD status = 0;
  GetExitCodeProcess(process.get(), &status);
  SetConsoleCtrlHandler(stay, FALSE);
  PassedThrough result;
  result.status = static_cast<int>(status);
  return result;
}

}  // namespace kernelfit
