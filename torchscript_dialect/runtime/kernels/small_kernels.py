"""Compiled kernels of operators that Python code calls often: Note [Operators that are called often] in ops/eager/often.py."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from math import copysign
from typing import Any, NamedTuple, cast

from torchscript_dialect.backend import Executable
from torchscript_dialect.ops.eager.often import CONVERSION, FACTORIES, OF_ROWS, OfLength
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.kernels.handwritten import place_kernels
from torchscript_dialect.runtime.kernels.handwritten.place_kernels import place_kernel
from torchscript_dialect.runtime.kernels.handwritten.row_kernels import row_kernel
from torchscript_dialect.runtime.kernels.kernels import add_kernel, load_kernel, plain
from torchscript_dialect.runtime.kernels.operator_kernels import (
    Takes,
    compiled,
    disk_key,
    operator_key,
    tensors,
    tensors_and_floats,
)
from torchscript_dialect.runtime.native.entry import (
    HAS_NATIVE_CALLS,
    NativeCallable,
    NativeUnavailable,
)
from torchscript_dialect.runtime.specialization.specialization import Key
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.mutability import may_hold_tensors
from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.generated import function_of
from torchscript_dialect.utils.memo import Memo
from torchscript_dialect.utils.properties import cached_property

KINDS = 4
"""Kinds of arguments that one native callable has kernels for."""
CONSTANTS = 16
"""Sets of constants that an operator has kernels for, until it forgets them."""

LONGEST_LIST = 16
"""Elements of a list of tensors that kernels are made for."""

_ATOMS = (int, float, bool, str, type(None))


def may_compile() -> bool:
    """Whether there may be kernels in this process, now."""
    now = settings.current()
    return HAS_NATIVE_CALLS and now.specializes


def small_kernels(
    operator: Operator,
    kernel: Callable[..., Any],
    operands: Sequence[Any],
    often: int,
    in_place: bool,
) -> SmallKernels | ReorderedKernels | ListKernels | IndexKernels | None:
    """What runs an operator by kernels where they fit, and by `kernel` elsewhere, for operands of these classes; None where there is no
    kernel for them. `in_place` lets results of the operator be written over the first operand, as `kernel` does.
    """
    operands = plain(operands)
    if operands[0].__class__ is list and operator.qualified_name not in FACTORIES:
        lists = ListKernels(operator, kernel, often)
        return lists if lists.add(*operands) else None
    if operator.qualified_name == INDEX:
        places = IndexKernels(operator, kernel, often)
        return places if places.add(*operands) else None
    if operator.qualified_name in OF_ROWS:
        rows = RowKernels(operator, kernel, _of_rows(operands), often, in_place)
        made = rows.native_for(operands[rows.inputs :], operands)
        return rows if made.num_specializations else None
    for takes in (_leading(tensors_and_floats(operands)), _leading(tensors(operands))):
        constants = operands[sum(takes) :]
        if not all(map(is_constant, constants)):
            return _reordered_kernels(operator, kernel, operands, often, in_place)
        small = SmallKernels(operator, kernel, takes, often, in_place)
        if small.native_for(constants, operands).num_specializations:
            is_widest = takes == _leading(tensors_and_floats(operands))
            small.may_take_float = is_widest and len(constants) > 0
            return small
    return None


def _reordered_kernels(
    operator: Operator,
    kernel: Callable[..., Any],
    operands: Sequence[Any],
    often: int,
    in_place: bool,
) -> ReorderedKernels | None:
    """The same for operands of which tensors stand behind constants; None where other operands are no constants."""
    order = tensors_first(operands)
    given = tuple(operands[place] for place in order)
    kernels = OrderedKernels(operator, kernel, operands, order, often, in_place)
    constants = given[kernels.inputs :]
    if not all(map(is_constant, constants)):
        return None
    made = kernels.native_for(constants, given)
    return ReorderedKernels(kernels, order) if made.num_specializations else None


def tensors_first(operands: Sequence[Any]) -> list[int]:
    """The places of operands, those of tensors before all others."""
    are_tensors = tensors(operands)
    return sorted(range(len(operands)), key=lambda place: not are_tensors[place])


def in_order(run: Callable[..., Any], order: Sequence[int]) -> Callable[..., Any]:
    """What takes operands in this order, for what takes them as they come."""
    return function_of(_names(order), [f"return run({_names(range(len(order)))})"], {"run": run})


def reordered(run: Callable[..., Any], order: Sequence[int]) -> Callable[..., Any]:
    """What takes operands as they come, for what takes them in this order."""
    return function_of(_names(range(len(order))), [f"return run({_names(order)})"], {"run": run})


def _names(places: Iterable[int]) -> str:
    return ", ".join(f"a{place}" for place in places)


def _leading(takes: Takes) -> Takes:
    """The same, with nothing taken after the first constant."""
    count = takes.index(False) if False in takes else len(takes)
    return [place < count for place in range(len(takes))]


def is_constant(operand: Any) -> bool:
    """Whether kernels are compiled for an operand: it is, or holds, neither tensors nor objects."""
    items = cast("list[Any]", operand) if isinstance(operand, list) else [operand]
    return all(item.__class__ in _ATOMS for item in items)


def _holds_floats(constant: Any) -> bool:
    """Whether a constant is a list with floats."""
    items = cast("list[Any]", constant) if constant.__class__ is list else []
    return any(item.__class__ is float for item in items)


class _Latest(NamedTuple):
    """Constants of a call, and what runs it: in one place, since another thread may call, too."""

    constants: Sequence[Any] | None
    native: Callable[..., Any]
    zeros: Sequence[int]
    """The places of floats that are zeros: 0.0 equals -0.0."""
    signs: Sequence[float]


def _signs(constants: Sequence[Any], zeros: Sequence[int]) -> list[float]:
    return [copysign(1.0, constants[place]) for place in zeros]


class SmallKernels:
    """An operator, called with operands of certain classes: first inputs of kernels, then constants, for which they are compiled."""

    def __init__(
        self,
        operator: Operator,
        kernel: Callable[..., Any],
        takes: Takes,
        often: int,
        in_place: bool,
        in_list: int = 0,
    ) -> None:
        self.operator = operator
        self.in_list = in_list
        """How many of the first inputs are elements of a list, which the operator has in their place."""
        self.in_place = in_place
        self.kernel = kernel
        self.takes = takes
        self.often = often
        self.inputs = sum(takes)
        self.left_out = () if in_list else self.may_be_tensors()
        """The places of constants that stand for tensors that were left out, which a later call may give."""
        self.natives: Memo[str, NativeCallable] = Memo(CONSTANTS)
        self.may_take_float = False
        """Whether kernels may take the first constant where a later call has a float there."""
        self.misses = 0
        """Calls, with constants that there are no kernels for, since there are kernels for as many as there may be."""
        self.latest = _Latest(None, kernel, (), ())

    def __call__(self, *operands: Any) -> Any:
        """Run the operator."""
        for place in self.left_out:
            if isinstance(operands[place], Tensor):
                return self.kernel(*operands)
        constants = operands[self.inputs :]
        last, native, zeros, signs = self.latest
        if constants != last or (zeros and _signs(constants, zeros) != signs):
            if self.may_take_float and constants[0].__class__ is float:
                return self.of_floats(*operands)
            if self.is_of_many(constants):
                return self.kernel(*operands)
            native = self.native_for(constants)
            if not any(map(_holds_floats, constants)):
                zeros = [i for i, one in enumerate(constants) if one.__class__ is float and not one]
                self.latest = _Latest(constants, native, zeros, _signs(constants, zeros))
        return native(*operands[: self.inputs])

    def may_be_tensors(self) -> tuple[int, ...]:
        """The places of constants where the operator takes tensors, too."""
        arguments = self.operator.schema.arguments[: len(self.takes)]
        return tuple(
            place
            for place, argument in enumerate(arguments)
            if not self.takes[place] and may_hold_tensors(argument.type)
        )

    @cached_property
    def of_floats(self) -> SmallKernels:
        """What runs calls that have a float in the place of the first constant."""
        takes = [place <= self.inputs for place in range(len(self.takes))]
        return SmallKernels(self.operator, self.kernel, takes, self.often, self.in_place)

    def is_of_many(self, constants: Sequence[Any]) -> bool:
        """Whether there are kernels for enough constants, of which these are none; after many such calls others take their places."""
        if len(self.natives) < CONSTANTS or repr(constants) in self.natives:
            return False
        self.misses += 1
        if self.inputs and self.misses >= self.often:
            self.misses = 0
            return False
        return True

    def native_for(
        self, constants: Sequence[Any], operands: Sequence[Any] | None = None
    ) -> NativeCallable:
        """What runs the operator with these constants, given the inputs; with kernels for such operands, where they are given."""
        native = self.natives.get(repr(constants))
        if native is None:
            rare = _Rare(self, tuple(constants))
            native = self.natives[repr(constants)] = rare.native
            if operands is not None:
                rare.add_kernel(operands)
        return native

    def compiled(self, operands: Sequence[Any]) -> tuple[Key, Executable | None]:
        """The kernel for operands, from the disk or compiled, and what it depends on."""
        return self.compiled_for(operands, self.takes)

    def compiled_for(self, operands: Sequence[Any], takes: Takes) -> tuple[Key, Executable | None]:
        """The same for operands in the order of the operator's, of which kernels take these."""
        fuser = settings.current().fuser
        key = operator_key(fuser, operands, takes)
        if (
            self.operator.qualified_name == CONVERSION
            and operands[0].dtype.scalar_type == operands[1]
        ):
            return key, None
        kept_under = disk_key(self.operator, key)
        with compilation:
            kernel = load_kernel(kept_under, fuser)
            made = self.operator, operands, takes, fuser, kept_under, self.in_list
            return key, kernel or compiled(*made)


class OrderedKernels(SmallKernels):
    """The same for an operator some of whose tensors stand behind constants; called with all tensors first."""

    def __init__(
        self,
        operator: Operator,
        kernel: Callable[..., Any],
        operands: Sequence[Any],
        order: Sequence[int],
        often: int,
        in_place: bool,
    ) -> None:
        """`order` says which of the operator's operands each is, `operands` what these are."""
        self.order = order
        self.given = tensors(operands)
        takes = [self.given[place] for place in order]
        super().__init__(operator, in_order(kernel, order), takes, often, in_place)

    def may_be_tensors(self) -> tuple[int, ...]:
        arguments = self.operator.schema.arguments
        constants = range(self.inputs, len(self.order))
        return tuple(
            place for place in constants if may_hold_tensors(arguments[self.order[place]].type)
        )

    def compiled(self, operands: Sequence[Any]) -> tuple[Key, Executable | None]:
        by_place = dict(zip(self.order, operands, strict=True))
        return self.compiled_for([by_place[place] for place in range(len(by_place))], self.given)


class ReorderedKernels:
    """The same, called with operands as the operator has them."""

    inputs = -1

    def __init__(self, kernels: OrderedKernels, order: Sequence[int]) -> None:
        self.native = reordered(kernels, order)

    def __call__(self, *operands: Any) -> Any:
        """Run the operator."""
        return self.native(*operands)


def _of_rows(operands: Sequence[Any]) -> Takes:
    """What kernels of rows take: all up to the last tensor, and how many elements of each row `topk` wants."""
    are_tensors = tensors(operands)
    wants = len(operands) == TOPK and operands[1].__class__ is int and sum(are_tensors) == 1
    taken = len(operands) - are_tensors[::-1].index(True) + wants
    return [place < taken for place in range(len(operands))]


INDEX = "aten::index.Tensor"
TOPK = 5
"""Operands of `topk`, which no other operator with kernels of rows has as many of."""


class RowKernels(SmallKernels):
    """The same for operators with kernels of the runtime's own."""

    def compiled(self, operands: Sequence[Any]) -> tuple[Key, Any]:
        """The kernel for operands, and what it depends on."""
        with suppress(NativeUnavailable):
            dims = [one for one in operands if one.__class__ is int]
            key = *operator_key("rows", operands, self.takes), *dims
            if self.operator.qualified_name in place_kernels.FORMS:
                return key, place_kernel(self.operator.qualified_name, operands)
            return key, row_kernel(self.operator, operands)
        return (), None


class IndexKernels:
    """`aten::index`, called with a tensor and a list: kernels take the only index there is."""

    inputs = -1

    def __init__(self, operator: Operator, kernel: Callable[..., Any], often: int) -> None:
        self.kernel = kernel
        self.rows = RowKernels(operator, _of_one_index(kernel), [True, True], often, False)
        self.native: Callable[..., Any] = self.rows.kernel

    def __call__(self, x: Any, indices: list[Any]) -> Any:
        """Run the operator."""
        return self.native(x, indices[0]) if len(indices) == 1 else self.kernel(x, indices)

    def add(self, x: Any, indices: list[Any]) -> bool:
        """Have a kernel for operands as these; whether there is one."""
        if len(indices) != 1 or indices[0].__class__ is not Tensor:
            return False
        native = self.native = self.rows.native_for((), (x, indices[0]))
        return native.num_specializations > 0


def _of_one_index(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that takes the only index as it is."""

    def run(x: Any, index: Any) -> Any:
        return kernel(x, [index])

    return run


class ListKernels:
    """An operator, called with a list of tensors and constants: small kernels of which each is for so many elements."""

    def __init__(self, operator: Operator, kernel: Callable[..., Any], often: int) -> None:
        self.operator = operator
        self.kernel = kernel
        self.often = often
        self.of_length: Memo[int, SmallKernels] = Memo(CONSTANTS)
        self.inputs = -1
        self.first: OfLength | None = None
        """What runs the list for which this was made."""
        self.latest: tuple[int, Sequence[Any], Callable[..., Any]] = (-1, (), kernel)
        """Elements and constants of a call, and what runs it: in one place, since another thread may call, too."""

    def __call__(self, tensors: list[Any], *constants: Any) -> Any:
        """Run the operator."""
        length, last, native = self.latest
        if len(tensors) != length or constants != last:
            small = self.of_length.get(len(tensors))
            if small is None:
                if not self.add(tensors, *constants):
                    return self.kernel(tensors, *constants)
                small = self.of_length[len(tensors)]
            native = small.native_for(constants)
            self.latest = len(tensors), constants, native
        return native(*tensors)

    def add(self, tensors: list[Any], *constants: Any) -> bool:
        """Have kernels for lists of so many elements; whether there is one for these."""
        given, length = plain(tensors), len(tensors)
        is_usual = all(map(is_constant, constants)) and all(
            one.__class__ is Tensor for one in given
        )
        if not (0 < length <= LONGEST_LIST and is_usual):
            return False
        takes = [place < length for place in range(length + len(constants))]
        kernel = _of_list(self.kernel, length)
        small = SmallKernels(self.operator, kernel, takes, self.often, False, length)
        self.of_length[length] = small
        native = small.native_for(constants, [*given, *constants])
        if self.first is None and native.num_specializations:
            self.first = OfLength(length, constants, native)
        return native.num_specializations > 0


def _of_list(kernel: Callable[..., Any], length: int) -> Callable[..., Any]:
    """A kernel that takes the elements of a list one by one."""
    return lambda *operands: kernel(list(operands[:length]), *operands[length:])


class _Rare:
    """Runs the calls that no kernel of a native callable serves, and adds one for those that come often."""

    def __init__(self, small: SmallKernels, constants: tuple[Any, ...]) -> None:
        self.small = small
        self.constants = constants
        self.left = small.often
        self.tried: set[Key] = set()
        self.native = NativeCallable(self)
        settings.listen(self)

    def settings_changed(self) -> None:
        """Forget kernels, which are for settings and for a default dtype."""
        self.native.clear_specializations()
        self.tried.clear()

    def __call__(self, *inputs: Any) -> Any:
        self.left -= 1
        if not self.left:
            self.left = self.small.often
            self.add_kernel([*inputs, *self.constants])
        return self.small.kernel(*inputs, *self.constants)

    def add_kernel(self, operands: Sequence[Any]) -> None:
        """Add a kernel for operands, unless it was tried, or there are as many as there may be."""
        if len(self.tried) >= KINDS or not may_compile():
            return
        key, kernel = self.small.compiled(plain(operands))
        if key in self.tried or kernel is None:
            self.tried.add(key)
            return
        self.tried.add(key)
        with suppress(NativeUnavailable):
            add_kernel(self.native, kernel, in_place=self.small.in_place)
