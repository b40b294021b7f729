#!/usr/bin/env python3
"""2,000 random machines: what the solver chooses is what a brute force over all builds chooses.

The brute force is written apart from the solver, from docs/compatibility.md and the tables themselves: it reads
data/*.csv, knows nothing of src/, and lets `packaging` judge the wheel tags. Run with a number to
change how many machines, with a second one to change the seed.
"""
import csv
import functools
import itertools
import json
import os
import pathlib
import random
import re
import subprocess
import sys

try:
    from packaging import tags as packaging_tags
    from packaging.specifiers import SpecifierSet
    from packaging.version import Version
except ImportError:
    print("packaging is not installed")
    sys.exit(77)

DATA = pathlib.Path(os.environ["KF_SOURCE"]) / "data"
BATCH = pathlib.Path(os.environ["KF_BUILD"]) / "tests" / "kf_solve_batch"


def table(path):
    with open(DATA / path, newline="") as file:
        return list(csv.DictReader(file))


def numbers(text):
    return tuple(int(part) for part in re.findall(r"\d+", text))


BUILDS = table("torch/builds.csv")
RELEASES = {row["torch"]: row for row in table("torch/releases.csv")}
COMMANDS = table("torch/install_commands.csv")
DRIVER_MIN = table("cuda/driver_min.csv")
BRANCHES = sorted(table("cuda/driver_branches.csv"), key=lambda row: int(row["branch"]))
TOOLKITS = {row["cuda"]: row for row in table("cuda/toolkits.csv")}
CUDNN = [row for row in table("libraries/arch.csv") if row["library"] == "cudnn"]
TEGRA = {(3, 2), (5, 3), (6, 2), (7, 2), (8, 7), (10, 1), (11, 0)}


# --- cards: PCI id, capability, and the driver branches that know it, by docs/compatibility.md 3

def first_cuda(capability):
    """The first toolkit that compiles for it; (): the oldest that is known does."""
    known = sorted((numbers(cuda), row["sass"].split()) for cuda, row in TOOLKITS.items())
    word = "sm_%d%d" % capability
    able = [cuda for cuda, archs in known if word in archs]
    return () if not able or able[0] == known[0][0] else able[0]


def first_branch(capability):
    """The first branch whose chips reach the capability, and whose CUDA compiles for it."""
    needed = first_cuda(capability)
    for row in BRANCHES:
        if (numbers(row["cc_min"]) <= capability <= numbers(row["cc_max"])
                and numbers(row["max_cuda"]) >= needed):
            return int(row["branch"])
    return 0


class Card(tuple):
    """(major, minor); `notebook`: a Kepler GeForce notebook, whose Windows drivers end with 418."""
    notebook = False


def last_branch(card, windows):
    """Fermi 390, Kepler 470, Maxwell, Pascal and Volta 580, no end for what is newer."""
    if windows and card.notebook:
        return 418
    return {2: 390, 3: 470}.get(card[0], 580 if card < (7, 5) else 0)


# --- code: docs/compatibility.md 1, 2

def capability_of(word):
    digits = word.split("_")[1].rstrip("af")
    return int(digits[:-1]), int(digits[-1])


def sass_runs(word, card):
    code = capability_of(word)
    if code == card:
        return True
    if word[-1] == "a" or code in TEGRA or card in TEGRA:
        return False
    return code[0] == card[0] and code[1] <= card[1]


CARD_FLOOR = [(numbers(row["capability_min"]), numbers(row["cuda_min"]))
              for row in table("cuda/card_floor.csv")]


def code_of(row, card):
    """2 native, 1 by PTX, 0 none. The CUDA libraries must know the card too (docs/compatibility.md 4)."""
    if any(card >= capability and numbers(row["cuda"]) < cuda for capability, cuda in CARD_FLOOR):
        return 0
    if any(sass_runs(word, card) for word in row["sass"].split()):
        return 2
    return 1 if any(capability_of(word) <= card for word in row["ptx"].split()) else 0


# --- cuDNN: docs/compatibility.md 4

def cuda_covered(cell, cuda):
    for word in cell.split():
        if word.endswith(".x"):
            if int(word[:-2]) == cuda[0]:
                return True
        elif "-" in word:
            low, high = word.split("-")
            if numbers(low) <= cuda <= numbers(high):
                return True
        elif numbers(word) == cuda:
            return True
    return not cell


def cudnn_version(row):
    if row["cudnn"] or not row["channel"].startswith("third-party"):
        return row["cudnn"]
    for other in BUILDS:  # rebuilt by the official scripts
        if (other["channel"], other["torch"], other["build"], other["platform"]) == (
                "pip", row["torch"], row["build"], row["platform"]):
            return other["cudnn"]
    return ""


@functools.lru_cache(maxsize=None)
def cudnn_table_serves(version, cuda, card):
    rows = [row for row in CUDNN if cuda_covered(row["cuda"], cuda)]
    if version:
        wanted = numbers(version)
        rows = [row for row in rows
                if numbers(row["version_min"]) <= wanted
                and (not row["version_max"]
                     or wanted[:len(numbers(row["version_max"]))] <= numbers(row["version_max"]))]
    if not rows:
        return card >= (7, 5)
    return all(numbers(row["cc_min"]) <= card and card[0] <= numbers(row["cc_max"])[0]
               for row in rows)


def cudnn_serves(row, card):
    if row["channel"] == "conda-forge":  # pinned for Maxwell to Volta, unknown for Kepler
        return card >= (5, 0)
    version = cudnn_version(row)
    if not version and card >= (7, 5):
        return True
    return cudnn_table_serves(version, numbers(row["cuda"]), card)


# --- driver: docs/compatibility.md 3

def windows_first(row):
    return numbers(row["windows_versions"])[0]


def branch_number(version, windows):
    major = numbers(version)[0]
    if not windows:
        found = [int(row["branch"]) for row in BRANCHES if int(row["branch"]) <= major]
    else:
        found = [int(row["branch"]) for row in BRANCHES if windows_first(row) <= major]
    return found[-1] if found else 0


def branch_begin(branch, windows):
    row = next(row for row in BRANCHES if int(row["branch"]) == branch)
    return (windows_first(row),) if windows else (branch,)


@functools.lru_cache(maxsize=None)
def driver_floor(cuda_text, full, by_ptx, windows):
    """(minimum, ptx_isa): the toolkit's own driver before 11.1 and for PTX, else its major's."""
    cuda = numbers(cuda_text)
    rows = [row for row in DRIVER_MIN
            if numbers(row["cuda"]) == cuda and not row["note"].startswith("CONFLICT")]
    exact = [row for row in rows if row["toolkit"] == full]
    row = (exact or sorted(rows, key=lambda row: numbers(row["toolkit"])))[0]
    isa = numbers(TOOLKITS[cuda_text]["ptx_isa"]) if by_ptx else ()
    column = "windows" if windows else "linux"
    cell = row["min_driver_" + column] if by_ptx else row["minor_compat_min_" + column]
    if numbers(cell):
        return numbers(cell), isa
    # no number in the table: the first branch that serves this CUDA
    for branch in BRANCHES:
        if numbers(branch["max_cuda"]) >= cuda and branch["confidence"] != "low":
            return branch_begin(int(branch["branch"]), windows), isa
    return (), isa


def driver_range(row, cards, by_ptx, windows):
    """(minimum, first branch, last branch, PTX ISA, possible)"""
    minimum, isa = driver_floor(row["cuda"], row["cuda_full"], by_ptx, windows)
    first = max(first_branch(card) for card in cards)
    lasts = [last_branch(card, windows) for card in cards if last_branch(card, windows)]
    last = min(lasts) if lasts else 0
    possible = not last or (first <= last and branch_number(".".join(map(str, minimum)), windows) <= last)
    targets = [int(word.split("_")[1].rstrip("af")) for word in TOOLKITS[row["cuda"]]["sass"].split()]
    if targets and any(card[0] * 10 + card[1] < min(targets) for card in cards):
        possible = False
    return minimum, first, last, isa, possible


def driver_runs(driver, need, windows):
    minimum, first, last, isa, possible = need
    if not possible or driver == "none" or not minimum:
        return False
    branch = branch_number(driver, windows)
    ptx = next((numbers(row["max_ptx_isa"]) for row in BRANCHES if int(row["branch"]) == branch), ())
    return (branch >= first and (not last or branch <= last) and numbers(driver) >= minimum
            and (not isa or ptx >= isa))


def can_be_installed(need, windows):
    """Some branch has a last version in the range."""
    minimum, first, last, isa, possible = need
    column = "last_windows" if windows else "last_linux"
    for row in BRANCHES:
        version = numbers(row[column].split("/")[-1]) if row[column] else ()
        if (possible and version and version >= minimum and int(row["branch"]) >= first
                and (not last or int(row["branch"]) <= last)
                and (not isa or numbers(row["max_ptx_isa"]) >= isa)):
            return True
    return False


# --- Python and glibc

def python_fits(row, python):
    free_threaded = python.endswith("t")
    if python.rstrip("t") not in row["python"].split():
        return False
    if numbers(python) < numbers(RELEASES[row["torch"]]["python_min"]):
        return False  # 1.5.0 has cp27 files on the index, its torchvision has none anywhere
    if not free_threaded:
        return True
    return row["channel"] == "pip" and python in RELEASES[row["torch"]]["python_experimental"].split(";")


def glibc_fits(row, glibc):
    if not glibc:
        return True
    floor = "2.28" if row["channel"] == "conda-forge" else row["glibc_min"]
    if not floor and row["channel"] != "pip":  # built where the release's wheels are built
        floors = [other["glibc_min"] for other in BUILDS
                  if (other["channel"], other["torch"], other["platform"]) == ("pip", row["torch"], row["platform"])
                  and other["glibc_min"]]
        floor = min(floors, key=numbers, default="")
    return numbers(glibc) >= numbers(floor or "2.17")  # no tag is no promise: manylinux2014 at least


def months(date):
    return int(date[:4]) * 12 + int(date[5:7])


@functools.lru_cache(maxsize=None)
def common_python():
    """The newest Python that every release of 30 months has."""
    today = months(re.search(r"\d{4}-\d\d-\d\d", (DATA / "knowledge.toml").read_text()).group())
    lists = [set(row["python"].split()) for row in BUILDS
             if (row["channel"], row["platform"], row["pypi_default"]) == ("pip", "linux-x86_64", "yes")
             and months(RELEASES[row["torch"]]["release_date"]) >= today - 30]
    return max(set.intersection(*lists), key=numbers)


def best_python(row):
    pythons = sorted(row["python"].split(), key=numbers)
    good = [python for python in pythons if numbers(python) <= numbers(common_python())]
    return good[-1] if good else pythons[0]


# --- the choice

CHANNELS = {"pip": 0, "conda-pytorch": 1, "conda-pytorch-lts": 1, "conda-forge": 2}
CONFIDENCE = {"low": 0, "medium": 1, "high": 2}


@functools.lru_cache(maxsize=None)
def main_build(torch, platform):
    """What the default index carries; where it has no CUDA, Linux's if the release offers that here."""
    found = {row["platform"]: row["build"] for row in BUILDS
             if row["torch"] == torch and row["pypi_default"] == "yes" and row["cuda"]}
    if platform in found:
        return found[platform]
    offers = {row["official"] for row in COMMANDS
              if row["torch"] == torch and row["manager"] == "pip" and row["build"] == found.get("linux-x86_64")
              and platform in row["platform"].split(";")}
    return None if offers == {"no"} else found.get("linux-x86_64")


def tier(row, code, whole):
    sure = row["confidence"] != "low"
    return (code == 2 and whole, code == 2, sure)


def key(row, code, whole, any_python):
    """The official channel first; where the Python may change, the newest release first."""
    order = [-CHANNELS.get(row["channel"], 3), Version(row["torch"])]
    return (tier(row, code, whole), order[::-1] if any_python else order,
            row["build"] == main_build(row["torch"], row["platform"]), numbers(row["cuda"]),
            CONFIDENCE[row["confidence"]])


def flavors_clash(cards, machine):
    return (machine["os"] == "linux" and any(card[0] >= 10 for card in cards)
            and any(card < (7, 5) for card in cards))


def too_old_for_wsl(cards, machine):
    """libraries/arch.csv: NVIDIA names Pascal and later, Maxwell is reported to work."""
    return machine["os"] == "wsl" and any(card < (5, 0) for card in cards)


def brute_force(machine, cards):
    windows = machine["os"] in ("windows", "wsl")
    platform = ("windows" if machine["os"] == "windows" else "linux") + "-" + machine["arch"]
    if flavors_clash(cards, machine) or too_old_for_wsl(cards, machine):
        return "no-build", None
    found = {}
    for row in BUILDS:
        if row["platform"] != platform or not row["cuda"] or not glibc_fits(row, machine.get("glibc")):
            continue
        code = min(code_of(row, card) for card in cards)
        if not code:
            continue
        whole = all(cudnn_serves(row, card) for card in cards)
        need = driver_range(row, cards, code == 1, windows)
        runs = driver_runs(machine["driver"], need, windows)
        for driver, python in itertools.product((False, True), repeat=2):
            if not python and not python_fits(row, machine["python"]):
                continue
            if not (can_be_installed(need, windows) if driver else runs):
                continue
            found.setdefault((driver, python), []).append((row, code, whole))
    for change, verdict in (((False, False), "install"), ((True, False), "update-driver"),
                            ((False, True), "change-python"), ((True, True), "update-driver")):
        if change not in found:
            continue
        best = max(found[change], key=lambda one: key(*one, change[1]))[0]
        if change[1]:  # the Python is settled now: the choice is that of a question with it
            python = best_python(best)
            best = max((one for one in found[change] if best_python(one[0]) == python),
                       key=lambda one: key(*one, False))[0]
        return verdict, best
    return "no-build", None


# --- machines

def cards_to_draw():
    """The PCI ids of every capability that is not a Tegra's, from the table."""
    notebooks = {word.split(":")[0] for row in table("gpus/products.csv")
                 if row["form"] == "geforce-mobile" for word in row["pci_ids"].split()}
    by_capability = {}
    for row in table("gpus/pci_ids.csv"):
        capability = numbers(row["compute_capability"])[:2]
        if len(capability) < 2 or capability in TEGRA or row.get("subvendor") or capability < (2, 0):
            continue
        if capability > (12, 1) or capability == (10, 7):
            continue
        if capability[0] == 3 and row["device_id"] in notebooks:
            continue
        by_capability.setdefault(capability, []).append("10de:" + row["device_id"].lower())
    return by_capability


def random_machine(random_, cards):
    system = random_.choices(["linux", "windows", "wsl"], [6, 2, 1])[0]
    windows = system != "linux"
    branch = random_.choice([row for row in BRANCHES if int(row["branch"]) >= 384])
    column = "last_windows" if windows else "last_linux"
    driver = branch[column].split("/")[-1] if branch[column] else ""
    if random_.random() < 0.3 and not windows:
        driver = branch["branch"] + "." + str(random_.randint(10, 120)) + ".01"
    if not driver or random_.random() < 0.05:
        driver = "none"
    count = random_.choices([1, 2, 3], [7, 2, 1])[0]
    capabilities = [random_.choice(sorted(cards)) for _ in range(count)]
    machine = {
        "gpus": [random_.choice(cards[capability]) for capability in capabilities],
        "driver": driver, "os": system,
        "arch": "aarch64" if system == "linux" and random_.random() < 0.15 else "x86_64",
        "python": random_.choice(["2.7", "3.6", "3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.12", "3.13",
                                  "3.13t", "3.14", "3.14t", "3.15"]),
    }
    if system != "windows" and random_.random() < 0.8:
        machine["glibc"] = random_.choice(["2.12", "2.17", "2.27", "2.28", "2.31", "2.35", "2.36", "2.41"])
    return machine, [Card(capability) for capability in capabilities]


# --- wheel tags

def tags_of(python, glibc, arch, system):
    version = tuple(int(part) for part in python.rstrip("t").split("."))
    if system == "windows":
        platforms = ["win_amd64"]
    else:
        minor = int(glibc.split(".")[1])
        platforms = [f"manylinux_2_{n}_{arch}" for n in range(minor, 4, -1)]
        platforms += ["manylinux2014_" + arch, "manylinux2010_" + arch, "manylinux1_" + arch, "linux_" + arch]
    digits = "".join(map(str, version))
    abi = f"cp{digits}" + ("t" if python.endswith("t") else "m" if version < (3, 8) else "")
    return {str(tag) for tag in packaging_tags.cpython_tags(version, [abi], platforms)}


def tag_problem(machine, answer):
    choice = answer.get("choice")
    if not choice or choice["channel"].startswith("conda"):
        return None
    python = answer.get("after", {}).get("python") or machine["python"]
    if answer.get("after", {}).get("python"):
        python = choice["python"]
    supported = tags_of(python, machine.get("glibc", "2.41"), machine["arch"], machine["os"])
    if not choice["wheel_tags"]:
        return "no wheel tags"
    if not supported & set(choice["wheel_tags"]):
        return f"packaging would not take {choice['wheel_tags']} on {python}"
    return None


def disagreement(machine, capabilities, answer):
    verdict, row = brute_force(machine, capabilities)
    if answer["verdict"] != verdict:
        return f"verdict {answer['verdict']}, brute force {verdict} {row and (row['torch'], row['build'], row['channel'])}"
    if row is None:
        return None
    choice = answer["choice"]
    got = (choice["torch"], choice["build"], choice["channel"])
    if got != (row["torch"], row["build"], row["channel"]):
        return f"chose {got}, brute force {(row['torch'], row['build'], row['channel'])}"
    wanted = SpecifierSet("==" + row["torch"])
    if not wanted.contains(choice["torch"]):
        return "version"
    return tag_problem(machine, answer)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    random_ = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 20261130)
    cards = cards_to_draw()
    machines = [random_machine(random_, cards) for _ in range(count)]
    lines = "".join(json.dumps(machine) + "\n" for machine, _ in machines)
    run = subprocess.run([BATCH], input=lines, capture_output=True, text=True)
    answers = run.stdout.splitlines()
    if len(answers) != count:
        print(f"{len(answers)} answers of {count}\n{run.stderr[-3000:]}")
        return 1
    wrong = 0
    verdicts = {}
    for (machine, capabilities), line in zip(machines, answers):
        answer = json.loads(line)
        verdicts[answer["verdict"]] = verdicts.get(answer["verdict"], 0) + 1
        problem = disagreement(machine, capabilities, answer)
        if problem:
            wrong += 1
            if wrong <= 20:
                print(json.dumps(machine), capabilities, "\n   ", problem)
    print(f"{count} machines, {wrong} differ; " + ", ".join(f"{k} {v}" for k, v in sorted(verdicts.items())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
