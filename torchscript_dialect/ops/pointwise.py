"""Pointwise operators: a scalar body and a promotion rule give the kernel, its in-place and `out` variants, the shape rule.

Note [Pointwise operators]
`pointwise("add.Tensor add.Scalar", DEFAULT, lambda m, x, y, alpha: m.add(x, m.mul(alpha, y)))` declares two operators and,
where the table has them, `aten::add_.Tensor`, `aten::add.out` and so on. The body (Note [Scalar bodies]) takes the schema's
arguments in order. What an argument is follows from its type: tensors are values; `Scalar` and `float` arguments are values
too, or None where the schema has them optional and they are not given; `str`, `bool` and `int` arguments are static and reach
the body as they are.

All values are cast to the common dtype before the body runs, except for the arguments in `keeps`. The common dtype comes from
the arguments in `promotes`: by default the tensors, and numbers that stand where a tensor could (`other`). float16 and
bfloat16 bodies see float32 values, and the result is rounded once, at the end. (Numbers are cast to the common dtype first, too,
but for those that PyTorch takes as they are.)
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache, partial
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.large import LARGE, ForLarge, suits
from torchscript_dialect.ops.numpy_math import NUMPY, only_ufunc
from torchscript_dialect.ops.registry import Kernel, Operator, ShapeRule
from torchscript_dialect.ops.scalar_math import ScalarMath, Value
from torchscript_dialect.ops.shapes import Unknown, pointwise_rule, promote
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.float8 import refuse_float8
from torchscript_dialect.tensor.float_errors import ignores_float_errors, in_silence, is_silent
from torchscript_dialect.tensor.overlap import (
    assert_no_internal_overlap,
    assert_no_partial_overlap,
)
from torchscript_dialect.tensor.strides import (
    broadcast_shapes,
    empty_like_operands,
    has_odd_strides,
)
from torchscript_dialect.tensor.tensor import Tensor, give_array, tensor_of
from torchscript_dialect.tensor.type_promotion import can_cast, result_type
from torchscript_dialect.types.containers import OptionalType
from torchscript_dialect.types.core import FLOAT, NUMBER
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.tensor_type import TensorType

Body = (
    Callable[[ScalarMath, Value], Value]
    | Callable[[ScalarMath, Value, Any], Value]
    | Callable[[ScalarMath, Value, Any, Any], Value]
    | Callable[[ScalarMath, Value, Any, Any, Any], Value]
    | Callable[[ScalarMath, Value, Any, Any, Any, Any], Value]
    | Callable[[ScalarMath, Value, Any, Any, Any, Any, Any], Value]
)
"""`body(m, *values)`: see Note [Scalar bodies] in scalar_math.py."""

Check = Callable[[dtype], None]
"""Raises where an operator has no meaning in this common dtype."""

OperandCheck = Callable[..., None]
"""Takes the operands; raises where the operator does not take them."""


class Promotion(Enum):
    """From the common dtype of the promoting operands to the dtypes of the computation and of the result."""

    DEFAULT = auto()
    """Both are the common dtype."""
    INT_TO_FLOAT = auto()
    """As DEFAULT, but integers and bools compute in the default float dtype."""
    COMPARISON = auto()
    """Computes in the common dtype and gives Bool."""
    COMPLEX_TO_FLOAT = auto()
    """As DEFAULT, but the result of a complex computation is real."""
    BOOL_TO_INT = auto()
    """As DEFAULT, but bools compute in int64."""


DEFAULT = Promotion.DEFAULT
INT_TO_FLOAT = Promotion.INT_TO_FLOAT
COMPARISON = Promotion.COMPARISON
COMPLEX_TO_FLOAT = Promotion.COMPLEX_TO_FLOAT
BOOL_TO_INT = Promotion.BOOL_TO_INT


class Role(Enum):
    """What an argument of a pointwise operator is to its body."""

    TENSOR = auto()
    NUMBER = auto()
    STATIC = auto()


Limit = Callable[[dtype], dtype | None]
"""From the common dtype to the one that has to have room for a number; None where the number may be any."""


def in_common(common: dtype) -> dtype:
    """The number is an element as the others are."""
    return common


def in_opmath(common: dtype) -> dtype:
    """The number is one of the computation."""
    return opmath(common)


_LARGE = 3e38
"""A little less than the largest float32."""


_LIMITS: Mapping[str, Limit] = MappingProxyType(
    {
        "alpha": in_common,
        "min": in_common,
        "max": in_common,
        "value": in_opmath,
        "weight": in_opmath,
    }
)
"""Those of operators that say no others."""


@dataclass(frozen=True, slots=True)
class Pointwise:
    """The declaration of a pointwise operator; see Note [Pointwise operators].

    `rounding` names a static argument that, where given, makes INT_TO_FLOAT a DEFAULT promotion (`div`).
    `floats_pass` says that floats of one dtype and shape pass `check_operands`. Strides follow the first two operands in the other
    order with `reverse_operands`; the result is contiguous with `contiguous`. With `wide_other` an `other` that is a number or a
    tensor without dimensions is not rounded to a 16-bit common dtype. With `numpy_only` the body calls NumPy instead of `m`, and
    cannot be compiled. Elements of the NumPy kinds in `shares` are written to where they share memory, too. `bodies` take the
    place of `body` for common dtypes that are computed otherwise than others. `limits` says by name which numbers a dtype has to have
    room for.
    """

    promotion: Promotion
    body: Body
    promotes: frozenset[str] | None
    keeps: frozenset[str]
    check: Check | None = None
    rounding: str | None = None
    check_operands: OperandCheck | None = None
    floats_pass: bool = False
    reverse_operands: bool = False
    contiguous: bool = False
    wide_other: bool = False
    numpy_only: bool = False
    shares: str = ""
    bodies: Mapping[dtype, Body] = field(default_factory=dict[dtype, Body])
    limits: Mapping[str, Limit] = field(default_factory=lambda: _LIMITS)

    def body_for(self, common: dtype) -> Callable[..., Any]:
        """The body for operands of a common dtype."""
        return self.bodies.get(common, self.body)

    def check_number(self, name: str, number: complex, common: dtype) -> None:
        """Raise what the operator raises for a number as an operand of that name."""
        if name in ("alpha", "beta", "value"):
            _check_factor(number, name, common)
        limit = self.limit(name, common)
        if limit is not None:
            check_fits(limit, number)

    def limit(self, name: str, common: dtype) -> dtype | None:
        """The dtype that has to have room for the number of that name; None where it may be any."""
        found = self.limits.get(name)
        return None if found is None else found(common)

    def dtypes(self, common: dtype, *, rounded: bool = False) -> tuple[dtype, dtype]:
        """The dtypes of the computation (before `opmath`) and of the result for the promoted dtype of the operands."""
        check_numbers(common)
        is_exact = not (common.is_floating_point or common.is_complex)
        if self.promotion is INT_TO_FLOAT and is_exact and not rounded:
            common = dtypes.get_default_dtype()
        if self.promotion is BOOL_TO_INT and common is dtypes.bool_:
            common = dtypes.int64
        if self.promotion is COMPARISON:
            return common, dtypes.bool_
        if self.promotion is COMPLEX_TO_FLOAT:
            return common, common.to_real()
        return common, common


def check_numbers(element: dtype) -> None:
    """NotImplementedError for the elements of a quantized tensor, which are no numbers."""
    if element.is_quantized:
        raise NotImplementedError(
            f"an operator on numbers cannot run on a quantized tensor ({element.type_name})"
        )


def opmath(common: dtype) -> dtype:
    """The dtype in which a body runs: the common dtype, or float32 for the 16-bit floats."""
    check_numbers(common)
    return dtypes.float32 if common.is_floating_point and common.itemsize < 4 else common


def roles(schema: FunctionSchema) -> tuple[Role, ...]:
    """The role of each argument, `out` left out."""
    found: list[Role] = []
    for argument in schema.arguments:
        if argument.name == "out" and argument.kwarg_only:
            continue
        type_ = argument.type.element if isinstance(argument.type, OptionalType) else argument.type
        if isinstance(type_, TensorType):
            found.append(Role.TENSOR)
        else:
            found.append(Role.NUMBER if type_ in (NUMBER, FLOAT) else Role.STATIC)
    return tuple(found)


_PROMOTING_NUMBERS = frozenset("self other exponent min max".split())
_PYTHON_NUMBERS = frozenset(("alpha", "exponent", "value"))
"""Numbers for which bodies on arrays have short cuts: they stay Python's."""
_TOLERANCES = frozenset(("rtol", "atol"))
"""Numbers that stay floats beside integers."""
_KEEPS = frozenset(("condition", "mask"))
_STRIDE_NUMBERS = frozenset(("self", "other"))


def pointwise(
    names: str,
    promotion: Promotion,
    body: Body,
    *,
    promotes: frozenset[str] | None = None,
    keeps: frozenset[str] = _KEEPS,
    check: Check | None = None,
    rounding: str | None = None,
    check_operands: OperandCheck | None = None,
    floats_pass: bool = False,
    reverse_operands: bool = False,
    contiguous: bool = False,
    wide_other: bool = False,
    numpy_only: bool = False,
    shares: str = "",
    bodies: Mapping[dtype, Body] = MappingProxyType({}),
    limits: Mapping[str, Limit] = _LIMITS,
) -> None:
    """Declare pointwise operators of `aten` by name, and their in-place and `out` variants.

    Raises:
        KeyError: the table has no such operator.
    """
    declared = Pointwise(
        promotion,
        body,
        promotes,
        keeps,
        check,
        rounding,
        check_operands,
        floats_pass,
        reverse_operands,
        contiguous,
        wide_other,
        numpy_only,
        shares,
        bodies,
        limits,
    )
    for name in names.split():
        attach_with_variants(
            f"aten::{name}",
            pointwise=declared,
            derive_kernel=make_kernel,
            derive_shape=make_shape_rule,
        )


def declaration(promotion: Promotion, body: Body) -> Pointwise:
    """What a pointwise operator is without any of the exceptions that PyTorch's have."""
    return Pointwise(promotion, body, None, _KEEPS)


def attach_with_variants(qualified_name: str, **known: Any) -> None:
    """Attach rules to an operator and to its in-place and `out` variants."""
    registry.attach(qualified_name, **known)
    for variant in (inplace_variant(qualified_name), out_variant(qualified_name)):
        if variant is not None:
            registry.attach(variant, **known)


def inplace_variant(qualified_name: str) -> str | None:
    """The name of the operator that writes into `self`, if there is one: `aten::add_.Tensor`."""
    dot = qualified_name.find(".", qualified_name.index("::"))
    base, rest = (qualified_name, "") if dot < 0 else (qualified_name[:dot], qualified_name[dot:])
    name, texts = f"{base}_{rest}", registry.texts()
    if name not in texts:
        return None
    wanted = arguments_text(texts[name]).replace("Tensor(a!) self", "Tensor self", 1)
    return name if wanted == arguments_text(texts[qualified_name]) else None


def out_variant(qualified_name: str) -> str | None:
    """The name of the operator that takes the same arguments and `out`, if there is one."""
    arguments = arguments_text(registry.texts()[qualified_name])
    separator = ", " if "*, " in arguments else ", *, "
    wanted = f"{arguments}{separator}Tensor(a!) out".removeprefix(", ")
    for candidate in registry.overload_texts(qualified_name):
        if arguments_text(candidate) == wanted:
            return candidate.partition("(")[0]
    return None


def arguments_text(text: str) -> str:
    """The arguments in the text of a schema."""
    return text[text.index("(") + 1 : text.rindex(") -> ")]


_ON_FLOAT8 = frozenset(
    f"aten::{name}"
    for name in "eq eq_ ne ne_ not_equal not_equal_ abs abs_ isnan isinf isfinite where".split()
)
"""What computes with floats of 8 bits; the others of PyTorch's kernels do not."""


class _Evaluator:
    """Runs the body of one operator on runtime values."""

    def __init__(self, operator: Operator) -> None:
        self.operator = operator
        schema = operator.schema
        declared = operator.rules.pointwise
        assert isinstance(declared, Pointwise)
        self.name = operator.qualified_name
        self.pointwise = declared
        self.body: Callable[..., Any] = declared.body
        self.roles = roles(schema)
        names = [argument.name for argument in schema.arguments][: len(self.roles)]
        self.names = names
        self.promotes = [_promotes(declared, name, role) for name, role in zip(names, self.roles)]
        self.keeps = [name in declared.keeps for name in names]
        self.rounded_numbers = _PROMOTING_NUMBERS | {
            argument.name
            for argument in schema.arguments
            if argument.name == "alpha" and argument.kwarg_only
        }
        """Numbers that are rounded to a 16-bit common dtype, as tensors are: the factor of `add` and `sub` is, that of `elu` is not."""
        self.kept = frozenset(place for place, keeps in enumerate(self.keeps) if keeps)
        self.has_strides = [
            role is Role.TENSOR or (role is Role.NUMBER and name in _STRIDE_NUMBERS)
            for name, role in zip(names, self.roles)
        ]

    def dtypes(self, operands: Sequence[Any]) -> tuple[dtype, dtype]:
        """The dtypes of the computation and of the result."""
        promoting = [
            operand
            for operand, promotes in zip(operands, self.promotes)
            if promotes and operand is not None
        ]
        if self.pointwise.check_operands is not None:
            self.pointwise.check_operands(*operands)
        return self.pointwise.dtypes(result_type(promoting), rounded=self.is_rounded(operands))

    def bounded_places(self) -> list[int]:
        """Which operands are numbers that a dtype must have room for."""
        pairs = enumerate(zip(self.roles, self.names, strict=True))
        limits = self.pointwise.limits
        return [at for at, (role, name) in pairs if role is Role.NUMBER and name in limits]

    def is_rounded(self, operands: Sequence[Any]) -> bool:
        """Whether the rounding argument is given."""
        rounding = self.pointwise.rounding
        return rounding is not None and operands[self.names.index(rounding)] is not None

    @ignores_float_errors
    def run(self, operands: Sequence[Any], common: dtype) -> Any:
        """The body's result: an array or NumPy scalar, in the compute dtype, of any layout."""
        if self.pointwise.check is not None:
            self.pointwise.check(common)
        compute = opmath(common)
        if compute is not common and self.operator.name not in _ON_FLOAT8:
            refuse_float8(common, self.operator.name.partition("::")[2])
        values = [
            operand
            if operand is None or role is Role.STATIC
            else self._value(operand, name, keeps, common, compute)
            for operand, role, name, keeps in zip(operands, self.roles, self.names, self.keeps)
        ]
        try:
            raw = self.pointwise.body_for(common)(NUMPY, *values)
        except TypeError as error:
            raise NotImplementedError(
                f"{self.name} is not implemented for '{common.type_name}'"
            ) from error
        if raw.__class__ is np.ndarray and (raw.base is not None or _is_one_of(raw, values)):
            return raw.copy()
        return raw

    def _value(self, operand: Any, name: str, keeps: bool, common: dtype, compute: dtype) -> Any:
        is_wide = name == "other" and self.pointwise.wide_other
        if isinstance(operand, Tensor):
            array = operand.array
            if keeps:
                return array
            if array.dtype != common.numpy_dtype and (array.shape or not is_wide):
                array = array.astype(common.numpy_dtype)
            same = array.dtype == compute.numpy_dtype
            return array if same else array.astype(compute.numpy_dtype)
        self.pointwise.check_number(name, operand, common)
        if name in _TOLERANCES and compute.is_integral:
            compute = dtypes.get_default_dtype()
        number = np.asarray(operand)
        if compute is not common and name in self.rounded_numbers and not is_wide:
            number = number.astype(common.numpy_dtype)
        return number.astype(compute.numpy_dtype)

    def fresh(self, operands: Sequence[Any], common: dtype, result: dtype) -> NDArray[Any]:
        """An array for the result, with the strides that PyTorch gives it."""
        if self.pointwise.contiguous:
            shapes = [x.array.shape for x in operands if isinstance(x, Tensor)]
            return np.empty(broadcast_shapes(*shapes), result.numpy_dtype)
        if self.pointwise.reverse_operands:
            operands = operands[1::-1]
        described = [
            operand.array if isinstance(operand, Tensor) else operand
            for operand, has_strides in zip(operands, self.has_strides)
            if has_strides and operand is not None
        ]
        return empty_like_operands(described, result.numpy_dtype, common.numpy_dtype, self.kept)


def _check_factor(number: complex, name: str, common: dtype) -> None:
    if name == "alpha" and isinstance(number, bool) and common.name != "bool":
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if common.is_floating_point or common.is_complex:
        if isinstance(number, complex) and not common.is_complex:
            raise RuntimeError(
                "value cannot be converted to type double without overflow"
                if name == "value"
                else f"For non-complex input tensors, argument {name} must not be a complex number."
            )
        return
    if name == "alpha" and not isinstance(number, int):
        raise RuntimeError(
            f"For integral input tensors, argument {name} must not be a floating point number."
        )


def _promotes(declared: Pointwise, name: str, role: Role) -> bool:
    if declared.promotes is not None:
        return name in declared.promotes
    if role is Role.TENSOR:
        return name not in declared.keeps
    return role is Role.NUMBER and name in _PROMOTING_NUMBERS


def _is_one_of(raw: object, values: Sequence[object]) -> bool:
    return any(raw is value for value in values)


_F32 = dtypes.float32.numpy_dtype
_F64 = dtypes.float64.numpy_dtype


def make_kernel(operator: Operator) -> Kernel:
    """The kernel of a pointwise operator, of its in-place or of its `out` variant."""
    evaluator = _Evaluator(operator)
    schema = operator.schema
    if not schema.is_mutable:
        return _functional(evaluator)
    return _inplace(evaluator) if schema.arguments[0].alias else _with_out(evaluator)


def _functional(evaluator: _Evaluator) -> Kernel:
    def general(*operands: Any) -> Tensor:
        common, result = evaluator.dtypes(operands)
        out = evaluator.fresh(operands, common, result)
        raw = evaluator.run(operands, common)
        if (
            raw.__class__ is np.ndarray
            and raw.dtype == out.dtype
            and raw.strides == out.strides
            and raw.shape == out.shape
        ):
            return tensor_of(raw)
        _store(out, raw)
        return tensor_of(out)

    by_numpy = _plain(evaluator, general, None) if _is_plain(evaluator) else general
    if not suits(evaluator.operator):
        return by_numpy
    large = ForLarge(evaluator.operator, by_numpy)
    if by_numpy is not general:
        return _plain(evaluator, general, large)

    def sized(x: Tensor, *rest: Any) -> Any:
        return general(x, *rest) if x.array.size < LARGE else large(x, *rest)

    return sized


def _plain(evaluator: _Evaluator, general: Kernel, large: Kernel | None) -> Kernel:
    """The short way of contiguous float operands of one shape and dtype; `general` takes all others, `large` the large ones."""
    body = evaluator.body
    limit = sys.maxsize if large is None else LARGE
    large = large or general
    unary_ufunc, binary_ufunc = only_ufunc(body, 1), only_ufunc(body, 2)
    typed = [
        place
        for place, (role, name) in enumerate(zip(evaluator.roles, evaluator.names))
        if role is Role.NUMBER and name not in _PYTHON_NUMBERS
    ]
    bounded = evaluator.bounded_places()
    strided = {
        place
        for place, (role, has_strides) in enumerate(zip(evaluator.roles, evaluator.has_strides))
        if role is Role.NUMBER and has_strides
    }
    compute = partial(body, NUMPY) if unary_ufunc is None else unary_ufunc

    def unary(x: Tensor) -> Tensor:
        array = x.array
        dtype = array.dtype
        if array.size >= limit:
            return large(x)
        if (dtype is _F32 or dtype is _F64) and array.flags.c_contiguous and array.shape:
            raw = compute(array) if is_silent() else in_silence(compute, array)
            if raw is not array and array.size:
                return tensor_of(raw)
        return general(x)

    def binary(x: Tensor, y: Tensor, alpha: Any = 1) -> Tensor:
        a, b = x.array, y.array
        dtype = a.dtype
        if a.size >= limit:
            return large(x, y, alpha) if has_alpha else large(x, y)
        if (
            (dtype is _F32 or dtype is _F64)
            and b.dtype is dtype
            and a.shape == b.shape
            and a.flags.c_contiguous
            and b.flags.c_contiguous
            and a.shape
            and a.size
            and alpha.__class__ is int
            and alpha == 1
        ):
            assert binary_ufunc is not None
            return tensor_of(binary_ufunc(a, b) if is_silent() else in_silence(binary_ufunc, a, b))
        return general(x, y, alpha) if has_alpha else general(x, y)

    def several(*operands: Any) -> Tensor:
        shape = dtype = None
        values: list[Any] = []
        for place, operand in enumerate(operands):
            if operand.__class__ is Tensor:
                array = operand.array
                if shape is None:
                    shape = array.shape
                    dtype = array.dtype
                    if array.size >= limit:
                        return large(*operands)
                    if not shape or not (dtype is _F32 or dtype is _F64):
                        return general(*operands)
                elif array.shape != shape or array.dtype is not dtype:
                    return general(*operands)
                if not array.flags.c_contiguous:
                    return general(*operands)
                values.append(array)
            elif operand.__class__ is complex or operand.__class__ is bool:
                return general(*operands)
            else:
                values.append(operand)
                if place in strided and has_odd_strides(values[0]):
                    return general(*operands)
        for place in bounded:
            if values[place] is not None and not -_LARGE < values[place] < _LARGE:
                return general(*operands)
        for place in typed:
            if values[place] is not None:
                values[place] = dtype.type(values[place])  # pyright: ignore[reportOptionalMemberAccess]
        raw = body(NUMPY, *values) if is_silent() else in_silence(body, NUMPY, *values)
        if raw.__class__ is np.ndarray and raw.size and not _is_one_of(raw, values):
            return tensor_of(raw)
        return general(*operands)

    if evaluator.roles == (Role.TENSOR,):
        return unary
    has_alpha = evaluator.names[2:] == ["alpha"]
    of_two_tensors = evaluator.roles[:2] == (Role.TENSOR, Role.TENSOR)
    if binary_ufunc is not None and of_two_tensors and (has_alpha or len(evaluator.roles) == 2):
        return binary
    return several


def _is_plain(evaluator: _Evaluator) -> bool:
    """Whether contiguous float operands of one shape and dtype give such a result with no further questions."""
    declared = evaluator.pointwise
    if any(evaluator.keeps) or evaluator.roles[0] is not Role.TENSOR:
        return False
    if declared.check is not None:
        try:
            declared.check(dtypes.float32)
        except (RuntimeError, NotImplementedError):
            return False
    return declared.check_operands is None or declared.floats_pass


def _inplace(evaluator: _Evaluator) -> Kernel:
    is_real = evaluator.pointwise.promotion is COMPLEX_TO_FLOAT
    name = evaluator.name.partition("::")[2].removesuffix("_")

    def general(target: Tensor, *rest: Any) -> Tensor:
        if is_real and target.array.dtype.kind == "c":
            raise RuntimeError(f"In-place {name} is not supported for complex tensors.")
        _write(evaluator, (target, *rest), target.array)
        return target

    if evaluator.pointwise.promotion not in (DEFAULT, INT_TO_FLOAT) or not _is_plain(evaluator):
        return general
    compute = _plain(evaluator, lambda *_: None, None)
    by_ufunc = _inplace_by_ufunc(evaluator)
    functional = registry.functional_form(evaluator.operator)

    def by_numpy(target: Tensor, *rest: Any) -> Tensor:
        array = target.array
        for operand in rest:
            if operand.__class__ is not Tensor or (other := operand.array) is array:
                continue
            both_own = array.base is None and other.base is None
            if not both_own and np.may_share_memory(array, other):
                return general(target, *rest)
        if by_ufunc is not None and by_ufunc(array, *rest):
            return target
        found = compute(target, *rest)
        if found is None or found.array.dtype is not array.dtype:
            return general(target, *rest)
        array[...] = found.array
        return target

    if functional is None or not suits(functional):
        return by_numpy
    large = ForLarge(functional, by_numpy, in_place=True)

    def kernel(target: Tensor, *rest: Any) -> Tensor:
        return (by_numpy if target.array.size < LARGE else large)(target, *rest)

    return kernel


def _inplace_by_ufunc(evaluator: _Evaluator) -> Callable[..., bool] | None:
    """Computes in place where the body is one ufunc of two operands; says whether these operands are such that it could."""
    ufunc = only_ufunc(evaluator.body, 2)
    has_alpha = evaluator.names[2:] == ["alpha"]
    if ufunc is None or not (has_alpha or len(evaluator.roles) == 2):
        return None

    def run(array: NDArray[Any], other: Any, alpha: Any = 1) -> bool:
        dtype = array.dtype
        if not (dtype is _F32 or dtype is _F64) or not array.shape or not array.flags.c_contiguous:
            return False
        if alpha.__class__ is not int or alpha != 1:
            return False
        if other.__class__ is Tensor:
            value = other.array
            if value.dtype is not dtype or value.shape != array.shape:
                return False
        elif (other.__class__ is float or other.__class__ is int) and -_LARGE < other < _LARGE:
            value = dtype.type(other)
        else:
            return False
        if is_silent():
            ufunc(array, value, array)
        else:
            in_silence(ufunc, array, value, array)
        return True

    return run


def _with_out(evaluator: _Evaluator) -> Kernel:
    def kernel(*operands: Any) -> Tensor:
        *inputs, target = operands
        shapes = [x.array.shape for x in inputs if isinstance(x, Tensor)]
        shape = broadcast_shapes(*shapes)
        if target.array.shape != shape:
            common, _ = evaluator.dtypes(inputs)
            give_array(target, evaluator.fresh(inputs, common, target.dtype))
        _write(evaluator, inputs, target.array)
        return target

    return kernel


def _write(evaluator: _Evaluator, operands: Sequence[Any], target: NDArray[Any]) -> None:
    """Compute and store into `target`.

    Raises:
        RuntimeError: memory of operands overlaps with the target's in a way that matters, the shape of the result is
            not the target's, or its dtype cannot be cast to the target's.
    """
    if target.dtype.kind not in evaluator.pointwise.shares:
        assert_no_internal_overlap(target)
    shapes: list[tuple[int, ...]] = []
    for operand in operands:
        if isinstance(operand, Tensor):
            assert_no_partial_overlap(target, operand.array)
            shapes.append(operand.array.shape)
    shape = broadcast_shapes(*shapes)
    if shape != target.shape:
        raise RuntimeError(
            f"output with shape {list(target.shape)} doesn't match the broadcast shape {list(shape)}"
        )
    common, result = evaluator.dtypes(operands)
    check_castable(result, dtypes.of_array(target))
    raw = evaluator.run(operands, common)
    if common is not opmath(common) and raw.dtype == opmath(common).numpy_dtype:
        rounded = np.empty(raw.shape, common.numpy_dtype)
        _store(rounded, raw)
        raw = rounded
    _store(target, raw)


@ignores_float_errors
def _store(target: NDArray[Any], raw: Any) -> None:
    """Cast and copy; what is too large becomes infinite without a warning."""
    np.copyto(target, raw, casting="unsafe")


def check_castable(result: dtype, target: dtype) -> None:
    """RuntimeError unless a result of one dtype may be stored in a tensor of the other."""
    if result is not target and result is not dtypes.bool_ and not can_cast(result, target):
        raise RuntimeError(
            f"result type {result.type_name} can't be cast to the desired output type "
            f"{target.type_name}"
        )


def make_shape_rule(operator: Operator) -> ShapeRule:
    """The shape rule of a pointwise operator or of a variant of one."""
    evaluator = _Evaluator(operator)

    def dtypes_of(common: dtype, operands: Sequence[Any]) -> tuple[dtype, dtype]:
        rounding = evaluator.pointwise.rounding
        if rounding and isinstance(operands[evaluator.names.index(rounding)], Unknown):
            raise RuntimeError("the dtype depends on an argument that is not known")
        if evaluator.pointwise.check is not None:
            evaluator.pointwise.check(common)
        return evaluator.pointwise.dtypes(common, rounded=evaluator.is_rounded(operands))

    return pointwise_rule(
        [role is Role.TENSOR for role in evaluator.roles],
        evaluator.promotes,
        evaluator.has_strides,
        dtypes_of,
        is_inplace=operator.schema.is_mutable,
        contiguous=evaluator.pointwise.contiguous,
        reverse_operands=evaluator.pointwise.reverse_operands,
        kept=evaluator.kept,
    )


@lru_cache(maxsize=1024)
def _evaluator(operator: Operator) -> _Evaluator:
    return _Evaluator(operator)


def computation(operator: Operator, facts: Sequence[Any]) -> tuple[dtype, dtype]:
    """The dtypes of the computation (before `opmath`) and of the result, from facts about the operands.

    Facts are those of Note [Shape rules]. This is what a compiler of the body asks for.

    Raises:
        ValueError: the dtypes of the operands are not known.
        RuntimeError: the operator has no meaning for these dtypes.
    """
    evaluator = _evaluator(operator)
    promoting = [f for f, promotes in zip(facts, evaluator.promotes) if promotes and f is not None]
    common = promote(promoting)
    if common is None:
        raise ValueError(f"{operator.qualified_name}: the dtypes of the operands are not known")
    return evaluator.pointwise.dtypes(common, rounded=evaluator.is_rounded(facts))
