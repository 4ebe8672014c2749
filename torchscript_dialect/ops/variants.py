"""Variants that follow from their operator: in place and `out` (compute, then store), functional (copy, then run in place).

The `out` of a factory says what its options would: the dtype.

Which operators are variants of which is in `operator_families.txt`: those that no family has declared.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.creation.conversion import store
from torchscript_dialect.ops.eager.out_dtypes import check_out_dtype, check_same_dtype
from torchscript_dialect.ops.registry import Kernel, Operator, ShapeRule
from torchscript_dialect.ops.shapes import preserved
from torchscript_dialect.ops.variant_names import arguments_text, inplace_variant
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.overlap import (
    assert_no_internal_overlap,
    assert_no_overlap,
    assert_no_partial_overlap,
)
from torchscript_dialect.tensor.strides import (
    contiguous_strides,
    element_strides,
    empty_like,
    resized,
)
from torchscript_dialect.tensor.tensor import Tensor, give_array, tensor_of, tensors_in
from torchscript_dialect.tensor.type_promotion import check_castable
from torchscript_dialect.tensor.unstrided import UnstridedTensor


def _base(operator: Operator) -> Operator:
    base = operator.rules.variant_of
    assert base is not None
    found = registry.find(base)
    assert found is not None
    return found


def _base_kernel(operator: Operator) -> Kernel:
    kernel = _base(operator).kernel
    assert kernel is not None
    return kernel


def _inplace_kernel(operator: Operator) -> Kernel:
    base = _base_kernel(operator)

    def kernel(x: Tensor, *operands: Any) -> Tensor:
        result = base(x, *operands)
        assert_no_internal_overlap(x.array)
        if result.array.shape != x.array.shape:
            raise RuntimeError(
                f"output with shape {list(x.array.shape)} doesn't match the broadcast shape "
                f"{list(result.array.shape)}"
            )
        check_castable(result.dtype, x.dtype)
        store(x.array, result.array)
        return x

    return kernel


_USUAL = frozenset(
    f"aten::{name}"
    for name in (
        "cholesky kron linalg_tensorinv slice_scatter"
        " fft_fft fft_fft2 fft_fftn fft_hfft fft_hfft2 fft_hfftn fft_rfft fft_rfft2 fft_rfftn fft_ifft2 fft_ifftn"
        " fft_ihfft2 fft_ihfftn fft_irfft fft_irfft2 fft_irfftn"
    ).split()
)
"""Operators that resize an `out` of other sizes to the usual strides; what others give it are those of their results."""
_USUAL_IF_RESIZED = frozenset(
    f"aten::{name}"
    for name in "cholesky_solve geqrf linalg_eig linalg_householder_product linalg_lstsq orgqr ormqr".split()
)
"""Operators that do so where it had elements."""


def store_out(
    target: Tensor,
    result: Tensor,
    strict_inputs: Sequence[Any] | None = None,
    qualified_name: str = "",
) -> None:
    """Write a result of an operator to `out`; with `strict_inputs` for one of `Rules.strict_out`."""
    if isinstance(target, UnstridedTensor) and isinstance(result, UnstridedTensor):
        target.become(result)
        return
    check_out_dtype(qualified_name, result.dtype, target.dtype)
    if result.dtype.is_quantized or target.dtype.is_quantized:
        raise NotImplementedError("operators with a quantized `out` are not supported")
    check_castable(result.dtype, target.dtype)
    raw = result.array
    if target.array.shape != raw.shape:
        is_usual = qualified_name in _USUAL
        is_usual |= target.array.size > 0 and qualified_name in _USUAL_IF_RESIZED
        strides = contiguous_strides(raw.shape) if is_usual else element_strides(raw)
        give_array(target, resized(target.array, raw.shape, strides))
        if strict_inputs is not None:
            check_out(target, strict_inputs)
    assert_no_internal_overlap(target.array)
    store(target.array, result.array)


_READ_AS_WRITTEN = frozenset(
    f"aten::{name}"
    for name in (
        "_chunk_cat _logcumsumexp _stack _unsafe_view angle column_stack conj_physical cross cumprod cumsum diff dstack"
        " elu_backward frexp ger glu hardshrink_backward hardsigmoid_backward hardtanh_backward hstack index index_copy kron"
        " ldexp leaky_relu_backward lift log_sigmoid_backward logcumsumexp logit_backward max median min mode msort nanmedian"
        " outer renorm row_stack scatter scatter_add sigmoid_backward silu_backward soft_margin_loss softplus_backward"
        " softshrink_backward sort stack take_along_dim tanh_backward topk vstack"
    ).split()
)
"""Operators that refuse an `out` which shares memory with an operand, unless it is the same view of it. PyTorch's other operators read
there what they have written; here they read what was there before.
"""


def check_out(target: Tensor, inputs: Sequence[Any]) -> None:
    """RuntimeError where elements of a target share memory with each other, or with inputs."""
    assert_no_internal_overlap(target.array)
    for value in inputs:
        for operand in value if isinstance(value, list) else (value,):  # pyright: ignore[reportUnknownVariableType]
            if isinstance(operand, Tensor):
                assert_no_overlap(target.array, operand.array)


def _out_checks(base: Operator) -> Callable[[Tensor, Sequence[Any]], None] | None:
    """What looks at the memory of targets and inputs before the operator runs."""
    if base.rules.strict_out:
        return check_out
    return _check_partial if base.name in _READ_AS_WRITTEN else None


def _check_partial(target: Tensor, inputs: Sequence[Any]) -> None:
    for value in inputs:
        for operand in tensors_in(value):
            assert_no_partial_overlap(target.array, operand.array)


_IN_ITS_DTYPE = frozenset(
    f"aten::{name}"
    for name in "cumprod cumsum mean.dim nanmean nansum prod.dim_int sum.dim_IntList".split()
)
"""Operators that compute in the dtype of `out`; the last operand of their result is the dtype that is asked for."""
_OF_FLOATS = frozenset({"aten::mean.dim", "aten::nanmean", "aten::nansum"})
"""Those that do so for floats alone."""


def _wanted(name: str, x: Tensor, target: Tensor) -> int | None:
    """The dtype that `out` asks for."""
    are_floats = x.dtype.is_floating_point and target.dtype.is_floating_point
    return target.dtype.scalar_type if name not in _OF_FLOATS or are_floats else None


def _out_kernel(operator: Operator) -> Kernel:
    base, is_strict = _base_kernel(operator), _base(operator).rules.strict_out
    name, check = _base(operator).qualified_name, _out_checks(_base(operator))
    is_typed = name in _IN_ITS_DTYPE

    def kernel(*operands: Any) -> Tensor:
        *inputs, target = operands
        if is_typed:
            if inputs[-1] is not None:
                check_same_dtype(dtypes.from_scalar_type(inputs[-1]), target.dtype)
            else:
                inputs[-1] = _wanted(name, inputs[0], target)
        if check is not None:
            check(target, inputs)
        store_out(target, base(*inputs), inputs if is_strict else None, name)
        return target

    return kernel


def _outs_kernel(operator: Operator) -> Kernel:
    base, count = _base_kernel(operator), len(operator.schema.returns)
    is_strict = _base(operator).rules.strict_out
    name, check = _base(operator).qualified_name, _out_checks(_base(operator))

    def kernel(*operands: Any) -> tuple[Tensor, ...]:
        inputs, targets = operands[:-count], operands[-count:]
        if check is not None:
            for target in targets:
                check(target, inputs)
        results = base(*inputs)
        for target, result in zip(targets, results):
            if result is not None:
                store_out(target, result, inputs if is_strict else None, name)
        return targets

    return kernel


def _factory_out_kernel(operator: Operator) -> Kernel:
    base = _base(operator)
    run = _base_kernel(operator)
    place = next(
        number
        for number, argument in enumerate(base.schema.arguments)
        if argument.name == "dtype" and argument.kwarg_only
    )

    def kernel(*operands: Any) -> Tensor:
        *inputs, target = operands
        wanted = target.dtype.scalar_type, None, None, None
        store_out(target, run(*inputs[:place], *wanted, *inputs[place:]))
        return target

    return kernel


def _list_out_kernel(operator: Operator) -> Kernel:
    base, name = _base_kernel(operator), _base(operator).qualified_name

    def kernel(*operands: Any) -> None:
        *inputs, targets = operands
        results = base(*inputs)
        if len(results) != len(targets):
            raise RuntimeError(
                f"Expected {len(results)} tensors for the results, but got {len(targets)}"
            )
        for target, result in zip(targets, results):
            store_out(target, result, qualified_name=name)

    return kernel


def _functional_kernel(operator: Operator) -> Kernel:
    base = _base_kernel(operator)

    def kernel(x: Tensor, *operands: Any) -> Tensor:
        copy = empty_like(x.array)
        copy[...] = x.array
        return base(tensor_of(copy), *operands)

    return kernel


def _first_fact(facts: Sequence[Any]) -> Any:
    return facts[0]


def _preserved(facts: Sequence[Any]) -> Any:
    return preserved(None if facts[0].dtype is None else dtypes.from_name(facts[0].dtype), facts[0])


def _out_variants(
    qualified_name: str, arguments: str, targets: re.Pattern[str] | None = None
) -> list[str]:
    """The overloads that take these arguments and tensors for the results."""
    targets = targets or _TARGETS
    separator = ", " if "*, " in arguments else ", *, "
    start = f"{arguments}{separator}" if arguments else "*, "
    return [
        text.partition("(")[0]
        for text in registry.overload_texts(qualified_name)
        if (found := arguments_text(text)).startswith(start)
        and targets.fullmatch(found.removeprefix(start))
    ]


_TARGETS = re.compile(r"Tensor\(\w!\) \w+(, Tensor\(\w!\) \w+)*")
_LIST_TARGET = re.compile(r"Tensor\(\w!\)\[\] \w+")
_OPTIONS = re.compile(
    r"(, )?ScalarType\? dtype=\w+, Layout\? layout=\w+, Device\? device=\w+, bool\? pin_memory=\w+"
)


def _without_options(arguments: str) -> str | None:
    """The arguments of a factory but for the options that follow from `out`; None for another operator."""
    if not _OPTIONS.search(arguments):
        return None
    rest = _OPTIONS.sub("", arguments)
    return rest.removesuffix(" *").removesuffix(",").replace("*, , ", "*, ")


@dataclass(frozen=True, slots=True)
class Variant:
    """An operator that does what another does."""

    name: str
    derive_kernel: Callable[[Operator], Kernel]
    shape: ShapeRule | None = None


def variants_of(base: str) -> Iterator[Variant]:
    """The operators that may be variants of an operator, by their schemas."""
    text = registry.texts()[base]
    arguments = arguments_text(text)
    results = text.rpartition(" -> ")[2]
    if "!" in text:
        yield from _functional_variants(base)
    elif results == "Tensor":
        inplace = inplace_variant(base)
        if inplace is not None:
            yield Variant(inplace, _inplace_kernel, _first_fact)
        without_options = _without_options(arguments)
        if without_options is not None:
            for out in _out_variants(base, without_options):
                yield Variant(out, _factory_out_kernel)
    elif results == "Tensor[]":
        for out in _out_variants(base, arguments, _LIST_TARGET):
            yield Variant(out, _list_out_kernel)
    if results == "Tensor" or _TENSORS.fullmatch(results):
        derive = _out_kernel if results == "Tensor" else _outs_kernel
        for out in _out_variants(base, arguments):
            yield Variant(out, derive)


_TENSORS = re.compile(r"\(Tensor( \w+)?(, Tensor( \w+)?)*\)")


def _functional_variants(base: str) -> Iterator[Variant]:
    """`aten::exponential` of `aten::exponential_`."""
    text = registry.texts()[base]
    if text.count("!") != 2 or "(Tensor(a!) self" not in text:
        return
    name, dot, overload = base.partition(".")
    functional = f"{name.removesuffix('_')}{dot}{overload}"
    if name.endswith("__") or not name.endswith("_") or functional not in registry.texts():
        return
    wanted = arguments_text(text).replace("Tensor(a!) self", "Tensor self", 1)
    if wanted == arguments_text(registry.texts()[functional]):
        yield Variant(functional, _functional_kernel, _preserved)


def attach_variant(name: str, base: str) -> None:
    """Attach what makes an operator the variant of another."""
    (found,) = (variant for variant in variants_of(base) if variant.name == name)
    of = registry.find(base)
    assert of is not None
    shape = None if of.reshapes else found.shape
    registry.attach(name, variant_of=base, derive_kernel=found.derive_kernel, shape=shape)
