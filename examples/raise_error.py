"""A `raise` in one branch: `prim::RaiseException`, and `prim::Uninitialized` for the value that never comes."""

import math

from examples._torch import show


def f(i: int):
    if i < 0:
        raise Exception("Negative input")
    else:
        return math.sqrt(i)
    print(i)


if __name__ == "__main__":
    show(f, 2)
