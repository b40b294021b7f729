#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""libkernelfit through ctypes: its JSON is that of the program, for the same path, byte for byte.

argv: libkernelfit.so. KF_PRELOAD: libraries that a sanitized build needs to be loaded first.
"""
import ctypes
import os
import pathlib
import subprocess
import sys

KERNELFIT = os.environ["KERNELFIT"]
SOURCE = pathlib.Path(os.environ["KF_SOURCE"])
FIXTURES = pathlib.Path("tests/fixtures/fatbin")
FAILURES = []

if os.environ.get("KF_PRELOAD") and "LD_PRELOAD" not in os.environ:
    env = dict(os.environ, LD_PRELOAD=os.environ["KF_PRELOAD"], ASAN_OPTIONS="detect_leaks=0")
    os.execve(sys.executable, [sys.executable, *sys.argv], env)

sys.path.insert(0, str(SOURCE / "examples"))
os.environ["KERNELFIT_LIBRARY"] = sys.argv[1]
import kernelfit_ctypes  # noqa: E402

LIBRARY = kernelfit_ctypes.load()
ENV = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
ENV.update(ASAN_OPTIONS="detect_leaks=0", LC_ALL="C.UTF-8")


def check(condition, text):
    if not condition:
        FAILURES.append(text)


def program(*arguments):
    done = subprocess.run([KERNELFIT, "scan", "--json", *map(str, arguments)], capture_output=True,
                          env=ENV, timeout=120)
    return done.returncode, done.stdout.decode()


class Options:
    def __init__(self, kernels=False, language=None):
        LIBRARY.kernelfit_options_new.restype = ctypes.c_void_p
        self.handle = ctypes.c_void_p(LIBRARY.kernelfit_options_new())
        LIBRARY.kernelfit_options_set_kernels(self.handle, int(kernels))
        if language:
            LIBRARY.kernelfit_options_set_language(self.handle, language.encode())


def library(path, options=None, gpu=None, driver=None):
    """(status, JSON) of one scan, or of one card's answer."""
    scan, answer = ctypes.c_void_p(), ctypes.c_void_p()
    status = LIBRARY.kernelfit_open(os.fsencode(path), options and options.handle, ctypes.byref(scan))
    text = LIBRARY.kernelfit_scan_json(scan)
    if gpu:
        status = LIBRARY.kernelfit_judge(scan, gpu.encode(), driver and driver.encode(),
                                         ctypes.byref(answer))
        text = LIBRARY.kernelfit_answer_json(answer)
    LIBRARY.kernelfit_answer_close(answer)
    LIBRARY.kernelfit_close(scan)
    return status, text.decode()


def same(what, ours, theirs):
    if ours == theirs:
        return
    lines = zip(ours[1].splitlines(), theirs[1].splitlines())
    first = next((pair for pair in lines if pair[0] != pair[1]), None)
    FAILURES.append(f"{what}: exit {ours[0]} and {theirs[0]}, first difference {first}")


def scans():
    paths = sorted(SOURCE.joinpath(FIXTURES).iterdir())
    for path in [FIXTURES / path.name for path in paths] + [FIXTURES, "/no/such/file", "tests/hosts"]:
        same(str(path), library(path), program(path))
    with_kernels = Options(kernels=True)
    for name in ("libcu124_two_tu.so", "vadd-0.1-deflated.whl", "fault_corrupt_lz4.fatbin", ""):
        same(f"{name} --kernels", library(FIXTURES / name, with_kernels),
             program("--kernels", FIXTURES / name))


def answers():
    chinese = Options(language="zh")
    for name in ("cu118_sm35_sm50_ptx50.fatbin", "vadd-0.1-deflated.whl", "cu130_sm100_ptx.fatbin",
                 "fault_trunc_header.fatbin", "MANIFEST.md"):
        for gpu, driver in (("GT 730", None), ("GeForce RTX 3090", "535.183.01"), ("12.0", "570.211.01"),
                            ("10de:102d", "none")):
            flags = ["--gpu", gpu] + (["--driver", driver] if driver else [])
            what = f"{name} {gpu} {driver}"
            same(what, library(FIXTURES / name, None, gpu, driver), program(*flags, FIXTURES / name))
            same(what + " zh", library(FIXTURES / name, chinese, gpu, driver),
                 program(*flags, "--lang", "zh", FIXTURES / name))


def main():
    os.chdir(SOURCE)
    check(LIBRARY.kernelfit_version().decode() in
          subprocess.run([KERNELFIT, "--version"], capture_output=True, text=True, env=ENV).stdout,
          "library and program are of two versions")
    scans()
    answers()
    for failure in FAILURES:
        print(failure)
    print(f"{len(FAILURES)} failures")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
