#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is not read is said, never "no GPU code": archives of other kinds, packages that are none. And
code is found wherever it lies: behind a script or a program, in data, named or in a folder.

Magics are those of `file`; what the fixtures hold is told by tests/fixtures/fatbin/MANIFEST.md.
"""
import functools
import http.server
import io
import json
import lzma
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import threading
import zipfile

KERNELFIT = os.environ["KERNELFIT"]
FIXTURES = pathlib.Path(os.environ["KF_SOURCE"]) / "tests/fixtures/fatbin"
ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", LC_ALL="C.UTF-8")
FAILURES = []
LIBRARY = (FIXTURES / "libcu124_vadd.so").read_bytes()  # sm_75 sm_80 sm_86
FATBIN = (FIXTURES / "cu118_sm35.fatbin").read_bytes()
FILL = bytes(range(1, 256)) * 400
LZMA = lzma.compress(b"ustar" * 1000, format=lzma.FORMAT_ALONE)
OTHER_KINDS = {
    "a.7z": b"7z\xbc\xaf\x27\x1c" + FILL, "a.rar": b"Rar!\x1a\x07\x01\0" + FILL, "a.rpm": b"\xed\xab\xee\xdb" + FILL,
    "a.squashfs": b"hsqs" + FILL, "a.sif": b"#!/usr/bin/env run-singularity\n\0SIF_MAGIC\0" + FILL,
    "a.tar.Z": b"\x1f\x9d\x90" + FILL, "a.tar.lzma": LZMA, "a.cpio": b"070701" + FILL,
    "cuda.run": b"#!/bin/sh\n# This script was generated using Makeself 2.1.4\n" + FILL,
    "page.whl": b"<!DOCTYPE html>" + FILL, "empty.whl": b"", "lib.so.1": b"",
}
READABLE = {  # no code in them, and nothing to be said
    "empty.tar": bytes(10240), "py.typed": b"", "configure": b"#!/bin/sh\necho\n" * 100, "x.bin": FILL,
}


def scan(path, *flags):
    done = subprocess.run([KERNELFIT, "scan", "--json", *flags, str(path)], capture_output=True, text=True, env=ENV,
                          timeout=120, check=False)
    answer = json.loads(done.stdout)
    problems = answer["problems"] + [line for file in answer["files"] for line in file["problems"]]
    archs = sorted(one["arch"] for file in answer["files"] for one in file["sass"])
    return done.returncode, problems, archs


def expect(what, path, status, words, archs=()):
    seen = scan(path)
    told = all("not read" in line for line in seen[1]) and len(seen[1]) == words
    if seen[0] != status or not told or seen[2] != sorted(archs):
        FAILURES.append(f"{what}: {seen}")


def zipped(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members.items():
            made.writestr(name, data)
    return out.getvalue()


def tarred(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as made:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            made.addfile(info, io.BytesIO(data))
    return out.getvalue()


def deb(name, data):
    header = b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (name.encode(), 0, 0, 0, b"100644", len(data))
    return b"!<arch>\n" + header + data + b"\n" * (len(data) % 2)


def everywhere(here, name, data, status, words, archs=()):
    """As a file, in a folder, in a zip and in a tar."""
    folder = here / ("in-" + name)
    folder.mkdir()
    (folder / name).write_bytes(data)
    (here / "x.zip").write_bytes(zipped({name: data, "z.fatbin": FATBIN}))
    (here / "x.tar").write_bytes(tarred({name: data, "z.fatbin": FATBIN}))
    expect(name, folder / name, status, words, archs)
    expect(name + " in a folder", folder, status, words, archs)
    expect(name + " in a zip", here / "x.zip", 3 if words else 0, words, [*archs, "sm_35"])
    if data:
        expect(name + " in a tar", here / "x.tar", 3 if words else 0, words, [*archs, "sm_35"])


def over_http(here):
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(here))
    handler.func.log_message = lambda *_: None
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/in-empty.whl/empty.whl"
        for flags in ([], ["--deep"]):
            status, problems, _ = scan(url, *flags)
            if status != 2 or len(problems) != 1 or "empty" not in problems[0]:
                FAILURES.append(f"an empty wheel on a server {flags}: {status} {problems}")
        server.shutdown()


with tempfile.TemporaryDirectory() as made:
    here = pathlib.Path(made)
    for name, data in OTHER_KINDS.items():
        everywhere(here, name, data, 2, 1)
    for name, data in READABLE.items():
        everywhere(here, name, data, 0, 0)
    inner = zipped({"a.so": LIBRARY})
    stored = io.BytesIO()
    with zipfile.ZipFile(stored, "w") as out:
        out.writestr("a.so", LIBRARY)
    three = ["sm_75", "sm_80", "sm_86"]
    everywhere(here, "app.pex", b"#!/usr/bin/env python3\n" + inner, 0, 0, three)
    everywhere(here, "zipapp", b"#!/usr/bin/env python3\n" + inner, 0, 0, three)
    program = (FIXTURES / "libcu118_vadd.so").read_bytes()
    for name, archive in (("installer", inner), ("stored-installer", stored.getvalue())):
        everywhere(here, name, program + archive, 0, 0, ["sm_35", "sm_50", *three])
    everywhere(here, "model.engine", FILL + FATBIN + FILL, 0, 0, ["sm_35"])
    everywhere(here, "large.engine", os.urandom(9 << 20) + FATBIN, 0, 0, ["sm_35"])
    # dpkg reads LZMA; here it is said.
    everywhere(here, "x.deb", deb("data.tar.lzma", LZMA), 2, 1)
    everywhere(here, "nothing-1-0.conda", zipped({"metadata.json": b"{}"}), 3, 1)
    everywhere(here, "broken-1-0.conda", zipped({"metadata.json": b"{}", "pkg-broken-1-0.tar.zst": b"none" * 9}), 2, 1)
    over_http(here)
for line in FAILURES:
    print(line[:1500], file=sys.stderr)
sys.exit(1 if FAILURES else 0)
