#!/usr/bin/env python3
"""Our commands, run by the real pip and uv against a local index of tiny wheels.

A torch of one CUDA build is installed; the command of the plan must replace it, and the forms that
forums give (`pip install torch`, `torch==X`) must be the ones that change nothing. Without pip, or
for uv without PyPI, the test (or its half) is skipped.
"""
import hashlib
import http.server
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import zipfile

BUILD = pathlib.Path(os.environ["KF_BUILD"])
BATCH = BUILD / "tests" / "kf_solve_batch"
OFFICIAL = "https://download.pytorch.org/whl"
NO_PROXY = {"NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}


def write_wheel(folder, name, version):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{name}/__init__.py", f"__version__ = {version!r}\n")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return path


def write_page(folder, wheels):
    folder.mkdir(parents=True, exist_ok=True)
    links = "".join(
        f'<a href="/files/{path.parent.name}/{path.name.replace("+", "%2B")}#sha256='
        f'{hashlib.sha256(path.read_bytes()).hexdigest()}">{path.name}</a><br>\n' for path in wheels)
    (folder / "index.html").write_text(f"<!DOCTYPE html><html><body>\n{links}</body></html>\n")


def write_index(root, where, packages):
    """packages: name -> versions. A PEP 503 index at root/where."""
    for name, versions in packages.items():
        wheels = [write_wheel(root / "files" / (where.replace("/", "-")), name, version) for version in versions]
        write_page(root / where / name, wheels)


def serve(root):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args, **kwargs):
            super().__init__(*args, directory=str(root), **kwargs)

        def log_message(self, *_):
            pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


def plan(request):
    run = subprocess.run([BATCH], input=json.dumps(request) + "\n", capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def line_of(answer, tool):
    return next(block["lines"][-1] for block in answer["commands"] if block["tool"] == tool)


class Environment:
    def __init__(self, folder, base, uv):
        self.python = folder / "bin" / "python"
        self.base = base
        self.uv = uv
        self.env = {**os.environ, **NO_PROXY, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_CACHE_DIR": "1",
                    "PIP_CONFIG_FILE": os.devnull, "PIP_INDEX_URL": base + "/pypi", "UV_NO_CONFIG": "1", "UV_INDEX_URL": base + "/pypi",
                    "UV_NO_CACHE": "1"}

    def run(self, line, **more):
        """A line as a person would paste it; the official index is the local one."""
        words = shlex.split(line.replace(OFFICIAL, self.base + "/whl"))
        if words[0] == "python":
            words[0] = str(self.python)
        if words[0] == "uv":
            words[0] = self.uv
            words[3:3] = ["--python", str(self.python)]
        done = subprocess.run(words, capture_output=True, text=True, env={**self.env, **more})
        return done.returncode, done.stdout + done.stderr

    def version(self, name="torch"):
        code = f"from importlib.metadata import version; print(version({name!r}))"
        return subprocess.run([str(self.python), "-c", code], capture_output=True, text=True).stdout.strip()


def check(failures, truth, what):
    print("ok  " if truth else "FAIL", what)
    if not truth:
        failures.append(what)


# Forms that change nothing over an installed 2.13.0+cu130.
REFUSED = ["{tool} torch", "{tool} torch==2.13.0", "{tool} torch==2.13.0 --index-url " + OFFICIAL + "/cu126",
           "{tool} torch --index-url " + OFFICIAL + "/cu126"]


def check_tool(failures, environment, tool, call):
    request = {"gpus": ["10de:1b06"], "driver": "580.95.05", "os": "linux", "arch": "x86_64", "python": "3.12",
               "glibc": "2.36", "installed": ["torch==2.13.0+cu130", "torchvision==0.28.0+cu130"]}
    line = line_of(plan(request), tool)
    start = call + " torch==2.13.0+cu130 torchvision==0.28.0+cu130 --index-url " + OFFICIAL + "/cu130"
    for form in REFUSED:
        environment.run(start)
        status, output = environment.run(form.format(tool=call))
        check(failures, status == 0 and environment.version() == "2.13.0+cu130",
              f"{tool}: `{form.format(tool=call)}` changes nothing")
        if tool == "pip":
            check(failures, "already satisfied" in output, "pip: and says already satisfied")
    for refused in ("torch\"", "torch==2.13.0\""):
        check(failures, refused not in line, f"{tool}: the plan does not say {refused}")
    # People with a PyPI mirror have these set; the command's own index has to win.
    mirror = {"UV_DEFAULT_INDEX": environment.base + "/pypi", "PIP_INDEX_URL": environment.base + "/pypi"}
    status, output = environment.run(line, **mirror)
    check(failures, status == 0 and environment.version() == "2.13.0+cu126", f"{tool}: `{line}` replaces torch")
    check(failures, environment.version("torchvision") == "0.28.0+cu126", f"{tool}: and torchvision with it")
    if status:
        print(output[-2000:])


def check_damaged(failures, environment, tool, call):
    """A file of the package is gone: only force brings it back, and it touches nothing else."""
    environment.run(call + " torch==2.13.0+cu126 torchvision==0.28.0+cu126 --index-url " + OFFICIAL + "/cu126")
    code = "import torch; print(torch.__file__)"
    found = subprocess.run([str(environment.python), "-c", code], capture_output=True, text=True).stdout.strip()
    pathlib.Path(found).unlink()
    request = {"gpus": ["10de:1b06"], "driver": "580.95.05", "os": "linux", "python": "3.12", "glibc": "2.36",
               "installed": ["torch==2.13.0+cu126"], "damaged": True}
    line = line_of(plan(request), tool)
    status, output = environment.run(line)
    check(failures, status == 0 and pathlib.Path(found).exists(), f"{tool}: `{line}` restores the file")
    if status:
        print(output[-2000:])


def check_component(failures, environment, tool, call):
    """torchvision of PyPI's CUDA beside a good torch: only torchvision is replaced."""
    environment.run(call + " torch==2.14.1+cu126 --index-url " + OFFICIAL + "/cu126")
    environment.run(call + " torchvision==0.29.1")
    request = {"gpus": ["10de:1b06"], "driver": "580.95.05", "os": "linux", "python": "3.12", "glibc": "2.36",
               "installed": ["torch==2.14.1+cu126", "torchvision==0.29.1"]}
    answer = plan(request)
    check(failures, answer["verdict"] == "fix-component", "fix-component is the verdict")
    line = line_of(answer, tool)
    status, _ = environment.run(line)
    check(failures, status == 0 and environment.version("torchvision") == "0.29.1+cu126", f"{tool}: `{line}` replaces torchvision")
    check(failures, environment.version() == "2.14.1+cu126", f"{tool}: and leaves torch alone")


def check_no_local_version(failures, environment, tool, call):
    """1.4.0 of CUDA 10.1 is plain 1.4.0: over 1.4.0+cpu it is satisfied, so that one has to go first."""
    environment.run(call + " torch==1.4.0+cpu torchvision==0.5.0+cpu --index-url " + OFFICIAL + "/cpu")
    environment.run(call + " torch==1.4.0 torchvision==0.5.0")
    check(failures, environment.version() == "1.4.0+cpu", f"{tool}: `torch==1.4.0` changes nothing")
    request = {"gpus": ["10de:1b06"], "driver": "440.33.01", "os": "linux", "python": "3.7",
               "installed": ["torch==1.4.0+cpu", "torchvision==0.5.0+cpu"]}
    block = next(block for block in plan(request)["commands"] if block["tool"] == tool)
    statuses = [environment.run(line)[0] for line in block["lines"]]
    check(failures, not any(statuses) and environment.version() == "1.4.0", f"{tool}: {block['lines']} replaces torch")
    check(failures, environment.version("torchvision") == "0.5.0", f"{tool}: and torchvision with it")


def check_offline(failures, environment, folder):
    """What is fetched into the folder is enough for an install that may not look anywhere else."""
    request = {"gpus": ["10de:1b06"], "driver": "580.95.05", "os": "linux", "arch": "x86_64", "python": "3.12",
               "glibc": "2.36", "offline": str(folder)}
    fetch, install = [block["lines"][-1] for block in plan(request)["commands"] if block["tool"] == "pip"]
    status, output = environment.run(fetch)
    found = sorted(path.name for path in folder.glob("*.whl"))
    check(failures, status == 0 and "torch-2.14.1+cu126-py3-none-any.whl" in found, f"pip: `{fetch}` fetches")
    if status:
        print(output[-2000:])
    environment.run("python -m pip uninstall -y torch torchvision torchaudio")
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple"}
    status, output = environment.run(install, **nowhere)
    check(failures, status == 0 and environment.version() == "2.14.1+cu126", f"pip: `{install}` installs")
    if status:
        print(output[-2000:])


def find_uv(folder):
    """uv on PATH, or its wheel from PyPI, kept in the build folder."""
    from shutil import which
    if which("uv"):
        return which("uv")
    target = BUILD / "uv-from-pypi"
    binary = target / "uv"
    if binary.exists():
        return str(binary)
    run = subprocess.run([sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", "-d", str(folder), "uv"],
                         capture_output=True, text=True, timeout=300)
    wheels = list(folder.glob("uv-*.whl"))
    if run.returncode or not wheels:
        return None
    target.mkdir(exist_ok=True)
    with zipfile.ZipFile(wheels[0]) as wheel:
        name = next((name for name in wheel.namelist() if re.search(r"/scripts/uv$", name)), None)
        if name is None:
            return None
        binary.write_bytes(wheel.read(name))
    binary.chmod(0o755)
    return str(binary)


def main():
    failures = []
    with tempfile.TemporaryDirectory() as temporary:
        root = pathlib.Path(temporary)
        site = root / "site"
        for build in ("cu126", "cu130"):
            write_index(site, "whl/" + build, {
                "torch": [f"2.13.0+{build}", f"2.14.1+{build}"],
                "torchvision": [f"0.28.0+{build}", f"0.29.1+{build}"], "torchaudio": [f"2.11.0+{build}"]})
        write_index(site, "whl/cpu", {"torch": ["1.4.0+cpu"], "torchvision": ["0.5.0+cpu"]})
        write_index(site, "pypi", {"torch": ["1.4.0", "2.13.0"], "torchvision": ["0.5.0", "0.28.0", "0.29.1"],
                                   "torchaudio": ["2.11.0"]})
        base = serve(site)
        uv = find_uv(root)
        made = subprocess.run([sys.executable, "-m", "venv", str(root / "env")], capture_output=True, text=True)
        if made.returncode:
            print("no venv here:", made.stderr.strip() or made.stdout.strip())
            return 77
        environment = Environment(root / "env", base, uv)
        tools = [("pip", "python -m pip install")] + ([("uv", "uv pip install")] if uv else [])
        for tool, call in tools:
            check_tool(failures, environment, tool, call)
            check_damaged(failures, environment, tool, call)
            check_component(failures, environment, tool, call)
            check_no_local_version(failures, environment, tool, call)
        check_offline(failures, environment, root / "wheels")
        if not uv:
            print("uv is not reachable: its half is skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
