"""A branch: `prim::If` with a value that both blocks give."""

import numpy as np

from examples._torch import show


def f(a, b, c: bool):
    d = a + b
    if c:
        e = d + d
    else:
        e = b + d
    return e


if __name__ == "__main__":
    show(f, np.arange(3, dtype=np.float32), np.ones(3, np.float32), True)
