"""How functions are run: settings of the process, and what has to hear of their change.

Follows torch/csrc/jit/runtime/graph_executor.h (`getExecutorMode`, `setGraphExecutorOptimize`, `setFusionStrategy`).
"""

from __future__ import annotations

import operator
import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final
from weakref import WeakSet

from torchscript_dialect.backend import BACKENDS, ON_DEVICE, choose_backend, fusing_device
from torchscript_dialect.passes import lists
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.device_array import when_device_used

FusionStrategy = tuple[tuple[str, int], ...]

PRECISIONS: Final = ("highest", "high", "medium")
"""Of products of float32."""
DEFAULT_STRATEGY: Final[FusionStrategy] = (("STATIC", 2), ("DYNAMIC", 10))


@dataclass(frozen=True)
class Settings:
    """`fuser` is a backend's name or `none`; without `optimize` or `profiling_mode` graphs are interpreted as they are; without
    `profiling_executor` no runs observe types; with `torch_kernels` PyTorch's kernels run what has none here; with `background` large
    functions are compiled while they are interpreted; with `tiered` small ones are compiled once that is worth it.
    `float32_precision` says whether products on a device may round their factors.
    """

    fuser: str = "llvm"
    optimize: bool = True
    strategy: FusionStrategy = DEFAULT_STRATEGY
    profiled_runs: int = 1
    profiling_mode: bool = True
    profiling_executor: bool = True
    torch_kernels: bool = False
    float32_precision: str = "highest"
    background: bool = os.environ.get("TORCHSCRIPT_DIALECT_BACKGROUND", "1") != "0"
    tiered: bool = os.environ.get("TORCHSCRIPT_DIALECT_TIERED", "1") != "0"

    @property
    def specializes(self) -> bool:
        """Whether functions are optimized for their arguments, and groups of operators become kernels."""
        return self.optimize and self.profiling_mode and self.fuser != "none"

    @property
    def allows_tf32(self) -> bool:
        """Whether products on a device may round factors of float32 to tf32."""
        return self.float32_precision != "highest"

    @property
    def runs_before(self) -> int:
        """How many runs there are before a graph is optimized."""
        return self.profiled_runs if self.profiling_executor else 0

    def kind_of(self, number: int) -> str:
        """The kind of a specialization before which so many were made: by the steps of the strategy."""
        for kind, depth in self.strategy:
            if number < depth:
                return kind
            number -= depth
        return self.strategy[-1][0] if self.strategy else "DYNAMIC"

    @property
    def max_plans(self) -> int:
        """How many specializations a function may have before it is only interpreted."""
        return sum(depth for _, depth in self.strategy)


class _State:
    current: ClassVar = Settings()
    listeners: ClassVar[WeakSet[Any]] = WeakSet()


def current() -> Settings:
    """The settings in force."""
    return _State.current


def fuser_now() -> str:
    """The backend of what this thread compiles: that of a device, or the one that is set."""
    return ON_DEVICE.get(fusing_device(), current().fuser)


def listen(executor: Any) -> None:
    """Call `executor.settings_changed()` whenever settings or pipelines change, as long as it lives."""
    _State.listeners.add(executor)


def listening() -> list[Any]:
    """The executors that live."""
    return list(_State.listeners)


def _change(settings: Settings) -> None:
    before, _State.current = _State.current, settings
    if replace(before, background=settings.background, tiered=settings.tiered) == settings:
        return  # what was made stays what it is, whoever waited for it
    if settings.fuser != "none":
        choose_backend(settings.fuser)
    _tell()


def _tell() -> None:
    for listener in list(_State.listeners):
        listener.settings_changed()


lists.listen(_tell)
dtypes.on_change_of_default(_tell)
when_device_used(_tell)


class _Change:
    """A change that has been made; as a context manager it is undone at the end."""

    def __init__(self, **changes: Any) -> None:
        self.before = {name: getattr(_State.current, name) for name in changes}
        _change(replace(_State.current, **changes))

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        _change(replace(_State.current, **self.before))


def fuser(name: str) -> _Change:
    """Choose the code generator of fusion groups: `llvm`, or `none` to interpret. PyTorch's `fuser0` to `fuser3` are `llvm`.

    Takes effect at once, and as a context manager until the end of the `with`.

    Raises:
        ValueError: there is no such fuser.
    """
    if name in ("fuser0", "fuser1", "fuser2", "fuser3"):
        name = "llvm"
    if name != "none" and name not in BACKENDS:
        known = ", ".join((*BACKENDS, "none"))
        raise ValueError(f"there is no fuser '{name}'; there are {known}")
    return _Change(fuser=name)


def optimized_execution(enabled: bool) -> _Change:
    """Turn all optimization of graphs on or off, at once or for a `with`."""
    return _Change(optimize=bool(enabled))


def set_profiling_mode(enabled: bool) -> bool:
    """Specialize functions for the types of arguments, or interpret them as they are; gives the setting before (PyTorch:
    `_jit_set_profiling_mode`).
    """
    return _changed("profiling_mode", enabled)


def set_profiling_executor(enabled: bool) -> bool:
    """Let runs observe types before a graph is optimized, or optimize it by the arguments of its first call alone; gives the setting
    before (PyTorch: `_jit_set_profiling_executor`).
    """
    return _changed("profiling_executor", enabled)


def _changed(name: str, wanted: bool) -> bool:
    before = getattr(_State.current, name)
    _Change(**{name: bool(wanted)})
    return before


def follow_precision() -> None:
    """Let products on a device round their factors as PyTorch lets them, while it is loaded."""
    allowed = pytorch_state.allows_tf32()
    if allowed is not None and allowed != current().allows_tf32:
        _Change(float32_precision="high" if allowed else "highest")


def set_float32_matmul_precision(precision: str) -> None:
    """Let products on a device round factors of float32 to tf32 (`high` and `medium`), or not (`highest`), where it has cores for
    that (PyTorch: `torch.set_float32_matmul_precision`). Any other text changes nothing, and warns.

    Raises:
        RuntimeError: no text.
    """
    if not isinstance(precision, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise RuntimeError(
            f"set_float32_matmul_precision expects a str, but got {type(precision).__name__}"
        )
    if precision in PRECISIONS:
        torch = pytorch_state.loaded()
        if torch is not None:
            torch.set_float32_matmul_precision(precision)
        _Change(float32_precision=precision)
        return
    warnings.warn(
        f"{precision} is not one of 'highest', 'high', or 'medium'; the current"
        "setFloat32MatmulPrecision call has no effect.",
        stacklevel=2,
    )


def use_torch_kernels(enabled: bool) -> _Change:
    """Run operators that have no kernel here by PyTorch's, where PyTorch is loaded, at once or for a `with`. Off by default: then
    such operators are errors.
    """
    return _Change(torch_kernels=bool(enabled))


def background_compilation(enabled: bool) -> _Change:
    """Compile large functions in the background, while calls are interpreted, or let the call wait that compiles; at once or for a
    `with`. On by default, unless the environment variable `TORCHSCRIPT_DIALECT_BACKGROUND` is 0.
    """
    return _Change(background=bool(enabled))


def tiered_compilation(enabled: bool) -> _Change:
    """Compile the functions of a program that has many once they were called so often that it is worth it, or each by its second
    call; at once or for a `with`. On by default, unless the environment variable `TORCHSCRIPT_DIALECT_TIERED` is 0.
    """
    return _Change(tiered=bool(enabled))


def set_fusion_strategy(strategy: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    """Set how many specializations are made, and of which kind one after the other; gives the strategy before. A call that no
    specialization fits makes the next one; after the last it is interpreted. Kernels take any size: graphs of `DYNAMIC` ones name
    no sizes, and that is all the difference.

    Raises:
        ValueError: an entry is not ("STATIC" or "DYNAMIC", a number not below 0).
    """
    for kind, depth in strategy:
        if kind not in ("STATIC", "DYNAMIC") or depth < 0:
            raise ValueError(f"({kind!r}, {depth}) is no step of a fusion strategy")
    before = list(_State.current.strategy)
    _change(replace(_State.current, strategy=tuple(strategy)))
    return before


def set_num_profiled_runs(runs: int) -> int:
    """Set how many runs observe types before a graph is optimized; gives the number before.

    Raises:
        TypeError: no whole number.
        ValueError: the number is below 0.
    """
    runs = operator.index(runs)
    if runs < 0:
        raise ValueError(f"a function cannot be profiled for {runs} runs")
    before = _State.current.profiled_runs
    _change(replace(_State.current, profiled_runs=runs))
    return before
