"""Modules that hold modules or parameters: `Sequential`, `ModuleList`, `ModuleDict`, `ParameterList`, `ParameterDict`."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar, cast

from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn.modules.module import Module
from torchscript_dialect.torch.nn.parameter import Parameter

_C = TypeVar("_C", bound="_Numbered")


class _Numbered(Module):
    """Modules under the names "0", "1", and so on."""

    def _renumber(self, modules: Iterable[Any]) -> None:
        self.__dict__["_modules"] = {str(number): each for number, each in enumerate(modules)}

    def _key(self, index: int) -> str:
        """The name of an index, which may count from the end; IndexError where there is none."""
        number, size = operator.index(index), len(self)
        if not -size <= number < size:
            raise IndexError(f"index {number} is out of range")
        return list(self._modules)[number]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self._part(index)
        return self._modules[self._key(index)]

    def _part(self, index: slice) -> Any:
        return type(self)(list(self._modules.values())[index])

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, self._key(index), module)

    def __delitem__(self, index: Any) -> None:
        left = list(self._modules.values())
        if not isinstance(index, slice):
            self._key(index)
        del left[index]
        self._renumber(left)

    def append(self: _C, module: Module) -> _C:
        """Add a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index: int, module: Module) -> Any:
        """Add a module before the one of an index."""
        modules = list(self._modules.values())
        modules.insert(index, module)
        self._renumber(modules)
        return self

    def extend(self: _C, modules: Iterable[Module]) -> _C:
        """Add modules at the end.

        Raises:
            TypeError: what is given is no iterable.
        """
        if not isinstance(modules, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(
                f"{type(self).__name__}.extend should be called with an iterable, but got "
                + type(modules).__name__
            )
        for module in list(modules):
            self.append(module)
        return self

    def pop(self, index: int) -> Any:
        """Take a module away, and give it."""
        found = self[index]
        del self[index]
        return found


class Sequential(_Numbered):
    """Each module on the result of the one before. Modules come one by one, or by name in a dict."""

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], dict):
            for name, module in cast("dict[str, Module]", args[0]).items():
                self.add_module(name, module)
            return
        for number, module in enumerate(args):
            self.add_module(str(number), module)

    def _part(self, index: slice) -> Any:
        return type(self)(dict(list(self._modules.items())[index]))

    def __add__(self, other: Any) -> Sequential:
        if not isinstance(other, Sequential):
            raise ValueError(
                f"add operator supports only objects of Sequential class, but {type(other)} is given."
            )
        return Sequential(*self, *other)

    def insert(self, index: int, module: Module) -> Any:
        """Add a module before the one of an index; IndexError where none is, nor the end, AssertionError for no module."""
        if not isinstance(module, Module):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        return super().insert(index, module)

    def __iadd__(self, other: Sequential) -> Sequential:
        return self.extend(other)

    def __mul__(self, other: int) -> Sequential:
        return Sequential(*(list(self) * other))

    def __rmul__(self, other: int) -> Sequential:
        return self * other

    def forward(self, input):  # pyright: ignore
        for module in self:
            input = module(input)
        return input


class ModuleList(_Numbered):
    """A list of modules, which all are submodules."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        self.extend(modules or ())

    def __repr__(self) -> str:
        """As of other modules, with equal neighbours in one line: `(0-2): 3 x ReLU()`."""
        runs: list[tuple[str, int, int]] = []
        for number, text in enumerate(map(repr, self)):
            if runs and runs[-1][0] == text:
                runs[-1] = (text, runs[-1][1], number)
            else:
                runs.append((text, number, number))
        lines: list[str] = []
        for text, first, last in runs:
            place = f"({first}): " if first == last else f"({first}-{last}): {last - first + 1} x "
            lines.append("  " + (place + text).replace("\n", "\n  "))
        name = self._get_name()
        return f"{name}(\n" + "\n".join(lines) + "\n)" if lines else f"{name}()"

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList([*self, *other])

    def __iadd__(self, modules: Iterable[Module]) -> ModuleList:
        return self.extend(modules)


class _Named(Module):
    """What `ModuleDict` and `ParameterDict` share: items by name."""

    def _items(self) -> dict[str, Any]:
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self._items())

    def __iter__(self) -> Iterator[str]:
        return iter(self._items())

    def __contains__(self, key: str) -> bool:
        return key in self._items()

    def __getitem__(self, key: str) -> Any:
        return self._items()[key]

    def __setitem__(self, key: str, value: Any) -> None:
        setattr(self, key, value)

    def __delitem__(self, key: str) -> None:
        delattr(self, key)

    def clear(self) -> None:
        """Take all items away."""
        for name in list(self._items()):
            del self[name]

    def pop(self, key: str) -> Any:
        """Take an item away, and give it."""
        found = self[key]
        del self[key]
        return found

    def keys(self) -> Iterable[str]:
        """The names."""
        return self._items().keys()

    def values(self) -> Iterable[Any]:
        """What is held."""
        return self._items().values()

    def items(self) -> Iterable[tuple[str, Any]]:
        """The names with what is held."""
        return self._items().items()

    def update(self, given: Any) -> None:
        """Take items over from a mapping, or from pairs."""
        pairs = given.items() if hasattr(given, "items") else given
        for name, value in pairs:
            self[name] = value


class ModuleDict(_Named):
    """Modules by name, which all are submodules."""

    def __init__(self, modules: Mapping[str, Module] | None = None) -> None:
        super().__init__()
        self.update(modules or {})

    def _items(self) -> dict[str, Any]:
        return self._modules

    def __setitem__(self, key: str, value: Module) -> None:
        self.add_module(key, value)


class ParameterList(Module):
    """A list of parameters: tensors that are given become parameters."""

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        self.extend(values or ())

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return (self[number] for number in range(self._size))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return ParameterList(list(self)[index])
        return getattr(self, self._key(index))

    def _key(self, index: int) -> str:
        number = operator.index(index)
        if not -self._size <= number < self._size:
            raise IndexError(f"index {number} is out of range")
        return str(number % self._size)

    def __setitem__(self, index: int, value: Any) -> None:
        setattr(self, self._key(index), _as_parameter(value))

    def append(self, value: Any) -> ParameterList:
        """Add a value at the end."""
        self._size += 1
        self[-1] = value
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        """Add values at the end."""
        for value in list(values):
            self.append(value)
        return self

    def __iadd__(self, values: Iterable[Any]) -> ParameterList:
        return self.extend(values)

    def extra_repr(self) -> str:
        return "\n".join(f"  ({number}): {_described(value)}" for number, value in enumerate(self))


class ParameterDict(_Named):
    """Parameters by name: tensors that are given become parameters."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        self.update(parameters or {})

    def _items(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._keys}

    def __setitem__(self, key: str, value: Any) -> None:
        self._keys[key] = None
        setattr(self, key, _as_parameter(value))

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, key)

    def get(self, key: str, default: Any = None) -> Any:
        """The parameter of a name, or `default`."""
        return self._items().get(key, default)

    def setdefault(self, key: str, default: Any = None) -> Any:
        """The parameter of a name, which becomes `default` where there is none."""
        if key not in self:
            self[key] = default
        return self[key]

    def copy(self) -> ParameterDict:
        """Another dict with the same parameters."""
        return ParameterDict(self._items())

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> ParameterDict:
        """A dict with one value for all names."""
        return ParameterDict(dict.fromkeys(keys, default))

    def __or__(self, other: ParameterDict) -> ParameterDict:
        return ParameterDict(self._items() | other._items())

    def extra_repr(self) -> str:
        return "\n".join(f"  ({name}): {_described(value)}" for name, value in self.items())


def _as_parameter(value: Any) -> Any:
    is_plain = isinstance(value, Tensor) and not isinstance(value, Parameter)
    return Parameter(value) if is_plain else value


def _described(value: Any) -> str:
    if not isinstance(value, Tensor):
        return f"Object of type: {type(value).__name__}"
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    size = "x".join(map(str, value.shape))
    return f"{kind} containing: [{value.dtype} of size {size}]"
