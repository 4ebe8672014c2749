"""What the tests of the interpreter share: graphs from text, and operators of their own, so that they depend on no family of the table."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from xdsl.dialects.func import FuncOp

from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.custom import register_operator
from torchscript_dialect.runtime.interpreter.interpreter import InterpreterFunction
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor


@contextmanager
def operators(kernels: dict[str, Callable[..., Any]]) -> Iterator[None]:
    """Registers operators by their schemas, and those that all tests use."""
    common: dict[str, Callable[..., Any]] = {
        "itest::double(Tensor x) -> Tensor": lambda x: as_tensor(x.array * 2),
        "itest::same(Tensor(a) x) -> Tensor(a)": lambda x: x,
    }
    for schema, kernel in (common | kernels).items():
        register_operator(schema, kernel)
    yield
    for name in [name for name in registry.texts() if name.startswith("itest::")]:
        registry.unregister(name)


def functions(text: str, filename: str = "<text>") -> dict[str, InterpreterFunction]:
    """Every function of a graph text, ready to run; they may call each other."""
    module = parse_ir_text(text, filename)
    module.verify()
    ready: dict[str, InterpreterFunction] = {}

    def resolve(name: str) -> Callable[..., Any]:
        return lambda *args: ready[name](*args)

    for op in module.body.ops:
        assert isinstance(op, FuncOp)
        ready[op.sym_name.data] = InterpreterFunction(op, resolve)
    return ready


def forward(text: str) -> InterpreterFunction:
    return functions(text)["forward"]


def tensor(*numbers: float) -> Tensor:
    return as_tensor(np.array(numbers, "float32"))


def nested(kind: str, depth: int) -> str:
    """`depth` blocks inside each other around one call, each of which passes the value on."""
    lines = [
        "graph(%x : Tensor, %c : bool, %n : int):",
        "  %true : bool = prim::Constant[value=1]()",
    ]

    def emit(level: int, indent: str, value: str) -> str:
        if level == depth:
            lines.append(f"{indent}%r : Tensor = itest::double({value})")
            return "%r"
        result, inner = f"%r{level}", f"{indent}    "
        if kind == "if":
            lines.extend([f"{indent}{result} : Tensor = prim::If(%c)", f"{indent}  block0():"])
            lines.append(f"{inner}-> ({emit(level + 1, inner, value)})")
            lines.extend([f"{indent}  block1():", f"{inner}-> ({value})"])
            return result
        condition = "%true" if kind == "for" else "%c"
        lines.append(f"{indent}{result} : Tensor = prim::Loop(%n, {condition}, {value})")
        lines.append(f"{indent}  block0(%i{level} : int, %a{level} : Tensor):")
        lines.append(f"{inner}-> ({condition}, {emit(level + 1, inner, f'%a{level}')})")
        return result

    lines.append(f"  return ({emit(0, '  ', '%x')})")
    return "\n".join(lines) + "\n"
