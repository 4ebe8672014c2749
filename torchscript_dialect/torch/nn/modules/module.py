"""`torch.nn.Module`: attributes sorted into parameters, buffers and submodules, and a call that runs `forward`."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from inspect import signature
from typing import Any, cast

from torchscript_dialect.api.module_tree import IncompatibleKeys
from torchscript_dialect.ops.eager.recording import RECORDING
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn.modules._backward_hooks import BackwardHook, watch_last_node
from torchscript_dialect.torch.nn.modules._global_hooks import (
    CALLS,
    REGISTRATIONS,
    GlobalHook,
    hooks,
    register_module_backward_hook,
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
    registered,
)
from torchscript_dialect.torch.nn.modules._hooks import Handle, register
from torchscript_dialect.torch.nn.modules._of_pytorch import (
    is_pytorch_buffer,
    is_pytorch_module,
    is_pytorch_parameter,
    is_pytorch_tensor,
)
from torchscript_dialect.torch.nn.modules._state import ModuleState
from torchscript_dialect.torch.nn.parameter import (
    Buffer,
    Parameter,
    is_lazy,
    is_persistent,
    mark_parameter,
)

__all__ = [
    "Module",
    "register_module_backward_hook",
    "register_module_buffer_registration_hook",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]

_IncompatibleKeys = IncompatibleKeys
"""The name that source imports from here."""

_TABLES = (
    "_parameters", "_buffers", "_modules", "_backward_pre_hooks", "_backward_hooks",
    "_forward_hooks", "_forward_hooks_with_kwargs", "_forward_hooks_always_called",
    "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs", "_state_dict_hooks",
    "_state_dict_pre_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks",
)  # fmt: skip


class Module(ModuleState):
    """The base of models. A subclass calls `super().__init__()` before it sets tensors or modules."""

    __torchscript_module__ = True
    """Tells the compiler what this is."""

    dump_patches = False
    call_super_init = False
    _is_full_backward_hook: bool | None = None
    """Which kind of hooks the module has; None if it has none."""
    _backward_hooks: dict[int, Callable[..., Any]]
    _backward_pre_hooks: dict[int, Callable[..., Any]]
    _forward_hooks: dict[int, Callable[..., Any]]
    _forward_hooks_with_kwargs: dict[int, bool]
    _forward_hooks_always_called: dict[int, bool]
    _forward_pre_hooks: dict[int, Callable[..., Any]]
    _forward_pre_hooks_with_kwargs: dict[int, bool]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if args or kwargs:
            given = f"{len(args) + 1} positional arguments but"
            wrong = f"an unexpected keyword argument '{next(iter(kwargs))}'" if kwargs else ""
            raise TypeError(
                f"{type(self).__name__}.__init__() got {wrong}"
                if kwargs
                else f"{type(self).__name__}.__init__() takes 1 positional argument but {given} were given"
            )
        state = self.__dict__
        state["training"] = True
        for table in _TABLES:
            state[table] = {}
        state["_non_persistent_buffers_set"] = set()

    def _forward_unimplemented(self, *args: Any, **kwargs: Any) -> Any:
        """What calling a module does that does not say it."""
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    forward: Callable[..., Any] = _forward_unimplemented

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if (
            not self._forward_pre_hooks
            and not self._forward_hooks
            and not self._backward_hooks
            and not self._backward_pre_hooks
            and not CALLS
        ):
            return self._run(args, kwargs)
        return self._call_with_hooks(args, kwargs)

    def _run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        recorder = RECORDING.recorder
        if recorder is None:
            return self.forward(*args, **kwargs)
        return recorder.module(self, partial(self.forward, *args, **kwargs))

    # Hooks

    def _call_with_hooks(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        after: list[GlobalHook] | None = None
        called: set[int] = set()
        result = None
        try:
            args, kwargs = self._before(args, kwargs)
            after = self._hooks_after()
            watched = self._watched_gradients()
            if watched is not None:
                args = watched.setup_input_hook(args)
            result = self._run(args, kwargs)
            for place, one in enumerate(after):
                called.add(place)
                result = self._after(one, args, kwargs, result)
            if watched is not None:
                if not isinstance(result, (Tensor, tuple)):
                    warnings.warn(
                        "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received "
                        f"{type(result)}",
                        stacklevel=3,
                    )
                result = watched.setup_output_hook(result)
            watch_last_node(self, self._hooks_of_last_node(), args, result)
        except Exception:
            for place, one in enumerate(self._hooks_after() if after is None else after):
                if one.always_call and place not in called:
                    self._after(one, args, kwargs, result)
            raise
        return result

    def _before(
        self, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The inputs after the hooks that come first."""
        for one in hooks("forward_pre"):
            args = self._changed_inputs(one.hook(self, args), args)
        for number, hook in list(self._forward_pre_hooks.items()):
            if number in self._forward_pre_hooks_with_kwargs:
                changed = hook(self, args, kwargs)
                if changed is not None:
                    args, kwargs = changed
                continue
            args = self._changed_inputs(hook(self, args), args)
        return args, kwargs

    def _changed_inputs(self, changed: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The inputs after a hook that has given these in their place, or none."""
        if changed is None:
            return args
        return cast("tuple[Any, ...]", changed if isinstance(changed, tuple) else (changed,))

    def _hooks_after(self) -> list[GlobalHook]:
        """The hooks that come after `forward`."""
        own = [
            GlobalHook(
                "forward",
                hook,
                number in self._forward_hooks_with_kwargs,
                number in self._forward_hooks_always_called,
            )
            for number, hook in self._forward_hooks.items()
        ]
        return [*hooks("forward"), *own]

    def _after(
        self, one: GlobalHook, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any
    ) -> Any:
        """The result after a hook."""
        given = (args, kwargs, result) if one.with_kwargs else (args, result)
        changed = one.hook(self, *given)
        return result if changed is None else changed

    def _watched_gradients(self) -> BackwardHook | None:
        """What calls hooks when gradients go through the module."""
        own = [] if self._is_full_backward_hook is False else self._backward_hooks.values()
        after = [*(one.hook for one in hooks("full_backward")), *own]
        before = [
            *(one.hook for one in hooks("full_backward_pre")),
            *self._backward_pre_hooks.values(),
        ]
        return BackwardHook(self, after, before) if after or before else None

    def _hooks_of_last_node(self) -> list[Callable[..., Any]]:
        own = self._backward_hooks.values() if self._is_full_backward_hook is False else ()
        return [*(one.hook for one in hooks("backward")), *own]

    def register_forward_hook(
        self,
        hook: Callable[..., Any],
        *,
        prepend: bool = False,
        with_kwargs: bool = False,
        always_call: bool = False,
    ) -> Handle:
        """Call `hook(module, inputs, result)` after `forward`; what it returns, unless None, is the result."""
        handle = register(self._forward_hooks, hook, prepend)
        handle.mark(self._forward_hooks_with_kwargs, with_kwargs)
        handle.mark(self._forward_hooks_always_called, always_call)
        return handle

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> Handle:
        """Call `hook(module, inputs)` before `forward`; what it returns, unless None, are the inputs."""
        handle = register(self._forward_pre_hooks, hook, prepend)
        handle.mark(self._forward_pre_hooks_with_kwargs, with_kwargs)
        return handle

    def register_full_backward_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> Handle:
        """Call `hook(module, gradients of the inputs, those of the results)` when these are known; what it returns, unless None,
        takes the place of the first ones.

        Raises:
            RuntimeError: the module has hooks of `register_backward_hook`.
        """
        self._set_kind_of_backward_hooks(True)
        return register(self._backward_hooks, hook, prepend)

    def register_backward_hook(self, hook: Callable[..., Any]) -> Handle:
        """The same with the gradients that the last operator of `forward` takes and gives.

        Raises:
            RuntimeError: the module has hooks of `register_full_backward_hook`.
        """
        self._set_kind_of_backward_hooks(False)
        return register(self._backward_hooks, hook)

    def _set_kind_of_backward_hooks(self, is_full: bool) -> None:
        if self._is_full_backward_hook is (not is_full):
            raise RuntimeError(
                "Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of them."
            )
        self._is_full_backward_hook = is_full

    def register_full_backward_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> Handle:
        """Call `hook(module, gradients of the results)`; what it returns, unless None, takes the place of these."""
        return register(self._backward_pre_hooks, hook, prepend)

    # Attributes

    def _tables(self) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        table = self.__dict__
        if "_parameters" not in table:
            raise AttributeError(
                "cannot assign parameters or modules before Module.__init__() call"
            )
        return table["_parameters"], table["_buffers"], table["_modules"]

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, Parameter) or (is_lazy(value) and value.kind is Parameter):
            if name not in self._tables()[0]:
                self._forget(name)
            self.register_parameter(name, value)
        elif getattr(type(value), "__torchscript_module__", False) or is_pytorch_module(value):
            modules = self._tables()[2]
            if name not in modules:
                self._forget(name)
            modules[name] = registered("module", self, name, value) if REGISTRATIONS else value
        elif isinstance(value, Buffer):
            persistent = is_persistent(cast(Any, value))
            is_own = type(self).register_buffer is not Module.register_buffer
            if not is_own or "persistent" in signature(self.register_buffer).parameters:
                self.register_buffer(name, value, persistent)
            elif persistent:
                self.register_buffer(name, value)
            else:
                raise RuntimeError(
                    "Registering a non-persistent buffer on a Module subclass that implements register_buffer() without "
                    "the persistent argument is not allowed."
                )
        elif is_pytorch_parameter(value):
            if name not in self._tables()[0]:
                self._forget(name)
            self.register_parameter(name, value)
        elif is_pytorch_buffer(value):
            self.register_buffer(name, value, value.persistent)
        else:
            self._set_plain(name, value)

    def _set_plain(self, name: str, value: Any) -> None:
        """Set what is no parameter, buffer or module: None may take the place of one, a tensor that of a buffer."""
        parameters, buffers, modules = (
            self._tables() if "_parameters" in self.__dict__ else ({},) * 3
        )
        for table, kind in ((parameters, "parameter"), (modules, "child module")):
            if name in table:
                if value is not None:
                    wanted = "torch.nn.Parameter" if kind == "parameter" else "torch.nn.Module"
                    raise TypeError(
                        f"cannot assign '{_type_name(value)}' as {kind} '{name}' ({wanted} or None"
                        " expected)"
                    )
                table[name] = None
                return
        if name in buffers and (
            value is None or isinstance(value, Tensor) or is_pytorch_tensor(value)
        ):
            buffers[name] = value
            return
        object.__setattr__(self, name, value)

    def _forget(self, name: str) -> None:
        self.__dict__.pop(name, None)
        for table in self._tables():
            table.pop(name, None)
        self._non_persistent_buffers_set.discard(name)

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
                self._non_persistent_buffers_set.discard(name)
                return
        super().__delattr__(name)

    def __dir__(self) -> list[str]:
        names = [name for table in self._tables() for name in table]
        return sorted({name for name in (*super().__dir__(), *names) if not name[:1].isdigit()})

    def _check_name(self, kind: str, name: str, table: dict[str, Any]) -> None:
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{kind} name should be a string. Got {_type_name(name)}")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain ".", got: {name}')
        if not name:
            raise KeyError(f'{kind} name can\'t be empty string ""')
        if name not in table and hasattr(self, name):
            raise KeyError(f"attribute '{name}' already exists")

    def register_parameter(self, name: str, param: Any) -> None:
        """Add a parameter, or the place for one.

        Raises:
            KeyError: the name is empty, has a dot, or another attribute has it.
            TypeError: the value is no parameter.
        """
        table = self._tables()[0]
        self._check_name("parameter", name, table)
        if not (
            param is None
            or isinstance(param, Tensor)
            or is_lazy(param)
            or is_pytorch_parameter(param)
        ):
            raise TypeError(
                f"cannot assign '{_type_name(param)}' object to parameter '{name}'"
                " (torch.nn.Parameter or None required)"
            )
        table[name] = registered("parameter", self, name, param) if REGISTRATIONS else param

    def register_buffer(self, name: str, tensor: Any, persistent: bool = True) -> None:
        """Add a tensor that is state of the module but no parameter; `state_dict` has it if it is persistent.

        Raises:
            KeyError: the name is empty, has a dot, or another attribute has it.
            TypeError: the value is no tensor.
        """
        table = self._tables()[1]
        self._check_name("buffer", name, table)
        if not (
            tensor is None
            or isinstance(tensor, Tensor)
            or is_lazy(tensor)
            or is_pytorch_tensor(tensor)
        ):
            raise TypeError(
                f"cannot assign '{_type_name(tensor)}' object to buffer '{name}'"
                " (torch Tensor or None required)"
            )
        table[name] = registered("buffer", self, name, tensor) if REGISTRATIONS else tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_module(self, name: str, module: Module | None) -> None:
        """Add a submodule."""
        self.add_module(name, module)

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a submodule.

        Raises:
            KeyError: the name is empty, has a dot, or another attribute has it.
            TypeError: it is no module.
        """
        if not (
            module is None
            or getattr(type(module), "__torchscript_module__", False)
            or is_pytorch_module(module)
        ):
            raise TypeError(f"{_type_name(module)} is not a Module subclass")
        table = self._tables()[2]
        self._check_name("module", name, table)
        table[name] = registered("module", self, name, module) if REGISTRATIONS else module

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take what a copy or a pickle holds; what stands among the parameters is a parameter again."""
        self.__dict__.update(state)
        for tensor in self._parameters.values():
            if isinstance(tensor, Tensor):
                mark_parameter(tensor)

    # Text

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """What the text of the module says in its brackets."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        own = extra.split("\n") if extra else []
        lines: list[str] = []
        for name, module in self._modules.items():
            lines.append(f"({name}): {_addindent(repr(module), 2)}")
        head = f"{self._get_name()}("
        if len(own) == 1 and not lines:
            return f"{head}{own[0]})"
        if not own and not lines:
            return f"{head})"
        return head + "\n  " + "\n  ".join([*own, *lines]) + "\n)"


def _addindent(text: str, spaces: int) -> str:
    """A text whose lines after the first one are shifted: texts of modules are made with it."""
    return text.replace("\n", "\n" + spaces * " ")


def _type_name(value: Any) -> str:
    module = type(value).__module__
    name = type(value).__name__
    return name if module == "builtins" else f"{module}.{name}"
