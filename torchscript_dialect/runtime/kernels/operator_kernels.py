"""Compiled kernels of single operators, for tensors so large that NumPy's way takes longer than a compilation.

An operator becomes a function of one node, whose group goes the way of all groups: through the operator's declaration and lowering to a
kernel that the disk keeps. See Note [Large tensors] in ops/large.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, cast

from xdsl.builder import Builder
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region, SSAValue
from xdsl.rewriter import InsertPoint

from torchscript_dialect.backend import Executable, NotCompilable
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.ops.large import LARGE, OF_LARGE_ROWS
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.kernels.handwritten.row_kernels import row_kernel
from torchscript_dialect.runtime.kernels.kernels import (
    add_kernel,
    callable_of,
    compile_kernel,
    load_kernel,
)
from torchscript_dialect.runtime.kernels.whole_graph import align_to_function
from torchscript_dialect.runtime.native.cache import cache_key
from torchscript_dialect.runtime.native.entry import NativeCallable, NativeUnavailable
from torchscript_dialect.runtime.specialization.specialization import Key, argument_key
from torchscript_dialect.runtime.values.type_tests import tensor_type
from torchscript_dialect.tensor.dtype import get_default_dtype
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.containers import ListType, TupleType
from torchscript_dialect.types.core import FLOAT, TorchScriptType
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.errors import InternalError
from torchscript_dialect.utils.memo import Memo

PASSES = (
    "ts-propagate-shapes{numbers=true},ts-fuse-tensorexprs{min_group_size=1},"
    "ts-dead-code-elimination"
)
PATIENCE = 1 << 23
"""Elements that an operator has computed in NumPy before it is compiled; a kernel that is on disk is used at once."""

MANY = 16
"""Kernels of an operator that are compiled for numbers: those that come after get none."""

Native = Callable[..., Any]
INPUT = object()
"""Stands for an input of a kernel among the operands that it is compiled for."""

Takes = Sequence[bool]
"""Whether a kernel takes an operand, for each; it is compiled for the others."""


def tensors_and_floats(operands: Sequence[Any]) -> list[bool]:
    """Which operands are tensors and floats."""
    return [operand.__class__ is Tensor or operand.__class__ is float for operand in operands]


def tensors(operands: Sequence[Any]) -> list[bool]:
    """Which operands are tensors."""
    return [operand.__class__ is Tensor for operand in operands]


class OperatorKernels:
    """The kernels of one operator, by the properties of its operands that kernels depend on."""

    def __init__(
        self, operator: Operator, kernel: Callable[..., Any], *, in_place: bool = False
    ) -> None:
        """`kernel` runs what no kernel runs; `in_place` lets results of the operator be written over the first operand."""
        self.operator = operator
        self.in_place = in_place
        self.kernel = kernel
        self.found: Memo[Key, Native | None] = Memo(64)
        self.left = PATIENCE
        self.takes_numbers = True
        """Whether kernels are tried that take floats; otherwise each is compiled for its floats, as it is for all other numbers. A call
        goes by what it was when the call began.
        """
        settings.listen(self)

    def settings_changed(self) -> None:
        """Forget what was made under other settings, and another default dtype."""
        self.found.clear()

    def __call__(self, *operands: Any) -> Any:
        """Run the operator on operands of which the first, or else the result, is a large tensor."""
        now = settings.current()
        if not now.specializes:
            return self.kernel(*operands)
        takes = tensors_and_floats(operands) if self.takes_numbers else tensors(operands)
        inputs = inputs_of(operands, takes)
        key = operator_key(now.fuser, operands, takes)
        if key in self.found:
            native = self.found[key]
        else:
            native = self.find(key, operands, takes)
        return self.kernel(*operands) if native is None else native(*inputs)

    def find(self, key: Key, operands: Sequence[Any], takes: Takes) -> Native | None:
        """The kernel for operands, from the disk or compiled once that pays; None while and where there is none."""
        fuser: str = key[0]
        if self.operator.qualified_name in OF_LARGE_ROWS:
            return self._of_rows(key, operands, takes)
        kept_under = disk_key(self.operator, key)
        kernel = load_kernel(kept_under, fuser)
        self.left -= max(operands[0].array.size, LARGE)  # a result may be large where no operand is
        if kernel is None and self.left > 0:
            return None
        only_tensors = tensors(operands)
        if takes == only_tensors and len(self.found) >= MANY:
            return None
        native = None
        with compilation:
            kernel = kernel or compiled(self.operator, operands, takes, fuser, kept_under)
            if kernel is not None:
                with suppress(NativeUnavailable):
                    rare = without_kernel(self.kernel, operands, takes)
                    native = callable_of(kernel, rare, in_place=self.in_place)
            elif (
                takes != only_tensors
                and compiled(self.operator, operands, only_tensors, fuser, None) is not None
            ):
                self.takes_numbers = False
                self.found.clear()
        self.found[key] = native
        return native

    def _of_rows(self, key: Key, operands: Sequence[Any], takes: Takes) -> Native | None:
        """The kernel of the runtime's own for operands, which need not be compiled."""
        native = None
        with suppress(NativeUnavailable):
            kernel = row_kernel(self.operator, operands)
            if kernel is not None:
                native = NativeCallable(without_kernel(self.kernel, operands, takes))
                add_kernel(native, kernel)
        self.found[key] = native
        return native


def inputs_of(operands: Sequence[Any], takes: Takes) -> list[Any]:
    """The operands that a kernel takes."""
    return [operand for operand, is_input in zip(operands, takes, strict=True) if is_input]


def operator_key(fuser: str, operands: Sequence[Any], takes: Takes) -> Key:
    """What a kernel for operands depends on."""
    constants = [
        None if is_input else (each.__class__, repr(each))
        for each, is_input in zip(operands, takes, strict=True)
    ]
    return (fuser, *argument_key(inputs_of(operands, takes)), *constants)


def disk_key(operator: Operator, key: Key) -> str:
    """What the kernel of an operator is kept under on disk."""
    return cache_key("operator", repr(key), operator.text, get_default_dtype().name)


def without_kernel(
    kernel: Callable[..., Any], operands: Sequence[Any], takes: Takes
) -> Callable[..., Any]:
    """What runs calls that a kernel does not serve, which was compiled for the constants among these operands."""
    parts = zip(operands, takes, strict=True)
    constants = [INPUT if is_input else operand for operand, is_input in parts]

    def run(*inputs: Any) -> Any:
        given = iter(inputs)
        return kernel(*[next(given) if one is INPUT else one for one in constants])

    return run


def compiled(
    operator: Operator,
    operands: Sequence[Any],
    takes: Takes,
    fuser: str,
    key: str | None,
    in_list: int = 0,
) -> Executable | None:
    """The kernel for operands like these; None where there is none, be it that the operator does not take them: its own kernel says
    so in its own words. The operator gets the first `in_list` of them as one list.
    """
    values = [
        INPUT if is_input else operand for operand, is_input in zip(operands, takes, strict=True)
    ]
    if not all(map(_fits_a_word, values)):
        return None
    if in_list:
        values[:in_list] = [[INPUT] * in_list]
    try:
        types = [
            tensor_type(operand) if isinstance(operand, Tensor) else FLOAT
            for operand in inputs_of(operands, takes)
        ]
        return compile_operator(operator, types, values, fuser, key)
    except Exception as error:
        if isinstance(error, InternalError):
            raise
        return None


def _fits_a_word(value: Any) -> bool:
    """Whether an int, or those of a list, has 64 bits, as those of graphs have."""
    items = cast("list[Any]", value) if isinstance(value, list) else [value]
    return all(item.__class__ is not int or -(1 << 63) <= item < 1 << 63 for item in items)


def compile_operator(
    operator: Operator,
    types: Sequence[TorchScriptType],
    operands: Sequence[Any],
    fuser: str,
    key: str | None,
) -> Executable:
    """The kernel of one operator, which takes inputs of these types in the places of `INPUT`s among operands and in lists.

    Raises:
        NotCompilable: the backend has none, or none that pays.
        Exception: what a pass raises where the operator does not take such operands.
    """
    block = Block(arg_types=types)
    builder = Builder(InsertPoint.at_end(block))
    arguments = iter(block.args)
    node = operator_class(operator.qualified_name).of(
        builder, *[_value_of(operand, arguments, builder) for operand in operands]
    )
    return compile_block(block, node.results, operator.qualified_name, fuser, key)


def compile_block(
    block: Block, results: Sequence[SSAValue], name: str, fuser: str, key: str | None
) -> Executable:
    """The kernel of the nodes of a block, of which some results are given.

    Raises:
        NotCompilable: the backend has none, or none that pays.
        Exception: what a pass raises where operators do not take such operands.
    """
    builder = Builder(InsertPoint.at_end(block))
    values = list(results)
    if len(values) > 1:
        type_ = TupleType.get([prim.type_of(value) for value in values])
        pack = prim.TupleConstructOp.create(operands=values, result_types=[type_])
        values = [builder.insert(pack).results[0]]
    builder.insert(ReturnOp(*values))
    types = (block.arg_types, [value.type for value in values])
    module = ModuleOp([FuncOp("operator", types, Region(block))])
    PassPipeline(PASSES).apply(module)
    function = module.body.block.first_op
    assert isinstance(function, FuncOp)
    body = align_to_function(function)
    if body is None:
        raise NotCompilable(f"{name} is no kernel of its own")
    return compile_kernel(body, fuser, PassLists(), key)


def _value_of(operand: Any, arguments: Iterator[SSAValue], builder: Builder) -> Any:
    """What an operator gets for an operand: the next argument for an input."""
    if operand is INPUT:
        return next(arguments)
    given = cast("list[Any]", operand) if operand.__class__ is list else []
    if not any(item is INPUT for item in given):
        return operand
    items = [next(arguments) for _ in given]
    pack = prim.ListConstructOp.create(operands=items, result_types=[ListType(TENSOR)])
    return builder.insert(pack).results[0]
