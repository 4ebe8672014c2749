"""Losses that are scaled up, so that gradients of 16 bits do not vanish (PyTorch: torch/amp/grad_scaler.py)."""

from __future__ import annotations

import inspect
import warnings
from collections import abc, defaultdict
from collections.abc import Iterable
from enum import Enum
from typing import Any, ClassVar, cast

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.runtime.cuda.driver import is_available
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.dtype import dtype as Dtype
from torchscript_dialect.tensor.dtype import float16, float32, int32
from torchscript_dialect.tensor.tensor import Tensor

__all__ = ["GradScaler", "OptState"]


class OptState(Enum):
    """How far an optimizer has come since the last `update`."""

    READY = 0
    UNSCALED = 1
    STEPPED = 2


def _new_state() -> dict[str, Any]:
    """Of an optimizer after an `update`; a function of the module, so that scalers can be pickled."""
    return {"stage": OptState.READY, "found_inf_per_device": {}}


class _Copies:
    """Copies of a tensor, one for each device that asks."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor
        self.by_device: dict[Device, Tensor] = {}

    def on(self, device: Device) -> Tensor:
        if device not in self.by_device:
            self.by_device[device] = self.tensor.to(device, copy=True)
        return self.by_device[device]


class GradScaler:
    """Scales losses, and gradients back, by a factor that grows while gradients are finite and shrinks where they are not."""

    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        """Without CUDA, a scaler for that is not enabled, with a warning: it changes nothing.

        Raises:
            AssertionError: factors that do not let the scale grow or shrink.
        """
        self._device = device
        self._enabled = enabled
        if enabled and device == "cuda" and not is_available():
            warnings.warn(
                "torch.cuda.amp.GradScaler is enabled, but CUDA is not available.  Disabling.",
                stacklevel=2,
            )
            self._enabled = False
        if not self._enabled:
            return
        if growth_factor <= 1.0:
            raise AssertionError("The growth factor must be > 1.0.")
        if backoff_factor >= 1.0:
            raise AssertionError("The backoff factor must be < 1.0.")
        self._init_scale = init_scale
        self._scale: Tensor | None = None
        """None before the first `scale`, which tells the device."""
        self._growth_factor = growth_factor
        self._backoff_factor = backoff_factor
        self._growth_interval = growth_interval
        self._init_growth_tracker = 0
        self._growth_tracker: Tensor | None = None
        """How many steps the scale has been good for."""
        self._per_optimizer_states: dict[int, dict[str, Any]] = defaultdict(_new_state)

    # Scaling

    def scale(self, outputs: Any) -> Any:
        """Outputs times the scale: a tensor, or an iterable of such, nested; lists and tuples stay what they are.

        Raises:
            ValueError: something else.
        """
        if not self._enabled:
            return outputs
        if isinstance(outputs, Tensor):
            return outputs * self._scale_for(outputs).to(outputs.device)
        copies: list[_Copies] = []

        def scaled(value: Any) -> Any:
            kind = value.__class__
            if isinstance(value, Tensor):
                if not copies:
                    copies.append(_Copies(self._scale_for(value)))
                return value * copies[0].on(value.device)
            if not isinstance(value, abc.Iterable):
                raise ValueError("outputs must be a Tensor or an iterable of Tensors")
            several = map(scaled, cast("Iterable[Any]", value))
            return kind(several) if isinstance(value, (list, tuple)) else several

        return scaled(outputs)

    def _scale_for(self, output: Tensor) -> Tensor:
        """The scale, made on the device of an output if that is the first."""
        if self._scale is None:
            self._lazy_init_scale_growth_tracker(output.device)
            assert self._scale is not None
        return self._scale

    def _lazy_init_scale_growth_tracker(self, dev: Device) -> None:
        if self._growth_tracker is not None:
            raise AssertionError("_growth_tracker initialized before _scale")
        self._scale = _number(self._init_scale, float32, dev)
        self._growth_tracker = _number(self._init_growth_tracker, int32, dev)

    def _check_scale_growth_tracker(self, funcname: str) -> tuple[Tensor, Tensor]:
        """AssertionError if nothing was scaled yet."""
        fix = "This may indicate your script did not use scaler.scale(loss or outputs) earlier in the iteration."
        if self._scale is None:
            raise AssertionError(f"Attempted {funcname} but _scale is None.  {fix}")
        if self._growth_tracker is None:
            raise AssertionError(f"Attempted {funcname} but _growth_tracker is None.  {fix}")
        return self._scale, self._growth_tracker

    def unscale_(self, optimizer: Any) -> None:
        """Divide the gradients of an optimizer's parameters by the scale, and look for what is not finite.

        Raises:
            RuntimeError: they are already.
            ValueError: gradients are float16.
        """
        if not self._enabled:
            return
        scale, _ = self._check_scale_growth_tracker("unscale_")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.UNSCALED:
            raise RuntimeError(
                "unscale_() has already been called on this optimizer since the last update()."
            )
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("unscale_() is being called after step().")
        inverse = scale.double().reciprocal().float()
        found_inf = _number(0.0, float32, scale.device)
        state["found_inf_per_device"] = self._unscale_grads_(optimizer, inverse, found_inf, False)
        state["stage"] = OptState.UNSCALED

    def _unscale_grads_(
        self, optimizer: Any, inv_scale: Tensor, found_inf: Tensor, allow_fp16: bool
    ) -> dict[Device, Tensor]:
        """By device, 1 where a gradient is not finite."""
        inverses, found = _Copies(inv_scale), _Copies(found_inf)
        together: dict[tuple[Device, Dtype], list[Tensor]] = {}
        with grad_mode.enabled(False):
            for group in optimizer.param_groups:
                for param in group["params"]:
                    values = _values_to_unscale(param, allow_fp16)
                    if values is not None:
                        together.setdefault((values.device, values.dtype), []).append(values)
            for (device, _), grads in together.items():
                given = (grads, found.on(device), inverses.on(device))
                call("aten::_amp_foreach_non_finite_check_and_unscale_", given)
        return found.by_device

    def _check_inf_per_device(self, optimizer: Any) -> dict[Device, Tensor]:
        """Look for what is not finite, and leave gradients as they are."""
        scale, _ = self._check_scale_growth_tracker("_check_inf_per_device")
        one, found_inf = (_number(value, float32, scale.device) for value in (1.0, 0.0))
        state = self._per_optimizer_states[id(optimizer)]
        state["found_inf_per_device"] = self._unscale_grads_(optimizer, one, found_inf, True)
        return state["found_inf_per_device"]

    def _found_inf_per_device(self, optimizer: Any) -> dict[Device, Tensor]:
        return self._per_optimizer_states[id(optimizer)]["found_inf_per_device"]

    # Steps

    def step(self, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        """A step of an optimizer, if its gradients, scaled back, are finite; what that gives, or None.

        Raises:
            RuntimeError: the optimizer made its step already, or there is a closure.
            AssertionError: no parameter has a gradient.
        """
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("Closure use is not currently supported if GradScaler is enabled.")
        self._check_scale_growth_tracker("step")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] is OptState.STEPPED:
            raise RuntimeError("step() has already been called since the last update().")
        if getattr(optimizer, "_step_supports_amp_scaling", False):
            return self._step_that_scales(optimizer, state, args, kwargs)
        if state["stage"] is OptState.READY:
            self.unscale_(optimizer)
        if not state["found_inf_per_device"]:
            raise AssertionError("No inf checks were recorded for this optimizer.")
        result = self._maybe_opt_step(optimizer, state, *args, **kwargs)
        state["stage"] = OptState.STEPPED
        return result

    def _maybe_opt_step(
        self, optimizer: Any, optimizer_state: dict[str, Any], *args: Any, **kwargs: Any
    ) -> Any:
        found = optimizer_state["found_inf_per_device"].values()
        return None if sum(one.item() for one in found) else optimizer.step(*args, **kwargs)

    def _step_that_scales(
        self, optimizer: Any, state: dict[str, Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """A step of an optimizer that scales gradients back itself: it gets the scaler, or finds `grad_scale` and `found_inf`."""
        takes_scaler = "grad_scaler" in inspect.signature(optimizer.step).parameters
        if takes_scaler:
            warnings.warn(
                "GradScaler is going to stop passing itself as a keyword argument to the passed "
                "optimizer. In the near future GradScaler registers `grad_scale: Tensor` and "
                "`found_inf: Tensor` to the passed optimizer and let the optimizer use them directly.",
                FutureWarning,
                stacklevel=3,
            )
            kwargs = {**kwargs, "grad_scaler": self}
        else:
            if state["stage"] is OptState.READY:
                self._check_inf_per_device(optimizer)
            scale = self._get_scale_async()
            assert scale is not None
            given = getattr(optimizer, "grad_scale", None)
            if state["stage"] is not OptState.UNSCALED:
                given = scale if given is None else scale * given
            optimizer.grad_scale = given
            found = state["found_inf_per_device"].values()
            optimizer.found_inf = sum(one.to(scale.device) for one in found)
        result = optimizer.step(*args, **kwargs)
        state["stage"] = OptState.STEPPED
        if not takes_scaler:
            del optimizer.grad_scale, optimizer.found_inf
        return result

    def update(self, new_scale: float | Tensor | None = None) -> None:
        """Let the scale shrink if gradients were not finite, and grow after `growth_interval` steps in which they were; or set it.

        Raises:
            AssertionError: no optimizer has been looked at, or the scale is no number on the device.
        """
        if not self._enabled:
            return
        scale, tracker = self._check_scale_growth_tracker("update")
        if isinstance(new_scale, float):
            scale.fill_(new_scale)
        elif new_scale is not None:
            new_scale = cast("Tensor", new_scale)
            is_fit = new_scale.device.type == self._device and new_scale.numel() == 1
            if not is_fit or new_scale.requires_grad:
                raise AssertionError(
                    "new_scale should be a float or a 1-element torch.cuda.FloatTensor or "
                    "torch.FloatTensor with requires_grad=False."
                )
            scale.copy_(new_scale)
        else:
            states = self._per_optimizer_states.values()
            found = [one for state in states for one in state["found_inf_per_device"].values()]
            if not found:
                raise AssertionError("No inf checks were recorded prior to update.")
            any_found = sum((one.to(scale.device) for one in found[1:]), found[0].to(scale.device))
            factors = (self._growth_factor, self._backoff_factor, self._growth_interval)
            call("aten::_amp_update_scale_", (scale, tracker, any_found, *factors))
        self._per_optimizer_states = defaultdict(_new_state)

    # State

    def _get_scale_async(self) -> Tensor | None:
        return self._scale

    def get_scale(self) -> float:
        """The scale: 1 if the scaler is not enabled."""
        if not self._enabled:
            return 1.0
        scale = self._get_scale_async()
        return self._init_scale if scale is None else cast("float", scale.item())

    def get_growth_factor(self) -> float:
        """What the scale grows by."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Let the scale grow by another factor."""
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """What the scale shrinks by."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Let the scale shrink by another factor."""
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """After how many steps the scale grows."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Let the scale grow after another number of steps."""
        self._growth_interval = new_interval

    def _get_growth_tracker(self) -> int:
        if not self._enabled:
            return 0
        tracker = self._growth_tracker
        return self._init_growth_tracker if tracker is None else cast("int", tracker.item())

    def is_enabled(self) -> bool:
        """Whether the scaler does anything."""
        return self._enabled

    def state_dict(self) -> dict[str, Any]:
        """The scale, its factors and how many steps it has been good for, as numbers; empty if the scaler is not enabled."""
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._get_growth_tracker(),
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave.

        Raises:
            RuntimeError: it is of a scaler that was not enabled.
        """
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError(
                "The source state dict is empty, possibly because it was saved "
                "from a disabled instance of GradScaler."
            )
        self._init_scale = state_dict["scale"]
        if self._scale is not None:
            self._scale.fill_(self._init_scale)
        self._growth_factor = state_dict["growth_factor"]
        self._backoff_factor = state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._init_growth_tracker = state_dict["_growth_tracker"]
        if self._growth_tracker is not None:
            self._growth_tracker.fill_(self._init_growth_tracker)

    def __getstate__(self) -> dict[str, Any]:
        """AssertionError between a step and its `update`: that is of optimizers by their ids."""
        state = self.__dict__.copy()
        if self._enabled:
            if self._per_optimizer_states:
                raise AssertionError(
                    "A GradScaler instance may only be pickled at the beginning "
                    "of an iteration, or at the end after scaler.update()."
                )
            state["_init_scale"] = self.get_scale()
            state["_init_growth_tracker"] = self._get_growth_tracker()
            state["_scale"] = state["_growth_tracker"] = None
        return state


class GradScalerOfDevice(GradScaler):
    """A scaler from before these took a device: the class says which, with a warning."""

    DEVICE: ClassVar[str]

    def __init__(
        self,
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        device = self.DEVICE
        warnings.warn(
            f"`torch.{device}.amp.GradScaler(args...)` is deprecated. "
            f"Please use `torch.amp.GradScaler('{device}', args...)` instead.",
            FutureWarning,
            stacklevel=2,
        )
        super().__init__(
            device, init_scale, growth_factor, backoff_factor, growth_interval, enabled
        )


def _number(value: float, dtype: Dtype, device: Device) -> Tensor:
    """A tensor of no dimensions."""
    return call("aten::full", ((), value), {"dtype": dtype, "device": device})


def _values_to_unscale(param: Any, allow_fp16: bool) -> Tensor | None:
    """The memory of a parameter's gradient: of the values of a sparse one, each element once where sums could overflow."""
    if not isinstance(param, Tensor):
        raise AssertionError(f"expected param to be torch.Tensor, got {type(param).__name__}")
    holder: Any = param
    grad = holder.grad
    if grad is None:
        return None
    if not allow_fp16 and grad.dtype is float16:
        raise ValueError("Attempting to unscale FP16 gradients.")
    if not grad.is_sparse:
        return grad
    if grad.dtype is float16:
        holder.grad = grad = grad.coalesce()
    return grad._values()
