#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""doctor on every recorded machine of tests/hosts, against the expectation written in its README.

The head of tests/hosts/<name>/README.md (TOML between +++ lines, tests/hosts/README.md lists the
keys) says what is true of the machine; the text below it says why. Nothing here compares with an
earlier output. `hosts_test.py NAME…` runs those whose name contains one of the words, `-v` prints
what doctor said of each.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib

SOURCE = pathlib.Path(os.environ.get("KF_SOURCE", pathlib.Path(__file__).parent.parent))
HOSTS = SOURCE / "tests/hosts"
KERNELFIT = os.environ.get("KERNELFIT", str(SOURCE / "build/dev/kernelfit"))
KEYS = {"first", "also_acceptable", "case", "exit", "arguments", "verdicts", "problems", "never",
        "findings", "facts"}
# A word that no catalogue has is printed as <key>.
MISSING = re.compile(r"<[a-z][a-z0-9_]*(?:\.[a-z0-9_-]+)+>")


def run(host, *arguments):
    command = [KERNELFIT, "doctor", *arguments, "--host", str(host)]
    return subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)


def read_head(host):
    text = (host / "README.md").read_text(encoding="utf-8")
    head, prose = re.match(r"\+\+\+\n(.*?)\n\+\+\+\n(.*)", text, re.S).groups()
    expected = tomllib.loads(head)
    wrong = [f"README.md: unknown key {key}" for key in expected.keys() - KEYS]
    if "first" not in expected or "exit" not in expected:
        wrong.append("README.md: first and exit are needed")
    if len(prose.split()) < 20:
        wrong.append("README.md: the reasoning is missing")
    return expected, wrong


def find_fact(report, name):
    """"driver.version" -> the fact; gpu0 and env1 are entries of their lists."""
    room, _, key = name.partition(".")
    number = re.fullmatch(r"(gpu|env)(\d+)", room)
    if number:
        entries = report["gpus" if number[1] == "gpu" else "environments"]
        return entries[int(number[2])].get(key) if int(number[2]) < len(entries) else None
    return report["machine"].get(room, {}).get(key)


def said(fact):
    """What a fact says, as the heads write it: its value, or (absent), (unknown)."""
    if fact is None:
        return "(no such fact)"
    if fact["state"] not in ("known", "given"):
        return f"({fact['state']})"
    value = fact["value"]
    return {True: "yes", False: "no"}.get(value, str(value)) if value in (True, False) else str(value)


def verdict_lines(report):
    environments = {environment["path"]: i for i, environment in enumerate(report["environments"])}
    lines = []
    for verdict in report["verdicts"]:
        gpu = f"gpu{verdict['gpu_index']} " if verdict["gpu_index"] is not None else ""
        lines.append(f"{gpu}env{environments.get(verdict['env'], '?')} {verdict['library']} {verdict['verdict']}")
    return lines


def check_report(expected, report):
    names = [finding["name"] for finding in report["findings"]]
    first = names[0] if names else ""
    wrong = []
    if first not in [expected["first"], *expected.get("also_acceptable", [])]:
        wrong.append(f"first finding: {names or 'none'}, expected {expected['first'] or 'none'}")
    for name in set(names) & set(expected.get("never", [])):
        wrong.append(f"never: {name}")
    for name in expected.get("findings", []):
        if name not in names:
            wrong.append(f"finding {name} is missing: {names}")
    for name, value in expected.get("facts", {}).items():
        if said(find_fact(report, name)) != value:
            wrong.append(f"{name}: {said(find_fact(report, name))}, expected {value}")
    lines = verdict_lines(report)
    for line in expected.get("verdicts", []):
        if line not in lines:
            about = line.rsplit(" ", 1)[0] + " "
            wrong.append(f"verdict {line}: {[l for l in lines if l.startswith(about)] or lines}")
    for word in expected.get("problems", []):
        lines_with = [problem for problem in report["problems"] if word in problem]
        if len(lines_with) != 1:
            wrong.append(f"problem lines with {word}: {lines_with} of {report['problems']}")
    if "problems" not in expected and report["problems"]:
        wrong.append(f"problem lines: {report['problems']}")
    return wrong


def installed_torch(report, path):
    """The version of torch in this environment, as pip knows it."""
    for environment in report["environments"]:
        if environment["path"] == path:
            return next((p["version"] for p in environment["packages"] if p["name"] == "torch"), "")
    return ""


def check_advice(report):
    """Laws of advice: an error has a fix, the first one stands by itself, and no command is one that
    pip answers with "already satisfied": torch==1.7.1 is, over an installed 1.7.1+cpu."""
    wrong = []
    for finding in report["findings"]:
        fixes = finding["fixes"]
        if finding["severity"] == "error" and not fixes:
            wrong.append(f"{finding['name']}: no fix")
        if fixes and fixes[0]["summary"].startswith("or "):
            wrong.append(f"{finding['name']}: the first fix begins with \"or\": {fixes[0]['summary']}")
        torch = installed_torch(report, finding["subject"]["env"])
        for fix in fixes:
            removed = any("uninstall" in command or "conda remove" in command and " pytorch" in command
                          for command in fix["commands"])
            for command in fix["commands"]:
                wanted = re.search(r"\btorch==([^\s\"'+]+)(\+\S+)?", command)
                if not wanted or wanted[2] or removed or "--force-reinstall" in command:
                    continue
                if "pip install" in command and wanted[1] == torch.partition("+")[0]:
                    wrong.append(f"{finding['name']}: over {torch} this does nothing: {command}")
    return wrong


def check_paths(report):
    """A command that names LD_LIBRARY_PATH anew keeps the folders that other programs need."""
    wrong = []
    for finding in report["findings"]:
        for command in [line for fix in finding["fixes"] for line in fix["commands"]]:
            if not command.startswith("export LD_LIBRARY_PATH="):
                continue
            held = "/opt/mpi/lib:/usr/local/cuda/lib64/stubs:/usr/local/cuda/compat"
            shell = subprocess.run(["sh", "-c", command + "; printf %s \"$LD_LIBRARY_PATH\""], text=True,
                                   capture_output=True, env={**os.environ, "LD_LIBRARY_PATH": held})
            if "/opt/mpi/lib" not in shell.stdout.split(":"):
                wrong.append(f"{finding['name']}: {command} leaves {shell.stdout}")
            if finding["name"] == "stub-libcuda-loaded" and "stubs" in shell.stdout:
                wrong.append(f"{finding['name']}: {command} leaves {shell.stdout}")
    return wrong


def check_causes(report):
    """Where a torch does not run on a card that programs see, something says why."""
    for verdict in report["verdicts"]:
        index = verdict["gpu_index"]
        gpu = report["gpus"][index] if index is not None else None
        # One that another kernel driver holds (nouveau for the screen) is as hidden from CUDA.
        hidden = gpu is not None and (gpu["visible"]["value"] is False
                                      or gpu["bound_driver"]["value"] not in (None, "nvidia"))
        fails = verdict["verdict"] not in ("native", "ptx-jit", "partial", "unknown")
        if verdict["library"] == "torch" and fails and not hidden and not report["findings"]:
            return [f"{verdict['verdict']} in {verdict['env']}, and no finding says why"]
    return []


# What a report says in a language; all else is the same in every one.
SENTENCES = {"title", "why", "summary", "avoid", "what", "reason", "when", "problems", "missing", "notes"}


def without_sentences(value):
    if isinstance(value, dict):
        return {key: without_sentences(one) for key, one in value.items() if key not in SENTENCES}
    if isinstance(value, list):
        return [without_sentences(one) for one in value]
    return value


def check_other_language(host, arguments, report):
    answer = run(host, "--json", "--lang", "zh", *arguments)
    try:
        other = json.loads(answer.stdout.decode("utf-8"))
    except ValueError as error:
        return [f"--lang zh --json: {error}"]
    same = without_sentences(other) == without_sentences(report)
    return [] if same else ["--lang zh --json differs in more than its sentences"]


def check_machine(host, verbose):
    expected, wrong = read_head(host)
    exits = expected["exit"] if isinstance(expected["exit"], list) else [expected["exit"]]
    arguments = expected.get("arguments", [])
    answer = run(host, "--json", *arguments)
    if answer.returncode not in exits:
        wrong.append(f"exit {answer.returncode}, expected {exits}: {answer.stderr.decode()[:300]}")
    try:
        report = json.loads(answer.stdout.decode("utf-8"))
    except ValueError as error:
        return wrong + [f"stdout is no JSON: {error}: {answer.stderr.decode()[:300]}"]
    wrong += check_report(expected, report) + check_advice(report) + check_paths(report) + check_causes(report)
    wrong += check_other_language(host, arguments, report)
    for language in ("en", "zh"):
        text = run(host, "--lang", language, *arguments)
        if text.returncode != answer.returncode:
            wrong.append(f"--lang {language}: exit {text.returncode}")
        try:
            shown = text.stdout.decode("utf-8")
        except UnicodeDecodeError as error:
            wrong.append(f"--lang {language}: {error}")
            continue
        wrong += [f"--lang {language}: {key}" for key in MISSING.findall(shown)]
        if verbose and language == "en":
            print(shown)
    if verbose:
        print("\n".join(verdict_lines(report)), *report["problems"], sep="\n")
    return wrong


def main(words):
    verbose = "-v" in words
    words = [word for word in words if word != "-v"]
    hosts = sorted(path.parent for path in HOSTS.glob("*/host.toml"))
    if words:
        hosts = [host for host in hosts if any(word in host.name for word in words)]
    passed, failed = 0, 0
    for host in hosts:
        wrong = check_machine(host, verbose)
        passed, failed = passed + (not wrong), failed + bool(wrong)
        for line in wrong:
            print(f"{host.name}: {line}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not hosts else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
