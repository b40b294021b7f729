#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The ELF and fat-binary readers agree with other programs on real libraries.

agree_readers.py BATCH [FILE...]: BATCH is the program of fatbin_batch.cc. Without files, what is in
/usr/local/cuda: the section tables of every library against `readelf -SW`, the entries of two of
them against cubloaty (PyPI, in .cache/), counted by section, kind, architecture. NVIDIA's cuobjdump
is no judge here: it reads only .nv_fatbin and leaves family-specific images out.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import venv

SOURCE = pathlib.Path(__file__).resolve().parent.parent
LIBRARIES = pathlib.Path("/usr/local/cuda/targets/x86_64-linux/lib")
ENTRY_FILES = ["libcublas.so.13", "libnccl.so.2", "libcudnn_ops.so.9", "libcurand.so.10"]
CUBLOATY = "cubloaty==0.2.0b1"
SECTIONS = (".nv_fatbin", "__nv_relfatbin")
SKIPPED = 77


def read_batch(program, files):
    """{file: (sections, entries, microseconds)} as our readers see them."""
    ran = subprocess.run([program] + [str(file) for file in files], capture_output=True, text=True,
                         check=True)
    found, current = {}, None
    for line in ran.stdout.splitlines():
        kind, _, rest = line.partition(" ")
        words = rest.split(" ")
        if kind == "file":
            current = found[rest] = ([], collections.Counter(), [0])
        elif kind == "section":
            current[0].append((words[0], int(words[1]), int(words[2]), int(words[3])))
        elif kind == "entry":
            current[1][(words[0], words[2])] += 1
        elif kind == "time":
            current[2][0] = int(words[0])
        elif kind == "problem":
            print("problem", rest)
    return found


def read_readelf(file):
    """[(name, offset, size)] of `readelf -SW`; the size of what is not in the file is 0."""
    ran = subprocess.run(["readelf", "-SW", str(file)], capture_output=True, text=True, check=True)
    #   [15] .nv_fatbin        PROGBITS        0000000000002010 002010 0013d8 00   A  0   0  8
    row = re.compile(r"\s+\[\s*\d+\]\s(.*?)\s+([A-Z_0-9]+|[0-9a-f]{8}: <unknown>|LOOS\S+)\s+"
                     r"([0-9a-f]{16})\s([0-9a-f]+)\s([0-9a-f]+)\s")
    found = []
    for line in ran.stdout.splitlines():
        match = row.match(line)
        if match:
            size = 0 if match[2] == "NOBITS" else int(match[5], 16)
            found.append((match[1].strip() or "-", int(match[4], 16), size))
    return found


def cubloaty_python():
    """The Python of a venv with cubloaty; None where PyPI does not answer."""
    folder = SOURCE / ".cache" / "agree"
    python = folder / "bin" / "python"
    if subprocess.run([python, "-c", "import cubloaty"], capture_output=True).returncode != 0 \
            if python.exists() else True:
        venv.create(folder, with_pip=True, clear=True)
        command = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", CUBLOATY]
        if subprocess.run(command, stdin=subprocess.DEVNULL).returncode != 0:
            return None
    return python


def read_cubloaty(python, file):
    ran = subprocess.run([python, "-m", "cubloaty", str(file), "--format", "json"],
                         capture_output=True, text=True, check=True)
    found = collections.Counter()
    for component in json.loads(ran.stdout)["components"]:
        if component["section"] in SECTIONS:
            found[(component["section"], component["arch"])] += component["images"]
    return found


def main():
    files = [pathlib.Path(name) for name in sys.argv[2:]]
    if not files and LIBRARIES.is_dir():
        files = sorted(file for file in LIBRARIES.glob("*.so.*") if not file.is_symlink())
    if not files:
        print("skipped: there are no CUDA libraries on this machine")
        return SKIPPED
    ours, failed, checked = read_batch(sys.argv[1], files), 0, 0
    for file in files:
        want = read_readelf(file)
        got = [section[:3] for section in ours[str(file)][0]]
        checked += 1
        if got != want:
            failed += 1
            print("FAIL", file, "sections differ from readelf:", sorted(set(got) ^ set(want))[:6])
    entry_files = [file for file in files if file.name in ENTRY_FILES or len(sys.argv) > 2]
    python = cubloaty_python() if entry_files else None
    if python is None:
        print("cubloaty is not there: entries were not compared")
        entry_files = []
    print(f"{'file':<40} {'entries':>8} {'ms':>8}  judged by")
    for file in entry_files:
        _, entries, microseconds = ours[str(file)]
        want = read_cubloaty(python, file)
        checked += 1
        same = entries == want
        failed += 0 if same else 1
        print(f"{file.name:<40} {sum(entries.values()):>8} {microseconds[0] / 1000:>8.1f}  cubloaty "
              + ("agrees" if same else "DIFFERS"))
        if not same:
            for key in sorted(set(entries) | set(want)):
                if entries[key] != want[key]:
                    print("FAIL", file.name, *key, "ours", entries[key], "cubloaty", want[key])
    print(f"{checked - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
