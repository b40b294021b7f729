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


# docs/compatibility.md 3: a Linux host loads one flavour of the kernel module, Pascal has the proprietary
# one only, Blackwell the open one only. Windows has no such split, and R580 is Pascal's last branch.
def one_host():
    cards = ("--gpu", "GTX 1080 Ti", "--gpu", "RTX 5090", "--python", "3.12")
    for driver in ("570.211.01", "580.95.05", "590.48.01"):
        for torch in ("2.9.0+cu128", "2.13.0+cu126"):
            machine = (*cards, "--driver", driver, "--installed", f"torch=={torch}")
            got, answer = doctor(*machine)
            lines = [line for finding in answer["findings"] for fix in finding["fixes"] for line in fix["commands"]]
            check(got == 1 and not any("VISIBLE_DEVICES" in line for line in lines), f"doctor {machine}: {got} {lines}")
            first = answer["findings"][0]["fixes"][0]
            check(first["action"]["kind"] == "other-hardware", f"doctor {machine}: {first}")
            done = run("plan", "--json", *machine)
            conflict = json.loads(done.stdout)["conflict"]
            check(done.returncode == 1 and conflict["change"] == "gpu", f"plan {machine}: {done.returncode} {conflict}")
    machine = (*cards, "--os", "windows", "--driver", "580.95.05", "--installed", "torch==2.9.0+cu128")
    got, answer = doctor(*machine)
    kinds = {fix["action"]["kind"] for finding in answer["findings"] for fix in finding["fixes"]}
    check(got == 1 and "install-build" in kinds and "other-hardware" not in kinds, f"Windows: {got} {kinds}")


# torch/ngc_images.csv, and what torch/builds.csv says the image's torch holds.
def old_glibc():
    flags = ("--driver", "580.95.05", "--glibc", "2.17", "--python", "3.10", "--installed", "torch==2.9.1+cu128")
    _, answer = doctor("--gpu", "RTX 5090", *flags)
    finding = next((one for one in answer["findings"] if one["name"] == "glibc-too-old"), None)
    check(finding is not None, f"KF3010 does not speak: {[one['name'] for one in answer['findings']]}")
    fix = next((one for one in (finding or {"fixes": []})["fixes"] if one["action"]["kind"] == "container-option"), None)
    check(fix is not None, f"KF3010 without a container: {finding}")
    if fix is None:
        return
    line = fix["commands"][0]
    tag = line.rsplit(":", 1)[-1]
    image = [row for row in rows("torch/ngc_images.csv") if row["image"] == "pytorch/pytorch" and row["tag"] == tag]
    check(line.startswith("docker run --gpus all ") and len(image) == 1, f"KF3010: {line}")
    held = [row["sass"] for row in rows("torch/builds.csv") if image and row["platform"] == "linux-x86_64"
            and (row["channel"], row["torch"], row["cuda"]) == ("pip", image[0]["torch"], image[0]["cuda"])]
    check(held and "sm_120" in held[0].split(), f"KF3010: {line} holds {held}")
    check("NVIDIA Container Toolkit" in fix["summary"], f"KF3010: {fix['summary']}")


# libraries/arch.csv: flash-attn 1.0 to 1.0.9 from 7.5 on, 2.0 to 2.8.3 from 8.0 on.
def flash_attention():
    for version, card, runs in (("1.0.9", "Tesla T4", True), ("2.7.4", "Tesla T4", False), ("2.7.4", "RTX 3090", True),
                                ("2.8.3", "Tesla T4", False), ("2.8.3", "GTX 1080 Ti", False)):
        _, answer = doctor("--gpu", card, "--driver", "580.95.05", "--installed", "torch==2.6.0+cu124", "--installed",
                           f"flash-attn=={version}")
        found = verdicts(answer, "flash-attn")
        check((found == {"no-code"}) == (not runs), f"flash-attn {version} on {card}: {found}")
        done = run("plan", "--gpu", card, "--driver", "580.95.05", f"flash-attn=={version}")
        text = " ".join(done.stdout.split())
        check(("not for" in text) == (not runs), f"plan flash-attn {version} on {card}:\n{done.stdout}")


# libraries/torch_pins.csv: vllm 0.11.0 asks for torch 2.8.0, 0.33.0 for 2.14.0; none is known for 2.15.0.
def packages_that_pin_torch():
    old = ("--installed", "torch==2.6.0+cu124", "--installed", "vllm==0.8.5", "--installed", "flash-attn==2.7.4")
    _, answer = doctor(*NEW, *old)
    whens = " ".join(fix.get("when") or "" for finding in answer["findings"] for fix in finding["fixes"])
    check("vllm" in whens and "flash-attn" in whens, f"doctor says nothing of vllm: {answer['findings']}")
    pinned = run("plan", "--json", *NEW, "vllm==0.11.0")
    check(json.loads(pinned.stdout)["choice"]["torch"] == "2.8.0", f"plan vllm==0.11.0: {pinned.stdout}")
    apart = json.loads(run("plan", "--json", *NEW, "vllm==0.11.0", "torch==2.9.0").stdout)
    check(apart["conflict"]["change"] == "package" and apart["choice"]["torch"] == "2.9.0", f"{apart['conflict']}")
    for torch, named in (("2.14.0", "0.33.0"), ("2.15.0", "none")):
        quiet = run("plan", "-q", *NEW, f"torch=={torch}", "--installed", "torch==2.8.0+cu126", "--installed", "vllm==0.11.0")
        check(any(line.startswith("#") and "vllm" in line and named in line for line in quiet.stdout.splitlines()),
              f"plan -q torch=={torch} beside vllm:\n{quiet.stdout}")


# torch/releases.csv: up to 2.2.2 "numpy<2".
def numpy():
    for torch, asked, apart in (("2.2.0", "numpy>=2", True), ("2.2.0", "numpy<2", False), ("2.2.0", "numpy==1.26.4", False),
                                ("2.3.0", "numpy>=2", False), ("2.2.0", "numpy", False)):
        done = run("plan", "--json", "--gpu", "RTX 3090", "--driver", "580.95.05", f"torch=={torch}", asked)
        answer = json.loads(done.stdout)
        check((answer["conflict"] is not None) == apart and answer["choice"]["torch"] == torch, f"{torch} {asked}: {done.stdout}")
        check(not any("numpy" in caveat for caveat in answer["caveats"]), f"{torch} {asked}: {answer['caveats']}")


# torch/jetpack.csv ends with 5.1.5, 6.2.1 and 7.1; torch/jetson.csv has JetPack 7 for Thor (11.0) alone.
def jetpacks():
    for words, status in ((("--jetpack", "5.9"), 2), (("--jetpack", "7.2"), 2), (("--jetpack", "8.0"), 2),
                          (("--jetpack", "7.1", "--gpu", "Jetson AGX Orin"), 3), (("--jetpack", "7.1"), 0),
                          (("--jetpack", "6.2.1", "--gpu", "Jetson AGX Orin", "--python", "3.10"), 0)):
        for language in ("en", "zh"):
            done = run("plan", "--lang", language, *words)
            check(done.returncode == status, f"plan {words}: {done.returncode}\n{done.stdout}{done.stderr}")
    done = run("doctor", "--jetpack", "7.1", "--gpu", "Jetson AGX Orin", "--installed", "torch==2.15.0+cu132")
    check(done.returncode == 2 and "7.1" in done.stderr, f"doctor of an Orin with JetPack 7.1: {done}")


# What holds for the whole machine comes before any torch.
def faults_first():
    host = str(pathlib.Path(os.environ["KF_SOURCE"]) / "tests" / "hosts" / "rtx4090-not-loaded")
    for language in ("en", "zh"):
        done = run("plan", "--host", host, "--lang", language)
        check(done.returncode == 1 and "KF1002" in done.stdout.splitlines()[0], f"plan --host rtx4090-not-loaded:\n{done.stdout}")
    answer = json.loads(run("plan", "--json", "--host", host).stdout)
    fixes_there = [line for finding in doctor("--host", host)[1]["findings"][:1] for line in finding["fixes"][0]["commands"]]
    check("KF1002" in answer["caveats"][0] and all(line in answer["caveats"][0] for line in fixes_there), f"{answer['caveats']}")
    quiet = run("plan", "-q", "--host", host).stdout.splitlines()
    check(quiet[0].startswith("# KF1002") and all(line in quiet for line in fixes_there), f"plan -q: {quiet}")


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
    one_host()
    old_glibc()
    flash_attention()
    packages_that_pin_torch()
    numpy()
    jetpacks()
    faults_first()
    fixes(int(sys.argv[1]) if len(sys.argv) > 1 else 150)
    for failure in FAILURES:
        print("FAIL", failure)
    print(len(FAILURES), "failed")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
