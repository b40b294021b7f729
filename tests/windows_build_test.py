#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The files that only Windows compiles, compiled by MinGW with the warnings of every other file.

Debian: g++-mingw-w64-x86-64. Exit status 77 (skipped) where the compiler is not there.
"""

import glob
import os
import shutil
import subprocess
import sys

COMPILER = "x86_64-w64-mingw32-g++"
# The libraries' headers come from the system, after the compiler's own for Windows.
FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion",
         "-Werror", "-idirafter", "/usr/include"]


def main():
    if shutil.which(COMPILER) is None:
        print(f"skipped: no {COMPILER} (Debian: apt-get install g++-mingw-w64-x86-64)")
        return 77
    source = os.path.join(os.environ["KF_SOURCE"], "src")
    files = sorted(glob.glob(os.path.join(source, "*", "*_windows.cc")))
    assert len(files) >= 4, f"only {files}"
    broken = 0
    for file in files:
        result = subprocess.run([COMPILER, *FLAGS, "-I", source, file], capture_output=True, text=True)
        if result.returncode != 0:
            broken += 1
            print(f"{os.path.relpath(file, source)}:\n{result.stderr[-3000:]}")
    print(f"{len(files) - broken} of {len(files)} files compile for Windows")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
