"""What a call shows: results, what became of the arguments, who shares memory, what was printed, or which error there was."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, cast

import numpy as np

from torchscript_dialect.equivalence.time_limit import OutOfTime, time_limit
from torchscript_dialect.runtime.interpreter.interpreter import Error, ProgramError
from torchscript_dialect.runtime.values.objects import ScriptObject
from torchscript_dialect.tensor.enum_member import EnumMember
from torchscript_dialect.tensor.generator import default_generator
from torchscript_dialect.tensor.grad_mode import is_grad_enabled, set_grad_enabled
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.utils.tasks import Future


@dataclass
class Outcome:
    """`error` is the class and message of what was raised; the rest is what was there then."""

    error: tuple[str, str] | None
    results: list[Any]
    arguments: list[Any]
    tensors: list[Tensor] = field(default_factory=list[Tensor])
    sharing: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    printed: str = ""

    @property
    def is_raised_by_program(self) -> bool:
        """Whether a `raise` or `assert` of the program ended it, which no pass may take out."""
        return self.error is not None and self.error[0] == Error.__name__


def run(function: Callable[..., Any], args: Sequence[Any], seconds: float) -> Outcome:
    """What a call with these arguments, which it may write to, shows.

    Raises:
        OutOfTime: it takes longer.
    """
    printed = io.StringIO()
    default_generator.manual_seed(0)
    grad_mode = is_grad_enabled()
    error: tuple[str, str] | None = None
    result: Any = ()
    try:
        with warnings.catch_warnings(), redirect_stdout(printed), time_limit(seconds):
            warnings.simplefilter("ignore")
            result = _waited_for(function(*args))
    except OutOfTime:
        raise
    except ProgramError as raised:
        error = (type(raised).__name__, str(raised.args[0]))
    except Exception as raised:
        error = (type(raised).__name__, str(raised))
    finally:
        set_grad_enabled(grad_mode)
    coder = _Coder()
    arguments = [coder.encode(arg) for arg in args]
    several = cast(Any, result) if isinstance(result, tuple) else (result,)
    results = [coder.encode(one) for one in several]
    sharing = {
        (a, b)
        for (a, x), (b, y) in combinations(enumerate(coder.tensors), 2)
        if np.may_share_memory(x.array, y.array) and np.shares_memory(x.array, y.array)
    }
    text = printed.getvalue().replace("-nan", "nan")  # the sign of a NaN is the processor's choice
    return Outcome(error, results, arguments, coder.tensors, sharing, text)


def _waited_for(value: Any) -> Any:
    return cast(Any, value).wait() if isinstance(value, Future) else value


class _Coder:
    """Makes comparable values of runtime values: tensors are numbers in `tensors`, what was met before is where it was met."""

    def __init__(self) -> None:
        self.tensors: list[Tensor] = []
        self.met: dict[int, int] = {}
        self.kept: list[Any] = []

    def encode(self, value: Any) -> Any:
        """The value's code; objects that may be written to are entered in what was met."""
        if not isinstance(value, (list, dict, ScriptObject)):
            return self.encode_other(value)
        place = id(cast(Any, value))
        if place in self.met:
            return ("met", self.met[place])
        self.met[place] = len(self.kept)
        self.kept.append(value)
        if isinstance(value, list):
            return ["list", *map(self.encode, cast(list[Any], value))]
        if isinstance(value, dict):
            items = cast(dict[Any, Any], value).items()
            return ["dict", *((self.encode(k), self.encode(v)) for k, v in items)]
        fields = value.__torchscript_fields__
        return [value.__torchscript_qualified_name__, *map(self.encode, fields.values())]

    def encode_other(self, value: Any) -> Any:
        name = type(value).__name__
        if isinstance(value, Tensor):
            return ("tensor", self.number_of(value))
        if isinstance(value, tuple):
            return (name, *map(self.encode, cast(Any, value)))
        if isinstance(value, Future):
            return self.encode(cast(Any, value).wait())
        if isinstance(value, (int, float, str, complex, EnumMember, type(None))):
            return (name, repr(value))
        return name

    def number_of(self, tensor: Tensor) -> int:
        for number, known in enumerate(self.tensors):
            if known is tensor:
                return number
        self.tensors.append(tensor)
        return len(self.tensors) - 1


def difference(before: Outcome, after: Outcome) -> str | None:
    """What sets two outcomes apart, None if nothing does.

    An operator that raises may be gone, for nothing may need what it computes, and PyTorch's passes take such ones out as well. Where
    the program gave a result, or raised by itself, it must do the same.
    """
    if before.error is not None or after.error is not None:
        return _error_difference(before, after)
    if before.printed != after.printed:
        return f"it printed {before.printed!r}, and now prints {after.printed!r}"
    for what, old, new in (
        ("result", before.results, after.results),
        ("argument", before.arguments, after.arguments),
    ):
        if len(old) != len(new):
            return f"it gave {len(old)} results, and now gives {len(new)}"
        for place, (a, b) in enumerate(zip(old, new, strict=True)):
            if a != b:
                return f"{what} {place} was {_shown(a, before)}, and is {_shown(b, after)}"
    for old, new in zip(before.tensors, after.tensors, strict=True):
        if found := array_difference(old.array, new.array):
            return f"a tensor {found}: it was\n{old}\nand is\n{new}"
    if before.sharing != after.sharing:
        return (
            f"tensors share memory otherwise: {before.sharing} were pairs, and now {after.sharing}"
        )
    return None


def _error_difference(before: Outcome, after: Outcome) -> str | None:
    if before.error is None:
        return f"it raises {_told(after)}, which it did not before"
    if before.is_raised_by_program and before.error != after.error:
        return f"it raised {_told(before)}, and now {'raises ' + _told(after) if after.error else 'does not'}"
    return None


def _told(outcome: Outcome) -> str:
    assert outcome.error is not None
    return ": ".join(outcome.error)


def _shown(coded: Any, outcome: Outcome) -> str:
    if isinstance(coded, tuple) and coded[0] == "tensor":
        return f"{outcome.tensors[coded[1]]} (number {coded[1]})"
    return str(cast(Any, coded)[-1] if isinstance(coded, tuple) else coded)


def array_difference(old: Any, new: Any) -> str | None:
    """What sets two arrays apart, bit for bit but for the bits of NaN."""
    if old.dtype != new.dtype:
        return f"changed its dtype from {old.dtype} to {new.dtype}"
    if old.shape != new.shape:
        return f"changed its shape from {old.shape} to {new.shape}"
    if old.size > 1 and old.strides != new.strides:
        return f"changed its strides from {old.strides} to {new.strides}"
    return None if same_bits(old, new) else "changed its numbers"


def same_bits(old: Any, new: Any) -> bool:
    """Whether all numbers are the same, zeros with their signs; NaN is NaN."""
    if old.dtype.kind == "c":
        return same_bits(old.real, new.real) and same_bits(old.imag, new.imag)
    bits = [np.ascontiguousarray(one).view(f"u{old.dtype.itemsize}") for one in (old, new)]
    same = bits[0] == bits[1]
    if old.dtype.kind in "fV":
        same |= np.isnan(old) & np.isnan(new)
    return bool(np.all(same))
