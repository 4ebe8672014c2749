"""Entries of the disk cache that are damaged and yet have the right digest: none is mapped, and the kernel is compiled again.

Whatever gets past the checks would crash the process, so each test runs its attempts in a process of its own.

Point 2 of docs/testing.md.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
START = """
import json, struct, sys
from types import SimpleNamespace
import numpy as np
from torchscript_dialect.backend import get_backend
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.runtime.kernels import kernels
from torchscript_dialect.runtime.native import runtime_blob, thread_pool
from torchscript_dialect.runtime.native.blob import HEADER, MAGIC, Blob
from torchscript_dialect.runtime.native.executable import NativeKernel
from torchscript_dialect.runtime.native.cache import HEADER_SIZE, cache_key, disk_cache
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor
from unit.runtime.test_kernels import block_of, call, matrix
from torchscript_dialect.runtime.native.entry import NativeCallable, configure

configure(Tensor, TrackedTensor)
block = block_of(f'''
graph(%a : {matrix(6, 10)}, %b : {matrix(6, 10)}):
  %c : {matrix(6, 10)} = aten::mul(%a, %b)
  %d : {matrix(6, 10)} = aten::tanh(%c)
  return (%d)
''')
compiled = get_backend("llvm").compile(kernels.module_of(block), PassLists())


def same_code_again(modules, lists):
    return [NativeKernel(compiled.spec, compiled.name, compiled.has_sizes, compiled.blob)]


kernels.get_backend = lambda fuser: SimpleNamespace(compile_all=same_code_again, load=NativeKernel.from_bytes)
kernels.compile_kernel(block, "llvm", PassLists(), "aa")
entry = disk_cache().get("aa")
a, b = np.random.default_rng(3).random((2, 4, 7), np.float32)
refused = 0


def calls_kernel(kernel):
    function = NativeCallable(None.__class__)
    kernels.add_kernel(function, kernel)
    (found,) = call(function, a, b)
    np.testing.assert_allclose(found, np.tanh(a * b), rtol=1e-5)
    assert function.native_calls == 1


def attempt(damaged):
    '''A damaged entry is refused and replaced by the compiled kernel, which runs.'''
    global refused
    disk_cache().put("aa", damaged)
    assert kernels.load_kernel("aa", "llvm") is None, damaged[:200]
    disk_cache().put("aa", damaged)
    calls_kernel(kernels.compile_kernel(block, "llvm", PassLists(), "aa"))
    assert disk_cache().get("aa") == entry
    refused += 1


def refuses(damaged):
    '''The same, without the disk.'''
    global refused
    try:
        NativeKernel.from_bytes(damaged)
    except ValueError:
        refused += 1
    else:
        raise AssertionError(f"taken: {damaged[:200]}")


def flips(data, start, stop):
    '''The bytes with each bit of a range turned over.'''
    for bit in range(8 * start, 8 * stop):
        yield data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]


head, _, code = entry.partition(b"\\n")
blob = Blob.from_bytes(code)
"""


def attempts(tmp_path: Path, body: str) -> int:
    """How many entries were refused."""
    script = START + body + "\nprint(refused)\n"
    environment = {
        "TORCHSCRIPT_DIALECT_CACHE": str(tmp_path),
        "PYTHONPATH": f"{ROOT}:{ROOT / 'test'}",
    }
    result = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=environment,
    )
    assert result.returncode == 0, result.stderr[-3000:]
    return int(result.stdout)


def test_truncations_at_every_length(tmp_path: Path) -> None:
    body = """
for size in range(len(entry)):
    refuses(entry[:size])
for size in [0, 1, len(head), len(head) + 1, len(head) + 30, len(head) + 90, *range(400, len(entry), 400)]:
    attempt(entry[:size])
refuses(entry + b"\\0")
refuses(entry + entry)
"""
    assert attempts(tmp_path, body) > 1000


def test_flipped_bits_of_the_header_of_a_blob(tmp_path: Path) -> None:
    body = """
for damaged in flips(entry, len(head), len(head) + 1 + HEADER.size):
    attempt(damaged)
"""
    assert attempts(tmp_path, body) == 8 * (1 + 64)


def test_flipped_bits_of_the_header_of_a_file(tmp_path: Path) -> None:
    body = """
path = disk_cache().directory / "aa.bin"
whole = path.read_bytes()
for damaged in flips(whole, 0, HEADER_SIZE):
    path.write_bytes(damaged)
    calls_kernel(kernels.compile_kernel(block, "llvm", PassLists(), "aa"))
    assert path.read_bytes() == whole
    refused += 1
"""
    assert attempts(tmp_path, body) == 8 * 36


def test_numbers_beyond_every_bound(tmp_path: Path) -> None:
    """Counts and sizes of a blob's header, and its offsets, at the ends of their range and of 64 bits."""
    body = """
numbers = (len(code) - HEADER.size - len(blob.image)) // 8
assert numbers >= 2
extremes = [2**64 - 1, 2**63, 2**63 - 1, 2**61, 2**48, 2**32, len(code), len(blob.image) + 1]
for word in range(7):
    for value in extremes:
        at = len(MAGIC) + 8 * word
        attempt(head + b"\\n" + code[:at] + struct.pack("<Q", value) + code[at + 8 :])
symbols = len(blob.symbols)
for word in range(symbols):
    for value in [*extremes, len(blob.image)]:
        at = HEADER.size + 8 * word
        attempt(head + b"\\n" + code[:at] + struct.pack("<Q", value) + code[at + 8 :])
"""
    assert attempts(tmp_path, body) >= 7 * 8 + 9


def test_words_that_the_loader_writes(tmp_path: Path) -> None:
    """Imports and rebases outside of the image, and imports that nobody defines."""
    body = """
size = len(blob.image)
far = [size - 7, size, size + 4096, 2**40, 2**63, 2**64 - 1, 2**64 - 8]
changes = [{"imports": [("malloc", at)]} for at in far]
changes += [{"rebases": [(at, 0)]} for at in far]
changes += [{"rebases": [(0, to)]} for to in far[2:]]
changes += [{"imports": [(name, 0)]} for name in ("no_such_function", "", "ma", "\\x7f", "é" * 5000)]
changes += [{"symbols": {name: blob.symbols["kernel"]}} for name in ("", "kernels", "size", "sizes")]
changes += [{"symbols": {**blob.symbols, one: at}} for one in blob.symbols for at in far[1:]]
changes += [{"protected": at} for at in (0, 8, size - 1, size - 8)]
changes += [{"machine": number} for number in (0, 3, 183 if blob.machine == 62 else 62, 2**64 - 1)]
for change in changes:
    attempt(head + b"\\n" + blob._replace(**change).to_bytes())
words = len(blob.symbols) + len(blob.imports) + 2 * len(blob.rebases)
names = HEADER.size + 8 * words
for byte in (b"\\xff", b"\\0"):
    attempt(head + b"\\n" + code[:names] + byte + code[names + 1 :])
twice = blob._replace(symbols={"kernel": 0, "kernem": 0, **blob.symbols}).to_bytes()
attempt(head + b"\\n" + twice.replace(b"kernem", b"kernel"))
"""
    assert attempts(tmp_path, body) > 40


def test_every_field_of_the_head(tmp_path: Path) -> None:
    body = """
spec, name, has_sizes = json.loads(head)
wrong = [None, True, -1, 1.5, 2**64, 10**400, "", "x", "s0", "s-1", "s999", "s" + "9" * 5000, [], {}, [[]], [None], [-1],
         ["s256"], [2**62], ["s0"] * 40, ["tensor"], [["tensor", "float32"]], [["tensor", "object", []]], [["tensor", "V8", []]],
         [["tensor", "float32", [-1]]], [["tensor", "float32", ["s0"], []]], [["int", -1]], [["int", "s0"]], [["string"]],
         [["O", []]], [["float32", ["s250"]]], [["float32", [2**61]]], float("nan"), float("inf"), -0.5, 1e300]
fine = {field: [1.5] for field in ("cost_ns", "release_gil_ns", "parallel_ns")}
fine |= {"inputs": [[]], "returns_tuple": [True], "total": [[], ["s0"]], "work": [None, [], ["s0"]]} | {field: [None] for field in ("scratch", "stage", "threads")}
for field in spec:
    for value in wrong:
        if value not in fine.get(field, []):
            refuses(json.dumps([{**spec, field: value}, name, has_sizes]).encode() + b"\\n" + code)
    rest = {key: value for key, value in spec.items() if key != field}
    refuses(json.dumps([rest, name, has_sizes]).encode() + b"\\n" + code)
heads = [None, [], {}, [spec], [spec, name], [spec, name, has_sizes, 1], [spec, None, has_sizes], [spec, [], has_sizes],
         [spec, name, None], [spec, name, 1], [spec, "other", has_sizes], [[], name, has_sizes], [None, name, has_sizes],
         [{**spec, "more": 1}, name, has_sizes], [spec, name, "sizes" not in blob.symbols]]
for one in heads:
    attempt(json.dumps(one).encode() + b"\\n" + code)
for text in (b"[" * 200_000, b"", b"\\xff\\xfe", b"9" * 10_000, b'{"a":' * 100_000, b"NaN"):
    attempt(text + b"\\n" + code)
"""
    assert attempts(tmp_path, body) > 300


def test_damaged_code_of_the_runtime(tmp_path: Path) -> None:
    """The runtime's own code, which has writable data, is compiled again, too."""
    body = """
import ctypes
from torchscript_dialect.runtime.native import compile

text = '''
@state = global i64 5
define i64 @f() {
  %x = load i64, ptr @state
  %y = add i64 %x, 1
  store i64 %y, ptr @state
  ret i64 %y
}
'''
key = cache_key("runtime", "test")

def load():
    return runtime_blob.load_runtime_code("test", lambda: text, functions=["f"], data=["state"])

load()
kept = disk_cache().get(key)
whole = Blob.from_bytes(kept)
compile.compile_blob = lambda *args, **kwargs: whole

def replaced(damaged):
    global refused
    disk_cache().put(key, damaged)
    assert ctypes.CFUNCTYPE(ctypes.c_int64)(load().address("f"))() == 6
    assert disk_cache().get(key) == kept
    refused += 1

for size in range(0, len(kept), 5):
    replaced(kept[:size])
for damaged in flips(kept, 0, HEADER.size):
    replaced(damaged)
for protected in (0, 8, whole.protected - 8, len(whole.image) - 1, len(whole.image)):
    replaced(whole._replace(protected=protected).to_bytes())
for change in ({"f": whole.symbols["state"]}, {"state": whole.symbols["f"]}):
    replaced(whole._replace(symbols={**whole.symbols, **change}).to_bytes())
replaced(code)
"""
    assert attempts(tmp_path, body) > 1000
