"""The names of op classes: `aten::add.Tensor` is `aten.AddTensorOp`."""

from __future__ import annotations

import difflib
from functools import cache, lru_cache

from torchscript_dialect.ops import registry


def class_name(qualified_name: str) -> str:
    """The name of an operator's op class: `aten::max.dim_max` gives `MaxDimMaxOp`.

    `aten::add` without an overload name adds numbers, and no tensors as one would think: it is `AddDefaultOp` (PyTorch's
    `torch.ops.aten.add.default`), and there is no `AddOp`.
    """
    rest = qualified_name.partition("::")[2]
    parts = [part[:1].upper() + part[1:] for part in _camel(rest.replace(".", "_.")).split(".")]
    name, *overload = parts
    if overload:
        name = (
            name[:-1] if name.endswith("_") and not rest.partition(".")[0].endswith("_") else name
        )
    elif _is_default_of_numbers(qualified_name):
        overload = ["Default"]
    return "".join((name, *overload)) + "Op"


def _camel(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] if word else "_" for word in name.split("_"))


def _is_default_of_numbers(qualified_name: str) -> bool:
    """Whether the overload without a name knows no tensors where others take one: people would take it for those."""
    text = registry.texts().get(qualified_name)
    if text is None or "Tensor" in text:
        return False
    return any("(Tensor " in overload for overload in registry.overload_texts(qualified_name))


@lru_cache(maxsize=1 << 12)
def qualified_name_of(namespace: str, name: str) -> str | None:
    """The operator whose class has that name; None if there is none."""
    base = f"{namespace}::{name.removesuffix('Op')}"
    for letters in (_letters(base), _letters(base.removesuffix("Default"))):
        # `aten::Size` and `aten::size` would have one name: the later one has it.
        for qualified_name in reversed(_by_letters().get(letters, ())):
            if class_name(qualified_name) == name:
                return qualified_name
    return None


registry.when_registered(qualified_name_of.cache_clear)


def no_such_class(namespace: str, name: str) -> str:
    """What to tell somebody who asks for a class that is not there."""
    message = f"the {namespace} dialect has no op {name}"
    bases = {
        _camel(base.partition("::")[2]): base
        for base in registry.names()
        if base.startswith(f"{namespace}::")
    }
    asked = name.removesuffix("Op")
    asked = asked[:1].upper() + asked[1:]
    if asked in bases:
        return f"{message}: {bases[asked]} is {_overloads_of(bases[asked])}"
    known = [class_name(one) for one in registry.texts() if one.startswith(f"{namespace}::")]
    close = difflib.get_close_matches(name, known, 2, 0.9)
    if close:
        return f"{message}; did you mean {' or '.join(close)}?"
    close = difflib.get_close_matches(asked, bases, 1, 0.75)
    if close:
        return (
            f"{message}; did you mean {bases[close[0]]}, which is {_overloads_of(bases[close[0]])}?"
        )
    return message


def _overloads_of(base: str) -> str:
    """The classes of an operator's overloads, the first that are tried first."""
    texts = registry.overload_texts(base)
    names = [class_name(registry.qualified_name_of(text)) for text in texts]
    shown = ", ".join(names[:6])
    if len(names) <= 6:
        return shown
    return f"{shown} and {len(names) - 6} more"


@cache
def _by_letters() -> dict[str, tuple[str, ...]]:
    """The operators of the table by what their names have in common with those of their classes."""
    names = [*registry.texts()]
    found: dict[str, tuple[str, ...]] = {}
    for qualified_name, letters in zip(names, _letters("\n".join(names)).split("\n")):
        found[letters] = (*found.get(letters, ()), qualified_name)
    return found


registry.when_registered(_by_letters.cache_clear)


def _letters(name: str) -> str:
    return name.lower().replace("_", "").replace(".", "")
