"""Compiled kernels of single operators, for tensors so large that NumPy's way takes longer than a compilation.

An operator becomes a function of one node, whose group goes the way of all groups: through the operator's declaration and lowering to a
kernel that the disk keeps. See Note [Large tensors] in ops/large.py.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from xdsl.builder import Builder
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region
from xdsl.rewriter import InsertPoint

from torchscript_dialect.backend import Executable, NotCompilable
from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.kernels import callable_of, compile_kernel, load_kernel
from torchscript_dialect.runtime.native.cache import cache_key
from torchscript_dialect.runtime.native.entry import NativeUnavailable
from torchscript_dialect.runtime.specialization import Key, argument_key
from torchscript_dialect.runtime.values import tensor_type
from torchscript_dialect.runtime.whole_graph import align_to_function
from torchscript_dialect.tensor.dtype import get_default_dtype
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.core import FLOAT
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
_INPUT = object()

IsInput = Callable[[Any], bool]
"""Whether kernels take an operand; they are compiled for the others."""


def is_tensor_or_float(operand: Any) -> bool:
    """Whether an operand is a tensor or a float."""
    return operand.__class__ is Tensor or operand.__class__ is float


def is_tensor(operand: Any) -> bool:
    """Whether an operand is a tensor."""
    return operand.__class__ is Tensor


class OperatorKernels:
    """The kernels of one operator, by the properties of its operands that kernels depend on."""

    def __init__(self, operator: Operator, kernel: Callable[..., Any]) -> None:
        self.operator = operator
        self.kernel = kernel
        self.found: Memo[Key, Native | None] = Memo(64)
        self.left = PATIENCE
        self.takes_numbers = True
        """Whether kernels are tried that take floats; otherwise each is compiled for its floats, as it is for all other numbers. A call
        goes by what it was when the call began.
        """

    def __call__(self, *operands: Any) -> Any:
        """Run the operator on operands of which the first is a large tensor."""
        now = settings.current()
        if now.fuser == "none" or not now.optimize:
            return self.kernel(*operands)
        is_input = is_tensor_or_float if self.takes_numbers else is_tensor
        inputs = [operand for operand in operands if is_input(operand)]
        constants = [None if is_input(each) else (each.__class__, repr(each)) for each in operands]
        key: Key = (now.fuser, *argument_key(inputs), *constants)
        if key in self.found:
            native = self.found[key]
        else:
            native = self.find(key, operands, inputs, is_input)
        return self.kernel(*operands) if native is None else native(*inputs)

    def find(
        self, key: Key, operands: Sequence[Any], inputs: Sequence[Any], is_input: IsInput
    ) -> Native | None:
        """The kernel for operands, from the disk or compiled once that pays; None while and where there is none."""
        fuser: str = key[0]
        kept_under = cache_key("operator", repr(key), self.operator.text, get_default_dtype().name)
        kernel = load_kernel(kept_under, fuser)
        self.left -= inputs[0].array.size
        if kernel is None and self.left > 0:
            return None
        if is_input is is_tensor and len(self.found) >= MANY:
            return None
        native = None
        with compilation:
            kernel = kernel or self.compiled(operands, is_input, fuser, kept_under)
            if kernel is not None:
                with suppress(NativeUnavailable):
                    native = callable_of(kernel, self.without_kernel(operands, is_input))
            elif (
                is_input is is_tensor_or_float
                and any(operand.__class__ is float for operand in operands)
                and self.compiled(operands, is_tensor, fuser, None) is not None
            ):
                self.takes_numbers = False
                self.found.clear()
        self.found[key] = native
        return native

    def without_kernel(self, operands: Sequence[Any], is_input: IsInput) -> Callable[..., Any]:
        """What runs calls that a kernel does not serve, which was compiled for the constants among these operands."""
        constants = [_INPUT if is_input(operand) else operand for operand in operands]

        def run(*inputs: Any) -> Any:
            given = iter(inputs)
            return self.kernel(*[next(given) if one is _INPUT else one for one in constants])

        return run

    def compiled(
        self, operands: Sequence[Any], is_input: IsInput, fuser: str, key: str | None
    ) -> Executable | None:
        """The kernel for operands like these; None where there is none, be it that the operator does not take them: its own kernel says
        so in its own words.
        """
        try:
            return self.compile(operands, is_input, fuser, key)
        except Exception as error:
            if isinstance(error, InternalError):
                raise
            return None

    def compile(
        self, operands: Sequence[Any], is_input: IsInput, fuser: str, key: str | None
    ) -> Executable:
        """The kernel for operands like these.

        Raises:
            NotCompilable: the backend has none, or none that pays.
            Exception: what a pass raises where the operator does not take such operands.
        """
        types = [
            tensor_type(operand) if isinstance(operand, Tensor) else FLOAT
            for operand in operands
            if is_input(operand)
        ]
        block = Block(arg_types=types)
        builder = Builder(InsertPoint.at_end(block))
        arguments = iter(block.args)
        values = [next(arguments) if is_input(operand) else operand for operand in operands]
        node = operator_class(self.operator.qualified_name).of(builder, *values)
        builder.insert(ReturnOp(*node.results))
        results = [result.type for result in node.results]
        module = ModuleOp([FuncOp("operator", (types, results), Region(block))])
        PassPipeline(PASSES).apply(module)
        function = module.body.block.first_op
        assert isinstance(function, FuncOp)
        body = align_to_function(function)
        if body is None:
            raise NotCompilable(f"{self.operator.qualified_name} is no kernel of its own")
        return compile_kernel(body, fuser, PassLists(), key)
