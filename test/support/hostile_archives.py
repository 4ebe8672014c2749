"""Archives that are wrong in one way or another: each is to be one ArchiveError, or to load as if nothing were."""

import io
import random
import struct
import zipfile
from collections.abc import Iterator

Records = dict[str, bytes]


def records_of(data: bytes) -> Records:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(records: Records, method: int = zipfile.ZIP_STORED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in records.items():
            archive.writestr(name, content)
    return out.getvalue()


def bit_flips(data: bytes, count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """One bit or byte changed anywhere."""
    pick = random.Random(seed)
    for number in range(count):
        at = pick.randrange(len(data))
        changed = bytearray(data)
        changed[at] ^= 1 << pick.randrange(8)
        yield f"bit flip {number} at {at}", bytes(changed)


def truncations(data: bytes, count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    pick = random.Random(seed)
    for _ in range(count):
        end = pick.randrange(len(data))
        yield f"cut at {end}", data[:end]
        yield f"begins at {end}", data[end:]


def damaged_records(data: bytes, count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Bytes of a record changed, its checksum right."""
    pick = random.Random(seed)
    records = records_of(data)
    names = [name for name in records if name.endswith((".pkl", ".py", "version", "byteorder"))]
    for number in range(count):
        name = pick.choice(names)
        content = bytearray(records[name])
        match pick.randrange(4):
            case 0 if content:
                content[pick.randrange(len(content))] = pick.randrange(256)
            case 1 if content:
                del content[pick.randrange(len(content)) :]
            case 2:
                content[pick.randrange(len(content) + 1) : 0] = pick.randbytes(3)
            case _:
                content += pick.randbytes(5)
        yield f"damage {number} of {name}", packed(records | {name: bytes(content)})


def pickles() -> Iterator[tuple[str, bytes]]:
    """Pickles that do what pickles of archives do not; each would be data.pkl."""
    head = b"\x80\x02"
    yield "os.system", head + b"cos\nsystem\nX\x04\0\0\0echo\x85R."
    yield "builtins.eval", head + b"cbuiltins\neval\nX\x011\0\0\0\x85R."
    yield "builtins.getattr", head + b"cbuiltins\ngetattr\n."
    yield "a name with dots", head + b"ctorch\n__builtins__.eval\n."
    yield "a class that is none", head + b"c__torch__\nos.system()\n)\x81}b."
    yield "the opcode INST", head + b"(ios\nsystem\n."
    yield "the opcode OBJ", head + b"(cos\nsystem\no."
    yield "the opcode EXT1", head + b"\x82\x01."
    yield "protocol 4", b"\x80\x04N."
    yield "a reference forward", head + b"h\x05."
    yield "a large reference", head + b"j\xff\xff\xff\xff."
    yield "a large memo", head + b"Nr\xff\xff\xff\xff."
    yield "a long text", head + b"X\xff\xff\xff\xffabc."
    yield "no stop", head + b"N" * 100
    yield "an empty stack", head + b"0."
    yield "too much on the stack", head + b"NN."
    yield "no mark", head + b"t."
    yield "a mark left", head + b"N(."
    yield "a list that holds itself", head + b"]q\0h\0a."
    yield "many lists in lists", head + b"]" * 200_000 + b"a" * 199_999 + b"."
    yield "many tuples in tuples", head + b")" + b"\x85" * 200_000 + b"."
    yield "a root that is no module", head + b"K\x05."
    yield "a number of 100 bytes", head + b"\x8a\x64" + b"\x7f" * 100 + b"."
    yield "a key that is a list", head + b"}](h\0u."
    yield "a state twice", head + b"c__torch__\nM\n)\x81}b}b."
    yield "a call of a text", head + b"X\x01\0\0\0a)R."
    yield "bytes after the end", head + b"N.N."


def tensor_pickles() -> Iterator[tuple[str, bytes]]:
    """Tensors that are not inside of their storages, as the value of an attribute."""
    cases = {
        "a negative size": (0, (-1,), (1,), 4),
        "a negative stride": (0, (2,), (-1,), 4),
        "a negative offset": (-1, (2,), (1,), 4),
        "a size beyond": (0, (100,), (1,), 4),
        "an offset beyond": (3, (2,), (1,), 4),
        "a huge size": (0, (1 << 62, 1 << 62), (0, 0), 4),
        "a huge stride": (0, (2, 2), (1 << 62, 1), 4),
        "more dimensions than there are": (0, (1,) * 100, (1,) * 100, 4),
        "sizes and strides of two lengths": (0, (1, 1), (1,), 4),
        "more elements than bytes": (0, (4,), (1,), 1000),
        "fewer elements than bytes": (0, (1,), (1,), 1),
        "a negative count": (0, (1,), (1,), -1),
    }
    for name, (offset, sizes, strides, count) in cases.items():
        yield name, tensor(offset, sizes, strides, count)


def _number(value: int) -> bytes:
    return b"\x8a\x08" + struct.pack("<q", value)


def tensor(offset: int, sizes: tuple[int, ...], strides: tuple[int, ...], count: int) -> bytes:
    def numbers(values: tuple[int, ...]) -> bytes:
        return b"(" + b"".join(map(_number, values)) + b"t"

    def text(value: str) -> bytes:
        return b"X" + struct.pack("<L", len(value)) + value.encode()

    storage = b"(" + text("storage") + b"ctorch\nFloatStorage\n" + text("0") + text("cpu")
    storage += _number(count) + b"tQ"
    return (
        b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + _number(offset) + numbers(sizes)
        + numbers(strides) + b"\x89ccollections\nOrderedDict\n)Rt" + b"R"
    )  # fmt: skip


def module_of(tensor: bytes) -> bytes:
    """The data.pkl of a module with one attribute `x`."""
    return b"\x80\x02c__torch__\nM\n)\x81}(X\x01\0\0\0x" + tensor + b"ub."


def small(**changes: bytes | None) -> Records:
    """The records of an archive of one class with a tensor `x`; changes by name, None for records that are left out."""
    code = "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n  x : Tensor\n  def forward(self: __torch__.M) -> Tensor:\n    return self.x\n"
    found: dict[str, bytes | None] = {
        "data.pkl": module_of(tensor(0, (2,), (1,), 4)),
        "data/0": bytes(16),
        "code/__torch__.py": code.encode(),
        "constants.pkl": b"\x80\x02).",
        "version": b"3\n",
        "byteorder": b"little",
        **changes,
    }
    return {f"m/{name}": content for name, content in found.items() if content is not None}


def containers() -> Iterator[tuple[str, bytes]]:
    """ZIP files that not every reader would read alike, or that are larger than they look."""
    whole = packed(small())
    yield "nothing", b""
    yield "no ZIP file", b"hello" * 100
    yield "no records", packed({})
    yield "a name twice", _twice()
    yield "two folders", packed(small() | {"other/version": b"3"})
    for name in ("../x", "m/../../x", "/etc/passwd", "m//x", "m/a\\b", "m/./x"):
        yield f"the name {name}", packed(small() | {name: b"x"})
    yield "a bomb", packed(small(**{"code/__torch__.py": bytes(100_000_000)}), zipfile.ZIP_DEFLATED)
    yield "bytes after the end", whole + b"more"
    yield "another size in the header", _with_header_size(whole)
    yield "two records in one place", _overlapping()
    for name in ("data.pkl", "constants.pkl", "data/0", "code/__torch__.py", "version"):
        yield f"no {name}", packed(small(**{name: None}))
    yield "a method that packs in another way", packed(small(), zipfile.ZIP_BZIP2)


def _twice() -> bytes:
    """Two entries of the directory, and their headers, with one name."""
    return packed(small() | {"m/data/1": bytes(16)}).replace(b"m/data/1", b"m/data/0")


def _with_header_size(data: bytes) -> bytes:
    at = data.index(b"PK\3\4")
    return data[: at + 22] + struct.pack("<L", 7) + data[at + 26 :]


def _overlapping() -> bytes:
    """The place of the second record in the directory is that of the first."""
    records = small() | {"m/data/1": bytes(16)}
    whole = packed(records)
    first = whole.index(b"PK\1\2")
    entries = [i for i in range(first, len(whole)) if whole.startswith(b"PK\1\2", i)]
    changed = bytearray(whole)
    changed[entries[1] + 42 : entries[1] + 46] = changed[entries[0] + 42 : entries[0] + 46]
    return bytes(changed)


def sources() -> Iterator[tuple[str, bytes]]:
    """Source that is none of an archive's; each would be the file of the class."""
    head = "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n  x : Tensor\n"
    yield "an import", b"import os\nos.system('echo')\n" + head.encode()
    yield "a statement", b"x = 1\n" + head.encode()
    yield "no text", b"\xff\xfe" + head.encode()
    yield "no class", b""
    yield "the class twice", (head + head).encode()
    yield "another base", head.replace("Module", "object").encode()
    yield "an attribute of no type", (head + "  y : __torch__.N\n").encode()
    yield "an attribute that is missing", (head + "  y : int\n").encode()
    yield "an attribute of another type", head.replace("Tensor", "int").encode()
    yield "two names", (head + "  y = z = ['x', ]\n").encode()
    yield "a call", (head + "  y : Final[int] = eval('1')\n").encode()
    yield "a hook that is missing", (head + "  __forward_hooks__ = ['no', ]\n").encode()
    yield "a deep type", (head + "  y : " + "List[" * 5000 + "int" + "]" * 5000 + "\n").encode()
    yield "a long type", (head + "  y : Tuple[" + "int, " * 200_000 + "]\n").encode()
    yield "a text that never ends", (head + '  y : Final[str] = "' + "a" * 100_000 + "\n").encode()
    yield (
        "a bracket that never ends",
        (head + "  y : Final[int] = " + "(" * 100_000 + "\n").encode(),
    )
    yield (
        "a state that is not set",
        (
            head + "  def __setstate__(self: __torch__.M, s: int) -> NoneType:\n    return None\n"
        ).encode(),
    )
    yield (
        "a state that writes a file",
        (
            head + "  def __setstate__(self: __torch__.M, s: Tensor) -> NoneType:\n"
            "    ops.aten.save(s, 'written')\n    self.x = s\n    return None\n"
        ).encode(),
    )


def methods() -> Iterator[tuple[str, str]]:
    """Bodies of `forward` that must not run, or cannot be compiled."""
    yield "a file written", "ops.aten.save(self.x, 'written')"
    yield "nothing that there is", "ops.nothing.at_all(self.x)"
    yield "a constant that is missing", "print(CONSTANTS.c7)"
    yield "an attribute that is missing", "print(self.y)"
    yield "a function that is missing", "__torch__.f(self.x)"
    yield "itself", "self.forward()"
    yield "Python's names", "__import__('os').system('echo')"


def with_method(body: str) -> bytes:
    """An archive whose `forward` does what a line says."""
    code = (
        "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n  x : Tensor\n"
        f"  def forward(self: __torch__.M) -> Tensor:\n    {body}\n    return self.x\n"
    )
    return packed(small(**{"code/__torch__.py": code.encode()}))
