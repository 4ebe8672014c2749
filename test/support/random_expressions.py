"""Random expressions of every kind: texts that mean the same in Python and in TorchScript."""

import random
from collections.abc import Callable

TYPES = {
    "int": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "ints": "List[int]",
    "strs": "List[str]",
    "rows": "List[List[int]]",
    "dict": "Dict[str, int]",
    "table": "Dict[int, float]",
    "groups": "Dict[str, List[int]]",
    "maybe": "Optional[int]",
    "word": "Optional[str]",
    "pair": "Tuple[int, str]",
    "nest": "Tuple[Tuple[int, str], List[int]]",
    "tensor": "Tensor",
    "reals": "Tensor",
    "trail": "List[int]",
    "total": "Tensor",
}
"""The types by the short names of their kinds: tensors of int64 and of float64 are two kinds, and so are lists and tensors that
are never written to (trail and total)."""
REFINED = {"maybe": "int", "word": "str"}
"""What an Optional is where it is not None."""
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
PRELUDE = """def pick(c: bool, v: int) -> Optional[int]:
    if c:
        return v
    return None

def pick_word(c: bool, v: str) -> Optional[str]:
    if c:
        return v
    return None

def int_modulo(v: int, divisor: int) -> int:
    return v % divisor

def tensor_modulo(v: Tensor, divisor: int) -> Tensor:
    return v % divisor

"""
"""Functions that expressions call."""


class Expressions:
    """Makes expressions out of the variables and the functions that are known."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.scope: dict[str, str] = {}
        """Kinds of the variables that can be read here."""
        self.functions: list[tuple[str, list[str], str]] = []
        """Names, kinds of the parameters, and kinds of the results of functions that can be called."""
        self.made = 0

    def name(self, prefix: str = "v") -> str:
        self.made += 1
        return f"{prefix}{self.made}"

    def variables(self, kind: str) -> list[str]:
        return [each for each, its in self.scope.items() if its == kind]

    def stored(self, kind: str) -> str:
        """An expression whose value keeps within bounds however often it is assigned."""
        value = self.expression(kind, 3)
        if kind in ("int", "tensor"):
            return self.modulo(kind, value, 1009)
        if kind == "float":
            return f"max(min({value}, 1000.0), -1000.0)"
        if kind == "str":
            return f"({value})[:10]"
        if kind in ("ints", "strs", "rows", "trail"):
            return f"({value})[:8]"
        if kind == "total":
            return f"{value}.clip(-1000.0, 1000.0)"
        return value

    def modulo(self, kind: str, value: str, divisor: int) -> str:
        """`value % divisor`, through a function where `value` calls one: PyTorch computes it twice."""
        if any(f"{name}(" in value for name, _, _ in self.functions):
            return f"{kind}_modulo({value}, {divisor})"
        return f"(({value}) % {divisor})"

    def expression(self, kind: str, depth: int) -> str:
        names, calls = self.variables(kind), [each for each in self.functions if each[2] == kind]
        if names and (depth <= 0 or self.random.random() < 0.3):
            return self.random.choice(names)
        if calls and depth > 1 and self.random.random() < 0.3:
            return self.call(*self.random.choice(calls))
        return getattr(self, f"make_{kind}")(depth)

    def call(self, name: str, kinds: list[str], _: str) -> str:
        return f"{name}({', '.join(['log', *map(self.argument, kinds)])})"

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

    def item(self, kind: str, default: str) -> str:
        names = self.variables(kind)
        if not names:
            return default
        name = self.random.choice(names)
        return (
            f"({name}[{self.expression('int', 1)} % len({name})] if len({name}) > 0 else {default})"
        )

    def unwrapped(self, kind: str, default: str) -> str:
        names = self.variables(kind)
        if not names:
            return default
        name = self.random.choice(names)
        return f"({name} if {name} is not None else {default})"

    def key(self) -> str:
        names = self.variables("str")
        return self.random.choice([*names[:2], "'a'", "'b'", "'key'"])

    def make_int(self, depth: int) -> str:
        e, d, r = self.expression, depth - 1, self.random

        def modulo(divisor: int) -> str:
            return self.modulo("int", e("int", d), divisor)

        return self.choose(
            depth,
            [str(r.randint(0, 9)), f"(-{r.randint(1, 9)})"],
            lambda: f"({e('int', d)} {r.choice('+-')} {e('int', d)})",
            lambda: f"({modulo(97)} * {modulo(89)})",
            lambda: f"({e('int', d)} // {r.choice([2, 3, 7, -4])})",
            lambda: modulo(r.choice([2, 3, 7, -4])),
            lambda: f"({e('int', d)} {r.choice('&|^')} {e('int', d)})",
            lambda: f"({modulo(97)} {r.choice(['<<', '>>'])} {r.randint(0, 3)})",
            lambda: f"{r.choice(['min', 'max'])}({e('int', d)}, {e('int', d)})",
            lambda: f"abs({e('int', d)})",
            lambda: f"len({e(r.choice(['str', 'ints', 'strs', 'rows', 'dict', 'table']), d)})",
            lambda: f"int({e('bool', d)})",
            lambda: f"int({e('float', d)})",
            lambda: self.item("ints", str(r.randint(-5, 5))),
            lambda: f"{e('dict', d)}.get({self.key()}, {r.randint(0, 9)})",
            lambda: f"{e('pair', d)}[0]",
            lambda: f"{e('nest', d)}[0][0]",
            lambda: f"{e('str', d)}.{r.choice(['find', 'count'])}({r.choice(['a', 'b', 'xy'])!r})",
            lambda: f"{e('ints', d)}.count({e('int', d)})",
            lambda: f"int({e('tensor', d)}.{r.choice(['sum', 'max', 'min'])}())",
            lambda: f"int({e('tensor', d)}[{r.randint(-1, 1)}])",
            lambda: f"sum({e('ints', d)})",
            lambda: f"sum([len({(v := self.name('c'))}) for {v} in {e('rows', d)}])",
            lambda: self.ternary("int", d),
            lambda: self.unwrapped("maybe", str(r.randint(-5, 5))),
        )

    def make_float(self, depth: int) -> str:
        e, d, r = self.expression, depth - 1, self.random
        return self.choose(
            depth,
            [str(r.randint(0, 40) / 8), f"(-{r.randint(1, 40) / 8})"],
            lambda: f"({e('float', d)} {r.choice('+-')} {e('float', d)})",
            lambda: f"({e('float', d)} * {r.randint(-8, 8) / 4})",
            lambda: f"({e('float', d)} / {r.choice([2.0, -4.0, 3.0])})",
            lambda: f"({e('int', d)} / {r.choice([2, -4, 3])})",
            lambda: f"({e('int', d)} * 0.5)",
            lambda: f"({e('int', d)} - {e('float', d)})",
            lambda: f"float({e('int', d)})",
            lambda: f"{r.choice(['min', 'max'])}({e('float', d)}, {e('float', d)})",
            lambda: f"abs({e('float', d)})",
            lambda: f"{e('table', d)}.get({e('int', d)}, {r.randint(0, 9) / 2})",
            lambda: f"float({e('reals', d)}[{r.randint(-1, 1)}])",
            lambda: f"float({e('reals', d)}.{r.choice(['max', 'min'])}())",
            lambda: self.ternary("float", d),
        )

    def make_bool(self, depth: int) -> str:
        e, d, r = self.expression, depth - 1, self.random
        return self.choose(
            depth,
            ["True", "False"],
            lambda: f"({e('int', d)} {r.choice(COMPARISONS)} {e('int', d)})",
            lambda: f"({e('float', d)} {r.choice(COMPARISONS)} {e('float', d)})",
            lambda: f"({e('int', d)} {r.choice(COMPARISONS)} {e('float', d)})",
            lambda: f"({e('str', d)} {r.choice(COMPARISONS)} {e('str', d)})",
            lambda: f"({e('bool', d)} {r.choice(['and', 'or'])} {e('bool', d)})",
            lambda: f"(not {e('bool', d)})",
            lambda: f"bool({e('int', d)})",
            lambda: f"({e('int', d)} {r.choice(['in', 'not in'])} {e('ints', d)})",
            lambda: f"({e('str', d)} in {e('strs', d)})",
            lambda: f"('a' in {e('str', d)})",
            lambda: f"({self.key()} {r.choice(['in', 'not in'])} {e('dict', d)})",
            lambda: (
                f"{e('str', d)}.{r.choice(['startswith', 'endswith'])}({r.choice(['a', 'x'])!r})"
            ),
            lambda: f"{e('str', d)}.{r.choice(['isdigit', 'isupper', 'isalpha'])}()",
            lambda: f"({e('maybe', d)} is {r.choice(['', 'not '])}None)",
            lambda: f"({e('ints', d)} {r.choice(['==', '!='])} {e('ints', d)})",
            lambda: f"bool(({e('tensor', d)} {r.choice(COMPARISONS)} {e('int', d)}).any())",
            lambda: f"bool(({e('reals', d)} {r.choice(COMPARISONS)} {e('reals', d)}).all())",
        )

    def make_str(self, depth: int) -> str:
        e, d, r = self.expression, depth - 1, self.random
        return self.choose(
            depth,
            ["''", "'a'", "'xy'", "'Bab'"],
            lambda: f"({e('str', d)} + {e('str', d)})",
            lambda: f"str({e('int', d)})",
            lambda: (
                f"{e('str', d)}.{r.choice(['upper', 'lower', 'strip', 'capitalize', 'swapcase'])}()"
            ),
            lambda: f"{e('str', d)}.replace('a', {e('str', d)})",
            lambda: f"{e('str', d)}[{r.randint(-2, 2)}:{r.randint(-1, 4)}]",
            lambda: f"{e('str', d)}[::-1]",
            lambda: f"'{{}}-{{}}'.format({e('int', d)}, {e('str', d)})",
            lambda: f"('%d,%s' % ({e('int', d)}, {e('str', d)}))",
            lambda: f"'_'.join({e('strs', d)})",
            lambda: f"{e('pair', d)}[1]",
            lambda: self.item("strs", "'none'"),
            lambda: self.ternary("str", d),
            lambda: self.unwrapped("word", "'nil'"),
        )

    def make_ints(self, depth: int) -> str:
        e, d, r = self.expression, depth - 1, self.random
        v = self.name("c")

        def each() -> str:
            return self.modulo("int", f"{v} + {e('int', d)}", 50)

        return self.choose(
            depth,
            ["[1]", "[3, 1, 2]", f"[{e('int', 0)}, {e('int', 0)}]"],
            lambda: f"[{e('int', d)}, {e('int', d)}]",
            lambda: f"[{v} * {r.randint(-3, 3)} for {v} in range({r.randint(0, 4)})]",
            lambda: f"[{each()} for {v} in {e('ints', d)}]",
            lambda: f"[len({v}) for {v} in {e(r.choice(['strs', 'rows']), d)}]",
            lambda: f"({e('ints', d)} + {e('ints', d)})",
            lambda: f"{e('ints', d)}[{r.randint(-3, 2)}:]",
            lambda: f"{e('ints', d)}[::{r.choice([1, 2])}]",
            lambda: f"sorted({e('ints', d)})",
            lambda: f"list({e('dict', d)}.values())",
            lambda: f"({e('ints', d)} * {r.randint(0, 2)})",
            lambda: f"{e('nest', d)}[1]",
            lambda: f"{e('trail', d)}[:]",
            lambda: self.item("rows", "[7]"),
        )

    def make_strs(self, depth: int) -> str:
        e, d, r = self.expression, depth - 1, self.random
        v = self.name("c")
        return self.choose(
            depth,
            ["['a']", "['b', 'a', 'xy']"],
            lambda: f"[{e('str', d)}, {e('str', d)}]",
            lambda: f"[str({v}) for {v} in {e('ints', d)}]",
            lambda: f"{e('str', d)}.split({r.choice(['', repr('a')])})",
            lambda: f"list({e(r.choice(['dict', 'groups']), d)}.keys())",
            lambda: f"({e('strs', d)} + {e('strs', d)})",
            lambda: f"sorted({e('strs', d)})",
        )

    def make_rows(self, depth: int) -> str:
        e, d, r = self.expression, depth - 1, self.random
        v = self.name("c")

        def row() -> str:
            """A name or a copy: text that begins `[[x for x in` is no list of lists to PyTorch's parser."""
            names = self.variables("ints")
            return r.choice(names) if names and r.random() < 0.5 else f"{e('ints', d)}[:]"

        return self.choose(
            depth,
            ["[[1]]", "[[3, 1], [2]]"],
            lambda: f"[{row()}, {row()}]",
            lambda: f"[[{v}, {e('int', d)}] for {v} in {e('ints', d)}]",
            lambda: f"[sorted({v}) for {v} in {e('rows', d)}]",
            lambda: f"({e('rows', d)} + {e('rows', d)})",
            lambda: f"{e('rows', d)}[{r.randint(-2, 1)}:]",
            lambda: f"list({e('groups', d)}.values())",
        )

    def make_dict(self, depth: int) -> str:
        e, d, v = self.expression, depth - 1, self.name("c")
        return self.choose(
            depth,
            ["{'a': 1}", "{'b': 2, 'a': 3}"],
            lambda: f"{{{self.key()}: {e('int', d)}, 'z': {e('int', d)}}}",
            lambda: f"{{{v}: len({v}) for {v} in {e('strs', d)}}}",
            lambda: f"{e('dict', d)}.copy()",
        )

    def make_table(self, depth: int) -> str:
        e, d, v = self.expression, depth - 1, self.name("c")
        return self.choose(
            depth,
            ["{1: 0.5}", "{2: 1.5, 0: -1.0}"],
            lambda: f"{{{e('int', d)}: {e('float', d)}}}",
            lambda: f"{{{v}: {v} * 0.5 for {v} in {e('ints', d)}}}",
        )

    def make_groups(self, depth: int) -> str:
        e, d, v = self.expression, depth - 1, self.name("c")
        return self.choose(
            depth,
            ["{'a': [1]}", "{'b': [2, 4], 'a': [3]}"],
            lambda: f"{{{self.key()}: {e('ints', d)}, 'z': {e('ints', d)}}}",
            lambda: f"{{{v}: [len({v})] for {v} in {e('strs', d)}}}",
            lambda: f"{e('groups', d)}.copy()",
        )

    def make_maybe(self, depth: int) -> str:
        return (
            f"pick({self.expression('bool', depth - 1)}, {self.stored('int') if depth > 1 else 4})"
        )

    def make_word(self, depth: int) -> str:
        word = self.stored("str") if depth > 1 else "'w'"
        return f"pick_word({self.expression('bool', depth - 1)}, {word})"

    def make_pair(self, depth: int) -> str:
        return f"({self.expression('int', depth - 1)}, {self.expression('str', depth - 1)})"

    def make_nest(self, depth: int) -> str:
        return f"({self.expression('pair', depth - 1)}, {self.expression('ints', depth - 1)})"

    def make_trail(self, depth: int) -> str:
        d, r = depth - 1, self.random
        if names := self.variables("trail"):
            return f"({r.choice(names)} + {self.expression('ints', d)})[{r.randint(-5, 1)}:]"
        return f"{self.expression('ints', d)}[:]"

    def make_total(self, depth: int) -> str:
        names = [*self.variables("total"), f"{self.random.randint(-4, 4) / 4}"]
        return f"({self.random.choice(names)} + {self.expression('reals', depth - 1)})"

    def make_tensor(self, depth: int) -> str:
        return self.array("tensor", "int", depth)

    def make_reals(self, depth: int) -> str:
        return self.array("reals", "float", depth)

    def array(self, kind: str, item: str, depth: int) -> str:
        """Three elements, always: slices would not broadcast."""
        e, d, r = self.expression, depth - 1, self.random
        names = self.variables(kind)
        factor = r.randint(1, 3) if item == "int" else r.randint(1, 8) / 4

        def small() -> str:
            value = e(kind, d)
            return f"{value}.clip(-99.0, 99.0)" if kind == "reals" else self.modulo(kind, value, 97)

        return self.choose(
            depth,
            [r.choice(names)],
            lambda: f"({e(kind, d)} {r.choice('+-')} {e(kind, d)})",
            lambda: f"({e(kind, d)} {r.choice('+-')} {e(item, d)})",
            lambda: f"({e(item, d)} {r.choice('+-')} {e(kind, d)})",
            lambda: f"({small()} * {small()})",
            lambda: f"({small()} * {factor})",
            lambda: f"(-{e(kind, d)})",
            lambda: f"abs({e(kind, d)})",
            lambda: f"{e(kind, d)}.clip({-factor}, {factor})",
            lambda: f"{e(kind, d)}.cumsum(0)" if item == "int" else f"({e('total', d)} * 0.5)",
            lambda: f"{e(kind, d)}.clip(-50, 50)" if item == "int" else f"{e(kind, d)}.round()",
            lambda: self.ternary(kind, d),
        )
