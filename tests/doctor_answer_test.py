#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `kernelfit doctor` answers about libraries beside torch, and that its fixes agree.

The expectations come from data/libraries/arch.csv (which CUDA's builds of bitsandbytes hold which
cards) and from data/torch/releases.csv (pairs); what is unknown exits 3.
The last part makes machines at random: whatever is wrong with them, the commands of one report
install one torch and only what belongs to it.
"""
import csv
import json
import os
import pathlib
import random
import re
import subprocess
import sys

KERNELFIT = os.environ["KERNELFIT"]
DATA = pathlib.Path(os.environ["KF_SOURCE"]) / "data"
ENV = dict(os.environ, ASAN_OPTIONS="detect_leaks=0", LC_ALL="C.UTF-8", COLUMNS="80")
FAILURES = []
NEW = ("--gpu", "RTX 5090", "--driver", "580.95.05")


def check(condition, text):
    if not condition:
        FAILURES.append(text)


def run(*arguments):
    return subprocess.run([KERNELFIT, *arguments], capture_output=True, text=True, env=ENV, timeout=60)


def doctor(*arguments):
    done = run("doctor", "--json", *arguments)
    return done.returncode, json.loads(done.stdout)


def verdicts(answer, library):
    return {row["verdict"] for row in answer["verdicts"] if row["library"] == library}


# bitsandbytes 0.50.2 holds sm_120 where it was built for CUDA 12.8 and newer, and nothing above
# sm_90 (with PTX of it) for 11.8 to 12.6.
BY_CUDA = [
    (("bitsandbytes==0.50.2",), NEW, "unknown", 3),
    (("bitsandbytes==0.50.2",), (*NEW, "--os", "windows"), "unknown", 3),
    (("bitsandbytes==0.50.2",), ("--gpu", "RTX 3090", "--driver", "580.95.05"), "native", 0),
    (("torch==2.15.0+cu132", "bitsandbytes==0.50.2"), NEW, "native", 0),
]
# GPU code of their own, and no table that says which: unknown, never a silent "everything fits".
UNLISTED = ["bitsandbytes==0.30.0", "vllm==0.5.0", "cupy-cuda11x==13.0.0", "xformers==0.0.28", "mamba-ssm==2.2.2"]


def libraries():
    for installed, machine, verdict, status in BY_CUDA:
        flags = [word for one in installed for word in ("--installed", one)]
        got, answer = doctor(*flags, *machine)
        found = verdicts(answer, "bitsandbytes")
        check(found == {verdict} and got == status, f"{installed} {machine}: {found}, exit {got}")
    for one in UNLISTED:
        got, answer = doctor("--installed", "torch==2.15.0+cu132", "--installed", one, *NEW)
        found = verdicts(answer, one.split("==")[0])
        check(found == {"unknown"} and got == 3 and answer["incomplete"] and answer["missing"],
              f"{one}: {found}, exit {got}, missing {answer['missing']}")
    for torch in ("2.7.1+cu128", "2.10.0+cu128"):  # nothing is known against it
        got, answer = doctor("--installed", f"torch=={torch}", *NEW)
        check(got == 0 and not answer["missing"], f"torch {torch}: exit {got}, {answer['missing']}")
    got, answer = doctor("--installed", "torch==2.15.0+cu132", "--installed", "numpy==2.3.0",
                         "--installed", "transformers==4.57.0", *NEW)
    check(got == 0 and not answer["missing"], f"packages without GPU code: exit {got}, {answer['missing']}")


def questions():
    done = run("doctor", "--installed", "torch==2.15.0", "--installed", "torch==2.6.0", *NEW)
    check(done.returncode == 2 and "2.15.0" in done.stderr and "2.6.0" in done.stderr, f"two torches: {done}")
    for command in ("doctor", "plan"):
        for language, word in (("en", "Arm"), ("zh", "Arm")):
            done = run(command, "--lang", language, "--gpu", "GB10", "--cpu-arch", "x86_64")
            check(word in done.stdout and "--cpu-arch x86_64" in " ".join(done.stdout.split()),
                  f"{command} {language} of a GB10 with x86_64:\n{done.stdout}")
    done = run("plan", "--gpu", "GB10", "--cpu-arch", "aarch64")
    check("--cpu-arch" not in done.stdout, f"GB10 with aarch64:\n{done.stdout}")


def rows(name):
    with open(DATA / name, newline="") as file:
        return list(csv.DictReader(file))


RELEASES = {row["torch"]: row for row in rows("torch/releases.csv")}
BUILDS = [row for row in rows("torch/builds.csv") if row["platform"] == "linux-x86_64" and row["confidence"] != "low"
          and row["channel"] == "pip" and row["build"].startswith("cu") and row["torch"] in RELEASES]
CARDS = ["GTX 1080 Ti", "Tesla V100", "RTX 2080 Ti", "RTX 3090", "RTX 4090", "RTX 5090", "Tesla K80", "7.5", "9.0"]
DRIVERS = ["470.256.02", "525.147.05", "535.183.01", "550.163.01", "570.211.01", "580.95.05", "none"]


def installs_of(answer):
    """The torch builds, and what stands beside each, in the commands of all findings."""
    torches, beside = set(), set()
    for finding in answer["findings"]:
        for fix in finding["fixes"][:1]:
            for command in fix["commands"]:
                torches |= set(re.findall(r"\btorch==([\w.+]+)", command))
                beside |= set(re.findall(r"\btorchvision==([\w.]+)(?:\+\w+)?", command))
    return torches, beside


def fixes(count):
    pick = random.Random(7)
    for _ in range(count):
        build, other = pick.choice(BUILDS), pick.choice(list(RELEASES.values()))
        tag = build["build"]
        vision = pick.choice([RELEASES[build["torch"]]["torchvision"], other["torchvision"] or "0.20.0"])
        flags = ["--installed", f"torch=={build['torch']}+{tag}", "--gpu", pick.choice(CARDS), "--driver",
                 pick.choice(DRIVERS), "--python", pick.choice(["3.9", "3.10", "3.12"])]
        if vision:
            flags += ["--installed", f"torchvision=={vision}"]
        _, answer = doctor(*flags)
        torches, beside = installs_of(answer)
        check(len(torches) <= 1, f"{flags}: fixes install {torches}")
        torch = next(iter(torches)).split("+")[0] if torches else build["torch"]
        pair = RELEASES[torch]["torchvision"]
        check(beside <= {pair}, f"{flags}: torchvision {beside} beside torch {torch}, whose pair is {pair}")


def main():
    libraries()
    questions()
    fixes(int(sys.argv[1]) if len(sys.argv) > 1 else 150)
    for failure in FAILURES:
        print("FAIL", failure)
    print(len(FAILURES), "failed")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
