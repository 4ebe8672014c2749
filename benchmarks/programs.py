"""Times programs of numbers, lists, texts and dictionaries beside torch.jit in one run.

    python -m benchmarks.programs [NAME ...] [--rounds N]

Each program is compiled by both from the same text and called by turns: processor time of the calling thread, the least of N rounds. A
ratio above 1 means that PyTorch is faster. Both give the same, or it is an error. Needs PyTorch.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from typing import Any

WARM = 40
"""Calls before any is timed."""
TEXT = "It was the best of times, it was the worst of times " * 20
WORDS = TEXT.split()[:220]

PROGRAMS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "floats": (
        """
def f(n: int) -> float:
    s = 0.0
    for i in range(n):
        s = s * 0.5 + float(i)
    return s
""",
        (10_000,),
    ),
    "ints": (
        """
def f(n: int) -> int:
    s = 0
    for i in range(n):
        s = s + i * 2 - 1
    return s
""",
        (10_000,),
    ),
    "primes": (
        """
def f(n: int) -> int:
    found = 0
    for i in range(2, n):
        is_prime = True
        d = 2
        while d * d <= i:
            if i % d == 0:
                is_prime = False
                break
            d += 1
        if is_prime:
            found += 1
    return found
""",
        (2_000,),
    ),
    "sum_of_ints": (
        """
def f(x: List[int]) -> int:
    s = 0
    for v in x:
        s += v
    return s
""",
        (list(range(1000)),),
    ),
    "length_of_ints": ("def f(x: List[int]) -> int:\n    return len(x)\n", (list(range(1000)),)),
    "length_of_floats": (
        "def f(x: List[float]) -> int:\n    return len(x)\n",
        ([float(i) for i in range(1000)],),
    ),
    "length_of_dict": (
        "def f(x: Dict[str, int]) -> int:\n    return len(x)\n",
        ({str(i): i for i in range(1000)},),
    ),
    "squares": (
        """
def f(n: int) -> List[int]:
    r: List[int] = []
    for i in range(n):
        r.append(i * i)
    return r
""",
        (300,),
    ),
    "most_frequent": (
        """
def f(words: List[str]) -> str:
    counts: Dict[str, int] = {}
    for word in words:
        if word in counts:
            counts[word] += 1
        else:
            counts[word] = 1
    best = ""
    most = 0
    for word, count in counts.items():
        if count > most:
            most = count
            best = word
    return best
""",
        (WORDS,),
    ),
    "without_vowels": (
        """
def f(text: str) -> str:
    kept = ""
    for c in text:
        if c not in "aeiou":
            kept += c
    return kept
""",
        (TEXT[:920],),
    ),
    "stripped": (
        """
def f(words: List[str]) -> str:
    out: List[str] = []
    for word in words:
        out.append(word.strip().lower())
    return " ".join(out)
""",
        ([f"  {word} " for word in WORDS],),
    ),
}


def seconds(call: Callable[[], Any], calls: int = 3) -> float:
    """Processor time of one call."""
    start = time.thread_time()
    for _ in range(calls):
        call()
    return (time.thread_time() - start) / calls


def measured(text: str, arguments: tuple[Any, ...], rounds: int) -> tuple[float, float]:
    """Seconds of a call by torch.jit, and here."""
    import torch

    import torchscript_dialect as ts

    theirs: Any = torch.jit.CompilationUnit(text)  # pyright: ignore[reportPrivateImportUsage]
    ours = ts.CompilationUnit(text)
    both: list[Callable[[], Any]] = [lambda: theirs.f(*arguments), lambda: ours.f(*arguments)]
    for _ in range(WARM):
        results = [call() for call in both]
        assert results[0] == results[1], results
    times = [[seconds(call) for call in both] for _ in range(rounds)]
    best = [min(column) for column in zip(*times, strict=True)]
    return best[0], best[1]


def main() -> None:
    """Print a row for each program."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="the programs; all by default")
    parser.add_argument("--rounds", type=int, default=30)
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    print("| program | torch.jit, µs | here, µs | ratio |\n| --- | --- | --- | --- |")
    for name in given.names or PROGRAMS:
        theirs, ours = measured(*PROGRAMS[name], given.rounds)
        row = f"| {name} | {theirs * 1e6:,.1f} | {ours * 1e6:,.1f} | {ours / theirs:.2f} |"
        print(row, flush=True)


if __name__ == "__main__":
    main()
