"""Python source from Code: what the interpreter runs.

Registers are local variables, operators calls of their kernels: CPython's own loop does the interpreting. A register that is
moved is deleted, so that a tensor goes as soon as it has been read for the last time.

Note [No text of the program]
The source is words of Python, numbered names (`r3` for a register, `k3` for an object that it uses) and `FIELDS`. Whatever a graph
brings along, names, attributes and constants, is an object with a `k` name and never part of the text: text must not become code.

Note [Outlined blocks]
CPython takes no more than 20 loops inside each other and 100 levels of indentation. A Code is one Python function, `run`, as
long as it nests less than that; a block that nests deeper becomes a function of its own, which takes the registers that the
block reads and returns those that it sets.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from types import CodeType
from typing import Any

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir.locations import at
from torchscript_dialect.ops.dicts import new_key
from torchscript_dialect.ops.registry import Inline
from torchscript_dialect.runtime import settings, values
from torchscript_dialect.runtime.code import Code, Instruction
from torchscript_dialect.runtime.exchange import python_caller
from torchscript_dialect.runtime.named_tuples import named_tuple
from torchscript_dialect.runtime.objects import Entered, ScriptObject
from torchscript_dialect.runtime.torch_kernels import borrowed_kernel
from torchscript_dialect.types.containers import DictType, TupleType
from torchscript_dialect.types.core import BOOL, COMPLEX, FLOAT, INT
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.utils.errors import TorchScriptError

MAX_LOOPS = 15
MAX_LEVELS = 50
"""How many loops, and how many blocks of any kind, one Python function nests: Note [Outlined blocks]."""

LOWEST, HIGHEST = -(2**63), 2**63 - 1
"""The ints of 64 bits, as the text has them."""

UNLIMITED = HIGHEST
"""The trip count of a `while` loop."""

CallResolver = Callable[[str], Callable[..., Any]]
"""From a function's symbol to what runs it."""

FIELDS = "__torchscript_fields__"
"""The attribute of an object that holds its fields: Note [Fields] in objects.py."""


class _Function:
    """The lines of one Python function under construction, with the node of each line; the first line is written at its end."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lines = [""]
        self.nodes: list[Operation | None] = [None]
        self.read: set[int] = set()
        self.set: set[int] = set()
        """The registers that it reads and sets, where the function is an outlined block."""
        self.level = 1
        self.loops = 0
        self.enters = False
        """Whether it has a name `entered` for the objects whose `with` statements it is in."""


class PythonSource:
    """The source of a Code, the names that it uses, and the node of each of its lines.

    `is_checked`: what the graph claims of the types of objects and casts is checked when it runs, since no compiler of ours says so.
    `records`: operators go on the tape of gradients.
    """

    def __init__(
        self,
        code: Code,
        resolve: CallResolver,
        special: dict[Operation, Any],
        *,
        is_checked: bool = False,
        records: bool = False,
    ) -> None:
        self.code = code
        self.resolve = resolve
        self.is_checked = is_checked
        self.records = records
        self.special = special
        """What runs a node instead of the rule of its kind: the compiled kernel of a fusion group."""
        self.names: dict[str, Any] = {}
        self.objects: dict[int, str] = {}
        """The names of functions, by identity; `names` holds on to them."""
        self.constants: dict[int, str] = {}
        self.functions: list[str] = []
        """The names of the Python functions; the last one is `run`."""
        self.numbers = _registers_of_numbers(code)
        """Registers that hold nothing of which there could be too much."""
        self.lines: list[str] = []
        self.nodes: list[Operation | None] = []
        self.ends = _ends_of_blocks(code.instructions)
        self.enters = [i for i, at in enumerate(code.instructions) if type(at.node) is prim.EnterOp]
        self.function = _Function("run")
        self.guard(0, len(code.instructions))
        self.emit_all(1, len(code.instructions))
        self.finish(code.instructions[0].outputs)

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def compile(self) -> Callable[..., Any]:
        """The Python function; its arguments are the graph's inputs, it returns its output or a tuple."""
        exec(compile(self.text, "<torchscript>", "exec"), self.names)
        return self.names["run"]

    def node_at(self, code: CodeType, line: int) -> Operation | None:
        """The node that a line of the compiled source came from; None for code of another source."""
        if not any(self.names[name].__code__ is code for name in self.functions):
            return None
        return self.nodes[line - 1]

    # Lines and names.

    def line(self, text: str, node: Operation | None = None) -> None:
        self.function.lines.append("    " * self.function.level + text)
        self.function.nodes.append(node)

    def finish(self, registers: Iterable[int]) -> None:
        """The function that is under construction, which takes these registers, is whole."""
        function = self.function
        function.lines[0] = f"def {function.name}({', '.join(f'r{r}' for r in registers)}):"
        self.functions.append(function.name)
        self.lines += function.lines
        self.nodes += function.nodes

    def name(self, value: Any) -> str:
        """A name for an object: Note [No text of the program]."""
        name = f"k{len(self.names)}"
        self.names[name] = value
        return name

    def object(self, value: Any) -> str:
        """The name for an object that may have one already: a function that many nodes use."""
        if id(value) not in self.objects:
            self.objects[id(value)] = self.name(value)
        return self.objects[id(value)]

    def callee(self, symbol: str, node: Operation) -> Callable[..., Any]:
        """What runs a function of the module.

        Raises:
            TorchScriptError: there is none of that symbol.
        """
        try:
            return self.resolve(symbol)
        except LookupError:
            raise TorchScriptError(f"there is no function '{symbol}'{at(node)}") from None

    def register(self, index: int) -> str:
        return self.constants.get(index) or f"r{index}"

    def inputs(self, instruction: Instruction) -> list[str]:
        return [self.register(index) for index in instruction.inputs]

    def free(self, registers: Iterable[int]) -> None:
        freed = [
            f"r{r}" for r in sorted(registers) if not (r in self.constants or r in self.numbers)
        ]
        if freed:
            self.line(f"del {', '.join(freed)}")

    # Instructions.

    def emit_all(self, index: int, end: int) -> None:
        """Emit the instructions from `index` to before `end`."""
        instructions = self.code.instructions
        while index < end:
            instruction = instructions[index]
            if instruction.opcode in ("If", "Loop") and self.is_deep(instruction):
                self.outline(index, self.ends[index])
                index = self.ends[index]
            else:
                self.emit(instruction)
                index += 1

    def is_deep(self, instruction: Instruction) -> bool:
        """Whether the block that the instruction begins must not be nested here."""
        if self.function.level >= MAX_LEVELS:
            return True
        return instruction.opcode == "Loop" and self.function.loops >= MAX_LOOPS

    def outline(self, start: int, end: int) -> None:
        """Emit a block as a call of a function of its own: Note [Outlined blocks]."""
        node = self.code.instructions[start].node
        assert node is not None
        results = [self.code.registers[result] for result in node.results]
        outer, self.function = self.function, _Function(self.name(None))
        inner = self.function
        self.guard(start, end)
        self.emit_all(start, end)
        self.line(f"return ({''.join(f'r{r}, ' for r in results)})")
        captured = [r for r in sorted(inner.read - inner.set) if r not in self.constants]
        self.finish(captured)
        self.function = outer
        outer.read.update(captured)
        outer.set.update(results)
        call = f"{inner.name}({', '.join(f'r{r}' for r in captured)})"
        self.line(f"{''.join(f'r{r}, ' for r in results)}= {call}" if results else call, node)

    def guard(self, start: int, end: int) -> None:
        """Put these instructions, if they enter `with` statements, in one that leaves them when an exception is raised."""
        if bisect_left(self.enters, start) < bisect_left(self.enters, end):
            self.line(f"with {self.name(Entered)}() as entered:")
            self.function.level += 1
            self.function.enters = True

    def emit(self, instruction: Instruction) -> None:
        if self.function.name != "run":
            self.function.read.update(instruction.inputs, instruction.moved)
            self.function.set.update(instruction.outputs)
        match instruction.opcode:
            case "Store":
                self.line(f"return {self.value_or_tuple(self.inputs(instruction))}")
            case "Drop":
                self.free(instruction.moved)
            case "If":
                self.line(f"if {self.inputs(instruction)[0]}:", instruction.node)
                self.function.level += 1
                self.line("pass")
            case "Else":
                self.function.level -= 1
                self.line("else:")
                self.function.level += 1
                self.line("pass")
            case "EndIf":
                self.function.level -= 1
            case "Assign":
                self.assign(instruction.outputs, self.inputs(instruction))
                self.free(instruction.moved)
            case "Loop":
                self.loop(instruction)
            case "Continue":
                self.go_on(instruction)
            case "EndLoop":
                self.end_loop(instruction)
            case "Constant":
                self.constant(instruction)
            case _:
                self.operation(instruction)
                self.free(instruction.moved)

    @staticmethod
    def value_or_tuple(inputs: list[str]) -> str:
        return inputs[0] if len(inputs) == 1 else f"({', '.join(inputs)}{',' * bool(inputs)})"

    def assign(self, outputs: Sequence[int], inputs: list[str]) -> None:
        if outputs:
            self.line(f"{', '.join(f'r{r}' for r in outputs)} = {', '.join(inputs)}")

    def loop(self, instruction: Instruction) -> None:
        """`for` where nothing stops the loop but its trip count, `while` elsewhere, with a count of trips if need be."""
        node = instruction.node
        assert isinstance(node, prim.LoopOp)
        if len(node.regions) != 1:
            raise TorchScriptError(
                f"the interpreter does not know prim::Loop with a block for its condition{at(node)}"
            )
        trips, condition, *carried = self.inputs(instruction)
        trip, *arguments = instruction.outputs
        self.assign(arguments, carried)
        if _always_goes_on(node):
            self.line(f"trips_{trip} = {trips}")
            self.free(instruction.moved)
            self.line(f"for r{trip} in range(trips_{trip}):", node)
            first = "pass"
        else:
            is_counted = _trip_limit(node) != UNLIMITED
            counted = is_counted or bool(node.body.block.args[0].uses)
            self.line(f"go_on_{trip} = {condition}")
            self.line(f"trips_{trip} = {trips}")
            self.free(instruction.moved)
            if counted:
                self.line(f"trip_{trip} = -1")
            limit = f" and trip_{trip} + 1 < trips_{trip}" if is_counted else ""
            self.line(f"while go_on_{trip}{limit}:", node)
            first = f"r{trip} = trip_{trip} = trip_{trip} + 1" if counted else "pass"
        self.function.loops += 1
        self.function.level += 1
        self.line(first)

    def go_on(self, instruction: Instruction) -> None:
        """The end of a loop's body: all carried values change at once."""
        node = instruction.node
        assert isinstance(node, prim.LoopOp)
        condition, *carried = self.inputs(instruction)
        trip, *arguments = instruction.outputs
        targets = [f"r{r}" for r in arguments]
        if not _always_goes_on(node):
            targets.insert(0, f"go_on_{trip}")
            carried.insert(0, condition)
        if targets:
            self.line(f"{', '.join(targets)} = {', '.join(carried)}")
        self.free(instruction.moved - {*arguments, trip})
        self.function.level -= 1
        self.function.loops -= 1

    def end_loop(self, instruction: Instruction) -> None:
        node = instruction.node
        assert isinstance(node, prim.LoopOp)
        arguments = [self.code.registers[a] for a in node.body.block.args[1:]]
        self.assign(instruction.outputs, [f"r{r}" for r in arguments])
        self.free([*arguments, *instruction.moved])

    def constant(self, instruction: Instruction) -> None:
        node = instruction.node
        assert isinstance(node, prim.ConstantOp)
        (register,) = instruction.outputs
        if node.function_symbol is not None:
            self.constants[register] = self.name(self.callee(node.function_symbol, node))
            return
        value = values.of_type(node.value, prim.type_of(node.results[0]))
        is_word = value is True or value is False or value is None
        self.constants[register] = str(value) if is_word else self.name(value)

    def operation(self, instruction: Instruction) -> None:
        node = instruction.node
        assert node is not None
        inputs = self.inputs(instruction)
        outputs = ", ".join(f"r{r}" for r in instruction.outputs)
        inline = self.inline(node)
        if inline is not None:
            uses = {name: self.object(used) for name, used in inline.uses.items()}
            by_constant = inline.by_constant if self.is_divisor(inputs[-1]) else None
            text = (by_constant or inline.text).format(*inputs, **uses)
            self.line(f"{outputs} = {text}", node)
            if inline.wraps and by_constant is None:
                wrapped = f"{outputs} = ({outputs} - {LOWEST} & {2**64 - 1}) + {LOWEST}"
                self.line(f"if not {LOWEST} <= {outputs} <= {HIGHEST}: {wrapped}", node)
            return
        text = self.expression(node, inputs)
        if len(instruction.outputs) == 1 and isinstance(
            node, (prim.ListUnpackOp, prim.TupleUnpackOp, prim.ConstantChunkOp)
        ):
            outputs += ","
        self.line(f"{outputs} = {text}" if outputs else text, node)

    def inline(self, node: Operation) -> Inline | None:
        """The expression that stands for a node; none where operands may have other types than the graph claims."""
        if self.is_checked or node in self.special or not isinstance(node, OperatorOp):
            return None
        return None if node.OPERATOR is None else node.OPERATOR.rules.inline

    def is_divisor(self, text: str) -> bool:
        """Whether an operand is a constant by which numbers are divided as Python does it."""
        value: Any = self.names.get(text)
        return (value.__class__ is int or value.__class__ is float) and 0 < value < 2**62

    def expression(self, node: Operation, inputs: list[str]) -> str:
        if node in self.special:
            return self.call(self.special[node], inputs)
        if isinstance(node, OperatorOp):
            return self.call_operator(node, inputs)
        rule = _RULES.get(type(node))
        if rule is None:
            kind = getattr(node, "KIND", node.name)
            raise TorchScriptError(f"the interpreter does not know {kind}{at(node)}")
        return rule(self, node, inputs)

    def call_operator(self, node: OperatorOp, inputs: list[str]) -> str:
        operator = node.OPERATOR
        if operator is None or operator.kernel is None:
            return self.call(_borrowing(node), inputs)
        kernel = operator.recorded_at(at(node)) if self.records else operator.kernel
        return self.call(kernel, inputs)

    def call(self, function: Callable[..., Any], inputs: Iterable[str]) -> str:
        return f"{self.name(function)}({', '.join(inputs)})"


def _borrowing(node: OperatorOp) -> Callable[..., Any]:
    """Runs an operator without a kernel by PyTorch's, where the setting allows that, or raises when the program comes to it:
    programs may hold what they do not reach.
    """
    operator = node.OPERATOR
    types = ", ".join(prim.type_of(value).repr_str for value in node.operands)
    what = f"unknown operator {node.KIND}({types})"
    if operator is not None:
        what = f"operator {operator.text} is not supported"

    def run(*operands: Any) -> Any:
        if operator is not None and settings.current().torch_kernels:
            kernel = borrowed_kernel(operator)
            if kernel is not None:
                return kernel(*operands)
        raise TorchScriptError(what + at(node))

    return run


def _always_goes_on(node: prim.LoopOp) -> bool:
    """Whether the loop is a `for`: both conditions are the constant True."""
    conditions = (node.condition, prim.yielded(node.body)[0])
    return all(
        isinstance(c.owner, prim.ConstantOp) and prim.type_of(c) == BOOL and c.owner.value is True
        for c in conditions
    )


def _registers_of_numbers(code: Code) -> set[int]:
    """The registers that hold numbers, and nothing else."""
    others = {r for value, r in code.registers.items() if prim.type_of(value) not in _NUMBERS}
    return set(code.registers.values()) - others


_NUMBERS = (INT, FLOAT, BOOL)


def _trip_limit(node: prim.LoopOp) -> Any:
    """The constant trip count of a loop, None where it is not constant."""
    owner = node.max_trip_count.owner
    return owner.value if isinstance(owner, prim.ConstantOp) else None


def _ends_of_blocks(instructions: Sequence[Instruction]) -> dict[int, int]:
    """For the index of every `If` and `Loop`, the index after its `EndIf` or `EndLoop`."""
    ends: dict[int, int] = {}
    begun: list[int] = []
    for index, instruction in enumerate(instructions):
        if instruction.opcode in ("If", "Loop"):
            begun.append(index)
        elif instruction.opcode in ("EndIf", "EndLoop"):
            ends[begun.pop()] = index + 1
    return ends


def _attribute(node: Operation, name: str) -> Any:
    return from_attribute(node.attributes[name])


def _tuple(inputs: list[str]) -> str:
    return f"({', '.join(inputs)}{',' if len(inputs) == 1 else ''})"


Rule = Callable[[PythonSource, Any, list[str]], str]


def _list_unpack(source: PythonSource, node: prim.ListUnpackOp, inputs: list[str]) -> str:
    return source.call(values.unpack_list, (inputs[0], source.name(len(node.results))))


def _tuple_construct(source: PythonSource, node: prim.TupleConstructOp, inputs: list[str]) -> str:
    type_ = prim.type_of(node.results[0])
    if not isinstance(type_, TupleType) or not isinstance(type_.qualified_name, StringAttr):
        return _tuple(inputs)
    class_ = named_tuple(type_.qualified_name.data, type_.field_names)
    return source.call(partial(tuple[Any, ...].__new__, class_), (_tuple(inputs),))


def _tuple_slice(source: PythonSource, node: prim.TupleSliceOp, inputs: list[str]) -> str:
    taken = slice(_attribute(node, "beg"), _attribute(node, "end"))
    return f"{inputs[0]}[{source.name(taken)}]"


def _dict_construct(source: PythonSource, node: prim.DictConstructOp, inputs: list[str]) -> str:
    type_ = prim.type_of(node.results[0])
    keys = inputs[::2]
    if isinstance(type_, DictType) and type_.key in (FLOAT, COMPLEX):
        keys = [source.call(new_key, (key,)) for key in keys]
    pairs = zip(keys, inputs[1::2], strict=True)
    return f"{{{', '.join(f'{key}: {value}' for key, value in pairs)}}}"


def _get_attr(source: PythonSource, node: prim.GetAttrOp, inputs: list[str]) -> str:
    field = f"{inputs[0]}.{FIELDS}[{source.name(_attribute(node, 'name'))}]"
    return _checked(source, node, field) if source.is_checked else field


def _set_attr(source: PythonSource, node: prim.SetAttrOp, inputs: list[str]) -> str:
    name = source.name(_attribute(node, "name"))
    if source.is_checked:
        return source.call(values.set_declared, (inputs[0], name, inputs[1]))
    return f"{inputs[0]}.{FIELDS}[{name}] = {inputs[1]}"


def _has_attr(source: PythonSource, node: prim.HasAttrOp, inputs: list[str]) -> str:
    return source.call(values.has_attribute, (inputs[0], source.name(_attribute(node, "name"))))


def _checked(source: PythonSource, node: Operation, value: str) -> str:
    """The value, if it has the type that the graph claims for the result of a node."""
    return source.call(values.checked(prim.type_of(node.results[0])), (value,))


def _unchecked_cast(source: PythonSource, node: prim.UncheckedCastOp, inputs: list[str]) -> str:
    return _checked(source, node, inputs[0]) if source.is_checked else inputs[0]


def _call_function(source: PythonSource, node: prim.CallFunctionOp, inputs: list[str]) -> str:
    function = node.operands[0].owner
    if not isinstance(function, prim.ConstantOp) or function.function_symbol is None:
        raise TorchScriptError(f"prim::CallFunction calls what is no constant function{at(node)}")
    return f"{inputs[0]}({', '.join(inputs[1:])})"


def _call_method(source: PythonSource, node: prim.CallMethodOp, inputs: list[str]) -> str:
    name: str = _attribute(node, "name")
    type_ = prim.type_of(node.operands[0])
    if isinstance(type_, ClassType):
        method = source.callee(f"{type_.qualified_name.data}.{name}", node)
        return source.call(method, inputs)
    called = source.call(partial(_call_method_of, name, source.resolve), inputs)
    return _checked(source, node, called) if source.is_checked else called


def _call_method_of(name: str, resolve: CallResolver, self: Any, *args: Any) -> Any:
    """Call a method of an object whose class only the object tells: an interface stands for it."""
    return resolve(f"{self.__torchscript_qualified_name__}.{name}")(self, *args)


def _create_object(source: PythonSource, node: prim.CreateObjectOp, inputs: list[str]) -> str:
    type_ = prim.type_of(node.results[0])
    assert isinstance(type_, ClassType)
    return source.call(partial(ScriptObject, type_.qualified_name.data, source.resolve), ())


def _enter(source: PythonSource, node: prim.EnterOp, inputs: list[str]) -> str:
    type_ = prim.type_of(node.operands[0])
    assert isinstance(type_, ClassType)
    class_ = type_.qualified_name.data
    methods = (source.callee(f"{class_}.{name}", node) for name in ("__enter__", "__exit__"))
    entered = inputs[0]
    if class_.endswith(".autocast_mode.autocast"):
        made = node.operands[0].owner
        place = at(made) if isinstance(made, Operation) else ""
        entered = source.call(partial(_without_autocast, place), (entered,))
    return f"entered.enter({entered}, {', '.join(map(source.name, methods))})"


def _without_autocast(place: str, region: ScriptObject) -> ScriptObject:
    """A region of `torch.autocast`, unless tensors here would have other dtypes in it."""
    fields = region.__torchscript_fields__
    if fields["_enabled"] and fields["device"] == "cpu":
        raise TorchScriptError(f"torch.autocast is not supported{place}")
    return region


def _exit(source: PythonSource, node: prim.ExitOp, inputs: list[str]) -> str:
    if not source.function.enters:
        raise TorchScriptError(f"prim::Exit leaves what its block does not enter{at(node)}")
    return "entered.leave()"


def _chunk(source: PythonSource, node: prim.ConstantChunkOp, inputs: list[str]) -> str:
    numbers = (source.name(_attribute(node, name)) for name in ("chunks", "dim"))
    chunk = values.recorded_chunk if source.records else values.constant_chunk
    return source.call(chunk, (inputs[0], *numbers))


def _uninitialized(source: PythonSource, node: prim.UninitializedOp, inputs: list[str]) -> str:
    return source.name(values.UNINITIALIZED)


def _call_python(source: PythonSource, node: prim.PythonOp, inputs: list[str]) -> str:
    return source.call(python_caller(node, source.resolve), inputs)


def _isinstance(source: PythonSource, node: prim.IsInstanceOp, inputs: list[str]) -> str:
    raw = node.attributes["types"]
    types = tuple(getattr(raw, "data", ()))
    return source.call(values.instance_check(types), inputs)


def _profile(source: PythonSource, node: prim.ProfileOp, inputs: list[str]) -> str:
    return source.call(values.Profile(node), inputs)


def _type_check(source: PythonSource, node: prim.TypeCheckOp, inputs: list[str]) -> str:
    types = tuple(prim.type_of(result) for result in node.results[:-1])
    return source.call(values.type_check(types), inputs)


_RULES: dict[type[Operation], Rule] = {
    prim.ListConstructOp: lambda source, node, inputs: f"[{', '.join(inputs)}]",
    prim.ListUnpackOp: _list_unpack,
    prim.TupleConstructOp: _tuple_construct,
    prim.TupleUnpackOp: lambda source, node, inputs: inputs[0],
    prim.TupleIndexOp: lambda source, node, inputs: f"{inputs[0]}[{inputs[1]}]",
    prim.TupleSliceOp: _tuple_slice,
    prim.DictConstructOp: _dict_construct,
    prim.GetAttrOp: _get_attr,
    prim.SetAttrOp: _set_attr,
    prim.HasAttrOp: _has_attr,
    prim.CallFunctionOp: _call_function,
    prim.CallMethodOp: _call_method,
    prim.RaiseExceptionOp: lambda s, node, inputs: s.call(values.raise_exception, inputs),
    prim.UninitializedOp: _uninitialized,
    prim.UncheckedCastOp: _unchecked_cast,
    prim.ConstantChunkOp: _chunk,
    prim.PrintOp: lambda source, node, inputs: source.call(values.print_values, inputs),
    prim.PythonOp: _call_python,
    prim.IsInstanceOp: _isinstance,
    prim.ProfileOp: _profile,
    prim.TypeCheckOp: _type_check,
    prim.CreateObjectOp: _create_object,
    prim.EnterOp: _enter,
    prim.ExitOp: _exit,
}


def rules() -> Collection[type[Operation]]:
    """The kinds of nodes that have a rule."""
    return _RULES.keys()
