"""What modules hold in tensors: `state_dict`, loading it, other dtypes (PyTorch: torch/nn/modules/module.py)."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from torchscript_dialect.api.module_tree import (
    IncompatibleKeys,
    cast_floating,
    laid_out,
    require_fit,
    tensor_as,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.tensor import Tensor, give_array, tensor_of
from torchscript_dialect.torch.nn.modules._hooks import Handle, register
from torchscript_dialect.torch.nn.modules._tree import ModuleTree
from torchscript_dialect.torch.nn.parameter import Parameter, is_lazy

_M = TypeVar("_M", bound="ModuleState")


class ModuleState(ModuleTree):
    """A module as what its tensors hold."""

    _state_dict_hooks: dict[int, Callable[..., Any]]
    _state_dict_pre_hooks: dict[int, Callable[..., Any]]
    _load_state_dict_pre_hooks: dict[int, Callable[..., Any]]
    _load_state_dict_post_hooks: dict[int, Callable[..., Any]]

    def state_dict(
        self,
        *args: Any,
        destination: dict[str, Any] | None = None,
        prefix: str = "",
        keep_vars: bool = False,
    ) -> dict[str, Any]:
        """Parameters and persistent buffers by dotted name: of each module its own, then those of its submodules."""
        if args:  # as PyTorch took them once: destination, prefix, keep_vars
            given: tuple[Any, ...] = (destination, prefix, keep_vars)
            destination, prefix, keep_vars = (*args, *given[len(args) :])
        result: dict[str, Any] = OrderedDict() if destination is None else destination
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(result, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(
                    destination=result, prefix=f"{prefix}{name}.", keep_vars=keep_vars
                )
        for hook in self._state_dict_hooks.values():
            changed = hook(self, result, prefix, {})
            result = result if changed is None else changed
        return result

    def _save_to_state_dict(
        self, destination: dict[str, Any], prefix: str, keep_vars: bool
    ) -> None:
        """Put the tensors of this module, without those of its submodules, into `destination`."""
        skipped = self._non_persistent_buffers_set
        for name, tensor in (*self._parameters.items(), *self._buffers.items()):
            if tensor is not None and name not in skipped:
                destination[prefix + name] = (
                    tensor if keep_vars or is_lazy(tensor) else tensor.detach()
                )
        if (state := self.get_extra_state()) is not None:
            destination[prefix + "_extra_state"] = state

    def get_extra_state(self) -> Any:
        """What `state_dict` shows as `_extra_state`; a class that has any gives it here, None for nothing."""
        return None

    def set_extra_state(self, state: Any) -> None:
        """Take what `get_extra_state` gave; a class that gives any has both."""
        raise RuntimeError("set_extra_state is missing in a module that has get_extra_state")

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> IncompatibleKeys:
        """Copy values into parameters and buffers of the same names, or with `assign` put the tensors in their places.

        Raises:
            RuntimeError: the shape of one is another, or `strict` and names are missing or unexpected.
        """
        state = OrderedDict(state_dict)
        missing: list[str] = []
        unexpected: list[str] = []
        problems: list[str] = []
        self._load(state, "", assign, missing, unexpected, problems)
        result = IncompatibleKeys(missing, unexpected)
        for module in self.modules():
            for hook in module._load_state_dict_post_hooks.values():
                hook(module, result)
        require_fit(type(self).__name__, result, problems, strict=strict)
        return result

    def _load(
        self,
        state: dict[str, Any],
        prefix: str,
        assign: bool,
        missing: list[str],
        unexpected: list[str],
        problems: list[str],
    ) -> None:
        metadata: dict[str, Any] = {"assign_to_params_buffers": assign}
        self._load_from_state_dict(state, prefix, metadata, True, missing, unexpected, problems)
        for name, module in self._modules.items():
            if module is not None:
                module._load(state, f"{prefix}{name}.", assign, missing, unexpected, problems)

    def _load_from_state_dict(
        self,
        state_dict: dict[str, Any],
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        """Load this module without its submodules. A class that stores more than its tensors has its own."""
        for hook in self._load_state_dict_pre_hooks.values():
            hook(
                self, state_dict, prefix, local_metadata, strict,
                missing_keys, unexpected_keys, error_msgs,
            )  # fmt: skip
        own: dict[str, Any] = {}
        for table in (self._parameters, self._buffers):
            for name, tensor in table.items():
                if tensor is None or name in self._non_persistent_buffers_set:
                    continue
                own[name] = table
                key = prefix + name
                if key not in state_dict:
                    missing_keys.append(key)
                    continue
                self._load_tensor(table, name, key, state_dict[key], local_metadata, error_msgs)
        key = prefix + "_extra_state"
        if key in state_dict:
            self.set_extra_state(state_dict[key])
        elif self.get_extra_state() is not None:
            missing_keys.append(key)
        for key in state_dict:
            if not key.startswith(prefix) or key == prefix + "_extra_state":
                continue
            name, *inner = key[len(prefix) :].split(".", 1)
            if name not in (self._modules if inner else own):
                unexpected_keys.append(key)

    def _load_tensor(
        self,
        table: dict[str, Any],
        name: str,
        key: str,
        value: Any,
        metadata: dict[str, Any],
        problems: list[str],
    ) -> None:
        given = as_tensor(value)
        if is_lazy(table[name]):
            table[name] = table[name].materialize(given.shape)
        held: Tensor = table[name]
        if held.shape != given.shape:
            problems.append(
                f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint,"
                f" the shape in current model is {held.shape}."
            )
        elif metadata.get("assign_to_params_buffers", False):
            is_parameter = table is self._parameters
            table[name] = Parameter(given, held.requires_grad) if is_parameter else given
        else:
            np.copyto(held.array, given.array, casting="unsafe")

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, prefix, keep_vars)` before `state_dict`."""
        return register(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, state_dict, prefix, metadata)` after `state_dict`."""
        return register(self._state_dict_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, state_dict, prefix, metadata, strict, missing, unexpected, errors)` before loading."""
        return register(self._load_state_dict_pre_hooks, hook)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, incompatible_keys)` after loading."""
        return register(self._load_state_dict_post_hooks, hook)

    # Conversions

    def _apply(self: _M, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> _M:
        """Give each parameter and buffer, also of submodules, what the function makes of it. Parameters stay the same objects."""
        held = (*self.parameters(recurse), *self.buffers(recurse))
        with grad_mode.enabled(False):
            for tensor in {id(one): one for one in held}.values():
                if not is_lazy(tensor):
                    give_array(tensor, fn(tensor).array)
        return self

    def to(self: _M, *args: Any, dtype: Any = None, memory_format: Any = None, **kwargs: Any) -> _M:
        """Move parameters and buffers to a device, `to("cuda")`, give those of floating point and complex numbers another dtype,
        `to(torch.float64)`, or lay those of four and five dimensions out otherwise, `to(memory_format=torch.channels_last)`.

        Raises:
            RuntimeError: there is no such device.
            TypeError: the dtype is none of floating point.
        """
        if memory_format is not None:
            self._apply(lambda tensor: laid_out(tensor, memory_format))
        for given in (*args, kwargs.get("device")):
            if given is None or isinstance(given, bool):
                continue
            if isinstance(given, str) or type(given).__name__ == "device":
                self._move(Device(given))
            else:
                dtype = given.dtype if hasattr(given, "dtype") else given
        if dtype is None:
            return self
        wanted = dtypes.as_dtype(dtype)
        if not (wanted.is_floating_point or wanted.is_complex):
            raise TypeError(
                "nn.Module.to only accepts floating point or complex dtypes, but got desired"
                f" dtype={wanted}"
            )
        return self._apply(
            lambda one: tensor_as(one, wanted) if one.is_complex() else cast_floating(one, wanted)
        )

    def _cast(self: _M, wanted: dtypes.dtype) -> _M:
        return self._apply(lambda tensor: cast_floating(tensor, wanted))

    def type(self: _M, dst_type: Any) -> _M:
        """Give all parameters and buffers a dtype."""
        wanted = dtypes.as_dtype(dst_type)
        return self._apply(lambda tensor: tensor_as(tensor, wanted))

    def float(self: _M) -> _M:
        """`to(torch.float32)`, but for complex numbers."""
        return self._cast(dtypes.float32)

    def double(self: _M) -> _M:
        """`to(torch.float64)`, but for complex numbers."""
        return self._cast(dtypes.float64)

    def half(self: _M) -> _M:
        """`to(torch.float16)`, but for complex numbers."""
        return self._cast(dtypes.float16)

    def bfloat16(self: _M) -> _M:
        """`to(torch.bfloat16)`, but for complex numbers."""
        return self._cast(dtypes.bfloat16)

    def _move(self: _M, where: Device) -> _M:
        def moved(tensor: Tensor) -> Tensor:
            return tensor if tensor.device.type == where.type else tensor_of(tensor.array).to(where)

        return self if where.type == "meta" else self._apply(moved)

    def cpu(self: _M) -> _M:
        """`to("cpu")`."""
        return self._move(Device("cpu"))

    def cuda(self: _M, device: Any = None) -> _M:
        """`to("cuda")`."""
        return self._move(Device("cuda") if device is None else Device("cuda", device))

    def share_memory(self: _M) -> _M:
        """The module as it is: its tensors are not moved to memory that processes share."""
        return self

    def requires_grad_(self: _M, requires_grad: bool = True) -> _M:
        """Say whether gradients with respect to the parameters are wanted."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of the parameters, or make them zero."""
        parameters: Any = self.parameters()
        for parameter in parameters:
            if set_to_none or parameter.grad is None:
                parameter.grad = None
            else:
                parameter.grad = parameter.grad.detach().zero_()
