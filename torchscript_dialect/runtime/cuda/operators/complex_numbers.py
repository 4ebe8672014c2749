"""Operators on complex numbers of the device, whose kernels have real elements alone.

Note [Complex numbers of devices]
Real and imaginary parts are views of the memory of a complex tensor, so an operator is made of operators on these:

- a pointwise one reads its scalar body a third time, on pairs of tensors (`complex_math.py`), as one kernel;
- a linear one is that of the real parts and that of the imaginary parts (`BY_PARTS`), a product those of all pairs of parts;
- transforms of Fourier are products of matrices (`fourier.py`);
- what else has a way here stands in `_MADE`.

The rest goes through the host, as operators do that have no kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, cast

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.pointwise.pointwise_declaration import Pointwise, Role
from torchscript_dialect.ops.pointwise.pointwise_evaluator import Evaluator
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.fused_functions import fused_at_once
from torchscript_dialect.runtime.cuda.operators.complex_math import PAIRS, Pair
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.strides import empty_like
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, wrap_dim


def parts(x: Tensor) -> tuple[Tensor, Tensor]:
    """The real and the imaginary parts: views."""
    array: Any = x.array
    return tensor_of(array.real), tensor_of(array.imag)


def joined(real: Tensor, imag: Tensor) -> Tensor:
    """The complex numbers with these parts, which have one shape and dtype."""
    made = tensor_of(empty_like(real.array, real.dtype.to_complex().numpy_dtype))
    for part, value in zip(parts(made), (real, imag), strict=True):
        memory().assign(part.array, value.array)  # pyright: ignore[reportArgumentType]
    return made


def are_given(operands: Sequence[Any]) -> bool:
    """Whether one of the operands is a complex number or a tensor of these."""
    return any(
        operand.__class__ is complex
        or (isinstance(operand, Tensor) and operand.array.dtype.kind == "c")
        for operand in operands
    )


class _Place(NamedTuple):
    """An operand of a pointwise operator that is so many tensors, its parts."""

    parts: int
    is_kept: bool
    """Whether the body gets it as it is."""


@lru_cache(maxsize=512)
def _evaluator(name: str) -> Evaluator:
    operator = registry.find(name)
    assert operator is not None
    return Evaluator(operator)


def pointwise(operator: Operator, operands: Sequence[Any]) -> Any:
    """What a pointwise operator gives; NOTHING where its body is not one of complex numbers."""
    declared = operator.rules.pointwise
    if not isinstance(declared, Pointwise) or declared.numpy_only:
        return NOTHING
    evaluator = _evaluator(operator.qualified_name)
    common, result = evaluator.dtypes(operands)
    if declared.check is not None:
        declared.check(common)
    given: list[Any] = []
    tensors: list[Tensor] = []
    for operand, name, role, is_kept in zip(
        operands, evaluator.names, evaluator.roles, evaluator.keeps, strict=False
    ):
        own: Sequence[Tensor] = ()
        if isinstance(operand, Tensor):
            own = parts(operand) if operand.dtype.is_complex else (operand,)
        elif operand is not None and role is Role.NUMBER:
            number = evaluator.number(operand, name, common)
            if operand.__class__ is int and operand == 1 and common.is_complex:
                operand = complex(1)  # times which infinities are no numbers
            elif name != "exponent":
                own = parts(tensor_of(memory().from_host(number)))
        given.append(_Place(len(own), is_kept) if own else operand)
        tensors += own
    try:
        found = _body(*tensors, name=operator.qualified_name, given=tuple(given), common=common)
    except (NotImplementedError, TypeError):
        return NOTHING
    if len(found) == 2:
        return joined(*found)
    return found[0] if found[0].dtype is result else NOTHING


@fused_at_once
def _body(*tensors: Tensor, name: str, given: Sequence[Any], common: dtypes.dtype) -> list[Tensor]:
    """The parts of what the body of an operator gives, or the one tensor, for operands of a common dtype; those that are no tensors are
    what they are.
    """
    left = iter(tensors)
    values: list[Any] = []
    for one in given:
        if isinstance(one, _Place):
            own = [next(left) for _ in range(one.parts)]
            value: Any = own[0] if len(own) == 1 else Pair(*own)
            values.append(value if one.is_kept else PAIRS.cast(value, common.name))
        else:
            values.append(one)
    found = _evaluator(name).pointwise.body_for(common)(PAIRS, *values)
    return [found.real, found.imag] if isinstance(found, Pair) else [found]


# Linear operators and products


def _run(operator: Operator, operands: Sequence[Any]) -> Any:
    assert operator.placed is not None
    return operator.placed(*operands)


def _by_parts(operator: Operator, operands: Sequence[Any]) -> Any:
    """What an operator gives of the real parts of its tensors of numbers, and of the imaginary ones."""
    found: list[Any] = []
    for part in range(2):
        given: list[Any] = []
        for operand, argument in zip(operands, operator.schema.arguments, strict=True):
            is_tensor = isinstance(operand, Tensor)
            if operand.__class__ is complex or (is_tensor and operand.dtype.is_floating_point):
                return NOTHING
            if argument.name == "dtype" and operand is not None:
                wanted = dtypes.from_scalar_type(cast("int", operand))
                if not wanted.is_complex:
                    return NOTHING
                given.append(wanted.to_real().scalar_type)
            elif is_tensor and operand.dtype.is_complex:
                given.append(parts(operand)[part])
            else:
                given.append(operand)
        found.append(_run(operator, given))
    return joined(*found)


def _product(operator: Operator, operands: Sequence[Any]) -> Any:
    """What is linear in each of two complex tensors: of all pairs of parts; a bias, the third operand, is added once."""
    x, y, *rest = operands
    if not (x.dtype.is_complex and y.dtype is x.dtype):
        return NOTHING
    bias = rest[0] if rest and isinstance(rest[0], Tensor) else None
    if bias is not None and bias.dtype is not x.dtype:
        return NOTHING
    none = [None, None]
    (a, b), (c, d), (first, second) = parts(x), parts(y), none if bias is None else parts(bias)

    def of(left: Tensor, right: Tensor, added: Tensor | None) -> Tensor:
        given = [left, right, *([added, *rest[1:]] if rest else [])]
        return _run(operator, given)

    return joined(of(a, c, first).sub(of(b, d, None)), of(a, d, second).add(of(b, c, None)))


BY_PARTS = frozenset(
    f"aten::{name}"
    for name in "sum mean nansum cumsum index_add scatter_add trace im2col col2im nan_to_num pixel_unshuffle"
    " reflection_pad1d_backward reflection_pad2d_backward reflection_pad3d_backward"
    " replication_pad1d_backward replication_pad2d_backward replication_pad3d_backward".split()
)
"""Operators that do with the real parts, and with the imaginary ones, what they do with real numbers."""
MOVES = frozenset(
    f"aten::{name}"
    for name in "index_select gather take index scatter index_copy index_put put masked_scatter masked_select".split()
)
"""Operators that move elements, which kernels do with those of 8 bytes at most, and with larger ones by parts."""
PRODUCTS = frozenset(
    f"aten::{name}"
    for name in "mm bmm conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d convolution"
    " _convolution _convolution_mode".split()
)
"""Operators that are linear in each of two tensors."""


# Others


def _conjugated(x: Tensor) -> Tensor:
    real, imag = parts(x)
    return joined(real, imag.neg())


def _conj(x: Tensor) -> Tensor:
    """`aten::conj`, which cannot be written to, as that of the host (`ops/views/complex_numbers.py`)."""
    result = _conjugated(x)
    result.array.flags.writeable = False
    return result


def _part(which: int) -> Callable[..., Any]:
    def run(x: Tensor) -> Tensor:
        return parts(x)[which]

    return run


def _angle(x: Tensor) -> Tensor:
    real, imag = parts(x)
    return call("aten::atan2", (imag, real))


def _is_real(x: Tensor) -> Tensor:
    return parts(x)[1].eq(0)


def _any(name: str) -> Callable[..., Any]:
    def run(x: Tensor, *options: Any) -> Tensor:
        return call(name, (x.ne(0), *options))

    return run


def of_dtype(x: Tensor, wanted: dtypes.dtype) -> Tensor:
    """A tensor with another dtype, of which one is complex: of complex numbers the real parts."""
    if not x.dtype.is_complex:
        real = call("aten::to", (x, wanted.to_real()))
        return joined(real, call("aten::zeros_like", (real,)))
    real, imag = parts(x)
    if not wanted.is_complex:
        return call("aten::to", (real, wanted), {"copy": True})
    return joined(*(call("aten::to", (one, wanted.to_real())) for one in (real, imag)))


def _tanh_backward(grad: Tensor, result: Tensor) -> Tensor:
    return grad.mul(result.mul(result).neg().add(1).conj())


def _sigmoid_backward(grad: Tensor, result: Tensor) -> Tensor:
    return grad.mul(result.neg().add(1).mul(result).conj())


def _adjoint(x: Tensor) -> Any:
    """The conjugates of matrices, turned."""
    return x.transpose(-2, -1).conj() if x.array.ndim >= 2 else NOTHING


def _adjoint_of_one(x: Tensor) -> Any:
    """Of one matrix."""
    return x.transpose(0, 1).conj() if x.array.ndim == 2 else NOTHING


def _vdot(x: Tensor, y: Tensor) -> Tensor:
    return call("aten::dot", (x.conj(), y))


def _filled(empty: str, value: complex | None) -> Callable[..., Any]:
    """What is made like a tensor, and filled with a number; one that is given stands before the options."""

    def run(x: Tensor, *options: Any) -> Tensor:
        number = value
        if number is None:
            place = 1 if empty == "aten::new_empty" else 0
            number, options = options[place], options[:place] + options[place + 1 :]
        operator = registry.find(empty)
        assert operator is not None
        return _run(operator, (x, *options)).fill_(number)

    return run


def _prod(x: Tensor, *options: Any) -> Any:
    """`aten::prod`, by halves."""
    dim, keepdim, number = options if len(options) == 3 else (None, False, options[0])
    wanted = x.dtype if number is None else dtypes.from_scalar_type(number)
    if not wanted.is_complex or not x.array.size:
        return NOTHING
    found = x if wanted is x.dtype else of_dtype(x, wanted)
    if dim is None or not x.array.ndim:
        found, axis = found.reshape([-1]), 0
    else:
        axis = wrap_dim(dim, x.array.ndim)
    while (count := found.array.shape[axis]) > 1:
        half = count // 2
        product = found.narrow(axis, 0, half).mul(found.narrow(axis, half, half))
        rest = found.narrow(axis, 2 * half, count % 2)
        found = call("aten::cat", ([product, rest], axis)) if count % 2 else product
    return found if keepdim and x.array.ndim else found.squeeze(axis)


def _cumprod(x: Tensor, dim: int, number: int | None) -> Any:
    """`aten::cumprod`: products of twice as many elements at each step."""
    wanted = x.dtype if number is None else dtypes.from_scalar_type(number)
    if not wanted.is_complex or not x.array.size:
        return NOTHING
    found = x.clone() if wanted is x.dtype else of_dtype(x, wanted)
    if not x.array.ndim:
        return found
    axis, apart = wrap_dim(dim, x.array.ndim), 1
    while (left := found.array.shape[axis] - apart) > 0:
        product = found.narrow(axis, apart, left).mul(found.narrow(axis, 0, left))
        found = call("aten::cat", ([found.narrow(axis, 0, apart), product], axis))
        apart *= 2
    return found


def _logaddexp(x: Tensor, y: Tensor) -> Any:
    """`aten::logaddexp`, as the host has it (`complex_logaddexp` in `ops/pointwise/numpy_math.py`)."""
    if x.dtype is not y.dtype:
        return NOTHING
    given, other = call("aten::broadcast_tensors", ([x, y],))
    (a, _), (b, _) = parts(given), parts(other)
    low = call("aten::where", (a.lt(b), given, other))
    top = call("aten::where", (a.lt(b), other, given))
    (least, _), (most, _) = parts(low), parts(top)
    near = top.add(low.sub(top).exp().log1p())
    far = call("aten::where", (least.lt(0), low, low.exp().add(top.exp()).log()))
    is_same = least.isfinite().logical_not().logical_and(least.eq(most))
    found = call("aten::where", (is_same, far, near))
    is_nan = given.isnan().logical_or(other.isnan())
    return joined(*(one.masked_fill(is_nan, float("nan")) for one in parts(found)))


def _convolution_backward(grad: Tensor, x: Tensor, w: Tensor, *settings: Any) -> Any:
    """`aten::convolution_backward`: sums of the gradients of all pairs of parts."""
    if not (grad.dtype is x.dtype is w.dtype):
        return NOTHING
    *others, wanted = settings
    (a, b), (c, d), (e, f) = parts(grad), parts(x), parts(w)

    def of(one: Tensor, of_input: Tensor, of_weight: Tensor) -> Any:
        mask = [wanted[0], wanted[1], False]
        return call("aten::convolution_backward", (one, of_input, of_weight, *others, mask))

    first, second, third, fourth = of(a, c, e), of(b, d, f), of(b, c, e), of(a, d, f)
    found = [
        joined(first[place].sub(second[place]), third[place].add(fourth[place]))
        if wanted[place]
        else None
        for place in range(2)
    ]
    dims = [0, *range(2, grad.array.ndim)]
    return *found, call("aten::sum", (grad, dims)) if wanted[2] else None


_MADE: dict[str, Callable[..., Any]] = {
    "aten::cumprod": _cumprod,
    "aten::logaddexp": _logaddexp,
    "aten::convolution_backward": _convolution_backward,
    "aten::real": _part(0),
    "aten::imag": _part(1),
    **dict.fromkeys(("aten::conj", "aten::_conj"), _conj),
    **dict.fromkeys(
        ("aten::conj_physical", "aten::_conj_physical", "aten::_conj_copy"), _conjugated
    ),
    "aten::adjoint": _adjoint,
    "aten::mH": _adjoint,
    "aten::matrix_H": _adjoint_of_one,
    "aten::angle": _angle,
    "aten::isreal": _is_real,
    "aten::all": _any("aten::all"),
    "aten::any": _any("aten::any"),
    "aten::prod": _prod,
    "aten::zeros_like": _filled("aten::empty_like", 0),
    "aten::ones_like": _filled("aten::empty_like", 1),
    "aten::full_like": _filled("aten::empty_like", None),
    "aten::new_zeros": _filled("aten::new_empty", 0),
    "aten::new_ones": _filled("aten::new_empty", 1),
    "aten::new_full": _filled("aten::new_empty", None),
    "aten::vdot": _vdot,
    "aten::tanh_backward": _tanh_backward,
    "aten::sigmoid_backward": _sigmoid_backward,
}
"""What operators give, in the order of their schemas."""


def _from_parts(_: Any, operands: Sequence[Any]) -> Any:
    """`aten::complex`."""
    real, imag = operands
    if real.dtype is not imag.dtype or real.dtype not in (dtypes.float32, dtypes.float64):
        return NOTHING
    return joined(*call("aten::broadcast_tensors", (list(operands),)))


def _from_sizes(_: Any, operands: Sequence[Any]) -> Any:
    """`aten::polar`."""
    size, angle = operands
    return _from_parts(_, (size.mul(angle.cos()), size.mul(angle.sin())))


COMPLEX: dict[str, Callable[[Any, Sequence[Any]], Any]] = {
    "aten::complex": _from_parts,
    "aten::polar": _from_sizes,
}
"""What runs operators that make complex numbers of real ones."""


def run(operator: Operator, operands: Sequence[Any]) -> Any:
    """What an operator gives that has a way to compute with complex numbers; or NOTHING."""
    made = _MADE.get(operator.name)
    if made is not None:
        return made(*operands)
    is_wide = isinstance(operands[0], Tensor) and operands[0].dtype is dtypes.complex128
    if operator.name in BY_PARTS or (is_wide and operator.name in MOVES):
        return _by_parts(operator, operands)
    if operator.name in PRODUCTS:
        return _product(operator, operands)
    return pointwise(operator, operands)
