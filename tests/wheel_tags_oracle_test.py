#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wheel tags and wheel names are judged as `packaging`, the library of pip, judges them.

wheel_tags_oracle_test.py BATCH: BATCH is the program of wheel_tags_batch.cc. For every target the
set of supported tags is compared, and thousands of tags are asked one by one.
"""
import random
import subprocess
import sys

try:
    from packaging import tags as packaging_tags
    from packaging.utils import InvalidWheelFilename, parse_wheel_filename
    from packaging.version import InvalidVersion
except ImportError:
    print("skipped: the Python package `packaging` is not installed (Debian: python3-packaging)")
    sys.exit(77)

PYTHONS = ["2.7", "3.6", "3.7", "3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.13t", "3.14"]
LINUX = [(cpu, glibc, "") for cpu in ("x86_64", "aarch64") for glibc in ("2.5", "2.12", "2.17", "2.28", "2.41")]
MUSL = [("x86_64", "", "1.1"), ("aarch64", "", "1.2")]
LEGACY = {"manylinux2014": 17, "manylinux2010": 12, "manylinux1": 5}
NAMES = """
torch-2.13.0+cu126-cp312-cp312-manylinux_2_28_x86_64.whl
torch-1.0-1-cp37-cp37m-win_amd64.whl
torch-1.0-2_x-cp37-cp37m-win_amd64.whl
six-1.16.0-py2.py3-none-any.whl
nvidia_cublas_cu12-12.6.4.1-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl
triton-3.1.0-cp38.cp39-abi3-manylinux2014_x86_64.manylinux_2_17_x86_64.whl
torch-2.1.0.tar.gz
torch-2.1.0-cp310-cp310.whl
torch-x.y-cp310-cp310-linux_x86_64.whl
torch-2.1.0a0+git123-cp310-cp310-linux_aarch64.whl
""".split()


def platforms(system, cpu, glibc, musl):
    """What packaging's _manylinux and _musllinux would list on such a machine."""
    if system == "windows":
        return ["win_amd64" if cpu == "x86_64" else "win_arm64"]
    if musl:
        major, minor = musl.split(".")
        found = [f"musllinux_{major}_{m}_{cpu}" for m in range(int(minor), -1, -1)]
        return found + [f"linux_{cpu}"]
    found = []
    oldest = 5 if cpu == "x86_64" else 17
    for minor in range(int(glibc.split(".")[1]), oldest - 1, -1):
        found.append(f"manylinux_2_{minor}_{cpu}")
        found += [f"{name}_{cpu}" for name, number in LEGACY.items()
                  if number == minor and (cpu == "x86_64" or minor == 17)]
    return found + [f"linux_{cpu}"]


def abis(python, system):
    version = tuple(int(part) for part in python.rstrip("t").split("."))
    base = "cp" + "".join(str(part) for part in version)
    if python.endswith("t"):
        return [base + "t"]
    if version >= (3, 8):
        return [base]
    if version >= (3, 3) or system == "windows":
        return [base + "m"]
    return [base + "mu", base + "m"]  # a wide and a narrow build: which one is not asked


def expected_tags(python, system, cpu, glibc, musl):
    version = tuple(int(part) for part in python.rstrip("t").split("."))
    names = platforms(system, cpu, glibc, musl)
    found = set(map(str, packaging_tags.cpython_tags(version, abis(python, system), names)))
    if python.endswith("t"):  # Debian's packaging is older than free threading
        found = {tag for tag in found if "-abi3-" not in tag}
    interpreter = "cp" + "".join(str(part) for part in version)
    found |= set(map(str, packaging_tags.compatible_tags(version, interpreter, names)))
    return found


def targets():
    for python in PYTHONS:
        for cpu, glibc, musl in LINUX + MUSL:
            yield python, "linux", cpu, glibc, musl
        for cpu in ("x86_64", "aarch64"):
            yield python, "windows", cpu, "", ""


def expected_name(file):
    try:
        name, version, build, found = parse_wheel_filename(file)
    except (InvalidWheelFilename, InvalidVersion):
        return "invalid"
    number = "".join(str(part) for part in build) or "-"
    return f"{name} {version} {number} " + " ".join(sorted(map(str, found)))


def normal(answer):
    """Our answer in the form of expected_name: names normalised, tags sorted."""
    if answer == "invalid":
        return answer
    name, version, build, *found = answer.split(" ")
    return f"{name.lower().replace('_', '-')} {version} {build} " + " ".join(sorted(found))


def main():
    everything = list(targets())
    wanted = {target: expected_tags(*target) for target in everything}
    pool = sorted(set().union(*wanted.values()))
    pool += ["cp3-none-any", "cp312-cp312-any", "py4-none-any", "cp312-abi3-macosx_11_0_arm64",
             "cp31-abi3-linux_x86_64", "py2.py3-none-any", "cp312-cp312-manylinux_2_2_x86_64",
             "cp312-cp312-manylinux_3_1_x86_64", "cp312-cp311-linux_x86_64", "pp310-none-any"]
    chance = random.Random(3)
    questions, answers = [], []
    for target in everything:
        python, system, cpu, glibc, musl = target
        text = ",".join([python, "cp", system, cpu, glibc, musl])
        questions.append(f"tags\t{text}")
        answers.append(wanted[target])
        for tag in chance.sample(pool, 300):
            questions.append(f"fits\t{text}\t{tag}")
            expanded = set(map(str, packaging_tags.parse_tag(tag)))
            answers.append("yes" if expanded & wanted[target] else "no")
    for file in NAMES:
        questions.append(f"name\t{file}")
        answers.append(expected_name(file))
    ran = subprocess.run([sys.argv[1]], input="\n".join(questions) + "\n", capture_output=True,
                         text=True, check=True)
    got = ran.stdout.splitlines()
    assert len(got) == len(answers), (len(got), len(answers))
    failed = 0
    for question, answer, want in zip(questions, got, answers):
        if isinstance(want, set):
            answer = set(answer.split(" "))
            same = answer == want
            detail = sorted(answer ^ want)[:8] if not same else ""
        else:
            answer = normal(answer) if question.startswith("name") else answer
            same, detail = answer == want, (answer, want)
        if not same:
            failed += 1
            if failed <= 20:
                print("FAIL", question.replace("\t", " "), detail)
    print(f"{len(answers) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
