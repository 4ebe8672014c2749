"""Operators as they were when an archive was written (PyTorch: operator_upgraders/upgraders_entry.cpp).

Code that was written for an older version of the operators means what they did then. A call of an operator that has changed becomes a
call of a function that does the old thing with today's operators, and is inlined, so that nothing later has to know of versions.
"""

from __future__ import annotations

from functools import lru_cache

from torchscript_dialect.frontend.archive import removed_operators
from torchscript_dialect.frontend.define.builtin_functions import builtin_functions
from torchscript_dialect.frontend.define.function import define_from_tree
from torchscript_dialect.frontend.define.native_resolver import NativeResolver
from torchscript_dialect.frontend.source.parser import parse
from torchscript_dialect.frontend.source.tree_views import Def
from torchscript_dialect.frontend.sugared.arguments import Arguments
from torchscript_dialect.frontend.sugared.builtin_module import BuiltinModule
from torchscript_dialect.frontend.sugared.context import Context
from torchscript_dialect.frontend.sugared.schema_matching import match_schemas
from torchscript_dialect.frontend.sugared.sugared_value import SimpleValue, SugaredValue
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import Function
from torchscript_dialect.serialization.archive.versions import WRITTEN_FROM
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange

_FACTORY = "dtype: Optional[int]=None, layout: Optional[int]=None, device: Optional[Device]=None, pin_memory: Optional[bool]=None"
_PASSED = "dtype=dtype, layout=layout, device=device, pin_memory=pin_memory"
_TEXTS: dict[str, str] = {
    "div": """
def div_Tensor(self: Tensor, other: Tensor) -> Tensor:
  if self.is_floating_point() or other.is_floating_point():
    return torch.true_divide(self, other)
  return torch.divide(self, other, rounding_mode="trunc")
def div_Scalar(self: Tensor, other: number) -> Tensor:
  if self.is_floating_point() or isinstance(other, float):
    return torch.true_divide(self, other)
  return torch.divide(self, other, rounding_mode="trunc")
def div_out(self: Tensor, other: Tensor, *, out: Tensor) -> Tensor:
  if self.is_floating_point() or other.is_floating_point() or out.is_floating_point():
    return torch.true_divide(self, other, out=out)
  return torch.divide(self, other, rounding_mode="trunc", out=out)
""",
    "div_": """
def div__Tensor(self: Tensor, other: Tensor) -> Tensor:
  if self.is_floating_point() or other.is_floating_point():
    return self.true_divide_(other)
  return self.divide_(other, rounding_mode="trunc")
def div__Scalar(self: Tensor, other: number) -> Tensor:
  if self.is_floating_point() or isinstance(other, float):
    return self.true_divide_(other)
  return self.divide_(other, rounding_mode="trunc")
""",
    "pow": """
def pow_int(a: int, b: int) -> int:
  return int(a ** b)
""",
    "full": f"""
def full(size: List[int], fill_value: number, *, {_FACTORY}) -> Tensor:
  if dtype is None:
    return torch.full(size, float(fill_value), {_PASSED})
  return torch.full(size, fill_value, {_PASSED})
""",
    "linspace": f"""
def linspace(start: number, end: number, steps: Optional[int]=None, *, {_FACTORY}) -> Tensor:
  return torch.linspace(start, end, 100 if steps is None else steps, {_PASSED})
def linspace_out(start: number, end: number, steps: Optional[int]=None, *, out: Tensor) -> Tensor:
  return torch.linspace(start, end, 100 if steps is None else steps, out=out)
""",
    "logspace": f"""
def logspace(start: number, end: number, steps: Optional[int]=None, base: float=10.0, *, {_FACTORY}) -> Tensor:
  return torch.logspace(start, end, 100 if steps is None else steps, base, {_PASSED})
def logspace_out(start: number, end: number, steps: Optional[int]=None, base: float=10.0, *, out: Tensor) -> Tensor:
  return torch.logspace(start, end, 100 if steps is None else steps, base, out=out)
""",
}
"""By operator, what its overloads did before the version that changed them. `gelu` got an argument whose default is what it did."""


class ArchivedTorch(BuiltinModule):
    """`torch` in the code of an archive, which was written for a version of the operators."""

    def __init__(self, version: int) -> None:
        super().__init__("aten")
        self.version = version

    def attr(self, range: SourceRange, m: Context, name: str) -> SugaredValue:
        if name not in removed_operators.TEXTS:
            now = super().attr(range, m, name)
            return OldOperator(now, name) if name in upgraded(self.version) else now
        if m.overloads(f"aten::{name}"):
            return RemovedOperator(super().attr(range, m, name), name)
        return RemovedOperator(None, name)


@lru_cache(maxsize=64)
def upgraded(version: int) -> frozenset[str]:
    """The operators that did something else in a version."""
    changed = {
        name.removeprefix("aten::").partition(".")[0]
        for name, since in WRITTEN_FROM.items()
        if version < since
    }
    return frozenset(changed & _TEXTS.keys())


class OldOperator(SugaredValue):
    """An operator that has changed since: an old overload stands where today's does, and `now` takes the calls of the others."""

    def __init__(self, now: SugaredValue, name: str) -> None:
        self.now = now
        self.name = name

    def kind(self) -> str:
        return "builtin"

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        overloads = [
            _functions(self.name, _TEXTS[self.name]).get(schema.overload_name, schema)
            for schema in m.overloads(f"aten::{self.name}")
        ]
        try:
            schemas = [one.schema if isinstance(one, Function) else one for one in overloads]
            index, matched = match_schemas(schemas, range, m.graph, args, kwargs)
        except FrontendError:
            return self.now.call(range, m, args, kwargs, n_binders)
        called = overloads[index]
        if isinstance(called, Function):
            return SimpleValue(m.inline(called, matched.inputs))
        return self.now.call(range, m, args, kwargs, n_binders)


class RemovedOperator(SugaredValue):
    """An operator that takes fewer calls today; `now` is None where it takes none."""

    def __init__(self, now: SugaredValue | None, name: str) -> None:
        self.now = now
        self.name = name

    def kind(self) -> str:
        return "builtin"

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        if self.now is None:
            return self._before(range, m, args, kwargs)
        try:
            return self.now.call(range, m, args, kwargs, n_binders)
        except FrontendError as error:
            try:
                return self._before(range, m, args, kwargs)
            except FrontendError:
                raise error from None

    def _before(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments
    ) -> SugaredValue:
        functions = [*_functions(self.name, removed_operators.TEXTS[self.name]).values()]
        schemas = [function.schema for function in functions]
        index, matched = match_schemas(schemas, range, m.graph, args, kwargs)
        return SimpleValue(m.inline(functions[index], matched.inputs))


@lru_cache(maxsize=64)
def _functions(name: str, text: str) -> dict[str, Function]:
    """What a text defines for an operator, by overload."""
    unit = CompilationUnit()
    resolver = NativeResolver(CompilationUnit(), builtin_functions)
    found: dict[str, Function] = {}
    for tree in parse(text, "<upgraders>"):
        assert isinstance(tree, Def)

        def define(function: Function, tree: Def = tree) -> None:
            define_from_tree(function, unit, tree, resolver)

        overload = tree.name.name.removeprefix(name).removeprefix("_")
        found[overload] = unit.declare(tree.name.name, define)
    return found
