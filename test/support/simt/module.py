"""Reads a PTX module as text (PTX ISA, sections 3 to 5)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property

from support.simt.faults import Fault
from support.simt.memory import Memory

SIZES = {"b8": 1, "u8": 1, "s8": 1, "b16": 2, "u16": 2, "s16": 2, "f16": 2, "bf16": 2}
SIZES |= {"b32": 4, "u32": 4, "s32": 4, "f32": 4, "b64": 8, "u64": 8, "s64": 8, "f64": 8}
ACCESSES = ("ld", "ldu", "st", "atom", "red")


@dataclass(frozen=True)
class Operand:
    """A register, an immediate, a name, a vector `{...}` of operands or an address `[base + offset]`."""

    kind: str
    value: object
    offset: int = 0


@dataclass(frozen=True)
class Instruction:
    """`@guard name.modifiers operands;` in one line of the text."""

    name: str
    modifiers: tuple[str, ...]
    operands: tuple[Operand, ...]
    guard: str | None
    is_negated: bool
    line: int
    text: str

    @cached_property
    def type(self) -> str:
        """The last type of the instruction."""
        return next(
            m for m in reversed(self.modifiers) if m in SIZES or m in ("pred", "f16x2", "bf16x2")
        )

    def __contains__(self, modifier: str) -> bool:
        return modifier in self.modifiers


@dataclass
class Variable:
    """A variable of a state space: its size in bytes, its alignment, the bytes that it begins with."""

    name: str
    size: int
    align: int
    initial: bytes = b""


@dataclass
class Kernel:
    """An `.entry`: parameters (name to offset and size in the block of parameters), registers (to widths) and instructions."""

    name: str
    parameters: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    parameter_bytes: int = 0
    registers: dict[str, str] = field(default_factory=dict[str, str])
    shared: list[Variable] = field(default_factory=list[Variable])
    local: list[Variable] = field(default_factory=list[Variable])
    max_threads: int | None = None
    has_exact_threads: bool = False
    """Whether its blocks have that many."""
    instructions: list[Instruction] = field(default_factory=list[Instruction])
    labels: dict[str, int] = field(default_factory=dict[str, int])
    branch_targets: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """Of tables of labels, by their own."""

    @cached_property
    def granule(self) -> int:
        """The bytes of its smallest access to memory: it is aligned to these, so that one of them tells of the others."""
        accesses = [one for one in self.instructions if one.name in ACCESSES]
        return min((SIZES[one.type] for one in accesses if "param" not in one), default=1)


@dataclass
class Module:
    """Kernels and variables of a module, by name."""

    target: str = ""
    kernels: dict[str, Kernel] = field(default_factory=dict[str, Kernel])
    shared: list[Variable] = field(default_factory=list[Variable])
    constants: list[Variable] = field(default_factory=list[Variable])
    globals: list[Variable] = field(default_factory=list[Variable])
    addresses: dict[str, int] = field(default_factory=dict[str, int])
    """Where its constants and globals stand in the memory of a device."""


_VARIABLE = re.compile(
    r"\.(?:extern\s+)?(?P<space>shared|local|global|const)\s+(?:\.align\s+(?P<align>\d+)\s+)?\.(?P<type>\w+)\s+"
    r"(?P<name>[\w$]+)(?:\[(?P<count>\d*)\])?(?:\s*=\s*(?P<initial>.*))?$",
    re.DOTALL,
)
_REGISTERS = re.compile(r"\.reg\s+\.(\w+)\s+(%?[\w$]+)(?:<(\d+)>)?$")
_ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*(?:\((.*?)\))?\s*((?:\.\w+[^{.]*)*)\{", re.DOTALL)
_PARAMETER = re.compile(
    r"\.param\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+(?:\.ptr[^,]*?\s)?([\w$]+)(?:\[(\d+)\])?\s*$"
)
_INSTRUCTION = re.compile(r"(?:@(!?)(%[\w$]+)\s+)?([a-z][\w.:]*)\s*(.*)$", re.DOTALL)


def parse(text: str) -> Module:
    """The module of a text.

    Raises:
        Fault: the text has what the interpreter does not read.
    """
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), text, flags=re.DOTALL)
    text = re.sub(r"//[^\n]*", "", text)
    module = Module()
    target = re.search(r"\.target\s+([\w, ]+)", text)
    module.target = target[1].strip() if target else ""
    at = 0
    while found := _ENTRY.search(text, at):
        _read_variables(text[at : found.start()], module)
        end = _closing(text, found.end())
        module.kernels[found[1]] = _read_kernel(found, text, end)
        at = end + 1
    _read_variables(text[at:], module)
    return module


def load(text: str, memory: Memory) -> Module:
    """The module of a text, its constants and globals in memory.

    Raises:
        Fault: the text has what the interpreter does not read.
        OutOfMemory: there is no room for its variables.
    """
    module = parse(text)
    for variable in [*module.constants, *module.globals]:
        address = memory.allocate(variable.size)
        memory.write(address, variable.initial.ljust(variable.size, b"\0"))
        module.addresses[variable.name] = address
    return module


def unload(module: Module, memory: Memory) -> None:
    """Give back what the variables of a module took."""
    for address in module.addresses.values():
        memory.free(address)
    module.addresses.clear()


def _closing(text: str, start: int) -> int:
    depth = 1
    for match in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.start()
    raise Fault("a kernel has no end")


def _read_variables(text: str, module: Module) -> None:
    if ".func" in text:
        raise Fault("functions are not read: inline them")
    for statement in text.split(";"):
        found = _VARIABLE.search(statement.strip())
        if found is not None:
            spaces = {"shared": module.shared, "const": module.constants, "global": module.globals}
            spaces[found["space"]].append(_variable(found))


def _variable(found: re.Match[str]) -> Variable:
    size = SIZES[found["type"]]
    count = 0 if found["count"] == "" else int(found["count"] or 1)
    initial = b""
    if found["initial"]:
        for word in re.findall(r"[^\s{},]+", found["initial"]):
            initial += (_immediate(word) & (256**size - 1)).to_bytes(size, "little")
    return Variable(found["name"], size * count, int(found["align"] or size), initial)


def _read_kernel(found: re.Match[str], text: str, end: int) -> Kernel:
    kernel = Kernel(found[1])
    for parameter in filter(str.strip, (found[2] or "").split(",")):
        declared = _PARAMETER.search(parameter.strip())
        if declared is None:
            raise Fault(f"{kernel.name}: a parameter is not read: {parameter.strip()}")
        size = SIZES[declared[2]]
        align = int(declared[1] or size)
        start = -(-kernel.parameter_bytes // align) * align
        total = size * int(declared[4] or 1)
        kernel.parameters[declared[3]] = (start, total)
        kernel.parameter_bytes = start + total
    limit = re.search(r"\.(?:maxntid|reqntid)\s+([\d, ]+)", found[3])
    kernel.has_exact_threads = ".reqntid" in found[3]
    if limit:
        kernel.max_threads = 1
        for extent in limit[1].split(","):
            kernel.max_threads *= int(extent)
    line = text.count("\n", 0, found.end()) + 1
    _read_body(kernel, text[found.end() : end], line)
    return kernel


_UPPER_HALF = re.compile(r"\{ \.reg \.(b16|b32) tmp; (mov\.b\d\d \{[^}]*\}, [^;]*;) \}")
"""How LLVM takes one half of a register of 32 or 64 bits."""


def _read_body(kernel: Kernel, body: str, line: int) -> None:
    for kind in {found[1] for found in _UPPER_HALF.finditer(body)}:
        kernel.registers[f"tmp_{kind}"] = kind
    body = _UPPER_HALF.sub(lambda found: found[2].replace("tmp", f"tmp_{found[1]}"), body)
    for statement in body.split(";"):
        stripped = statement.lstrip()
        first = line + statement[: len(statement) - len(stripped)].count("\n")
        line += statement.count("\n")
        while label := re.match(r"([\w$]+):\s*", stripped):
            kernel.labels[label[1]] = len(kernel.instructions)
            if targets := re.match(r"\.branchtargets\s+(.*)$", stripped[label.end() :], re.DOTALL):
                kernel.branch_targets[label[1]] = _split(targets[1])
            first += label[0].count("\n")
            stripped = stripped[label.end() :]
        _read_statement(kernel, stripped.strip(), first)


def _read_statement(kernel: Kernel, statement: str, line: int) -> None:
    if registers := _REGISTERS.match(statement):
        kind, name, count = registers.groups()
        names = [name] if count is None else [f"{name}{i}" for i in range(int(count))]
        kernel.registers |= dict.fromkeys(names, kind)
    elif variable := _VARIABLE.match(statement):
        variables = kernel.shared if variable["space"] == "shared" else kernel.local
        variables.append(_variable(variable))
    elif statement and not statement.startswith("."):
        kernel.instructions.append(_instruction(kernel, statement, line))


def _instruction(kernel: Kernel, text: str, line: int) -> Instruction:
    found = _INSTRUCTION.match(text)
    if found is None:
        raise Fault(f"{kernel.name}, line {line}: not an instruction: {text}")
    name, *modifiers = re.split(r"\.|::", found[3])
    operands = tuple(_operand(word) for word in _split(found[4]))
    return Instruction(name, tuple(modifiers), operands, found[2], found[1] == "!", line, text)


def _split(text: str) -> list[str]:
    words, depth, word = [], 0, ""
    for c in text:
        depth += (c in "{[") - (c in "}]")
        if depth == 0 and c in ",|":
            words.append(word.strip())
            word = ""
        else:
            word += c
    return [*words, word.strip()] if word.strip() else words


def _operand(word: str) -> Operand:
    if word.startswith("{"):
        return Operand("vector", tuple(_operand(part) for part in _split(word[1:-1])))
    if word.startswith("["):
        base, sign, offset = re.fullmatch(r"\[\s*([^+\-\s]+)\s*([+-]?)\s*(\S*)\s*\]", word).groups()  # pyright: ignore[reportOptionalMemberAccess]
        distance = int(offset, 0) if offset else 0
        return Operand("address", _operand(base), -distance if sign == "-" else distance)
    if word.startswith("!"):
        return Operand("not", _operand(word[1:].strip()))
    if word.startswith("%"):
        return Operand("register", word)
    if re.match(r"-?\d", word):
        return Operand("immediate", _immediate(word))
    return Operand("name", word)


def _immediate(word: str) -> int:
    """The bits of a number: `0f` and `0d` give those of a float."""
    if word[:2].lower() in ("0f", "0d"):
        return int(word[2:], 16)
    return int(word.rstrip("U"), 0)
