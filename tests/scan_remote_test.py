#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Wheels on a server: what ranges tell, what --deep reads, and servers that are slow, cut off or lie.

The server is one of this test, on this machine; its paths say how it behaves.
"""
import http.server
import io
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

KERNELFIT = os.environ["KERNELFIT"]
FIXTURES = pathlib.Path(os.environ["KF_SOURCE"]) / "tests/fixtures/fatbin"
ENV = {key: value for key, value in os.environ.items() if "proxy" not in key.lower()}
ENV.update(ASAN_OPTIONS="detect_leaks=0", LC_ALL="C.UTF-8", COLUMNS="200")
FAILURES = []
try:
    import jsonschema
    SCHEMA = jsonschema.Draft202012Validator(json.loads(
        pathlib.Path(os.environ["KF_SOURCE"], "schemas/scan.schema.json").read_text()))
except ImportError:
    SCHEMA = None
if not shutil.which("curl"):
    print("no curl")
    sys.exit(77)


def check(condition, text):
    if not condition:
        FAILURES.append(text)


# --- wheels ---------------------------------------------------------------------------------------

NAME = "torch-2.9.1+cu128-cp312-cp312-manylinux_2_28_x86_64.whl"
METADATA = """Metadata-Version: 2.1
Name: torch
Version: 2.9.1+cu128
Requires-Python: >=3.10
Requires-Dist: filelock
Requires-Dist: nvidia-cublas-cu12==12.8.4.1; platform_system == "Linux"

# torch
"""
WHEEL = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: false\nTag: cp312-cp312-manylinux_2_28_x86_64\n"
VERSION_PY = "from typing import Optional\n__version__ = '2.9.1+cu128'\ndebug = False\ncuda: Optional[str] = '12.8'\ngit_version = 'abc'\nhip: Optional[str] = None\n"


def wheel(padding=3_000_000, method=zipfile.ZIP_DEFLATED, streamed=False, notes=True, directory=0, record=False):
    """Two libraries of known code, and so much that cannot be packed."""
    noise = random.Random(1)
    out = io.BytesIO()

    class Forward(io.RawIOBase):  # a writer that cannot go back puts sizes behind the contents
        def writable(self):
            return True

        def write(self, data):
            return out.write(data)

    with zipfile.ZipFile(Forward() if streamed else out, "w", method) as archive:
        def add(name, data):
            archive.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), data, method)
        add("torch/__init__.py", "import this\n")
        if notes:
            add("torch/version.py", VERSION_PY)
        add("torch/lib/libtorch_cuda.so", (FIXTURES / "libcu124_vadd.so").read_bytes())
        add("torch/lib/noise.bin", noise.randbytes(padding))
        add("torch/lib/other.fatbin", (FIXTURES / "cu118_sm35.fatbin").read_bytes())
        for i in range(directory):
            add(f"torch/include/{'deep/' * 12}file-{i}.h", "x")
        if notes:
            info = "torch-2.9.1+cu128.dist-info/"
            add(info + "METADATA", METADATA)
            add(info + "WHEEL", WHEEL)
            rows = ["torch/lib/libtorch_cuda.so,sha256=4fK2,123", "torch/lib/other.fatbin,sha256=9xQ1,456"]
            if record:  # as wheels have it: each file with its hash and size
                rows = [f"{i.filename},sha256={noise.getrandbits(256):064x},{i.file_size}" for i in archive.infolist()]
                rows.append(info + "RECORD,,")
            add(info + "RECORD", "\n".join(rows) + "\n")
    return out.getvalue()


FILES = {"large": wheel(), "small": wheel(10_000), "stored": wheel(method=zipfile.ZIP_STORED),
         "behind": wheel(streamed=True), "names": wheel(directory=8_000), "huge": wheel(padding=12_000_000), "record": wheel(directory=8_000, record=True),
         "pure": None, "tar": None}
_pure = io.BytesIO()
with zipfile.ZipFile(_pure, "w") as _archive:
    _archive.writestr("x/__init__.py", "a" * 400_000)
    _archive.writestr("x-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: x\nVersion: 1.0\n")
FILES["pure"] = _pure.getvalue()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    log = []

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", **fields):
        self.send_response(status)
        fields.setdefault("Content_Length", str(len(body)))
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            pass  # the reader had enough

    def do_GET(self):
        way, _, name = self.path.split("?")[0].lstrip("/").partition("/")
        Handler.log.append((self.path, self.headers.get("Range"), self.headers.get("Authorization")))
        data = FILES.get(name.split("/")[0], b"")
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range") or "")
        method = getattr(self, "way_" + way.replace("-", "_"), None)
        if method:
            return method(data, asked)
        self.answer(404, b"<html>no such page</html>", Content_Type="text/html")

    def part(self, data, asked, **more):
        first, last = int(asked[1]), min(int(asked[2]), len(data) - 1)
        if first >= len(data):
            return self.answer(416, Content_Range=f"bytes */{len(data)}")
        more.setdefault("Content_Range", f"bytes {first}-{last}/{len(data)}")
        self.answer(206, data[first:last + 1], **more)

    def way_ranges(self, data, asked):
        self.part(data, asked) if asked else self.answer(200, data)

    def way_whole(self, data, asked):
        self.answer(200, data)

    def way_chunked(self, data, asked):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for at in range(0, len(data), 60_000):
                piece = data[at:at + 60_000]
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            pass

    def way_refuses(self, data, asked):
        self.answer(416) if asked else self.answer(200, data)

    def way_silent(self, data, asked):
        time.sleep(30)

    def way_stalls(self, data, asked):
        if asked:
            return self.part(data, asked)
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[:500_000])
        self.wfile.flush()
        time.sleep(30)

    def way_cut(self, data, asked):
        if asked and int(asked[1]) == 0:
            return self.part(data, asked)
        self.close_connection = True
        body = data[int(asked[1]):] if asked else data
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("Content-Range", f"bytes {asked[1]}-{asked[2]}/{len(data)}")
            body = body[:int(asked[2]) - int(asked[1]) + 1]
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[:len(body) // 2])

    def way_cut_whole(self, data, asked):
        self.way_cut(data, None)

    def way_long(self, data, asked):
        """Says more than it sends."""
        self.close_connection = True
        self.answer(200, data, Content_Length=str(len(data) + 1000))

    def way_short(self, data, asked):
        """Says less than it has."""
        self.close_connection = True
        self.answer(200, data, Content_Length=str(len(data) - 1000))

    def way_other_range(self, data, asked):
        self.part(data, asked, Content_Range=f"bytes 5-{int(asked[2])}/{len(data)}")

    def way_later_other(self, data, asked):
        first = int(asked[1])
        self.part(data, asked, **({} if first == 0 else {"Content_Range": f"bytes 0-99/{len(data)}"}))

    def way_later_whole(self, data, asked):
        self.part(data, asked) if asked and int(asked[1]) == 0 else self.answer(200, data)

    def way_grows(self, data, asked):
        first, last = int(asked[1]), int(asked[2])
        self.part(data, asked, Content_Range=f"bytes {first}-{last}/{len(data) + (first > 0)}")

    def way_no_size(self, data, asked):
        self.part(data, asked, Content_Range=f"bytes {asked[1]}-{asked[2]}/*")

    def way_page(self, data, asked):
        self.answer(200, b"<!DOCTYPE html><html><body>Please log in</body></html>", Content_Type="text/html")

    def way_packed(self, data, asked):
        self.answer(200, data, Content_Encoding="gzip")

    def way_error(self, data, asked):
        self.answer(503, b"busy")

    def way_forbidden(self, data, asked):
        self.answer(403)

    def way_moved(self, data, asked):
        self.answer(302, Location=f"/ranges/{self.path.split('/', 2)[2]}")

    def way_circle(self, data, asked):
        self.answer(302, Location=self.path)

    def way_elsewhere(self, data, asked):
        self.answer(302, Location="file:///etc/passwd")

    def way_nonsense(self, data, asked):
        self.close_connection = True
        self.wfile.write(b"SSH-2.0-OpenSSH_9.2\r\n")


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass


SERVER = Server(("127.0.0.1", 0), Handler)
BASE = f"127.0.0.1:{SERVER.server_address[1]}"
threading.Thread(target=SERVER.serve_forever, daemon=True).start()


def url(way, name, user=""):
    return f"http://{user}{BASE}/{way}/{name}/{NAME.replace('+', '%2B')}"


def run(*arguments, **more):
    Handler.log.clear()
    return subprocess.run([KERNELFIT, *arguments], capture_output=True, text=True, env=dict(ENV, **more), timeout=60)


def checked(answer, what):
    fault = SCHEMA and next(SCHEMA.iter_errors(answer), None)
    check(not fault, f"{what}: against the schema: {fault and fault.message[:200]}")
    return answer


def scan(*arguments):
    done = run("scan", "--json", *arguments)
    check(not done.stderr, f"{arguments}: {done.stderr[-500:]}")
    return checked(json.loads(done.stdout or "{}"), arguments), done.returncode


def archs(answer):
    return {one["member"]: [x["arch"] for kind in ("sass", "ptx") for x in one[kind]] for one in answer["files"] if one["kind"] != "unreadable"}


def lines(answer):
    return answer["problems"] + [p for one in answer["files"] for p in one["problems"]]


def local(name):
    """What a scan of the same file on a disk finds."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, NAME)
        path.write_bytes(FILES[name])
        return archs(scan(path)[0])


def by_ranges():
    for way in ("ranges", "moved"):
        for name in ("large", "stored", "behind", "names", "huge"):
            answer, status = scan(url(way, name))
            one = answer["remote"][0]
            what = f"{way}/{name}"
            check(status == 3 and answer["incomplete"] and not one["whole"], f"{what}: exit {status}")
            check((one["name"], one["version"], one["requires_python"]) == ("torch", "2.9.1+cu128", ">=3.10"), f"{what}: {one['name']} {one['version']}")
            check(one["tags"] == ["cp312-cp312-manylinux_2_28_x86_64"] and len(one["requires_dist"]) == 2, f"{what}: {one['tags']}")
            check(one["torch"] == {"version": "2.9.1+cu128", "cuda": "12.8", "hip": None}, f"{what}: {one['torch']}")
            with zipfile.ZipFile(io.BytesIO(FILES[name])) as archive:
                infos = [(i.filename, i.file_size, i.compress_size) for i in archive.infolist()]
            check([(m["name"], m["bytes"], m["packed_bytes"]) for m in one["members"]] == infos, f"{what}: members differ")
            hashes = {m["name"]: m["hash"] for m in one["members"] if m["hash"]}
            check(hashes == {"torch/lib/libtorch_cuda.so": "sha256=4fK2", "torch/lib/other.fatbin": "sha256=9xQ1"}, f"{what}: {hashes}")
            check(one["bytes"] == len(FILES[name]) and one["ranges"], f"{what}: {one['bytes']}")
            asked = sum(int(m[2]) - int(m[1]) + 1 for m in (re.match(r"bytes=(\d+)-(\d+)", r[1]) for r in Handler.log if r[1]))
            limit = 500_000 if name != "names" else 2_000_000  # the directory alone is more
            check(one["fetched_bytes"] <= limit and all(r[1] for r in Handler.log), f"{what}: {one['fetched_bytes']} read, {Handler.log}")
            check(way == "moved" or one["fetched_bytes"] <= asked, f"{what}: {one['fetched_bytes']} of {asked}")
            check(one["requests"] <= 8, f"{what}: {one['requests']} requests")
    by_record()
    # What the last request brings anyway is read whole, and so is what holds no code.
    answer, status = scan(url("ranges", "small"))
    check(status == 0 and answer["remote"][0]["whole"] and archs(answer) == local("small"), f"small: exit {status}, {archs(answer)}")
    answer, status = scan(url("ranges", "pure"))
    check(status == 0 and answer["remote"][0]["whole"] and not answer["files"], f"pure: exit {status}, {lines(answer)}")
    for lang, words in (("en", ("torch 2.9.1+cu128", "CUDA 12.8", "`--deep` reads all of it, 3 MB", "torch/lib/libtorch_cuda.so")),
                        ("zh", ("torch 2.9.1+cu128", "CUDA 12.8", "`--deep` 会把它（3 MB）"))):
        text = run("--lang", lang, "scan", url("ranges", "large")).stdout
        check(all(word in text for word in words) and "no GPU code" not in text and "没有 GPU 代码" not in text, f"{lang}: {text}")


def by_record():
    """A directory of 8,000 members (1.1 MB) is not read where RECORD (0.3 MB) tells the same."""
    answer, status = scan(url("ranges", "record"))
    one = answer["remote"][0]
    with zipfile.ZipFile(io.BytesIO(FILES["record"])) as archive:
        infos, directory = archive.infolist(), len(FILES["record"]) - archive.start_dir
        record = archive.read(infos[-1]).decode().splitlines()
        packed = infos[-1].compress_size
    check(status == 3 and not one["whole"] and one["torch"]["cuda"] == "12.8" and one["version"] == "2.9.1+cu128",
          f"by RECORD: exit {status}, {one['torch']} {one['version']} {lines(answer)}")
    check([(m["name"], m["bytes"]) for m in one["members"]] == [(i.filename, i.file_size) for i in infos], "by RECORD: names and sizes")
    check([m["hash"] for m in one["members"]] == [row.split(",")[1] or None for row in record], "by RECORD: hashes")
    known = {m["name"]: m["packed_bytes"] for m in one["members"] if m["packed_bytes"] is not None}
    check(known and all(known[i.filename] == i.compress_size for i in infos if i.filename in known), "by RECORD: packed sizes")
    check(one["fetched_bytes"] < packed + 300_000 < directory and one["requests"] <= 8,
          f"by RECORD: {one['fetched_bytes']} bytes in {one['requests']} requests; directory {directory}, RECORD {packed}")
    answer, status = scan("--deep", url("ranges", "record"))
    check(status == 0 and archs(answer) == local("record"), f"deep by the directory: exit {status}, {lines(answer)}")


def deep():
    for way in ("ranges", "whole", "chunked", "refuses", "moved"):
        for name in ("large", "stored", "huge"):
            answer, status = scan("--deep", url(way, name))
            check(status == 0 and archs(answer) == local(name), f"deep {way}/{name}: exit {status}, {archs(answer)}, {lines(answer)}")
            one = answer["remote"][0]
            check(one["whole"] and one["torch"]["cuda"] == "12.8" and one["name"] == "torch", f"deep {way}/{name}: {one['torch']}")
            check(len(one["members"]) == 8, f"deep {way}/{name}: {len(one['members'])} members")
    # Sizes behind the contents: the directory tells them, where the server lets it be read.
    answer, status = scan("--deep", url("ranges", "behind"))
    check(status == 0 and archs(answer) == local("behind"), f"deep behind: exit {status}, {lines(answer)}")
    answer, status = scan("--deep", url("whole", "behind"))
    check(status == 3 and any("size behind it" in line for line in lines(answer)), f"whole behind: exit {status}, {lines(answer)}")
    # A card is judged by what was read.
    check(run("scan", "--deep", "--gpu", "3.5", "--member", "*.fatbin", url("ranges", "large")).returncode == 0, "a card")
    check(run("scan", "--gpu", "3.5", url("ranges", "large")).returncode == 3, "a card without --deep")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, NAME)
        path.write_bytes(FILES["large"])
        check(run("scan", "--diff", "--deep", str(path), url("ranges", "large")).returncode == 0, "--diff with the same on a disk")
    check(run("scan", "--diff", url("ranges", "large"), url("ranges", "large")).returncode == 2, "--diff without --deep")


def without_ranges():
    answer, status = scan(url("whole", "huge"))
    one = answer["remote"][0]
    check(status == 3 and not one["whole"] and not one["ranges"] and one["bytes"] == len(FILES["huge"]), f"whole/huge: exit {status}, {one}")
    check(one["fetched_bytes"] < 1_000_000, f"whole/huge: {one['fetched_bytes']} read")
    text = run("scan", url("whole", "huge")).stdout
    check("sends no parts" in text and "12 MB" in text and "--deep" in text, text)
    answer, status = scan(url("chunked", "huge"))
    check(status == 3 and answer["remote"][0]["bytes"] is None, f"chunked/huge: exit {status}")
    for way in ("whole", "chunked", "refuses"):  # small enough to be read as it comes
        answer, status = scan(url(way, "large"))
        check(status == 0 and archs(answer) == local("large"), f"{way}/large: exit {status}, {lines(answer)}")


def faults():
    def expect(words, way, name="large", *flags, status=2, limit=20):
        began = time.monotonic()
        answer, code = scan(*flags, url(way, name))
        found = lines(answer)
        check(len(found) == 1 and words in found[0], f"{way} {flags}: {found}")
        check(code == status, f"{way} {flags}: exit {code}")
        check(time.monotonic() - began < limit, f"{way} {flags}: took {time.monotonic() - began:.0f} s")

    expect("404: there is no such file", "nowhere")
    expect("503: it is in trouble", "error")
    expect("403: it is not allowed", "forbidden")
    expect("a web page, not the file", "page")
    expect("packs what it sends (gzip)", "packed")
    expect("leads on more than 5 times", "circle")
    expect("protocol that is not taken", "elsewhere")
    expect("another range", "other-range")
    expect("another range", "later-other")
    expect("another range", "no-size")
    expect("sends ranges and then does not", "later-whole")
    expect("changed its size", "grows")
    expect("too slow for 2 s", "silent", "large", "--timeout", "2")
    expect("for 2 s", "stalls", "large", "--timeout", "2", "--deep", status=3)
    expect("ended before everything was sent", "cut")
    expect("ended before everything was sent", "cut-whole", "huge", "--deep", status=3)
    expect("ended before everything was sent", "long")
    expect("no HTTP", "nonsense")
    answer, code = scan("http://127.0.0.1:9/x.whl")
    check(code == 2 and "cannot be reached" in lines(answer)[0], f"nobody there: {lines(answer)}")
    # The directory is cut off; what stands before it is still read, and said not to be whole.
    answer, code = scan(url("short", "large"))
    check(code == 2 and lines(answer), f"short: exit {code}, {lines(answer)}")
    answer, code = scan("--deep", url("short", "large"))
    check(code in (0, 3) and archs(answer) == local("large"), f"short, deep: exit {code}, {lines(answer)}")


def secrets():
    secret = url("ranges", "large", "me:pa55word@") + "?token=t0k3n&X-Amz-Signature=s1gned#sha256=abc"
    for flags in (("scan",), ("scan", "--json"), ("scan", "--deep"), ("scan", "--format", "markdown"), ("scan", "--diff", "--deep")):
        words = [secret] * (2 if "--diff" in flags else 1)
        done = run(*flags, *words)
        for word in ("pa55word", "t0k3n", "s1gned"):
            check(word not in done.stdout + done.stderr, f"{flags}: {word} is printed")
        check(Handler.log and all(path.endswith("token=t0k3n&X-Amz-Signature=s1gned") and auth for path, _, auth in Handler.log),
              f"{flags}: asked for {Handler.log[:1]}")
    done = run("scan", url("nowhere", "large", "me:pa55word@"))
    check("pa55word" not in done.stdout + done.stderr and done.returncode == 2, "an error prints a password")
    # A name that looks like a flag of curl, or like its globs, is only a name.
    answer, code = scan(f"http://{BASE}/ranges/large/[1-3]{{a,b}}.whl")
    check(code == 3 and answer["remote"][0]["bytes"] == len(FILES["large"]), f"globs: exit {code}")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, ".curlrc").write_text("user-agent = from-a-file\nproxy = http://127.0.0.1:9\n")
        done = run("scan", url("ranges", "large"), HOME=folder, CURL_HOME=folder)
        check(done.returncode == 3, f".curlrc is read: {done.stdout}")


def other():
    # Without curl.
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder, "bwrap")
        if shutil.which("unshare") and subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode == 0:
            places = " ".join(f"mount --bind /dev/null {p};" for p in {shutil.which("curl"), "/usr/bin/curl"} if os.path.exists(p))
            done = subprocess.run(["unshare", "-rm", "sh", "-c", places + ' exec "$@"', "sh", KERNELFIT, "scan", url("ranges", "large")],
                                  capture_output=True, text=True, env=ENV)
            check(done.returncode == 2 and "curl" in done.stdout, f"without curl: exit {done.returncode} {done.stdout}{done.stderr}")
    check(run("scan", "--timeout", "0", url("ranges", "large")).returncode == 2, "--timeout 0")
    check(run("scan", "--timeout", "x", url("ranges", "large")).returncode == 2, "--timeout x")
    # No URL, no request.
    Handler.log.clear()
    run("scan", str(FIXTURES / "cu118_sm35.fatbin"))
    check(not Handler.log, "a request without a URL")
    # Ctrl-C ends a silent server's wait at once.
    process = subprocess.Popen([KERNELFIT, "scan", url("silent", "large")], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV)
    time.sleep(1.5)
    process.send_signal(2)
    began = time.monotonic()
    process.communicate(timeout=20)
    check(process.returncode == 130 and time.monotonic() - began < 3, f"Ctrl-C: exit {process.returncode}")


for part in (by_ranges, deep, without_ranges, faults, secrets, other):
    part()
if FAILURES:
    print("\n".join(one[:600] for one in FAILURES))
    sys.exit(1)
print("files on servers: ranges, streams and faults")
