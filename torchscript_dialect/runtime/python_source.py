"""Python source from Code: what the interpreter runs.

One Python function per Code, registers as local variables, operators as calls of their kernels: CPython's own loop does the
interpreting. A register that is moved is deleted, so that a tensor goes as soon as it has been read for the last time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.dialects.builtin import FileLineColLoc
from xdsl.ir import Operation

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.runtime import values
from torchscript_dialect.runtime.code import Code, Instruction
from torchscript_dialect.types.core import BOOL
from torchscript_dialect.utils.errors import TorchScriptError

CallResolver = Callable[[str], Callable[..., Any]]
"""From a function's symbol to what runs it."""

_LITERALS = (int, bool, type(None))


class PythonSource:
    """The source of a Code, the names that it uses, and the node of each of its lines."""

    def __init__(self, code: Code, resolve: CallResolver, special: dict[Operation, Any]) -> None:
        self.code = code
        self.resolve = resolve
        self.special = special
        """What runs a node instead of the rule of its kind: the compiled kernel of a fusion group."""
        self.names: dict[str, Any] = {"Tensor": values.Tensor}
        self.constants: dict[int, str] = {}
        self.lines: list[str] = []
        self.nodes: list[Operation | None] = []
        self.loops: list[str] = []
        self.level = 1
        self.emit_function()

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def compile(self, name: str) -> Callable[..., Any]:
        """The Python function; its arguments are the graph's inputs, it returns its output or a tuple."""
        filename = f"<torchscript {name}>"
        exec(compile(self.text, filename, "exec"), self.names)
        return self.names["run"]

    # Lines and names.

    def line(self, text: str, node: Operation | None = None) -> None:
        self.lines.append("    " * self.level + text)
        self.nodes.append(node)

    def name(self, prefix: str, value: Any) -> str:
        name = f"{prefix}_{len(self.names)}"
        self.names[name] = value
        return name

    def register(self, index: int) -> str:
        return self.constants.get(index) or f"r{index}"

    def inputs(self, instruction: Instruction) -> list[str]:
        return [self.register(index) for index in instruction.inputs]

    def free(self, instruction: Instruction) -> None:
        freed = [f"r{r}" for r in sorted(instruction.moved) if r not in self.constants]
        freed = [f for f in freed if int(f[1:]) not in instruction.outputs]
        if freed:
            self.line(f"del {', '.join(freed)}")

    # Instructions.

    def emit_function(self) -> None:
        self.level = 0
        load, *body = self.code.instructions
        self.line(f"def run({', '.join(f'r{r}' for r in load.outputs)}):")
        self.level = 1
        for instruction in body:
            self.emit(instruction)

    def emit(self, instruction: Instruction) -> None:
        match instruction.opcode:
            case "Store":
                self.line(f"return {self.value_or_tuple(self.inputs(instruction))}")
            case "Drop":
                self.free(instruction)
            case "If":
                self.line(f"if {self.inputs(instruction)[0]}:", instruction.node)
                self.level += 1
                self.line("pass")
                self.free(instruction)
            case "Else":
                self.level -= 1
                self.line("else:")
                self.level += 1
                self.line("pass")
            case "EndIf":
                self.level -= 1
            case "Assign":
                self.assign(instruction.outputs, self.inputs(instruction))
                self.free(instruction)
            case "Loop" | "Continue" | "EndLoop":
                self.emit_loop(instruction)
            case "Constant":
                self.constant(instruction)
            case _:
                self.operation(instruction)
                self.free(instruction)

    @staticmethod
    def value_or_tuple(inputs: list[str]) -> str:
        return inputs[0] if len(inputs) == 1 else f"({', '.join(inputs)}{',' * bool(inputs)})"

    def assign(self, outputs: tuple[int, ...], inputs: list[str]) -> None:
        if outputs:
            self.line(f"{', '.join(f'r{r}' for r in outputs)} = {', '.join(inputs)}")

    def emit_loop(self, instruction: Instruction) -> None:
        node = instruction.node
        assert isinstance(node, prim.LoopOp)
        if instruction.opcode == "Loop":
            trips, condition, *carried = self.inputs(instruction)
            trip, *arguments = instruction.outputs
            self.assign(tuple(arguments), carried)
            self.free(instruction)
            if _always_goes_on(node):
                self.line(f"for r{trip} in range({trips}):", node)
            else:
                self.loops.append(f"go_on_{trip}")
                self.line(f"go_on_{trip} = {condition}")
                self.line(f"r{trip} = -1")
                self.line(f"while go_on_{trip} and r{trip} + 1 < {trips}:", node)
            self.level += 1
            self.line("pass" if _always_goes_on(node) else f"r{trip} += 1")
        elif instruction.opcode == "Continue":
            condition, *carried = self.inputs(instruction)
            trip, *arguments = instruction.outputs
            targets = [f"r{r}" for r in arguments]
            if not _always_goes_on(node):
                targets.insert(0, self.loops[-1])
                carried.insert(0, condition)
            if targets:
                self.line(f"{', '.join(targets)} = {', '.join(carried)}")
            freed = instruction.moved - set(arguments)
            names = [f"r{r}" for r in sorted(freed) if r not in self.constants and r != trip]
            if names:
                self.line(f"del {', '.join(names)}")
            self.level -= 1
        else:
            if not _always_goes_on(node):
                self.loops.pop()
            arguments = [self.code.registers[a] for a in node.body.block.args[1:]]
            if arguments:
                sources = [f"r{r}" for r in arguments]
                self.assign(instruction.outputs, sources)
                self.line(f"del {', '.join(sources)}")
            self.free(instruction)

    def constant(self, instruction: Instruction) -> None:
        node = instruction.node
        assert isinstance(node, prim.ConstantOp)
        (register,) = instruction.outputs
        if node.function_symbol is not None:
            self.constants[register] = self.name("function", self.resolve(node.function_symbol))
            return
        value = node.value
        is_literal = type(value) in _LITERALS
        self.constants[register] = f"({value})" if is_literal else self.name("constant", value)

    def operation(self, instruction: Instruction) -> None:
        node = instruction.node
        assert node is not None
        inputs = self.inputs(instruction)
        outputs = ", ".join(f"r{r}" for r in instruction.outputs)
        text = self.expression(node, inputs)
        if len(instruction.outputs) == 1 and isinstance(
            node, (prim.ListUnpackOp, prim.TupleUnpackOp, prim.ConstantChunkOp)
        ):
            outputs += ","
        self.line(f"{outputs} = {text}" if outputs else text, node)

    def expression(self, node: Operation, inputs: list[str]) -> str:
        if node in self.special:
            return f"{self.name('group', self.special[node])}({', '.join(inputs)})"
        if isinstance(node, OperatorOp):
            return self.call_operator(node, inputs)
        rule = _RULES.get(type(node))
        if rule is None:
            kind = getattr(node, "KIND", node.name)
            raise TorchScriptError(f"the interpreter does not know {kind}{_at(node)}")
        return rule(self, node, inputs)

    def call_operator(self, node: OperatorOp, inputs: list[str]) -> str:
        operator = node.OPERATOR
        if operator is None or operator.kernel is None:
            return f"{self.name('unsupported', _unsupported(node))}()"
        base = operator.qualified_name.partition("::")[2].replace(".", "_")
        return f"{self.name(base, operator.kernel)}({', '.join(inputs)})"


def _unsupported(node: OperatorOp) -> Callable[[], None]:
    """Raises when the program comes to an operator that nothing runs: programs may hold what they do not reach."""
    operator = node.OPERATOR
    types = ", ".join(prim.type_of(value).repr_str for value in node.operands)
    what = f"unknown operator {node.KIND}({types})"
    if operator is not None:
        what = f"operator {operator.text} is not supported"

    def fail() -> None:
        raise TorchScriptError(what + _at(node))

    return fail


def _at(node: Operation) -> str:
    location = node.location
    if not isinstance(location, FileLineColLoc):
        return ""
    return f" (at {location.filename.data}:{location.line.data}:{location.column.data})"


def _always_goes_on(node: prim.LoopOp) -> bool:
    """Whether the loop is a `for`: both conditions are the constant True."""
    conditions = (node.condition, prim.yielded(node.body)[0])
    return all(
        isinstance(c.owner, prim.ConstantOp) and prim.type_of(c) == BOOL and c.owner.value is True
        for c in conditions
    )


def _attribute(node: Operation, name: str) -> Any:
    return from_attribute(node.attributes[name])


def _tuple(inputs: list[str]) -> str:
    return f"({', '.join(inputs)}{',' if len(inputs) == 1 else ''})"


Rule = Callable[[PythonSource, Any, list[str]], str]


def _list_unpack(source: PythonSource, node: prim.ListUnpackOp, inputs: list[str]) -> str:
    check = source.name("unpack", values.unpack_list)
    return f"{check}({inputs[0]}, {len(node.results)})"


def _tuple_construct(source: PythonSource, node: prim.TupleConstructOp, inputs: list[str]) -> str:
    type_ = prim.type_of(node.results[0])
    fields = getattr(type_, "field_names", ())
    if not fields:
        return _tuple(inputs)
    factory = source.name("named_tuple", values.named_tuple(type_.annotation_str, fields))
    return f"{factory}({', '.join(inputs)})"


def _dict_construct(source: PythonSource, node: prim.DictConstructOp, inputs: list[str]) -> str:
    pairs = zip(inputs[::2], inputs[1::2], strict=True)
    return f"{{{', '.join(f'{key}: {value}' for key, value in pairs)}}}"


def _get_attr(source: PythonSource, node: prim.GetAttrOp, inputs: list[str]) -> str:
    return f"getattr({inputs[0]}, {_attribute(node, 'name')!r})"


def _set_attr(source: PythonSource, node: prim.SetAttrOp, inputs: list[str]) -> str:
    return f"setattr({inputs[0]}, {_attribute(node, 'name')!r}, {inputs[1]})"


def _call_function(source: PythonSource, node: prim.CallFunctionOp, inputs: list[str]) -> str:
    return f"{inputs[0]}({', '.join(inputs[1:])})"


def _call_method(source: PythonSource, node: prim.CallMethodOp, inputs: list[str]) -> str:
    return f"getattr({inputs[0]}, {_attribute(node, 'name')!r})({', '.join(inputs[1:])})"


def _raise(source: PythonSource, node: prim.RaiseExceptionOp, inputs: list[str]) -> str:
    return f"{source.name('throw', values.raise_exception)}({', '.join(inputs)})"


def _chunk(source: PythonSource, node: prim.ConstantChunkOp, inputs: list[str]) -> str:
    chunk = source.name("chunk", values.constant_chunk)
    chunks, dim = _attribute(node, "chunks"), _attribute(node, "dim")
    return f"{chunk}({inputs[0]}, {chunks}, {dim})"


def _print(source: PythonSource, node: prim.PrintOp, inputs: list[str]) -> str:
    return f"{source.name('show', values.print_values)}({', '.join(inputs)})"


def _uninitialized(source: PythonSource, node: prim.UninitializedOp, inputs: list[str]) -> str:
    return source.name("uninitialized", values.UNINITIALIZED)


def _tuple_slice(source: PythonSource, node: prim.TupleSliceOp, inputs: list[str]) -> str:
    return f"{inputs[0]}[{_attribute(node, 'beg')}:{_attribute(node, 'end')}]"


def _isinstance(source: PythonSource, node: prim.IsInstanceOp, inputs: list[str]) -> str:
    raw = node.attributes["types"]
    types = tuple(getattr(raw, "data", ()))
    return f"{source.name('isinstance', values.instance_check(types))}({inputs[0]})"


def _profile(source: PythonSource, node: prim.ProfileOp, inputs: list[str]) -> str:
    observe = source.name("profile", values.Profile(node))
    return f"{observe}({', '.join(inputs)})"


def _type_check(source: PythonSource, node: prim.TypeCheckOp, inputs: list[str]) -> str:
    types = tuple(prim.type_of(result) for result in node.results[:-1])
    return f"{source.name('type_check', values.type_check(types))}({', '.join(inputs)})"


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
    prim.HasAttrOp: lambda s, node, inputs: f"hasattr({inputs[0]}, {_attribute(node, 'name')!r})",
    prim.CallFunctionOp: _call_function,
    prim.CallMethodOp: _call_method,
    prim.RaiseExceptionOp: _raise,
    prim.UninitializedOp: _uninitialized,
    prim.UncheckedCastOp: lambda source, node, inputs: inputs[0],
    prim.ConstantChunkOp: _chunk,
    prim.PrintOp: _print,
    prim.IsInstanceOp: _isinstance,
    prim.ProfileOp: _profile,
    prim.TypeCheckOp: _type_check,
    prim.EnterOp: lambda source, node, inputs: f"{inputs[0]}.__enter__()",
    prim.ExitOp: lambda source, node, inputs: f"{inputs[0]}.__exit__(None, None, None)",
}

