"""Linking and loading of objects: relocations between sections, imports, and what is refused."""

import ctypes
import math
import struct
import subprocess
import sys
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from support.native_calls import needs_native_calls
from torchscript_dialect.runtime.native.blob import EM_AARCH64, Blob, LinkError
from torchscript_dialect.runtime.native.compile import compile_blob, compile_object
from torchscript_dialect.runtime.native.entry_ir import Layout, entry_ir
from torchscript_dialect.runtime.native.linker import link_objects
from torchscript_dialect.runtime.native.loader import address_of, load_blob
from torchscript_dialect.runtime.native.pool_ir import pool_ir

pytestmark = needs_native_calls


PROGRAM = """
@numbers = internal constant [4 x double] [double 1.0, double 2.0, double 3.0, double 5.0]
@counter = global i64 7
@functions = internal constant [2 x ptr] [ptr @count, ptr @triple]
@zeros = internal global [1000 x i64] zeroinitializer
@PyLong_Type = external global i8
declare double @sin(double)
declare double @cos(double) nonlazybind
declare i64 @given(i64)

define i64 @count(i64 %x) {
  %old = load i64, ptr @counter
  %new = add i64 %old, %x
  store i64 %new, ptr @counter
  ret i64 %new
}
define i64 @triple(i64 %x) {
  %y = mul i64 %x, 3
  ret i64 %y
}
define i64 @choose(i64 %which, i64 %x) {
  %at = getelementptr ptr, ptr @functions, i64 %which
  %function = load ptr, ptr %at
  %y = call i64 %function(i64 %x)
  ret i64 %y
}
define i64 @visits(i64 %i) {
  %at = getelementptr i64, ptr @zeros, i64 %i
  %old = load i64, ptr %at
  %new = add i64 %old, 1
  store i64 %new, ptr %at
  ret i64 %new
}
define double @waves(double %x, i64 %i) {
  %s = call double @sin(double %x)
  %c = call double @cos(double %x)
  %sum = fadd double %s, %c
  %at = getelementptr double, ptr @numbers, i64 %i
  %k = load double, ptr %at
  %y = fmul double %sum, %k
  ret double %y
}
define ptr @int_type() {
  ret ptr @PyLong_Type
}
define i64 @ask(i64 %x) {
  %y = call i64 @given(i64 %x)
  %z = add i64 %y, 1
  ret i64 %z
}
"""

I64 = ctypes.c_int64
Unary = ctypes.CFUNCTYPE(I64, I64)


@pytest.fixture(scope="module")
def blob():
    return compile_blob(PROGRAM)


@pytest.fixture
def callback():
    return Unary(lambda x: 100 + x)


def given(callback) -> dict[str, int]:
    address = ctypes.cast(callback, ctypes.c_void_p).value
    assert address is not None
    return {"given": address}


@pytest.fixture
def code(blob, callback):
    return load_blob(Blob.from_bytes(blob.to_bytes()), given(callback))


def test_a_blob_survives_serialization(blob):
    assert Blob.from_bytes(blob.to_bytes()) == blob


def test_calls_data_and_pointers_between_sections(code):
    choose = ctypes.CFUNCTYPE(I64, I64, I64)(code.address("choose"))
    assert [choose(0, 5), choose(0, 5), choose(1, 5)] == [12, 17, 15]
    assert I64.from_address(code.address("counter")).value == 17


def test_zeroed_data(code):
    visits = Unary(code.address("visits"))
    assert [visits(0), visits(999), visits(999)] == [1, 1, 2]


def test_imports_from_the_process_and_from_the_caller(code):
    waves = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, I64)(code.address("waves"))
    assert waves(0.3, 2) == pytest.approx(3 * (math.sin(0.3) + math.cos(0.3)), rel=1e-15)
    assert ctypes.CFUNCTYPE(ctypes.c_void_p)(code.address("int_type"))() == id(int)
    assert Unary(code.address("ask"))(5) == 106


def test_two_loads_have_data_of_their_own(blob, callback):
    first, second = (load_blob(blob, given(callback)) for _ in range(2))
    assert Unary(first.address("count"))(1) == 8
    assert Unary(first.address("count"))(1) == 9
    assert Unary(second.address("count"))(1) == 8


def test_code_is_not_writable(code):
    start = code.base
    for line in Path("/proc/self/maps").read_text().splitlines():
        low, high = (int(one, 16) for one in line.split()[0].split("-"))
        if low <= start < high:
            assert line.split()[1] == "r-xp"
            return
    raise AssertionError("the code is not mapped")


def test_an_import_that_nobody_knows_is_named(blob):
    with pytest.raises(LinkError, match="external symbol given"):
        load_blob(blob)
    with pytest.raises(LinkError, match="no_such_function"):
        address_of("no_such_function")


def test_an_unknown_entry_is_named(code):
    with pytest.raises(LinkError, match="does not define nothing_here"):
        code.address("nothing_here")


@pytest.mark.parametrize(
    "data", [b"", b"x" * 100, b"\x7fELF\x02\x01" + bytes(58), b"\x7fELF\x01\x01" + bytes(58)]
)
def test_what_is_no_object_is_refused(data):
    with pytest.raises(LinkError):
        link_objects([data])


def test_a_cut_off_object_is_refused():
    data = compile_object(PROGRAM)
    for size in (64, len(data) // 2, len(data) - 1):
        with pytest.raises(LinkError):
            link_objects([data[:size]])


@pytest.mark.parametrize("data", [b"", b"TSDBLOB1", b"TSDBLOB1" + bytes(range(200))])
def test_what_is_no_blob_is_refused(data):
    with pytest.raises(LinkError):
        Blob.from_bytes(data)


def test_code_for_another_machine_is_refused(blob):
    with pytest.raises(LinkError, match="machine 4711"):
        load_blob(blob._replace(machine=4711))


def test_thread_local_data_is_refused():
    text = "@x = thread_local global i64 5\ndefine ptr @f() {\n  ret ptr @x\n}"
    with pytest.raises(LinkError, match="thread-local"):
        compile_blob(text)


def test_constructors_are_refused():
    text = """
    @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }]
        [{ i32, ptr, ptr } { i32 1, ptr @f, ptr null }]
    declare void @abort()
    define void @f() {
      call void @abort()
      ret void
    }"""
    with pytest.raises(LinkError, match="constructors"):
        compile_blob(text)


def test_code_of_the_large_model_is_refused():
    text = (
        "@a = global [9 x i64] zeroinitializer\n"
        "define i64 @f(i64 %i) {\n"
        "  %p = getelementptr i64, ptr @a, i64 %i\n"
        "  %x = load i64, ptr %p\n"
        "  ret i64 %x\n}"
    )
    with pytest.raises(LinkError, match="position-independent"):
        link_objects([object_of("x86_64", text, codemodel="large")])


CALLER = "declare i64 @twice(i64)\ndefine i64 @f(i64 %x) {\n  %y = call i64 @twice(i64 %x)\n  ret i64 %y\n}"
CALLED = """
@counter = internal global i64 5
define i64 @twice(i64 %x) {
  %n = load i64, ptr @counter
  %y = mul i64 %x, 2
  %z = add i64 %y, %n
  store i64 %z, ptr @counter
  ret i64 %z
}
"""


def test_an_object_calls_what_another_defines():
    objects = [compile_object(text, host=True, level=2) for text in (CALLER, CALLED)]
    blob = link_objects(objects)
    assert "twice" not in {name for name, _ in blob.imports}
    code = load_blob(Blob.from_bytes(blob.to_bytes()))
    assert [Unary(code.address("f"))(3), Unary(code.address("f"))(1)] == [11, 13]
    with pytest.raises(LinkError, match="symbol twice: defined twice"):
        link_objects([*objects, objects[1]])


def test_objects_for_other_machines_are_not_linked_together():
    with pytest.raises(LinkError, match="ELF machines"):
        link_objects([object_of("aarch64", CALLER), object_of("x86_64", CALLED)])


def test_large_constants_and_alignment():
    elements = ", ".join(f"i64 {i}" for i in range(5000))
    blob = compile_blob(
        f"@table = constant [5000 x i64] [{elements}], align 64\n"
        "define i64 @f(i64 %i) {\n"
        "  %p = getelementptr i64, ptr @table, i64 %i\n"
        "  %x = load i64, ptr %p\n"
        "  ret i64 %x\n}"
    )
    code = load_blob(blob)
    assert code.address("table") % 64 == 0
    assert Unary(code.address("f"))(4321) == 4321


def object_of(machine: str, text: str, level: int = 2, codemodel: str = "small") -> bytes:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    triple = f"{machine}-unknown-linux-gnu"
    target = llvm.Target.from_triple(triple).create_target_machine(
        opt=level, reloc="pic", codemodel=codemodel
    )
    module = llvm.parse_assembly(text)
    module.triple = triple
    return target.emit_object(module)


def test_aarch64_page_addresses_and_calls():
    blob = link_objects([object_of("aarch64", PROGRAM)])
    assert blob.machine == EM_AARCH64
    assert blob.protected % 65536 == 0
    # `count` starts with adrp x8, :got:counter; ldr x8, [x8, :got_lo12:counter], or addresses it directly.
    start = blob.symbols["count"]
    adrp, load = struct.unpack_from("<II", blob.image, start)
    assert adrp & 0x9F000000 == 0x90000000
    page = (adrp >> 29 & 3) | (adrp >> 5 & 0x7FFFF) << 2
    slot = (start & ~0xFFF) + (page << 12) + ((load >> 10 & 0xFFF) << 3)
    assert (slot, blob.symbols["counter"]) in blob.rebases
    called = {name for name, _ in blob.imports}
    assert {"sin", "cos", "given", "PyLong_Type"} <= called


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("name", ["entry", "pool"])
def test_the_runtime_links_for_aarch64(name, level):
    text = entry_ir(Layout(64, 16, 24, True)) if name == "entry" else pool_ir("aarch64")
    blob = link_objects([object_of("aarch64", text, level)])
    defined = {"entry": "entry", "pool": "pool_run"}
    assert defined[name] in blob.symbols
    imported = {symbol for symbol, _ in blob.imports}
    assert ("aligned_alloc" if name == "entry" else "pthread_create") in imported
    assert not any(symbol.startswith("__") for symbol in imported)  # helpers of compilers


def test_loading_does_not_import_llvmlite(blob, tmp_path):
    path = tmp_path / "blob"
    path.write_bytes(blob.to_bytes())
    script = (
        "import sys, ctypes\n"
        "from torchscript_dialect.runtime.native.blob import Blob\n"
        "from torchscript_dialect.runtime.native.loader import load_blob\n"
        "blob = Blob.from_bytes(open(sys.argv[1], 'rb').read())\n"
        "code = load_blob(blob, {'given': 0})\n"
        "f = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(code.address('triple'))\n"
        "assert f(5) == 15\n"
        "assert 'llvmlite' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=True)
