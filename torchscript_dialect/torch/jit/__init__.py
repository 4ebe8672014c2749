"""`torch.jit`: what marks source for the compiler is here; `script`, `trace` and the rest come from the front door."""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, TypeVar, cast, overload

from torchscript_dialect.ops.eager.recording import RECORDING, recording
from torchscript_dialect.torch.absent_names import absent
from torchscript_dialect.utils.tasks import Future

_T = TypeVar("_T")
_F = TypeVar("_F", bound=Callable[..., Any])

FORM_MARK = "__torchscript_form__"
MODIFIER_MARK = "_torchscript_modifier"
"""The attribute of a function that says how the compiler treats it: PyTorch's name and values."""

_PUBLIC = {
    "script": "api.script",
    "ScriptFunction": "api.function",
    "ScriptModule": "api.module",
    "load": "api.archive",
    "save": "api.save",
    "freeze": "api.freeze",
    "optimize_for_inference": "api.freeze",
    "run_frozen_optimizations": "api.freeze",
    "export_opnames": "api.operator_names",
    "trace": "api.trace",
    "trace_module": "api.trace",
    "TracingCheckError": "api.trace_check",
    "TracerWarning": "tracer.tensor_hooks",
    "CompilationUnit": "api.unit",
    "Error": "runtime.interpreter.interpreter",
    "fuser": "runtime.settings",
    "optimized_execution": "runtime.settings",
    "set_fusion_strategy": "runtime.settings",
    "last_executed_optimized_graph": "api.function",
}
"""What comes from the package itself, and the module that has it: loaded when it is asked for."""


def annotate(the_type: Any, the_value: _T) -> _T:
    """The value; the compiler gives it the type."""
    return the_value


annotate.__torchscript_form__ = "prim::annotate"  # type: ignore[attr-defined]


def isinstance(obj: Any, target_type: Any) -> bool:
    """Whether the value has the type, containers by what they hold."""
    from torchscript_dialect.torch.type_tests import is_instance

    return is_instance(obj, target_type)


isinstance.__torchscript_form__ = "prim::isinstance"  # type: ignore[attr-defined]


def is_scripting() -> bool:
    """False in Python, true in a compiled function."""
    return False


is_scripting.__torchscript_op__ = "aten::is_scripting"  # type: ignore[attr-defined]


def is_tracing() -> bool:
    """Whether this thread records a trace."""
    if is_scripting():
        return False
    return RECORDING.recorder is not None


def export(fn: _F) -> _F:
    """Compile this method of a module although `forward` does not call it."""
    fn._torchscript_modifier = "export (compile this method if nn.Module is being scripted)"  # type: ignore[attr-defined]
    return fn


def script_method(fn: _F) -> _F:
    """Compile this method of a subclass of `ScriptModule`, once an object of it has been made."""
    return export(fn)


def unused(fn: _F) -> _F:
    """Do not compile this function or property: calling it in a compiled program raises."""
    of: Any = fn
    marked: list[Any] = [of.fget, of.fset] if isinstance(of, property) else [of]
    for one in marked:
        if one is not None:
            setattr(
                one, MODIFIER_MARK, "unused (ignored and replaced with raising of an exception)"
            )
    return fn


def ignore(drop: Any = False, **_: Any) -> Any:
    """Do not compile this function: a compiled program calls it in Python. `@ignore`, or `@ignore(drop=True)` as `unused`."""
    if callable(drop):
        setattr(
            drop, MODIFIER_MARK, "ignore (leave as a call to Python, cannot be torch.jit.save'd)"
        )
        return drop
    return unused if drop else ignore


def interface(cls: type[Any]) -> type[Any]:
    """Mark a class as an interface: what compiled programs may call on objects of any class that has its methods."""
    may_be = [base is object or "__torchscript_module__" in vars(base) for base in cls.__bases__]
    if may_be != [True]:
        raise RuntimeError(
            "TorchScript interface does not support inheritance yet. Please directly inherit from"
            " 'object' or 'nn.Module'."
        )
    module = "" if cls.__module__ == "__main__" else f".{cls.__module__}"
    cls.__torch_script_interface__ = f"__torch__{module}.{cls.__name__}"
    return cls


def script_if_tracing(fn: _F) -> _F:
    """Compile the function where it is called while a program is recorded; in Python and in compiled programs it is a function
    like any other.
    """
    compiled: list[Any] = []

    @functools.wraps(fn)
    def run(*args: Any, **kwargs: Any) -> Any:
        if RECORDING.recorder is None:
            return fn(*args, **kwargs)
        if not compiled:
            with recording(None):
                compiled.append(__getattr__("script")(fn))
        return compiled[0](*args, **kwargs)

    setattr(run, "__original_fn", fn)
    setattr(run, "__script_if_tracing_wrapper", True)
    return cast(_F, run)


_script_if_tracing = script_if_tracing
"""Its name until PyTorch 1.7."""


def _overload(func: _F) -> _F:
    """Declare a signature of the function that follows under the same name; its body is `pass`."""
    overload(func)
    func.__torchscript_overload__ = True  # type: ignore[attr-defined]
    return func


_overload_method = _overload
"""Declare a signature of the method that follows under the same name in the class."""


class Attribute:
    """A value of a module with its type in the program."""

    def __init__(self, value: Any, type: Any) -> None:
        self.value = value
        self.type = type


def fork(func: Callable[..., _T], *args: Any, **kwargs: Any) -> Future[_T]:
    """Call a function; in Python it runs at once, in a compiled program as a task of its own."""
    recorder = RECORDING.recorder
    if recorder is not None:
        return recorder.fork(lambda: func(*args, **kwargs))
    future: Future[_T] = Future()
    future.set_result(func(*args, **kwargs))
    return future


def wait(future: Future[_T]) -> _T:
    """The result of a forked call."""
    if cast(object, future) is None:
        raise RuntimeError("Future can't be None")
    return future.wait()


fork.__torchscript_form__ = "prim::fork"  # type: ignore[attr-defined]
wait.__torchscript_op__ = "aten::wait"  # type: ignore[attr-defined]
_fork, _wait = fork, wait


def _unwrap_optional(x: _T | None) -> _T:
    """What is no None; it is an error where it is."""
    assert x is not None, "Unwrapping null optional"
    return x


_unwrap_optional.__torchscript_op__ = "aten::_unwrap_optional"  # type: ignore[attr-defined]


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(import_module(f"torchscript_dialect.{_PUBLIC[name]}"), name)
    raise absent(__name__, name)


__all__ = [
    "Attribute",
    "Final",
    "Future",
    "annotate",
    "export",
    "fork",
    "ignore",
    "interface",
    "is_scripting",
    "is_tracing",
    "isinstance",
    "script_if_tracing",
    "unused",
    "wait",
]
