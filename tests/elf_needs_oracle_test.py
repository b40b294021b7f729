#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What libraries need is read as `readelf -dV` prints it, over libraries of this system.

elf_needs_oracle_test.py BATCH: BATCH is the program of archive_batch.cc.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

FAMILIES = ["GLIBC", "GLIBCXX", "CXXABI"]


def number(version):
    return [int(part) for part in version.split(".")]


def oracle(path):
    text = subprocess.run(["readelf", "-dVW", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.decode()
    dynamic, _, rest = text.partition("Version needs section")
    rows = [("soname", name) for name in re.findall(r"\(SONAME\).*\[(.*)\]", text)]
    rows += [("needed", name) for name in re.findall(r"\(NEEDED\).*\[(.*)\]", text)]
    paths = re.findall(r"\(RUNPATH\).*\[(.*)\]", text) or re.findall(r"\(RPATH\).*\[(.*)\]", text)
    rows += [("path", part) for part in (paths[0].split(":") if paths else []) if part]
    floors, file = {}, ""
    for line in rest.splitlines():
        if found := re.search(r"File: (\S+)", line):
            file = found[1]
        elif found := re.search(r"Name: (\S+)\s+Flags: (\S+)", line):
            name, flags = found.groups()
            rows.append(("version", f"{file} {name}"))
            family, _, version = name.partition("_")
            if name == "GLIBC_ABI_DT_RELR":
                version = "2.36"
            if family in FAMILIES and re.fullmatch(r"[\d.]+", version) and "WEAK" not in flags:
                if family not in floors or number(version) > number(floors[family]):
                    floors[family] = version
    return rows + [("floor", f"{family} {floors[family]}") for family in FAMILIES if family in floors]


def batch_rows(batch, paths):
    out = subprocess.run([batch, "needs", *paths], stdout=subprocess.PIPE, check=True).stdout.decode()
    rows = {}
    for line in out.splitlines():
        word, _, rest = line.partition(" ")
        if word == "file":
            current = rows.setdefault(rest, [])
        else:
            current.append((word, rest))
    return rows


def main():
    if not shutil.which("readelf"):
        print("skipped: no readelf (Debian: binutils)")
        sys.exit(77)
    libraries = {}
    for folder in ("/lib", "/usr/lib", "/usr/lib64", "/usr/bin"):
        for path in pathlib.Path(folder).glob("*" if folder == "/usr/bin" else "**/*.so*"):
            if path.is_file() and not path.is_symlink() and open(path, "rb").read(6) == b"\x7fELF\2\1":
                libraries.setdefault(path.resolve(), path)
    # The largest, the smallest, and every so many between: 60 of what is there.
    ranked = sorted(libraries, key=lambda path: (path.stat().st_size, str(path)))
    step = max(1, len(ranked) // 50)
    chosen = sorted({str(path) for path in ranked[:5] + ranked[::step] + ranked[-5:]})
    if os.environ.get("KF_ALL_LIBRARIES"):
        chosen = [str(path) for path in ranked]
    rows = batch_rows(sys.argv[1], chosen)
    wrong = 0
    for path in chosen:
        got, expected = rows[path], oracle(path)
        if got == [("problem", "no dynamic section: a static program")] and not expected:
            continue
        if got != expected:
            wrong += 1
            print(f"{path}: only here {[r for r in got if r not in expected][:4]}, only readelf {[r for r in expected if r not in got][:4]}")
    print(f"{len(chosen)} libraries compared, {wrong} differ")
    sys.exit(1 if wrong else 0 if len(chosen) >= 30 else 77)


main()
