"""Random calls of the operators of strings, numbers, lists and dicts, with what is hard about each: bytes that are no
characters, numbers at the ends of their types, NaN, empty texts and lists. A seed gives the same calls always.
"""

import copy
import json
import math
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

from samples import compare, golden
from torchscript_dialect.ops import registry
from torchscript_dialect.utils.byte_strings import is_whole

Call = tuple[str, tuple[Any, ...]]

TEXTS = [
    *(
        "",
        "a",
        "b",
        "ab",
        "abc",
        "aXb",
        " ",
        "  a b ",
        "\t",
        "a\tb\tcd",
        "Hello World",
        "x=y=z",
        "z",
    ),
    *(
        "é",
        "aéb",
        "Éa",
        "日本",
        "😀",
        "x😀y",
        "ß",
        "İi",
        "ǆ",
        "\u00a0",
        "a\u2028b",
        "²",
        "١٢",
        "éé",
    ),
    *(
        "a\nb\r\nc\r",
        "\n",
        "\n\n",
        "a\x0bb\x0cc",
        "a\x1cb",
        "a\x85b",
        "\r",
        "\x7f",
        "a_1",
        "1a",
        "class",
    ),
    *("1", "-5", "+7", "AbC", "aB cD", "they're", "a1b2", ",", "a,b,,c", ",a,", "aaa", "A", "é,b"),
]
NUMBER_TEXTS = [
    *(
        "12",
        "-3",
        "+4",
        "",
        " ",
        " 12",
        "12 ",
        "\t7",
        "1_000",
        "0x10",
        "0b1",
        "0o7",
        "010",
        "1a",
        "x",
        "--1",
    ),
    *(
        "99999999999999999999",
        "-9223372036854775808",
        "9223372036854775807",
        "9223372036854775808",
        "١",
    ),
    *(
        "1.5",
        "-2.",
        ".5",
        ".",
        "1e5",
        "1e",
        "1e400",
        "-1e400",
        "1e-400",
        "inf",
        "-inf",
        "+inf",
        "infinity",
    ),
    *(
        "INF",
        "nan",
        "-nan",
        "NaN",
        "nan(1)",
        "infx",
        "1.5abc",
        "0x1p3",
        "0x.8",
        "1,5",
        "1e+5",
        "1f",
        "4.9e-324",
    ),
]
FORMATS = [
    "",
    "{}",
    "a{}b",
    "{}{}",
    "{} {}",
    "{0}",
    "{0} {1}",
    "{{}}",
    "{",
    "}",
    "{}é",
    "{:d}",
    "{1}{0}",
    "{}{",
]
PERCENT_FORMATS = [
    *("%s", "%d", "%i", "%f", "%F", "%e", "%E", "%g", "%G", "%c", "%x", "%r", "%%", "%", "a%", "%s %s"),
    *("%d%%", "%5d", "%.2f", "é%s", "", "none"),
]  # fmt: skip
INTS = [0, 1, -1, 2, -2, 3, 7, -7, 10, 63, 64, 65, 97, 255, 256, -255, 2**31, 2**53, 2**53 + 1]
INTS += [-(2**53) - 1, 2**62, 2**63 - 1, 2**63 - 513, -(2**63)]
PLACES = [0, 0, 1, -1, -1, 2, -2, 3, 4, 5, -5, 8, 100, -100, 2**62, 2**63 - 1, -(2**63)]
FLOATS = [
    0.0,
    -0.0,
    0.5,
    -0.5,
    1.0,
    -1.0,
    1.5,
    2.5,
    -2.5,
    3.0,
    0.1,
    1e-5,
    1e15,
    123456789.0,
    1e16,
    1e22,
    -1e22,
]
FLOATS += [1e300, 5e-324, 2.0**53, 2.0**63, -(2.0**63), 1e38, float("inf"), float("-inf"), float("nan")]  # fmt: skip
COMPLEX = [0j, 1 + 2j, -1.5 - 0j, complex("inf"), complex(0, float("nan")), 1e200 - 1e200j, 1j]
ARGUMENTS: dict[str, list[Any]] = {
    "str": TEXTS,
    "int": INTS,
    "float": FLOATS,
    "bool": [True, False],
    "complex": COMPLEX,
    "number": [*INTS, *FLOATS],
    "Scalar": [*INTS, *FLOATS],
}
_WITHOUT = re.compile(
    r"prim::|int_to_int|Tensor|::(warn|save|_|device|is_|get_autocast|wait|dict$|sum|manual|rand|promote|can_cast|result_type|set_grad|has_torch|Complex|polar)"
    r"|::(?!__(contains|getitem|and|or|xor|lshift|rshift|not|is|isnot|round)__|_set_item)__"
)
_WIDTHS = ("center", "ljust", "rjust", "zfill", "expandtabs")
_DIVISIONS = "floordiv remainder fmod mathremainder __round_to_zero_floordiv divmod".split()


def names() -> list[str]:
    """The operators that are called: all of these families whose arguments can be made and are no tensors."""
    registry.load_families()
    found: list[str] = []
    for name, rules in registry.attached():
        operator = registry.find(name)
        if operator is None or rules.kernel is None or _WITHOUT.search(operator.text):
            continue
        if registry.is_registered(name):
            continue  # another test's
        if name.startswith("prims::"):
            continue  # limits of dtypes, which test/samples/prims.py asks for
        if all(
            _pool(name, argument.name, argument.type.repr_str)
            for argument in operator.schema.arguments
        ):
            found.append(name)
    return sorted(found)


def calls(count: int, seed: int) -> Iterator[Call]:
    """As many calls, the operators in turn."""
    random_ = random.Random(seed)
    every = names()
    made = 0
    while made < count:
        for name in every:
            call = name, _arguments(name, random_)
            if made < count and not _kills_pytorch(*call):
                made += 1
                yield call


def _arguments(name: str, random_: random.Random) -> tuple[Any, ...]:
    operator = registry.find(name)
    assert operator is not None
    given: list[Any] = []
    for argument in operator.schema.arguments:
        make = _pool(name, argument.name, argument.type.repr_str)
        assert make is not None
        given.append(make(random_))
    if operator.schema.is_vararg:
        values = [
            *TEXTS[:20],
            *FLOATS,
            *INTS,
            *COMPLEX,
            True,
            None,
            [1, 2],
            ["a", "é"],
            [1.5],
            (1, "b"),
        ]
        values = [value for value in values if "percent" not in name or value is not None]
        given += random_.choices(values, k=random_.randrange("percent" in name, 4))
    return tuple(given)


def _pool(name: str, argument: str, kind: str) -> Callable[[random.Random], Any] | None:
    """What makes an argument of a type; None where nothing does."""
    if name in ("aten::Int.str", "aten::Float.str"):
        return lambda r: r.choice(NUMBER_TEXTS)
    if name in ("aten::format", "aten::percentFormat") and argument == "self":
        return lambda r: r.choice(FORMATS if name == "aten::format" else PERCENT_FORMATS)
    if "factorial" in name:
        return lambda r: r.choice(PLACES)
    if kind == "int" and argument != "a" and argument != "b" and name != "aten::chr":
        places = [p for p in PLACES if 0 <= p <= 100] if _takes_a_width(name) else PLACES
        return lambda r: r.choice(places)
    if kind.endswith("?") and (inner := _pool(name, argument, kind[:-1])):
        return lambda r: None if r.random() < 0.3 else inner(r)
    if kind == "t[]":
        return lambda r: r.choices(INTS, k=r.randrange(1, 4))
    if kind.endswith("[]") and (inner := _pool(name, "a", kind[:-2])):
        return lambda r: [inner(r) for _ in range(r.randrange(4))]
    if kind == "t":
        return lambda r: r.choice(
            [*TEXTS, *FLOATS, *INTS, *COMPLEX, True] if name == "aten::str" else INTS
        )
    if match := re.fullmatch(r"Dict\((\w+), t\w*\)", kind):
        keys = ARGUMENTS.get(match[1])
        return (
            None
            if keys is None
            else lambda r: {r.choice(keys): r.choice(INTS) for _ in range(r.randrange(1, 4))}
        )
    pool = ARGUMENTS.get(kind)
    return None if pool is None else lambda r: r.choice(pool)


def _takes_a_width(name: str) -> bool:
    return name.removeprefix("aten::") in _WIDTHS or ".t" in name or "mul" in name


def _kills_pytorch(name: str, arguments: tuple[Any, ...]) -> bool:
    """PyTorch's process dies of integer division by zero and of the smallest int divided by -1, some searches never end,
    what 2.0**63 is rounded to is up to the processor, and the order of NaN to the algorithm.
    """
    operator = name.removeprefix("aten::").partition(".")[0]
    if operator.startswith("sort"):
        return any(value != value for value in arguments[0])
    if operator in ("floor", "ceil"):
        return arguments[0] in (2.0**63, 2**63 - 1)
    if operator in ("replace", "rsplit", "count") and isinstance(arguments[0], str):
        return "" in arguments[1:2] and not 0 <= arguments[-1] <= 100
    return operator in _DIVISIONS and any(value in (0, -1) for value in arguments[1:])


def golden_line(name: str, arguments: tuple[Any, ...], result: Any, after: Any) -> str:
    """A call and what PyTorch made of it, as JSON."""
    described = [name, *map(golden.as_json, (arguments, result))]
    after = None if after is None else golden.as_json(tuple(after))
    return json.dumps([*described, after], separators=(",", ":"))


def read_golden(described: Any) -> tuple[str, tuple[Any, ...], Any, tuple[Any, ...] | None]:
    """What `golden_line` wrote."""
    name, arguments, result, after = described
    after = None if after is None else golden.from_json(after)
    return name, golden.from_json(arguments), golden.from_json(result), after


def difference(name: str, arguments: tuple[Any, ...], theirs: Any, theirs_after: Any) -> str | None:
    """How our operator differs from PyTorch's result and from what PyTorch made of the arguments; None if it does not."""
    ours, after = compare.run(registry.find(name), lambda: copy.deepcopy(arguments))
    shown = f"{name}{arguments}"
    if isinstance(theirs, UnicodeDecodeError):
        return (
            None if _has_halves(ours) else f"{shown} gives {ours!r} where PyTorch has no characters"
        )
    if not same(ours, theirs):
        return f"{shown} gives {ours!r} where PyTorch gives {theirs!r}"
    if (
        after is not None
        and theirs_after is not None
        and not same(tuple(after), tuple(theirs_after))
    ):
        return f"{shown} makes {after} where PyTorch makes {theirs_after}"
    return None


def _has_halves(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_has_halves, value))
    return isinstance(value, str) and not is_whole(value)


def same(ours: Any, theirs: Any) -> bool:
    """Equal in type and value: NaN is NaN, -0.0 is not 0.0, and other floats may differ in their last digits."""
    if isinstance(ours, Exception) or isinstance(theirs, Exception):
        return isinstance(ours, Exception) and isinstance(theirs, Exception)
    if type(ours) is not type(theirs):
        return False
    if isinstance(ours, complex):
        return same(ours.real, theirs.real) and same(ours.imag, theirs.imag)
    if isinstance(ours, float):
        if ours == 0 or theirs == 0:
            return math.copysign(1, ours) == math.copysign(1, theirs) and ours == theirs
        return (ours != ours and theirs != theirs) or math.isclose(ours, theirs, rel_tol=1e-12)
    if isinstance(ours, dict):
        return same(list(ours.items()), list(theirs.items()))
    if isinstance(ours, (list, tuple)):
        return len(ours) == len(theirs) and all(map(same, ours, theirs))
    return ours == theirs
