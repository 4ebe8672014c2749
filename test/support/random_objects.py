"""Small random programs of classes: NamedTuples, enums, dataclasses, script classes, modules with inheritance and overloads, closures,
defaults that are tensors, functions that call each other, and tasks. They mean the same in Python, where operators run one by one.

    PYTHONPATH=.:test python -m support.random_objects [COUNT] [FIRST_SEED]

compares COUNT programs (1000 by default). With TORCHSCRIPT_DIALECT_EXAMPLES=torch PyTorch compiles and runs them, which shows that they
mean the same to all three.

A program is a Python module with declarations and some functions of every kind of value, `mains`, and the module objects `modules`.
Integers stay small: what is stored is taken modulo a number.
"""

from __future__ import annotations

import enum
import linecache
import random
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import count
from types import ModuleType
from typing import Any

import torchscript_dialect as ts
from examples._torch import FLAVOUR, torch
from support.reduced import report
from torchscript_dialect.reducer import SourceText

Option = Callable[[], str]
"""Makes an expression if it is chosen."""

MAINS = 5
"""Functions of a program; the declarations are shared, which makes programs cheap."""

PRELUDE = """
from dataclasses import dataclass
from enum import Enum
from typing import Dict, List, NamedTuple, Optional, Tuple
from examples._torch import torch
Tensor = torch.Tensor
"""


class Program:
    """The text of the program with a number."""

    def __init__(self, seed: int) -> None:
        self.r = random.Random(f"objects {seed}")
        self.overloads = random.Random(f"overloads {seed}")
        self.made = 0
        self.scope: dict[str, str] = {}
        self.lines: list[str] = []
        self.helpers: list[str] = []
        self.write()

    @property
    def text(self) -> str:
        return PRELUDE + "\n".join(self.lines) + "\n"

    def put(self, text: str) -> None:
        self.lines += text.strip("\n").split("\n")
        self.lines.append("")

    def name(self) -> str:
        self.made += 1
        return f"v{self.made}"

    # Declarations.

    def write(self) -> None:
        r = self.r
        members = "\n".join(
            f"    {name} = {r.randint(-9, 9) * 7 + i}" for i, name in enumerate("ABC")
        )
        self.put(f"class Color(Enum):\n{members}")
        self.put("class Pair(NamedTuple):\n    x: int\n    t: Tensor\n    name: str")
        self.put(
            "@torch.jit.script\n@dataclass\nclass Point:\n    a: int\n    b: float = "
            f"{r.randint(-8, 8) / 4}\n\n    def total(self) -> float:\n        return self.a + self.b"
        )
        self.put(
            "@torch.jit.script\nclass Counter:\n    def __init__(self, start: int):\n        self.n = start\n"
            "        self.seen: List[int] = []\n\n    def bump(self, by: int) -> int:\n"
            f"        self.n = (self.n * {r.randint(2, 5)} + by) % 1009\n        self.seen.append(by)\n        return self.n\n\n"
            f"    def __add__(self, other: int) -> int:\n        return self.n + other * {r.randint(1, 3)}\n\n"
            "    def __len__(self) -> int:\n        return len(self.seen)"
        )
        self.put(f"BIAS = torch.tensor([{r.randint(-4, 4)}.0, {r.randint(-4, 4)}.5])")
        self.put("def biased(x: Tensor, bias: Tensor = BIAS) -> Tensor:\n    return x * 2.0 + bias")
        self.put(f"def times(x: int) -> int:\n    return x * {r.randint(-5, 5)} % 1009")
        self.put(f"def plus(x: int) -> int:\n    return x + {r.randint(-9, 9)}")
        self.put(
            "def chain(first, second):\n    def both(x: int) -> int:\n        y = first(x)\n        return second(y) + first(y)\n"
            "    return both"
        )
        self.put(
            r.choice(("scale = chain(times, plus)", "scale = chain(plus, chain(plus, times))"))
        )
        for number in range(r.randint(1, 3)):
            self.helper(f"helper{number}")
        self.modules()
        for number in range(MAINS):
            self.main(f"main{number}")
        names = ", ".join(f"main{number}" for number in range(MAINS))
        self.put(
            f"mains = [{names}]\nmodules = [Derived({r.randint(1, 5)}), Base({r.randint(1, 5)})]"
        )

    def helper(self, name: str) -> None:
        """One that may call those before it."""
        self.scope = {"i": "int", "c": "Color", "x": "Tensor", "p": "Pair"}
        body = list(self.block(2, 1))
        self.put(
            f"def {name}(i: int, c: Color, x: Tensor, p: Pair) -> int:\n"
            + "\n".join(body)
            + f"\n    return {self.stored('int')}"
        )
        self.helpers.append(name)

    def modules(self) -> None:
        """A module, and one that inherits from it, overrides a method and calls the other by `super`."""
        r = self.r
        self.scope = {"x": "Tensor", "n": "int"}
        step = r.choice(("self.weight", "x", "1.0"))
        overloads = "".join(
            f"    @torch.jit._overload_method\n    def mixed(self, v: {kind}, by: int) -> {kind}:\n        pass\n\n"
            for kind in self.overloads.sample(("int", "float", "Tensor"), 3)
        )
        self.put(
            "class Base(torch.nn.Module):\n    def __init__(self, n: int):\n        super().__init__()\n        self.n = n\n"
            f"        self.weight = torch.tensor([1.0, float(n)])\n\n{overloads}"
            f"    def mixed(self, v, by: int):\n        if isinstance(v, Tensor):\n"
            f"            return torch.relu(v) * by\n        return v * by + {self.overloads.randint(-3, 3)}\n\n    def step(self, x: Tensor, n: int) -> Tensor:\n"
            f"        return x + {step} * n\n\n    def shift(self, n: int) -> int:\n        return n + self.n\n\n"
            "    def forward(self, x: Tensor, n: int) -> Tuple[Tensor, int]:\n        for i in range(n % 3):\n"
            f"            x = self.step(x, i)\n        m = int(self.mixed(0.5 * n, 3)) + self.shift(n)\n        return self.mixed(x, n), self.mixed(m, {self.overloads.randint(-2, 2)})"
        )
        self.put(
            "class Derived(Base):\n    def shift(self, n: int) -> int:\n"
            f"        return self.n * {r.randint(2, 4)} - n\n\n"
            f"    def less(self, x: int) -> int:\n        return x - {r.randint(1, 3)}\n\n"
            "    def forward(self, x: Tensor, n: int) -> Tuple[Tensor, int]:\n"
            f"        y = self.step(x, n)\n        m = self.less(n)\n        return self.step(y, m % {r.randint(2, 5)}), self.shift(m)"
        )

    def main(self, name: str) -> None:
        self.scope = {"i": "int", "f": "float", "c": "Color", "x": "Tensor", "p": "Pair"}
        body = list(self.block(self.r.randint(1, 4), 1))
        values = [self.stored("int"), self.expression("Tensor", 1), self.expression("Pair", 1)]
        values += [self.expression("Color", 1), self.expression("float", 2)]
        values += [f"{each}.seen" for each, kind in self.scope.items() if kind == "Counter"]
        head = f"def {name}(i: int, f: float, c: Color, x: Tensor, p: Pair):\n"
        self.put(head + "\n".join(body) + f"\n    return {', '.join(values)}")

    # Statements.

    def block(self, count: int, depth: int) -> Iterator[str]:
        for _ in range(count):
            for line in self.statement(depth):
                yield "    " * depth + line

    def statement(self, depth: int) -> Iterator[str]:
        r = self.r
        kind = r.choice(("int", "int", "Tensor", "Pair", "Color", "Point", "Counter", "float"))
        choice = r.random()
        counters = [each for each, its in self.scope.items() if its == "Counter"]
        points = [each for each, its in self.scope.items() if its == "Point"]
        if choice < 0.15 and depth < 3:
            yield f"if {self.condition()}:"
            yield from self.inner(depth)
            yield "else:"
            yield from self.inner(depth)
        elif choice < 0.25 and depth < 3:
            variable = self.name()
            yield f"for {variable} in range({r.randint(0, 3)}):"
            saved = dict(self.scope)
            self.scope[variable] = "int"
            yield from self.inner(depth)
            self.scope = saved
        elif choice < 0.4 and counters:
            yield f"{r.choice(counters)}.bump({self.stored('int')})"
        elif choice < 0.5 and points:
            yield f"{r.choice(points)}.a = {self.stored('int')}"
        elif choice < 0.62:
            name, task = self.name(), self.name()
            called = self.call() if self.helpers else f"scale({self.expression('int', 1)})"
            function, _, given = called.partition("(")
            yield f"{task} = torch.jit.fork({function}, {given}"
            yield f"{name} = torch.jit.wait({task})"
            self.scope[name] = "int"
        else:
            name = self.name()
            yield f"{name} = {self.stored(kind)}"
            self.scope[name] = kind

    def inner(self, depth: int) -> Iterator[str]:
        """A block whose variables are its own; it changes an integer from outside."""
        saved = dict(self.scope)
        yield from self.block(self.r.randint(1, 2), 1)
        value = self.stored("int")
        self.scope = saved
        yield f"    i = {value}"

    # Expressions.

    def stored(self, kind: str) -> str:
        value = self.expression(kind, self.r.choice((1, 1, 1, 2)))
        return f"(({value}) % 1009)" if kind == "int" else value

    def condition(self, depth: int = 1) -> str:
        e, r = self.expression, self.r
        choice = r.randrange(5)
        if choice == 0:
            return f"{e('int', depth)} < {e('int', depth)}"
        if choice == 1:
            return f"{e('Color', 0)} == {e('Color', 0)}"
        if choice == 2:
            return f"{e('Color', 0)} != Color.A"
        if choice == 3:
            return f"{e('Pair', 0)}.name == 'a'"
        return f"{e('float', depth)} >= {e('int', depth)}"

    def expression(self, kind: str, depth: int) -> str:
        names = [each for each, its in self.scope.items() if its == kind]
        if names and (depth <= 0 or self.r.random() < 0.4):
            return self.r.choice(names)
        return self.r.choice(list(getattr(self, f"make_{kind}")(max(depth, 0))))()

    def call(self) -> str:
        e = self.expression
        return f"{self.r.choice(self.helpers)}({e('int', 1)}, {e('Color', 0)}, {e('Tensor', 0)}, {e('Pair', 0)})"

    def make_int(self, depth: int) -> Iterator[Option]:
        d, e = depth - 1, self.expression
        yield lambda: str(self.r.randint(-9, 9))
        yield lambda: f"{e('Color', d)}.value"
        if depth == 0:
            return
        yield lambda: f"({e('int', d)} + {e('int', d)})"
        yield lambda: f"({e('int', d)} * {self.r.randint(-3, 3)})"
        yield lambda: f"{e('Pair', d)}.x"
        yield lambda: f"{e('Pair', d)}[0]"
        yield lambda: f"scale({e('int', d)})"
        yield lambda: f"{e('Point', d)}.a"
        yield lambda: f"{e('Counter', d)}.bump({e('int', d)})"
        yield lambda: f"len({e('Counter', d)})"
        yield lambda: f"({e('Counter', d)} + {e('int', d)})"
        yield lambda: f"len({e('Pair', d)}.name)"
        yield lambda: f"int({e('Tensor', d)}.sum())"
        yield lambda: f"({e('int', d)} if {self.condition(d)} else {e('int', d)})"
        if self.helpers:
            yield lambda: self.call()

    def make_float(self, depth: int) -> Iterator[Option]:
        yield lambda: str(self.r.randint(-8, 8) / 4)
        if depth > 0:
            yield lambda: f"{self.expression('Point', depth - 1)}.total()"
            yield lambda: f"{self.expression('Point', depth - 1)}.b"
            yield lambda: f"float({self.expression('int', depth - 1)})"

    def make_Color(self, depth: int) -> Iterator[Option]:
        yield lambda: f"Color.{self.r.choice('ABC')}"

    def make_Tensor(self, depth: int) -> Iterator[Option]:
        d, e = depth - 1, self.expression
        yield lambda: "torch.ones(2)"
        if depth == 0:
            return
        yield lambda: f"biased({e('Tensor', d)})"
        yield lambda: f"biased({e('Tensor', d)}, {e('Tensor', d)})"
        yield lambda: f"({e('Tensor', d)} + {e('Tensor', d)})"
        yield lambda: f"({e('Tensor', d)} * 0.5 - {e('int', d)})"
        yield lambda: f"{e('Pair', d)}.t"
        yield lambda: f"torch.relu({e('Tensor', d)})"

    def make_Pair(self, depth: int) -> Iterator[Option]:
        d, e = depth - 1, self.expression
        yield lambda: f"Pair({e('int', d)}, {e('Tensor', d)}, {self.r.choice('ab')!r})"
        yield lambda: f"Pair(t={e('Tensor', d)}, name='cc', x={e('int', d)})"

    def make_Point(self, depth: int) -> Iterator[Option]:
        yield lambda: f"Point({self.expression('int', depth - 1)})"
        yield (
            lambda: (
                f"Point({self.expression('int', depth - 1)}, {self.expression('float', depth - 1)})"
            )
        )

    def make_Counter(self, depth: int) -> Iterator[Option]:
        yield lambda: f"Counter({self.expression('int', depth - 1)})"


_numbers = count(1)


def load(text: str) -> ModuleType:
    """The text as a module whose source Python finds. PyTorch knows classes by their names, so no two modules have one name."""
    name = f"random_objects_{next(_numbers)}"
    module = ModuleType(name)
    module.__file__ = f"<{name}>"
    linecache.cache[module.__file__] = (len(text), None, text.splitlines(True), module.__file__)
    sys.modules[name] = module
    exec(compile(text, module.__file__, "exec", dont_inherit=True), module.__dict__)
    return module


def arguments(module: Any, seed: int) -> list[Any]:
    """Fresh arguments of the functions."""
    r = random.Random(f"arguments {seed}")
    color = r.choice(list(module.Color))
    x, y = ([r.randint(-8, 8) / 4, r.randint(-8, 8) / 4] for _ in range(2))
    pair = module.Pair(r.randint(-9, 9), torch.tensor(y), r.choice(("a", "bb")))
    return [r.randint(-9, 9), r.randint(-8, 8) / 4, color, torch.tensor(x), pair]


def plain(value: Any) -> Any:
    """A value that can be compared by its text."""
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    return (str(value.dtype), value.tolist()) if hasattr(value, "tolist") else value


def outcome(call: Callable[..., Any], given: list[Any]) -> Any:
    """The result, and what became of the arguments."""
    return plain((call(*given), given))


def difference_of(text: str, seed: int) -> str | None:
    """What sets the program as it is compiled apart from the same in Python, None if nothing does."""
    module: Any = load(text)
    functions = [(main, lambda: arguments(module, seed)) for main in module.mains]
    functions += [(one, lambda: arguments(module, seed)[3::-3]) for one in module.modules]
    for place, (function, make) in enumerate(functions):
        wanted = outcome(function, make())
        try:
            scripted = torch.jit.script(function)
            for call in range(3):
                got = outcome(scripted, make())
                if repr(got) != repr(wanted):
                    return f"another result: {place}, call {call + 1}, gave {got}\nshould give {wanted}"
        except Exception as error:
            return f"{type(error).__name__} of its own: {place}: {error}\nshould give {wanted}"
    return None


def execution(seed: int) -> AbstractContextManager[Any]:
    """Ours optimizes every fourth program, which takes longer than all else."""
    return nullcontext() if FLAVOUR == "torch" else ts.optimized_execution(seed % 4 == 0)


def difference(seed: int) -> str | None:
    """As `difference_of`, of the program with that number, with the smallest one that shows it."""
    text = Program(seed).text

    def find(candidate: str) -> str | None:
        return difference_of(candidate, seed)

    with warnings.catch_warnings(), execution(seed):
        warnings.simplefilter("ignore")
        found = find(text)
    return None if found is None else f"program {seed}: {report(SourceText(), text, find)}"


def main() -> int:
    given = [int(arg) for arg in sys.argv[1:3]]
    number, first = given + [1000, 0][len(given) :]
    failed, start = 0, time.perf_counter()
    for seed in range(first, first + number):
        if found := difference(seed):
            failed += 1
            print(f"{found}\n", flush=True)
    print(
        f"{FLAVOUR}: {number} programs, {failed} differences, {time.perf_counter() - start:.1f} s"
    )
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
