"""Kernels of single operators on the device: compiled when an operator is first called with operands of a kind, through the same
lowering as fusion groups, and kept on disk as those are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from xdsl.builder import Builder
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from torchscript_dialect.backend import Executable, NotCompilable, fusing_on
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.runtime.cuda.driver import CudaError
from torchscript_dialect.runtime.kernels import compile_kernel, load_kernel
from torchscript_dialect.runtime.native.cache import cache_key
from torchscript_dialect.runtime.operator_kernels import PASSES
from torchscript_dialect.runtime.specialization import Key, argument_key
from torchscript_dialect.runtime.values import tensor_type
from torchscript_dialect.runtime.whole_graph import align_to_function
from torchscript_dialect.tensor.dtype import get_default_dtype
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.containers import ListType, TupleType
from torchscript_dialect.types.core import FLOAT, TorchScriptType
from torchscript_dialect.types.tensor_type import TENSOR
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
    return (operator.qualified_name, *parts)


def kernel_for(
    operator: Operator, operands: Sequence[Any], key: Key, *, takes_floats: bool
) -> Executable | None:
    """The kernel for operands like these, from the disk or compiled; None where there is none, be it that the operator does not take
    them: its own kernel says so in its own words.

    Raises:
        CudaError: there is no device.
    """
    kept_under = cache_key("on device", repr(key), operator.text, get_default_dtype().name)
    with compilation, fusing_on("cuda"):
        kernel = load_kernel(kept_under, FUSER)
        if kernel is not None:
            return kernel
        try:
            return _compile(operator, operands, kept_under, takes_floats)
        except (InternalError, CudaError):
            raise
        except Exception:
            return None


def _compile(
    operator: Operator, operands: Sequence[Any], kept_under: str, takes_floats: bool
) -> Executable:
    types: list[TorchScriptType] = [
        tensor_type(one) if isinstance(one, Tensor) else FLOAT
        for one in inputs_of(operands, takes_floats=takes_floats)
    ]
    block = Block(arg_types=types)
    builder = Builder(InsertPoint.at_end(block))
    arguments = iter(block.args)

    def value_of(operand: Any) -> Any:
        if operand.__class__ is Tensor or (takes_floats and operand.__class__ is float):
            return next(arguments)
        if not is_list_of_tensors(operand):
            return operand
        items: list[SSAValue] = [next(arguments) for _ in operand]
        made = prim.ListConstructOp.create(operands=items, result_types=[ListType(TENSOR)])
        return builder.insert(made).results[0]

    node = operator_class(operator.qualified_name).of(builder, *map(value_of, operands))
    values: list[SSAValue] = list(node.results)
    if len(values) > 1:
        type_ = TupleType.get([prim.type_of(value) for value in values])
        pack = prim.TupleConstructOp.create(operands=values, result_types=[type_])
        values = [builder.insert(pack).results[0]]
    builder.insert(ReturnOp(*values))
    results = [value.type for value in values]
    module = ModuleOp([FuncOp("operator", (types, results), Region(block))])
    PassPipeline(PASSES).apply(module)
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    body = align_to_function(function)
    if body is None:
        raise NotCompilable(f"{operator.qualified_name} is no kernel of its own")
    return compile_kernel(body, FUSER, PassLists(), kept_under)
