#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A library is read the same from a wheel as from a disk: the fixtures, padded to more than 8 MB with
their section table in the middle, sound and damaged, as a file, deflated in a zip, as a .gz and in a
tar.gz, which can be read only once.
"""
import gzip
import hashlib
import json
import os
import pathlib
import struct
import subprocess
import sys
import tarfile
import tempfile
import zipfile

KERNELFIT = os.environ["KERNELFIT"]
FIXTURES = pathlib.Path(os.environ["KF_SOURCE"]) / "tests/fixtures/fatbin"
ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", LC_ALL="C.UTF-8")
MEGABYTE = bytes(range(256)) * 4096
CONTAINER = 8208  # the first one in libcu124_vadd.so
DAMAGE = {
    "version 9": ("<H", CONTAINER + 4, 9),
    "no header size": ("<I", CONTAINER + 16 + 4, 0),
    "unknown kind": ("<H", CONTAINER + 16, 0x4000),
    "huge architecture": ("<I", CONTAINER + 16 + 28, 0xFFFFFFFF),
    "bad magic": ("<I", CONTAINER, 0x20544F4E),
    "size and eight": ("<Q", CONTAINER + 8, 0x2398 + 8),
}
FAILURES = []


def padded(data):
    """An ELF file with 9 MB before its section table and 5 MB behind it; others with both at the end."""
    if data[:5] != b"\x7fELF\x02" or data[5] != 1:
        return data + MEGABYTE * 14
    table, count = struct.unpack_from("<Q", data, 40)[0], struct.unpack_from("<H", data, 60)[0]
    end = table + count * 64
    out = bytearray(data[:table] + MEGABYTE * 9 + bytes(-table % 8) + data[table:end] + data[end:] + MEGABYTE * 5)
    struct.pack_into("<Q", out, 40, table + len(MEGABYTE) * 9 + -table % 8)
    return bytes(out)


def scan(path, *flags):
    done = subprocess.run([KERNELFIT, "scan", "--json", *flags, path], capture_output=True, text=True, env=ENV,
                          timeout=300, check=False)
    answer = json.loads(done.stdout)
    files = [{k: v for k, v in file.items() if k not in ("path", "member")} for file in answer["files"]]
    # Of an archive only what holds something is listed.
    files = [file for file in files if file["sections"] or file["bare"] or file["problems"]]
    return done.returncode, answer["incomplete"], files


def packed(folder, name, data):
    plain = folder / name
    plain.write_bytes(data)
    with zipfile.ZipFile(folder / "x.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        out.write(plain, name)
    (folder / (name + ".gz")).write_bytes(gzip.compress(data, 1))
    with tarfile.open(folder / "x.tar.gz", "w:gz", compresslevel=1) as out:
        out.add(plain, name)
    return plain, [folder / "x.zip", folder / (name + ".gz")], folder / "x.tar.gz"


def same(folder, name, data, what, *flags):
    plain, twice, once = packed(folder, name, data)
    truth = scan(plain, *flags)
    for archive in twice:
        seen = scan(archive, *flags)
        if seen != truth:
            FAILURES.append(f"{what} {flags} {archive.name}:\n  disk   {truth}\n  stream {seen}")
    seen = scan(once, *flags)
    # What cannot be had again is either the same or said to be incomplete.
    if seen != truth and seen[0] != 3:
        FAILURES.append(f"{what} {flags} {once.name}:\n  disk   {truth}\n  stream {seen}")
    return truth


def extracted(folder, path):
    out = folder / ("out-" + path.name)
    subprocess.run([KERNELFIT, "scan", "--extract", out, path], capture_output=True, env=ENV, timeout=300, check=True)
    return sorted(hashlib.sha256(file.read_bytes()).hexdigest() for file in out.rglob("*") if file.is_file())


def load(name):
    return bytearray((FIXTURES / name).read_bytes())


with tempfile.TemporaryDirectory() as made:
    here = pathlib.Path(made)
    for fixture in ("libcu124_vadd.so", "libcu124_two_tu.so", "libcu124_vadd_rdc.so", "libcu124_vadd_rdc_nodlink.so",
                    "fatbin_in_data_section.so", "fault_section_nobits.so", "cu124_vadd.o", "vadd_pe.dll"):
        truth = same(here, fixture, padded(load(fixture)), fixture)
        if fixture.startswith("lib") and truth[2][0]["cpu_arch"] != "x86_64":
            FAILURES.append(f"{fixture}: the padding broke it: {truth}")
    for flags in (["--kernels"], ["--sections"]):
        for fixture in ("libcu124_vadd.so", "fatbin_in_data_section.so"):
            same(here, fixture, padded(load(fixture)), fixture, *flags)
    for what, (form, at, value) in DAMAGE.items():
        broken = load("libcu124_vadd.so")
        struct.pack_into(form, broken, at, value)
        truth = same(here, "lib.so", padded(broken), what)
        if truth[0] != 3:
            FAILURES.append(f"{what}: status {truth[0]}")
    plain, twice, _ = packed(here, "libcu124_vadd.so", padded(load("libcu124_vadd.so")))
    for archive in twice:
        if extracted(here, archive) != extracted(here, plain):
            FAILURES.append(f"--extract {archive.name} gives other images than the file")
for line in FAILURES:
    print(line[:1500], file=sys.stderr)
sys.exit(1 if FAILURES else 0)
