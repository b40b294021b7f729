#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bombs that are harmless at every step: what comes out of a file is counted over all that is packed
in it. One clear line, in bounded time and memory, and other files are still read.
"""
import gzip
import io
import json
import os
import pathlib
import resource
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

KERNELFIT = os.environ["KERNELFIT"]
GOOD = pathlib.Path(os.environ["KF_SOURCE"]) / "tests/fixtures/fatbin/cu118_sm35.fatbin"
ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", LC_ALL="C.UTF-8")
FAILURES = []
HEAD = GOOD.parent.joinpath("libcu124_vadd.so").read_bytes()[:512]
ZEROS = gzip.compress(bytes(16 << 20), 9)  # 16 MB from 16 kB


def tar_of_zeros(megabytes):
    """A tar.gz whose one member is an ELF file of zeros: nothing in it is wrong."""
    size = megabytes << 20
    info = tarfile.TarInfo("libx.so")
    info.size = size
    head = info.tobuf(tarfile.GNU_FORMAT) + HEAD
    rest = size - 512
    out = gzip.compress(head, mtime=0) + ZEROS * (rest // (16 << 20))
    return out + gzip.compress(bytes(rest % (16 << 20) + 1024 + (-size) % 512), mtime=0)


def tar(name, data, mode="w"):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        info = tarfile.TarInfo(name)
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def wheel(members):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def image(layer):
    parts = {"manifest.json": json.dumps([{"Config": "c.json", "RepoTags": ["a:1"], "Layers": ["x/layer.tar"]}]).encode(),
             "c.json": b'{"os":"linux","architecture":"amd64"}', "x/layer.tar": layer}
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in parts.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def scan(path):
    done = subprocess.run([KERNELFIT, "scan", "--json", str(path)], capture_output=True, text=True, env=ENV, timeout=120)
    return done.returncode, [(one["bytes"], one["problems"]) for one in json.loads(done.stdout)["files"]]


bomb = tar_of_zeros(2400)  # from 2.4 MB
nested = tar_of_zeros(700)
CASES = {
    "plain.tar.gz": bomb,
    "in-a-wheel.whl": wheel([("a/libs.tar.gz", bomb)]),
    "in-a-wheel-in-a-tar.tar.gz": tar("x.whl", wheel([("a/libs.tar.gz", bomb)]), "w:gz"),
    # Each below a gigabyte, all together not.
    "many.whl": wheel([(f"a/{i}.tar.gz", nested) for i in range(5)]),
    "layer.tar": image(bomb),
}
with tempfile.TemporaryDirectory() as folder:
    good = pathlib.Path(folder, "good.fatbin")
    good.write_bytes(GOOD.read_bytes())
    for name, data in CASES.items():
        path = pathlib.Path(folder, name)
        path.write_bytes(data)
        began = time.monotonic()
        done = subprocess.run([KERNELFIT, "scan", "--json", str(path), str(good)], capture_output=True, text=True, env=ENV, timeout=120)
        answer = json.loads(done.stdout)
        lines = answer["problems"] + [p for one in answer["files"] for p in one["problems"]]
        if len(lines) != 1 or "(a bomb); the rest is not read" not in lines[0] or done.returncode != 3:
            FAILURES.append(f"{name}: exit {done.returncode}, {lines}")
        if not any(one["path"] == str(good) and one["sass"] for one in answer["files"]):
            FAILURES.append(f"{name}: the good file is lost")
        print(f"{name}: {len(data)} bytes, {time.monotonic() - began:.1f} s")
    # What is not more than it may be is read to its end, and told as the same bytes on disk are.
    path = pathlib.Path(folder, "large.tar.gz")
    path.write_bytes(tar_of_zeros(600))
    plain = pathlib.Path(folder, "libx.so")
    plain.write_bytes(HEAD)
    os.truncate(plain, 600 << 20)
    answers = [scan(path), scan(plain)]
    if answers[0] != answers[1]:
        FAILURES.append(f"600 MB of zeros: {answers[0]}, on disk {answers[1]}")
used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
if used > 600_000:
    FAILURES.append(f"{used} kB of memory")
if FAILURES:
    print("\n".join(FAILURES))
    sys.exit(1)
print("bombs: one line each")
