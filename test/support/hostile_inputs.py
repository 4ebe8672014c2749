"""What strangers may give to `ts-opt` and `ts-run`: texts, archives, arrays and values that are wrong, or larger than they look."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import NamedTuple

from support import hostile_archives as archives

PAYLOAD = "__import__('os').system('touch hacked')"
DEEP = 20_000
LEVELS = range(40)
"""Each twice the one before: written out, no memory holds the last one."""


class Case(NamedTuple):
    """The content of the file `name`, and what else the call has; `ts-opt` where `tool` does not say otherwise."""

    what: str
    name: str
    content: bytes
    arguments: tuple[str, ...] = ()
    tool: str = "ts-opt"
    is_error: bool = True
    """Whether it must be refused; what is merely odd may be taken."""


def _text(what: str, content: str, *arguments: str, is_error: bool = True) -> Case:
    return Case(what, "a.ts", content.encode(), arguments, is_error=is_error)


def graph_texts() -> Iterator[Case]:
    """Graph text."""
    head = "graph(%x : Tensor):\n"

    def constant(type_: str, value: str) -> str:
        return f"{head}  %0 : {type_} = prim::Constant[value={value}]()\n  return (%0)\n"

    def folded(*lines: str) -> str:
        return "graph():\n  " + "\n  ".join(lines) + "\n  return (%r)\n"

    yield _text("types in types", f"graph(%x : {'(' * DEEP}int{')' * DEEP}):\n  return (%x)\n")
    yield _text(
        "lists of lists", f"graph(%x : int{'[]' * DEEP}):\n  return (%x)\n", "--disable-verify"
    )
    blocks = "".join("  = prim::If(%b)\n block0():\n" for _ in range(5000))
    yield _text("blocks in blocks", f"graph(%b : bool):\n{blocks}", "-t", "torchscript")
    yield _text("a large int", constant("int", "9" * 200_000))
    yield _text("a large float", constant("float", "1e" + "9" * 20_000), "-t", "python")
    yield _text("a text without end", constant("str", '"' + "\\" * 100_001)[:-30])
    yield _text("a list without end", head + "  %0 : str = prim::Constant[" * 5000)
    yield _text("a large tensor", constant("Tensor", 'tensor<Float, [1000000000000], "00">'))
    yield _text("a large shape", constant("Tensor", 'tensor<Float, [1000000,1000000,1000000], "">'))
    yield _text("a negative shape", constant("Tensor", 'tensor<Float, [-1], "00">'))
    yield _text("bytes", bytes(range(128)).decode() * 50)
    yield _text("a zero byte", head + "  %y : Tensor = aten::neg(%x)\0\n  return (%y)\n")
    yield _text("a function twice", head + "  return (%x)\n" + head + "  return (%x)\n")
    yield _text("a name that moves the cursor", head + "  %y : \x1b[31mT = aten::neg(%x)\n")
    call = '  %f : Function = prim::Constant[name="{0}"]()\n  %y : Tensor = prim::CallFunction(%f, %x)\n'
    recursive = f"graph @g(%x : Tensor):\n{call.format('g')}  return (%y)\n"
    yield _text("a function that calls itself", recursive, "-p", "ts-inline")
    calls = "".join(
        f"graph @g{i}(%x : Tensor):\n{call.format(f'g{i + 1}')}"
        "  %z : Tensor = prim::CallFunction(%f, %y)\n  return (%z)\n"
        for i in LEVELS
    )
    last = f"graph @g{len(LEVELS)}(%x : Tensor):\n  return (%x)\n"
    yield _text("calls that double", calls + last, "-p", "ts-inline")
    typed = "graph(%x : Float({0}, {0})):\n  %1 : Tensor = aten::exp(%x)\n  return (%1)\n"
    check = ("--verify-equiv", "-p", "ts-peephole")
    yield _text("a large argument", typed.format(10**9), *check, is_error=False)
    yield _text("a larger argument", typed.format(2**63 - 1), *check, is_error=False)
    zeros = folded(
        "%n : int = prim::Constant[value=1000000]()",
        "%z : NoneType = prim::Constant()",
        "%l : int[] = prim::ListConstruct(%n, %n)",
        "%r : Tensor = aten::zeros(%l, %z, %z, %z, %z)",
    )
    fold = ("-p", "ts-constant-propagation")
    yield _text("a constant of a million millions", zeros, *fold, is_error=False)
    factorial = folded(
        "%n : int = prim::Constant[value=100000000]()", "%r : int = aten::factorial(%n)"
    )
    yield _text("a large factorial", factorial, *fold, is_error=False)
    doubled = "".join(f"  %l{i + 1} : Tensor[] = aten::add(%l{i}, %l{i})\n" for i in LEVELS)
    lists = f"{head}  %l0 : Tensor[] = prim::ListConstruct(%x, %x)\n{doubled}  return (%x, %l40)\n"
    yield _text("lists that double", lists, "-p", "ts-peephole", is_error=False)


def mlir_texts() -> Iterator[Case]:
    """MLIR text, with resources."""
    function = "func.func @f() attributes {{x = {}}} {{ func.return }}\n"

    def text(what: str, content: str, *arguments: str, is_error: bool = True) -> Case:
        return Case(what, "a.mlir", content.encode(), arguments, is_error=is_error)

    def aliases(mark: str, first: str, each: str) -> str:
        lines = [f"{mark}a0 = {first}\n"]
        lines += [f"{mark}a{i + 1} = " + each.replace("@", f"{mark}a{i}") + "\n" for i in LEVELS]
        return "".join(lines)

    use = "func.func @f(%x: !a40) { func.return }\n"
    yield text("tuples that double", aliases("!", "i32", "tuple<@, @>") + use)
    yield text("types that double", aliases("!", "!prim.int", "!prim.tuple<@, @>") + use)
    yield text(
        "attributes that double", aliases("#", "1 : i32", "[@, @]") + function.format("#a40")
    )
    yield text("attributes in each other", function.format("[" * DEEP + "]" * DEEP))
    yield text("types in each other", f"func.func @f(%x: {'tuple<' * DEEP}i1{'>' * DEEP}) {{}}\n")
    yield text(
        "types of ours", f"func.func @f(%x: {'!prim.list<' * 500}!prim.int{'>' * 500}) {{}}\n"
    )
    yield text("regions in each other", '"a.b"() ({' * DEEP, "--allow-unregistered-dialect")
    yield text("a wide int", function.format("1 : i4000000000"))
    yield text("a wider int", "func.func @f(%x: i" + "9" * 5000 + ") { func.return }\n")
    yield text("an int that does not fit", function.format("9" * 4000 + " : i64"))
    yield text("a text without end", function.format('"' + "\\" * 100_000))
    yield text("quotes", '"' * 100_000)
    yield text("bytes that are no text", "é" * 50_000)
    yield text("an alias of itself", "#a = [#a]\n" + function.format("#a"))
    yield text("digits that are none", function.format('dense<"0xZZ"> : tensor<2xf32>'))
    yield text("bytes that are too few", function.format('dense<"0x00"> : tensor<2xf32>'))
    yield text(
        "elements that are too few", function.format("dense<[1.0, 2.0]> : tensor<10000000000xf32>")
    )
    yield text("a large literal", function.format("dense<1.0> : tensor<1000000x1000000xf32>"))
    yield text("a negative dimension", "func.func @f(%x: tensor<-5xf32>) { func.return }\n")
    constant = (
        "builtin.module {{\n  func.func @f() -> !prim.tensor {{\n    %0 = prim.Constant() {{value = "
        "dense_resource<w> : tensor<{}>}} : () -> !prim.tensor\n    func.return %0 : !prim.tensor\n  }}\n}}\n"
        "{{-#\n  dialect_resources: {{\n    {}: {{\n      {}\n    }}\n  }}\n#-}}\n"
    )  # fmt: skip
    whole = '"0x040000000000803F00000040"'
    for what, type_, dialect, record in (
        ("too short", "2xf32", "builtin", 'w: "0x040000000000803F"'),
        ("odd", "2xf32", "builtin", 'w: "0x040000000000803"'),
        ("not hexadecimal", "2xf32", "builtin", 'w: "0xzz"'),
        ("no blob", "2xf32", "builtin", 'w: "hello"'),
        ("a number", "2xf32", "builtin", "w: 5"),
        ("missing", "2xf32", "builtin", f"v: {whole}"),
        ("of no dialect", "2xf32", "nothing", f"w: {whole}"),
        ("of a type that has none", "2xindex", "builtin", f"w: {whole}"),
        ("of a large type", "1000000x1000000xf32", "builtin", f"w: {whole}"),
        ("of no known size", "?xf32", "builtin", f"w: {whole}"),
    ):
        content = constant.format(type_, dialect, record)
        yield text(f"a resource that is {what}", content, "-p", "ts-constant-propagation")
    unclosed = constant.format("2xf32", "builtin", f"w: {whole}").replace("#-}", "")
    yield text("resources without end", unclosed)
    llvm = "builtin.module {{\n  llvm.func @f() {{\n    {}\n    llvm.return\n  }}\n}}\n"
    assembly = r'llvm.inline_asm ".incbin \"/etc/passwd\"", "" : () -> ()'
    yield text("assembly that reads a file", llvm.format(assembly), "-t", "asm")
    name = r'builtin.module { llvm.func @"f\22() { ret void } define void @g"() { llvm.return } }'
    yield text("a name that ends a function", name, "-t", "asm")
    yield text("what has no LLVM IR", llvm.format("llvm.unreachable"), "-t", "llvm")


def sources() -> Iterator[Case]:
    """Python source, to compile and to run."""

    def source(what: str, content: str, *arguments: str, is_error: bool = True) -> Iterator[Case]:
        data = content.encode()
        yield Case(what, "a.py", data, arguments, is_error=is_error)
        yield Case(what, "a.py", data, ("--graph",), "ts-run", is_error)

    def body(line: str) -> str:
        return f"def f(x: int):\n    return {line}\n"

    yield from source("brackets", body("(" * DEEP), is_error=True)
    yield from source(
        "types in types", f"def f(x: {'List[' * DEEP}int{']' * DEEP}):\n    return x\n"
    )
    yield from source("lists in lists", body("[" * 1000 + "x" + "]" * 1000))
    yield from source("a large int", body("9" * 100_000))
    yield from source("a text without end", body("'" + "\\" * 100_001))
    yield from source("an import", f"import os\n{PAYLOAD}\n{body('x')}", is_error=False)
    yield from source("a decorator", f"@{PAYLOAD}\n{body('x')}", is_error=False)
    yield from source("a default value", f"def f(x={PAYLOAD}):\n    return x\n")
    yield from source("a call of Python's", body(PAYLOAD))
    yield from source("an attribute of Python's", body("x.__class__.__bases__"))
    yield from source("a zero byte", body("x\0"))
    yield from source("functions that call each other", "def f(x):\n    return g(x)\ndef g(x):\n    return f(x)\n")  # fmt: skip
    calls = "".join(f"def f{i + 1}(x):\n    return f{i}(x) + f{i}(x)\n" for i in LEVELS)
    yield Case("calls that double", "a.py", f"def f0(x):\n    return x\n{calls}".encode(), ("-p", "ts-inline"))  # fmt: skip
    for what, line in (("a large list", "[0] * 1000000000000"), ("a large factorial", "math.factorial(1 << 30)"), ("a large text", "'a'.center(100000000000)")):  # fmt: skip
        yield from source(what, body(line), "-p", "ts-constant-propagation", is_error=False)


def array(
    dtype: str = "'<f4'", shape: str = "(2,)", data: bytes = bytes(8), header: bytes | None = None
) -> bytes:
    """An .npy file of version 1, whatever its header says."""
    text = header or f"{{'descr': {dtype}, 'fortran_order': False, 'shape': {shape}}}\n".encode()
    return b"\x93NUMPY\1\0" + len(text).to_bytes(2, "little") + text + data


def zipped(**records: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in records.items():
            file.writestr(f"{name}.npy", content)
    return out.getvalue()


ARRAYS = {
    "a shape that is not there": array(shape="(1000000000000,)"),
    "a shape beyond 64 bits": array(shape="(10**30,)"),
    "sizes whose product wraps around": array(shape="(4611686018427387904, 4)"),
    "a negative size": array(shape="(-2,)"),
    "two negative sizes": array(shape="(-1, -2)"),
    "a size that is a truth value": array(shape="(True, 2)"),
    "a thousand dimensions": array(shape="(" + "1," * 1000 + ")", data=bytes(4)),
    "a type that is large": array("'|V2000000000'"),
    "a text": array("'<U2'", "(1,)"),
    "objects": array("'|O'", "(1,)", b"cos\nsystem\n(S'touch hacked'\ntR."),
    "a struct of objects": array("[('a', '<f4'), ('b', 'O')]", "(1,)"),
    "dates": array("'<M8[s]'", "(1,)"),
    "another byte order": array("'>f4'"),
    "a header that is code": array(PAYLOAD),
    "a header of brackets": array(shape="(" * 3000 + ")" * 3000),
    "a header that is no dict": array(header=b"[1]\n"),
    "a header that is not there": b"\x93NUMPY\2\0\xff\xff\xff\xff{",
    "another version": b"\x93NUMPY\x09\x09" + array()[8:],
    "a pickle": b"cos\nsystem\n(S'touch hacked'\ntR.",
    "nothing": b"",
    "bytes after the end": array(data=bytes(9)),
}
"""Contents of .npy files."""


def values() -> Iterator[Case]:
    """Files of arrays and values for `ts-run`, each the one argument of a function."""

    def given(what: str, name: str, content: bytes) -> Case:
        return Case(what, name, content, ("f.py", name), "ts-run")

    for what, content in ARRAYS.items():
        yield given(what, "a.npy", content)
        yield given(f"{what}, among others", "a.npz", zipped(y=array(), x=content))
    whole = zipped(x=array())
    yield given("a large array in a small file", "a.npz", zipped(x=array("'|u1'", "(300000000,)", bytes(300_000_000))))  # fmt: skip
    yield given("half a file", "a.npz", whole[:-30])
    yield given("a damaged record", "a.npz", whole.replace(b"x.npy", b"y.npy", 1))
    yield given("a file of one array", "a.npz", array())
    yield given("a name that leads out", "a.npz", archives.packed({"../x.npy": array()}))
    yield given("a name of another argument", "a.npz", zipped(self=array()))
    yield given("no zip file", "a.npz", b"PK\3\4" * 1000)
    yield given("lists in lists", "a.json", b"[" * 100_000)
    yield given("dicts in dicts", "a.json", b'{"a":' * 100_000)
    yield given("digits", "a.json", b"9" * 100_000)
    yield given("half a character", "a.json", rb'"\ud800"')
    yield given("bytes", "a.json", bytes(range(256)))
    yield given("nothing at all", "a.json", b"")
    yield given("two values", "a.json", b"[1] [2]")


TARGETS = ((), ("-t", "torchscript"), ("-t", "python"), ("-t", "linalg"), ("-p", "ts-inline"))


def archive_files() -> Iterator[Case]:
    """Archives, for each way to look at them in turn."""
    whole = [
        *archives.containers(),
        *((what, archives.packed(archives.small(**{"data.pkl": data}))) for what, data in archives.pickles()),
        *((what, archives.packed(archives.small(**{"data.pkl": archives.module_of(data)}))) for what, data in archives.tensor_pickles()),
        *((what, archives.packed(archives.small(**{"code/__torch__.py": data}))) for what, data in archives.sources()),
        *((what, archives.with_method(line)) for what, line in archives.methods()),
    ]  # fmt: skip
    for number, (what, data) in enumerate(whole):
        yield Case(what, "a.pt", data, ("--inspect",), is_error=False)
        yield Case(what, "a.pt", data, TARGETS[number % len(TARGETS)], is_error=False)
        yield Case(what, "a.pt", data, (), "ts-run")


def cases() -> Iterator[Case]:
    for make in (graph_texts, mlir_texts, sources, values, archive_files):
        yield from make()
