"""From bytecode of mobile archives to the source that it was made from: Note [Bytecode].

Note [Bytecode]
The compiler of bytecode writes the nodes of a graph in order: each takes its operands from a stack and leaves its results there, or in
registers, of which each is written in one place. Branches and loops are jumps of fixed forms, nested as the blocks were. So the machine
is run once, over texts in the place of values: what an instruction computes becomes an assignment to a new name, a jump that a block
begins with becomes `if` or a loop, and what the arms of it leave on the stack gets one name. The text is compiled as any source of an
archive is: by the types of its arguments, with the upgraders of its version. Types are followed as far as the text needs them: for
attributes, which are numbers here, and for what is None or nothing in one arm. What a type was refined to is lost, and found again by
`_unwrap_optional`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, Protocol

from torchscript_dialect.frontend.archive.bytecode_types import (
    BytecodeTypes,
    result_types,
    tuple_of,
)
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.serialization.archive.bytecode import (
    RECORD,
    BytecodeMethod,
    CalledOperator,
    Instruction,
    index,
)
from torchscript_dialect.serialization.archive.errors import ArchiveError
from torchscript_dialect.serialization.archive.pickle_machine import PickledEnum
from torchscript_dialect.serialization.python_printer_expressions import called_name
from torchscript_dialect.serialization.python_printer_tables import is_identifier
from torchscript_dialect.tensor.device import device
from torchscript_dialect.types.containers import OptionalType, UnionType
from torchscript_dialect.types.core import BOOL, INT, NONE, TorchScriptType
from torchscript_dialect.types.function_schema import format_float, quote
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.types.subtyping import unify_types

MAX_NESTING = 60
"""How deep the blocks of a method are nested."""
MAX_TEXT = 1 << 24
"""How many characters a method has."""
MAX_RESULTS = 10_000
"""How many values an instruction unpacks."""
_ENDLESS = (1 << 63) - 1
_NOT_IN_SOURCE = "aten::view.dtype"
"""Source takes the number of a dtype for a size; traces of PyTorch 1 call this operator."""
_OPERATORS = {
    "DEVICE": "prim::device",
    "DTYPE": "prim::dtype",
    "DIM": "aten::dim",
    "__NOT__": "aten::__not__",
    "NUM_TO_TENSOR": "prim::NumToTensor.Scalar",
    "IS_CUDA": "prim::is_cuda",
    "DICT_INDEX": "aten::__getitem__.Dict_str",
    "FORMAT": "aten::format",
}
"""Operators that have instructions of their own."""
_INSTRUCTIONS = {
    "prim::Uninitialized": "UN_INITIALIZED",
    "prim::tolist": "TO_LIST",
    "prim::TupleIndex": "TUPLE_INDEX",
    "aten::__is__": "__IS__",
    "aten::__isnot__": "__ISNOT__",
}
"""Instructions that were operators before version 7."""


@dataclass(frozen=True)
class Value:
    """What stands on the stack: an expression that can be written at any later place, and its type as far as that is known. Without
    text it is nothing that anything reads.
    """

    text: str
    type: TorchScriptType | None = None


@dataclass
class _Block:
    """A part of a method being read: where it is, what is on the stack, and the lines so far, of which those from `dead_from` on are
    never reached.
    """

    at: int
    end: int
    depth: int
    stack: list[Value] = field(default_factory=list[Value])
    lines: list[str] = field(default_factory=list[str])
    dead_from: int | None = None

    def die(self) -> None:
        """Let nothing after this be reached."""
        if self.dead_from is None:
            self.dead_from = len(self.lines)


class Classes(Protocol):
    """The classes of an archive."""

    def fields(self, class_: ClassType) -> Mapping[str, TorchScriptType]:
        """The attributes of a class and their types, in order."""
        ...

    def assign(self, class_: ClassType, slot: int, type_: TorchScriptType) -> None:
        """Hear of the type of what is assigned to an attribute."""
        ...

    def returned(self, class_: TorchScriptType | None, method: str) -> TorchScriptType | None:
        """What a method of a class returns, None where it is not known."""
        ...

    def type_of(self, value: Any) -> TorchScriptType:
        """The type of a value, by what the archive tells of containers."""
        ...


class Decompiler:
    """Writes the source of one method."""

    def __init__(
        self,
        method: BytecodeMethod,
        classes: Classes,
        types: BytecodeTypes,
        constant: Callable[[Any], int],
    ) -> None:
        """`constant` gives the number by which source names a value that it cannot hold."""
        self.method = method
        self._classes = classes
        self._types = types
        self._constant = constant
        self._registers: dict[int, Value] = {}
        self._taken = {argument.name for argument in method.arguments}
        self._count = 0
        self._at = 0
        self._size = 0

    def text(self) -> list[str]:
        """The lines of the method.

        Raises:
            ArchiveError: the bytecode is malformed, or does what has no source.
        """
        method = self.method
        name = method.qualified_name.rpartition(".")[2]
        block = _Block(0, len(method.instructions), 0)
        shown: list[str] = []
        for number, argument in enumerate(method.arguments):
            type_ = self._types.parsed(argument.type)
            own = self._checked(argument.name) if number else "self"
            block.stack.append(Value(own, type_))
            text = f"{own}: {type_.annotation_str}{self._default(number)}"
            shown.append(text if number else own)
        if len(method.returns) != 1:
            self._malformed("results")
        result = self._types.parsed(method.returns[0].type).annotation_str
        self._run(block)
        head = f"  def {self._checked(name)}({', '.join(shown)}) -> {result}:"
        return [head, *(f"    {line}" for line in block.lines)]

    # Values.

    def _checked(self, name: str) -> str:
        return name if is_identifier(name) else self._malformed("a name")

    def _new(self) -> str:
        while True:
            name = f"_{self._count}"
            self._count += 1
            if name not in self._taken:
                return name

    def _write(self, block: _Block, line: str) -> None:
        block.lines.append(line)
        self._size += len(line)
        if self._size > MAX_TEXT:
            raise ArchiveError(
                f"{self.method.qualified_name} is longer than {MAX_TEXT} characters", RECORD
            )

    def _assign(self, block: _Block, text: str, type_: TorchScriptType | None = None) -> Value:
        value = Value(self._new(), type_)
        self._write(block, f"{value.text} = {text}")
        return value

    def _pop(self, block: _Block) -> Value:
        return block.stack.pop() if block.stack else self._malformed("an empty stack")

    def _take(self, block: _Block, count: int) -> list[Value]:
        if not 0 <= count <= len(block.stack):
            self._malformed("an empty stack")
        start = len(block.stack) - count
        found = block.stack[start:]
        del block.stack[start:]
        return found

    def _read(self, block: _Block, count: int) -> list[Value]:
        """Take what is used: where that is nothing, the code is never reached."""
        found = self._take(block, count)
        if not all(value.text for value in found):
            block.die()
        return found

    def _literal(self, value: Any) -> str:
        """A constant as an expression."""
        match value:
            case None | bool():
                return str(value)
            case int():
                return str(value)
            case float():
                return format_float(value)
            case str():
                return quote(value)
            case device():
                return f"torch.device({quote(str(value))})"
            case _:
                return f"CONSTANTS.c{self._constant(value)}"

    def _default(self, number: int) -> str:
        """The default of an argument: None, of one that may be None and has no other, where all that follow have one."""
        rest = self.method.arguments[number:]
        if any(one.default is None and not one.type.startswith("Optional[") for one in rest):
            return ""
        return f"={self._literal(rest[0].default)}"

    def _type(self, number: int) -> TorchScriptType:
        return self._types.parsed(index(self.method.types, number, self._where))

    def _where(self) -> str:
        return f"{self.method.qualified_name}, instruction {self._at},"

    def _malformed(self, what: str) -> NoReturn:
        raise ArchiveError(f"{self._where()} is malformed: {what}", RECORD)

    # Instructions.

    def _run(self, block: _Block) -> None:
        """Write the lines of a block."""
        if block.depth > MAX_NESTING:
            self._malformed(f"blocks are nested deeper than {MAX_NESTING}")
        instructions = self.method.instructions
        while block.at < block.end:
            self._at = block.at
            one = instructions[block.at]
            block.at += 1
            match one.name:
                case "RET":
                    self._write(block, f"return {self._pop(block).text}")
                    if block.depth or block.at != len(instructions):
                        self._malformed("a return within the code")
                case "JF":
                    self._branch(block, one)
                case "LOOP":
                    self._loop(block, one)
                case _:
                    self._step(block, one)
        if block.dead_from is not None:
            del block.lines[block.dead_from :]
            block.lines.append('raise AssertionError("unreachable")')

    def _step(self, block: _Block, one: Instruction) -> None:
        """Write an instruction that is no jump."""
        stack = block.stack
        match one.name:
            case "LOAD" | "MOVE":
                if one.x not in self._registers:
                    self._malformed(f"register {one.x} is empty")
                stack.append(self._registers[one.x])
            case "STORE":
                self._registers[one.x] = self._settled(block, self._pop(block))
            case "STOREN":
                for number, value in enumerate(self._take(block, one.n), one.x):
                    self._registers[number] = self._settled(block, value)
            case "DROP":
                self._pop(block)
            case "DROPR":
                self._registers.pop(one.x, None)
            case "LOADC":
                value = index(self.method.constants, one.x, self._where)
                if isinstance(value, PickledEnum):
                    raise ArchiveError(
                        f"{self._where()} loads a member of {value.class_name}: the members of an enum stand in the source alone, "
                        "which the archive lacks",
                        RECORD,
                    )
                if type(value) is list and not value:
                    type_ = self._classes.type_of(value)
                    stack.append(Value(f"annotate({type_.annotation_str}, [])", type_))
                else:
                    stack.append(Value(self._literal(value), self._types.of_value(value)))
            case "OP" | "OPN":
                called = index(self.method.operators, one.x, self._where)
                self._operator(block, called, one.n if one.name == "OPN" else called.count)
            case "GET_ATTR":
                owner = self._pop(block)
                name, type_ = self._field(owner, one.x)
                text = (
                    f"{owner.text}.{name}"
                    if is_identifier(name)
                    else f"getattr({owner.text}, {quote(name)})"
                )
                stack.append(self._assign(block, text, type_))
            case "SET_ATTR":
                owner, value = self._read(block, 2)
                if isinstance(owner.type, ClassType) and value.type is not None:
                    self._classes.assign(owner.type, one.x, value.type)
                name = self._checked(self._field(owner, one.x)[0])
                self._write(block, f"{owner.text}.{name} = {value.text}")
            case "INTERFACE_CALL":
                self._method_call(block, one)
            case _:
                self._construction(block, one)

    def _construction(self, block: _Block, one: Instruction) -> None:
        """Write an instruction that makes a value of those on the stack."""
        count = _OPERANDS.get(one.name)
        if count is None:
            raise ArchiveError(f"{self._where()} is {one.name}, which is not supported", RECORD)
        values = self._read(block, count(one))
        given = [value.text for value in values]
        type_: TorchScriptType | None = None
        match one.name:
            case "LIST_CONSTRUCT":
                type_ = self._type(one.x)
                text = f"annotate({type_.annotation_str}, [{', '.join(given)}])"
            case "DICT_CONSTRUCT":
                type_ = self._type(one.x)
                pairs = (f"{key}: {value}" for key, value in zip(given[::2], given[1::2]))
                text = f"annotate({type_.annotation_str}, {{{', '.join(pairs)}}})"
            case "TUPLE_CONSTRUCT":
                type_ = tuple_of(value.type for value in values)
                text = f"({', '.join(given)}{',' * (len(given) == 1)})"
            case "NAMED_TUPLE_CONSTRUCT":
                type_ = self._type(one.x)
                text = f"{type_.annotation_str}({', '.join(given)})"
            case "TUPLE_SLICE":
                text = f"({given[0]})[{one.x}:{one.n}]"
            case "TUPLE_INDEX":
                type_ = self._types.element(values[0].type, given[1])
                text = f"({given[0]})[{given[1]}]"
            case "ISINSTANCE":
                types = [self._type(one.x + number).annotation_str for number in range(one.n)]
                shown = types[0] if len(types) == 1 else f"({', '.join(types)})"
                block.stack.append(Value(f"isinstance({given[0]}, {shown})", BOOL))
                return
            case "__IS__" | "__ISNOT__":
                word = "is" if one.name == "__IS__" else "is not"
                block.stack.append(Value(f"({given[0]} {word} {given[1]})", BOOL))
                return
            case "UN_INITIALIZED":
                block.stack.append(Value(""))
                return
            case "TO_LIST":
                type_ = self._types.of_list(given[1], given[2])
                text = f"annotate({type_.annotation_str}, {given[0]}.tolist())"
            case "LIST_UNPACK":
                element = getattr(values[0].type, "element", None)
                self._unpack(block, given[0], [element] * self._limited(one.x))
                return
            case "RAISE_EXCEPTION":
                self._write(block, f"ops.prim.RaiseException({', '.join(given)})")
                return
            case "WARN":
                self._write(block, f"torch.warn({', '.join(given)})")
                return
            case _:
                self._call(block, _OPERATORS[one.name], values)
                return
        block.stack.append(self._assign(block, text, type_))

    def _method_call(self, block: _Block, one: Instruction) -> None:
        """Write a call of a method whose name is a constant."""
        name = index(self.method.constants, one.x, self._where)
        owner, *given = self._read(block, max(one.n, 1))
        if not isinstance(name, str) or not is_identifier(name):
            self._malformed("the name of a method")
        type_ = self._classes.returned(owner.type, name)
        text = f"{owner.text}.{name}({', '.join(value.text for value in given)})"
        block.stack.append(self._assign(block, text, type_))

    def _settled(self, block: _Block, value: Value) -> Value:
        """A value that stays what it is when variables change."""
        is_simple = not value.text.startswith(("(", "isinstance("))
        return value if is_simple else self._assign(block, value.text, value.type)

    def _field(self, owner: Value, slot: int) -> tuple[str, TorchScriptType]:
        """The name of an attribute and its type."""
        if not isinstance(owner.type, ClassType):
            raise ArchiveError(f"{self._where()} is about an object of unknown class", RECORD)
        fields = self._classes.fields(owner.type)
        return index(list(fields.items()), slot, self._where)

    def _unpack(self, block: _Block, text: str, types: Sequence[TorchScriptType | None]) -> None:
        values = [Value(self._new(), type_) for type_ in types]
        if values:
            self._write(block, f"{', '.join(value.text for value in values)}, = {text}")
        block.stack += values

    # Operators.

    def _operator(self, block: _Block, called: CalledOperator, count: int | None) -> None:
        """Write a call of an operator, of which `count` arguments are there."""
        name = f"{called.name}.{called.overload}" if called.overload else called.name
        if called.name in ("prim::unchecked_cast", "prim::unchecked_unwrap_optional"):
            value = self._pop(block)
            if value.type == NONE:  # a branch that is not taken
                block.die()
            type_ = value.type.element if isinstance(value.type, OptionalType) else value.type
            text = f"torch._unwrap_optional({value.text})"
            block.stack.append(self._assign(block, text, type_))
            return
        if called.name == "prim::TupleUnpack":
            value = self._pop(block)
            types = self._types.elements(value.type)
            count = len(types) or self._count_of_results(block)
            self._unpack(block, value.text, types or [None] * count)
            return
        if called.name in _INSTRUCTIONS:
            self._construction(block, Instruction(_INSTRUCTIONS[called.name], 0, 0))
            return
        if name == _NOT_IN_SOURCE:
            raise ArchiveError(f"{self._where()} calls {name}, which source cannot call", RECORD)
        operator = registry.find(name)
        if operator is None:
            raise ArchiveError(f"{self._where()} calls {name}, which is not known", RECORD)
        if count is None:
            count = len(operator.schema.arguments)
        self._call(block, operator, self._read(block, count))

    def _call(self, block: _Block, operator: Operator | str, values: Sequence[Value]) -> None:
        """Write a call of an operator with these arguments; what is written to comes last."""
        found = registry.find(operator) if isinstance(operator, str) else operator
        assert found is not None
        schema = found.schema
        outs = [one for one in schema.arguments if one.kwarg_only and one.alias is not None]
        others = [one for one in schema.arguments if one not in outs]
        last = max(len(values) - len(outs), 0)
        if not schema.is_vararg and last > len(others):
            self._malformed(f"{schema.name} has {len(schema.arguments)} arguments")
        formals = [*others[:last], *[None] * (last - len(others)), *outs]
        shown = [
            f"{formal.name}={value.text}"
            if formal is not None and formal.kwarg_only
            else value.text
            for formal, value in zip(formals, values, strict=False)
        ]
        text = f"{called_name(schema.name)}({', '.join(shown)})"
        types = result_types(schema, [value.type for value in values])
        if schema.is_varret:
            self._unpack(block, text, [None] * self._count_of_results(block))
        elif len(types) == 1:
            block.stack.append(self._assign(block, text, types[0]))
        elif types:
            self._unpack(block, text, types)
        else:
            self._write(block, text)

    def _count_of_results(self, block: _Block) -> int:
        """How many results the next instruction stores."""
        following = self.method.instructions[block.at] if block.at < block.end else None
        if following is None or following.name != "STOREN":
            return 1
        return self._limited(following.n)

    def _limited(self, count: int) -> int:
        return count if 0 <= count <= MAX_RESULTS else self._malformed(f"{count} results")

    # Blocks.

    def _branch(self, block: _Block, one: Instruction) -> None:
        """Write `if`: the jump to the other arm, before which the first one jumps to the end."""
        condition = self._pop(block)
        start, other = block.at, block.at + one.x - 1
        if not start < other <= block.end:
            self._malformed("a jump out of its block")
        jump = self.method.instructions[other - 1]
        end = other - 1 + jump.x
        if jump.name != "JMP" or not other <= end <= block.end:
            self._malformed("an arm without an end")
        arms = [
            _Block(start, other - 1, block.depth + 1, [*block.stack]),
            _Block(other, end, block.depth + 1, [*block.stack]),
        ]
        for arm in arms:
            self._run(arm)
        first, second = (arm.stack for arm in arms)
        base = len(block.stack)
        if len(first) != len(second) or any(s[:base] != block.stack for s in (first, second)):
            self._malformed("arms that leave unlike results")
        for arm in arms:
            if arm.dead_from is not None:
                arm.stack[base:] = [Value("")] * (len(first) - base)
        first, second = (arm.stack for arm in arms)
        for mine, theirs in zip(first[base:], second[base:], strict=True):
            joined = Value("")
            if mine.text or theirs.text:
                joined = Value(self._new(), joined_type(mine, theirs))
            for arm, value in zip(arms, (mine, theirs), strict=True):
                if arm.dead_from is None:
                    arm.lines += self._let(joined, value)
            block.stack.append(joined)
        self._write(block, f"if {condition.text}:")
        block.lines += _indented(arms[0].lines)
        if arms[1].lines:
            block.lines += ["else:", *_indented(arms[1].lines)]
        if all(arm.dead_from is not None for arm in arms):
            block.die()
        block.at = end

    def _loop(self, block: _Block, one: Instruction) -> None:
        """Write a loop: how often it runs at most, whether it goes on, and what it carries are on the stack."""
        end = block.at + one.x - 1
        if not block.at < end <= block.end:
            self._malformed("a jump out of its block")
        back = self.method.instructions[end - 1]
        if back.name != "JMP" or back.x != 1 - one.x or one.n < 2:
            self._malformed("a loop without an end")
        _, limit, condition, *carried = self._take(block, one.n + 1)
        names = [
            Value(self._new(), None if value.type == NONE else value.type) for value in carried
        ]
        number = Value(self._new(), INT)
        body = _Block(block.at, end - 1, block.depth + 1, [Value("0"), limit, number, *names])
        self._run(body)
        if len(body.stack) != one.n + 1:
            self._malformed("a body that leaves unlike results")
        _, _, again, *following = body.stack
        names = [
            Value(name.text, joined_type(Value(name.text, value.type), after))
            for name, value, after in zip(names, carried, following, strict=True)
        ]
        for name, value in zip(names, carried, strict=True):
            block.lines += self._let(name, value)
        if condition.text == again.text == "True":
            head = f"for {number.text} in range({limit.text}):"
        else:
            goes_on = self._assign(block, condition.text).text
            head = f"while {goes_on}:"
            names, following = [*names, Value(goes_on)], [*following, again]
            if limit.text != str(_ENDLESS) or any(number.text in line for line in body.lines):
                self._write(block, f"{number.text} = 0")
                head = f"while torch.__and__({goes_on}, torch.lt({number.text}, {limit.text})):"
                names.append(number)
                following.append(Value(f"torch.add({number.text}, 1)"))
        if body.dead_from is None:
            body.lines += self._parallel(names, following)
        block.lines += [head, *_indented(body.lines)]
        block.stack += names[: len(carried)]
        block.at = end

    def _let(self, name: Value, value: Value) -> list[str]:
        """The assignment of a value; of nothing, one of the type where that is known."""
        if not name.text:
            return []
        if value.text and isinstance(name.type, (OptionalType, UnionType)):
            return [f"{name.text} : {name.type.annotation_str} = {value.text}"]
        if value.text:
            return [f"{name.text} = {value.text}"]
        if name.type is None or name.type == NONE:
            return [f"{name.text} = None"]
        return [f"{name.text} = uninitialized({name.type.annotation_str})"]

    def _parallel(self, names: Sequence[Value], values: Sequence[Value]) -> list[str]:
        """Assignments of values that are read before the first name gets one."""
        pairs = zip(names, values, strict=True)
        changed = [(name, value) for name, value in pairs if value.text not in ("", name.text)]
        if len(changed) < 2:
            return [f"{name.text} = {value.text}" for name, value in changed]
        between = [self._new() for _ in changed]
        return [
            *(f"{name} = {value.text}" for name, (_, value) in zip(between, changed, strict=True)),
            *(f"{name.text} = {one}" for one, (name, _) in zip(between, changed, strict=True)),
        ]


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"  {line}" for line in lines or ["pass"]]


_OPERANDS: dict[str, Callable[[Instruction], int]] = {
    **dict.fromkeys(("TUPLE_SLICE", "ISINSTANCE", "LIST_UNPACK", *_OPERATORS), lambda one: 1),
    "LIST_CONSTRUCT": lambda one: one.n,
    "DICT_CONSTRUCT": lambda one: one.n,
    "TUPLE_CONSTRUCT": lambda one: one.x,
    "NAMED_TUPLE_CONSTRUCT": lambda one: one.n,
    "FORMAT": lambda one: one.x,
    "UN_INITIALIZED": lambda one: 0,
    "TO_LIST": lambda one: 3,
    **dict.fromkeys(
        ("TUPLE_INDEX", "DICT_INDEX", "__IS__", "__ISNOT__", "RAISE_EXCEPTION", "WARN"),
        lambda one: 2,
    ),
}
"""How many values the instructions take from the stack."""


def joined_type(first: Value, second: Value) -> TorchScriptType | None:
    """The type of what is one of two values."""
    if not first.text or not second.text:
        return (first if first.text else second).type
    if first.type is None or second.type is None:
        return second.type if first.type is None else first.type
    return unify_types(first.type, second.type, default_to_union=True)
