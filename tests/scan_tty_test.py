#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`kernelfit scan` on a terminal, and Ctrl-C: a progress line after a second and only there; exit 130
and nothing left behind after SIGINT or SIGHUP."""
import gzip
import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import tarfile
import tempfile
import time

KERNELFIT = os.environ["KERNELFIT"]
FIXTURES = pathlib.Path(os.environ["KF_SOURCE"]) / "tests/fixtures/fatbin"
ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", LC_ALL="C.UTF-8", TERM="xterm")
FAILURES = []


def check(condition, text):
    if not condition:
        FAILURES.append(text)


def make_long(folder):
    """A file whose scan takes at least two seconds, whatever the build."""
    megabytes = 100
    while True:
        path = make(folder, megabytes)
        started = time.monotonic()
        subprocess.run([KERNELFIT, "scan", path], capture_output=True, env=ENV)
        seconds = time.monotonic() - started
        if seconds > 2.5 or megabytes > 100_000:
            return path
        megabytes = int(megabytes * min(10, 4 / seconds))


def make(folder, megabytes):
    """A library and that many megabytes behind it in a tar file, each megabyte a gzip member of its own, packed to a
    hundredth: small on disk, long to read, and no bomb (those are refused from 200 times on)."""
    path = pathlib.Path(folder, "long.tar.gz")
    library = (FIXTURES / "libcu118_vadd.so").read_bytes().ljust(1 << 20, b"\0")
    member = tarfile.TarInfo("member.so")
    member.size = (megabytes + 1) << 20
    packed = gzip.compress(os.urandom(6000).ljust(1 << 20, b"\0"), 1)
    with open(path, "wb") as out:
        out.write(gzip.compress(member.tobuf(tarfile.GNU_FORMAT) + library, 1))
        for _ in range(megabytes):
            out.write(packed)
        out.write(gzip.compress(bytes(1024), 1))
    return path


def on_terminal(arguments, interrupt_after=None, by=signal.SIGINT):
    """(stdout, what the terminal on stderr got, exit)"""
    ours, theirs = pty.openpty()
    program = subprocess.Popen([KERNELFIT, *map(str, arguments)], stdout=subprocess.PIPE, stderr=theirs, env=ENV)
    os.close(theirs)
    shown, started, sent = b"", time.monotonic(), False
    while time.monotonic() - started < 300:
        if interrupt_after is not None and not sent and time.monotonic() - started > interrupt_after:
            program.send_signal(by)
            sent = True
        ready, _, _ = select.select([ours], [], [], 0.05)
        if ready:
            try:
                got = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not got:
                break
            shown += got
    out = program.communicate(timeout=60)[0]
    os.close(ours)
    return out.decode(), shown.decode(errors="replace"), program.returncode


def main():
    with tempfile.TemporaryDirectory() as folder:
        long = make_long(folder)
        out, shown, status = on_terminal(["scan", long])
        check(status == 0, f"exit {status}: {shown}")
        check("scanning" in shown and "long.tar.gz" in shown, f"no progress line: {shown!r}")
        check(shown.endswith("\r\x1b[K"), f"the progress line stays: {shown[-60:]!r}")
        check("scanning" not in out, "progress on stdout")
        _, shown, _ = on_terminal(["scan", "--quiet", long])
        check(shown == "", f"progress although --quiet: {shown!r}")
        _, shown, _ = on_terminal(["scan", FIXTURES / "cu118_sm35.fatbin"])
        check(shown == "", f"progress for a short scan: {shown!r}")
        done = subprocess.run([KERNELFIT, "scan", long], capture_output=True, text=True, env=ENV)
        check(done.stderr == "", f"progress without a terminal: {done.stderr!r}")

        both = pathlib.Path(folder, "both")
        both.mkdir()
        os.link(long, both / "z.tar.gz")
        for name in ("cu118_sm35.fatbin", "libcu118_vadd.so"):
            (both / name).write_bytes((FIXTURES / name).read_bytes())
        made = pathlib.Path(folder, "made")
        out, shown, status = on_terminal(["scan", "--extract", made, both], interrupt_after=0.5)
        check(status == 130, f"interrupted: exit {status}, {shown!r}")
        check(out == "", f"interrupted, and an answer: {out!r}")
        check(not made.exists(), f"left behind: {list(made.iterdir()) if made.exists() else ''}")
        kept = pathlib.Path(folder, "kept")
        kept.mkdir()
        (kept / "mine").write_text("mine")
        started = time.monotonic()
        _, _, status = on_terminal(["scan", "--extract", kept, both], interrupt_after=0.5, by=signal.SIGHUP)
        check(status == 130, f"interrupted again: exit {status}")
        check([file.name for file in kept.iterdir()] == ["mine"], f"left in a folder: {list(kept.iterdir())}")
        check(time.monotonic() - started < 10, "Ctrl-C took longer than ten seconds")
    for failure in FAILURES:
        print("FAIL", failure)
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
