"""A device that is interpreted."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from support.at_once import compiled_at_once
from support.simt.driver.device import Device
from support.simt.fixtures import device, on_device, use_device
from torchscript_dialect.runtime.cuda.driver import Driver

__all__ = ["compiled_at_once", "device", "on_device", "use_device"]


@pytest.fixture
def connect(use_device: Callable[..., Device]) -> Iterator[Callable[..., tuple[Device, Driver]]]:
    """Makes a device the driver's and connects to it."""
    made: list[Driver] = []

    def connected(**options: Any) -> tuple[Device, Driver]:
        device = use_device(**options)
        driver = Driver()
        made.append(driver)
        return device, driver

    yield connected
    gc.collect()
    while made:
        driver = made.pop()
        driver.leave()
        del driver
    gc.collect()
