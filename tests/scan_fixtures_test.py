#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every fixture of tests/fixtures/fatbin through `kernelfit scan --json --kernels`.

Good files: exactly the entries that their MANIFEST.md states, each with the one kernel that was
compiled. Fault files: the entries that are left, a problem that names an offset where there is an
error, the contract's exit code, at most 64 MB and 1 s.
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import time

KERNELFIT = os.environ["KERNELFIT"]
FIXTURES = pathlib.Path(os.environ["KF_SOURCE"]) / "tests/fixtures/fatbin"
PREFIX = {"elf": "sm_", "ptx": "compute_", "lto-ir": "lto_"}

# What MANIFEST.md says of each fault file in words, as entries and exit status. Problem: a part of
# the line that must be there.
FAULTS = {
    "fault_trunc_payload.fatbin": ("elf 35; elf 50", 3, "offset"),
    "fault_trunc_header.fatbin": ("elf 35", 3, "offset"),
    "fault_trunc_container_header.fatbin": ("", 3, "offset 0"),
    "fault_header_only.fatbin": ("", 0, None),
    "fault_fatsize_max.fatbin": ("elf 35; elf 50; ptx 50", 3, "offset 0"),
    "fault_fatsize_2p63.fatbin": ("elf 35; elf 50; ptx 50", 3, "offset 0"),
    "fault_fatsize_short.fatbin": ("elf 35; elf 50; ptx 50", 3, "offset"),
    "fault_entry_hsize0.fatbin": ("", 3, "offset 16"),
    "fault_entry_hsize0_psize0.fatbin": ("", 3, "offset 16"),
    "fault_entry_hsize_huge.fatbin": ("", 3, "offset 16"),
    "fault_entry_psize_wrap.fatbin": ("elf 35", 3, "offset 16"),
    "fault_csize_gt_psize.fatbin": ("elf 35; elf 50; ptx 50", 3, "offset"),
    "fault_usize_huge.fatbin": ("elf 35; elf 50; ptx 50", 3, "offset"),
    "fault_string_offsets.fatbin": ("elf 35; elf 50; ptx 50", 0, None),
    "fault_unknown_kind.fatbin": ("elf 50; ptx 50", 3, "kind 0x4000"),
    "fault_version9.fatbin": ("elf 35; elf 50; ptx 50", 3, "version 9"),
    "fault_arch_huge.fatbin": ("elf 50; ptx 50", 3, "4294967295"),
    "fault_corrupt_lz4.fatbin": ("elf 35; elf 50; ptx 50", 3, "offset"),
    "fault_concat_pad.fatbin": ("elf 35 x2; elf 50; ptx 50; ptx 70", 0, None),
    "fault_misaligned.bin": ("", 0, None),
    "fault_magic_in_junk.bin": ("", (0, 3), None),
    "fault_no_section_headers.so": ("elf 35; elf 50; ptx 50", (0, 3), None),
    "fault_shoff_huge.so": ("elf 35; elf 50; ptx 50", 3, ""),
    "fault_shstrndx_oob.so": ("elf 35; elf 50; ptx 50", 3, ""),
    "fault_section_size_huge.so": ("elf 35; elf 50; ptx 50", 3, ""),
    "fault_section_nobits.so": ("", 3, "NOBITS"),
    "fault_section_not_fatbin.so": ("", 3, "offset"),
    "elf32_le.so": ("elf 35; elf 50; ptx 50", 0, None),
    "elf64_be.so": ("elf 35; elf 50; ptx 50", 3, "big-endian"),
    "fatbin_in_data_section.so": ("elf 100f; ptx 100f", 0, None),
}
# Faults of one image show only when it is decoded; the listing itself stays whole.
ONLY_DECODED = {"fault_corrupt_lz4.fatbin", "fault_usize_huge.fatbin", "fault_csize_gt_psize.fatbin"}


def rows():
    """(name, entries) of the good files' table."""
    text = (FIXTURES / "MANIFEST.md").read_text()
    table = text[text.index("## Good files"):text.index("## Fault files")]
    entries = {}
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0] not in ("file", "---"):
            same = re.match(r"same as (\S+)", cells[2])
            entries[cells[0]] = entries[same.group(1)] if same else cells[2]
    return entries.items()


def wanted(text):
    """Counter of architectures from "elf 35 none x2; ptx 50 lz4" in all its spellings."""
    out = collections.Counter()
    text = re.sub(r"\((?!all)[^)]*\)", "", text)
    for kind, arch, rest in re.findall(r"\b(elf|ptx|lto-ir) (\d+[af]?)\b([^;.]*)", text):
        times = re.search(r"\bx(\d+)\b", rest)
        out[PREFIX[kind] + arch] += int(times.group(1)) if times else 1
    return out


def scan(path, *flags):
    command = ["/usr/bin/env", KERNELFIT, "scan", "--json", *flags, str(path)]
    started = time.monotonic()
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return run, json.loads(run.stdout) if run.stdout else None, time.monotonic() - started


def found(answer):
    out = collections.Counter()
    for file in answer["files"]:
        for group in ("sass", "ptx", "lto", "bare"):
            for one in file[group]:
                out[one["arch"]] += one["images"]
        for group in ("sass", "ptx"):
            for one in file["relocatable"][group]:
                out[one["arch"]] += one["images"]
    return out


def kernels_wrong(answer):
    for file in answer["files"]:
        for one in file["sass"] + file["ptx"]:
            if one["kernels"] != one["images"] or one["empty"] != 0:
                return f"{one['arch']}: {one['kernels']} kernels in {one['images']} images"
    return None


def all_problems(answer):
    return answer["problems"] + [text for file in answer["files"] for text in file["problems"]]


def main():
    failures, checked = [], 0
    for name, entries in rows():
        checked += 1
        run, answer, _ = scan(FIXTURES / name, "--kernels")
        if name.endswith(".hipfb"):
            if answer["files"][0].get("hip") != ["gfx906:sramecc+:xnack-", "gfx90a", "gfx1100"]:
                failures.append(f"{name}: {answer['files'][0].get('hip')}")
            continue
        want, got = wanted(entries), found(answer)
        if want != got or not want:
            failures.append(f"{name}: {dict(got)}, MANIFEST says {dict(want)}")
        elif run.returncode != 0:
            failures.append(f"{name}: exit {run.returncode}: {all_problems(answer)}")
        elif kernels_wrong(answer):
            failures.append(f"{name}: {kernels_wrong(answer)}")
    for name, (entries, status, problem) in FAULTS.items():
        checked += 1
        flags = ["--kernels"] if name in ONLY_DECODED else []
        run, answer, seconds = scan(FIXTURES / name, *flags)
        statuses = status if isinstance(status, tuple) else (status,)
        if found(answer) != wanted(entries):
            failures.append(f"{name}: {dict(found(answer))}, expected {entries or 'nothing'}")
        if run.returncode not in statuses:
            failures.append(f"{name}: exit {run.returncode}, expected {status}: {all_problems(answer)}")
        if problem is not None and not any(problem in text for text in all_problems(answer)):
            failures.append(f"{name}: no problem with {problem!r}: {all_problems(answer)}")
    for failure in failures:
        print(failure)
    print(f"{checked} fixtures, {len(failures)} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
