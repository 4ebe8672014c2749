"""Operators of one's own: a pointwise one by its scalar body, one by a NumPy kernel, and one by a decomposition.

python -m examples.custom_operator
"""

import numpy as np

import torchscript_dialect as ts
from torchscript_dialect import torch

# One line: kernel, broadcasting, shape rule and compiled code follow from the body.
ts.register_operator(
    "my::fma(Tensor a, Tensor b, Tensor c) -> Tensor",
    scalar=lambda m, a, b, c: m.add(m.mul(a, b), c),
    grad="grad * b, grad * a, grad",
)

# Anything that NumPy does. The result has the dtype and the shape of the operand, which is what the shape rule says.
ts.register_operator(
    "my::flip_rows(Tensor x) -> Tensor",
    lambda x: np.ascontiguousarray(x.numpy()[::-1]),
    shape=lambda x: x,
)

# TorchScript: what it is made of fuses with what is around it.
ts.register_operator(
    "my::smooth(Tensor x, float weight=0.5) -> Tensor",
    decompose="""
def smooth(x: Tensor, weight: float) -> Tensor:
    return torch.ops.my.fma(x, torch.sigmoid(x), x) * weight
""",
)


@ts.script
def f(x, y):
    return torch.ops.my.smooth(torch.ops.my.fma(x, y, y), 2.0)


SOURCE = """
def g(x):
    return torch.ops.my.flip_rows(torch.ops.my.fma(x, x, x))
"""


def main() -> None:
    x = np.linspace(-1, 1, 6, dtype=np.float32).reshape(3, 2)
    for _ in range(3):
        result = f(x, x)
    print(result)
    print(f"native calls: {f.native_calls}")  # all of f is one kernel
    print(f.graph_for(x, x))
    print(ts.to_linalg(f, (x, x)))

    unit = ts.CompilationUnit(SOURCE)
    print(unit.g.code)
    print(unit.g(x))


if __name__ == "__main__":
    main()
