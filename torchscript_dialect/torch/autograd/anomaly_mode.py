"""`torch.autograd.anomaly_mode`."""

from __future__ import annotations

import warnings
from types import TracebackType

from torchscript_dialect.autograd import anomaly
from torchscript_dialect.autograd.nodes import anomaly_mode


def is_anomaly_enabled() -> bool:
    """Whether nodes take note of where they are made."""
    return anomaly_mode.is_on


def is_anomaly_check_nan_enabled() -> bool:
    """Whether gradients that are NaN are errors in anomaly mode."""
    return anomaly_mode.checks_nan


class _Mode:
    """Anomaly mode until the end of a block."""

    def _begin(self, mode: bool, checks_nan: bool) -> None:
        self._before = (anomaly_mode.is_on, anomaly_mode.checks_nan)
        anomaly.set_mode(mode, checks_nan)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        anomaly.set_mode(*self._before)


class set_detect_anomaly(_Mode):
    """Turns anomaly mode on or off; as a context manager, until its end."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self._begin(mode, check_nan)

    def __enter__(self) -> None:
        pass


class detect_anomaly(_Mode):
    """Anomaly mode for a block: an error in `backward` tells where its operator was called, and a gradient that is NaN is one."""

    def __init__(self, check_nan: bool = True) -> None:
        self._checks_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for debugging.",
            UserWarning,
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self._begin(True, self._checks_nan)
