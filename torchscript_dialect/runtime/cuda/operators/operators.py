"""What runs operators whose operands are on the device: Note [Operators on the device].

Note [Operators on the device]
What only looks at sizes, or gives views, is run by the kernel of the host, which does not read elements there (Note [Arrays on
devices] in tensor/device_array.py). Everything else that has a lowering gets a kernel of its own, compiled when it is first called
with such operands. An operator in place, or with `out`, computes what its functional form does and writes it. What has a
decomposition is decomposed. The rest copies its operands to the host and its results back, and says so once, by a warning that names
it; random numbers that no kernel of the device draws are drawn by the generator of the host.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

import numpy as np

from torchscript_dialect.backend import Executable
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.eager.out_dtypes import check_out_dtype
from torchscript_dialect.ops.pointwise.pointwise_declaration import Pointwise
from torchscript_dialect.ops.registry import Kernel, Operator
from torchscript_dialect.ops.variants import check_out
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.arrays import memory
from torchscript_dialect.runtime.cuda.driver import CudaError
from torchscript_dialect.runtime.cuda.operator_kernel import inputs_of, kernel_for, key_of
from torchscript_dialect.runtime.cuda.operators import complex_numbers, nondeterminism
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING, in_pieces
from torchscript_dialect.runtime.cuda.operators.own_operators import OWN
from torchscript_dialect.runtime.cuda.operators.placement import MIXES, ON_ONE_DEVICE, TOGETHER
from torchscript_dialect.runtime.interpreter import decompositions
from torchscript_dialect.runtime.interpreter.interpreter import InterpreterFunction
from torchscript_dialect.tensor import determinism
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.device_array import DeviceArray, DeviceReadError
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.overlap import (
    assert_no_internal_overlap,
    assert_no_partial_overlap,
)
from torchscript_dialect.tensor.strides import element_strides, pointwise_strides
from torchscript_dialect.tensor.tensor import Tensor, give_array, tensor_of, tensors_in, wrap_dim
from torchscript_dialect.tensor.type_promotion import check_castable
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.properties import cached_property

_RESIZE = frozenset(("aten::resize_", "aten::resize_as_", "aten::_resize_output_"))
_CIRCULAR = ("aten::bmm",)
"""Operators that are made of some that are made of them: `matmul` is."""
_OF_FLOATS = ("aten::norm", "aten::linalg_vector_norm")
"""Operators that refuse integers, which their parts do not."""
_ADDED_TO = frozenset(f"aten::{name}" for name in ("addmm", "addmv", "addr", "addbmm", "baddbmm"))
"""Operators whose first operand has to broadcast to the result even where nothing of it is added."""
_OF_VECTORS = ("aten::outer", "aten::ger")
"""Operators of vectors whose parts take tensors of any rank."""
NORMALIZING = frozenset(
    ("aten::softmax", "aten::log_softmax", "aten::_softmax", "aten::_log_softmax")
)
"""Operators of a tensor and a dimension, which go along that."""


_LOOK_INSIDE = ("aten::_foreach", "aten::_fused", "aten::_amp", "aten::tensor", "aten::as_tensor")
"""Operators of lists that do more than to move what these hold."""


def placed(operator: Operator, kernel: Kernel) -> Kernel:
    """What runs an operator wherever its operands are; `kernel` runs it on the host."""
    arguments = operator.schema.arguments
    if any(
        a.spelling.startswith(("t(", "t[")) or a.spelling == "t" or "[](" in a.spelling
        for a in arguments
        if not a.kwarg_only
    ) and not operator.name.startswith(_LOOK_INSIDE):
        return kernel  # moves what containers hold, and looks into nothing
    run = PlacedOperator(operator, kernel).run

    def call(*operands: Any) -> Any:
        for operand in operands:
            if isinstance(operand, Tensor):
                if operand.array.__class__ is DeviceArray:
                    return run(operands)
            elif operand.__class__ is list:
                if any(map(_is_there, cast("list[Any]", operand))):
                    return run(operands)
            elif operand.__class__ is device and operand.type == "cuda":
                return run(operands)
        return kernel(*operands)

    return call


def _is_there(value: Any) -> bool:
    return isinstance(value, Tensor) and value.array.__class__ is DeviceArray


def _holds_tensors(type_: TorchScriptType) -> bool:
    return isinstance(type_, TensorType) or any(map(_holds_tensors, type_.contained))


def _accepts(functional: Operator, operator: Operator) -> bool:
    """Whether the first arguments of an operator have the types of all of another one."""
    types = [argument.type for argument in functional.schema.arguments]
    return types == [argument.type for argument in operator.schema.arguments[: len(types)]]


_UNTOLD = ("aten::pow_", "aten::floor_divide_", "aten::ldexp_", "aten::transpose_")


def _plain(name: str) -> str:
    """The name of what gives what an operator in place writes, where the table does not tell: of `aten::__iand__` and `aten::pow_`.
    `aten::float_power_` is not so: it takes no tensor of another dtype than its results.
    """
    if name.endswith("__"):
        return name.replace("::__i", "::__", 1)
    return name.removesuffix("_") if name in _UNTOLD else name


def _writes(operator: Operator) -> list[int]:
    """The operands that an operator writes to; the schemas of some in place do not tell."""
    aliasing = operator.aliasing
    found = [] if aliasing is None else [place for place, _ in aliasing.writes]
    is_in_place = operator.name.endswith("_") and not operator.name.endswith("__")
    return found or ([0] if is_in_place and operator.schema.arguments else [])


def expands(shape: Sequence[int], to: Sequence[int]) -> bool:
    """Whether a tensor of a shape can be expanded to another one."""
    pairs = zip(reversed(shape), reversed(to))
    return len(shape) <= len(to) and all(size in (1, wanted) for size, wanted in pairs)


def laid_out(result: Tensor, operands: Sequence[Any]) -> Tensor:
    """A pointwise result with its dimensions in the order in memory that those of the operands ask for."""
    array: Any = result.array
    given = [one.array for one in operands if isinstance(one, Tensor)]
    strides = pointwise_strides([(one.shape, element_strides(one)) for one in given], array.shape)
    if strides == element_strides(array):
        return result
    steps = [stride * array.itemsize for stride in strides]
    made = memory().empty(array.shape, array.dtype).restrided(array.shape, steps)
    memory().assign(made, array)
    return tensor_of(made)


class PlacedOperator:
    """An operator on the device."""

    def __init__(self, operator: Operator, kernel: Kernel) -> None:
        self.operator = operator
        self.kernel = kernel
        arguments = operator.schema.arguments
        self.writes = _writes(operator)
        self.outs = [place for place in self.writes if arguments[place].kwarg_only]
        names = (operator.qualified_name, operator.name)
        self.own_name = "" if self.outs else next((one for one in names if one in OWN), "")
        self.own = OWN.get(self.own_name)
        """What runs the operator; NOTHING where it goes on as others do."""
        self.devices = [place for place, a in enumerate(arguments) if "Device" in a.spelling]

    @cached_property
    def may_look(self) -> bool:
        """Whether the kernel of the host may do without the elements: it gives views, or no tensors."""
        if self.writes:
            looks = None if self.functional is None else self.functional.aliasing
            return self.operator.rules.reshapes and looks is not None and bool(looks.views)
        if self.is_random:
            return False
        aliasing = self.operator.aliasing
        views = () if aliasing is None else [result for result, _ in aliasing.views]
        gives_operand = aliasing is not None and aliasing.results.name == "FIRST_OPERAND"
        return gives_operand or all(
            place in views or not _holds_tensors(returned.type)
            for place, returned in enumerate(self.operator.schema.returns)
        )

    @property
    def calls_others(self) -> bool:
        """Whether the kernel of the host only calls operators: those on lists call the one of a tensor for each."""
        return self.operator.name.startswith("aten::_foreach_") and not self.outs

    @cached_property
    def functional(self) -> Operator | None:
        """The operator that gives what this one writes."""
        operator, base = self.operator, self.operator.rules.variant_of
        wanted = [
            a.name
            for a in operator.schema.arguments
            if not (self.outs and a.kwarg_only and a.alias)
        ]
        others = registry.lookup(operator.name if self.outs else _plain(operator.name))
        of_base = None if base is None else registry.find(base)
        for found in (of_base, registry.functional_form(operator), *others):
            if found is None or found.placed is None or (_writes(found) and not self.outs):
                continue
            if [a.name for a in found.schema.arguments] == wanted and _accepts(found, operator):
                return found
        return None

    @cached_property
    def parts(self) -> Callable[..., Any] | None:
        """Runs the decomposition of the operator."""
        if isinstance(self.kernel, InterpreterFunction):
            return self.kernel
        if self.operator.rules.decompose is None:
            return None
        return decompositions.kernel(self.operator)

    def run(self, operands: Sequence[Any]) -> Any:
        """The operator's result.

        Raises:
            RuntimeError: operands are on several devices; and whatever its kernel raises.
            CudaError: the device fails.
        """
        if determinism.is_required():
            nondeterminism.check(self.operator, operands)
        if self.own is not None and self.own_name not in ON_ONE_DEVICE:
            return self.own(self, operands)
        if not MIXES & {self.operator.name, self.operator.qualified_name}:
            operands = transfers.on_one_device(
                operands, self.writes, takes_numbers=self.operator.name not in TOGETHER
            )
        is_complex = complex_numbers.are_given(operands)
        if is_complex and not self.writes:
            found = complex_numbers.run(self.operator, operands)
            if self.operator.rules.pointwise and isinstance(found, Tensor):
                return laid_out(found, operands)
            if found is not NOTHING:
                return found
        if self.own is not None:
            found = self.own(self, operands)
            if found is not NOTHING:
                return self.apart(found, operands)
        if self.calls_others:
            return self.kernel(*operands)
        if self.may_look:
            try:
                return self.kernel(*operands)
            except DeviceReadError:
                pass
        if self.writes:
            return self.write(operands)
        result = NOTHING if is_complex else self.computed(operands)
        if result is NOTHING:
            result = self.decomposed(operands)
        return self.on_host(operands) if result is NOTHING else result

    def computed(self, operands: Sequence[Any]) -> Any:
        """What kernels for the operator give; NOTHING where there is none."""
        result = in_pieces(self.operator, operands)
        if result is NOTHING:
            result = self.compute(operands)
        if result is NOTHING:
            result = self.reduced(operands)
        if result is NOTHING and self.operator.name in NORMALIZING:
            result = self.along_last(operands)
        return result

    def decomposed(self, operands: Sequence[Any]) -> Any:
        """What the operators give that this one is made of; NOTHING where it is made of none, or not of such operands: most
        decompositions are for other compilers, and do not look for the device.
        """
        if self.parts is None or self.is_random or any(self.asks_for(operands)):
            return NOTHING
        if self.operator.name in _CIRCULAR:
            return NOTHING
        if self.operator.name in _OF_FLOATS and operands[0].dtype.is_integral:
            return NOTHING  # the kernel of the host says why
        if self.operator.name in _OF_VECTORS and any(x.array.ndim != 1 for x in operands[:2]):
            return NOTHING
        try:
            found = self.parts(*operands)
        except CudaError:
            raise
        except (RuntimeError, ValueError, TypeError, IndexError):
            return NOTHING
        if self.operator.name in _ADDED_TO and not expands(
            operands[0].array.shape, found.array.shape
        ):
            return NOTHING
        if self.operator.name == "aten::baddbmm":
            return found.contiguous()
        return self.apart(found, operands)

    @cached_property
    def is_fresh(self) -> bool:
        """Whether results have memory of their own."""
        aliasing = self.operator.aliasing
        return aliasing is not None and aliasing.results.name == "FRESH" and not aliasing.views

    def apart(self, result: Any, operands: Sequence[Any]) -> Any:
        """A result of other operators, which may be in the memory of operands where that of this one has its own."""
        if not self.is_fresh or not isinstance(result, Tensor):
            return result
        array = result.array
        is_shared = any(np.may_share_memory(array, one.array) for one in tensors_in(operands))
        return result.clone() if is_shared else result

    def asks_for(self, operands: Sequence[Any]) -> Iterator[device]:
        """The devices that operands name."""
        for place in self.devices:
            if operands[place] is not None:
                yield device(operands[place])

    # Kernels

    def compute(self, operands: Sequence[Any]) -> Any:
        """What a kernel for the operator gives; NOTHING where there is none."""
        for takes_floats in (True, False):
            if not takes_floats and not any(one.__class__ is float for one in operands):
                break
            kernel = self.compiled(operands, takes_floats=takes_floats)
            if kernel is not None:
                call = kernel.bind(list(inputs_of(operands, takes_floats=takes_floats)))
                if call is not None:
                    return kernel.launch(call)
        dense = transfers.in_order(operands)
        result: Any = NOTHING if dense is None else self.compute(dense)
        if self.operator.rules.pointwise and isinstance(result, Tensor):
            return laid_out(result, operands)
        return result

    def reduced(self, operands: Sequence[Any]) -> Any:
        """What a reduction gives over dimensions that are not the last ones, of a copy in which they are; or NOTHING."""
        names = [argument.name for argument in self.operator.schema.arguments]
        if self.operator.rules.reduction is None:
            return NOTHING
        x: Tensor = operands[0]
        if not {"dim", "keepdim"} <= {*names}:
            return NOTHING if x.array.ndim else self.of_number(operands, {})
        place, keep = names.index("dim"), names.index("keepdim")
        given, rank = operands[place], x.array.ndim
        if not rank:
            return self.of_number(operands, {keep: False})
        dims = sorted(
            wrap_dim(dim, rank)
            for dim in (cast("list[int]", given) if isinstance(given, list) else [given or 0])
        )
        kept = [dim for dim in range(rank) if dim not in dims]
        if not dims or given is None or dims == list(range(len(kept), rank)):
            return NOTHING
        turned = list(operands)
        turned[0] = tensor_of(x.array.transpose([*kept, *dims]).copy())
        last = list(range(len(kept), rank))
        turned[place] = last if isinstance(given, list) else last[0]
        turned[keep] = False
        result: Any = self.compute(turned)
        if result is NOTHING or not operands[keep]:
            return result
        shape = [1 if dim in dims else x.array.shape[dim] for dim in range(rank)]
        if not isinstance(result, tuple):
            return result.view(shape)
        return tuple(one.view(shape) for one in cast("tuple[Tensor, ...]", result))

    def of_number(self, operands: Sequence[Any], changed: dict[int, Any]) -> Any:
        """What an operator along dimensions gives of a tensor without any, which has one for that; or NOTHING."""
        given = [changed.get(place, operand) for place, operand in enumerate(operands)]
        given[0] = operands[0].view([1])
        result: Any = self.compute(given)
        if result is NOTHING:
            return NOTHING
        if isinstance(result, tuple):
            return tuple(one.view([]) for one in cast("tuple[Tensor, ...]", result))
        return result.view([])

    def along_last(self, operands: Sequence[Any]) -> Any:
        """What an operator gives that goes along one dimension, of a copy in which it is the last one; or NOTHING."""
        x, dim, *rest = operands
        if not x.array.ndim:
            return self.of_number(operands, {})
        axis, rank = wrap_dim(dim, x.array.ndim), x.array.ndim
        if axis >= rank - 1:
            return NOTHING
        turned = tensor_of(x.array.swapaxes(axis, -1).copy())
        result: Any = self.compute([turned, rank - 1, *rest])
        if result is NOTHING:
            return NOTHING
        return tensor_of(result.array.swapaxes(axis, -1).copy())

    def compiled(self, operands: Sequence[Any], *, takes_floats: bool) -> Executable | None:
        """The kernel for operands like these."""
        if self.operator.lower is None or any(one.type == "cpu" for one in self.asks_for(operands)):
            return None
        settings.follow_precision()
        kernels = memory().operators
        key = key_of(self.operator, operands, takes_floats=takes_floats)
        if key not in kernels:
            kernels[key] = kernel_for(self.operator, operands, key, takes_floats=takes_floats)
        return kernels[key]

    def forget_refused(self, operands: Sequence[Any]) -> None:
        """Operands like these, of other sizes, may have a kernel: of what is refused none was compiled."""
        kernels = memory().operators
        for takes_floats in (True, False):
            key = key_of(self.operator, operands, takes_floats=takes_floats)
            if kernels.get(key) is None:
                kernels.pop(key, None)

    def cast(self, x: Tensor, wanted: dtype) -> Tensor:
        """A tensor on the device with another dtype: by a kernel, or through the host."""
        operator = registry.find("aten::to.dtype")
        assert operator is not None and operator.kernel is not None
        run = PlacedOperator(operator, operator.kernel)
        if x.dtype.is_complex or wanted.is_complex:
            return complex_numbers.of_dtype(x, wanted)
        operands = (x, wanted.scalar_type, False, False, None)
        result = run.compute(operands)
        return run.on_host(operands) if result is NOTHING else result

    # Writes

    def write(self, operands: Sequence[Any]) -> Any:
        """Run the functional form, and write its results."""
        functional, outs = self.functional, self.outs
        places = outs or self.writes
        written: list[Any] = [operands[place] for place in places]
        targets = [one for each in written for one in tensors_in(each)]
        is_list = len(places) == 1 and isinstance(written[0], list)
        if not is_list and not all(isinstance(one, Tensor) for one in written):
            return self.on_host(operands)
        if functional is None or functional.placed is None or self.writes != (outs or [0]):
            return self.on_host(operands) if self.makes is None else self.make(operands)
        if self.operator.name in _RESIZE:
            return self.on_host(operands)
        inputs = operands[: len(operands) - len(outs)]
        pointwise = functional.rules.pointwise
        kinds = pointwise.shares if isinstance(pointwise, Pointwise) else ""
        for target in targets:
            self.check_memory(functional, target, inputs, kinds)
        found: Any = functional.placed(*inputs)
        results = tensors_in(found)
        if len(results) != len(targets):
            return self.on_host(operands)
        if not outs and targets[0].dtype.is_complex and results[0].dtype is not targets[0].dtype:
            return self.on_host(operands)  # which says what is refused
        for target, result in zip(targets, results, strict=True):
            if outs:
                check_out_dtype(functional.qualified_name, result.dtype, target.dtype)
            self.store(target, result, kinds)
        if is_list:
            return operands[places[0]] if self.operator.schema.returns else None
        return targets[0] if len(targets) == 1 else tuple(targets)

    @cached_property
    def makes(self) -> Operator | None:
        """What makes the tensor that the operator writes to `out`, where it takes a dtype and a device for that."""
        base = self.operator.rules.variant_of
        found = None if base is None or len(self.outs) != 1 else registry.find(base)
        names = [] if found is None else [one.name for one in found.schema.arguments]
        takes_options = {"dtype", "layout", "device", "pin_memory"} <= {*names}
        return found if found is not None and found.placed and takes_options else None

    def make(self, operands: Sequence[Any]) -> Tensor:
        """Write a tensor that is made on the device to `out`."""
        assert self.makes is not None and self.makes.placed is not None
        *inputs, target = operands
        place = [one.name for one in self.makes.schema.arguments].index("dtype")
        options = target.dtype.scalar_type, None, target.device, None
        made = self.makes.placed(*inputs[:place], *options, *inputs[place:])
        self.store(target, made, "")
        return target

    def check_memory(
        self, functional: Operator, target: Tensor, inputs: Sequence[Any], kinds: str
    ) -> None:
        """Refuse what the host refuses for where operands lie in memory; elements of NumPy kinds among `kinds` may share theirs.

        Raises:
            RuntimeError: elements that are written to share memory with each other, or with what is read.
        """
        if functional.rules.pointwise is None:
            if self.outs and functional.rules.strict_out:
                check_out(target, inputs)
            return
        if target.array.dtype.kind not in kinds:
            assert_no_internal_overlap(target.array)
        for operand in inputs:
            if isinstance(operand, Tensor):
                assert_no_partial_overlap(target.array, operand.array)

    def store(self, target: Tensor, result: Tensor, kinds: str) -> None:
        """Write a result to an operand; elements of NumPy kinds among `kinds` may share memory.

        Raises:
            RuntimeError: it has another shape, or a dtype of another kind, or elements of the operand share memory.
        """
        if target.array.dtype.kind not in kinds:
            assert_no_internal_overlap(target.array)
        check_castable(result.dtype, target.dtype)
        if target.array.shape != result.array.shape:
            if not self.outs:
                raise RuntimeError(
                    f"output with shape {list(target.array.shape)} doesn't match the broadcast shape "
                    f"{list(result.array.shape)}"
                )
            give_array(target, transfers.of_dtype(result, target.dtype).array)
            return
        transfers.assign(target, result)

    # The host

    def on_host(self, operands: Sequence[Any]) -> Any:
        """Run the kernel of the host on copies."""
        copies: dict[int, tuple[Tensor, Tensor]] = {}
        given = [transfers.host_copy(operand, copies) for operand in operands]
        for place in self.devices:
            given[place] = None
        before = {id(copy): copy.array for copy, _ in copies.values()}
        try:
            result = self.kernel(*given)
        except Exception:
            self.forget_refused(operands)
            raise
        if not self.is_random and any(copy.size for copy in before.values()):
            self._warn()
        for place in self.written:
            for copy in tensors_in(given[place]):
                original = next((o for c, o in copies.values() if c is copy), None)
                if original is not None:
                    transfers.write_back(original, copy, before[id(copy)])
        originals = {id(copy): original for copy, original in copies.values()}
        return transfers.back(result, originals, next(self.asks_for(operands), None))

    @cached_property
    def written(self) -> list[int]:
        """The operands that the kernel of the host writes to: with `out`, those that the form without it does, too."""
        base = self.operator.rules.variant_of
        form = None if base is None else registry.find(base)
        return self.writes if form is None else [*{*self.writes, *_writes(form)}]

    @property
    def is_random(self) -> bool:
        """Whether it draws random numbers, which is the host's; what one is made of may have numbers of the device."""
        operator, rules = self.operator, self.operator.rules
        return operator.is_random or (rules.training is not None and not rules.kernel_if_off)

    def _warn(self) -> None:
        name, warned = self.operator.qualified_name, memory().warned
        if name not in warned:
            warned.add(name)
            warnings.warn(
                f"{name} has no kernel for CUDA devices: its operands are copied to the host, and its results back",
                RuntimeWarning,
                stacklevel=5,
            )
