"""`torch.library`: operators from outside the package, by the names that PyTorch gives to it.

`define` says what an operator is called with, `impl` what it does, `register_fake` what shapes it gives; `custom_op` takes all of a
Python function. What they fill are the slots of `ts.register_operator` (ops/custom.py).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from torchscript_dialect.ops.custom import define_operator, implement_operator
from torchscript_dialect.ops.eager.dispatch import function
from torchscript_dialect.ops.shapes import by_running
from torchscript_dialect.tensor.tensor import Tensor

Function = Callable[..., Any]

_CPU = frozenset(
    ("", "CPU", "cpu", "default", "CompositeExplicitAutograd", "CompositeImplicitAutograd")
)
"""Dispatch keys, or types of devices, whose functions run here. Those of others are never called, and not kept."""


class Library:
    """A namespace to which operators are added, or functions for those that it has: `Library("my", "DEF")`."""

    def __init__(self, ns: str, kind: str, dispatch_key: str = "") -> None:
        if kind not in ("DEF", "IMPL", "FRAGMENT"):
            raise ValueError(f"Unsupported library kind: {kind}")
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key

    def define(self, schema: str, alias_analysis: str = "", *, tags: Any = ()) -> str:
        """Add an operator by its schema without the namespace; gives its name.

        With `alias_analysis` "CONSERVATIVE" it may do anything: it is never removed, merged or moved.
        """
        define(f"{self.ns}::{schema}", alias_analysis=alias_analysis)
        return schema.partition("(")[0]

    def impl(self, op_name: str, fn: Function, dispatch_key: str = "") -> None:
        """Say what an operator of the namespace does on a device; `dispatch_key` "Meta" says what shapes it gives."""
        name = op_name.removeprefix(f"{self.ns}::")
        impl(f"{self.ns}::{name}", dispatch_key or self.dispatch_key, fn)


def define(
    qualname: str,
    schema: str = "",
    *,
    lib: Library | None = None,
    tags: Any = (),
    alias_analysis: str = "",
) -> None:
    """Add an operator: `define("my::op", "(Tensor x) -> Tensor")`.

    Raises:
        ValueError: there is one of that name, or the name has no namespace.
        TextError: the schema does not parse.
    """
    define_operator(f"{qualname}{schema}", acts=alias_analysis == "CONSERVATIVE")


def impl(
    qualname: str,
    types: str | Sequence[str],
    func: Function | None = None,
    *,
    lib: Library | None = None,
) -> Any:
    """Say what an operator does on types of devices; a decorator without `func`."""

    def attach(fn: Function) -> Function:
        keys = {types} if isinstance(types, str) else set(types)
        if "Meta" in keys:
            implement_operator(qualname, shape=by_running(fn))
        if keys & _CPU:
            implement_operator(qualname, kernel=fn)
        return fn

    return attach if func is None else attach(func)


def register_fake(op: str, func: Function | None = None, /, *, lib: Library | None = None) -> Any:
    """Say what shapes an operator gives: a function of tensors whose elements are not looked at; a decorator without `func`."""
    return impl(op, "Meta", func)


def custom_op(
    name: str,
    fn: Function | None = None,
    /,
    *,
    mutates_args: str | Iterable[str] = (),
    device_types: str | Sequence[str] | None = None,
    schema: str | None = None,
) -> Any:
    """A Python function as an operator, by its annotations or by `schema`; a decorator without `fn`.

    What it gives is called as the function is, in programs too, and has `register_fake`.
    """

    def make(fn: Function) -> Function:
        define(name, schema or infer_schema(fn, mutates_args=mutates_args))
        impl(name, device_types or "CPU", fn)
        made: Any = function(name)
        made.register_fake = partial(register_fake, name)
        return made

    return make if fn is None else make(fn)


_NAMES = {Tensor: "Tensor", int: "SymInt", float: "float", bool: "bool", str: "str"}
_NUMBER = frozenset((int, float, bool))


def infer_schema(
    prototype_function: Function, /, *, mutates_args: str | Iterable[str] = (), op_name: str = ""
) -> str:
    """The schema of a Python function without its name: `(Tensor x, float y=1.0) -> Tensor`.

    Raises:
        ValueError: an annotation is missing, or stands for no type of schemas.
    """
    hints = get_type_hints(prototype_function)
    mutated = {mutates_args} if isinstance(mutates_args, str) else set(mutates_args)
    parts: list[str] = []
    letters = iter("abcdefghijklmnopqrstuvwxyz")
    for name, parameter in inspect.signature(prototype_function).parameters.items():
        if name not in hints:
            raise ValueError(f"infer_schema(func): Parameter {name} must have a type annotation.")
        text = _type_text(hints[name])
        if name in mutated:
            text = text.replace("Tensor", f"Tensor({next(letters)}!)", 1)
        if parameter.kind is parameter.KEYWORD_ONLY and "*" not in parts:
            parts.append("*")
        default = (
            "" if parameter.default is parameter.empty else f"={_default_text(parameter.default)}"
        )
        parts.append(f"{text} {name}{default}")
    results = hints.get("return", NoneType)
    if results is NoneType:
        told = "()"
    elif get_origin(results) is tuple:
        told = f"({', '.join(map(_type_text, get_args(results)))})"
    else:
        told = _type_text(results)
    return f"{op_name}({', '.join(parts)}) -> {told}"


def _default_text(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _type_text(hint: Any) -> str:
    if hint in _NAMES:
        return _NAMES[hint]
    origin: Any = get_origin(hint)
    arguments = get_args(hint)
    if origin in (Union, UnionType):
        others = [each for each in arguments if each is not NoneType]
        if len(others) == 1:
            return f"{_type_text(others[0])}?"
        if _NUMBER.issuperset(others):
            return "Scalar" if NoneType not in arguments else "Scalar?"
    if origin in (list, Sequence):
        return f"{_type_text(arguments[0])}[]"
    raise ValueError(f"infer_schema(func): {hint} is no type of operators")
