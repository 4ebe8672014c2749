"""A module: a class type, a method with a type comment, and a branch over an `int` argument."""

import numpy as np

from examples._torch import show, torch


class M(torch.nn.Module):
    def forward(self, x, y, z):
        # type: (Tensor, int, float) -> Tensor
        if y > 2:
            x = x + z
        else:
            x = x + y
        return x


if __name__ == "__main__":
    show(M(), np.zeros(3, np.float32), 3, 0.5)
