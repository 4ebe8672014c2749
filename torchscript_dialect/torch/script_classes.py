"""Subclasses of `torch.jit.ScriptModule` (PyTorch: torch/jit/_script.py, ScriptMeta).

Note [Subclasses of ScriptModule]
`class Cell(torch.jit.ScriptModule)` declares modules whose objects are compiled when they are made, after the last `__init__`. Such a
class is one of `torch.nn.Module` here, with a metaclass of its own: what it makes is a source, which `torch.jit.script` compiles, and
what `Cell(...)` gives is the compiled module. That is an object of `Cell` for `isinstance`, and has what the class and the source
have beside what was compiled: methods, properties and attributes that stay Python.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, cast

from torchscript_dialect.torch.nn import Module


class ScriptClass(type(Module)):
    """The class of subclasses of `ScriptModule`."""

    __torchscript_script_class__ = True

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Make an object, and compile it.

        Raises:
            TorchScriptError: a method that is to be compiled is no TorchScript.
        """
        source: Any = super().__call__(*args, **kwargs)
        own_of_source = cast("dict[str, Any]", vars(source))
        texts: list[tuple[str, dict[str, Any]]] = own_of_source.pop(_TEXTS, [])
        made = import_module("torchscript_dialect.api.script").script(source)
        for text, names in texts:
            made._define_with(text, names)
        fields = made.__torchscript_object__.__torchscript_fields__
        own = cast("dict[str, Any]", vars(made))
        for name, value in own_of_source.items():
            if name not in _OF_MODULES and name not in fields:
                own.setdefault(name, value)
        return made

    def __instancecheck__(cls, instance: Any) -> bool:
        state = getattr(instance, "__torchscript_state__", None)
        class_ = cast("type", type(instance) if state is None else state.definition.python_class)
        return issubclass(class_, cls)

    def attribute_of(cls, module: Any, name: str) -> Any:
        """What a compiled module has of its class.

        Raises:
            AttributeError: the class has nothing of the name.
        """
        for class_ in cls.__mro__:
            if class_ is Module:
                break
            if name in vars(class_):
                found = vars(class_)[name]
                bind = getattr(cast("Any", type(found)), "__get__", None)
                return found if bind is None else bind(found, module, cls)
        raise AttributeError(f"'{cls.__name__}' object has no attribute '{name}'")


_TEXTS = "__torchscript_texts__"


def _define(self: Any, src: str) -> None:
    """Compile the functions of a text as methods of the module, once it is compiled. They see the caller's names."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    texts = cast("dict[str, Any]", vars(self)).setdefault(_TEXTS, [])
    texts.append((src, {**frame.f_globals, **frame.f_locals}))


_OF_MODULES = frozenset(vars(Module()))


def script_class(name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> ScriptClass:
    """The class of a statement `class name(bases)`, one of whose bases is `ScriptModule`."""
    compiled = import_module("torchscript_dialect.api.module").ScriptModule
    own = tuple(Module if base is compiled else base for base in bases)
    return ScriptClass(name, own, {"define": _define, **namespace})
