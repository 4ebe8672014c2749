"""Random well-typed programs that mean the same in Python and in TorchScript, and what sets a run of one apart from Python's.

    PYTHONPATH=.:test python -m support.random_programs [COUNT] [FIRST_SEED]

PyTorch takes part where it is installed; COUNT is 2000 by default. A program that takes too long ends the run with a traceback.

A program is a text with a few functions, the last of which, `main`, takes and returns values of every type. Integers stay
small by construction (values that are stored are taken modulo a number), every index is taken modulo a length that is
tested, loops are bounded. Where tensors are concerned the same text runs on NumPy arrays.

Left out, as TorchScript is another language than Python there (ours agrees with PyTorch):
- `%=` (a float even of ints) and `**` of ints (a float);
- str() of floats (digits), `%` and `//` of floats;
- storing a fraction in a part of a tensor (rounded to float32), `x[i]` of a tensor without int() (a scalar in NumPy);
- changing a container while iterating over it (its length is taken once);
- variables that are assigned in one branch only and read afterwards, and assignment to an Optional variable that there is already
  (what its type is refined to there decides whether the program is well-typed);
- `break` and `continue` under `if x is None`: only `return` and `raise` refine what follows;
- `//=` and `str * int`, which it does not have.

Left out, as PyTorch's parser of texts differs from Python and from its own reading of functions (ours does not): comparisons in
a chain (`a < b < c` is `(a < b) < c` there), comprehensions with several targets, and a comprehension as the first element of a list.

Left out, as PyTorch 2.13 computes something else than Python, by mistake. Ours does what Python does, which
test/unit/runtime/test_beyond_pytorch.py holds:
- calls of functions that write in the left operand of `%`, which is computed twice (Expressions.modulo);
- loops that make one value, where the next instruction takes it after another one that the loop reads (Program.mark);
- assignment in a loop to a container or tensor from outside the loop that is written to: alias analysis knows neither that the next
  round begins with it, nor that a loop without rounds leaves what was there (Program.assign). Of what is never written
  to (the kinds trail and total), loops do make new values.
Not left out, as it is rare: 0.0 and -0.0 are one constant to PyTorch.
"""

import faulthandler
import random
import re
import sys
import time
from collections.abc import Callable
from typing import Any, Optional

import numpy as np

import torchscript_dialect as ts
from support.at_once import CALLS, at_once
from support.random_statements import Program
from support.reduced import report
from torchscript_dialect.reducer import SourceText
from torchscript_dialect.tensor.conversion import as_tensor

LIMIT = 60.0
"""Seconds that a program may take: all take less than one."""


def source(seed: int) -> str:
    """The text of the program with this number."""
    return Program(seed).write()


def arguments(seed: int) -> list[Any]:
    """Fresh arguments of `main`; tensors are arrays."""
    r = random.Random(seed)
    return [
        [],
        r.randint(-20, 20),
        r.randint(-40, 40) / 8,
        r.random() < 0.5,
        r.choice(["", "abc", "banana", "X"]),
        [r.randint(-9, 9) for _ in range(r.randint(0, 4))],
        [r.choice(["a", "bb", "xyz"]) for _ in range(r.randint(0, 3))],
        [[r.randint(-9, 9) for _ in range(r.randint(0, 3))] for _ in range(r.randint(0, 3))],
        {key: r.randint(-9, 9) for key in r.sample(["a", "b", "key"], 2)},
        {r.randint(0, 4): 0.25},
        {key: [r.randint(-9, 9)] for key in r.sample(["a", "b", "key"], 2)},
        r.choice([None, 3, -3]),
        r.choice([None, "w", "abc"]),
        (r.randint(-9, 9), r.choice(["p", "qa"])),
        ((r.randint(-9, 9), r.choice(["p", "qa"])), [r.randint(-9, 9), 1]),
        np.array([r.randint(-9, 9) for _ in range(3)]),
        np.array([r.randint(-40, 40) / 8 for _ in range(3)]),
        [r.randint(-9, 9) for _ in range(2)],
        np.array([r.randint(-40, 40) / 8 for _ in range(3)]),
    ]


def outcome(function: Callable[..., Any], seed: int, to_tensor: Callable[[Any], Any]) -> Any:
    """The result and the tensors as the call left them (containers are copied when passed); or that it raised."""
    args = [to_tensor(arg) if isinstance(arg, np.ndarray) else arg for arg in arguments(seed)]
    tensors = [arg for arg in args if hasattr(arg, "tolist")]
    try:
        return plain((function(*args), tensors))
    except Exception as error:
        if "on purpose" in str(error):
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
    seed: int, script: Callable[[str], Any], to_tensor: Callable[[Any], Any], *, calls: int = 1
) -> str | None:
    """What sets the calls of a program as `script` compiles it apart from the same program in Python, with the smallest program that
    shows it; None if nothing does."""
    text = source(seed)

    def find(text: str) -> str | None:
        return difference_of(text, seed, script, to_tensor, calls)

    if find(text) is None:
        return None
    return f"program {seed}: {report(SourceText(), text, find)}"


def difference_of(
    text: str,
    seed: int,
    script: Callable[[str], Any],
    to_tensor: Callable[[Any], Any],
    calls: int = 1,
) -> str | None:
    """What sets calls of a text apart from itself in Python, for the arguments with that number."""
    wanted = outcome(in_python(text), seed, lambda array: array)
    try:
        main = script(text).main
        given = [outcome(main, seed, to_tensor) for _ in range(calls)]
    except Exception as error:
        kind = re.sub(r"[\W\d]+", " ", str(error).strip().split("\n")[0])
        return f"{type(error).__name__} {kind}: {error}\nshould give {wanted}"
    if "<function" in repr(wanted):
        return None  # a function is no result; a reducer makes such programs
    for number, got in enumerate(given):
        if repr(got) != repr(wanted):
            return f"another result: call {number + 1} gave {got}\nshould give {wanted}"
    return None


def compiled_difference(seed: int) -> str | None:
    """As `difference` of ours, called until all is compiled that usually is after many calls."""
    with at_once():
        return difference(seed, ts.CompilationUnit, as_tensor, calls=CALLS)


def main() -> int:
    given = [int(arg) for arg in sys.argv[1:3]]
    count, first = given + [2000, 0][len(given) :]
    sides: list[tuple[str, Any, Any]] = [("ours", ts.CompilationUnit, as_tensor)]
    try:
        import torch
    except ImportError:
        print("PyTorch is not installed: ours against Python only")
    else:
        sides.append(("PyTorch", torch.jit.CompilationUnit, torch.from_numpy))
    failed, start = 0, time.perf_counter()
    for seed in range(first, first + count):
        print(f"program {seed}", end="\r", file=sys.stderr, flush=True)
        faulthandler.dump_traceback_later(LIMIT, exit=True)
        for name, script, to_tensor in sides:
            if found := difference(seed, script, to_tensor):
                failed += 1
                print(f"{name}: {found}\n")
    faulthandler.cancel_dump_traceback_later()
    print(f"{count} programs, {failed} differences, {time.perf_counter() - start:.1f} s")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
