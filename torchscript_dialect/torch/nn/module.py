"""`torch.nn.Module`: attributes sorted into parameters, buffers and submodules, and a call that runs `forward`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar, cast

from torchscript_dialect.ops.recording import RECORDING
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn.parameter import Parameter

_M = TypeVar("_M", bound="Module")


class Module:
    """The base of models. A subclass calls `super().__init__()` before it sets tensors or modules."""

    __torchscript_module__ = True
    """Tells the compiler what this is."""

    training: bool
    _parameters: dict[str, Tensor | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Module | None]
    _non_persistent_buffers_set: set[str]
    _forward_hooks: dict[int, Callable[..., Any]]
    _forward_pre_hooks: dict[int, Callable[..., Any]]

    def __init__(self) -> None:
        set_attribute = super().__setattr__
        set_attribute("training", True)
        set_attribute("_parameters", {})
        set_attribute("_buffers", {})
        set_attribute("_modules", {})
        set_attribute("_non_persistent_buffers_set", set())
        set_attribute("_forward_hooks", {})
        set_attribute("_forward_pre_hooks", {})

    def _forward_unimplemented(self, *args: Any, **kwargs: Any) -> Any:
        """What calling a module does that does not say it."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    forward: Callable[..., Any] = _forward_unimplemented

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        for hook in self._forward_pre_hooks.values():
            changed = hook(self, args)
            if changed is not None:
                args = cast(
                    "tuple[Any, ...]", changed if isinstance(changed, tuple) else (changed,)
                )
        recorder = RECORDING.recorder
        if recorder is None:
            result = self.forward(*args, **kwargs)
        else:
            result = recorder.module(self, partial(self.forward, *args, **kwargs))
        for hook in self._forward_hooks.values():
            changed = hook(self, args, result)
            result = result if changed is None else changed
        return result

    def register_forward_hook(self, hook: Callable[..., Any]) -> None:
        """Call `hook(module, inputs, result)` after `forward`; what it returns, unless None, is the result."""
        self._forward_hooks[len(self._forward_hooks)] = hook

    def register_forward_pre_hook(self, hook: Callable[..., Any]) -> None:
        """Call `hook(module, inputs)` before `forward`; what it returns, unless None, are the inputs."""
        self._forward_pre_hooks[len(self._forward_pre_hooks)] = hook

    # Attributes

    def _tables(self) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        table = self.__dict__
        if "_parameters" not in table:
            raise AttributeError(
                "cannot assign parameters or modules before Module.__init__() call"
            )
        return table["_parameters"], table["_buffers"], table["_modules"]

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Parameter):
            self._forget(name)
            self._tables()[0][name] = value
        elif isinstance(value, Module) or getattr(value, "__torchscript_module__", False):
            self._forget(name)
            self._tables()[2][name] = value
        else:
            for table in self._tables() if "_parameters" in self.__dict__ else ():
                if name in table and (value is None or isinstance(value, Tensor)):
                    table[name] = value
                    return
            super().__setattr__(name, value)

    def _forget(self, name: str) -> None:
        self.__dict__.pop(name, None)
        for table in self._tables():
            table.pop(name, None)

    def __getattr__(self, name: str) -> Any:
        for table in ("_parameters", "_buffers", "_modules"):
            found = self.__dict__.get(table, {})
            if name in found:
                return found[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name: str) -> None:
        for table in self._tables():
            if name in table:
                del table[name]
                return
        super().__delattr__(name)

    def __dir__(self) -> list[str]:
        names = [name for table in self._tables() for name in table]
        return sorted({*super().__dir__(), *names})

    def register_parameter(self, name: str, param: Tensor | None) -> None:
        """Add a parameter, or the place for one."""
        self._forget(name)
        self._tables()[0][name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that is state of the module but no parameter; `state_dict` has it if it is persistent."""
        self._forget(name)
        self._tables()[1][name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_module(self, name: str, module: Module | None) -> None:
        """Add a submodule."""
        self.add_module(name, module)

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a submodule."""
        self._forget(name)
        self._tables()[2][name] = module

    # Walks

    def named_modules(self, prefix: str = "") -> Iterator[tuple[str, Module]]:
        """This module and all below it, each once, with dotted names."""
        seen: set[int] = set()
        yield from self._walk(prefix, seen)

    def _walk(self, prefix: str, seen: set[int]) -> Iterator[tuple[str, Module]]:
        if id(self) in seen:
            return
        seen.add(id(self))
        yield prefix, self
        for name, module in self._modules.items():
            path = f"{prefix}.{name}" if prefix else name
            if isinstance(module, Module):
                yield from module._walk(path, seen)
            elif module is not None:  # compiled
                yield from cast(Any, module).named_modules(path)

    def modules(self) -> Iterator[Module]:
        """This module and all below it."""
        return (module for _, module in self.named_modules())

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The submodules with their names."""
        return ((name, module) for name, module in self._modules.items() if module is not None)

    def children(self) -> Iterator[Module]:
        """The submodules."""
        return (module for _, module in self.named_children())

    def _named_tensors(
        self, table: str, prefix: str, recurse: bool
    ) -> Iterator[tuple[str, Tensor]]:
        seen: set[int] = set()
        for path, module in self.named_modules(prefix) if recurse else ((prefix, self),):
            for name, tensor in module.__dict__[table].items():
                if tensor is not None and id(tensor) not in seen:
                    seen.add(id(tensor))
                    yield f"{path}.{name}" if path else name, tensor

    def named_parameters(
        self, prefix: str = "", recurse: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """All parameters with dotted names."""
        return self._named_tensors("_parameters", prefix, recurse)

    def parameters(self, recurse: bool = True) -> Iterator[Tensor]:
        """All parameters."""
        return (tensor for _, tensor in self.named_parameters(recurse=recurse))

    def named_buffers(self, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
        """All buffers with dotted names."""
        return self._named_tensors("_buffers", prefix, recurse)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """All buffers."""
        return (tensor for _, tensor in self.named_buffers(recurse=recurse))

    # State

    def state_dict(self, prefix: str = "") -> dict[str, Tensor]:
        """Parameters and persistent buffers by dotted name."""
        result: dict[str, Tensor] = {}
        for path, module in self.named_modules(prefix.rstrip(".")):
            skipped = module._non_persistent_buffers_set
            for name, tensor in (*module._parameters.items(), *module._buffers.items()):
                if tensor is not None and name not in skipped:
                    result[f"{path}.{name}" if path else name] = tensor
        return result

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True) -> None:
        """Copy values into parameters and buffers.

        Raises:
            RuntimeError: names are missing or unknown and `strict` is set.
        """
        own = self.state_dict()
        missing, unknown = own.keys() - state_dict.keys(), state_dict.keys() - own.keys()
        if strict and (missing or unknown):
            raise RuntimeError(
                f"Error(s) in loading state_dict for {type(self).__name__}: missing keys "
                f"{sorted(missing)}, unexpected keys {sorted(unknown)}"
            )
        for name in own.keys() & state_dict.keys():
            own[name].copy_(state_dict[name])  # type: ignore[attr-defined]

    def train(self: _M, mode: bool = True) -> _M:
        """Set the mode of this module and all below it."""
        for module in self.modules():
            module.training = mode
        return self

    def eval(self: _M) -> _M:
        """Leave training."""
        return self.train(False)

    def apply(self: _M, fn: Callable[[Module], Any]) -> _M:
        """Call a function on every module, this one last."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def requires_grad_(self: _M, requires_grad: bool = True) -> _M:
        """The module: eager tensors have no autograd graph."""
        return self

    def extra_repr(self) -> str:
        """What the text of the module says in its brackets."""
        return ""

    def __repr__(self) -> str:
        lines: list[str] = []
        for name, module in self._modules.items():
            text = repr(module).replace("\n", "\n  ")
            lines.append(f"  ({name}): {text}")
        head = f"{type(self).__name__}({self.extra_repr()}"
        return head + ("\n" + "\n".join(lines) + "\n)" if lines else ")")
