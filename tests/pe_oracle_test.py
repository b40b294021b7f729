#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sections and imports of Windows programs and objects are read as objdump reads them.

pe_oracle_test.py BATCH: BATCH is the program of archive_batch.cc. Read are the fixtures, and the
programs and static libraries of two small packages from PyPI for Windows, where it answers.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

FIXTURES = pathlib.Path(os.environ["KF_SOURCE"]) / "tests/fixtures/fatbin"
PACKAGES = ["nvidia-cuda-runtime-cu12==12.9.79", "torchvision==0.29.2"]
SECTION = re.compile(r"^ *\d+ (\S+) +([0-9a-f]{8}) +[0-9a-f]{16} +[0-9a-f]{16} +([0-9a-f]{8})", re.M)
REAL_PE = {b"\x64\x86", b"\x64\xaa"}  # x86-64, Arm64


def oracle(path):
    run = subprocess.run(["objdump", "-hpw", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    text = run.stdout.decode(errors="replace")
    rows = [("section", f"{int(offset, 16)} {int(size, 16)} {name}") for name, size, offset in SECTION.findall(text)]
    return rows + [("import", name) for name in re.findall(r"DLL Name: (\S+)", text)]


def seen(batch, path):
    out = subprocess.run([batch, "pe", path], stdout=subprocess.PIPE, check=True).stdout.decode(errors="replace")
    return [tuple(line.split(" ", 1)) for line in out.splitlines()[1:]]


def same(batch, path):
    """objdump gives sections that are not in the file their size, and leaves out delayed imports."""
    expected, got = oracle(path), seen(batch, path)
    kept = {row for row in got}
    missing = [row for row in expected if row not in kept and not row[1].startswith("0 ")]
    extra = [row for row in got if row not in set(expected) and row[0] != "import" and not row[1].startswith(("0 ", "-"))]
    empty = [row for row in extra if row[1].split()[1] == "0"]
    extra = [row for row in extra if row not in empty]
    if missing or extra or not got:
        print(f"{path}: only objdump {missing[:3]}, only here {extra[:3]}")
    return not missing and not extra and bool(got)


def members(library, folder):
    """The objects of a static library; several may have one name."""
    names = subprocess.run(["ar", "t", library], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()
    for name in sorted(set(names))[:40]:
        out = folder / re.sub(r"\W", "_", name)
        with open(out, "wb") as file:
            subprocess.run(["ar", "pP", library, name], stdout=file, check=True)
        if name.endswith(".obj") and names.count(name) == 1 and out.read_bytes()[:2] in REAL_PE:
            yield out


def packages(folder):
    pip = [sys.executable, "-m", "pip"]
    if subprocess.run([*pip, "--version"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
        pip = [shutil.which("pip") or "pip"]
    try:
        subprocess.run([*pip, "download", "-q", "--no-deps", "--platform", "win_amd64", "--python-version", "312",
                        "--only-binary=:all:", "--disable-pip-version-check", "-d", folder, *PACKAGES],
                       check=True, timeout=120, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except (subprocess.SubprocessError, OSError):
        print("PyPI did not answer: the fixtures only")
        return
    for wheel in folder.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(folder / wheel.stem)


def main():
    if not shutil.which("objdump"):
        print("skipped: no objdump (Debian: binutils)")
        sys.exit(77)
    batch, files = sys.argv[1], sorted(FIXTURES.glob("*.dll")) + sorted(FIXTURES.glob("*.obj"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        packages(folder)
        files += [path for ending in ("dll", "pyd", "exe") for path in sorted(folder.rglob("*." + ending))]
        for library in sorted(folder.rglob("*.lib")):
            inside = folder / ("objects of " + library.name)
            inside.mkdir()
            files += members(library, inside)
        wrong = [path for path in files if not same(batch, path)]
    print(f"{len(files)} files compared, {len(wrong)} differ")
    sys.exit(1 if wrong else 0)


main()
