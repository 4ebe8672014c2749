"""What modules do with their submodules, parameters and buffers (PyTorch: torch/nn/modules/module.py)."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from torchscript_dialect.tensor.tensor import Tensor

_M = TypeVar("_M", bound="ModuleTree")


class ModuleTree:
    """A module as the root of a tree of modules. Modules and tensors that are in several places are met once."""

    training: bool
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set[str]

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """This module and all below it with dotted names, the outer ones first."""
        seen: set[Any] = set() if memo is None else memo
        if self in seen:
            return
        if remove_duplicate:
            seen.add(self)
        yield prefix, self
        for name, module in self._modules.items():
            inner = f"{prefix}.{name}" if prefix else name
            if module is not None:
                yield from module.named_modules(seen, inner, remove_duplicate)

    def modules(self) -> Iterator[Any]:
        """This module and all below it."""
        return (module for _, module in self.named_modules())

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """The submodules with their names."""
        seen: set[int] = set()
        for name, module in self._modules.items():
            if module is not None and id(module) not in seen:
                seen.add(id(module))
                yield name, module

    def children(self) -> Iterator[Any]:
        """The submodules."""
        return (module for _, module in self.named_children())

    def _named_tensors(
        self, table: str, prefix: str, recurse: bool, remove_duplicate: bool
    ) -> Iterator[tuple[str, Tensor]]:
        seen: set[int] = set()
        modules = self.named_modules(None, prefix, remove_duplicate)
        for path, module in modules if recurse else ((prefix, self),):
            for name, tensor in getattr(module, table).items():
                if tensor is None or id(tensor) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(tensor))
                yield f"{path}.{name}" if path else name, tensor

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """All parameters with dotted names."""
        return self._named_tensors("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Tensor]:
        """All parameters."""
        return (tensor for _, tensor in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """All buffers with dotted names."""
        return self._named_tensors("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """All buffers."""
        return (tensor for _, tensor in self.named_buffers(recurse=recurse))

    def get_submodule(self, target: str) -> Any:
        """The module of a dotted name, this one for the empty name.

        Raises:
            AttributeError: there is none.
        """
        found: Any = self
        for name in target.split(".") if target else ():
            inner = getattr(found, name, None)
            if not hasattr(found, name):
                raise AttributeError(f"{type(found).__name__} has no attribute `{name}`")
            if not getattr(type(inner), "__torchscript_module__", False):
                raise AttributeError(f"`{name}` is not an nn.Module")
            found = inner
        return found

    def _get_tensor(self, target: str, table: str, kind: str) -> Any:
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
        if name not in getattr(module, table):
            raise AttributeError(f"`{name}` is not {kind}")
        return getattr(module, table)[name]

    def get_parameter(self, target: str) -> Any:
        """The parameter of a dotted name; AttributeError if there is none."""
        return self._get_tensor(target, "_parameters", "an nn.Parameter")

    def get_buffer(self, target: str) -> Any:
        """The buffer of a dotted name; AttributeError if there is none."""
        return self._get_tensor(target, "_buffers", "a buffer")

    def set_submodule(self, target: str, module: ModuleTree, strict: bool = False) -> None:
        """Put a module in the place of a dotted name.

        Raises:
            ValueError: the name is empty.
            AttributeError: there is no such place.
        """
        if not target:
            raise ValueError("Cannot set the submodule without a target name!")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if strict and not hasattr(parent, name):
            raise AttributeError(f"{type(parent).__name__} has no attribute `{name}`")
        setattr(parent, name, module)

    def train(self: _M, mode: bool = True) -> _M:
        """Set the mode of this module and all below it.

        Raises:
            ValueError: the mode is no bool.
        """
        if not isinstance(mode, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for module in self.children():
            module.train(mode)
        return self

    def apply(self: _M, fn: Callable[[Any], Any]) -> _M:
        """Call a function on every module, this one last."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self
