"""Random functions of tensors, as TorchScript that Python runs as well.

    PYTHONPATH=.:test python -m support.random_tensor_comparison [COUNT] [FIRST_SEED]

compares with PyTorch. A function takes tensors and a few numbers, and gives a list of tensors and a float.

Left out on purpose, as PyTorch leaves open what comes out: casts of floats to integers where NaN or large numbers can
meet them, division of integers by tensors (by zero, or of the smallest by -1), and writing in place what overlaps with
what is read without being the same view (the order of writing decides).

Also left out is what PyTorch's interpreter of TorchScript does otherwise than PyTorch: `1.5 - x` of small integers, which
negates them first, `x *= True` and `torch.where(c, x, True)`, where the number is an int, and `x[1:] = 0.1`, where it is
rounded to float32 first. Where 16-bit floats are divided and the quotient is made whole, PyTorch rounds it before: ours does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from support.random_tensor_expressions import KINDS, ONE, Shape, Value, broadcast, highest
from support.random_tensor_views import Expressions


@dataclass
class Block:
    """A header such as `if flag:`, and what stands under it."""

    header: str
    body: list[Statement] = field(default_factory=list["Statement"])


Statement = str | Block


def render(statements: Sequence[Statement], indent: int = 1) -> str:
    lines: list[str] = []
    for statement in statements:
        if isinstance(statement, str):
            lines.append("    " * indent + statement + "\n")
        else:
            lines.append("    " * indent + statement.header + "\n")
            inner = statement.body or ["pass"]
            lines.append(render(inner, indent + 1))
    return "".join(lines)


@dataclass(frozen=True)
class Parameter:
    """A tensor parameter, of which sizes and dtype are a call's choice."""

    name: str
    shape: Shape
    kind: str


@dataclass
class Program:
    """The function `main`; `helper` is a function that it may call."""

    seed: int
    parameters: list[Parameter]
    helper: list[Statement]
    body: list[Statement]

    @property
    def text(self) -> str:
        tensors = ", ".join(f"{parameter.name}: Tensor" for parameter in self.parameters)
        helper = f"def helper(x: Tensor, y: Tensor, k: int) -> Tensor:\n{render(self.helper)}\n\n"
        return (
            f"{helper if 'helper(' in render(self.body) else ''}"
            f"def main({tensors}, n: int, s: float, flag: bool) -> Tuple[List[Tensor], float]:\n"
            f"{render(self.body)}"
        )


def program(seed: int, *, exact: bool = False) -> Program:
    """The program with this number; an exact one leaves out what may be rounded in several ways."""
    return _Writer(seed, exact).program()


class _Writer(Expressions):
    """Writes one program."""

    def __init__(self, seed: int, exact: bool) -> None:
        super().__init__(seed, exact)
        self.seed = seed
        self.count = 0
        self.depth = 0
        self.in_loop = False
        self.returns_all = self.r.random() < 0.5
        """Whether nothing but what is overwritten is dead."""

    def program(self) -> Program:
        parameters = self.parameters()
        self.in_helper = True
        helper = self.helper()
        self.in_helper = False
        self.scope = {
            p.name: Value(p.name, p.shape, p.kind, frozenset(("parameters",))) for p in parameters
        }
        body: list[Statement] = ["f = s"]
        self.statements(body, self.r.randint(3, 25))
        body.append(f"return {self.results()}")
        return Program(self.seed, parameters, helper, body)

    def parameters(self) -> list[Parameter]:
        names = [("A",), ("B",), ("C",), ("A", "A"), ("B", "B")]
        main: Shape = tuple(
            self.r.choice(names) for _ in range(self.r.choice((0, 1, 1, 2, 2, 2, 2, 3, 3, 4)))
        )
        found: list[Parameter] = []
        for index in range(self.r.randint(2, 6)):
            kind = self.r.choices("fib", (8, 2, 1))[0]
            if self.r.random() < 0.3:
                shape = tuple(self.r.choice(names) for _ in range(self.r.choice((0, 1, 2, 2, 3))))
            else:
                shape = main[self.r.choice((0, 0, 0, self.r.randint(0, len(main)))) :]
                shape = tuple(ONE if self.r.random() < 0.12 else dim for dim in shape)
            found.append(Parameter(f"p{index}", shape, kind))
        return found

    def helper(self) -> list[Statement]:
        """A function of two tensors that fit together; its result has the shape of the first."""
        shape: Shape = (("A",), ("B",))
        self.scope = {
            "x": Value("x", shape, "f", frozenset("x")),
            "y": Value("y", self.r.choice((shape, shape[1:])), "f", frozenset("x")),
        }
        body: list[Statement] = []
        for _ in range(self.r.randint(1, 5)):
            if self.r.random() < 0.2:
                self.write_in_place(body)
            else:
                self.assign(body, self.pointwise())
        fitting = [v.text for v in self.scope.values() if v.shape == shape and v.kind == "f"]
        if self.r.random() < 0.3:
            body.append(f"if k > 1:\n        return x * {self.number('f')}")
        body.append(f"return {self.r.choice(fitting[1:] or fitting)}")
        return body

    def results(self) -> str:
        names = list(self.scope)
        if self.returns_all:
            return f"[{', '.join(names)}], f"
        recent = names[-6:]
        chosen = [self.r.choice(recent), self.r.choice(recent), self.r.choice(names)]
        return f"[{', '.join(chosen)}], f"

    def statements(self, into: list[Statement], count: int) -> None:
        for _ in range(count):
            self.statement(into)

    def statement(self, into: list[Statement]) -> None:
        roll = self.r.random()
        if roll < 0.50:
            self.assign(into, self.pointwise())
        elif roll < 0.68:
            self.assign(into, self.other())
        elif roll < 0.80:
            self.write_in_place(into)
        elif roll < 0.84:
            self.lists(into)
        elif roll < 0.88:
            self.scalar(into)
        elif self.depth < 2:
            self.r.choice((self.branch, self.branch, self.loop, self.early_return))(into)

    def assign(self, into: list[Statement], value: Value | None) -> None:
        if value is None:
            return
        name = self.target(value)
        roots = value.roots or frozenset((self.fresh("r"),))
        into.append(f"{name} = {value.text}")
        self.scope.pop(name, None)
        self.scope[name] = Value(name, value.shape, value.kind, roots, value.writable)

    def target(self, value: Value) -> str:
        """A new name, or one that is there already: of the same kind, mostly of the same shape."""
        any_shape = not self.in_helper and self.r.random() < (0.03 if self.in_loop else 0.15)
        old = [
            v.text
            for v in self.scope.values()
            if v.kind == value.kind and (any_shape or v.shape == value.shape)
        ]
        if old and self.r.random() < (0.6 if self.depth else 0.25):
            return self.r.choice(old)
        return self.fresh("v")

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def in_block(self, header: str, count: int) -> tuple[Block, dict[str, Value]]:
        """A block, and the scope at its end; the scope is put back."""
        before, was_in_loop = dict(self.scope), self.in_loop
        self.depth += 1
        self.in_loop |= header.startswith(("for", "while"))
        block = Block(header)
        self.statements(block.body, count)
        self.depth -= 1
        after, self.scope, self.in_loop = self.scope, before, was_in_loop
        return block, after

    def join(self, *scopes: dict[str, Value]) -> None:
        """What is known after paths that end with these scopes."""
        first, *others = scopes
        joined: dict[str, Value] = {}
        for name, var in first.items():
            if not all(name in other for other in others):
                continue
            for other in (other[name] for other in others):
                var = Value(
                    name,
                    var.shape if var.shape == other.shape else None,
                    var.kind,
                    var.roots | other.roots,
                    var.writable and other.writable,
                )
            joined[name] = var
        self.scope = joined

    def branch(self, into: list[Statement]) -> None:
        block, then = self.in_block(f"if {self.condition()}:", self.r.randint(1, 3))
        into.append(block)
        if self.r.random() < 0.5:
            block, otherwise = self.in_block("else:", self.r.randint(1, 3))
            into.append(block)
            self.join(then, otherwise)
        else:
            self.join(self.scope, then)

    def loop(self, into: list[Statement]) -> None:
        index = self.fresh("i")
        header = self.r.choice((f"for {index} in range(n):", f"for {index} in range(3):"))
        block, after = self.in_block(header, self.r.randint(1, 3))
        into.append(block)
        self.join(self.scope, after)

    def early_return(self, into: list[Statement]) -> None:
        into.append(Block(f"if {self.condition()}:", [f"return {self.results()}"]))

    def condition(self) -> str:
        var = self.any()
        options = [
            "n > 1",
            "flag",
            "not flag",
            "s > 0.5",
            f"{var.text}.dim() == 2",
            f"{var.text}.numel() > 6",
        ]
        if var.shape:
            axis = self.r.randrange(len(var.shape))
            options += [f"{var.text}.size({axis}) > {self.r.randint(0, 4)}"] * 2
        options += [f"bool(({var.text} > 0).any())", f"{self.total(var)} > 0.0"]
        return self.r.choice(options)

    def lists(self, into: list[Statement]) -> None:
        x, y = self.any(), self.any()
        if x.shape is None:
            return
        fitting = [v for v in self.scope.values() if v.shape == x.shape]
        y = self.r.choice(fitting)
        name = self.fresh("l")
        into.append(f"{name} = [{x.text}]")
        into.append(f"{name}.append({y.text})")
        roots, kind = x.roots | y.roots, highest(x.kind, y.kind)
        if self.r.random() < 0.4:
            axis = self.r.randint(0, len(x.shape))
            shape = (*x.shape[:axis], ("1", "1"), *x.shape[axis:])
            self.assign(into, Value(f"torch.stack({name}, {axis})", shape, kind))
        elif self.r.random() < 0.5:
            other = self.r.choice((x, y))
            place = 0 if other is x else 1
            self.assign(
                into, Value(f"{name}[{place}]", x.shape, other.kind, other.roots, other.writable)
            )
        elif x.kind == y.kind != "b":
            self.write(into, Value(f"{name}[1]", x.shape, y.kind, roots, y.writable))

    def total(self, var: Value) -> str:
        """A float that all elements have a part in; in an exact program one that does not depend on the order of additions."""
        summed = f"{var.text} > 0" if self.exact and var.kind == "f" else var.text
        return f"float(torch.sum({summed}))"

    def scalar(self, into: list[Statement]) -> None:
        var = self.any()
        into.append(
            self.r.choice(
                (
                    f"f = f + float({var.text}.dim())",
                    f"f = {self.total(var)}",
                    f"n = min({var.text}.numel(), 3)",
                    f"f = f * {self.number('f')}",
                )
            )
        )

    def write_in_place(self, into: list[Statement]) -> None:
        candidates = [v for v in self.scope.values() if v.writable]
        if not candidates:
            return
        var = self.r.choice(candidates)
        part = self.view(var) if self.r.random() < 0.4 else None
        if part is None or not part.writable or self.r.random() < 0.2:
            self.write(into, var)
        elif part.text.endswith("]") and self.r.random() < 0.6:
            target = Value(part.text, part.shape, part.kind, part.roots)
            sign = self.r.choice(("=", "=", "+=", "*=", "-="))
            if part.kind == "b":
                sign = "="
            into.append(f"{part.text} {sign} {self.source(target).replace('0.1', '0.25')}")
        else:
            self.write(into, Value(part.text, part.shape, part.kind, part.roots))

    def source(self, target: Value) -> str:
        """What may be written to the target: a number, or a tensor that broadcasts to it and shares no memory."""
        fitting = [
            v
            for v in self.scope.values()
            if v.shape is not None
            and target.shape is not None
            and KINDS.index(v.kind) <= KINDS.index(target.kind)
            and broadcast(v.shape, target.shape) == target.shape
        ]
        if not fitting or self.r.random() < 0.25:
            return self.number(target.kind)
        var = self.r.choice(fitting)
        if self.in_loop or var.roots & target.roots:
            return f"{var.text}.clone()"
        return var.text

    def write(self, into: list[Statement], var: Value) -> None:
        x, source = var.text, self.source(var)
        options = [f"{x}.zero_()", f"{x}.fill_({self.number(var.kind)})"]
        if source[0] in "pvxyl":
            options += [f"{x}.copy_({source})"] * 2
        if var.kind == "b":
            options += (
                [f"{x}.logical_not_()", f"{x}.logical_or_({source})"]
                if source[0] in "pvxyl"
                else []
            )
        else:
            options += [f"{x}.add_({source})", f"{x}.mul_({source})", f"{x}.sub_({source})"] * 2
            options += [
                f"torch.clamp_({x}, {self.number(var.kind)}, {self.number(var.kind)})",
                f"{x}.neg_()",
                f"{x}.abs_()",
            ]
            options += [
                f"{x}.add_({source}, alpha=2)",
                f"torch.clamp_min_({x}, {self.number(var.kind)})",
            ]
            if "." not in x and "[" not in x:
                options += [f"{x} += {source}", f"{x} *= {source}"]
        if var.kind == "f":
            options += [f"{x}.div_({source})", f"{x}.floor_()", f"torch.relu_({x})"]
        masks = [
            v
            for v in self.scope.values()
            if v.kind == "b" and v.shape == var.shape and v.shape is not None
        ]
        if masks:
            mask = self.r.choice(masks)
            text = f"{mask.text}.clone()" if mask.roots & var.roots else mask.text
            options += [
                f"{x}.masked_fill_({text}, {self.number(var.kind)})",
                f"{x}[{text}] = {self.number(var.kind).replace('0.1', '0.25')}",
            ]
        into.append(self.r.choice(options))
