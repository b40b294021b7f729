#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""doctor on a real environment: PyPI wheels that hold GPU code, checked against two oracles.

A virtual environment with bitsandbytes, torchvision and torchaudio (about 55 MB, kept in .cache/)
is judged by `kernelfit doctor --env`. For every file that the report read, the images per
architecture are compared with cuobjdump and with cubloaty (both from PyPI), whichever can read it;
the table at the end says which judged which.
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import venv

SOURCE = pathlib.Path(os.environ["KF_SOURCE"])
KERNELFIT = os.environ["KERNELFIT"]
CACHE = SOURCE / ".cache"
SKIPPED = 77
PACKAGES = ["bitsandbytes==0.50.2", "torchvision==0.29.2", "torchaudio==2.11.1"]
ORACLES = ["cubloaty==0.2.0b1", "nvidia-cuda-cuobjdump==13.5.37"]


def environment(name, packages, dependencies):
    """A venv with these packages, made once; None where the registry does not answer."""
    folder = CACHE / name
    done = folder / "done.txt"
    if done.exists() and done.read_text() == "\n".join(packages):
        return folder
    venv.create(folder, with_pip=True, clear=True, symlinks=True)
    pip = [folder / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    for attempt in range(3):
        command = pip + ([] if dependencies else ["--no-deps"]) + packages
        if subprocess.run(command, stdin=subprocess.DEVNULL).returncode == 0:
            done.write_text("\n".join(packages))
            return folder
        print(f"PyPI did not answer (attempt {attempt + 1} of 3)", flush=True)
        time.sleep(5 * (attempt + 1))
    return None


def by_cuobjdump(tool, file):
    """{(kind, architecture): images}; None where cuobjdump cannot read the file."""
    counts = collections.Counter()
    for flag, kind in (("--list-elf", "sass"), ("--list-ptx", "ptx")):
        run = subprocess.run([tool, "-all", flag, file], capture_output=True, text=True)
        if run.returncode != 0 and "does not contain device code" not in run.stdout + run.stderr:
            return None
        for number in re.findall(r"\.sm_(\d+[af]?)\.(?:cubin|ptx)$", run.stdout, re.M):
            counts[(kind, number)] += 1
    return counts


def by_cubloaty(tool, file):
    run = subprocess.run([tool, "--format", "json", file], capture_output=True, text=True)
    if run.returncode != 0:
        return None
    counts = collections.Counter()
    for part in json.loads(run.stdout)["components"]:
        if part["kind"] in ("sass", "ptx"):
            number = re.sub(r"^(sm|compute)_", "", part["arch"])
            counts[(part["kind"], number)] += part["images"]
    return counts


def by_kernelfit(binary):
    """The report groups containers by their set of architectures: one image each per container."""
    counts = collections.Counter()
    for group in binary["groups"]:
        for arch in group["archs"]:
            kind = {"sm": "sass", "compute": "ptx", "lto": "lto"}[arch.split("_")[0]]
            if kind != "lto":
                counts[(kind, arch.split("_")[1])] += group["containers"]
    return counts


def main():
    real = environment("real-env", PACKAGES, dependencies=False)
    oracle = environment("oracles", ORACLES, dependencies=True)
    if real is None or oracle is None:
        return SKIPPED
    cuobjdump = next(oracle.glob("lib/python3*/site-packages/nvidia/*/bin/cuobjdump"))
    cuobjdump.chmod(0o755)
    run = subprocess.run([KERNELFIT, "doctor", "--json", "--env", str(real), "--gpu", "8.6", "--driver", "580.95.05"],
                         capture_output=True, text=True)
    if run.returncode not in (0, 1, 3):
        print(run.stderr)
        return 1
    report = json.loads(run.stdout)
    libraries = [library for env in report["environments"] for library in env["libraries"]]
    binaries = [(library["name"], binary) for library in libraries for binary in library["binaries"]]
    passed = failed = 0
    unread = {"bitsandbytes", "torchvision", "torchaudio"} - {name for name, _ in binaries}
    if unread:
        print(f"no file was read of: {', '.join(sorted(unread))}")
        failed += 1
    print(f"{'file':<34} {'images':>7}  {'cuobjdump':<12} {'cubloaty':<12}")
    for _, binary in sorted(binaries, key=lambda item: item[1]["file"]):
        ours = by_kernelfit(binary)
        verdicts = []
        judges = [("cuobjdump", by_cuobjdump(cuobjdump, binary["file"])),
                  ("cubloaty", by_cubloaty(oracle / "bin/cubloaty", binary["file"]))]
        for judge, theirs in judges:
            if theirs is None:
                verdicts.append("cannot read")
            elif theirs == ours:
                verdicts.append("agrees")
            else:
                verdicts.append("DIFFERS")
                print(f"  {judge}: only here {ours - theirs}, only there {theirs - ours}")
        if "DIFFERS" in verdicts or "agrees" not in verdicts:
            failed += 1
        else:
            passed += 1
        name = os.path.basename(binary["file"])
        print(f"{name:<34} {sum(ours.values()):>7}  {verdicts[0]:<12} {verdicts[1]:<12}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
