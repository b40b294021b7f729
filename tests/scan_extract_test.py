#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`kernelfit scan --extract`, byte for byte.

1. Every good fixture against a second reader written here from docs/fatbin.md (struct, an LZ4 block
   decoder, zstd(1) for zstd frames): the set of contents must be the same.
2. The same fixtures, and one real CUDA library where there is one, against `cuobjdump -xelf` and
   `-xptx` (PyPI, .cache/oracles) wherever cuobjdump can read the file. By design ours differ in
   names, and hold what it leaves out: images of `a` and `f` targets by their names, hidden
   containers, PE files, members of archives.
3. Names of members that want to leave the folder, files that are there already, selections.
"""
import hashlib
import io
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

KERNELFIT = os.environ["KERNELFIT"]
SOURCE = pathlib.Path(os.environ["KF_SOURCE"])
FIXTURES = SOURCE / "tests/fixtures/fatbin"
REAL = pathlib.Path("/usr/local/cuda/targets/x86_64-linux/lib")
REAL_CHOICES = [REAL / "libcudnn_cnn.so.9", REAL / "libcublas.so.13"]
ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
FAILURES = []


def check(condition, text):
    if not condition:
        FAILURES.append(text)


def lz4_block(data, size):
    out, at = bytearray(), 0
    while at < len(data):
        token = data[at]
        at += 1
        literals = token >> 4
        if literals == 15:
            while True:
                literals += data[at]
                at += 1
                if data[at - 1] != 255:
                    break
        out += data[at:at + literals]
        at += literals
        if at >= len(data):
            break
        back = data[at] | data[at + 1] << 8
        at += 2
        length = (token & 15) + 4
        if token & 15 == 15:
            while True:
                length += data[at]
                at += 1
                if data[at - 1] != 255:
                    break
        for _ in range(length):
            out.append(out[-back])
    assert len(out) == size
    return bytes(out)


def zstd_frame(data):
    return subprocess.run(["zstd", "-dcq"], input=data, capture_output=True, check=True).stdout


def entries(blob):
    """(arch, content) of every entry of every container in the bytes."""
    at = blob.find(b"\x50\xed\x55\xba\x01\x00\x10\x00")
    while at >= 0:
        size = struct.unpack_from("<Q", blob, at + 8)[0]
        entry, end = at + 16, at + 16 + size
        while entry < end:
            kind, _, header, padded, packed = struct.unpack_from("<HHIQI", blob, entry)
            arch, = struct.unpack_from("<I", blob, entry + 28)
            flags, = struct.unpack_from("<Q", blob, entry + 40)
            whole, = struct.unpack_from("<Q", blob, entry + 56)
            stored = blob[entry + header:entry + header + (packed or padded)]
            suffix = "a" if flags & 0x100000 else "f" if flags & 0x200000 else ""
            if flags & 0x2000:
                stored = lz4_block(stored, whole) if not flags & 0x10000 else None
            elif flags & 0x8000:
                stored = zstd_frame(stored) if not flags & 0x10000 else None
            if kind == 1 and stored is not None:
                stored = stored.rstrip(b"\0")
            name = {1: "compute_", 2: "sm_", 8: "lto_"}[kind] + str(arch) + suffix
            if stored is not None:
                yield name, stored
            entry += header + padded
        at = blob.find(b"\x50\xed\x55\xba\x01\x00\x10\x00", end)


def run(*arguments):
    return subprocess.run([KERNELFIT, "scan", *map(str, arguments)], capture_output=True, text=True,
                          env=ENV, timeout=300)


def extract(path, *flags):
    """{(arch, sha256)}, the folder is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        done = run("--extract", folder + "/out", "--json", *flags, path)
        answer = json.loads(done.stdout)
        out = pathlib.Path(folder, "out")
        files = sorted(out.iterdir()) if out.exists() else []
        check(files or not out.exists(), f"{path}: an empty folder stays")
        check([file.name for file in files] == sorted(answer["extracted"]["written"]),
              f"{path}: written is not what is there")
        found = []
        for file in files:
            arch = file.name.rsplit(".", 2)[1]
            found.append((arch, hashlib.sha256(file.read_bytes()).hexdigest()))
        return sorted(found), done.returncode, answer


def own_reader():
    checked = 0
    for path in sorted(FIXTURES.iterdir()):
        bare = path.suffix in (".fatbin", ".so", ".o", ".dll", ".obj", ".a", ".lib")
        if not bare or path.name.startswith(("fault_", "elf64_be", "cu130_debug")):
            continue
        want = sorted((arch, hashlib.sha256(content).hexdigest())
                      for arch, content in entries(path.read_bytes()))
        got, status, _ = extract(path)
        checked += 1
        check(got == want, f"{path.name}: {len(got)} images, the other reader has {len(want)}: "
              f"{sorted(set(got) ^ set(want))}")
        check(status == 0, f"{path.name}: exit {status}")
    print(checked, "fixtures against a second reader")
    return checked


def cuobjdump():
    tools = sorted(SOURCE.glob(".cache/oracles/lib/python3*/site-packages/nvidia/*/bin/cuobjdump"))
    tools += [pathlib.Path(tool) for tool in [shutil.which("cuobjdump")] if tool]
    tools += [pathlib.Path(tool) for tool in [os.environ.get("CUOBJDUMP")] if tool]
    return tools[-1] if tools else None


def by_cuobjdump(tool, path):
    """Sorted sha256 of what it extracts; None where it cannot read the file."""
    with tempfile.TemporaryDirectory() as folder:
        for flag in ("-xelf", "-xptx"):
            done = subprocess.run([tool, flag, "all", path], cwd=folder, capture_output=True,
                                  text=True, timeout=300)
            if "fatal" in done.stderr + done.stdout:
                return None
        return sorted(hashlib.sha256(file.read_bytes()).hexdigest()
                      for file in pathlib.Path(folder).iterdir())


def against_cuobjdump():
    tool = cuobjdump()
    if tool is None:
        print("cuobjdump is not there: not compared")
        return
    compared = images = 0
    real = [path for path in REAL_CHOICES if path.exists()][:1]
    for path in sorted(FIXTURES.glob("cu*.fatbin")) + sorted(FIXTURES.glob("lib*.so")) + real:
        want = by_cuobjdump(tool, path)
        if not want:
            continue
        got, _, _ = extract(path, "--kind", "sass", "--kind", "ptx")
        ours = [digest for _, digest in got]
        # cuobjdump leaves __nv_relfatbin out of a linked file and all hidden containers.
        missing = [digest for digest in want if digest not in ours]
        check(not missing, f"{path.name}: {len(missing)} of cuobjdump's {len(want)} are not ours")
        if "rdc" not in path.name and path not in real:
            check(sorted(set(ours)) == sorted(set(want)), f"{path.name}: ours are more than cuobjdump's")
        compared += 1
        images += len(want)
    print(f"{compared} files, {images} images against {tool.name}")
    check(compared >= 8, f"cuobjdump could read only {compared} files")


def selections():
    path = FIXTURES / "cu130_sm90a_ptx.fatbin"
    for flags, want in ([("--sm", "9.0"), ["compute_90a", "sm_90a"]], [("--sm", "sm_90a"), ["compute_90a", "sm_90a"]],
                        [("--sm", "sm_90"), []], [("--sm", "9.0", "--kind", "ptx"), ["compute_90a"]],
                        [("--kind", "lto"), []],
                        [("--member", "cu130_*", "--sm", "8.6", "--sm", "compute_90a"), ["compute_90a"]]):
        got, status, _ = extract(path, *flags)
        check([arch for arch, _ in got] == want, f"{flags}: {got}")
        check(status == 0, f"{flags}: exit {status}")
    for flags in (("--sm", "turing"), ("--kind", "elf"), ("--member", "*.so")):
        done = run("--extract", "/nowhere/x", *flags, path)
        check(done.returncode == 2 and done.stderr, f"{flags}: exit {done.returncode}")
    got, _, _ = extract(FIXTURES / "cu118_sm80.cubin")
    want = hashlib.sha256((FIXTURES / "cu118_sm80.cubin").read_bytes()).hexdigest()
    check(got == [("sm_80", want)], "a .cubin is not itself")


def odd_names():
    cubin = (FIXTURES / "cu118_sm35.fatbin").read_bytes()
    names = ["../../outside", "/outside", "a/../../outside", "C:\\outside", "-rf", "new\nline", "x" * 300,
             "中文.so", "a/b", "a_b"]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            archive.writestr(name, cubin)
    with tempfile.TemporaryDirectory() as folder:
        odd = pathlib.Path(folder, "odd.zip")
        odd.write_bytes(buffer.getvalue())
        out = pathlib.Path(folder, "deep/out")
        out.parent.mkdir()
        run("--extract", out, odd)
        everything = sorted(str(path.relative_to(folder)) for path in pathlib.Path(folder).rglob("*"))
        inside = [name for name in everything if name.startswith("deep/out/")]
        check(everything == sorted(["odd.zip", "deep", "deep/out"] + inside), f"names led out: {everything}")
        check(2 <= len(inside) <= len(names), f"{len(inside)} files of {len(names)} members")
        check(all("/" not in name[9:] and "\n" not in name for name in inside), f"odd names: {inside}")


def nothing_over_a_file():
    path = FIXTURES / "cu118_sm35.fatbin"
    with tempfile.TemporaryDirectory() as folder:
        name = json.loads(run("--extract", folder, "--json", path).stdout)["extracted"]["written"][0]
        again = json.loads(run("--extract", folder, "--json", path).stdout)
        check(again["extracted"]["same"] == [name] and not again["incomplete"], "the same is not seen as the same")
        pathlib.Path(folder, name).write_bytes(b"precious")
        third = run("--extract", folder, "--json", path)
        answer = json.loads(third.stdout)
        check(pathlib.Path(folder, name).read_bytes() == b"precious", "written over a file")
        check(third.returncode == 3 and answer["incomplete"] and name in answer["extracted"]["problems"][0],
              f"not said: exit {third.returncode}, {answer['extracted']}")
        check(name in run("--extract", folder, path).stdout, "not said in words")
    done = run("--extract", "/no/such/parent", path)
    check(done.returncode == 2, f"a folder that cannot be made: exit {done.returncode}")


def main():
    checked = own_reader()
    check(checked >= 40, f"only {checked} fixtures")
    against_cuobjdump()
    selections()
    odd_names()
    nothing_over_a_file()
    for failure in FAILURES:
        print("FAIL", failure)
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
