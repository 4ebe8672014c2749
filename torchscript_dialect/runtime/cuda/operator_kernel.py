"""Kernels of single operators on the device: compiled when an operator is first called with operands of a kind, through the same
lowering as fusion groups, and kept on disk as those are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, cast

from torchscript_dialect.backend import Executable, fusing_on
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.cuda.driver import CudaError
from torchscript_dialect.runtime.kernels.kernels import load_kernel, of_target
from torchscript_dialect.runtime.kernels.operator_kernels import INPUT, compile_operator
from torchscript_dialect.runtime.native.cache import cache_key
from torchscript_dialect.runtime.specialization.specialization import Key, argument_key
from torchscript_dialect.runtime.values.type_tests import tensor_type
from torchscript_dialect.tensor.dtype import get_default_dtype
from torchscript_dialect.tensor.strides import contiguous_strides
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.core import FLOAT, TorchScriptType
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.errors import InternalError

FUSER = "ptx"


def is_list_of_tensors(operand: Any) -> bool:
    """Whether an operand is a list of tensors, which has some."""
    items = cast("list[Any]", operand) if operand.__class__ is list else []
    return bool(items) and all(item.__class__ is Tensor for item in items)


def inputs_of(operands: Sequence[Any], *, takes_floats: bool) -> Iterator[Any]:
    """The operands that a kernel takes: tensors, those in lists, and floats; it is compiled for all others."""
    for operand in operands:
        if operand.__class__ is Tensor or (takes_floats and operand.__class__ is float):
            yield operand
        elif is_list_of_tensors(operand):
            yield from operand


def key_of(operator: Operator, operands: Sequence[Any], *, takes_floats: bool) -> Key:
    """What a kernel for operands depends on."""
    parts: list[Any] = []
    for operand in operands:
        is_input = operand.__class__ is Tensor or (takes_floats and operand.__class__ is float)
        if is_input:
            parts.append(argument_key((operand,)))
        elif is_list_of_tensors(operand):
            parts.append((list, argument_key(operand)))
        else:
            parts.append((operand.__class__, repr(operand)))
    return (operator.qualified_name, settings.current().allows_tf32, *parts)


def kernel_for(
    operator: Operator, operands: Sequence[Any], key: Key, *, takes_floats: bool
) -> Executable | None:
    """The kernel for operands like these, from the disk or compiled; None where there is none, be it that the operator does not take
    them: its own kernel says so in its own words.

    Raises:
        CudaError: there is no device.
    """
    plain = cache_key("on device", repr(key), operator.text, get_default_dtype().name)
    kept_under = of_target(plain, FUSER)
    with compilation, fusing_on("cuda"):
        kernel = load_kernel(kept_under, FUSER)
        if kernel is not None:
            return kernel
        takes = partial(inputs_of, takes_floats=takes_floats)
        values = [_marked(operand, len(list(takes([operand])))) for operand in operands]
        try:
            types = [
                with_elements(tensor_type(one)) if isinstance(one, Tensor) else FLOAT
                for one in takes(operands)
            ]
            return compile_operator(operator, types, values, FUSER, kept_under)
        except (InternalError, CudaError):
            raise
        except Exception:
            return None


def with_elements(type_: TorchScriptType) -> TorchScriptType:
    """The type of a tensor that has elements and the same kernel: of one without, nothing would be compiled."""
    assert isinstance(type_, TensorType)
    sizes = type_.sizes
    if sizes is None or 0 not in sizes:
        return type_
    some = tuple(size or 2 for size in sizes)
    return type_.replace(sizes=some, strides=contiguous_strides(some))


def _marked(operand: Any, inputs: int) -> Any:
    """An operand, or what stands for it where it is so many inputs."""
    if not inputs:
        return operand
    return [INPUT] * inputs if operand.__class__ is list else INPUT
