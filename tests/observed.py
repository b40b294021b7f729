#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What was measured from published wheels is what `kernelfit scan` measures.

observed.py KERNELFIT

Part of `./dev agree`: the wheels come from PyPI, 13 GB in all, kept in .cache/wheels (KF_WHEELS).
First the rows of data/torch/observed_arch_lists.csv that were measured from PyPI's wheels: the flags
compiled into torch, and the union of the images of the files that the row names. Then the rows that
somebody else measured from the same wheels (the smallest set over the Python tags: torch's own list at
least, the union at most). Then verdicts per library (docs/compatibility.md, docs/knowledge.md).
Exit status 77: PyPI did not answer for any of them.
"""
import csv
import json
import pathlib
import re
import subprocess
import sys

import agree

ROWS = agree.SOURCE / "data" / "torch" / "observed_arch_lists.csv"
# Where a package's wheel is not tagged as most are: platform, Python.
TAGS = {
    "torch==1.2.0": ("manylinux1_x86_64", "3.7"),
    "torch==1.7.1": ("manylinux1_x86_64", "3.8"),
    "torch==1.13.1": ("manylinux1_x86_64", "3.10"),
    "torch==2.6.0": ("manylinux1_x86_64", "3.11"),
    "bitsandbytes==0.50.2": ("manylinux_2_24_x86_64", "3.11"),
    "nvidia-cublas-cu12==12.9.3.13": ("manylinux_2_27_x86_64", "3.11"),
    "nvidia-nccl-cu12==2.21.5": ("manylinux2014_x86_64", "3.11"),
    "nvidia-cudnn-cu11==8.7.0.84": ("manylinux1_x86_64", "3.10"),
    "nvidia-cudnn-cu11==8.8.1.3": ("manylinux1_x86_64", "3.10"),
    "nvidia-cudnn-cu12==9.28.0.42": ("manylinux_2_27_x86_64", "3.11"),
}
# PyPI's builds of these releases are cu102; their rows are of the wheels as a whole.
OF_OTHERS = [f"torch=={release}" for release in ("1.8.1", "1.9.0", "1.9.1", "1.10.0", "1.10.1", "1.10.2", "1.11.0")]
TAGS |= {requirement: ("manylinux1_x86_64", "3.8") for requirement in OF_OTHERS}
USUAL = ("manylinux_2_28_x86_64", "3.11")

# package, file, capability, verdict
VERDICTS = [
    ("torch==2.6.0", "libtorch_cuda.so", "8.6", "native"),
    ("nvidia-nccl-cu12==2.21.5", "libnccl.so.2", "7.5", "native"),
    ("torch==1.7.1", "libtorch_cuda.so", "3.5", "no-code"),  # though cuBLAS inside it has sm_35
    ("torch==2.14.1", "libtorch_cuda_linalg.so", "7.5", "no-code"),
    ("nvidia-cudnn-cu11==8.7.0.84", "libcudnn_ops_infer.so.8", "3.7", "native"),
    ("nvidia-cudnn-cu11==8.7.0.84", "libcudnn_cnn_infer.so.8", "3.7", "native"),
    ("nvidia-cudnn-cu11==8.8.1.3", "libcudnn_ops_infer.so.8", "3.7", "no-code"),
    ("nvidia-cudnn-cu11==8.8.1.3", "libcudnn_cnn_infer.so.8", "3.7", "no-code"),
    ("nvidia-cudnn-cu12==9.28.0.42", "libcudnn_ops.so.9", "6.1", "no-code"),
]
TOOLKIT = [("libcublasLt.so.13", "7.5", "native"), ("libnccl.so.2", "7.5", "native")]


class Wheels:
    """The scan of each wheel, asked once."""

    def __init__(self, program):
        self.program, self.answers = program, {}

    def files(self, requirement):
        """None: the wheel did not come."""
        if requirement not in self.answers:
            platform, python = TAGS.get(requirement, USUAL)
            wheel = agree.download(requirement, platform, python)
            self.answers[requirement] = None if wheel is None else scan(self.program, wheel)
        return self.answers[requirement]


def scan(program, path):
    ran = subprocess.run([program, "scan", "--json", path], capture_output=True, stdin=subprocess.DEVNULL)
    return json.loads(ran.stdout)["files"]


def named(files, name):
    return [file for file in files if pathlib.Path(file["member"] or file["path"]).name == name]


def union(files, kind):
    """Bare cubins are the file's code too."""
    found = {entry["arch"] for file in files for entry in file[kind]}
    return sorted(found, key=lambda arch: (int(re.findall(r"\d+", arch)[0]), arch))


def requirement_of(row):
    words = row["torch"].split()
    return "==".join(words) if len(words) == 2 else f"torch=={words[0]}"


def measured(row, files):
    """What the scan says to the row, as the row writes it: SASS, PTX."""
    names = re.findall(r"\S+\.so[.\d]*", row["method"])
    chosen = [file for name in names for file in named(files, name)]
    if row["method"].startswith("flag string"):
        flags = [flag for file in chosen for flag in file["arch_flags"]]
        return ([f for f in flags if f.startswith("sm_")], [f for f in flags if f.startswith("compute_")])
    return union(chosen, "sass"), union(chosen, "ptx")


def judge_rows(wheels):
    compared = failed = 0
    for row in csv.DictReader(ROWS.open()):
        if row["source"] != "measured-pypi-wheel":
            continue
        requirement = requirement_of(row)
        files = wheels.files(requirement)
        if files is None:
            print("skipped:", requirement, "did not come")
            continue
        ours, known = measured(row, files), (row["sass"].split(), row["ptx"].split())
        same = [sorted(one) for one in ours] == [sorted(one) for one in known]
        compared, failed = compared + 1, failed + (not same)
        print("same  " if same else "DIFFER", requirement, row["method"])
        if not same:
            print("   table:", *known, "\n   scan: ", *ours)
    return compared, failed


def judge_rows_of_others(wheels):
    compared = failed = 0
    for row in csv.DictReader(ROWS.open()):
        requirement = requirement_of(row)
        if requirement not in OF_OTHERS or row["build"] != "cu102" or "over the wheel" not in row["method"]:
            continue
        files = wheels.files(requirement)
        if files is None:
            print("skipped:", requirement, "did not come")
            continue
        least = {flag for file in files for flag in file["arch_flags"]}
        most = set(union(files, "sass"))
        same = bool(least) and least <= set(row["sass"].split()) <= most
        compared, failed = compared + 1, failed + (not same)
        print("same  " if same else "DIFFER", requirement, row["sass"], "" if same else (least, most))
    return compared, failed


def judge_verdict(label, files, name, capability, verdict):
    found = [file["coverage"].get(capability) for file in named(files, name)]
    same = found == [verdict]
    print("same  " if same else "DIFFER", label, name, "on", capability, verdict, "" if same else found)
    return not same


def judge_verdicts(wheels):
    compared = failed = 0
    for requirement, name, capability, verdict in VERDICTS:
        files = wheels.files(requirement)
        if files is None:
            print("skipped:", requirement, "did not come")
            continue
        compared, failed = compared + 1, failed + judge_verdict(requirement, files, name, capability, verdict)
    for name, capability, verdict in TOOLKIT:
        path = agree.LIBRARIES / name
        if path.exists():
            files = scan(wheels.program, path.resolve())
            failed += judge_verdict("toolkit", [dict(file, path=name) for file in files], name, capability, verdict)
            compared += 1
    return compared, failed


def main():
    wheels = Wheels(sys.argv[1])
    rows, rows_failed = judge_rows(wheels)
    others, others_failed = judge_rows_of_others(wheels)
    verdicts, verdicts_failed = judge_verdicts(wheels)
    print(f"{rows} measured rows, {rows_failed} differ; {others} rows of others, {others_failed} differ; "
          f"{verdicts} verdicts, {verdicts_failed} differ")
    if rows + others + verdicts == 0:
        return agree.SKIPPED
    return 1 if rows_failed or others_failed or verdicts_failed else 0


if __name__ == "__main__":
    sys.exit(main())
