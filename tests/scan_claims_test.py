#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files that claim what is not so: thin archives in a ring or inside a zip, many section headers over
the same bytes, folders whose files may not be read. Nothing crashes, counts twice or is hidden.
"""
import json
import os
import pathlib
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zipfile

KERNELFIT = os.environ["KERNELFIT"]
FIXTURES = pathlib.Path(os.environ["KF_SOURCE"]) / "tests/fixtures/fatbin"
ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", LC_ALL="C.UTF-8")
FAILURES = []


def check(ok, what):
    if not ok:
        FAILURES.append(what)


def scan(*words, user=None):
    done = subprocess.run([KERNELFIT, "scan", "--json", *map(str, words)], capture_output=True, text=True,
                          env=ENV, timeout=120, user=user, check=False)
    return done.returncode, json.loads(done.stdout) if done.stdout.startswith("{") else None


def images(answer):
    return {f"{x['arch']}": x["images"] for file in answer["files"] for x in file["sass"] + file["ptx"]}


def problems(answer):
    return answer["problems"] + [line for file in answer["files"] for line in file["problems"]]


def ar_header(name, size):
    return b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (name, 0, 0, 0, b"644", size)


def thin(*members):
    """What `ar rcT` writes."""
    table = b"".join(name.encode() + b"/\n" for name, _ in members)
    table += b"\n" * (len(table) % 2)
    out, at = b"!<thin>\n" + ar_header(b"//", len(table)) + table, 0
    for name, size in members:
        out += ar_header(b"/%d" % at, size)
        at += len(name) + 2
    return out


def thin_archives(folder):
    (folder / "lib").mkdir()
    (folder / "obj").mkdir()
    shutil.copy(FIXTURES / "cu124_vadd.o", folder / "obj/o1.o")
    size = (folder / "obj/o1.o").stat().st_size
    # MANIFEST.md of the fixtures: what cu124_vadd.o holds.
    held = {"sm_75": 1, "sm_80": 1, "sm_86": 1, "compute_86": 1}
    for name in ("../obj/o1.o", str(folder / "obj/o1.o")):
        (folder / "lib/t.a").write_bytes(thin((name, size)))
        code, answer = scan(folder / "lib/t.a")
        check(code == 0 and images(answer) == held, f"thin archive of {name}: {code} {answer}")
        code, answer = scan(folder)
        check(code == 0 and len(answer["files"]) == 1, f"{name} counted twice: {answer}")
    with zipfile.ZipFile(folder / "t.zip", "w") as out:
        out.writestr("lib/t.a", thin(("../obj/o1.o", size), (str(folder / "obj/o1.o"), size)))
    code, answer = scan(folder / "t.zip")
    check(code == 3 and images(answer) == {}, f"thin archive in a zip read files outside it: {answer}")


def rings(folder):
    for name, other in (("self.a", "self.a"), ("x.a", "y.a"), ("y.a", "x.a")):
        (folder / name).write_bytes(thin((other, 168)))
    shutil.copy(FIXTURES / "libcu118_vadd.so", folder)
    for name in ("self.a", "x.a", "."):
        code, answer = scan(folder / name)
        check(code == 3 and any("ring" in line for line in problems(answer)), f"ring {name}: {code} {answer}")
    check(len(images(answer)) > 0, f"the library beside the rings is lost: {answer}")


def entry():
    return struct.pack("<HHIQIIHHIIIQQQ", 2, 0x101, 64, 8, 0, 0, 7, 1, 80, 0, 0, 0x11, 0, 0) + bytes(8)


def library(containers, sections):
    """An ELF file whose section headers all claim the same bytes."""
    names = b"\0.nv_fatbin\0.shstrtab\0\0\0\0"
    names_at = 64 + len(containers)
    head = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack(
        "<HHIQQQIHHHHHH", 3, 62, 1, 0, 0, names_at + len(names), 0, 64, 56, 0, 64, sections + 2, sections + 1)
    row = struct.pack("<IIQQQQIIQQ", 1, 1, 2, 0, 64, len(containers), 0, 0, 8, 0)
    last = struct.pack("<IIQQQQIIQQ", 12, 3, 0, 0, names_at, len(names), 0, 0, 1, 0)
    return head + containers + names + bytes(64) + row * sections + last


def sections_over_each_other(folder):
    body = entry() * 5000
    container = struct.pack("<IHHQ", 0xBA55ED50, 1, 16, len(body)) + body
    for sections in (1, 2, 2000, 60000):
        path = folder / f"{sections}.whl"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
            out.writestr("lib.so", library(container, sections))
        before = time.time()
        code, answer = scan(path)
        check(images(answer) == {"sm_80": 5000}, f"{sections} sections: {images(answer)}")
        check(code == (0 if sections == 1 else 3), f"{sections} sections: status {code}")
        check(time.time() - before < 10, f"{sections} sections took {time.time() - before:.1f} s")
    # Far more than any library has, from a few kilobytes.
    empty = struct.pack("<IHHQ", 0xBA55ED50, 1, 16, 0)
    for name, content in (("entries", struct.pack("<IHHQ", 0xBA55ED50, 1, 16, 72 * 300_000) + entry() * 300_000),
                          ("containers", empty * 600_000)):
        path = folder / f"{name}.zip"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as out:
            for number in range(4):
                out.writestr(f"{number}.fatbin", content)
        code, answer = scan(path)
        check(code == 3, f"{name}: status {code}")
        check(sum(images(answer).values()) <= 400_000, f"{name}: {images(answer)}")


def may_not_be_read(folder):
    """As a user who is not root: its own files are closed to it by their folder."""
    user = 65534 if os.geteuid() == 0 else None
    closed = folder / "closed"
    closed.mkdir()
    shutil.copy(FIXTURES / "libcu118_vadd.so", closed / "a.so")
    (folder / "open").mkdir()
    (folder / "open/l.so").symlink_to(closed / "a.so")
    (folder / "open/nowhere.so").symlink_to(folder / "gone.so")
    os.chmod(folder, 0o755)
    code, answer = scan(folder / "open", user=user)
    if code == 127 or answer is None:
        print("not tested: the program is closed to another user")
        return
    check(code == 0 and images(answer), f"open folder: {code} {answer}")
    for mode, path in ((0o444, closed), (0o444, folder / "open"), (0o000, closed)):
        os.chmod(closed, mode)
        code, answer = scan(path, user=user)
        check(code in (2, 3) and problems(answer), f"mode {mode:o}, {path.name}: {code} {answer}")
        check(not any(line.count("Permission denied") > 1 or line.count(str(path)) > 1
                      for line in problems(answer)), f"a path twice: {problems(answer)}")
        os.chmod(closed, 0o755)


resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
for case in (thin_archives, rings, sections_over_each_other, may_not_be_read):
    with tempfile.TemporaryDirectory() as made:
        case(pathlib.Path(made))
for line in FAILURES:
    print(line[:600], file=sys.stderr)
sys.exit(1 if FAILURES else 0)
