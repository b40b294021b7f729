#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`plan --online` against an index of this test: PEP 503, PEP 691, a flat mirror, and servers that lie, hang or babble.

The addresses of the indexes stand in data/: a copy of it that names this server is given with --knowledge.
"""
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

KERNELFIT = os.environ["KERNELFIT"]
SOURCE = pathlib.Path(os.environ["KF_SOURCE"])
FAILURES = []
if not shutil.which("curl"):
    print("no curl")
    sys.exit(77)

WHEEL = "{0}-{1}%2Bcu132-cp312-cp312-manylinux_2_28_x86_64.whl"
SEEN = []


def links(*names):
    return "<!DOCTYPE html><html><body>" + "".join(
        f'<a href="/files/{name}#sha256=00" data-core-metadata="sha256=00">{name}</a><br/>' for name in names)


def files(package, version="0.29.2"):
    return WHEEL.format(package, "2.15.0" if package == "torch" else version)


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, text, kind="text/html", status=200):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode("utf-8", "replace"))

    def do_GET(self):
        SEEN.append((self.path, self.headers.get("Accept", "")))
        case, _, rest = self.path[1:].partition("/")
        package = rest.strip("/").rsplit("/", 1)[-1]
        try:
            self.serve(case, package)
        except (BrokenPipeError, ConnectionResetError):
            pass

    def serve(self, case, package):
        if case == "links":
            self.answer(links("old-1.0-py3-none-any.whl", files(package)))
        elif case == "json":
            page = {"meta": {"api-version": "1.1"}, "name": package, "files": [
                {"filename": files(package).replace("%2B", "+"), "url": "x", "hashes": {}, "size": 812 << 20}]}
            self.answer(json.dumps(page), "application/vnd.pypi.simple.v1+json")
        elif case == "yanked":
            self.answer(links(files(package)).replace("data-core", 'data-yanked="broken" data-core'))
        elif case == "newer":
            self.answer(links(files(package), WHEEL.format(package, "2.99.1"), WHEEL.format(package, "3.0.0rc1")))
        elif case == "lacks":
            self.answer(links(WHEEL.format(package, "2.1.0"), "torch-2.15.0%2Bcu132-cp311-cp311-win_amd64.whl"))
        elif case == "pypi":  # what a command without an index finds
            name = {"torch": "torch-2.15.0-cp312-cp312-manylinux_2_28_x86_64.whl",
                    "torchvision": "torchvision-0.29.2-py3-none-manylinux_2_28_x86_64.whl",
                    "torchaudio": "torchaudio-2.11.1-py3-none-manylinux_2_28_x86_64.whl"}[package]
            self.answer(links(name))
        elif case == "flat":
            self.answer(f'<a href="{files("torch").replace("%2B", "&#43;")}">x</a><a href=\'{files("torchvision")}\'>y</a>')
        elif case == "babble":
            self.answer("<a <a href= <<<a href='" + "\x00\x1b[31m" + "</" * 5000 + '{"files": [1, {"filename": 3}]}')
        elif case == "endless":
            self.send_response(200)
            self.end_headers()
            deadline = time.monotonic() + 30
            while time.monotonic() < deadline:
                self.wfile.write(b"<a href='x.whl'>" * 65536)
        elif case == "silent":
            time.sleep(30)
        else:
            self.answer("no", status=404)


def knowledge(folder, pytorch=None, mirror=None, pypi=None):
    shutil.copytree(SOURCE / "data", folder)
    for name in ("torch/install_commands.csv", "mirrors.csv"):
        path = folder / name
        text = path.read_text()
        if pytorch and "install" in name:
            text = text.replace("https://download.pytorch.org/whl", pytorch)
        if mirror and name == "mirrors.csv":
            text = text.replace("https://mirrors.aliyun.com/pytorch-wheels", mirror)
        if pypi and name == "mirrors.csv":
            text = text.replace("https://pypi.org/simple", pypi)
        path.write_text(text)
    return folder


def plan(folder, *more):
    # Nothing but this server can be reached.
    env = {key: value for key, value in os.environ.items() if "proxy" not in key.lower()}
    env.update(ASAN_OPTIONS="detect_leaks=0", LC_ALL="C.UTF-8", https_proxy="http://127.0.0.1:9",
               http_proxy="http://127.0.0.1:9", no_proxy="127.0.0.1")
    began = time.monotonic()
    ran = subprocess.run([KERNELFIT, "plan", "--gpu", "RTX 3090", "--driver", "580.95.05", "--os", "linux", "--cpu-arch",
                          "x86_64", "--python", "3.12", "--json", "--knowledge", str(folder), *more],
                         capture_output=True, text=True, env=env, timeout=120)
    if ran.returncode != 0:
        FAILURES.append(f"{folder.name} {more}: {ran.returncode} {ran.stderr}")
        return [], 0
    answer = json.loads(ran.stdout)
    return answer["notes"] + answer["caveats"], time.monotonic() - began


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    here = f"http://127.0.0.1:{server.server_address[1]}"
    says = [("links", "has torch-2.15.0+cu132-cp312-cp312-manylinux_2_28_x86_64.whl"), ("json", "812 MiB"),
            ("yanked", "withdrawn"), ("newer", "2.99.1"), ("lacks", "does not list torch 2.15.0+cu132"),
            ("babble", "no list of files"), ("gone", "404"), ("endless", "not checked"), ("silent", "not checked")]
    with tempfile.TemporaryDirectory() as temporary:
        root = pathlib.Path(temporary)
        for case, text in says:
            notes, seconds = plan(knowledge(root / case, pytorch=f"{here}/{case}"), "--online")
            if not any(text in note for note in notes):
                FAILURES.append(f"{case}: `{text}` is missing in {notes}")
            if seconds > 40 or any("\x1b" in note for note in notes):
                FAILURES.append(f"{case}: {seconds:.0f} s, {notes}")
            if case not in ("newer",) and any("2.99.1" in note or "3.0.0" in note for note in notes):
                FAILURES.append(f"{case}: {notes}")
        both, _ = plan(knowledge(root / "both", pytorch=f"{here}/links", pypi=f"{here}/pypi"), "--online")
        for package, version in (("torch", "2.15.0-cp312"), ("torchvision", "0.29.2-py3"), ("torchaudio", "2.11.1-py3")):
            if not any(f"/pypi/{package}/" in note and f"has {package}-{version}" in note for note in both):
                FAILURES.append(f"PyPI beside the index: {package} is missing in {both}")
        notes, _ = plan(knowledge(root / "flat", mirror=f"{here}/flat"), "--online", "--mirror", "aliyun")
        if not any("/flat/cu132/" in note and "has torch-2.15.0+cu132" in note for note in notes):
            FAILURES.append(f"flat: {notes}")
        if any("mirror was not checked" in note for note in notes):
            FAILURES.append(f"flat: it was checked: {notes}")
        if not any("download.pytorch.org" in note and "not checked" in note for note in notes):
            FAILURES.append(f"flat: the official index cannot be reached: {notes}")
        if not all("application/vnd.pypi.simple.v1+json" in accept for _, accept in SEEN):
            FAILURES.append("the JSON form is not asked for")
        SEEN.clear()
        plan(root / "links")
        if SEEN:
            FAILURES.append(f"without --online the server was asked: {SEEN}")
    print("\n".join(FAILURES) or "all is said as the server has it")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
