"""Operators of one's own: a pointwise one by its scalar body, two by NumPy kernels, one of them with its lowering, and one by a
decomposition.

python -m examples.custom_operator
"""

import numpy as np

import torchscript_dialect as ts
from lowering.linalg.element import Element
from lowering.linalg.operands import constant, is_dense, is_known
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import broadcast_axes
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
    shape=lambda facts: facts[0],
)


class Ramp(OperatorLowering):
    """`my::ramp(%x, %slope)` becomes `max(x, 0) + slope * min(x, 0)` in a `linalg.generic`."""

    @classmethod
    def takes(cls, op):
        return is_known(op.x) and is_dense(op.x) and constant(op.slope) is not None

    def shapes(self, b, op):
        return [b.shapes[op.x]]

    def lower(self, b, op):
        shape, of, slope = b.shapes[op.x], b.dtype_of(op.x), b.constant(op.slope)

        def body(math, elements):
            (x,) = elements
            return math.add(math.maximum(x, 0.0), math.mul(math.minimum(x, 0.0), slope))

        return [b.generic(shape, of, [Element(op.x, of, broadcast_axes(shape, shape))], body, op)]


# A kernel for the interpreter, what is known of its result, how kernels compute it, and its gradient.
ts.register_operator(
    "my::ramp(Tensor x, float slope) -> Tensor",
    lambda x, slope: np.where(x.numpy() > 0, x.numpy(), x.numpy() * x.numpy().dtype.type(slope)),
    shape=lambda facts: facts[0],
    lower=Ramp,
    grad="torch.where(x > 0, grad, grad * slope), None",
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
    return torch.ops.my.smooth(torch.ops.my.ramp(torch.ops.my.fma(x, y, y), 0.1), 2.0)


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
