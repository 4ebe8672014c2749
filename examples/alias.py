"""An argument written to in place, and a result that is a view of one argument or the other."""

import numpy as np

from examples._torch import show, torch


def foo(a: torch.Tensor, b: torch.Tensor):
    c = 2 * b
    a += 1
    if a.max() > 4:
        r = a[0]
    else:
        r = b[0]
    return c, r


if __name__ == "__main__":
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    show(foo, a, np.zeros((2, 3), np.float32))
    print(a)
