"""Random well-typed programs that mean the same in Python and in TorchScript.

    PYTHONPATH=.:test python -m support.random_programs [COUNT] [FIRST_SEED]

PyTorch takes part where it is installed; COUNT is 2000 by default.

A program is a text with a few functions, the last of which, `main`, takes and returns a value of every type. Integers stay
small by construction (values that are stored are taken modulo a number), every index is taken modulo a length that is
tested, loops are bounded. Where tensors are concerned the same text runs on NumPy arrays.

Left out on purpose, as the two languages differ there: chained comparison (PyTorch reads `a < b < c` in a
text as `(a < b) < c`), storing a fraction in a part of a tensor (PyTorch rounds it to float32), `%=` (a float even of
ints), str() of floats (digits), `%` and `//` of floats, `**` of ints,
changing a container while iterating over it, `x[i]` of a tensor without int() (a scalar in NumPy), variables that are
assigned in one branch only and read afterwards (ill-typed), and assignment to an Optional variable that there is already (what
its type is refined to there decides whether the program is well-typed).
"""

import random
import sys
import time
from collections.abc import Callable
from typing import Any, Optional

import numpy as np

Maker = Callable[[int], str]
TYPES = {
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "ints": "List[int]",
    "strs": "List[str]",
    "dict": "Dict[str, int]",
    "table": "Dict[int, float]",
    "maybe": "Optional[int]",
    "pair": "Tuple[int, str]",
    "tensor": "Tensor",
    "reals": "Tensor",
}
"""Short names of types: tensors of int64 and of float64 are two of them."""
RESULT = ["int", "float", "bool", "str", "ints", "dict", "maybe", "tensor", "reals"]
PRELUDE = """def pick(c: bool, v: int) -> Optional[int]:
    if c:
        return v
    return None

"""


class Generator:
    """Makes the text of one program."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.scope: dict[str, str] = {}
        """Types of the variables that can be read here."""
        self.fixed: set[str] = set()
        """Variables that may not be assigned to: counters of loops."""
        self.functions: list[tuple[str, list[str], str]] = []
        self.result: list[str] = []
        self.made = 0
        self.budget = 0

    def program(self) -> str:
        for number in range(self.random.randint(0, 3)):
            kinds = self.random.choices([*TYPES], k=self.random.randint(1, 3))
            kinds += ["tensor", "reals"]  # functions cannot make any: there is no `torch` in Python
            result = self.random.choice(["int", "float", "bool", "str", "ints", "pair", "maybe"])
            self.function(f"helper{number}", kinds, [result], self.random.randint(2, 7))
            self.functions.append((f"helper{number}", kinds, result))
        self.function("main", [*TYPES], RESULT, self.random.randint(5, 22))
        return PRELUDE + "\n".join(self.lines) + "\n"

    def function(self, name: str, kinds: list[str], result: list[str], budget: int) -> None:
        self.scope = {f"p{i}": kind for i, kind in enumerate(kinds)}
        self.fixed, self.result, self.budget = set(), result, budget
        types = [TYPES[kind] for kind in result]
        returned = types[0] if len(types) == 1 else f"Tuple[{', '.join(types)}]"
        parameters = ", ".join(f"{each}: {TYPES[kind]}" for each, kind in self.scope.items())
        self.lines.append(f"def {name}({parameters}) -> {returned}:")
        while self.budget > 0:
            self.statement(1, False)
        self.leave(1)
        self.lines.append("")

    # Statements.

    def put(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def leave(self, depth: int) -> None:
        values = [self.stored(kind) for kind in self.result]
        self.put(
            depth, f"return {values[0] if len(values) == 1 else '(' + ', '.join(values) + ')'}"
        )

    def block(self, depth: int, in_loop: bool, **known: str) -> None:
        """Statements whose new variables are theirs; `known` are variables that hold only here."""
        saved = dict(self.scope)
        self.scope |= known
        for _ in range(self.random.randint(1, 3)):
            self.statement(depth, in_loop)
        self.scope = saved

    def statement(self, depth: int, in_loop: bool) -> None:
        self.budget -= 1
        simple = [self.assign, self.assign, self.augment, self.change, self.change, self.unpack]
        nested = [self.branch, self.for_loop, self.while_loop, self.refine, self.exit]
        many = simple + nested if depth < 4 else simple
        self.random.choice(many)(depth, in_loop)

    def name(self, prefix: str = "v") -> str:
        self.made += 1
        return f"{prefix}{self.made}"

    def variables(self, kind: str) -> list[str]:
        return [each for each, its in self.scope.items() if its == kind]

    def assign(self, depth: int, _: bool) -> None:
        old = [
            each for each, kind in self.scope.items() if each not in self.fixed and kind != "maybe"
        ]
        if old and self.random.random() < 0.5:
            name = self.random.choice(old)
            self.put(depth, f"{name} = {self.stored(self.scope[name])}")
            return
        kind, name = self.random.choice([*TYPES]), self.name()
        self.put(depth, f"{name}: {TYPES[kind]} = {self.stored(kind)}")
        self.scope[name] = kind

    def augment(self, depth: int, _: bool) -> None:
        kind = self.random.choice(["int", "float", "tensor", "reals"])
        names = [each for each in self.variables(kind) if each not in self.fixed]
        if not names:
            return self.put(depth, "pass")
        name = self.random.choice(names)
        operand = self.expression("float" if kind in ("float", "reals") else "int", 1)
        self.put(depth, f"{name} {self.random.choice(['+=', '-='])} {operand}")
        if kind == "int":
            self.put(depth, f"{name} = {name} % 1009")
        elif kind == "float":
            self.put(depth, f"{name} = max(min({name}, 1000.0), -1000.0)")
        elif kind == "tensor":
            self.put(depth, f"{name} = {name} % 1009")

    def change(self, depth: int, _: bool) -> None:
        """Changes a container or a tensor in place."""
        kind = self.random.choice(["ints", "strs", "dict", "table", "tensor", "reals"])
        names = self.variables(kind)
        if not names:
            return self.put(depth, "pass")
        name, choice = self.random.choice(names), self.random.random()
        at = f"{name}[{self.expression('int', 1)} % len({name})]"
        if kind in ("ints", "strs"):
            item = self.stored(kind[:-1])
            if choice < 0.4:
                self.put(depth, f"if len({name}) < 12:")
                self.put(depth + 1, f"{name}.append({item})")
            elif choice < 0.6:
                self.put(depth, f"if len({name}) < 12:")
                self.put(depth + 1, f"{name}.insert(0, {item})")
            else:
                self.put(depth, f"if len({name}) > 1:")
                last = f"{at} = {item}" if choice < 0.8 else f"{name}.pop()"
                self.put(depth + 1, last if choice < 0.9 else f"{name}.reverse()")
        elif kind == "dict":
            key = self.key()
            if choice < 0.7:
                self.put(depth, f"{name}[{key}] = {self.stored('int')}")
            else:
                self.put(depth, f"if {key} in {name}:")
                self.put(depth + 1, f"del {name}[{key}]" if choice < 0.9 else f"{name}.pop({key})")
        elif kind == "table":
            self.put(depth, f"{name}[{self.expression('int', 1)} % 5] = {self.stored('float')}")
        else:
            item = self.stored("int") if kind == "tensor" else f"float({self.stored('int')})"
            self.put(depth, f"{at} = {item}" if choice < 0.6 else f"{name}[1:] = {item}")

    def unpack(self, depth: int, _: bool) -> None:
        a, b = self.name(), self.name()
        self.put(depth, f"{a}, {b} = {self.expression('pair', 2)}")
        self.scope |= {a: "int", b: "str"}
        self.put(depth, f"{a} = {a} % 1009")

    def branch(self, depth: int, in_loop: bool) -> None:
        self.put(depth, f"if {self.expression('bool', 2)}:")
        self.block(depth + 1, in_loop)
        if self.random.random() < 0.3:
            self.put(depth, f"elif {self.expression('bool', 2)}:")
            self.block(depth + 1, in_loop)
        if self.random.random() < 0.6:
            self.put(depth, "else:")
            self.block(depth + 1, in_loop)

    def for_loop(self, depth: int, _: bool) -> None:
        a, b = self.name("i"), self.name("i")
        size = self.random.randint(0, 4)
        heads: list[tuple[str, dict[str, str]]] = [
            (f"{a} in range({size})", {a: "int"}),
            (f"{a} in range({size}, {size - 5}, -2)", {a: "int"}),
            (f"{a} in {self.expression('ints', 1)}[:3]", {a: "int"}),
            (f"{a} in {self.expression('strs', 1)}[:3]", {a: "str"}),
            (f"{a}, {b} in enumerate({self.expression('strs', 1)}[:3])", {a: "int", b: "str"}),
            (
                f"{a}, {b} in zip({self.expression('ints', 1)}[:2], {self.expression('strs', 1)}[:3])",
                {a: "int", b: "str"},
            ),
            (f"{a}, {b} in list({self.expression('dict', 0)}.items())", {a: "str", b: "int"}),
            (f"{a} in {self.expression('str', 1)}[:3]", {a: "str"}),
        ]
        head, known = self.random.choice(heads)
        self.fixed |= known.keys()
        self.put(depth, f"for {head}:")
        self.block(depth + 1, True, **known)

    def while_loop(self, depth: int, _: bool) -> None:
        name = self.name("w")
        self.fixed.add(name)
        self.put(depth, f"{name} = 0")
        test = f"{name} < {self.random.randint(0, 4)}"
        if self.random.random() < 0.2:
            self.put(depth, "while True:")
            self.put(depth + 1, f"if not {test}:")
            self.put(depth + 2, "break")
        else:
            more = f" and {self.expression('bool', 1)}" if self.random.random() < 0.5 else ""
            self.put(depth, f"while {test}{more}:")
        self.put(depth + 1, f"{name} += 1")
        self.block(depth + 1, True, **{name: "int"})
        self.scope[name] = "int"

    def refine(self, depth: int, in_loop: bool) -> None:
        name = self.name("m")
        self.fixed.add(name)
        self.put(depth, f"{name} = {self.expression('maybe', 1)}")
        form = self.random.randrange(3)
        if form == 0:
            self.put(depth, f"if {name} is not None:")
        elif form == 1:
            self.put(depth, f"if {name} is not None and {name} > {self.random.randint(-3, 3)}:")
        else:
            self.put(depth, f"if {name} is None:")
            self.block(depth + 1, in_loop)
            self.put(depth, "else:")
        self.block(depth + 1, in_loop, **{name: "int"})

    def exit(self, depth: int, in_loop: bool) -> None:
        """Leaves the loop, the round or the function under a condition; or an assertion, or an exception."""
        form = self.random.random()
        if form < 0.06:
            return self.put(depth, f"assert {self.expression('bool', 1)}, 'no'")
        self.put(depth, f"if {self.expression('bool', 2)}:")
        if form < 0.1:
            self.put(depth + 1, "raise ValueError('stop')")
        elif in_loop and form < 0.7:
            self.put(depth + 1, self.random.choice(["break", "continue"]))
        else:
            self.leave(depth + 1)

    # Expressions.

    def stored(self, kind: str) -> str:
        """An expression whose value keeps within bounds however often it is assigned."""
        value = self.expression(kind, 3)
        if kind == "int":
            return f"({value}) % 1009"
        if kind == "float":
            return f"max(min({value}, 1000.0), -1000.0)"
        if kind == "tensor":
            return f"({value}) % 1009"
        if kind == "str":
            return f"({value})[:10]"
        if kind in ("ints", "strs"):
            return f"({value})[:8]"
        return value

    def expression(self, kind: str, depth: int) -> str:
        names, calls = self.variables(kind), [each for each in self.functions if each[2] == kind]
        if names and (depth <= 0 or self.random.random() < 0.3):
            return self.random.choice(names)
        if calls and depth > 1 and self.random.random() < 0.3:
            name, kinds, _ = self.random.choice(calls)
            return f"{name}({', '.join(self.argument(each) for each in kinds)})"
        makers = {
            "int": self.int_,
            "float": self.float_,
            "bool": self.bool_,
            "str": self.str_,
            "ints": self.ints,
            "strs": self.strs,
            "dict": self.dict_,
            "table": self.table,
            "maybe": self.maybe,
            "pair": self.pair,
            "tensor": self.tensor,
            "reals": self.reals,
        }
        return makers[kind](depth)

    def argument(self, kind: str) -> str:
        """What callees can do with it stays bounded, too."""
        return self.stored(kind) if kind in ("int", "float", "str") else self.expression(kind, 1)

    def choose(self, depth: int, leaves: list[str], *makers: Callable[[], str]) -> str:
        if depth <= 0 or not makers or self.random.random() < 0.15:
            return self.random.choice(leaves)
        return self.random.choice(makers)()

    def ternary(self, kind: str, d: int) -> str:
        yes, no = self.expression(kind, d), self.expression(kind, d)
        return f"({yes} if {self.expression('bool', d)} else {no})"

    def int_(self, depth: int) -> str:
        e, d, r = self.expression, depth - 1, self.random
        return self.choose(
            depth,
            [str(r.randint(0, 9)), f"(-{r.randint(1, 9)})"],
            lambda: f"({e('int', d)} {r.choice('+-')} {e('int', d)})",
            lambda: f"(({e('int', d)} % 97) * ({e('int', d)} % 89))",
            lambda: f"({e('int', d)} {r.choice(['//', '%'])} {r.choice([2, 3, 7, -4])})",
            lambda: f"({e('int', d)} {r.choice('&|^')} {e('int', d)})",
            lambda: f"{r.choice(['min', 'max'])}({e('int', d)}, {e('int', d)})",
            lambda: f"abs({e('int', d)})",
            lambda: f"len({e(r.choice(['str', 'ints', 'strs', 'dict', 'table']), d)})",
            lambda: f"int({e('bool', d)})",
            lambda: f"int({e('float', d)})",
            lambda: self.item("ints", str(r.randint(-5, 5))),
            lambda: f"{e('dict', d)}.get({self.key()}, {r.randint(0, 9)})",
            lambda: f"{e('pair', d)}[0]",
            lambda: f"{e('str', d)}.{r.choice(['find', 'count'])}({r.choice(['a', 'b', 'xy'])!r})",
            lambda: f"int({e('tensor', d)}.{r.choice(['sum', 'max', 'min'])}())",
            lambda: f"int({e('tensor', d)}[{r.randint(-1, 1)}])",
            lambda: f"sum({e('ints', d)})",
            lambda: self.ternary("int", d),
            lambda: self.unwrapped(),
        )

    def item(self, kind: str, default: str) -> str:
        names = self.variables(kind)
        if not names:
            return default
        name = self.random.choice(names)
        return (
            f"({name}[{self.expression('int', 1)} % len({name})] if len({name}) > 0 else {default})"
        )

    def unwrapped(self) -> str:
        names = self.variables("maybe")
        if not names:
            return "0"
        name = self.random.choice(names)
        return f"({name} if {name} is not None else {self.random.randint(-5, 5)})"

    def float_(self, depth: int) -> str:
        e, d, r = self.expression, depth - 1, self.random
        return self.choose(
            depth,
            [str(r.randint(0, 40) / 8), f"(-{r.randint(1, 40) / 8})"],
            lambda: f"({e('float', d)} {r.choice('+-')} {e('float', d)})",
            lambda: f"({e('float', d)} * {r.randint(-8, 8) / 4})",
            lambda: f"({e('float', d)} / {r.choice([2.0, -4.0, 3.0])})",
            lambda: f"({e('int', d)} / {r.choice([2, -4, 3])})",
            lambda: f"({e('int', d)} * 0.5)",
            lambda: f"float({e('int', d)})",
            lambda: f"{r.choice(['min', 'max'])}({e('float', d)}, {e('float', d)})",
            lambda: f"abs({e('float', d)})",
            lambda: f"{e('table', d)}.get({e('int', d)}, {r.randint(0, 9) / 2})",
            lambda: f"float({e('reals', d)}[{r.randint(-1, 1)}])",
            lambda: self.ternary("float", d),
        )

    def bool_(self, depth: int) -> str:
        e, d, r = self.expression, depth - 1, self.random
        compare = ["<", "<=", ">", ">=", "==", "!="]
        return self.choose(
            depth,
            ["True", "False"],
            lambda: f"({e('int', d)} {r.choice(compare)} {e('int', d)})",
            lambda: f"({e('float', d)} {r.choice(compare)} {e('float', d)})",
            lambda: f"({e('str', d)} {r.choice(compare)} {e('str', d)})",
            lambda: f"({e('bool', d)} {r.choice(['and', 'or'])} {e('bool', d)})",
            lambda: f"(not {e('bool', d)})",
            lambda: f"({e('int', d)} in {e('ints', d)})",
            lambda: f"({self.key()} {r.choice(['in', 'not in'])} {e('dict', d)})",
            lambda: f"{e('str', d)}.startswith({r.choice(['a', 'x'])!r})",
            lambda: f"({e('maybe', d)} is {r.choice(['', 'not '])}None)",
            lambda: f"({e('ints', d)} == {e('ints', d)})",
            lambda: f"bool(({e('tensor', d)} {r.choice(compare)} {e('int', d)}).any())",
        )

    def key(self) -> str:
        names = self.variables("str")
        return self.random.choice([*names[:2], "'a'", "'b'", "'key'"])

    def str_(self, depth: int) -> str:
        e, d, r = self.expression, depth - 1, self.random
        return self.choose(
            depth,
            ["''", "'a'", "'xy'", "'Bab'"],
            lambda: f"({e('str', d)} + {e('str', d)})",
            lambda: f"str({e('int', d)})",
            lambda: f"{e('str', d)}.{r.choice(['upper', 'lower', 'strip'])}()",
            lambda: f"{e('str', d)}.replace('a', {e('str', d)})",
            lambda: f"{e('str', d)}[{r.randint(-2, 2)}:{r.randint(-1, 4)}]",
            lambda: f"{e('str', d)}[::-1]",
            lambda: f"'{{}}-{{}}'.format({e('int', d)}, {e('str', d)})",
            lambda: f"'_'.join({e('strs', d)})",
            lambda: f"{e('pair', d)}[1]",
            lambda: self.item("strs", "'none'"),
            lambda: self.ternary("str", d),
        )

    def ints(self, depth: int) -> str:
        e, d, r = self.expression, depth - 1, self.random
        v = self.name("c")
        return self.choose(
            depth,
            ["[1]", "[3, 1, 2]", f"[{e('int', 0)}, {e('int', 0)}]"],
            lambda: f"[{e('int', d)}, {e('int', d)}]",
            lambda: f"[{v} * {r.randint(-3, 3)} for {v} in range({r.randint(0, 4)})]",
            lambda: f"[({v} + {e('int', d)}) % 50 for {v} in {e('ints', d)}]",
            lambda: f"[len({v}) for {v} in {e('strs', d)}]",
            lambda: f"({e('ints', d)} + {e('ints', d)})",
            lambda: f"{e('ints', d)}[{r.randint(-3, 2)}:]",
            lambda: f"{e('ints', d)}[::{r.choice([1, 2])}]",
            lambda: f"sorted({e('ints', d)})",
            lambda: f"list({e('dict', d)}.values())",
            lambda: f"({e('ints', d)} * {r.randint(0, 2)})",
        )

    def strs(self, depth: int) -> str:
        e, d = self.expression, depth - 1
        v = self.name("c")
        return self.choose(
            depth,
            ["['a']", "['b', 'a', 'xy']"],
            lambda: f"[{e('str', d)}, {e('str', d)}]",
            lambda: f"[str({v}) for {v} in {e('ints', d)}]",
            lambda: f"{e('str', d)}.split('a')",
            lambda: f"list({e('dict', d)}.keys())",
            lambda: f"({e('strs', d)} + {e('strs', d)})",
            lambda: f"sorted({e('strs', d)})",
        )

    def dict_(self, depth: int) -> str:
        e, d, v = self.expression, depth - 1, self.name("c")
        return self.choose(
            depth,
            ["{'a': 1}", "{'b': 2, 'a': 3}"],
            lambda: f"{{{self.key()}: {e('int', d)}, 'z': {e('int', d)}}}",
            lambda: f"{{{v}: len({v}) for {v} in {e('strs', d)}}}",
            lambda: f"{e('dict', d)}.copy()",
        )

    def table(self, depth: int) -> str:
        e, d, v = self.expression, depth - 1, self.name("c")
        return self.choose(
            depth,
            ["{1: 0.5}", "{2: 1.5, 0: -1.0}"],
            lambda: f"{{{e('int', d)}: {e('float', d)}}}",
            lambda: f"{{{v}: {v} * 0.5 for {v} in {e('ints', d)}}}",
        )

    def maybe(self, depth: int) -> str:
        return (
            f"pick({self.expression('bool', depth - 1)}, {self.stored('int') if depth > 1 else 4})"
        )

    def pair(self, depth: int) -> str:
        return f"({self.expression('int', depth - 1)}, {self.expression('str', depth - 1)})"

    def tensor(self, depth: int) -> str:
        return self.array("tensor", "int", depth)

    def reals(self, depth: int) -> str:
        return self.array("reals", "float", depth)

    def array(self, kind: str, item: str, depth: int) -> str:
        """Three elements, always: slices would not broadcast."""
        e, d, r = self.expression, depth - 1, self.random
        names = self.variables(kind)
        small = r.randint(1, 3) if item == "int" else r.randint(1, 8) / 4
        mod = " % 97" if item == "int" else ".clip(-99.0, 99.0)"
        return self.choose(
            depth,
            [r.choice(names)],
            lambda: f"({e(kind, d)} {r.choice('+-')} {e(kind, d)})",
            lambda: f"({e(kind, d)} {r.choice('+-')} {e(item, d)})",
            lambda: f"(({e(kind, d)}{mod}) * ({e(kind, d)}{mod}))",
            lambda: f"({e(kind, d)}{mod} * {small})",
            lambda: f"(-{e(kind, d)})",
            lambda: f"{e(kind, d)}.clip({-small}, {small})",
            lambda: self.ternary(kind, d),
        )


def source(seed: int) -> str:
    """The text of the program with this number."""
    return Generator(seed).program()


def arguments(seed: int) -> list[Any]:
    """Fresh arguments of `main`; tensors are arrays."""
    r = random.Random(seed)
    return [
        r.randint(-20, 20),
        r.randint(-40, 40) / 8,
        r.random() < 0.5,
        r.choice(["", "abc", "banana", "X"]),
        [r.randint(-9, 9) for _ in range(r.randint(0, 4))],
        [r.choice(["a", "bb", "xyz"]) for _ in range(r.randint(0, 3))],
        {key: r.randint(-9, 9) for key in r.sample(["a", "b", "key"], 2)},
        {r.randint(0, 4): 0.25},
        r.choice([None, 3, -3]),
        (r.randint(-9, 9), r.choice(["p", "qa"])),
        np.array([r.randint(-9, 9) for _ in range(3)]),
        np.array([r.randint(-40, 40) / 8 for _ in range(3)]),
    ]


def outcome(function: Callable[..., Any], seed: int, to_tensor: Callable[[Any], Any]) -> Any:
    """The result and the tensors as the call left them (containers are copied when passed); or that it raised."""
    given = arguments(seed)
    args = [to_tensor(arg) if isinstance(arg, np.ndarray) else arg for arg in given]
    try:
        return plain((function(*args), args[-2:]))
    except Exception as error:
        if "stop" in str(error) or "no" in str(error):
            return "exception"
        raise


def plain(value: Any) -> Any:
    """The value with lists for tensors; NumPy's numbers become Python's."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, tuple | list):
        return type(value)(plain(item) for item in value)
    return value


def in_python(text: str) -> Callable[..., Any]:
    """`main` as Python runs it, on arrays."""
    scope: dict[str, Any] = {"List": list, "Dict": dict, "Optional": Optional, "Tuple": tuple}
    scope["Tensor"] = np.ndarray
    exec(compile(text, "<program>", "exec"), scope)
    return scope["main"]


def difference(
    seed: int, script: Callable[[str], Any], to_tensor: Callable[[Any], Any]
) -> str | None:
    """What sets the program as `script` compiles it apart from the same program in Python, None if nothing does."""
    text = source(seed)
    wanted = outcome(in_python(text), seed, lambda array: array)
    try:
        got = outcome(script(text).main, seed, to_tensor)
    except Exception as error:
        got = f"{type(error).__name__}: {error}"
    if got == wanted:
        return None
    return f"program {seed}:\n{text}\ngave   {got}\nshould {wanted}"


def main() -> int:
    import torchscript_dialect as ts

    given = [int(arg) for arg in sys.argv[1:3]]
    count, first = given + [2000, 0][len(given) :]
    sides: list[tuple[str, Any, Any]] = [("ours", ts.CompilationUnit, ts.Tensor)]
    try:
        import torch
    except ImportError:
        print("PyTorch is not installed: ours against Python only")
    else:
        sides.append(("PyTorch", torch.jit.CompilationUnit, torch.from_numpy))
    failed, start = 0, time.perf_counter()
    for seed in range(first, first + count):
        for name, script, to_tensor in sides:
            if found := difference(seed, script, to_tensor):
                failed += 1
                print(f"{name}: {found}\n")
    print(f"{count} programs, {failed} differences, {time.perf_counter() - start:.1f} s")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
