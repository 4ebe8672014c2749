"""A counted loop: `prim::Loop` with a loop-carried value."""

import numpy as np

from examples._torch import show


def f(x):
    z = x
    for i in range(x.size(0)):
        z = z * z
    return z


if __name__ == "__main__":
    show(f, np.array([0.5, 1.0, 1.5], np.float32))
