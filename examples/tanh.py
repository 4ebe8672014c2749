"""The function that the JIT Technical Overview compiles first: additions, products and a tanh."""

import numpy as np

from examples._torch import show, torch


def f(a, b):
    c = a + b
    d = c * c
    e = torch.tanh(d * c)
    return d + (e + e)


if __name__ == "__main__":
    show(f, np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3), np.full((3,), 0.5, np.float32))
