#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Debian's real driver libraries (libcuda1, libnvidia-ml1 of non-free) through the NVML child.

They are downloaded with a private apt configuration (the machine's own mirror with non-free added;
nothing of the system's apt is touched) and unpacked into the build folder. Without a driver NVML has
to say that none is loaded, and cuDriverGetVersion has to be the branch's newest CUDA, as
data/cuda/driver_branches.csv knows it. Exit status 77: Debian did not answer.

usage: driver_libs_test.py NVML_CHILD
"""

import csv
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import time

KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
# branch: suite, libcuda, libnvidia-ml
LIBRARIES = {
    "470": ("bookworm", "libnvidia-tesla-470-cuda1", "libnvidia-tesla-470-ml1"),
    "535": ("bookworm", "libcuda1", "libnvidia-ml1"),
    "550": ("trixie", "libcuda1", "libnvidia-ml1"),
}


class Skipped(Exception):
    pass


def debian_mirror():
    """The mirror of the machine's own Debian sources."""
    texts = []
    for path in ["/etc/apt/sources.list", *sorted(glob.glob("/etc/apt/sources.list.d/*"))]:
        try:
            with open(path, encoding="utf-8") as file:
                texts.append(file.read())
        except (OSError, UnicodeDecodeError):
            pass
    for url in re.findall(r"^(?:URIs:|deb\b(?: \[[^\]]*\])?)\s+(\S+)", "\n".join(texts), re.MULTILINE):
        if url.rstrip("/").endswith("/debian"):
            return url
    raise Skipped("this machine has no Debian mirror in its apt sources")


def run(command, tries=1, cwd=None):
    for attempt in range(tries):
        try:
            result = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300)
            if result.returncode == 0:
                return result.stdout
            why = result.stderr.strip() or result.stdout.strip()
        except subprocess.TimeoutExpired:
            why = "no answer in 300 s"
        if attempt + 1 < tries:
            time.sleep(5 * (attempt + 1))
    raise Skipped(f"{command[0]} {command[-1]}: {why[-300:]}")


class PrivateApt:
    def __init__(self, folder, suites):
        self.folder = folder
        for part in ["lists/partial", "cache/archives/partial"]:
            os.makedirs(os.path.join(folder, part), exist_ok=True)
        signed = f"[signed-by={KEYRING}] " if os.path.exists(KEYRING) else ""
        mirror = debian_mirror()
        sources = os.path.join(folder, "sources.list")
        with open(sources, "w", encoding="utf-8") as file:
            for suite in suites:
                file.write(f"deb {signed}{mirror} {suite} non-free\n")
        self.options = ["-o", f"Dir::Etc::SourceList={sources}", "-o", "Dir::Etc::SourceParts=/dev/null",
                        "-o", f"Dir::State::Lists={folder}/lists", "-o", f"Dir::Cache={folder}/cache",
                        "-o", "APT::Sandbox::User=", "-o", "Acquire::Retries=3"]

    def update(self):
        run(["apt-get", *self.options, "-qq", "update"], tries=3)

    def download(self, package, suite, into):
        os.makedirs(into, exist_ok=True)
        run(["apt-get", *self.options, "-qq", "download", f"{package}/{suite}"], tries=3, cwd=into)
        found = glob.glob(os.path.join(into, f"{package}_*.deb"))
        if not found:
            raise Skipped(f"apt-get download {package} brought nothing")
        return found[0]


def unpack_all(work):
    missing = {branch: row for branch, row in LIBRARIES.items()
               if not os.path.exists(os.path.join(work, branch, "complete"))}
    if not missing:
        return
    for program in ["apt-get", "dpkg-deb"]:
        if shutil.which(program) is None:
            raise Skipped(f"this system has no {program}")
    apt = PrivateApt(os.path.join(work, "apt"), sorted({suite for suite, _, _ in missing.values()}))
    apt.update()
    for branch, (suite, *packages) in missing.items():
        folder = os.path.join(work, branch)
        for package in packages:
            deb = apt.download(package, suite, os.path.join(work, "debs", branch))
            run(["dpkg-deb", "-x", deb, folder])
        with open(os.path.join(folder, "complete"), "w", encoding="utf-8"):
            pass


def find_library(folder, name):
    """The real file: libcuda.so.550.163.01"""
    found = [path for path in glob.glob(os.path.join(folder, "**", name + ".so.*"), recursive=True)
             if re.search(r"\.so\.\d{3}\.[\d.]+$", path) and not os.path.islink(path)]
    assert len(found) == 1, f"{name} in {folder}: {found}"
    return found[0]


def max_cuda(branch):
    path = os.path.join(os.environ["KF_SOURCE"], "data", "cuda", "driver_branches.csv")
    with open(path, encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["branch"] == branch]
    assert rows, f"{path} has no branch {branch}"
    return rows[0]["max_cuda"]


def ask(child, environment):
    result = subprocess.run([child, "__nvml"], env={**os.environ, **environment}, timeout=60,
                            capture_output=True, text=True)
    assert result.returncode == 0, f"status {result.returncode}: {result.stderr[-500:]}"
    return json.loads(result.stdout.splitlines()[-1])  # each line is the whole so far


def device_files():
    return set(glob.glob("/dev/nvidia*"))


def check(child, work, branch):
    folder = os.path.join(work, branch)
    nvml = find_library(folder, "libnvidia-ml")
    libcuda = find_library(folder, "libcuda")
    answer = ask(child, {"KERNELFIT_NVML_LIB": nvml, "KERNELFIT_CUDA_LIB": libcuda})
    loaded = os.path.exists("/proc/driver/nvidia/version")
    states = ["version-mismatch", "ok"] if loaded else ["driver-not-loaded"]
    assert answer["nvml"]["state"] in states, answer["nvml"]
    assert os.path.samefile(answer["nvml"]["library"], nvml), answer["nvml"]
    assert answer["libcuda"]["state"] == "ok", answer["libcuda"]
    assert os.path.samefile(answer["libcuda"]["library"], libcuda), answer["libcuda"]
    number = answer["libcuda"]["cuda_version"]
    version = f"{number // 1000}.{number % 1000 // 10}"
    assert version == max_cuda(branch), f"libcuda says {version}, the data {max_cuda(branch)}"
    print(f"ok: {os.path.basename(libcuda)}: NVML {answer['nvml']['state']}, CUDA {version}")


def main():
    child = sys.argv[1]
    work = os.path.join(os.environ["KF_BUILD"], "driver_libs")
    try:
        unpack_all(work)
    except Skipped as why:
        print(f"skipped: {why}")
        return 77
    # As root NVML makes /dev/nvidiactl even where no driver is loaded. (That is why doctor opens it
    # only where one is.) The machine is left as it was.
    before = device_files()
    try:
        for branch in LIBRARIES:
            check(child, work, branch)
    finally:
        for path in device_files() - before:
            os.remove(path)
    print(f"{len(LIBRARIES)} passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
