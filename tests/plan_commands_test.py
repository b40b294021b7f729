#!/usr/bin/env python3
"""600 random wishes: a command names only builds that a table has, and never contradicts its conflict.

Written apart from the solver, from data/torch/*.csv alone. Every `package==version+build` of every pip
and uv line has to be named by a row of that very index (page, PyPI) for that platform; without a
conflict the first command grants every pin; with one it grants them not, and where nothing of the
machine stands in the way, all but the one that the conflict says to change. Run with a number to
change how many wishes, with a second one to change the seed.
"""
import csv
import json
import os
import pathlib
import random
import re
import subprocess
import sys

DATA = pathlib.Path(os.environ["KF_SOURCE"]) / "data"
BATCH = pathlib.Path(os.environ["KF_BUILD"]) / "tests" / "kf_solve_batch"
PAIRS = ("torch", "torchvision", "torchaudio")


def table(path):
    with open(DATA / path, newline="") as file:
        return list(csv.DictReader(file))


BUILDS = table("torch/builds.csv")
RELEASES = table("torch/releases.csv")
COMMANDS = [row for row in table("torch/install_commands.csv") if row["manager"] == "pip"]
HAVE = {(row["torch"], row["platform"], row["build"]) for row in BUILDS if row["channel"] == "pip"}


def numbers(text):
    return tuple(int(part) for part in re.findall(r"\d+", text))


def public(version):
    return version.split("+")[0]


def named(row, package):
    return row[package + "_spec"].split("==")[-1] if row[package + "_spec"] else ""


def rows_of(source, platform):
    return [row for row in COMMANDS
            if (row["index_url"] if row["index_flag"] else "PyPI") == source and platform in row["platform"].split(";")]


def is_named(package, version, source, platform):
    """A row of this source names the package in this version, with this local version or that of its index."""
    for row in rows_of(source, platform):
        if public(named(row, package)) != public(version):
            continue
        # since 2.12 the index has torchaudio of the release 2.11.0 only
        if package == "torchaudio" and "+" in version and numbers(row["torch"]) >= (2, 12):
            if (public(version), platform, row["build"]) not in HAVE:
                continue
        if "+" not in version or version == named(row, package) or version.split("+")[1] == row["build"]:
            return True
    return False


def source_of(line):
    for flag in ("--index-url", "--default-index", "--extra-index-url", "-f", "--find-links"):
        found = re.search(flag + r" (\S+)", line)
        if found:
            return found.group(1)
    return "PyPI"


def specs_of(line):
    return {name: version for name, version in re.findall(r'"?(torch|torchvision|torchaudio)==([^"\s]+)"?', line)}


def unknown_builds(answer, platform):
    blocks = answer["commands"] + [block for blocks in answer["alternative_commands"] for block in blocks]
    for block in blocks:
        if block["tool"] not in ("pip", "uv"):
            continue
        for line in block["lines"]:
            for package, version in specs_of(line).items():
                if not is_named(package, version, source_of(line), platform):
                    yield f"{package}=={version} is in no row of {source_of(line)} for {platform}: {line}"


def grants(specs, wish, beside):
    """A torchaudio that an index has not is left to a note: it is in `beside`."""
    package, version, build = wish
    have = specs.get(package, beside.get(package, ""))
    if package == "torch" and not version:
        return not build or have.endswith("+" + build)
    return public(have) == version and (not build or have.endswith("+" + build))


def first_line(answer):
    for block in answer["commands"]:
        if block["tool"] == "pip":
            for line in block["lines"]:
                if specs_of(line).get("torch"):
                    return line
    return None


def at_odds(answer, wishes):
    line = first_line(answer)
    if line is None or "://" in line.split("torch", 1)[0]:
        return
    specs, choice = specs_of(line), answer.get("choice", {})
    granted = [grants(specs, wish, {"torchaudio": choice.get("torchaudio", "")}) for wish in wishes]
    conflict = answer.get("conflict")
    if conflict is None:
        if not all(granted):
            yield f"no conflict, and the command grants {granted} of {wishes}: {line}"
        return
    if all(granted):
        yield f"the command grants all that the conflict says cannot be: {line}"
    kinds = [part["kind"] for part in conflict["parts"]]
    if conflict["change"] in PAIRS[1:] and set(kinds) <= {"torch", "build", "torchvision", "torchaudio"}:
        for (package, version, build), ok in zip(wishes, granted):
            if package != conflict["change"] and package in kinds and not ok:
                yield f"{conflict['change']} is to change, and the command gives up {package}=={version}+{build}: {line}"


def random_wishes(random_):
    release = random_.choice(RELEASES[-25:] if random_.random() < 0.8 else RELEASES)
    out = []
    for package in PAIRS:
        if random_.random() < 0.5:
            continue
        row = release if random_.random() < 0.5 else random_.choice(RELEASES[-12:])
        version = row[package]
        if not version:
            continue
        build = ""
        if random_.random() < 0.3 and not any(wish[2] for wish in out):
            build = random_.choice(["cu118", "cu121", "cu124", "cu126", "cu128", "cu129", "cu130", "cu132", "cpu"])
        out.append((package, version, build))
    return out


def random_request(random_, wishes):
    system = random_.choices(["linux", "windows", "wsl"], [6, 3, 1])[0]
    arm = system == "linux" and random_.random() < 0.2
    request = {
        "gpus": [random_.choice(["5.2", "6.1", "7.0", "7.5", "8.0", "8.6", "8.9", "9.0", "10.0", "12.0"])
                 for _ in range(random_.choices([1, 2], [5, 1])[0])],
        "driver": random_.choice(["450.80.02", "470.256.02", "525.147.05", "535.309.01", "550.54.14", "570.211.01",
                                  "580.65.06", "590.44.01", "none", ""]),
        "os": system, "arch": "aarch64" if arm else "x86_64",
        "python": random_.choice(["3.8", "3.9", "3.10", "3.11", "3.12", "3.12", "3.13", "3.14", ""]),
        "pins": [f"{package}=={version}" + ("+" + build if build else "")
                 for package, version, build in wishes if package != "torch"],
    }
    if system != "linux" and request["driver"]:
        request["driver"] = random_.choice(["474.30", "528.33", "551.61", "572.83", "581.42", "none"])
    for package, version, build in wishes:
        if package == "torch":
            request["want"] = version + ("+" + build if build else "")
    return request, ("windows" if system == "windows" else "linux") + ("-aarch64" if arm else "-x86_64")


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 600
    random_ = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 20261201)
    asked = []
    for _ in range(count):
        wishes = random_wishes(random_)
        asked.append((wishes, *random_request(random_, wishes)))
    run = subprocess.run([BATCH], input="".join(json.dumps(request) + "\n" for _, request, _ in asked),
                         capture_output=True, text=True)
    answers = run.stdout.splitlines()
    if len(answers) != count:
        print(f"{len(answers)} answers of {count}\n{run.stderr[-3000:]}")
        return 1
    wrong = commands = conflicts = 0
    for (wishes, request, platform), line in zip(asked, answers):
        answer = json.loads(line)
        commands += len(answer["commands"])
        conflicts += "conflict" in answer
        for problem in [*unknown_builds(answer, platform), *at_odds(answer, wishes)]:
            wrong += 1
            if wrong <= 20:
                print(json.dumps(request), "\n   ", answer.get("conflict", {}).get("advice", ""), "\n   ", problem)
    print(f"{count} wishes, {commands} blocks, {conflicts} conflicts, {wrong} wrong")
    return 1 if wrong or not commands or not conflicts else 0


if __name__ == "__main__":
    sys.exit(main())
