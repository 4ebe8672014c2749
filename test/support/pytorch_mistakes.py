"""Small programs that PyTorch 2.13 gets wrong, found by random programs. Ours does what Python does."""

import math
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from support.random_programs import plain


@dataclass(frozen=True)
class Mistake:
    """A function `main`, and arguments for which PyTorch returns something else than Python, or fails."""

    text: str
    args: tuple[Any, ...]
    result: Any

    def run(self, function: Callable[..., Any], to_tensor: Callable[[Any], Any]) -> Any:
        """What it returns for fresh arguments, with lists for tensors."""
        args = [
            to_tensor(arg.copy()) if isinstance(arg, np.ndarray) else copy(arg) for arg in self.args
        ]
        with np.errstate(all="ignore"):
            return plain(function(*args))


LEFT_OF_MODULO = Mistake(
    """
def push(log: List[int]) -> int:
    log.append(7)
    return 5

def main() -> List[int]:
    log: List[int] = []
    log.append(push(log) % 3)
    return log
""",
    (),
    [7, 2],
)
"""The emitter emits a left operand of `%` twice: once to see whether it is a text to format."""

READ_BY_A_LOOP_TOO = Mistake(
    """
def main(x: int, large: bool, change: bool) -> Tuple[int, bool]:
    if change:
        x = x % 1009
        for i in range(3):
            large = x >= 1
    return x, large
""",
    (13, False, True),
    (13, True),
)
"""The interpreter runs a loop with one result as an operand of the `return` of its block, after it loaded `x`. So its last use of `x` by
count stands in the loop, and the first round takes `x` away from the second."""

CONSTANT_OF_A_LOOP = Mistake(
    """
def main(items: List[int], n: int) -> List[int]:
    for i in range(n):
        items.append(i)
        items = [1][:8]
    return items
""",
    ([0], 3),
    [1],
)
"""Alias analysis does not know that a round begins with what the one before left: what is appended to becomes a constant."""

LOOP_WITHOUT_ROUNDS = Mistake(
    """
def twice(x: Tensor, n: int) -> int:
    for i in range(n):
        x = x * 2
    x += 3
    return n

def main(x: Tensor, n: int) -> Tensor:
    twice(x, n)
    return x
""",
    (np.array([1.0, 2.0]), 0),
    [4.0, 5.0],
)
"""Alias analysis does not know that a loop may leave what it began with: the write to the caller's tensor is dead code to it."""

ZEROS_ARE_ONE_CONSTANT = Mistake(
    """
def main(x: Tensor, rounds: int) -> Tuple[float, Tensor]:
    n, total = 0, 0.0
    for i in range(rounds):
        total += 1.0
    return total, 1.0 / (x * (n / -4))
""",
    (np.array([1.0]), 0),
    (0.0, [-math.inf]),
)
"""Constants are pooled if they are equal: a negative zero, which `n / -4` is folded to, becomes the zero before it."""

MISTAKES = {
    "left_of_modulo": LEFT_OF_MODULO,
    "read_by_a_loop_too": READ_BY_A_LOOP_TOO,
    "constant_of_a_loop": CONSTANT_OF_A_LOOP,
    "loop_without_rounds": LOOP_WITHOUT_ROUNDS,
    "zeros_are_one_constant": ZEROS_ARE_ONE_CONSTANT,
}
