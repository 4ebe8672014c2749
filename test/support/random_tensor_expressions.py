"""Expressions of tensors for random programs: what variables may be joined to, and what comes out.

Shapes are known by name, so that operands fit together whatever sizes a call chooses: a dimension is a sum of names,
`("A", "B")` is A + B.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Dim = tuple[str, ...]
Shape = tuple[Dim, ...]

ONE: Dim = ("1",)
KINDS = "bif"
"""Bools, integers and floats, in the order in which they promote."""

FLOATS = ("float32", "float64", "float16", "bfloat16")
INTEGERS = ("int64", "int32", "int16", "int8", "uint8")

APPROXIMATE = (
    "sqrt exp exp2 expm1 log log2 log10 log1p rsqrt sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf erfc"
    " sigmoid atan2 pow"
).split()
"""Functions that two libraries may round differently."""
ACCUMULATING = (
    "sum mean mm matmul addmm bmm cumsum softmax log_softmax var add addcmul addcdiv lerp prod"
).split()
"""Operators whose order of rounding is each library's own."""

ROUNDING = ("floor", "ceil", "round", "trunc")


@dataclass(frozen=True)
class Value:
    """A tensor variable or expression: `shape` is None where it depends on the path taken; `roots` are the parameters and fresh
    tensors whose memory it may share (none: it is fresh itself)."""

    text: str
    shape: Shape | None
    kind: str
    roots: frozenset[str] = frozenset()
    writable: bool = True


def broadcast(*shapes: Shape) -> Shape | None:
    """The shape of a pointwise result, None where the shapes do not fit for all sizes."""
    rank = max(map(len, shapes), default=0)
    result: list[Dim] = []
    for axis in range(-rank, 0):
        met = {shape[axis] for shape in shapes if len(shape) >= -axis} - {ONE}
        if len(met) > 1:
            return None
        result.append(met.pop() if met else ONE)
    return tuple(result)


def highest(*kinds: str) -> str:
    return max(kinds, key=KINDS.index)


class Operands:
    """Chooses variables and numbers. `scope` holds the variables that every path defines."""

    def __init__(self, seed: int, exact: bool) -> None:
        self.r = random.Random(seed)
        self.exact = exact
        """Whether to leave out what may be rounded in several ways."""
        self.in_helper = False
        self.scope: dict[str, Value] = {}

    def any(self) -> Value:
        names = list(self.scope)
        return self.scope[self.r.choice(names[-5:] if self.r.random() < 0.6 else names)]

    def of(self, kinds: str) -> Value | None:
        found = [v for v in self.scope.values() if v.kind in kinds]
        return (
            self.r.choice(found[-4:] if found and self.r.random() < 0.5 else found)
            if found
            else None
        )

    def number(self, kind: str) -> str:
        if kind == "b":
            return self.r.choice(("True", "False"))
        if kind == "i":
            return self.r.choice(("0", "1", "2", "3", "5", "7"))
        return self.r.choice(
            ("0.5", "2.0", "1.5", "3.0", "0.1", "-1.0", "0.0", "1.0", "2", "-3", "1", "100.0")
        )

    def parameter(self, kind: str) -> str:
        """A number that is not known when the function is compiled."""
        if self.in_helper:
            return "k"
        return "n" if kind == "i" else "s"

    def operand(self, x: Value, kinds: str = KINDS) -> Value | None:
        """A variable that broadcasts with another one."""
        if x.shape is None:
            found = [x] if x.kind in kinds else []
        else:
            found = [
                v
                for v in self.scope.values()
                if v.shape is not None
                and v.kind in kinds
                and broadcast(v.shape, x.shape) is not None
            ]
        return self.r.choice(found) if found else None

    def result(self, text: str, kind: str, *operands: Value) -> Value:
        shapes = [v.shape for v in operands]
        known = [shape for shape in shapes if shape is not None]
        shape = broadcast(*known) if len(known) == len(shapes) else None
        return Value(text, shape, kind)

    def view_like(self, text: str, x: Value) -> Value:
        """What is x itself, or a copy of it."""
        return Value(text, x.shape, x.kind, x.roots, x.writable)


class Pointwise(Operands):
    """Expressions that are computed element by element."""

    def pointwise(self) -> Value | None:
        rules: Sequence[tuple[int, Callable[[], Value | None]]] = (
            (10, self.arithmetic),
            (5, self.arithmetic_with_number),
            (3, self.division),
            (4, self.comparison),
            (4, self.choice),
            (3, self.clamp),
            (5, self.unary),
            (3, self.elementary),
            (2, self.ternary),
            (3, self.logic),
            (4, self.cast),
            (1, self.call),
            (1, self.remainder),
        )
        rule = self.r.choices([rule for _, rule in rules], [weight for weight, _ in rules])[0]
        return rule()

    def arithmetic(self) -> Value | None:
        x = self.any()
        y = self.operand(x)
        if y is None:
            return None
        kind = highest(x.kind, y.kind)
        sign = self.r.choice(("+", "*") if "b" in (x.kind, y.kind) else ("+", "-", "*", "*"))
        if self.r.random() < 0.3 and kind != "b":
            name = self.r.choice(("maximum", "minimum"))
            return self.result(f"torch.{name}({x.text}, {y.text})", kind, x, y)
        if self.r.random() < 0.15 and kind != "b":
            alpha = "2" if kind == "i" else self.r.choice(("2", "0.5"))
            return self.result(f"torch.add({x.text}, {y.text}, alpha={alpha})", kind, x, y)
        return self.result(f"{x.text} {sign} {y.text}", kind, x, y)

    def arithmetic_with_number(self) -> Value | None:
        x = self.any()
        if x.kind == "b":
            return self.result(f"{x.text} * {self.number('i')}", "i", x)
        kind = self.r.choice(("i", "f"))
        number = self.r.choice((self.number(kind), self.number(kind), self.parameter(kind)))
        sign = self.r.choice("+-*")
        both = highest(x.kind, kind)
        if number in ("n", "k") or number.lstrip("-").isdigit():
            both = x.kind
        text = f"{x.text} {sign} {number}"
        if self.r.random() < 0.3 and (x.kind == "f" or sign != "-"):
            text = f"{number} {sign} {x.text}"
        return self.result(text, both, x)

    def division(self) -> Value | None:
        x = self.of("f")
        y = None if x is None else self.operand(x)
        if x is None or y is None:
            return None
        mode = self.r.choice(("floor", "trunc"))
        options = [f"torch.div({x.text}, {y.text})", f"{x.text} / {y.text}"]
        # Not in 16 bits, where PyTorch rounds the quotient before it makes it whole.
        options.append(f"torch.div({x.text}.float(), {y.text}.float(), rounding_mode='{mode}')")
        if self.r.random() < 0.4:
            options = [
                f"{x.text} / {self.r.choice(('2.0', '3.0', '3', self.parameter('f'), '0.1'))}",
                f"1.0 / {x.text}",
            ]
            y = x
        return self.result(self.r.choice(options), "f", x, y)

    def remainder(self) -> Value | None:
        x = self.of("if")
        if x is None:
            return None
        number = (
            self.r.choice(("3", "2", "7"))
            if x.kind == "i"
            else self.r.choice(("2.0", "1.5", "-3.0"))
        )
        text = self.r.choice(
            (
                f"torch.fmod({x.text}, {number})",
                f"torch.remainder({x.text}, {number})",
                f"{x.text} // {number}",
                f"{x.text} % {number}",
            )
        )
        return self.result(text, x.kind, x)

    def comparison(self) -> Value | None:
        x = self.any()
        sign = self.r.choice(("<", "<=", ">", ">=", "==", "!="))
        y = self.operand(x)
        if y is None or self.r.random() < 0.4:
            return self.result(f"{x.text} {sign} {self.number('f')}", "b", x)
        return self.result(f"{x.text} {sign} {y.text}", "b", x, y)

    def choice(self) -> Value | None:
        condition = self.of("b")
        x = None if condition is None else self.operand(condition)
        if condition is None or x is None:
            return None
        if x.kind != "b" and self.r.random() < 0.3:
            number = self.number(x.kind)
            kind = highest(x.kind, "f" if "." in number else "b")
            options = [
                f"torch.where({condition.text}, {x.text}, {number})",
                f"{x.text}.masked_fill({condition.text}, {number})",
            ]
            options.append(f"torch.where({condition.text}, {number}, {x.text})")
            text = self.r.choice(options)
            return self.result(text, x.kind if "masked" in text else kind, condition, x)
        y = self.operand(x)
        if y is None or condition.shape is None or x.shape is None or y.shape is None:
            return None
        if broadcast(condition.shape, x.shape, y.shape) is None:
            return None
        text = f"torch.where({condition.text}, {x.text}, {y.text})"
        return self.result(text, highest(x.kind, y.kind), condition, x, y)

    def clamp(self) -> Value | None:
        x = self.of("if")
        if x is None:
            return None
        low, high = self.number(x.kind), self.number(x.kind)
        y = self.operand(x, x.kind)
        options = [
            f"torch.clamp({x.text}, {low}, {high})",
            f"torch.clamp({x.text}, min={low})",
            f"torch.clamp({x.text}, max={high})",
            f"torch.clamp_min({x.text}, {low})",
        ]
        if y is not None and self.r.random() < 0.3:
            return self.result(f"torch.clamp({x.text}, min={y.text})", x.kind, x, y)
        return self.result(self.r.choice(options), x.kind, x)

    def unary(self) -> Value | None:
        x = self.any()
        if x.kind == "b":
            return self.result(
                self.r.choice((f"~{x.text}", f"torch.logical_not({x.text})")), "b", x
            )
        names = ["neg", "abs", "sign", "relu", "square"]
        if x.kind == "f":
            names += [
                *ROUNDING,
                "sqrt",
                "reciprocal",
                "isnan",
                "isfinite",
                "frac",
                "isinf",
            ]
        name = self.r.choice(names)
        return self.result(f"torch.{name}({x.text})", "b" if name.startswith("is") else x.kind, x)

    def elementary(self) -> Value | None:
        x = self.any()
        name = self.r.choice(APPROXIMATE)
        if self.exact:
            return None
        if name == "atan2":
            y = self.operand(x, "f")
            return None if y is None else self.result(f"torch.atan2({x.text}, {y.text})", "f", x, y)
        if name == "pow":
            if x.kind == "b":
                return None
            number = self.r.choice(("2", "3", "2.0", "0.5", "-1.0", "1.5", "-2.0"))
            kind = highest(x.kind, "f" if "." in number else "i")
            return self.result(f"torch.pow({x.text}, {number})", kind, x)
        return self.result(f"torch.{name}({x.text})", "f", x)

    def ternary(self) -> Value | None:
        x = self.of("f")
        y = None if x is None else self.operand(x, "f")
        z = None if x is None else self.operand(x, "f")
        if x is None or y is None or z is None:
            return None
        shapes = [v.shape for v in (x, y, z) if v.shape is not None]
        if len(shapes) == 3 and broadcast(*shapes) is None:
            return None
        operands = f"{x.text}, {y.text}, {z.text}"
        text = self.r.choice(
            (
                f"torch.addcmul({operands})",
                f"torch.addcdiv({operands})",
                f"torch.lerp({operands})",
                f"torch.addcmul({operands}, value=0.5)",
            )
        )
        return self.result(text, "f", x, y, z)

    def logic(self) -> Value | None:
        x = self.of("bi")
        y = None if x is None else self.operand(x, "bi")
        if x is None or y is None:
            return None
        if x.kind == "i" and self.r.random() < 0.2:
            return self.result(
                f"{x.text} {self.r.choice(('<<', '>>'))} {self.r.choice('123')}", "i", x
            )
        sign = self.r.choice(("&", "|", "^"))
        if self.r.random() < 0.3:
            name = self.r.choice(("and", "or", "xor"))
            return self.result(f"torch.logical_{name}({x.text}, {y.text})", "b", x, y)
        return self.result(f"{x.text} {sign} {y.text}", highest(x.kind, y.kind), x, y)

    def cast(self) -> Value | None:
        x = self.any()
        if x.kind == "f":
            target = self.r.choice((*FLOATS[:2], *FLOATS, "bool", "int32", "int64"))
            if target.startswith("int"):
                whole = f"torch.where(torch.isnan({x.text}), 0.0, torch.clamp({x.text}, -100, 100))"
                return self.result(f"{whole}.to(torch.{target})", "i", x)
        else:
            target = self.r.choice((*FLOATS[:2], *FLOATS, "bool", *INTEGERS[:2], *INTEGERS))
        kind = "f" if target in FLOATS else "b" if target == "bool" else "i"
        if self.r.random() < 0.15 and x.kind == kind:
            y = self.of(kind)
            assert y is not None
            return self.view_like(f"{x.text}.type_as({y.text})", x)
        if kind == x.kind:
            return self.view_like(f"{x.text}.to(torch.{target})", x)
        return self.result(f"{x.text}.to(torch.{target})", kind, x)

    def call(self) -> Value | None:
        x = self.of("f")
        if self.in_helper or x is None or x.shape is None or not x.writable:
            return None
        y = self.operand(x, "f")
        if y is None or broadcast(x.shape, y.shape or ()) != x.shape:
            return None
        # The helper may write to its operands, and clones what it reads of them.
        roots = x.roots | y.roots
        return Value(
            f"helper({x.text}.clone(), {y.text}.clone(), {self.r.choice(('n', '2'))})",
            x.shape,
            "f",
            roots,
        )
