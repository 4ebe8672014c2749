"""Expressions of numbers, strings and tensors of one number, with arguments that are hard for each: as `random_values`, but as programs
that are compiled, called, and specialized, and with constants in the place of parameters.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, NamedTuple

from support import random_values
from support.random_values import COMPLEX, FLOATS, NUMBER_TEXTS, TEXTS

INTS = [
    0,
    1,
    -1,
    2,
    -2,
    3,
    7,
    -7,
    63,
    64,
    255,
    2**31,
    2**53,
    2**53 + 1,
    -(2**53) - 1,
    2**62,
    2**63 - 1,
    -(2**63),
]
POOLS: dict[str, list[Any]] = {"int": INTS, "float": FLOATS, "str": [*TEXTS, *NUMBER_TEXTS], "complex": COMPLEX}  # fmt: skip
ARGUMENTS = 8
"""Lists of arguments of an expression."""

ARITHMETIC = "+ - * / // % ** == != < <= > >=".split()
BITS = "<< >> & | ^".split()
REAL = "floor ceil trunc sqrt exp expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf erfc".split()
REAL += "fabs isnan isinf isfinite degrees radians frexp modf".split()
TESTS = "isdigit isalpha isalnum isspace isdecimal isnumeric islower isupper istitle isidentifier isprintable isascii".split()
CHANGES = "upper lower capitalize title swapcase casefold strip lstrip rstrip split splitlines expandtabs".split()

EXPRESSIONS: dict[str, list[str]] = {
    "a: int": [
        *("-a", "abs(a)", "float(a)", "bool(a)", "str(a)", "hex(a)", "oct(a)", "bin(a)", "not a", "round(a)", "complex(a)"),
        *("a + 1", "a - 1", "a * 2", "a ** 2", "a // 3", "a % 3", "a ** -1", "a ** 0.5", "a / 3", "a + 0.5", "float(a) == a"),
        *("a == 9007199254740992.0", "a < 9007199254740992.0", "a > 9007199254740992.0", "a <= 9223372036854775808.0"),
        *("max(a, 3)", "min(a, 3.5)", "a in [1, 2, 9007199254740993]", "{a: 1}", "math.sqrt(a)", "math.floor(a)", "math.log(a)"),
        *("'{}'.format(a)", "'{} {}'.format(a, a)", "'%d' % a", "'%s' % a", "'%f' % a", "'%x' % a"),
        *("torch.tensor(a)", "torch.tensor(a).item()", "int(torch.tensor(a))", "float(torch.tensor(a))", "torch.tensor(a) ** 2"),
        *("torch.tensor([a]) == 9007199254740992.0", "torch.tensor(a, dtype=torch.int32)", "torch.tensor(a, dtype=torch.uint8)"),
        *("torch.tensor(a, dtype=torch.float32)", "torch.full([1], a)", "torch.tensor([1.0]) * a", "torch.tensor([1]) * a"),
        *("torch.tensor([1], dtype=torch.int8) + a", "torch.full([2], a, dtype=torch.int8)", "torch.tensor([3], dtype=torch.int8) < a"),
        "torch.clamp(torch.tensor([3], dtype=torch.int8), a)",
    ],
    "a: int, b: int": [
        *(f"a {sign} b" for sign in (*ARITHMETIC, *BITS)),
        *("divmod(a, b)", "math.gcd(a, b)", "min(a, b)", "max(a, b)", "math.pow(a, b)", "math.fmod(a, b)", "math.ldexp(a, b)"),
        *("math.copysign(a, b)", "math.remainder(a, b)", "torch.tensor(a) * b", "torch.tensor(a) == b", "torch.tensor(a) & b"),
    ],
    "a: int, f: float": [
        *(f"a {sign} f" for sign in ARITHMETIC),
        *(f"f {sign} a" for sign in ARITHMETIC),
        *("min(a, f)", "max(a, f)", "math.pow(a, f)", "math.ldexp(f, a)", "torch.tensor(a) * f", "torch.tensor(a) < f"),
    ],
    "f: float": [
        *("-f", "abs(f)", "int(f)", "bool(f)", "str(f)", "round(f)", "not f", "complex(f)", "f + 1", "f * 2", "f ** 2", "f ** 0.5"),
        *("f // 1", "f % 1", "f % -1", "1 / f", "f in [0.0, 1.0]", "{f: 1}", "len({f: 1, f: 2})", "[f].count(f)"),
        *("'{}'.format(f)", "'%d' % f", "'%s' % f", "'%f' % f", "'%e' % f", "'%g' % f", "'%.3f' % f"),
        *("torch.tensor(f)", "torch.tensor(f).item()", "int(torch.tensor(f))", "float(torch.tensor(f))", "torch.full([2], f)"),
        *("torch.tensor(f, dtype=torch.float16)", "torch.tensor(f).to(torch.bfloat16)", "torch.tensor([1]) * f"),
        *("torch.tensor(f, dtype=torch.float16) ** 0.5", "torch.tensor(f, dtype=torch.float16) ** -0.5", "torch.tensor([1.0]) < f"),
        *("torch.clamp(torch.tensor([3.0]), f)", "torch.where(torch.tensor([True]), f, 1.0)"),
        *(f"math.{name}(f)" for name in REAL),
    ],
    "f: float, g: float": [
        *(f"f {sign} g" for sign in ARITHMETIC),
        *(f"math.{name}(f, g)" for name in ("pow", "fmod", "atan2", "copysign", "remainder")),
        *("min(f, g)", "max(f, g)", "divmod(f, g)", "complex(f, g)", "sum([f, g])", "[f, 0.0] < [g, 1.0]"),
    ],
    "s: str": [
        *("len(s)", "s[0]", "s[-1]", "s[1:]", "s[:-1]", "s[::2]", "int(s)", "float(s)", "bool(s)", "ord(s)", "s + s", "s * 2", "not s"),
        *("s in 'aéb'", "s == 'a'", "s < 'b'", "s.strip('ab')", "s.split(',')", "s.split('a', 1)", "s.rsplit('a', 1)"),
        *("s.find('b')", "s.find('b', 1, -1)", "s.find('', 1)", "s.rfind('')", "s.index('b')", "s.rindex('a')", "s.count('a')"),
        *("s.replace('a', 'é')", "s.startswith('b', 1)", "s.endswith('', 3)", "s.zfill(6)", "s.center(7, '*')"),
        *("s.ljust(7, '*')", "s.rjust(7)", "s.expandtabs(3)", "s.partition('a')", "s.rpartition('b')", "s.join(['x', 'y'])"),
        *("s.format(1)", "s.format(s, s)", "s % 3", "'%s' % s", "'%d' % s", "'{} {}'.format(s, s)", "list(s)", "{s: 1}"),
        *(f"s.{name}()" for name in (*TESTS, *CHANGES)),
    ],
    "s: str, t: str": [
        *("s + t", "s == t", "s < t", "s in t", "s.find(t)", "s.rfind(t)", "s.split(t)", "s.partition(t)", "s.replace(t, s)"),
        *("s.startswith(t)", "s.endswith(t)", "s.strip(t)", "s.join([t, t])", "s.format(t, t)", "s % t", "s.index(t)", "sorted([s, t])"),
    ],
    "s: str, a: int": [
        *("s[a]", "s[a:]", "s[:a]", "s.find('a', a)", "s.rfind('a', 0, a)", "s.startswith('a', a)", "'%s %d' % (s, a)", "s.format(a, s)"),
        "int(s, a)",
    ],
    "z: complex": [
        *("-z", "abs(z)", "z + 1", "z * 2.0", "z ** 2.0", "z - 1.5", "str(z)", "bool(z)", "z.real", "z * z", "torch.tensor(z)"),
    ],
}  # fmt: skip


class Case(NamedTuple):
    """A function of these parameters that returns an expression, and lists of arguments to call it with."""

    signature: str
    expression: str
    calls: list[list[Any]]

    @property
    def text(self) -> str:
        return f"def f({self.signature}):\n    return {self.expression}\n"


def cases() -> Iterator[Case]:
    """Every expression with parameters, and once with constants in their place."""
    chosen = random.Random("expressions")
    for signature, expressions in EXPRESSIONS.items():
        names, kinds = zip(*(part.split(": ") for part in signature.split(", ")), strict=True)
        lists = [list(values) for values in product(*(POOLS[kind] for kind in kinds))]
        for expression in expressions:
            fitting = [values for values in lists if not _is_open(expression, values)]
            calls = chosen.sample(fitting, min(ARGUMENTS, len(fitting)))
            yield Case(signature, expression, calls)
            constants = [literal(value) for value in chosen.choice(fitting)]
            if all(constants):
                yield Case("", _substituted(expression, names, constants), [[]])


def literal(value: Any) -> str:
    """A value as source text that PyTorch reads, too; empty if there is none."""
    if isinstance(value, str):
        plain = (c if " " <= c <= "~" and c not in "'\\" else _octal(c) for c in value)
        return f"'{''.join(plain)}'"
    if isinstance(value, complex) or not math.isfinite(value) or value < 0:
        return ""  # PyTorch has a mistake with `-(-1.0)`
    return f"({value!r})"


def _octal(character: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in character.encode())


def _substituted(expression: str, names: tuple[str, ...], constants: list[str]) -> str:
    pieces = re.split(r"('[^']*')", expression)
    for name, constant in zip(names, constants, strict=True):
        word = re.compile(rf"(?<![\w.%]){name}(?![\w(])")
        pieces[::2] = [word.sub(lambda _, text=constant: text, piece) for piece in pieces[::2]]
    return "".join(pieces)


def _is_open(expression: str, values: list[Any]) -> bool:
    """What PyTorch dies of, takes for ever for, leaves to the processor, or has a mistake in."""
    if re.search(r"//|%(?!\w*')|divmod|fmod|remainder", expression) and any(
        type(value) is int and value in (0, -1) for value in values
    ):
        return True
    if "split" in expression or "replace" in expression or "count" in expression:
        return "" in values[1:]
    if expression in ("math.ceil(f)", "math.floor(f)", "int(f)", "math.trunc(f)", "int(torch.tensor(f))"):  # fmt: skip
        return values[0] == 2.0**63
    return bool(re.fullmatch(r"(torch.tensor\(a\) )?(a|f) (<<|>>) b", expression)) and not 0 <= values[1] < 64  # fmt: skip


def compiled(case: Case, compile: Callable[[str], Any]) -> Any:
    """The function, or what compiling it raised."""
    try:
        return compile(case.text).f
    except Exception as error:
        return error


def outcome(function: Any, arguments: list[Any]) -> Any:
    """What a call gives, as `random_values.same` compares it."""
    if isinstance(function, Exception):
        return function
    try:
        return plain(function(*arguments))
    except Exception as error:
        return error


def plain(value: Any) -> Any:
    """A value with lists in the place of tensors, and their dtypes."""
    if hasattr(value, "tolist"):
        return ("tensor " + str(value.dtype).rpartition(".")[2], value.tolist())
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    return value


same = random_values.same
