"""Random calls of operators, most of them wrong, compiled here and by PyTorch: what is refused, and with which text.

`PYTHONPATH=..:. python -m support.random_calls COUNT SEED`, in test/, prints what differs.
"""

import keyword
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from types import BuiltinFunctionType

import torch

from torchscript_dialect import torch as stand_in
from torchscript_dialect.ops import registry

PARAMETERS = (
    "x: Tensor, y: Tensor, i: int, j: int, f: float, b: bool, s: str, li: List[int], lf: List[float], lt: List[Tensor],"
    " ot: Optional[Tensor], oi: Optional[int], d: Dict[str, int], tp: Tuple[int, float], c: complex, ls: List[str], dv: Device"
)
OPERANDS = "x y i j f b s li lf lt ot oi d tp c ls dv 1 2.5 True None 'a' [1,2] [1.5] (1,2) [x,y] -1 1j []".split()
KEYWORDS = (
    "dim keepdim dtype out alpha other input self size value p mode reduction foo weight".split()
)
OF_TYPE = {
    "Tensor": "x",
    "int": "i",
    "float": "f",
    "bool": "b",
    "int[]": "li",
    "Tensor[]": "lt",
    "str": "s",
    "number": "f",
}


@cache
def names() -> list[str]:
    """The operators that text calls by name in both: PyTorch has others in Python by the same names."""
    found = {name.removeprefix("aten::") for name in registry.names() if name.startswith("aten::")}
    return sorted(
        name
        for name in found
        if isinstance(getattr(torch, name, None), BuiltinFunctionType)
        and not any(
            keyword.iskeyword(a.name)
            for o in registry.lookup(f"aten::{name}")
            for a in o.schema.arguments
        )
    )


def call(draw: random.Random) -> str:
    """An expression: operands and keywords at random, or those of a schema, but for one."""
    name = draw.choice(names())
    overload = draw.choice(registry.lookup(f"aten::{name}")).schema.arguments
    operands = [draw.choice(OPERANDS) for _ in range(draw.randint(0, 4))]
    if draw.random() < 0.5 and overload:
        right = [OF_TYPE.get(a.type.repr_str, "None") for a in overload if not a.kwarg_only]
        operands = right[: draw.randint(0, len(right))]
        if operands:
            operands[draw.randrange(len(operands))] = draw.choice(OPERANDS)
    given = [argument.name for argument in overload] if draw.random() < 0.4 else KEYWORDS
    chosen = {
        draw.choice(given or KEYWORDS): draw.choice(OPERANDS)
        for _ in range(draw.choice((0, 0, 0, 1, 1, 2)))
    }
    text = ", ".join([*operands, *(f"{key}={value}" for key, value in chosen.items())])
    return f"torch.{name}({text})"


def _error(module: object, text: str) -> str | None:
    try:
        module.jit.CompilationUnit(text)  # pyright: ignore[reportAttributeAccessIssue]
    except Exception as error:
        return str(error).strip()
    return None


_HINT = re.compile(r"Keyword argument \w+ unknown\. Did you mean '\w+'\?\n")
"""What we say more."""


def differences(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """For each of `count` calls the expression, and what is unlike: "" where both compile it or refuse it with the same text."""
    draw = random.Random(seed)
    for _ in range(count):
        expression = call(draw)
        text = f"def f({PARAMETERS}):\n    return {expression}\n"
        theirs, ours = _error(torch, text), _error(stand_in, text)
        ours = None if ours is None else _HINT.sub("", ours)
        yield expression, "" if theirs == ours else f"{theirs}\n---\n{ours}"


def main() -> None:
    counts: Counter[str] = Counter()
    for expression, difference in differences(int(sys.argv[1]), int(sys.argv[2])):
        counts["differs" if difference else "same"] += 1
        if difference:
            print(f"{expression}\n{difference}\n")
    print(dict(counts))


if __name__ == "__main__":
    main()
