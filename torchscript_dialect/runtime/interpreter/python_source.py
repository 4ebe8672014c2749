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
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from types import CodeType
from typing import Any
from weakref import ReferenceType, ref

from xdsl.ir import Operation, SSAValue

from torchscript_dialect.analysis.history import History
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir.locations import at
from torchscript_dialect.ops.eager.often import (
    OF_ROWS,
    OFTEN_IN_PROGRAMS,
    CompiledForm,
    compiled_form,
    counted_kernel,
    counted_view,
)
from torchscript_dialect.ops.registry import Inline, Kernel, Operator
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.interpreter import values
from torchscript_dialect.runtime.interpreter.code import Code, Instruction
from torchscript_dialect.runtime.interpreter.node_rules import RULES, CallResolver, without_history
from torchscript_dialect.runtime.kernels.torch_kernels import borrowed_kernel
from torchscript_dialect.runtime.values.objects import Entered
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.device_array import is_device_in_use, use_device
from torchscript_dialect.tensor.dtype import bool_, int64
from torchscript_dialect.tensor.inference import keep_normal
from torchscript_dialect.types.containers import ListType
from torchscript_dialect.types.core import BOOL, FLOAT, INT
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.errors import TorchScriptError

MAX_LOOPS = 15
MAX_LEVELS = 50
"""How many loops, and how many blocks of any kind, one Python function nests: Note [Outlined blocks]."""

LOWEST, HIGHEST = -(2**63), 2**63 - 1
"""The ints of 64 bits, as the text has them."""

_TO_DEVICES = ("aten::cuda", "aten::device")
"""Operators from which on tensors may be on a device."""

_OF_LISTS = ("aten::tensor", "aten::as_tensor.list")
"""Operators that make tensors of lists, of which a kernel does not see what they are declared to hold."""

UNLIMITED = HIGHEST
"""The trip count of a `while` loop."""


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
    `records`: operators go on the tape of gradients; where `history` says so, and no others, if it is given.
    """

    def __init__(
        self,
        code: Code,
        resolve: CallResolver,
        special: dict[Operation, Any],
        *,
        is_checked: bool = False,
        records: bool = False,
        history: History | None = None,
    ) -> None:
        self.code = code
        self.resolve = resolve
        self.is_checked = is_checked
        self.records = records
        self.history = history
        self.special = special
        """What runs a node instead of the rule of its kind: the compiled kernel of a fusion group."""
        self.names: dict[str, Any] = {}
        self.objects: dict[int, str] = {}
        """The names of functions, by identity; `names` holds on to them."""
        self.constants: dict[int, str] = {}
        self.functions: list[str] = []
        """The names of the Python functions; the last one is `run`."""
        self.codes: list[CodeType] = []
        """The code of each of them, once they are compiled."""
        self.numbers = _registers_of_numbers(code)
        """Registers that hold nothing of which there could be too much."""
        self.lines: list[str] = []
        self.nodes: list[Operation | None] = []
        self.ends = _ends_of_blocks(code.instructions)
        self.enters = [i for i, at in enumerate(code.instructions) if type(at.node) is prim.EnterOp]
        self.function = _Function("run")
        if history is not None:
            self.take_arguments(history.arguments)
        self.guard(0, len(code.instructions))
        self.emit_all(1, len(code.instructions))
        self.finish(code.instructions[0].outputs)
        del self.code, self.ends, self.enters, self.function  # what runs needs none of it

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def compile(self) -> Callable[..., Any]:
        """The Python function; its arguments are the graph's inputs, it returns its output or a tuple.

        A function holds the names that it looks up. They do not hold `run`, so that all of it goes with who runs it, and not when
        Python next looks for garbage.
        """
        exec(compile(self.text, "<torchscript>", "exec"), self.names)
        self.codes = [self.names[name].__code__ for name in self.functions]
        return self.names.pop("run")

    def node_at(self, code: CodeType, line: int) -> Operation | None:
        """The node that a line of the compiled source came from; None for code of another source."""
        if not any(one is code for one in self.codes):
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

    @property
    def enters_here(self) -> bool:
        """Whether the function under construction enters `with` statements."""
        return self.function.enters

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

    def take_arguments(self, arguments: Iterable[SSAValue]) -> None:
        """Take arguments without history that need none."""
        for value in arguments:
            given = f"r{self.code.registers[value]}"
            text = without_history(self, given, value)
            if text != given:
                self.line(f"{given} = {text}")

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
        keep_normal(value)
        if value.__class__ is device and value.type == "cuda":
            use_device()
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

    def is_recorded(self, node: Operation) -> bool:
        """Whether what the node does goes on the tape."""
        return self.records and (self.history is None or self.history.is_needed_by(node))

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
        rule = RULES.get(type(node))
        if rule is None:
            kind = getattr(node, "KIND", node.name)
            raise TorchScriptError(f"the interpreter does not know {kind}{at(node)}")
        return rule(self, node, inputs)

    def call_operator(self, node: OperatorOp, inputs: list[str]) -> str:
        operator = node.OPERATOR
        kernel = None if operator is None else operator.current_kernel
        if operator is None or kernel is None:
            return self.call(_borrowing(node), inputs)
        if operator.name in _TO_DEVICES:
            use_device()
        if operator.qualified_name in _OF_LISTS:
            inputs = self.with_declared_dtype(node, inputs)
        if self.is_recorded(node):
            if self.history is None or operator.keeps_track:
                return self.call_recorded(operator, node, inputs)
            kernel = operator.recorded_at(at(node))
        if self.is_checked or is_device_in_use():
            return self.call(kernel, inputs)
        if operator.rules.is_view:
            return self.call_view(kernel, inputs)
        is_of_rows = operator.qualified_name in OF_ROWS
        form = compiled_form(operator)
        if form is not None and (form.in_place or is_of_rows or _is_of_tensors(node)):
            often = OFTEN_IN_PROGRAMS if is_of_rows else None
            return self.call_counted(node, form, kernel, inputs, often)
        return self.call(kernel, inputs)

    def with_declared_dtype(self, node: OperatorOp, inputs: list[str]) -> list[str]:
        """Inputs whose dtype, where none is given, is that of the elements that a list is declared to have: there may be none."""
        element = prim.type_of(node.operands[0])
        while isinstance(element, ListType):
            element = element.element
        if element not in (INT, BOOL):
            return inputs
        choose = values.dtype_of_list((int64 if element == INT else bool_).scalar_type)
        return [inputs[0], self.call(choose, inputs[:2]), *inputs[2:]]

    def call_recorded(self, operator: Operator, node: OperatorOp, inputs: list[str]) -> str:
        """A call that goes on the tape: the name of what runs it gets a function for the operands that come there."""
        name = self.name(None)
        self.names[name] = operator.recorded_at(at(node), partial(_use_at, ref(self), name))
        return f"{name}({', '.join(inputs)})"

    def call_view(self, kernel: Kernel, inputs: list[str]) -> str:
        """A call that gives views: the name of what runs it gets a native program once it was called often."""
        name = self.name(None)
        self.names[name] = counted_view(
            kernel, OFTEN_IN_PROGRAMS, partial(self.names.__setitem__, name)
        )
        return f"{name}({', '.join(inputs)})"

    def call_counted(
        self,
        node: OperatorOp,
        form: CompiledForm,
        kernel: Kernel,
        inputs: list[str],
        often: int | None,
    ) -> str:
        """A call of an operator that no fusion group holds, since it writes to what comes from outside, is one of rows, or has operands
        whose types nobody knew: the name of what runs it gets a kernel once it was called often.
        """
        owners = [operand.owner for operand in node.operands]
        count = len(inputs)
        while count and isinstance(owners[count - 1], prim.ConstantOp):
            count -= 1
        constants = [owner.value for owner in owners[count:] if isinstance(owner, prim.ConstantOp)]
        name = self.name(None)

        def use(found: Kernel, takes_defaults: bool) -> None:
            with_constants = constants and takes_defaults
            self.names[name] = _followed_by(found, constants) if with_constants else found

        use(counted_kernel(form, kernel, len(constants), use, often), True)
        return f"{name}({', '.join(inputs[:count])})"

    def call(self, function: Callable[..., Any], inputs: Iterable[str]) -> str:
        return f"{self.name(function)}({', '.join(inputs)})"


def _use_at(source: ReferenceType[PythonSource], name: str, kernel: Kernel) -> None:
    """Let what was compiled of a source find a kernel under a name, which the kernel before told without holding the source."""
    compiled = source()
    if compiled is not None:
        compiled.names[name] = kernel


def _is_of_tensors(node: OperatorOp) -> bool:
    """Whether what is not constant of the operands is what kernels take: they are compiled for other numbers."""
    operands = [one for one in node.operands if not isinstance(one.owner, prim.ConstantOp)]
    types = [prim.type_of(one) for one in operands]
    return all(isinstance(one, TensorType) or one == FLOAT for one in types)


def _followed_by(kernel: Kernel, constants: Sequence[Any]) -> Kernel:
    """The kernel, given these operands after all others."""
    return lambda *operands: kernel(*operands, *constants)


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
