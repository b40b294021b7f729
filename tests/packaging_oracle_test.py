#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""PackageVersion and VersionSpecifier answer as `packaging`, the library of pip, does.

packaging_oracle_test.py BATCH: BATCH is the program of version_batch.cc. Every pair of a list of
versions is compared, every specifier is asked for every version, and random ones on top.
"""
import itertools
import random
import subprocess
import sys

try:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.version import InvalidVersion, Version
except ImportError:
    print("skipped: the Python package `packaging` is not installed (Debian: python3-packaging)")
    sys.exit(77)

VERSIONS = """
0 0.0 1 1.0 1.0.0 1.1 1.10 1.2 1.2.3 2.13.0 2.13.0+cu126 2.13.0+cu118 2.13.0+cpu 2.13.0+cu126.1
2.6.0.dev20241222+cu126 2.6.0.dev20241222 2.6.0.dev20241222153000 2.6.0a0+git1234 2.6.0a0 2.6.0a1
2.6.0b1 2.6.0b2.post1 2.6.0rc1 2.6.0rc2 2.6.0.rc.3 2.6.0-alpha-4 2.6.0c5 2.6.0_beta 2.6.0preview7
2.6.0 2.6.0.post1 2.6.0-1 2.6.0.rev4 2.6.0r5 2.6.0.post 2.6.0.post1.dev2 2.6.0a1.dev3
2.6.0a1.post2.dev3 v2.6.0 V2.6.0 2.6.0.0 2.6 1!0.1 1!2.6.0 1!2.6.0+cu126 2!0 2024.12.22 1.0+abc
1.0+abc.1 1.0+abc.10 1.0+10 1.0+9 1.0+ABC 1.0+abc-1 1.0+abc_1 1.0+0abc 1.0+1.abc 1.0+001 1.0+1
1.0.dev 1.0.dev0 1.0a 1.0a0 1.0.a.1 1.0.post0 8.9.7.29 12.6.4.1 9.10.2.21
""".split()
INVALID = ["", "abc", "1.", ".1", "1..0", "1.0+", "1.0+a..b", "1.0++a", "1.0 1", "1.0-", "1.0.x",
           "1.0post-", "!1.0", "1!", "1.0+a+b", "1.0*", "1.0.*", "2.13.0cu126", "1.0-a-b"]
OPERATORS = ["==", "!=", "<=", ">=", "<", ">", "~="]
SETS = [">=3.10,<3.13", ">=3.10, <3.13,", "!=2.0.1,>=2", "==2.15.*", "==2.6.*", "!=2.6.*", "==2.*",
        "==1!2.*", "===2.6.0", "===1.0+abc", ">= 1.0 , != 1.1", "", ",", "== 2.6.0.* , >2.6",
        "~=2.6", "~=2.6.0", "~=2.6.0a1", "~=2.6.0.post1", "~=1!2.6"]
INVALID_SETS = ["2.6", "=2.6", "=>2.6", ">=2.*", "<2.6.*", "~=2", "==", ">=abc", ">=2.1+cu121",
                "~=2.1+cu121", "<2.1+cu121", "== 2 3", "!", "~=2.*"]


def parsed(text):
    try:
        return Version(text)
    except InvalidVersion:
        return None


def specifiers(text):
    try:
        return SpecifierSet(text)
    except InvalidSpecifier:
        return None


def expected_compare(left, right):
    a, b = parsed(left), parsed(right)
    if a is None or b is None:
        return "invalid"
    return "<" if a < b else ">" if a > b else "="


def expected_contains(specifier, version, which):
    wanted, found = specifiers(specifier), parsed(version)
    if wanted is None or found is None:
        return "invalid"
    return "yes" if wanted.contains(found, prereleases=which == "all") else "no"


def releases_disagree(question):
    """What PEP 440 leaves open: releases 23 and 26 of packaging answer each other's questions so."""
    if question[0] != "contains":
        return False
    operator, bound = question[1][:1], parsed(question[1].lstrip("<>=~! "))
    version = parsed(question[2])
    if bound is None or version is None:
        return False
    final = not (bound.is_prerelease or bound.is_postrelease)
    return (operator in "<>" and "=" not in question[1] and not final
            or operator == "~" and bound.epoch != version.epoch)


def random_version(pick):
    text = pick.choice(["", "", "", "1!"]) + ".".join(
        str(pick.choice([0, 1, 2, 10])) for _ in range(pick.randint(1, 4)))
    text += pick.choice(["", "", "", "a1", "b2", "rc1", ".rc.2", "-alpha"])
    text += pick.choice(["", "", "", ".post1", "-2", "r3", ".post"])
    text += pick.choice(["", "", "", ".dev1", "dev20241222", "-dev"])
    return text + pick.choice(["", "", "", "+cu126", "+1", "+a.1", "+A-2"])


def questions():
    for left, right in itertools.product(VERSIONS + INVALID, repeat=2):
        yield "compare", left, right
    singles = [op + version for op in OPERATORS for version in VERSIONS]
    for specifier, version in itertools.product(singles + SETS + INVALID_SETS, VERSIONS):
        yield "contains", specifier, version, "all"
        yield "contains", specifier, version, "final"
    pick = random.Random(3)
    for _ in range(20000):
        left, right = random_version(pick), random_version(pick)
        yield "compare", left, right
        yield "contains", pick.choice(OPERATORS) + left, right, "all"


def main():
    asked = [question for question in questions() if not releases_disagree(question)]
    text = "".join("\t".join(question) + "\n" for question in asked)
    answers = subprocess.run([sys.argv[1]], input=text, capture_output=True, text=True,
                             check=True).stdout.splitlines()
    assert len(answers) == len(asked), (len(answers), len(asked))
    failed = 0
    for question, answer in zip(asked, answers):
        expected = {"compare": expected_compare, "contains": expected_contains}[question[0]](
            *question[1:])
        if answer != expected:
            failed += 1
            if failed <= 40:
                print(f"{question}: packaging says {expected}, kernelfit {answer}")
    print(f"{len(asked) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


main()
