"""A loop whose length is the rank of its argument: constant for each specialization, so it unrolls."""

import numpy as np

from examples._torch import show


def fn(x):
    for i in range(x.dim()):
        x = x * x
    return x


if __name__ == "__main__":
    show(fn, np.full((2, 2), 2, np.float32))
