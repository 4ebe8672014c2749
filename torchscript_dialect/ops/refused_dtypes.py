"""Which dtypes operators refuse, and in what words.

Note [Refused dtypes]
`refused_dtypes.txt` holds what PyTorch's kernels for processors refuse: under each error the dtypes, and the operators with the places
of their main operands, whose common dtype decides. `python tools/generate_refused_dtypes.py` writes it, by running PyTorch. The table
of operators reads it here: a pointwise operator asks when it promotes operands, which its short ways for common dtypes do not do; any
other kernel is wrapped (`checked`); shape rules ask too, so that no group takes what is refused. What depends on more than the dtype of
the main operands kernels check themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from pkgutil import get_data
from typing import Any, NamedTuple, TypeAlias, cast

from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.tensor_type import TensorProperties
from torchscript_dialect.utils.generated import function_of

_ERRORS = {
    each.__name__: each
    for each in (NotImplementedError, RuntimeError, IndexError, ValueError, TypeError)
}


class Refusal(NamedTuple):
    """What is raised for a dtype."""

    error: type[Exception]
    text: str
    """With braces for the dtype's name."""

    def made(self, element: dtype) -> Exception:
        return self.error(self.text.replace("{}", element.type_name))


class Refusals(NamedTuple):
    """What one operator refuses."""

    places: tuple[int, ...]
    """The main operands."""
    by_dtype: Mapping[dtype, Refusal]

    def check(self, common: dtype) -> None:
        """Raise where the main operands have a common dtype that is refused."""
        refusal = self.by_dtype.get(common)
        if refusal is not None:
            raise refusal.made(common)

    def check_operands(self, operands: Sequence[Any]) -> None:
        """The same by the operands, or what is known of them, where all that are tensors have one dtype."""
        found = {each for place in self.places for each in _dtypes_of(operands[place])}
        common = found.pop() if found else None
        if common is not None and not found:
            self.check(common)

    def refuses(self, operands: Sequence[Any]) -> bool:
        """Whether `check_operands` raises."""
        try:
            self.check_operands(operands)
        except tuple(_ERRORS.values()):
            return True
        return False


def _dtypes_of(operand: Any) -> list[dtype | None]:
    if isinstance(operand, (list, tuple)):
        return [each for item in cast("Sequence[Any]", operand) for each in _dtypes_of(item)]
    if isinstance(operand, TensorProperties):
        return [None if operand.dtype is None else dtypes.from_name(operand.dtype)]
    if isinstance(operand, int):
        return [dtypes.from_scalar_type(operand)]
    return [] if operand is None else [getattr(operand, "dtype", None)]


_Line: TypeAlias = tuple[tuple[int, ...], str, str]


@cache
def _lines() -> dict[str, tuple[_Line, ...]]:
    """For each operator the places of its main operands, with dtypes and the error that they meet."""
    data = get_data("torchscript_dialect.ops", "refused_dtypes.txt")
    assert data is not None
    found: dict[str, tuple[_Line, ...]] = {}
    error = ""
    for line in data.decode().splitlines():
        if not line.startswith("\t"):
            error = line
            continue
        _, elements, operators = line.split("\t")
        for operator in operators.split():
            name, _, places = operator.partition("/")
            one = (tuple(map(int, places.split(","))), elements, error)
            found[name] = (*found.get(name, ()), one)
    return found


def refused_names() -> set[str]:
    """The operators that refuse some dtype, by qualified name."""
    return set(_lines())


@lru_cache(maxsize=1 << 13)
def refusals_of(qualified_name: str) -> Refusals | None:
    """What an operator refuses; None where it refuses no dtype."""
    lines = _lines().get(qualified_name)
    if lines is None:
        return None
    by_dtype: dict[dtype, Refusal] = {}
    for _, elements, error in lines:
        class_, _, text = error.partition(": ")
        refusal = Refusal(_ERRORS[class_], text)
        by_dtype |= {dtypes.from_name(name): refusal for name in elements.split()}
    return Refusals(lines[0][0], by_dtype)


# Kernels


def checked(
    qualified_name: str, schema: FunctionSchema, kernel: Callable[..., Any]
) -> Callable[..., Any]:
    """The kernel, behind a look at the dtype of its first main operand; itself where the operator refuses no dtype."""
    refusals = refusals_of(qualified_name)
    if refusals is None or schema.is_vararg:
        return kernel
    first = refusals.places[0]
    kind = schema.arguments[first].type.repr_str
    options = [at for at, one in enumerate(schema.arguments) if "ScalarType" in one.spelling]
    given = f"a{first}"
    element = {
        "Tensor": f"{given}.array.dtype",
        "Tensor?": f"{given} is not None and {given}.array.dtype",
        "Tensor[]": f"len({given}) > 0 and {given}[0].array.dtype",
    }.get(kind, given)
    names = ", ".join(f"a{place}" for place in range(len(schema.arguments)))
    others = [at for at in options if at != first and "?" in schema.arguments[at].spelling]
    unless = "".join(f" and a{place} is None" for place in others)

    def refuse(*operands: Any) -> None:
        if not _is_empty(operands[first]):
            refusals.check_operands(operands)

    keys = [one.scalar_type if first in options else one.numpy_dtype for one in refusals.by_dtype]
    words = {"refused": frozenset(keys), "refuse": refuse, "kernel": kernel}
    test = f"({element}) in refused{unless}"
    return function_of(names, (f"if {test}: refuse({names})", f"return kernel({names})"), words)


def _is_empty(operand: Any) -> bool:
    """Whether there is nothing to compute: most kernels that are not pointwise look at no dtype then."""
    array: Any = getattr(operand, "array", None)
    return array is not None and not array.size


# Shape rules


def checked_rule(
    qualified_name: str, schema: FunctionSchema, rule: Callable[[Sequence[Any]], Any]
) -> Callable[[Sequence[Any]], Any]:
    """The shape rule, which knows nothing of a call that the operator refuses: for a dtype, or for what the rule itself raises."""
    refusals = refusals_of(qualified_name)
    nothing = tuple(TensorProperties() for _ in schema.returns)
    unknown = nothing[0] if len(nothing) == 1 else nothing

    def run(facts: Sequence[Any]) -> Any:
        if refusals is not None and refusals.refuses(facts):
            return unknown
        try:
            return rule(facts)
        except (dtypes.UnsupportedDtype, RuntimeError, ValueError, IndexError):
            return unknown

    return run
