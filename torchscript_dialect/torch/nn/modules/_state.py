"""What modules hold in tensors: `state_dict`, loading it, other dtypes (PyTorch: torch/nn/modules/module.py)."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Self, TypeVar

from torchscript_dialect.api.module_conversions import ModuleConversions
from torchscript_dialect.api.module_tree import (
    IncompatibleKeys,
    converted,
    require_fit,
    written_to,
)
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.tensor import Tensor, give_array
from torchscript_dialect.torch.nn.modules._hooks import Handle, register
from torchscript_dialect.torch.nn.modules._tree import ModuleTree
from torchscript_dialect.torch.nn.parameter import Parameter, is_lazy

_M = TypeVar("_M", bound="ModuleState")


class ModuleState(ModuleTree, ModuleConversions):
    """A module as what its tensors hold."""

    _version = 1
    """What a class that stores something else than before counts up."""
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
        result: Any = destination
        if result is None:
            result = OrderedDict()
            result._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(result, "_metadata"):
            result._metadata[prefix[:-1]] = metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(result, prefix, keep_vars)
        for name, module in self._modules.items():
            if module is not None:
                module.state_dict(
                    destination=result, prefix=f"{prefix}{name}.", keep_vars=keep_vars
                )
        for hook in self._state_dict_hooks.values():
            changed = hook(self, result, prefix, metadata)
            if changed is not None and getattr(hook, "_from_public_api", False):
                raise RuntimeError("state_dict post-hook must return None")
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
        if type(self).get_extra_state is not ModuleState.get_extra_state:
            destination[prefix + "_extra_state"] = self.get_extra_state()

    def get_extra_state(self) -> Any:
        """What `state_dict` shows as `_extra_state`, of a class that has any."""
        raise RuntimeError(
            "Reached a code path in Module.get_extra_state() that should never be called. Please file an issue at "
            "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug."
        )

    def set_extra_state(self, state: Any) -> None:
        """Take what `get_extra_state` gave; a class that gives any has both."""
        raise RuntimeError(
            "Reached a code path in Module.set_extra_state() that should never be called. Please file an issue at "
            "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug."
        )

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> IncompatibleKeys:
        """Copy values into parameters and buffers of the same names, or with `assign` put the tensors in their places.

        Raises:
            TypeError: there are no names.
            RuntimeError: the shape of one is another, or one is no tensor, or `strict` and names are missing or unexpected.
        """
        if not isinstance(state_dict, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        state: Any = OrderedDict(state_dict)
        noted: dict[str, Any] = {}
        if (metadata := getattr(state_dict, "_metadata", None)) is not None:
            state._metadata = noted = metadata
        missing: list[str] = []
        unexpected: list[str] = []
        problems: list[str] = []
        self._load(state, "", noted, assign, missing, unexpected, problems)
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
        noted: dict[str, Any],
        assign: bool,
        missing: list[str],
        unexpected: list[str],
        problems: list[str],
    ) -> None:
        metadata: dict[str, Any] = noted.get(prefix[:-1], {})
        if assign:
            metadata["assign_to_params_buffers"] = assign
        self._load_from_state_dict(state, prefix, metadata, True, missing, unexpected, problems)
        for name, module in self._modules.items():
            if module is not None:
                inner = f"{prefix}{name}."
                part = {key: value for key, value in state.items() if key.startswith(inner)}
                module._load(part, inner, noted, assign, missing, unexpected, problems)

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
        if type(self).set_extra_state is not ModuleState.set_extra_state:
            if key in state_dict:
                self.set_extra_state(state_dict[key])
            else:
                missing_keys.append(key)
        elif key in state_dict:
            unexpected_keys.append(key)
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
        if not hasattr(value, "__dlpack__") and not is_lazy(value):
            problems.append(
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object '
                f"from checkpoint but received {type(value)}"
            )
            return
        given = as_tensor(value)
        if is_lazy(table[name]):
            table[name] = table[name].materialize(given.shape)
        held: Tensor = table[name]
        if not held.ndim and given.ndim == 1:  # of PyTorch before 0.4
            given = given[0]
        if held.shape != given.shape:
            problems.append(
                f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint,"
                f" the shape in current model is {held.shape}."
            )
        elif metadata.get("assign_to_params_buffers", False):
            is_parameter = table is self._parameters
            table[name] = Parameter(given, held.requires_grad) if is_parameter else given
        else:
            try:
                written_to(held, given)
            except RuntimeError as error:
                problems.append(
                    f'While copying the parameter named "{key}", whose dimensions in the model are {held.shape} and '
                    f"whose dimensions in the checkpoint are {given.shape}, an exception occurred : {error.args}."
                )

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, prefix, keep_vars)` before `state_dict`."""
        return register(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, state_dict, prefix, metadata)` after `state_dict`."""
        hook._from_public_api = True  # type: ignore[attr-defined]
        return register(self._state_dict_hooks, hook)

    def _register_state_dict_hook(self, hook: Callable[..., Any]) -> Handle:
        """The same, where what the hook returns takes the place of the dictionary."""
        if getattr(hook, "_from_public_api", False):
            raise RuntimeError(
                "Cannot register the same function as the state dict post hook that was previously "
                "registered via register_state_dict_post_hook"
            )
        return register(self._state_dict_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, state_dict, prefix, metadata, strict, missing, unexpected, errors)` before loading."""
        return register(self._load_state_dict_pre_hooks, hook)

    def _register_load_state_dict_pre_hook(
        self, hook: Callable[..., Any], with_module: bool = False
    ) -> Handle:
        """The same, of a hook that is not given the module unless it is asked for."""
        run = hook if with_module else lambda _, *given: hook(*given)
        return register(self._load_state_dict_pre_hooks, run)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(module, incompatible_keys)` after loading."""
        return register(self._load_state_dict_post_hooks, hook)

    # Conversions

    def _apply(self: _M, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> _M:
        """Give each parameter and buffer, also of submodules, what the function makes of it. Parameters stay the same objects."""
        held = (*self.parameters(recurse), *self.buffers(recurse))
        with grad_mode.enabled(False):
            for tensor in {id(one): one for one in held}.values():
                if is_lazy(tensor):
                    tensor.convert(fn)
                else:
                    give_array(tensor, fn(tensor).array)
                    converted(tensor, fn)
        return self

    def _move(self, where: Device) -> Self:
        return self if where.type == "meta" else super()._move(where)

    def to_empty(self, *, device: Any, recurse: bool = True) -> Self:
        """Move parameters and buffers, without what they hold."""
        where = Device("cpu" if device is None else device)
        if where.type == "meta":
            return self
        return self._apply(lambda one: call("aten::empty_like", (one,), {"device": where}), recurse)
