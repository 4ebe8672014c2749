"""Random programs as graphs: views, writes, lists and branches, and what a run of one shows."""

import random
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.module import function_of_block
from torchscript_dialect.runtime.interpreter.interpreter import InterpreterFunction
from torchscript_dialect.tensor.conversion import as_tensor

F = "Float(3, 3, strides=[3, 1], requires_grad=0, device=cpu)"
PASSES = (
    "ts-dead-code-elimination",
    "ts-constant-propagation",
    "ts-constant-propagation{immutable_types=true}",
    "ts-constant-pooling",
    "ts-canonicalize-outputs",
    "ts-lower-simple-tuples",
    "ts-common-subexpression-elimination",
    "ts-peephole",
    "ts-canonicalize-ops",
    "ts-loop-unrolling",
    "ts-propagate-shapes",
)


class Program:
    """Text of a random program over 3x3 tensors."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0
        self.lines = [
            f"graph(%x : {F}, %y : {F}, %c : bool, %n : int):",
            "  %zero : int = prim::Constant[value=0]()",
            "  %one : int = prim::Constant[value=1]()",
            "  %two : int = prim::Constant[value=2]()",
            "  %true : bool = prim::Constant[value=1]()",
            "  %false : bool = prim::Constant[value=0]()",
            "  %list : Tensor[] = prim::ListConstruct()",
        ]
        tensors = self.statements(["%x", "%y"], 8, 1)
        results = self.random.sample(tensors, k=min(3, len(tensors)))
        results += [self.random.choice(results)]
        self.lines.append(f"  return ({', '.join(results)}, %list)")

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def add(self, level: int, name: str, text: str, type_: str = "Tensor") -> str:
        self.lines.append(f"{'  ' * level}{name} : {type_} = {text}")
        return name

    def statements(self, tensors: list[str], count: int, level: int) -> list[str]:
        """Statements of a block; the tensors that are known at its end."""
        tensors = list(tensors)
        for _ in range(count):
            kind = self.random.choice(
                [
                    "pure",
                    "pure",
                    "pure",
                    "view",
                    "write",
                    "write",
                    "list",
                    "if",
                    "loop",
                    "tuple",
                    "chunk",
                ]
            )
            if kind in ("if", "loop") and level > 4:
                kind = "pure"
            tensors += getattr(self, f"make_{kind}")(tensors, level)
        return tensors

    def pick(self, tensors: list[str]) -> str:
        return self.random.choice(tensors[-5:] if self.random.random() < 0.7 else tensors)

    def make_pure(self, tensors: list[str], level: int) -> list[str]:
        a, b = self.pick(tensors), self.pick(tensors)
        one = self.random.choice(["%one", "%two"])
        text = self.random.choice(
            [
                f"aten::add({a}, {b}, %one)",
                f"aten::sub({a}, {b}, {one})",
                f"aten::mul({a}, {b})",
                f"aten::tanh({a})",
                f"aten::neg({a})",
                f"aten::mul({a}, %one)",
                f"aten::sub({a}, %zero, %one)",
                f"aten::mm({a}, {b})",
            ]
        )
        return [self.add(level, self.name(), text)]

    def make_view(self, tensors: list[str], level: int) -> list[str]:
        return [self.add(level, self.name(), f"aten::t({self.pick(tensors)})")]

    def make_write(self, tensors: list[str], level: int) -> list[str]:
        target, other = self.pick(tensors), self.pick(tensors)
        text = self.random.choice(
            [
                f"aten::add_({target}, %one, %one)",
                f"aten::mul_({target}, %two)",
                f"aten::tanh_({target})",
            ]
        )
        if self.random.random() < 0.3:
            fresh = self.add(level, self.name(), f"aten::neg({other})")
            text = f"aten::add_({target}, {fresh}, %one)"
        if self.random.random() < 0.3:
            row = self.add(level, self.name(), f"aten::select({target}, %zero, %one)")
            text = f"aten::add_({row}, %one, %one)"
            self.add(level, self.name(), text)
            return []
        return [self.add(level, self.name(), text)]

    def make_list(self, tensors: list[str], level: int) -> list[str]:
        if self.random.random() < 0.5:
            self.add(level, self.name(), f"aten::append(%list, {self.pick(tensors)})", "Tensor[]")
            return []
        a, b = self.pick(tensors), self.pick(tensors)
        made = self.add(level, self.name(), f"prim::ListConstruct({a}, {b})", "Tensor[]")
        if self.random.random() < 0.4:
            self.add(level, self.name(), f"aten::append({made}, {a})", "Tensor[]")
        return [self.add(level, self.name(), f"aten::__getitem__({made}, %one)")]

    def make_tuple(self, tensors: list[str], level: int) -> list[str]:
        a, b = self.pick(tensors), self.pick(tensors)
        made = self.name()
        self.add(level, made, f"prim::TupleConstruct({a}, {b})", "(Tensor, Tensor)")
        first, second = self.name(), self.name()
        self.lines.append(
            f"{'  ' * level}{first} : Tensor, {second} : Tensor = prim::TupleUnpack({made})"
        )
        return [first, second]

    def make_chunk(self, tensors: list[str], level: int) -> list[str]:
        chunks = self.name()
        self.add(level, chunks, f"aten::chunk({self.pick(tensors)}, %one, %zero)", "Tensor[]")
        first = self.name()
        self.lines.append(f"{'  ' * level}{first} : Tensor = prim::ListUnpack({chunks})")
        return [first]

    def branch(self, tensors: list[str], level: int, results: int) -> None:
        known = self.statements(tensors, 2, level + 2)
        values = ", ".join(self.pick(known) for _ in range(results))
        self.lines.append(f"{'  ' * (level + 1)}  -> ({values})")

    def make_if(self, tensors: list[str], level: int) -> list[str]:
        results = [self.name() for _ in range(self.random.choice([1, 2]))]
        head = ", ".join(f"{result} : Tensor" for result in results)
        condition = self.random.choice(["%c", "%c", "%true", "%false"])
        self.lines.append(f"{'  ' * level}{head} = prim::If({condition})")
        for block in range(2):
            self.lines.append(f"{'  ' * (level + 1)}block{block}():")
            self.branch(tensors, level, len(results))
        return results

    def make_loop(self, tensors: list[str], level: int) -> list[str]:
        trips = self.random.choice(["%n", "%two", "%zero", "%one"])
        inits = [self.pick(tensors), self.pick(tensors)]
        results, arguments, trip = (
            [self.name(), self.name()],
            [self.name(), self.name()],
            self.name(),
        )
        head = ", ".join(f"{result} : Tensor" for result in results)
        self.lines.append(f"{'  ' * level}{head} = prim::Loop({trips}, %true, {', '.join(inits)})")
        inside = ", ".join(f"{argument} : Tensor" for argument in arguments)
        self.lines.append(f"{'  ' * (level + 1)}block0({trip} : int, {inside}):")
        known = self.statements([*tensors, *arguments], 2, level + 2)
        values = ", ".join(self.pick([*arguments, *known]) for _ in results)
        self.lines.append(f"{'  ' * (level + 1)}  -> (%true, {values})")
        return results


def run(function: FuncOp, condition: bool, trips: int) -> list[Any]:
    """What a run shows: results, what became of the arguments, and which results share memory."""
    special: dict[Any, Any] = {}
    for op in function.walk():
        if isinstance(op, prim.TensorExprGroupOp):
            alone = function_of_block(op.body)
            special[op] = InterpreterFunction(alone, _no_calls)
    x = as_tensor(np.linspace(-1, 1, 9, dtype=np.float32).reshape(3, 3))
    y = as_tensor(np.linspace(0.5, -0.75, 9, dtype=np.float32).reshape(3, 3))
    with np.errstate(all="ignore"):
        *results, items = InterpreterFunction(function, _no_calls, special)(x, y, condition, trips)
    tensors = [x, y, *results, *items]
    shared = [[np.shares_memory(a.array, b.array) for b in tensors] for a in tensors]
    return [shared, *(tensor.array.tolist() for tensor in tensors)]


def only_function(module: ModuleOp) -> FuncOp:
    (function,) = module.ops
    assert isinstance(function, FuncOp)
    return function


def _no_calls(name: str) -> Any:
    raise AssertionError(name)
