"""The methods that a dataclass gets from Python without source, as source (PyTorch: torch/jit/_dataclass_impls.py).

What the user wrote stays. `__repr__` gives the names of fields and not their values, as PyTorch's does.
"""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable
from typing import Any, cast

from torchscript_dialect.utils.errors import FrontendError


def is_synthesized(class_: type[Any], name: str) -> bool:
    """Whether a method of a dataclass was made by Python, and is one of those that are made anew here."""
    method = vars(class_).get(name)
    if name not in _BODIES or not dataclasses.is_dataclass(class_) or method is None:
        return False
    code = inspect.unwrap(method).__code__
    return code.co_filename.startswith("<")


def synthesized_source(class_: type[Any], name: str) -> str:
    """The source of a method that the dataclass did not write itself.

    Raises:
        FrontendError: nothing in the language stands for the method.
    """
    signature, body = _BODIES[name](class_)
    lines = body or ["pass"]
    return f"def {name}{signature}:\n" + "".join(f"  {line}\n" for line in lines)


def _init(class_: type[Any]) -> tuple[str, list[str]]:
    parameters = inspect.signature(getattr(class_, "__init__")).parameters  # noqa: B009
    fields = dataclasses.fields(class_)
    for field in fields:
        if field.default_factory is not dataclasses.MISSING:
            raise FrontendError(
                "Default factory initializers are not supported in TorchScript dataclasses: the"
                f" field '{field.name}' of {class_.__name__} has one"
            )
    names = {field.name for field in fields}
    only_init = [name for name in parameters if name != "self" and name not in names]
    body = [f"self.{field.name} = {field.name}" for field in fields if field.init]
    if hasattr(class_, "__post_init__"):
        body.append(f"self.__post_init__({', '.join(only_init)})")
    return f"({', '.join(parameters)})", body


def parameter_annotations(class_: type[Any]) -> dict[str, Any]:
    """The annotations of the parameters of the `__init__` that Python made."""
    found = dict(inspect.signature(getattr(class_, "__init__")).parameters)  # noqa: B009
    del found["self"]
    return {name: _plain(parameter.annotation) for name, parameter in found.items()}


def _plain(annotation: Any) -> Any:
    if isinstance(annotation, dataclasses.InitVar):
        return cast(Any, annotation).type
    return annotation


def _repr(class_: type[Any]) -> tuple[str, list[str]]:
    fields = [f.name for f in dataclasses.fields(class_) if f.repr]
    text = f"{class_.__name__}({', '.join(f'{name}=self.{name}' for name in fields)})"
    return "(self) -> str", [f"return {text!r}"]


def _hash(class_: type[Any]) -> tuple[str, list[str]]:
    message = "__hash__ is not supported for dataclasses in TorchScript"
    return "(self) -> int", [f"raise NotImplementedError({message!r})"]


def _comparison(op: str, or_equal: bool) -> Callable[[type[Any]], tuple[str, list[str]]]:
    """Compares field by field; the first that differs decides."""

    def make(class_: type[Any]) -> tuple[str, list[str]]:
        step = [f"if val1 {op} val2:", "  return True", f"elif val2 {op} val1:", "  return False"]
        on_none = f"raise TypeError('Cannot compare {class_.__name__} with None')"
        if op == "!=":
            step, on_none = ["if val1 != val2:", "  return False"], "return False"
        body: list[str] = []
        for field in dataclasses.fields(class_):
            if not field.compare:
                continue
            body += [f"val1 = self.{field.name}", f"val2 = other.{field.name}"]
            if not _is_optional(field.type):
                body += step
                continue
            body.append("if val1 is not None and val2 is not None:")
            body += [f"  {line}" for line in step]
            body += ["elif (val1 is None) != (val2 is None):", f"  {on_none}"]
        return f"(self, other: {class_.__name__}) -> bool", [*body, f"return {or_equal}"]

    return make


def _is_optional(annotation: Any) -> bool:
    return type(None) in typing.get_args(annotation)


_BODIES: dict[str, Callable[[type[Any]], tuple[str, list[str]]]] = {
    "__init__": _init,
    "__repr__": _repr,
    "__hash__": _hash,
    "__eq__": _comparison("!=", True),
    "__lt__": _comparison("<", False),
    "__le__": _comparison("<", True),
    "__gt__": _comparison(">", False),
    "__ge__": _comparison(">", True),
}
