"""What optimizers have in common (PyTorch: torch/optim/optimizer.py)."""

# Groups hold what programs put into them: their entries have no types that a checker knows.
# pyright: basic
from __future__ import annotations

import functools
import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import chain, count
from typing import Any

import numpy as np

from torchscript_dialect.autograd.history import is_leaf, known
from torchscript_dialect.autograd.nodes import RemovableHandle
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.strides import empty_like
from torchscript_dialect.tensor.tensor import Tensor, lender_of, tensor_of
from torchscript_dialect.tensor.tracked import TrackedTensor
from torchscript_dialect.tensor.unstrided import UnstridedTensor, is_made
from torchscript_dialect.torch.optim import updates

Group = dict[str, Any]
ParamsT = Iterable[Tensor] | Iterable[Group] | Iterable[tuple[str, Tensor]]
"""What an optimizer is given, for annotations."""


class _Required:
    def __repr__(self) -> str:
        return "<required parameter>"


required = _Required()
"""The default of an option that each group has to give."""
_YOUNGER_OPTIONS = {
    "maximize": False,
    "foreach": None,
    "capturable": False,
    "differentiable": False,
    "fused": None,
    "nesterov": False,
    "amsgrad": False,
    "decoupled_weight_decay": False,
    "centered": False,
}
"""What options are where a state is from before there were these."""
_SCALARS = frozenset(("step", "eta", "mu", "mu_product"))
"""What the state of a parameter has as tensors, and older states as numbers."""
_HOOKS = ("before", "after", "before saving", "after saving", "before loading", "after loading")


_OF_ALL: dict[str, OrderedDict[int, Callable[..., Any]]] = {
    "before": OrderedDict(),
    "after": OrderedDict(),
}
"""The hooks around the steps of all optimizers."""


def register_optimizer_step_pre_hook(hook: Callable[..., Any]) -> Any:
    """Call `hook(optimizer, args, kwargs)` before each step of each optimizer, and before its own hooks."""
    return _register_for_all("before", hook)


def register_optimizer_step_post_hook(hook: Callable[..., Any]) -> Any:
    """Call `hook(optimizer, args, kwargs)` after each step of each optimizer, and after its own hooks."""
    return _register_for_all("after", hook)


def _register_for_all(kind: str, hook: Callable[..., Any]) -> Any:
    key = next(_keys)
    _OF_ALL[kind][key] = hook
    return RemovableHandle(_OF_ALL[kind], key)


class Optimizer:
    """Parameters in groups, with options for each group and a state for each parameter."""

    RECORDS_LISTS = False
    """Whether steps with `foreach` may be differentiable."""

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        """`params`: tensors, pairs of names and tensors, or dicts, each a group with `params` and options of its own.

        Raises:
            TypeError: parameters that are no tensors, or a tensor in the place of a list.
            ValueError: no parameters, or one in two groups.
            RuntimeError: options that exclude each other.
        """
        if isinstance(params, Tensor):
            raise TypeError(
                f"params argument given to the optimizer should be an iterable of Tensors or dicts, but got {params.type()}"
            )
        if defaults.get("fused"):
            if defaults.get("differentiable"):
                raise RuntimeError("`fused` does not support `differentiable`")
            if defaults.get("foreach"):
                raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
            self._step_supports_amp_scaling = True  # see `_unscale`
        self.defaults = defaults
        self.state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
        self.param_groups: list[Group] = []
        self._get_ready()
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def _get_ready(self) -> None:
        """Have what a saved optimizer does not keep."""
        self._prepared = updates.Prepared()
        self._hooks: dict[str, OrderedDict[int, Callable[..., Any]]] = {
            kind: OrderedDict() for kind in _HOOKS
        }
        kind = type(self)
        if not hasattr(
            kind.step, "hooked"
        ):  # steps that programs write have hooks around them, too
            kind.step = _with_hooks(kind.step)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("defaults", "state", "param_groups")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if "_hooks" not in self.__dict__:
            self._get_ready()
        for group in self.param_groups:
            for name in self.defaults.keys() & _YOUNGER_OPTIONS.keys():
                group.setdefault(name, _YOUNGER_OPTIONS[name])
            for tensor in group["params"]:
                values = self.state.get(tensor, {})
                for name in _SCALARS & values.keys():
                    if not isinstance(values[name], Tensor):
                        values[name] = tensor_of(np.array(values[name], np.float32))
        self.defaults.setdefault("differentiable", False)

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for number, group in enumerate(self.param_groups):
            options = sorted(key for key in group if key != "params")
            lines += [f"Parameter Group {number}", *(f"    {key}: {group[key]}" for key in options)]
        return "\n".join([*lines, ")"])

    def add_param_group(self, param_group: Group) -> None:
        """Add parameters, with options of their own."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        given = param_group["params"]
        if isinstance(given, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets will "
                "change between runs. Please use a list instead."
            )
        params = [given] if isinstance(given, Tensor) else list(given)
        group = {**param_group}
        names = [one[0] for one in params if isinstance(one, tuple)]
        if names and len(names) != len(params):
            raise ValueError(
                "all optimizer params should be with/without names. Some param names are missing"
            )
        if names:
            group["param_names"] = names
            params = [tensor for _, tensor in params]
        for tensor in params:
            if not isinstance(tensor, Tensor):
                raise TypeError(
                    f"optimizer can only optimize Tensors, but one of the params is {_type_name(tensor)}"
                )
            if not (self.defaults.get("differentiable") or is_leaf(tensor) or tensor.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        if len({id(tensor) for tensor in params}) < len(params):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; "
                "see github.com/pytorch/pytorch/issues/40967 for more information",
                stacklevel=3,
            )
        if any(("param_names" in other) != bool(names) for other in self.param_groups):
            raise ValueError(
                "all optimizer param groups should be with/without names. cannot add param group "
                f"{'with' if names else 'without'} names to the optimizer"
            )
        known = {id(tensor) for other in self.param_groups for tensor in other["params"]}
        if known & {id(tensor) for tensor in params}:
            raise ValueError("some parameters appear in more than one parameter group")
        group["params"] = params
        for name, default in self.defaults.items():
            if default is required and name not in group:
                raise ValueError(
                    f"parameter group didn't specify a value of required optimization parameter {name}"
                )
            group.setdefault(name, default)
        self.param_groups.append(group)

    # Steps

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update all parameters that have a gradient; gives what `closure` gives, which is called before, with gradients on."""
        loss = None
        if closure is not None:
            with grad_mode.enabled(True):
                loss = closure()
        if hasattr(self, "found_inf") and not self._unscale():
            return loss
        for group in self.param_groups:
            dense = self._step_sparsely(group) if is_made() else group
            if group.get("capturable") or group.get("differentiable"):
                self._check(dense)
            self._step_group(dense)
        return loss

    def _unscale(self) -> bool:
        """Whether gradients are finite; then they are scaled back. `torch.amp.GradScaler` leaves that to fused optimizers."""
        own: Any = self
        if own.found_inf.item():
            return False
        if own.grad_scale is not None:
            with grad_mode.enabled(False):
                for tensor in chain.from_iterable(group["params"] for group in self.param_groups):
                    if tensor.grad is not None:
                        tensor.grad.div_(own.grad_scale)
        return True

    def _check(self, group: Group) -> None:
        """Look for what the optimizer does not take.

        Raises:
            AssertionError: `capturable` is for devices, `foreach` for steps through which no gradients go.
        """
        tensors = [tensor for tensor in group["params"] if tensor.grad is not None]
        is_by_list = group.get("foreach") and not self.RECORDS_LISTS
        if tensors and is_by_list and group.get("differentiable"):
            raise AssertionError("_foreach ops don't support autograd")
        on_host = any(tensor.device.type == "cpu" for tensor in tensors)
        if group.get("capturable") and on_host and not group.get("fused"):
            raise AssertionError(
                "If capturable=True, params and state_steps must be on supported devices: ['cuda']."
            )

    def _step_group(self, group: Group) -> None:
        raise NotImplementedError

    def _step_sparsely(self, group: Group) -> Group:
        """Update the parameters that have a sparse gradient; the group without them."""
        dense: list[Tensor] = []
        with grad_mode.enabled(False):
            for tensor in group["params"]:
                if isinstance(tensor.grad, UnstridedTensor):
                    self._step_one_sparsely(group, tensor, tensor.grad)
                else:
                    dense.append(tensor)
        return group if len(dense) == len(group["params"]) else {**group, "params": dense}

    def _step_one_sparsely(self, group: Group, tensor: Tensor, grad: UnstridedTensor) -> None:
        raise RuntimeError(f"{type(self).__name__} does not support sparse gradients")

    def _update(
        self,
        group: Group,
        source: str,
        names: tuple[str, ...],
        numbers: Callable[[float], tuple[float, ...]],
        switches: tuple[bool, ...],
        switches_by_step: Callable[[float], tuple[bool, ...]] | None = None,
    ) -> None:
        """Run an update over the parameters of a group, whose states have these names and begin with zeros. `numbers` tells the
        update's numbers by how many steps a parameter has made, `switches_by_step` what comes after its other switches.
        """
        of, params, prepared = (source, switches), group["params"], self._prepared
        records = bool(group["differentiable"])
        repeated = prepared.repeated.get(id(params[0])) if params and not records else None
        if repeated is not None and repeated.run(of, params, self.state, numbers):
            return
        by_step: dict[float, list[list[Tensor]]] = {}
        for tensor in params:
            grad = tensor.grad
            if grad is None:
                continue
            state = self.state[tensor]
            if not state:
                self._begin(group, tensor, state, names)
            made = state["step"].array
            step = made.item() + 1
            made.fill(step)  # sooner than `made += 1`
            row = [tensor, grad, *[state[name] for name in names]]
            if step in by_step:
                by_step[step].append(row)
            else:
                by_step[step] = [row]
        for step, rows in by_step.items():
            given = numbers(step)
            every = switches + (() if switches_by_step is None else switches_by_step(step))
            update = updates.compiled(source, len(names), len(given), every)
            self._apply(group, update, rows, given)
            if len(by_step) == 1 and switches_by_step is None and not records:
                prepared.repeat(update, rows, of, params, self.state)

    def _apply(
        self, group: Group, update: Any, rows: list[list[Tensor]], numbers: tuple[float, ...]
    ) -> None:
        """Run an update on rows of a parameter, its gradient and its states."""
        if group["differentiable"]:
            updates.record(update, rows, numbers)
        else:
            updates.run(update, rows, numbers, self._prepared)

    def _begin(
        self, group: Group, tensor: Tensor, state: dict[str, Any], names: tuple[str, ...]
    ) -> None:
        """The state of a parameter before its first step."""
        state["step"] = tensor_of(np.zeros((), np.float32))
        for name in names:
            state[name] = zeros_like(tensor)

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or make them zeros."""
        for group in self.param_groups:
            for tensor in group["params"]:
                if lender_of(tensor) is not None and set_to_none:
                    tensor.grad = None
                own = tensor.autograd if tensor.__class__ is TrackedTensor else known(tensor)
                if own is None or own.grad is None:
                    continue
                if set_to_none:
                    own.grad = None
                    continue
                if own.grad.grad_fn is not None:
                    own.grad.detach_()
                own.grad.requires_grad_(False)
                own.grad.zero_()

    def register_step_pre_hook(self, hook: Callable[..., Any]) -> Any:
        """Call `hook(optimizer, args, kwargs)` before each step."""
        return self._register("before", hook)

    def register_step_post_hook(self, hook: Callable[..., Any]) -> Any:
        """Call `hook(optimizer, args, kwargs)` after each step."""
        return self._register("after", hook)

    def register_state_dict_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> Any:
        """Call `hook(optimizer)` before `state_dict`."""
        return self._register("before saving", hook, prepend)

    def register_state_dict_post_hook(self, hook: Callable[..., Any], prepend: bool = False) -> Any:
        """Call `hook(optimizer, state)` after `state_dict`; what it returns, unless None, is the state."""
        return self._register("after saving", hook, prepend)

    def register_load_state_dict_pre_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> Any:
        """Call `hook(optimizer, state)` before `load_state_dict`; what it returns, unless None, is loaded."""
        return self._register("before loading", hook, prepend)

    def register_load_state_dict_post_hook(
        self, hook: Callable[..., Any], prepend: bool = False
    ) -> Any:
        """Call `hook(optimizer)` after `load_state_dict`."""
        return self._register("after loading", hook, prepend)

    def _register(self, kind: str, hook: Callable[..., Any], prepend: bool = False) -> Any:
        key = next(_keys)
        self._hooks[kind][key] = hook
        if prepend:
            self._hooks[kind].move_to_end(key, last=False)
        return RemovableHandle(self._hooks[kind], key)

    # State

    def state_dict(self) -> dict[str, Any]:
        """The state and the options, with numbers in the place of parameters."""
        for hook in self._hooks["before saving"].values():
            hook(self)
        number: dict[int, int] = {}
        groups: list[Group] = []
        place = 0
        for group in self.param_groups:
            # in one group the last place counts, among groups the first
            here = {id(tensor): at for at, tensor in enumerate(group["params"], place)}
            number = {**here, **number}
            saved = {key: value for key, value in group.items() if key != "params"}
            groups.append({**saved, "params": [number[id(tensor)] for tensor in group["params"]]})
            place += len(group["params"])
        state = {
            number[id(key)] if isinstance(key, Tensor) else key: values
            for key, values in self.state.items()
            if not isinstance(key, Tensor) or id(key) in number
        }
        found: dict[str, Any] = {"state": state, "param_groups": groups}
        return self._changed(found, "after saving")

    def _changed(self, state_dict: dict[str, Any], kind: str) -> dict[str, Any]:
        """What hooks make of a state."""
        for hook in self._hooks[kind].values():
            changed = hook(self, state_dict)
            state_dict = state_dict if changed is None else changed
        return state_dict

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` of an optimizer with groups of the same sizes gave.

        Raises:
            ValueError: the groups are others.
        """
        state_dict = self._changed(state_dict.copy(), "before loading")
        groups = deepcopy(state_dict["param_groups"])
        if len(groups) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        for own, saved in zip(self.param_groups, groups, strict=True):
            if len(own["params"]) != len(saved["params"]):
                raise ValueError(
                    "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
                )
        numbers = chain.from_iterable(group["params"] for group in groups)
        tensors = chain.from_iterable(group["params"] for group in self.param_groups)
        of_number = dict(zip(numbers, tensors, strict=True))
        state: defaultdict[Any, Any] = defaultdict(dict)
        for key, values in state_dict["state"].items():
            tensor = of_number.get(key)
            state[key if tensor is None else tensor] = (
                values if tensor is None else _fitted(values, tensor)
            )
        named = ("params", "param_names")
        param_groups = [
            {**{key: own[key] for key in named if key in own}, **saved, "params": own["params"]}
            for own, saved in zip(self.param_groups, groups, strict=True)
        ]
        self.__setstate__({"state": state, "param_groups": param_groups})
        for hook in self._hooks["after loading"].values():
            hook(self)


_keys = count()


def _with_hooks(step: Callable[..., Any]) -> Callable[..., Any]:
    """A step of a class, with the hooks of its optimizers and of all around it."""

    @functools.wraps(step)
    def hooked(*args: Any, **kwargs: Any) -> Any:
        optimizer = args[0]
        for hook in (*_OF_ALL["before"].values(), *optimizer._hooks["before"].values()):
            changed = hook(optimizer, args, kwargs)
            if changed is not None:
                args, kwargs = _changed_arguments(hook, changed)
        loss = step(*args, **kwargs)
        for hook in (*optimizer._hooks["after"].values(), *_OF_ALL["after"].values()):
            hook(optimizer, args, kwargs)
        return loss

    hooked.hooked = True  # pyright: ignore[reportAttributeAccessIssue]
    return hooked


def _fitted(value: Any, tensor: Tensor, name: str = "") -> Any:
    """What was saved of the state of a parameter: the same tensors, where they have its dtype and are on its device."""
    if isinstance(value, dict):
        return {key: _fitted(one, tensor, key) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_fitted(one, tensor) for one in value)
    if not hasattr(value, "dtype"):
        return value
    found = as_tensor(value)
    if name == "step":
        return found
    dtype = tensor.dtype if tensor.dtype.is_floating_point else found.dtype
    return found.to(tensor.device, dtype)


def _changed_arguments(hook: Any, changed: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What a hook before a step gives instead of the arguments; RuntimeError for anything else."""
    if isinstance(changed, tuple) and len(changed) == 2:
        return changed
    raise RuntimeError(
        f"{hook} must return None or a tuple of (new_args, new_kwargs), but got {changed}."
    )


def zeros_like(tensor: Tensor) -> Tensor:
    """A state of zeros for a parameter, where that is."""
    if tensor.array.__class__ is DeviceArray:
        with grad_mode.enabled(False):
            return call("aten::zeros_like", (tensor,))
    array = empty_like(tensor.array)
    array.fill(0)
    return tensor_of(array)


def _type_name(value: Any) -> str:
    kind = type(value)
    return (
        f"{kind.__module__}.{kind.__qualname__}" if kind.__module__ != "builtins" else kind.__name__
    )


def check_at_least(name: str, value: Any, least: float = 0.0) -> None:
    """ValueError, in PyTorch's words, for an option that is too small, or a learning rate of several."""
    if isinstance(value, Tensor) and value.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")
    if not least <= value:
        raise ValueError(f"Invalid {name}: {value}")


def check_betas(betas: tuple[Any, Any]) -> None:
    """ValueError for decay rates that are not from 0 to 1, without 1."""
    for place, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {place}: {beta}")


def numbers_of_betas(
    betas: tuple[Any, Any], foreach: bool | None, capturable: bool
) -> tuple[float, float]:
    """Decay rates, which may be tensors; ValueError where these may not be."""
    kinds = {float if isinstance(beta, float) else type(beta) for beta in betas}
    tensors = [isinstance(beta, Tensor) for beta in betas]
    if kinds != {float} and not all(tensors):
        raise ValueError("betas must be either both floats or both Tensors")
    for place, beta in enumerate(betas):
        if not isinstance(beta, Tensor):
            continue
        if not capturable and foreach:
            raise ValueError(
                f"betas[{place}] as a Tensor is not supported for capturable=False and foreach=True"
            )
        if beta.numel() != 1:
            raise ValueError(f"Tensor betas[{place}] must be 1-element")
    return float(betas[0]), float(betas[1])
