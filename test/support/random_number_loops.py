"""Random loops over numbers: native functions give what the interpreter gives, to the last bit, and raise only if it raises.

    PYTHONPATH=.:test python -m support.random_number_loops [COUNT] [FIRST_SEED]

A loop assigns numbers of all kinds and reads lists, under conditions and in inner loops, and may end before its time. Values are of any
size: ints wrap around, what is divided by may be zero, and places may lie outside of lists.
"""

from __future__ import annotations

import math
import random
import sys
from typing import Any

import torchscript_dialect as ts
from support.at_once import CALLS, at_once, native_loops
from support.reduced import report
from torchscript_dialect.reducer import SourceText

LOWEST, HIGHEST = -(2**63), 2**63 - 1
OPERATORS = {
    "int": [
        *("{i} + {i}", "{i} - {i}", "{i} * {i}", "{i} // {i}", "{i} % {i}", "-{i}", "abs({i})"),
        *("min({i}, {i})", "max({i}, {i})", "xs[{i} % 4]", "xs[{i}]", "int({b})", "{i} & {i}"),
        *("{i} | {i}", "{i} ^ {i}", "int({f})", "{i} // 3", "{i} % 7", "len(xs)", "len(ys)"),
        *("xs[-1]", "{i} if {b} else {i}", "int({i} / 2)", "xs[len(xs) - 1 - {i}]"),
    ],
    "float": [
        *("{f} + {f}", "{f} - {i}", "{i} * {f}", "{f} / {f}", "{i} / {i}", "-{f}", "abs({f})"),
        *("min({f}, {f})", "max({f}, {f})", "ys[{i} % 3]", "float({i})", "math.sqrt({f})", "ys[{i}]"),
        *("{f} if {b} else {f}", "float({b})", "{i} + 0.5"),
    ],
    "bool": [
        *("{i} < {i}", "{f} >= {f}", "{i} == {i}", "{f} != {i}", "not {b}", "{b} and {b}"),
        *("{b} or {b}", "bool({i})", "{i} <= {f}", "{b} == {b}", "bool({f})", "{b} != {b}"),
        *("{b} if {b} else {b}", "{f} < {i}"),
    ],
}  # fmt: skip
INTERPRETED = {
    "int": ["{i} << 3", "{i} >> 2", "math.floor({f})", "math.ceil({f})", "int(round({f}))"],
    "float": ["math.sin({f})", "{f} ** 2", "{f} % 3.0", "{f} // 2.0", "math.copysign({f}, {f})", "math.exp({f})"],
    "bool": ["math.isnan({f})", "math.isinf({f})"],
}  # fmt: skip
"""Operators that no native loop has."""
NAMES = {"int": "abi", "float": "uv", "bool": "pq"}
ARGUMENTS: tuple[tuple[Any, ...], ...] = (
    ([3, -1, 4, 10], [0.5, -0.0, 2.0], 6, 1.25),
    ([0, LOWEST, HIGHEST, 7], [math.inf, 1e300, -3.5], 9, -0.0),
    ([2], [1.0], 3, math.nan),
    ([], [], 0, 4.0),
    ([number * 37 % 101 - 50 for number in range(300)], [number / 8 for number in range(100)], 40, 0.75),
    ([1] * 5000, [0.5] * 4500, 70, -2.0),
)  # fmt: skip


RAISED = "The following operation failed"
"""How what the interpreter raises begins: what raises there may be dead code to the compiler, as `a / 0 != a / 0` is."""


class Program:
    """The function `f` with a number."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.r = random.Random(f"loops {seed}")
        self.native = False
        """Whether a comparison came to a native loop."""
        self.text = (
            "def f(xs: List[int], ys: List[float], n: int, u: float) -> Tuple[int, int, float, float, bool, bool]:\n"
            "    a, b, v, p, q = n, 1, 0.5, False, True\n"
            f"{self.loop()}    return a, b, u, v, p, q\n"
        )

    def loop(self) -> str:
        r, lines = self.r, list[str]()
        head = r.choice(("for i in range(n):",) * 3 + ("for i in xs:", "for i in range(n, 0, -2):"))
        before = ""
        if r.random() < 0.2:
            head, before = "while i < n:", "    i = 0\n"
            lines.append("i += 1")
        for _ in range(r.randint(2, 5)):
            lines += self.statement()
        if r.random() < 0.3:
            end = r.choice(("break", "break", "continue"))
            at = (
                r.randint(1, len(lines))
                if head.startswith("for") and end == "continue"
                else len(lines)
            )
            while at < len(lines) and lines[at].startswith(" "):
                at += 1
            lines[at:at] = [f"if {self.expression('bool', 2)}:", f"    {end}"]
        return f"{before}    {head}\n" + "".join(f"        {line}\n" for line in lines)

    def statement(self) -> list[str]:
        r = self.r
        kind = r.choice(("int", "float", "bool"))
        name = r.choice(NAMES[kind].replace("i", ""))
        assignment = f"{name} = {self.expression(kind, 3)}"
        form = r.randrange(8)
        if form < 2:
            return [f"if {self.expression('bool', 2)}:", f"    {assignment}"]
        if form == 2:
            return [f"for j in range({r.randint(1, 3)} + i % 5):", f"    {assignment}"]
        if form == 3:
            other = f"{name} = {self.expression(kind, 2)}"
            return [
                f"if {self.expression('bool', 2)}:",
                f"    {assignment}",
                "else:",
                f"    {other}",
            ]
        if form == 4:
            most = r.randint(1, 4)
            return [
                "w = 0",
                f"while w < {most} and ({self.expression('bool', 1)}):",
                "    w += 1",
                f"    {assignment}",
            ]
        if form == 5 and kind != "bool":
            return [f"{name} {r.choice(('+=', '-=', '*='))} {self.expression(kind, 2)}"]
        return [assignment]

    def expression(self, kind: str, depth: int) -> str:
        r = self.r
        if depth == 0 or r.random() < 0.2:
            if kind == "int" and r.random() < 0.3:
                return str(r.choice((0, 1, 2, 3, 5, -1, -4, 2**31, HIGHEST)))
            return r.choice(NAMES[kind])
        text = r.choice((INTERPRETED if r.random() < 0.02 else OPERATORS)[kind])
        for place, inner in (("{i}", "int"), ("{f}", "float"), ("{b}", "bool")):
            while place in text:
                text = text.replace(place, f"({self.expression(inner, depth - 1)})", 1)
        return text


def outcome(function: Any, arguments: tuple[Any, ...]) -> str:
    """What a call gives, or the text of what it raises."""
    given = [list(one) if isinstance(one, list) else one for one in arguments]
    try:
        return repr(function(*given))
    except RuntimeError as error:
        return str(error)


def compare(program: Program) -> str | None:
    """What sets a program's loops apart from interpreted ones, with the smallest program that shows it; None if nothing does."""
    found = difference_of(program.text, program)
    if found is None:
        return None
    return f"program {program.seed}: {report(SourceText(), program.text, difference_of)}"


def difference_of(text: str, program: Program | None = None) -> str | None:
    """As `compare`, of a text; the program is told whether there was a native loop."""
    with ts.optimized_execution(False):
        interpreted = ts.CompilationUnit(text).f
        expected = [outcome(interpreted, arguments) for arguments in ARGUMENTS]
    with at_once():
        function = ts.CompilationUnit(text).f
        for call in range(CALLS):
            for arguments, wanted in zip(ARGUMENTS, expected, strict=True):
                made = outcome(function, arguments)
                if made != wanted and not wanted.startswith(RAISED):
                    return f"another result: call {call + 1} with {arguments!s:.200} gives {made}\nshould give {wanted}"
        if program is not None:
            program.native = native_loops(function) > 0
    return None


def main() -> int:
    given = [int(arg) for arg in sys.argv[1:3]]
    count, first = given + [1000, 0][len(given) :]
    failed = native = 0
    for seed in range(first, first + count):
        program = Program(seed)
        if found := compare(program):
            failed += 1
            print(f"{found}\n", flush=True)
        native += program.native
    print(f"{count} programs, {native} with a native loop, {failed} differences")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
