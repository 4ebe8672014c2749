"""Caches of calls of operators: for the classes of arguments, which overload runs, and how they become its operands.

Note [Cached calls of operators]
For most arguments their classes alone say which overload runs, and how they become its operands. So the first call with such classes
leaves a `CachedCall`, which later ones use. What depends on values (a tensor for a number, a text for a device) leaves none.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Sequence
from functools import lru_cache
from types import CodeType
from typing import Any, NamedTuple, cast

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.eager import often
from torchscript_dialect.ops.eager.often import (
    CompiledForm,
    OfLength,
    compiled_form,
    counted_kernel,
    counted_view,
)
from torchscript_dialect.ops.eager.python_arguments import Signature, tensor_operand
from torchscript_dialect.ops.registry import Kernel, Operator
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device_array import when_device_used
from torchscript_dialect.tensor.grad_mode import is_grad_enabled
from torchscript_dialect.tensor.inference import mark_new, mark_results
from torchscript_dialect.tensor.tensor import Size, Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor, is_in_use, when_used
from torchscript_dialect.utils.memo import Memo

MISFIT = object()
"""What a call gives where elements of arguments are of other classes than before."""


class CachedCall(NamedTuple):
    """How a call with arguments of certain classes is made."""

    kernel: Kernel
    defaults: tuple[Any, ...]
    """What follows the operands."""
    call: Callable[[tuple[Any, ...]], Any] | None
    """Makes operands of the arguments and calls the kernel, or gives `MISFIT`; None where the operands are the arguments."""
    finish: Callable[[Any], Any] | None
    """Makes a named tuple of several results."""
    mark: Callable[[Any, tuple[Any, ...]], None]
    """Lets what a call has made in inference mode be inference tensors."""


FEW = 4
"""Items of lists that are looked at one by one."""
_ATOMS = frozenset((Tensor, TrackedTensor, int, float, bool, str, type(None)))
_NUMBERS = frozenset((int, float, bool))
_caches: dict[str, Memo[tuple[type, ...], CachedCall]] = {}


def cached_calls(name: str) -> Memo[tuple[type, ...], CachedCall]:
    """The cached calls of an operator, by the classes of arguments."""
    cache = _caches.get(name)
    return _caches.setdefault(name, Memo(64)) if cache is None else cache


def forget_cached_calls() -> None:
    """Forget all cached calls: the next call of each kind is looked up again."""
    for cache in _caches.values():
        cache.clear()


registry.when_registered(forget_cached_calls)
when_used(forget_cached_calls)
when_device_used(forget_cached_calls)


def remember(
    name: str,
    signatures: Sequence[Signature],
    operator: Operator,
    args: Sequence[Any],
    operands: list[Any],
    convert: bool,
) -> None:
    """Cache a call with arguments of these classes, if the classes alone decide. `signatures` are those that were tried."""
    kernel = operator.current_kernel
    if kernel is None or operator.schema.is_vararg:
        return
    if convert and not _takes_tensors(signatures, args):
        return
    last = sum(not argument.kwarg_only for argument in operator.schema.arguments) - 1
    steps = _steps(args, operands, last)
    if steps is None:
        return
    rest = operands[len(steps.operands) :]
    has_lists = any(isinstance(value, list) for value in rest)
    manner = _manner(operator, kernel, args)
    finish = result_class(operator)
    mark = mark_results if any(one.alias for one in operator.schema.returns) else mark_new
    are_same = steps.operands == [f"a[{place}]" for place in range(len(args))] and not has_lists

    def cached(kernel: Kernel, defaults: tuple[Any, ...]) -> CachedCall:
        wrapped = manner.wrap(kernel)
        call = None if are_same else steps.call(wrapped, defaults)
        return CachedCall(wrapped, defaults, call, finish, mark)

    place = _Place(cached_calls(name), tuple(map(type, args)), cached, tuple(rest))
    is_counted = manner.is_counted and not has_lists
    if is_counted and operator.rules.is_view:
        _count_views(place, manner)
    elif is_counted and (form := compiled_form(operator)) is not None:
        _count(form, place, manner)
    else:
        place.use(manner.kernel)


class _Place(NamedTuple):
    """Where a cached call is kept, and what makes one of a kernel and what follows the operands."""

    cache: dict[tuple[type, ...], CachedCall]
    classes: tuple[type, ...]
    cached: Callable[[Kernel, tuple[Any, ...]], CachedCall]
    defaults: tuple[Any, ...]

    def use(self, kernel: Kernel, *, takes_defaults: bool = True) -> CachedCall:
        """Let calls go to a kernel."""
        made = self.cache[self.classes] = self.cached(
            kernel, self.defaults if takes_defaults else ()
        )
        return made


class _Manner(NamedTuple):
    """How an operator is run for operands of certain classes."""

    kernel: Kernel
    """What serves the calls that no kernel made for them serves."""
    wrap: Callable[[Kernel], Kernel]
    """Makes of that, or of what is made, what is called."""
    is_counted: bool
    """Whether something is made for calls that come often."""
    counts: Callable[[], bool] | None
    """Whether a call is one of them; None where all are."""


def _manner(operator: Operator, kernel: Kernel, args: Sequence[Any]) -> _Manner:
    """How an operator is run for such arguments. Native calls serve tensors that require gradients where none are wanted: Note [A
    thread without gradients] in tensor/grad_mode.py.
    """
    wrap = _same
    if is_in_use() and _holds_tracked(args):
        assert operator.recorded is not None
        return _Manner(operator.recorded, wrap, not operator.keeps_track, _wants_no_gradients)
    if is_in_use() and operator.keeps_track:
        assert operator.recorded is not None
        if operator.on_plain_operands is None:
            return _Manner(operator.recorded, wrap, False, None)
        wrap = operator.on_plain_operands
    return _Manner(kernel, wrap, kernel is operator.kernel, None)


def _same(kernel: Kernel) -> Kernel:
    return kernel


def _wants_no_gradients() -> bool:
    return not is_grad_enabled()


def _count_views(place: _Place, manner: _Manner) -> None:
    """Let a cached call that gives views have a native program once it was used often."""

    def use(kernel: Kernel) -> None:
        if place.cache.get(place.classes) is counted:
            place.use(kernel)

    counted = place.use(counted_view(manner.kernel, often.OFTEN, use))


def _count(form: CompiledForm, place: _Place, manner: _Manner) -> None:
    """Let a cached call have a kernel of its own once it was used often: Note [Operators that are called often] in often.py."""

    def use(kernel: Kernel, takes_defaults: bool) -> None:
        if place.cache.get(place.classes) is counted:
            place.use(kernel, takes_defaults=takes_defaults)

    number = len(place.defaults)
    counting = counted_kernel(form, manner.kernel, number, use, counts=manner.counts)
    counted = place.use(counting)


def _holds_tracked(args: Sequence[Any]) -> bool:
    """Whether an argument, or the elements of one, are tracked tensors."""
    lists = [cast("Sequence[Any]", one) for one in args if isinstance(one, (list, tuple))]
    return any(one.__class__ is TrackedTensor for items in (args, *lists) for one in items)


def _takes_tensors(signatures: Sequence[Signature], args: Sequence[Any]) -> bool:
    """Whether no overload takes a number where a tensor is given, which may be converted or not."""
    places = [place for place, argument in enumerate(args) if isinstance(argument, Tensor)]
    return all(
        signature.arguments[place][1] is tensor_operand
        for signature in signatures
        for place in places
        if place < len(signature.arguments)
    )


@lru_cache(maxsize=1 << 14)
def result_class(operator: Operator) -> Callable[..., Any] | None:
    """What makes a named tuple of an operator's results; None where the schema names none, or one."""
    names = [result.name for result in operator.schema.returns]
    if len(names) < 2 or not all(names):
        return None
    name = operator.name.partition("::")[2]
    fields = ",\n".join(f"{each}=%r" for each in names)
    class_ = namedtuple(name, names)  # type: ignore[misc]
    class_.__repr__ = lambda self: f"torch.return_types.{name}(\n{fields % tuple(self)})"  # type: ignore[method-assign]
    return class_._make


class _Steps:
    """How arguments become operands: Python text of each, in which `a` is the tuple of arguments, and of what must not hold of them."""

    def __init__(self) -> None:
        self.operands: list[str] = []
        self.misfits: list[str] = []
        self.names: dict[str, Any] = {}
        self.is_as_now = ""
        """What holds of a list that is as long as this one, and has items of the class of these; empty where it is long."""
        self.length = 0
        """How long that list is."""

    def add_list(self, place: int, items: Sequence[Any]) -> None:
        """Take a list whose items are of one class, as they have to be in later calls. To compare as many as there are now one by one
        takes half as long as to make a set of classes, while these are few.
        """
        given, class_, classes = f"a[{place}]", f"class{place}", f"classes{place}"
        self.names |= {class_: items[0].__class__, classes: {items[0].__class__}}
        test = f"set(map(type, {given})) != {classes}"
        if len(items) <= FEW:
            same = " is ".join(f"{given}[{item}].__class__" for item in range(len(items)))
            self.length = len(items)
            self.is_as_now = f"len({given}) == {len(items)} and {same} is {class_}"
            test = f"not ({self.is_as_now}) and {test}"
        self.misfits.append(f"({test})")
        self.operands.append(f"list({given})")

    def call(self, kernel: Kernel, defaults: Sequence[Any]) -> Callable[[tuple[Any, ...]], Any]:
        """What calls a kernel with the operands that it makes of arguments, and with defaults, of which lists are made anew."""
        rest = {f"d{place}": one for place, one in enumerate(defaults)}
        made = [f"[*{name}]" if isinstance(one, list) else name for name, one in rest.items()]
        text = f"kernel({', '.join((*self.operands, *made))})"
        if self.misfits:
            text = f"misfit if {' or '.join(self.misfits)} else {text}"
        names = {**self.names, **rest, "kernel": kernel, "misfit": MISFIT}
        first = getattr(kernel, "first", None)
        is_alone = len(self.operands) == 1 and self.is_as_now
        if is_alone and isinstance(first, OfLength) and first.suits(self.length, defaults):
            names["native"] = first.run
            text = f"native(*a[0]) if {self.is_as_now} else {text}"
        return eval(_compiled(f"lambda a: {text}"), names)


@lru_cache(maxsize=1 << 10)
def _compiled(text: str) -> CodeType:
    return compile(text, "<cached call>", "eval")


def _steps(args: Sequence[Any], operands: Sequence[Any], last: int) -> _Steps | None:
    """How arguments became operands; the operand at the place `last` may have taken the arguments from its place on. None where that
    is not told by classes.
    """
    steps = _Steps()
    for place, (argument, operand) in enumerate(zip(args, operands)):
        class_ = argument.__class__
        given = f"a[{place}]"
        if operand.__class__ is list and class_ is int:
            if operand == [argument]:
                steps.operands.append(f"[{given}]")
            elif place < last or len(args) == place + 1:  # one number for as many
                steps.operands.append(f"[{given}] * {len(operand)}")
            elif operand == list(args[place:]) and {*map(type, args[place:])} == {int}:
                numbers = ", ".join(f"a[{one}]" for one in range(place, len(args)))
                steps.operands.append(f"[{numbers}]")
                return steps
            else:
                return None
        elif operand is argument and class_ in _ATOMS:
            steps.operands.append(given)
        elif class_ in _NUMBERS and operand.__class__ in _NUMBERS:
            steps.operands.append(f"{operand.__class__.__name__}({given})")
        elif class_ is dtypes.dtype and operand.__class__ is int:
            steps.operands.append(f"{given}.scalar_type")
        elif class_ in (list, tuple, Size) and operand.__class__ is list:
            classes = set(map(type, argument))
            if len(classes) != 1 or not _ATOMS.issuperset(classes):
                return None
            if any(one is not other for one, other in zip(argument, operand, strict=True)):
                return None
            steps.add_list(place, argument)
        else:
            return None
    return steps
