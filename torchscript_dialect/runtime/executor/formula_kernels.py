"""Compiled kernels of formulas of derivatives: Note [Formulas that compute much] in autograd/formulas.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from numpy import ndarray
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from torchscript_dialect.autodiff.derivatives import Formula
from torchscript_dialect.backend import Executable
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.ir.edit import (
    insert_constant,
    nested_ops,
    replace_uses,
    set_type,
    update_function_type,
)
from torchscript_dialect.ir.module import find_function
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.passes.named import pipeline
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.executor.graph_executor import GraphExecutor
from torchscript_dialect.runtime.executor.last_executed import NATIVE, Last
from torchscript_dialect.runtime.kernels.kernels import compile_kernel
from torchscript_dialect.runtime.kernels.operator_kernels import (
    PASSES,
    inputs_of,
    operator_key,
    tensors,
    tensors_and_floats,
)
from torchscript_dialect.runtime.kernels.small_kernels import (
    CONSTANTS,
    SmallKernels,
    in_order,
    is_constant,
    may_compile,
    reordered,
)
from torchscript_dialect.runtime.kernels.whole_graph import align_to_function
from torchscript_dialect.runtime.native.entry import NativeCallable
from torchscript_dialect.runtime.specialization.specialization import Key
from torchscript_dialect.runtime.values.type_tests import tensor_type
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.core import FLOAT
from torchscript_dialect.types.mutability import may_hold_tensors
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.errors import InternalError
from torchscript_dialect.utils.memo import Memo
from torchscript_dialect.utils.properties import cached_property


def kernels_of(
    formula: Formula, run: Callable[..., Any], operands: Sequence[Any], often: int
) -> Callable[..., Any] | None:
    """What runs a formula by kernels where they fit, and by `run` elsewhere; None where there is none for operands like these."""
    if not may_compile():
        return None
    asks = any(map(_asks_for_sizes, nested_ops(formula.inlined_function.body.block)))
    only_tensors = tuple(tensors(operands))
    for given in (
        {only_tensors: None}
        if asks
        else {tuple(tensors_and_floats(operands)): None, only_tensors: None}
    ):
        order = sorted(range(len(given)), key=lambda place: not given[place])
        class_ = _FormulaPlans if asks else _FormulaKernels
        kernels = class_(formula, in_order(run, order), given, order, often)
        ordered = tuple(operands[place] for place in order)
        constants = ordered[kernels.inputs :]
        if not all(map(is_constant, constants)):
            return None
        native = kernels.native_for(constants, ordered)
        if native.num_specializations:
            return reordered(kernels if constants else native, order)
    return None


class _FormulaKernels(SmallKernels):
    """A formula, called with operands of certain classes: first inputs of kernels, then constants, for which they are compiled."""

    def __init__(
        self,
        formula: Formula,
        kernel: Callable[..., Any],
        given: Sequence[bool],
        order: Sequence[int],
        often: int,
    ) -> None:
        """`given` says which of its parameters kernels take, `order` which of them each operand is."""
        super().__init__(formula.operator, kernel, [given[place] for place in order], often, False)
        self.formula = formula
        self.order = order

    def may_be_tensors(self) -> tuple[int, ...]:
        """All places of constants: a formula may be of what the operator's schema does not name."""
        return tuple(range(self.inputs, len(self.takes)))

    def compiled(self, operands: Sequence[Any]) -> tuple[Key, Executable | None]:
        """The kernel for operands, and what it depends on."""
        fuser = settings.current().fuser
        key = operator_key(fuser, operands, self.takes)
        inputs = inputs_of(operands, self.takes)
        if any(one.dtype.is_complex for one in inputs if one.__class__ is Tensor):
            return key, None
        with compilation:
            return key, self._made(operands, fuser)

    def _made(self, operands: Sequence[Any], fuser: str) -> Executable | None:
        try:
            function = self.formula.real_function
            made = _specialized(function, dict(zip(self.order, operands, strict=True)), self.inputs)
            body = align_to_function(made)
            if body is None or not any(map(_computes, body.ops)):
                return None
            return compile_kernel(body, fuser, PassLists())
        except Exception as error:
            if isinstance(error, InternalError):
                raise
            return None


class _FormulaPlans(_FormulaKernels):
    """The same for a formula that asks for sizes, which has plans as functions have, for each set of constants."""

    @cached_property
    def planned(self) -> Memo[str, _Planned]:
        """What runs the formula, by constants."""
        return Memo(CONSTANTS)

    def native_for(self, constants: Sequence[Any], operands: Sequence[Any] | None = None) -> Any:
        planned = self.planned.get(repr(constants))
        if planned is None:
            planned = self.planned[repr(constants)] = _Planned(self, tuple(constants))
            if operands is not None:
                planned.plan(operands)
        return planned


class _Planned:
    """A formula with certain constants, called with tensors: interpreted until it comes often, then by an executor."""

    def __init__(self, plans: _FormulaPlans, constants: tuple[Any, ...]) -> None:
        self.plans = plans
        self.constants = constants
        self.left = plans.often
        self.native: NativeCallable | None = None

    @property
    def num_specializations(self) -> int:
        """Whether there is an executor."""
        return int(self.native is not None)

    def __call__(self, *inputs: Any) -> Any:
        native = self.native
        if native is None:
            self.left -= 1
            if not self.left:
                self.plan([*inputs, *self.constants])
        elif all(map(_is_real, inputs)):
            last = Last.executor, Last.plan, NATIVE[0]
            result = native(*inputs)
            Last.executor, Last.plan, NATIVE[0] = last
            return result
        return self.plans.kernel(*inputs, *self.constants)

    def plan(self, operands: Sequence[Any]) -> None:
        """Have an executor, if kernels do a part of what it does for operands like these."""
        count = self.plans.inputs
        if not may_compile() or not all(map(_is_real, operands[:count])):
            return
        function = self.plans.formula.real_function
        given = dict(zip(self.plans.order, operands, strict=True))
        with compilation:
            tried = _with_constants(function, given, count, specialized=True)
            if any(isinstance(op, prim.TensorExprGroupOp) for op in nested_ops(tried.body.block)):
                made = _with_constants(function, given, count, specialized=False)
                executor = GraphExecutor(made)
                self.native = executor.native = NativeCallable(executor)


def _is_real(operand: Any) -> bool:
    """Whether an operand is a tensor of the host's without imaginary parts."""
    if operand.__class__ is not Tensor:
        return False
    array = operand.array
    return array.__class__ is ndarray and array.dtype.kind != "c"


def _asks_for_sizes(op: Operation) -> bool:
    """Whether an op makes numbers of a tensor that others of its kind would not have: what is computed of them before a kernel is
    compiled becomes a part of it.
    """
    takes_tensor = any(isinstance(one.type, TensorType) for one in op.operands)
    gives_numbers = any(not may_hold_tensors(type_of(one)) for one in op.results)
    return takes_tensor and gives_numbers and op.name not in _OF_KIND


_OF_KIND = frozenset(
    (
        "aten.__is__", "aten.__isnot__", "aten.dim", "aten.is_complex", "aten.is_floating_point", "prim.device", "prim.dtype",
        "prim.is_cuda",
    )
)  # fmt: skip
"""Operators whose results all tensors have in common that a kernel is for."""


def _computes(op: Operation) -> bool:
    """Whether an op is more than a view, which costs less than a copy."""
    return isinstance(op, OperatorOp) and op.OPERATOR is not None and not op.OPERATOR.rules.is_view


def _specialized(function: FuncOp, operands: Mapping[int, Any], inputs: int) -> FuncOp:
    """A copy of a function for operands, given by their places, of which the first ones are tensors, or floats that it is given; the
    others are constants in it.
    """
    return _with_constants(function, operands, inputs, specialized=True)


def _with_constants(
    function: FuncOp, operands: Mapping[int, Any], inputs: int, *, specialized: bool
) -> FuncOp:
    """The same, for the types of the tensors only if `specialized`."""
    module = function.parent_op()
    assert isinstance(module, ModuleOp)
    copy = module.clone()
    made = find_function(copy, function.sym_name.data)
    block = made.body.block
    first = block.first_op
    assert first is not None
    arguments = list(block.args)
    for number, (place, operand) in enumerate(operands.items()):
        argument = arguments[place]
        if number >= inputs:
            replace_uses(argument, insert_constant(first, operand, type_of(argument)))
            block.erase_arg(argument)
        elif operand.__class__ is float:
            set_type(argument, FLOAT)
        elif specialized:
            set_type(argument, tensor_type(operand))
    update_function_type(made)
    if specialized:
        pipeline(PassLists(), "specialization").apply(copy)
        PassPipeline(PASSES).apply(copy)
    return made
