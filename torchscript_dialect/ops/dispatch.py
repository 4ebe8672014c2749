"""Calls of operators from Python: the first overload that the arguments fit runs, as PyTorch's eager functions do.

`call("aten::add", (x, 2))` tries the overloads of the table in order, first with arguments of exactly the declared types, then
with the conversions that Python callers expect: an int for a float, a 0-d tensor for a number, a `dtype` for its number, a name
for a device, an array for a tensor.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple, cast

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.recording import RECORDERS, RECORDING, Recorder, recording
from torchscript_dialect.ops.registry import Kernel, Operator
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.allocation import allocation_failure
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.tensor import Size, Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor, is_in_use, when_used
from torchscript_dialect.types.containers import (
    DictType,
    ListType,
    OptionalType,
    TupleType,
    UnionType,
)
from torchscript_dialect.types.core import (
    ANY,
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    STR,
    TorchScriptType,
)
from torchscript_dialect.types.function_schema import NO_DEFAULT, Argument
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.memo import Memo


class _Misfit(Exception):
    """An argument does not fit; the message says how."""


_MISFIT: Final = object()
Converter = Callable[[Any, bool], Any]
"""Takes a value and whether to convert; gives the operand or `_MISFIT`."""


def _exactly(*classes: type) -> Converter:
    return lambda value, _: value if value.__class__ in classes else _MISFIT


def _tensor(value: Any, convert: bool) -> Any:
    if value.__class__ is Tensor:
        return value
    if isinstance(value, Tensor):
        return value
    if convert and (isinstance(value, np.ndarray) or hasattr(value, "__dlpack__")):
        return as_tensor(value)
    return _MISFIT


def _zero_dim(value: Any) -> bool:
    return isinstance(value, Tensor) and value.array.size == 1


def _float(value: Any, convert: bool) -> Any:
    if value.__class__ is float:
        return value
    if isinstance(value, (float, np.floating)) or (
        convert and isinstance(value, (int, np.integer))
    ):
        return float(cast("float", value))
    return float(value) if convert and _zero_dim(value) else _MISFIT


def _int(value: Any, convert: bool) -> Any:
    if value.__class__ is int:
        return value
    if isinstance(value, dtypes.dtype):
        return value.scalar_type
    if isinstance(value, bool):
        return int(value) if convert else _MISFIT
    if isinstance(value, (int, np.integer)):
        return int(cast("int", value))
    if convert and _zero_dim(value) and value.array.dtype.kind in "iu":
        return int(value)
    return _MISFIT


def _scalar_type(value: Any, convert: bool) -> Any:
    if isinstance(value, dtypes.dtype):
        return value.scalar_type
    if value in (bool, int, float, complex) or type(value).__name__ == "dtype":
        return dtypes.as_dtype(value).scalar_type
    return _int(value, convert)


def _bool(value: Any, convert: bool) -> Any:
    if value.__class__ is bool:
        return value
    if value.__class__ is np.bool_ or (convert and value.__class__ is int):
        return bool(value)
    return _MISFIT


def _number(value: Any, convert: bool) -> Any:
    if isinstance(value, (int, float, complex)):
        return value
    if issubclass(value.__class__, np.generic):
        return value.item()
    return value.item() if convert and _zero_dim(value) else _MISFIT


def _device(value: Any, convert: bool) -> Any:
    if isinstance(value, Device):
        return value
    if convert and (isinstance(value, str) or type(value).__name__ == "device"):
        return Device(value)
    return _MISFIT


def _anything(value: Any, _: bool) -> Any:
    return value


def _optional(inner: Converter) -> Converter:
    return lambda value, convert: None if value is None else inner(value, convert)


def _list(inner: Converter, size: int | None) -> Converter:
    """A list; where the schema gives its size, one number stands for as many."""

    def convert_list(value: Any, convert: bool) -> Any:
        if isinstance(value, (list, tuple)):
            items: list[Any] = []
            for item in cast("Sequence[Any]", value):
                converted = inner(item, convert)
                if converted is _MISFIT:
                    return _MISFIT
                items.append(converted)
            return items
        if size is not None:
            converted = inner(value, convert)
            return _MISFIT if converted is _MISFIT else [converted] * size
        return _MISFIT

    return convert_list


_SIMPLE: dict[TorchScriptType, Converter] = {
    FLOAT: _float,
    INT: _int,
    BOOL: _bool,
    NUMBER: _number,
    COMPLEX: _exactly(complex),
    STR: _exactly(str),
    NONE: _exactly(type(None)),
    DEVICE: _device,
    ANY: _anything,
}


def _converter(type_: TorchScriptType, argument: Argument) -> Converter:
    if isinstance(type_, TensorType):
        return _tensor
    if type_ == INT and "ScalarType" in argument.spelling:
        return _scalar_type
    if type_ in _SIMPLE:
        return _SIMPLE[type_]
    if isinstance(type_, OptionalType):
        return _optional(_converter(type_.element, argument))
    if isinstance(type_, ListType):
        return _list(_converter(type_.element, argument), argument.list_size)
    if isinstance(type_, DictType):
        return _exactly(dict)
    if isinstance(type_, TupleType):
        return _exactly(tuple)
    if isinstance(type_, UnionType):
        return _anything
    return _anything


def _default(argument: Argument) -> Any:
    """The default of the schema, where one number stands for a list as that list."""
    if isinstance(argument.type, ListType) and isinstance(argument.default, (int, float)):
        return [argument.default] * (argument.list_size or 1)
    return argument.default


class _Signature:
    """How Python arguments become the operands of one overload."""

    def __init__(self, operator: Operator) -> None:
        self.operator = operator
        schema = operator.schema
        self.is_vararg = schema.is_vararg
        self.arguments = [
            (argument.name, _converter(argument.type, argument), _default(argument))
            for argument in schema.arguments
        ]
        self.positional = sum(not argument.kwarg_only for argument in schema.arguments)
        last = schema.arguments[self.positional - 1] if self.positional else None
        self.takes_rest = last is not None and isinstance(last.type, ListType)
        self.has_size = last is not None and last.list_size is not None

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any], convert: bool) -> list[Any]:
        """The operands in the schema's order.

        Raises:
            _Misfit: an argument is missing, unknown, or of another type.
        """
        if self.is_vararg:
            return list(args)
        args = self._gathered(args)
        if len(args) > self.positional:
            raise _Misfit(f"takes {self.positional} positional arguments, not {len(args)}")
        operands: list[Any] = []
        used = 0
        for place, (name, converter, default) in enumerate(self.arguments):
            if place < len(args):
                value = args[place]
                if name in kwargs:
                    raise _Misfit(f"argument '{name}' is given twice")
            elif name in kwargs:
                value = kwargs[name]
                used += 1
            elif default is not NO_DEFAULT:
                operands.append(
                    list(cast("list[Any]", default)) if isinstance(default, list) else default
                )
                continue
            else:
                raise _Misfit(f"argument '{name}' is missing")
            converted = converter(value, convert)
            if converted is _MISFIT:
                wanted = self.operator.schema.arguments[place].type.annotation_str
                raise _Misfit(f"argument '{name}' is a {type(value).__name__}, not a {wanted}")
            operands.append(converted)
        if used != len(kwargs):
            known = {name for name, _, _ in self.arguments}
            unknown = next(name for name in kwargs if name not in known)
            raise _Misfit(f"there is no argument '{unknown}'")
        return operands

    def _gathered(self, args: Sequence[Any]) -> Sequence[Any]:
        """`view(2, 3)` as `view([2, 3])`; one number stands for as many as the schema says, if it does."""
        last = self.positional - 1
        if self.takes_rest and len(args) > last and not isinstance(args[last], (list, tuple)):
            rest = args[last:]
            is_one = self.has_size and len(rest) == 1
            if not is_one and all(isinstance(item, int) or _zero_dim(item) for item in rest):
                return [*args[:last], list(rest)]
        return args

    def given(
        self, args: Sequence[Any], kwargs: Mapping[str, Any], operands: Sequence[Any]
    ) -> list[Any]:
        """For each operand what the caller gave for it, as it was given; the operand itself where that is a default."""
        args = self._gathered(args)
        rest = list(zip(self.arguments, operands, strict=True))[len(args) :]
        return [*args, *(kwargs.get(name, operand) for (name, _, _), operand in rest)]


@lru_cache(maxsize=1 << 14)
def _signatures(name: str) -> tuple[_Signature, ...]:
    """The overloads that Python calls: `aten::eq.int` and its like are TorchScript's alone, where others take tensors."""
    overloads = registry.lookup(name)
    if name != "aten::result_type" and any(map(_is_of_tensors, overloads)):
        of_tensors = [each for each in overloads if "Tensor" in each.text]
        overloads = of_tensors if name.startswith("aten::") else overloads
    return tuple(map(_Signature, overloads))


def _is_of_tensors(operator: Operator) -> bool:
    return "Tensor" in operator.text.rpartition(" -> ")[0]


_ALIASES = {"input": "self", "axis": "dim", "keepdims": "keepdim"}
"""What PyTorch's Python functions call arguments of the schemas."""

# Note [Ways of operators]
# For most arguments their classes alone say which overload runs, and how they become its operands. So the first call with such classes
# leaves a `Way`, which later ones take. What depends on values (a tensor for a number, a text for a device) leaves none.


class Way(NamedTuple):
    """How a call with arguments of certain classes is made."""

    kernel: Kernel
    defaults: tuple[Any, ...]
    """What follows the operands."""
    prepare: Callable[[Sequence[Any]], Sequence[Any] | None] | None
    """Makes the operands of the arguments, None where elements are of other classes than before; None for arguments as they are."""
    finish: Callable[[Any], Any] | None
    """Makes a named tuple of several results."""


_ATOMS = frozenset((Tensor, TrackedTensor, int, float, bool, str, type(None)))
_NUMBERS = frozenset((int, float, bool))
_ways: dict[str, Memo[tuple[type, ...], Way]] = {}


def ways_of(name: str) -> Memo[tuple[type, ...], Way]:
    """The ways of the calls of an operator, by the classes of arguments."""
    return _ways.setdefault(name, Memo(64))


def _forget_ways() -> None:
    for ways in _ways.values():
        ways.clear()


registry.when_registered(_signatures.cache_clear)
registry.when_registered(_forget_ways)
when_used(_forget_ways)


def caller(name: str) -> Callable[..., Any]:
    """What calls the operator `name` as `call` does."""
    ways = ways_of(name)

    def run(*args: Any, **kwargs: Any) -> Any:
        if not kwargs and not RECORDERS:
            way = ways.get(tuple(map(type, args)))
            if way is not None:
                kernel, defaults, prepare, finish = way
                operands = args if prepare is None else prepare(args)
                if operands is not None:
                    try:
                        result = kernel(*operands, *defaults)
                    except (MemoryError, ValueError) as error:
                        raise told(name, error) from None
                    return result if finish is None else finish(result)
        return _call_by_schemas(name, args, kwargs)

    return run


def unary_caller(name: str) -> Callable[[Tensor], Any]:
    """`caller` of an operator with one operand."""
    ways = ways_of(name)

    def run(x: Tensor) -> Any:
        way = ways.get((x.__class__,))
        if way is None or way.prepare is not None or RECORDERS:
            return _call_by_schemas(name, (x,), {})
        try:
            return way.kernel(x, *way.defaults)
        except (MemoryError, ValueError) as error:
            raise told(name, error) from None

    return run


def binary_caller(name: str) -> Callable[[Tensor, Any], Any]:
    """`caller` of an operator with two operands; no operator takes a text or None as the second one."""
    ways = ways_of(name)

    def run(x: Tensor, y: Any) -> Any:
        way = ways.get((x.__class__, y.__class__))
        if way is None or way.prepare is not None or RECORDERS:
            return (
                NotImplemented
                if y is None or isinstance(y, str)
                else _call_by_schemas(name, (x, y), {})
            )
        try:
            return way.kernel(x, y, *way.defaults)
        except (MemoryError, ValueError) as error:
            raise told(name, error) from None

    return run


def told(name: str, error: Exception) -> Exception:
    """What is raised where a kernel raised an error: one that says so where there was no memory for a result."""
    failure = allocation_failure(error)
    return error if failure is None else RuntimeError(f"{name}: {failure}")


_callers: Memo[str, Callable[..., Any]] = Memo(1 << 12)


def call(name: str, args: Sequence[Any], kwargs: Mapping[str, Any] | None = None) -> Any:
    """Run the operator `name` on Python arguments.

    Raises:
        TypeError: no overload takes the arguments; lists them and says why not.
        RuntimeError: the operator has no kernel, or no memory holds the result; and whatever the kernel raises.
    """
    run = _callers.get(name)
    if run is None:
        run = _callers[name] = caller(name)
    return run(*args, **(kwargs or {}))


def _call_by_schemas(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """The same, with an overload that is looked for."""
    try:
        recorder = RECORDING.recorder
        if recorder is not None:
            return _recorded(recorder, name, args, kwargs)
        operator, operands = resolve(name, args, kwargs)
        result = _named(operator, _kernel(operator)(*operands))
        if kwargs.get("requires_grad"):
            result.requires_grad = True
        return result
    except (MemoryError, ValueError) as error:
        raise told(name, error) from None


def _kernel(operator: Operator) -> Kernel:
    kernel = operator.recorded if is_in_use() else operator.kernel
    if kernel is None:
        raise RuntimeError(f"{operator.qualified_name} is not supported: it has no kernel")
    return kernel


def _recorded(recorder: Recorder, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Run an operator under a recorder."""
    with recording(None):
        operator, operands = resolve(name, args, kwargs)
    given = _given(name, operator, args, kwargs, operands)
    return _named(operator, recorder.operator(operator, operands, given, _kernel(operator)))


def _given(
    name: str,
    operator: Operator,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    operands: Sequence[Any],
) -> list[Any]:
    """For each operand of a call that was resolved, what the caller gave for it."""
    signatures = _signatures(name)
    signature = next(one for one in signatures if one.operator is operator)
    if signature.is_vararg:
        return list(args)
    return signature.given(args, _renamed(signatures, kwargs), operands)


def resolve(
    name: str, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[Operator, list[Any]]:
    """The overload that the arguments fit and its operands; TypeError where there is none."""
    signatures = _signatures(name)
    if not signatures:
        raise RuntimeError(f"there is no operator {name}")
    if kwargs:
        kwargs = _renamed(signatures, kwargs)
    reasons: list[str] = []
    for convert in (False, True):
        for signature in signatures:
            try:
                operands = signature.bind(args, kwargs, convert)
            except _Misfit as misfit:
                if convert:
                    reasons.append(f"  {signature.operator.text}: {misfit}")
                continue
            _remember(name, signature.operator, args, kwargs, operands, convert)
            return signature.operator, operands
    raise TypeError(f"no overload of {name} takes these arguments:\n" + "\n".join(reasons))


def _renamed(signatures: Sequence[_Signature], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    known = {name for signature in signatures for name, _, _ in signature.arguments}
    renamed: dict[str, Any] = {}
    for key, value in kwargs.items():
        if key not in known:
            key = _ALIASES.get(key, key)
        if key == "requires_grad" and key not in known:
            continue
        if key == "out" and value is None:
            continue
        if key == "out" and isinstance(value, (list, tuple)) and key not in known:
            renamed.update(_several_outs(signatures, cast("Sequence[Any]", value)))
            continue
        renamed[key] = value
    return renamed


def _several_outs(signatures: Sequence[_Signature], values: Sequence[Any]) -> dict[str, Any]:
    """`out=(values, indices)` by the names of the tensors that are written to."""
    for signature in signatures:
        schema = signature.operator.schema
        names = [
            argument.name for argument in schema.arguments if argument.kwarg_only and argument.alias
        ]
        if len(names) == len(values) == len(schema.returns):
            return dict(zip(names, values))
    return {"out": values}


def _remember(
    name: str,
    operator: Operator,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    operands: list[Any],
    convert: bool,
) -> None:
    """Leave a way for arguments of these classes, if the classes alone decide."""
    if kwargs or operator.kernel is None or operator.schema.is_vararg:
        return
    if convert and not _takes_tensors(name, args):
        return
    last = sum(not argument.kwarg_only for argument in operator.schema.arguments) - 1
    steps = _steps(args, operands, last)
    if steps is None:
        return
    rest = operands[len(steps) :]
    prepare = None
    if any(step is not None for step in steps) or len(steps) != len(args):
        prepare = partial(_prepared, steps)
    if not any(isinstance(value, list) for value in rest):
        kernel = operator.kernel
        if is_in_use() and (_holds_tracked(args) or operator.keeps_track):
            kernel = operator.recorded
        assert kernel is not None
        ways_of(name)[tuple(map(type, args))] = Way(
            kernel, tuple(rest), prepare, _result_class(operator)
        )


def _holds_tracked(args: Sequence[Any]) -> bool:
    """Whether an argument, or the elements of one, are tracked tensors."""
    lists = [cast("Sequence[Any]", one) for one in args if isinstance(one, (list, tuple))]
    return any(one.__class__ is TrackedTensor for items in (args, *lists) for one in items)


def _takes_tensors(name: str, args: Sequence[Any]) -> bool:
    """Whether no overload takes a number where a tensor is given, which may be converted or not."""
    places = [place for place, argument in enumerate(args) if isinstance(argument, Tensor)]
    return all(
        signature.arguments[place][1] is _tensor
        for signature in _signatures(name)
        for place in places
        if place < len(signature.arguments)
    )


Step = Callable[[Any], Any]
"""From an argument to the operand, or to `_MISFIT`."""


def _steps(args: Sequence[Any], operands: Sequence[Any], last: int) -> list[Step | None] | None:
    """How arguments became operands, None for those that stayed what they are; the operand at the place `last` may have taken the
    arguments from its place on. None where that is not told by classes.
    """
    steps: list[Step | None] = []
    for place, (argument, operand) in enumerate(zip(args, operands)):
        class_ = argument.__class__
        if operand.__class__ is list and class_ is int:
            if operand == [argument]:
                steps.append(_one)
                continue
            if place < last or len(args) == place + 1:  # one number for as many
                steps.append(partial(_repeated, len(operand)))
                continue
            if operand != list(args[place:]) or {*map(type, args[place:])} != {int}:
                return None
            steps.append(list)
            return steps
        if operand is argument and class_ in _ATOMS:
            steps.append(None)
        elif class_ in _NUMBERS and operand.__class__ in _NUMBERS:
            steps.append(operand.__class__)
        elif class_ is dtypes.dtype and operand.__class__ is int:
            steps.append(_scalar_type_of)
        elif class_ in (list, tuple, Size) and operand.__class__ is list:
            classes = set(map(type, argument))
            if len(classes) != 1 or not _ATOMS.issuperset(classes):
                return None
            if any(one is not other for one, other in zip(argument, operand, strict=True)):
                return None
            steps.append(partial(_list_of, classes))
        else:
            return None
    return steps


def _one(argument: Any) -> list[Any]:
    return [argument]


def _repeated(count: int, argument: Any) -> list[Any]:
    return [argument] * count


def _scalar_type_of(argument: Any) -> int:
    return argument.scalar_type


def _list_of(classes: set[type], argument: Sequence[Any]) -> Any:
    return list(argument) if classes == set(map(type, argument)) else _MISFIT


def _prepared(steps: Sequence[Step | None], args: Sequence[Any]) -> Sequence[Any] | None:
    """The operands that the steps make of arguments, of which the last step takes the rest where it makes a list."""
    operands: list[Any] = []
    for step, argument in zip(steps, args):
        if step is list:
            operands.append(list(args[len(operands) :]))
            break
        operand = argument if step is None else step(argument)
        if operand is _MISFIT:
            return None
        operands.append(operand)
    return operands


@lru_cache(maxsize=1 << 14)
def _result_class(operator: Operator) -> Callable[..., Any] | None:
    names = [result.name for result in operator.schema.returns]
    if len(names) < 2 or not all(names):
        return None
    class_ = namedtuple(operator.name.partition("::")[2], names)  # type: ignore[misc]
    return class_._make


def _named(operator: Operator, result: Any) -> Any:
    """Several results as a named tuple, where the schema names them."""
    if result.__class__ is not tuple:
        return result
    make = _result_class(operator)
    return result if make is None else make(result)


def function(name: str) -> Callable[..., Any]:
    """A Python function that calls the operator `name` of `aten`; it carries the operator's name for the compiler."""
    qualified_name = name if "::" in name else f"aten::{name}"

    run = caller(qualified_name)
    run.__name__ = run.__qualname__ = qualified_name.partition("::")[2]
    run.__torchscript_op__ = qualified_name  # type: ignore[attr-defined]
    return run
