"""Random modules with state that train themselves: views, writes, lists, dictionaries, named tuples, buffers, `backward` and steps by hand.

`text(seed)` is the source of a class `M`, for either library's `torch`; `random_training_comparison.py` runs it. A tensor is a matrix `m`
(2, 3), a vector `v` (3) or a number `s`, by the letter that its name begins with.

Left out: what requires gradients is asked only where they are wanted, as PyTorch says it of all views that are made where they are not.
"""

from __future__ import annotations

import random
from collections.abc import Callable

HEAD = """
from typing import Dict, List, NamedTuple, Optional, Tuple
F, Tensor = torch.nn.functional, torch.Tensor


class State(NamedTuple):
    a: Tensor
    b: Tensor
    n: int


class M(torch.nn.Module):
    hist: List[Tensor]
    table: Dict[str, Tensor]
    last: Optional[Tensor]

    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.tensor([[0.5, -1.0, 0.25], [1.0, 0.5, -0.5], [-0.25, 0.75, 1.0]]).double())
        self.b = torch.nn.Parameter(torch.tensor([0.1, -0.2, 0.3]).double())
        self.register_buffer("run", torch.zeros(3).double())
        self.register_buffer("mem", torch.ones(2, 3).double())
        self.count = 0
        self.hist = [torch.ones(2, 3).double()]
        self.table = {"a": torch.ones(2, 3).double()}
        self.last = None
"""
SUB = "def sub(self, x: Tensor, k: int) -> Tensor:"
FORWARD = (
    "def forward(self, x: Tensor, z: Tensor, n: int, flag: bool) -> Tuple[List[Tensor], float]:"
)
START = (
    "s, idx = 0.5, torch.tensor([1, 0])", "ls = [x * 1.0]", 'd = {"a": x * 2.0}', "v = x.sum(0)", "st = State(x * 3.0, v, k)",
    "opt: Optional[Tensor] = None",
)  # fmt: skip

EXPRESSIONS = {
    "m": (
        *("({m} + {m})", "({m} * {m})", "({m} - {v})", "({m} * {s})", "({m} * {n})", "torch.tanh({m})", "torch.relu({m})"),
        *("torch.where({m} > 0.01, {m}, {m})", "torch.mm({m}, self.w)", "F.linear({m}, self.w, self.b)", "torch.softmax({m}, -1)"),
        *("torch.cat([{m}[:1], {m}[1:]])", "torch.stack([{m}, {m}])[{k}]", "{m}.clone()", "{m}.detach()", "{m}.index_select(0, idx)"),
        *("torch.cumsum({m}, {k})", "{m}.masked_fill({m} > 1, 0.5)", "F.layer_norm({m}, [3])", "{m}.view(-1, 3)", "{m}[idx]"),
        *("{m}.reshape(2, 3)", "{m}.t().t()", "{m}.narrow(0, 0, 2)", "{m}.unsqueeze(0).squeeze(0)", "{m}[:]", "{m}.flip(0)"),
        *("{m}.t().contiguous().t()", "{m}.expand(2, 3)", "{v}.expand(2, 3)", "torch.zeros_like({m})", "torch.max({m}, {m})"),
        *("{m}.clamp(-1.0, 1.0)", "torch.chunk(torch.cat([{m}, {m}]), 2)[{k}]", "({m} / ({m}.abs() + 1))", "self.sub({m}, k)"),
        *("torch.addcmul({m}, {m}, {v}, value=0.5)", "torch.lerp({m}, {m}, 0.3)", "torch.sigmoid({m})"),
    ),
    "v": (
        *("{m}[{k}]", "{m}[-1]", "{m}[k % 2]", "{m}.sum(0)", "{m}.mean(0)", "{m}.select(0, 1)", "{m}.unbind(0)[0]", "({v} + {v})"),
        *("({v} * {n})", "torch.tanh({v})", "torch.mv(self.w, {v})", "self.w[1]", "{v}.clone()", "{v}.detach()", "({v} * {s})"),
        *("torch.diagonal(self.w)", "{m}.amax(0)", "torch.max({m}, 0)[0]", "{v}.view(3)", "{m}.view(-1)[:3]", "{m}.reshape(-1)[1:4]"),
    ),
    "s": (
        *("{m}.sum()", "{m}.mean()", "{v}[1]", "torch.dot({v}, {v})", "({m} ** 2).mean()", "F.mse_loss({m}, {m})", "{m}[0, 1]"),
        *("{m}.norm()", "{v}.prod()", "F.smooth_l1_loss({m}, {m})", "{m}.logsumexp([0, 1])"),
    ),
}  # fmt: skip
OTHERS = {
    "m": ("self.mem", "x", "self.hist[-1]", 'self.table["a"]'),
    "v": ("self.b", "self.run", "self.mem[0]"),
    "s": ("x.sum()",),
}
NUMBERS = ("2.0", "0.5", "-1.0", "s", "1", "k", "0.25")
CONDITIONS = (
    *("flag", "not flag", "k > 1", "bool({s} > 0.3)", "float({s}) > 0.5", "torch.is_grad_enabled() and {m}.requires_grad"),
    *("self.count > 1", "self.last is not None", "len(ls) > 2", "len(self.hist) > 2", "self.training", "{m}.size(0) == 2"),
)  # fmt: skip
WRITTEN = ("{p}", "{p}", "{p}", "self.mem", "self.hist[-1]", 'self.table["a"]', "ls[-1]", 'd["a"]', "st.a", "{p}.t().t()", "{p}[:]", "{p}.view(2, 3)")  # fmt: skip
WRITTEN_ROWS = ("{q}", "{q}", "self.run", "self.mem[1]", "{p}[0]", "ls[-1][0]", "st.b", "self.hist[0][1]")  # fmt: skip
WRITES = (
    *("{W}.add_({m})", "{W}.mul_({n})", "{W}[0] = {v}", "{W}[:, {k}] = {s}", "{W}[{k}].mul_(2)", "{W}.sub_({m})", "{R}.copy_({v})"),
    *("{W}[{m} > 0.01] = 0.5", "{W}.clamp_(-2, 2)", "{W}.t().add_(1)", "{R}.mul_(0.5).add_({v})", "{W}.tanh_()", "{R}.zero_()"),
    *("{W}.copy_({m})", "{W}.masked_fill_({m} > 0.01, 0.25)", "{W}.index_add_(0, idx, {m})", "{W}.sub_({v}, alpha=2)", "{W}[idx] = {m}"),
    *("{W}[0, 1] = {n}", "{W}[k % 2, :2].add_(1.0)", "{W}.addcmul_({m}, {m})", "{W}.relu_()", "{W}.lerp_({m}, 0.5)", "{p} += {m}"),
)  # fmt: skip
STATE = (
    *("ls.append({m})", "ls[-1] = {m}", 'd["b"] = {m}', 'd["a"] = {m}', "st = State({m}, {v}, k)", "self.hist.append({m})"),
    *('self.table["a"] = {m}', "self.last = {m}", "self.run = {v} * 1", "self.count += k", "k = self.count", "k = len(ls) + st.n"),
    *("self.mem = {m}.detach()", "s = float({s}.detach().clamp(-1, 1))", "self.hist[0] = {m}.detach()", "opt = {m}", "opt = None"),
    *("ls = [{m}, ls[-1]]", "self.hist = self.hist[-2:]", "ls.extend(self.hist[:1])", "ls.reverse()", "opt = self.last"),
)  # fmt: skip
LOOPS = ("for i{c} in range(k % 3):", "for m{c} in list(ls):", "for m{c} in self.hist[:2]:", "for m{c} in list(d.values()):")  # fmt: skip
STEPS = {
    "w": ("self.w -= 0.1 * {g}", "self.w.sub_({g}, alpha=0.1)", "self.w[0] -= {g}[0] * 0.1", "self.run.add_({g}[0])"),
    "b": ("self.b -= 0.1 * {g}", "self.b.add_({g}, alpha=-0.1)", "self.run.add_({g})"),
    "x": ("self.mem.add_({g})", "self.hist.append({g})", "self.last = {g}"),
}  # fmt: skip


class _Writer:
    """Writes the methods of one class."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(seed)
        self.count = 0
        self.depth = 0
        self.lines: list[str] = []
        self.names: list[str] = []
        """What is there to read, of which the first letter tells the kind."""
        self.is_sub = False

    def emit(self, line: str) -> None:
        self.lines.append("    " * (2 + self.depth) + line)

    def fresh(self, kind: str) -> str:
        self.count += 1
        return f"{kind}{self.count}"

    def name(self, kind: str) -> str:
        found = [one for one in self.names if one[0] == kind]
        return self.r.choice(found) if found else "x.sum()"

    def filled(self, form: str, depth: int) -> str:
        """A form with its parts."""
        places: dict[str, Callable[[], str]] = {
            "m": lambda: self.expression("m", depth + 1),
            "v": lambda: self.expression("v", depth + 1),
            "s": lambda: self.expression("s", depth + 1),
            "p": lambda: self.name("m"),
            "q": lambda: self.name("v"),
            "W": lambda: self.filled(self.r.choice(WRITTEN), depth),
            "R": lambda: self.filled(self.r.choice(WRITTEN_ROWS), depth),
            "n": lambda: self.r.choice(NUMBERS),
            "k": lambda: self.r.choice("01"),
            "c": lambda: self.fresh(""),
        }
        for key, made in places.items():
            while f"{{{key}}}" in form:
                form = form.replace(f"{{{key}}}", made(), 1)
        return form

    def expression(self, kind: str, depth: int = 0) -> str:
        if depth > 2 or self.r.random() < 0.3:
            return self.r.choice((self.name(kind),) * 4 + OTHERS[kind])
        form = self.r.choice(EXPRESSIONS[kind])
        return (
            self.expression(kind, depth)
            if self.is_sub and "sub(" in form
            else self.filled(form, depth)
        )

    def inside(self, header: str, write: Callable[[], None]) -> None:
        """A block, whose names end with it."""
        self.emit(header)
        names, self.depth = [*self.names], self.depth + 1
        if header.startswith("for m"):
            self.names.append(header.split()[1])
        write()
        self.names, self.depth = names, self.depth - 1

    def statements(self, count: int) -> None:
        for _ in range(count):
            self.statement()

    def assignment(self) -> None:
        kind = self.r.choice("mmmvs")
        text = self.expression(kind)
        known = [one for one in self.names if one[0] == kind and one[1:].isdigit()]
        name = self.r.choice(known) if known and self.r.random() < 0.5 else self.fresh(kind)
        self.emit(f"{name} = {text}")
        if name not in self.names:
            self.names.append(name)

    def write(self) -> None:
        text = self.filled(self.r.choice(WRITES), 1)
        if self.r.random() < 0.3:
            return self.inside("with torch.no_grad():", lambda: self.emit(text))
        self.emit(text)

    def read(self) -> None:
        one, other = self.fresh("m"), self.fresh("m")
        form = self.r.choice(
            ("{0} = ls[-1]", '{0} = d["a"]', "{0}, v{0}, _ = st", "{0}, {1} = torch.split(torch.cat([{{m}}, {{m}}]), 2)")
        )  # fmt: skip
        self.emit(self.filled(form.format(one, other), 1))
        self.names += [one, other] if "split" in form else [one]

    def optional(self) -> None:
        name = self.r.choice(("opt", "last"))
        if name == "last":
            self.emit("last = self.last")
        into = self.fresh("m")
        self.emit(f"{into} = {self.expression('m', 1)}")
        self.inside(f"if {name} is not None:", lambda: self.emit(f"{into} = {into} * {name}"))
        self.names.append(into)

    def step(self) -> None:
        """A gradient, and what is done with it."""
        of, loss, g = self.r.choice("wbx"), self.fresh("s"), self.fresh("g")
        name = of if of == "x" else f"self.{of}"
        done = self.r.choice(STEPS[of]).format(g=g)
        self.emit(f"{loss} = {self.expression('s', 1)}")
        test = f"torch.is_grad_enabled() and {loss}.requires_grad and {name}.requires_grad"
        is_backward = self.r.random() < 0.5
        asked = f"torch.autograd.grad([{loss}], [{name}], retain_graph=True, allow_unused=True)[0]"

        def write() -> None:
            if is_backward:
                self.emit(f"{loss}.backward(retain_graph=True)")
            self.emit(f"{g} = {f'{name}.grad' if is_backward else asked}")
            self.inside(
                f"if {g} is not None:",
                lambda: self.inside("with torch.no_grad():", lambda: self.emit(done)),
            )

        self.inside(f"if {test}:", write)

    def block(self) -> None:
        roll, count = self.r.random(), self.r.randint(1, 3)
        condition = self.filled(self.r.choice(CONDITIONS), 1)
        if roll < 0.35:
            self.inside(f"if {condition}:", lambda: self.statements(count))
            if self.r.random() < 0.5:
                self.inside("else:", lambda: self.statements(count))
        elif roll < 0.65:
            leaves = self.r.choice(("break", "continue"))

            def write() -> None:
                self.statements(count)
                self.inside(f"if {condition}:", lambda: self.emit(leaves))

            self.inside(self.filled(self.r.choice(LOOPS), 1), write)
        elif roll < 0.8:
            self.inside("with torch.no_grad():", lambda: self.statements(count))
        else:
            self.inside(f"if {condition}:", lambda: self.emit(self.result()))

    def statement(self) -> None:
        roll = self.r.random()
        if roll < 0.32:
            self.assignment()
        elif roll < 0.52:
            self.write()
        elif roll < 0.66:
            self.emit(self.filled(self.r.choice(STATE), 1))
        elif roll < 0.74:
            self.r.choice((self.read, self.read, self.optional))()
        elif roll < 0.82 and not self.is_sub:
            self.step()
        elif self.depth < 2:
            self.block()
        else:
            self.assignment()

    def result(self) -> str:
        if self.is_sub:
            return f"return {self.expression('m', 1)}"
        names = [*self.names]
        self.r.shuffle(names)
        others = self.r.sample(
            ("ls[0]", 'd["a"]', "st.b", "self.mem", "self.run", "self.hist[-1]", "self.w[0]"), 2
        )
        return f"return [{', '.join([*names[:4], *others])}], s + float(k)"

    def method(self, header: str, start: tuple[str, ...], count: int) -> None:
        self.lines += ["", f"    {header}"]
        for line in start:
            self.emit(line)
        self.is_sub = header == SUB
        self.names = ["m0", "v0"]
        self.statements(count)
        self.emit(self.result())


def text(seed: int) -> str:
    """The source of the class with this number."""
    writer = _Writer(seed)
    names = ("m0 = x * 2", "v0 = v")
    writer.method(SUB, ("n, flag = k, k > 1", *START, *names), writer.r.randint(1, 4))
    first = writer.r.choice(("x * 2", "torch.mm(x, self.w)", "x + self.b", "z * self.b"))
    start = ("k = n", *START, f"m0 = {first}", names[1])
    writer.method(FORWARD, start, writer.r.randint(5, 16))
    return "\n".join([HEAD.rstrip(), *writer.lines, ""])
