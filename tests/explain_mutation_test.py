#!/usr/bin/env python3
"""The reports of tests/cases with another card, driver and torch in them: nothing hangs on a case.

Card, capability, driver, torch with its CUDA and its list of architectures are exchanged for other real
ones wherever the text names them; a card or a torch is added where it names only the other. Asserted: what was put in is what is read, and the findings about
card, driver and build are those that doctor, which reads no text, gives for the same machine.
KF_MUTATIONS: how many of each report (2).
"""
import collections
import csv
import json
import os
import pathlib
import random
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# A Jetson is a board: with another card it is none.
BOARD = re.compile(r"(?i)jetson|jetpack|\bl4t\b|tegra")
# What card, driver and build alone decide. Whether a torch exists for a Python (KF4004) doctor asks of
# a described machine only.
JUDGED = {"KF1001", "KF1007", "KF1010", "KF1022", "KF2001", "KF2002", "KF2005", "KF2008", "KF2009", "KF2011", "KF3001"}
# data/gpus/gpus.csv: one chip each.
CARDS = {"GeForce GTX 1080 Ti": "6.1", "Tesla T4": "7.5", "GeForce RTX 3070": "8.6", "GeForce RTX 4090": "8.9",
         "GeForce RTX 5090": "12.0", "Quadro P4000": "6.1", "GeForce GTX 980": "5.2"}
DRIVERS = ["390.157", "418.39", "470.256.02", "525.60.13", "535.183.01", "570.124.06", "580.95.05"]
TORCHES = ["1.7.1+cu110", "1.13.1+cu117", "2.0.1+cu118", "2.4.1+cu121", "2.6.0+cu126", "2.7.1+cu128", "2.9.1+cu126",
           "2.13.0+cu130"]


def run(arguments, text=""):
    env = dict(os.environ, ASAN_OPTIONS="detect_leaks=0")
    done = subprocess.run([os.environ["KERNELFIT"], *arguments, "--json"], input=text.encode(), capture_output=True,
                          timeout=120, env=env)
    assert done.returncode in (0, 1, 3), (arguments, done.returncode, done.stderr[-2000:])
    return json.loads(done.stdout)


def read_in(answer):
    out = collections.defaultdict(list)
    for fact in answer["input"]["recognised"]:
        out[fact["what"]].append(fact["value"])
    return out


def codes(answer):
    return {finding["code"] for finding in answer["findings"]} & JUDGED


def proved_by_a_line(answer):
    return {finding["code"] for finding in answer["findings"]
            if any(one["what"] == "the text" for one in finding["evidence"])}


def builds():
    with open(ROOT / "data/torch/builds.csv", newline="") as file:
        return {f"{row['torch']}+{row['build']}": row for row in csv.DictReader(file)
                if row["platform"] == "linux-x86_64" and row["channel"] == "pip"}


BUILDS = builds()
# A text that calls the card unfit or torch a CPU build is believed before the tables.
SAYS_ITSELF = {"arch-not-compatible", "arch-not-compatible-source", "no-longer-supported", "torch-not-compiled-with-cuda"}
ELSEWHERE = {"151"}  # FreeBSD, of which no table tells
SEVERAL_CARDS = {"045"}  # in one sentence: which of them is meant the text does not say
LIST = re.compile(r"((?:sm|compute)_\d+[a-z]?)([', ]+)(?:(?:sm|compute)_\d+[a-z]?[', ]+)+(?:sm|compute)_\d+[a-z]?")


def other_card(text, facts, card):
    new = CARDS[card]
    for name in set(facts["gpu"]):
        text = re.sub(re.escape(name), card, text, flags=re.I)
    for old in set(facts["capability"]):
        text = re.sub(rf"(?<![\d.]){re.escape(old)}(?!\.?\d)", new, text)
        text = re.sub(rf"\(({old.replace('.', '), (')})\)".replace("), (", ", ?"),
                      f"({new.replace('.', ', ')})", text)
        text = re.sub(rf"\bsm_?{old.replace('.', '')}\b", f"sm_{new.replace('.', '')}", text)
    return text


def other_torch(text, facts, torch):
    row = BUILDS[torch]
    archs = f"{row['sass']} {row['ptx']}".split()
    text = LIST.sub(lambda found: found[2].join(archs), text)
    for old in facts["torch"]:
        text = text.replace(old, torch)
    for old in facts["cuda_build"]:
        text = re.sub(rf"(CUDA used to build PyTorch\s*:\s*|torch\.version\.cuda\W+){re.escape(old)}",
                      rf"\g<1>{row['cuda']}", text)
    return text


def mutated(name, text, facts, rnd):
    put = {}
    if len(set(facts["torch"])) == 1:
        put["torch"] = rnd.choice(TORCHES)
        text = other_torch(text, facts, put["torch"])
    if not facts["torch"] and facts["gpu"]:
        put["torch"] = rnd.choice(TORCHES)
        text += f"\nPyTorch version: {put['torch']}\n"
    if not facts["gpu"] and facts["torch"]:
        put["gpu"] = rnd.choice(sorted(CARDS))
        text += f"\nGPU models and configuration: GPU 0: NVIDIA {put['gpu']}\n"
    if len(set(facts["gpu"])) == 1 and name not in SEVERAL_CARDS:
        put["gpu"] = rnd.choice(sorted(CARDS))
        text = other_card(text, facts, put["gpu"])
    if len(set(facts["driver"])) == 1:
        put["driver"] = rnd.choice(DRIVERS)
        text = text.replace(facts["driver"][0], put["driver"])
    return text, put


def branch_with(cuda):
    """The first branch with this CUDA that its toolkit accepts: "found version 12040" is R550."""
    data = ROOT / "data/cuda"
    with open(data / "driver_min.csv") as file:
        least = min((float(row["min_driver_linux"].split(".")[0]) for row in csv.DictReader(file) if row["cuda"] == cuda), default=0)
    with open(data / "driver_branches.csv") as file:
        return min((row["branch"] for row in csv.DictReader(file) if row["max_cuda"] == cuda and int(row["branch"]) >= least), key=int)


def described(facts, text):
    system = "wsl" if "WSL" in text else "windows" if re.search(r"Windows|:\\|WinError", text) else "linux"
    arm = re.search(r"(?i)aarch64|arm64", text)
    out = ["doctor", "--os", system, "--cpu-arch", "aarch64" if arm else "x86_64"]
    for card in facts["gpu"]:
        out += ["--gpu", card]
    if facts["driver"]:
        out += ["--driver", facts["driver"][0]]
    elif facts["driver_cuda"]:
        out += ["--driver", branch_with(facts["driver_cuda"][0])]
    return out + ["--installed", "torch==" + facts["torch"][0]]


def bare(name):
    return re.sub(r"(?i)^nvidia ", "", name)


def check(name, text, rnd):
    """Faults of one mutation, and whether the judge was asked as well."""
    text, put = mutated(name, text, read_in(run(["explain", "-"], text)), rnd)
    if not put:
        return [], False
    answer = run(["explain", "-"], text)
    facts = read_in(answer)
    faults = [f"{name}: {what} {value} is read as {facts[what]}" for what, value in put.items()
              if value not in map(bare, facts[what])]
    said_itself = BOARD.search(text) or SAYS_ITSELF & {message["id"] for message in answer["input"]["messages"]}
    if "gpu" not in put or "torch" not in put or said_itself or faults or name in ELSEWHERE:
        return faults, False
    said, known = codes(answer), codes(run(described(facts, text)))
    if known - said or said - known - proved_by_a_line(answer):
        faults.append(f"{name} with {put}: explain {sorted(said)}, doctor {sorted(known)}")
    return faults, True


def main():
    rnd = random.Random(20261201)
    faults, mutations, judged = [], 0, 0
    for path in sorted((ROOT / "tests/cases").glob("*.txt")):
        text = path.read_text(encoding="utf-8", errors="replace")
        for _ in range(int(os.environ.get("KF_MUTATIONS", "2"))):
            found, asked = check(path.stem, text, rnd)
            faults, mutations, judged = faults + found, mutations + 1, judged + asked
    print("\n".join(faults))
    print(f"{mutations} mutations, {judged} held against doctor; {len(faults)} faults")
    return 1 if faults or judged < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
