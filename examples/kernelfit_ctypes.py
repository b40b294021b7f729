#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What GPU code is in a file, and does it run on a card? libkernelfit from Python, by ctypes alone.

    python3 kernelfit_ctypes.py libtorch_cuda.so "GeForce RTX 3090" 535.183.01

The library is found as programs find it; KERNELFIT_LIBRARY names another.
"""
import ctypes
import ctypes.util
import json
import os
import sys

OK, DOES_NOT_FIT, NO_ANSWER, IN_PART, BAD_ARGUMENT = range(5)
ANSWERED = (OK, DOES_NOT_FIT, NO_ANSWER, IN_PART)
HANDLE, SIZE, TEXT, INT = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_int

# function: (result, arguments). Without these ctypes would cut handles to 32 bits.
FUNCTIONS = {
    "abi_version": (INT, []),
    "version": (TEXT, []),
    "open": (INT, [TEXT, HANDLE, ctypes.POINTER(HANDLE)]),
    "close": (None, [HANDLE]),
    "message": (TEXT, [HANDLE]),
    "scan_json": (TEXT, [HANDLE]),
    "file_count": (SIZE, [HANDLE]),
    "file_at": (HANDLE, [HANDLE, SIZE]),
    "file_path": (TEXT, [HANDLE]),
    "file_member": (TEXT, [HANDLE]),
    "file_coverage": (TEXT, [HANDLE, INT, INT]),
    "entry_count": (SIZE, [HANDLE]),
    "entry_at": (HANDLE, [HANDLE, SIZE]),
    "entry_arch": (TEXT, [HANDLE]),
    "entry_images": (ctypes.c_int64, [HANDLE]),
    "judge": (INT, [HANDLE, TEXT, TEXT, ctypes.POINTER(HANDLE)]),
    "answer_close": (None, [HANDLE]),
    "answer_message": (TEXT, [HANDLE]),
    "answer_json": (TEXT, [HANDLE]),
}


def load():
    name = os.environ.get("KERNELFIT_LIBRARY") or ctypes.util.find_library("kernelfit")
    library = ctypes.CDLL(name or "libkernelfit.so.1")
    for function, (result, arguments) in FUNCTIONS.items():
        found = getattr(library, "kernelfit_" + function)
        found.restype, found.argtypes = result, arguments
    return library


class Scan:
    """A file, archive or folder that was read. Close it, or use it in a `with`."""

    def __init__(self, library, path):
        self.library, self.handle = library, HANDLE()
        self.status = library.kernelfit_open(os.fsencode(path), None, ctypes.byref(self.handle))
        self.message = self._text("message", self.handle)
        if self.status not in ANSWERED:
            self.close()
            raise ValueError(self.message)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.library.kernelfit_close(self.handle)
        self.handle = HANDLE()

    def _text(self, function, *arguments):
        text = getattr(self.library, "kernelfit_" + function)(*arguments)
        return text.decode("utf-8", "surrogateescape")

    def files(self):
        """(path, member, handle) of each; the handles live until close()."""
        for index in range(self.library.kernelfit_file_count(self.handle)):
            file = self.library.kernelfit_file_at(self.handle, index)
            yield self._text("file_path", file), self._text("file_member", file), file

    def entries(self, file):
        """(architecture, images): ("sm_86", 2), ("compute_86", 2)."""
        for index in range(self.library.kernelfit_entry_count(file)):
            entry = self.library.kernelfit_entry_at(file, index)
            yield self._text("entry_arch", entry), self.library.kernelfit_entry_images(entry)

    def coverage(self, file, major, minor):
        return self._text("file_coverage", file, major, minor)

    def json(self):
        return self._text("scan_json", self.handle)

    def judge(self, gpu, driver=None):
        """The object of `kernelfit scan --json --gpu GPU --driver DRIVER`, and the status."""
        answer = HANDLE()
        status = self.library.kernelfit_judge(self.handle, gpu.encode(), driver and driver.encode(),
                                              ctypes.byref(answer))
        try:
            if status not in ANSWERED:
                raise ValueError(self._text("answer_message", answer))
            return json.loads(self._text("answer_json", answer)), status
        finally:
            self.library.kernelfit_answer_close(answer)


def main(path, gpu=None, driver=None):
    with Scan(load(), path) as scan:
        for name, member, file in scan.files():
            print(name, member)
            for arch, images in scan.entries(file):
                print(f"  {arch:<12} {images:6}")
        if scan.message:
            print(scan.message, file=sys.stderr)
        if gpu is None:
            return scan.status
        answer, status = scan.judge(gpu, driver)
        for one in answer["verdicts"]:
            print(f"{one['name']} ({one['compute_capability']}): {one['path']} {one['member'] or ''}: "
                  f"{one['verdict']} {one['used'] or ''}")
        return status


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(f"usage: {sys.argv[0]} PATH [GPU [DRIVER]]")
    sys.exit(main(*sys.argv[1:]))
