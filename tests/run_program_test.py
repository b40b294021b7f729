#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`kernelfit run`: output byte for byte and at once, input, terminal, signals and status as without it; its failure
explained on stderr, and only its failure. And the other ways in: the clipboard, several files, a text as a machine."""
import json
import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time

KERNELFIT = os.environ["KERNELFIT"]
SOURCE = pathlib.Path(os.environ["KF_SOURCE"])
ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", LC_ALL="C.UTF-8", TERM="xterm")
for name in ("DISPLAY", "WAYLAND_DISPLAY", "NO_COLOR", "KERNELFIT_LANG", "LANGUAGE"):
    ENV.pop(name, None)
FAILURES = []
# PyTorch's own words (facts/error_signatures.csv: no-kernel-image), and a card in them.
LOG = """UserWarning: NVIDIA GeForce RTX 5090 with CUDA capability sm_120 is not compatible with the current PyTorch installation.
The current PyTorch install supports CUDA capabilities sm_50 sm_60 sm_70 sm_75 sm_80 sm_86 sm_90.
RuntimeError: CUDA error: no kernel image is available for execution on the device
"""


def check(condition, *text):
    if not condition:
        FAILURES.append(" ".join(map(str, text)))


def run(*arguments, env=ENV, **more):
    return subprocess.run([KERNELFIT, *map(str, arguments)], capture_output=True, env=env, timeout=120, **more)


def sh(script, *options, **more):
    return run("run", *options, "--", "sh", "-c", script, **more)


def passes_on():
    every = bytes(range(256)) * 300
    done = run("run", "cat", input=every)
    check(done.stdout == every and done.stderr == b"" and done.returncode == 0, "bytes are not what cat wrote")
    done = sh("printf a; printf b >&2; printf c")
    check((done.stdout, done.stderr) == (b"ac", b"b"), "outputs are mixed", done)
    done = run("run", "printf", "%s|", "--json", "--help", "-q", "--", "a b", "")
    check(done.stdout == b"--json|--help|-q|--|a b||", "words of the program were taken", done)
    done = run("run", "--lang", "zh", "printf", "%s", "--lang")
    check(done.stdout == b"--lang", "words of the program were taken", done)
    for option in (("explain", "--run", "--"), ("explain", "--run"), ("run", "--")):
        check(run(*option, "printf", "%s", "-x").stdout == b"-x", option)
    done = sh("echo $KF_TEST; pwd", env=dict(ENV, KF_TEST="its own"), cwd="/")
    check(done.stdout == b"its own\n/\n", "environment or folder", done)


def status():
    for script, wanted in (("exit 0", 0), ("exit 3", 3), ("exit 255", 255), ("kill -9 $$", 137), ("kill -SEGV $$", 139)):
        check(sh(script).returncode == wanted, script, sh(script).returncode)
    done = run("run", "/nowhere/program")
    check(done.returncode == 127 and b"/nowhere/program" in done.stderr, "no such program", done)
    with tempfile.TemporaryDirectory() as folder:
        plain = pathlib.Path(folder, "plain")
        plain.write_text("no program\n")
        done = run("run", plain)
        check(done.returncode == 126 and b"plain" in done.stderr, "not to be run", done)
    check(run("run").returncode == 2 and run("run", "--").returncode == 2, "no program named")
    check(run("run", "--gpu", "8.6", "true").returncode == 2, "an option that is not one of run's")


def explains():
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "log")
        log.write_text(LOG)
        done = sh(f"cat {log}; exit 1")
        check(done.stdout == LOG.encode() and done.returncode == 1, "stdout is the program's")
        check(b"KF2001" in done.stderr and b"ended with status 1" in done.stderr, "not explained", done.stderr)
        check(b"\x1b" not in done.stderr, "colour without a terminal")
        check("退出码 1" in sh(f"cat {log}; exit 1", "--lang", "zh").stderr.decode(), "not in Chinese")
        # From stderr, in halves, from both at once.
        halves = f"head -c 200 {log} >&2; sleep 0.2; tail -c +201 {log} >&2; exit 7"
        done = sh(halves)
        check(done.stderr.startswith(LOG.encode()) and b"KF2001" in done.stderr and done.returncode == 7, "halves", done)
        done = sh(f"(cat {log} >&2) & for i in 1 2 3 4 5; do printf 'epoch '; sleep 0.02; echo $i; done; wait; exit 1")
        check(b"KF2001" in done.stderr and done.stdout.count(b"epoch ") == 5, "both outputs", done)
        # No failure, no words.
        done = sh(f"cat {log}")
        check(done.stderr == b"", "explained without a failure", done.stderr)
        done = sh("echo nothing of a GPU; exit 4")
        check(done.returncode == 4 and done.stderr.count(b"\n") == 1 and b"status 4" in done.stderr, "nothing to explain", done.stderr)
        check(sh("exit 4", "--quiet").stderr == b"", "--quiet is not")
        # For programs.
        done = sh(f"cat {log}; exit 1", "--json")
        check(json.loads(done.stderr)["findings"][0]["code"] == "KF2001", "JSON", done.stderr[:200])
        answer = pathlib.Path(folder, "answer.md")
        done = sh(f"cat {log}; exit 1", "--format", "markdown", "--output", answer)
        check(done.stderr == b"" and "KF2001" in answer.read_text(), "--output", done.stderr)
        done = sh(f"cat {log}; exit 3", "--output", pathlib.Path(folder, "none", "answer"))
        check(done.returncode == 3 and b"none" in done.stderr, "the status where the answer cannot be written", done)
        # The error at the end of a long log.
        done = sh(f"yes 'step 1 loss 0.5' | head -n 2000000; cat {log}; exit 1")
        check(b"KF2001" in done.stderr and len(done.stdout) > 32_000_000, "a long log", done.stderr[-300:])


def on_terminal(script, keys=b"", until=b"", columns=93):
    """What the terminal got, and the exit status; `keys` are typed once `until` is seen."""
    import fcntl
    import struct
    import termios
    process, ours = pty.fork()
    if process == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 31, columns, 0, 0))
        os.execvpe(KERNELFIT, [KERNELFIT, "run", "--", "sh", "-c", script], ENV)
    seen, deadline = b"", time.monotonic() + 60
    while time.monotonic() < deadline:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                part = os.read(ours, 65536)
            except OSError:
                break
            if not part:
                break
            seen += part
        if keys and until in seen:
            os.write(ours, keys)
            keys = b""
    os.close(ours)
    return seen, os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def terminal():
    seen, code = on_terminal("test -t 0 && test -t 1 && test -t 2 && stty size <&1; printf 'one\\ntwo\\n'")
    check(b"31 93" in seen and b"one\r\ntwo\r\n" in seen and code == 0, "no terminal for the program", seen)
    seen, code = on_terminal("printf 'name? '; read name; echo hello $name", b"Ada\n", b"name?")
    check(b"hello Ada" in seen, "nothing to be typed", seen)
    # Ctrl-C is for the program: it ends as it wants, and nothing is explained.
    seen, code = on_terminal("trap 'echo caught; exit 5' INT; echo ready; while :; do sleep 0.1; done", b"\x03", b"ready")
    check(b"caught" in seen and code == 5, "Ctrl-C", seen, code)
    seen, code = on_terminal("echo ready; exec sleep 60", b"\x03", b"ready")
    check(code == 130 and b"kernelfit" not in seen, "Ctrl-C of what does not catch it", seen, code)


def at_once():
    program = subprocess.Popen([KERNELFIT, "run", "sh", "-c", "echo first; sleep 30"], stdout=subprocess.PIPE, env=ENV)
    started = time.monotonic()
    check(program.stdout.readline() == b"first\n" and time.monotonic() - started < 20, "held back")
    program.send_signal(signal.SIGTERM)
    check(program.wait(20) == 143, "SIGTERM is not passed on", program.returncode)
    # What it started in the background does not keep it.
    started = time.monotonic()
    check(sh("sleep 60 & echo done").stdout == b"done\n" and time.monotonic() - started < 30, "waits for the background")
    # Whom nobody listens to any more is told so as ever.
    done = subprocess.run(f"'{KERNELFIT}' run -- yes | head -n 1", shell=True, capture_output=True, env=ENV, timeout=60)
    check(done.stdout == b"y\n", "a closed pipe", done)


def other_ways():
    with tempfile.TemporaryDirectory() as folder:
        fake = pathlib.Path(folder, "wl-paste")
        fake.write_text(f"#!/bin/sh\ncat <<'E'\n{LOG}E\n")
        fake.chmod(0o755)
        env = dict(ENV, PATH=folder + ":" + ENV["PATH"], WAYLAND_DISPLAY="wayland-0")
        check(b"KF2001" in run("explain", "--clipboard", env=env).stdout, "the clipboard")
        fake.write_text("#!/bin/sh\necho 'Nothing is copied' >&2; exit 1\n")
        done = run("explain", "--clipboard", env=env)
        check(done.returncode == 2 and b"Nothing is copied" in done.stderr, "an empty clipboard", done)
        done = run("explain", "--clipboard", env=dict(ENV, PATH=folder))
        check(done.returncode == 2 and b"wl-paste" in done.stderr, "no clipboard", done)

        first, second = pathlib.Path(folder, "first.log"), pathlib.Path(folder, "second.log")
        first.write_text("epoch 1\nepoch 2\n" + LOG.splitlines()[0][:40])
        second.write_bytes(("step\n" + LOG).encode("utf-16"))
        done = run("explain", "--json", "first.log", "second.log", cwd=folder)
        sources = [one["source"] for one in json.loads(done.stdout)["input"]["messages"]]
        check("second.log:4" in sources and not any("first.log" in one for one in sources), "files are not named", sources)
        check(b"second.log:4" in run("explain", "first.log", "second.log", cwd=folder).stdout, "files are not named")
        done = run("explain", "first.log", "no-such.log", cwd=folder)
        check(done.returncode == 2 and b"no-such.log" in done.stderr and b"first.log" not in done.stderr, "a missing file", done)
        alone = json.loads(run("explain", "--json", second).stdout)["input"]["messages"]
        check("line 4" in [one["source"] for one in alone], "one file", alone)

        for command in (("doctor",), ("plan",)):
            done = run(*command, "--json", "--host", second)
            answer = json.loads(done.stdout)
            names = json.dumps(answer)
            check("RTX 5090" in names and done.returncode == 1 if command == ("doctor",) else "RTX 5090" in names,
                  command, done.returncode, done.stdout[:300])
        found = json.loads(run("doctor", "--json", "--host", second).stdout)["findings"]
        check(found and found[0]["code"] == "KF2001", "doctor of a text", found[:1])
        check(run("doctor", "--host", pathlib.Path(folder, "none")).returncode == 2, "no such text")


def main():
    for part in (passes_on, status, explains, terminal, at_once, other_ways):
        part()
    print("\n".join(FAILURES) or "run: as without kernelfit, and explained")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
