"""A device that is lost while it is used, and drivers that have less than pycuda asks for: what errors say, and what to do."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from support.simt.driver.functions import FUNCTIONS
from support.simt.driver.library import build, symbols_of
from support.simt.driver.status import Status
from support.simt.fixtures import IS_REAL, interpreted_device
from torchscript_dialect import torch
from torchscript_dialect.runtime.cuda.driver import CudaError

pytestmark = pytest.mark.skipif(IS_REAL, reason="a real device is not broken for a test")
VALUES = np.arange(12, dtype=np.float32)
ADVICE = "what was on the device is lost, and this process can use it no more: begin another one"
ASK = """
import ctypes, sys
if sys.argv[1]:
    ctypes.CDLL(sys.argv[1], ctypes.RTLD_GLOBAL)
from torchscript_dialect.runtime.cuda.driver import CudaError, driver
try:
    driver()
except CudaError as error:
    print(error)
"""


@pytest.mark.parametrize("status", [Status.ILLEGAL_ADDRESS, Status.LAUNCH_FAILED])
def test_what_is_asked_of_a_lost_device_fails(status: Status) -> None:
    """After a kernel that did what it may not, until the process ends."""
    with interpreted_device() as device:
        x = torch.tensor(VALUES, device="cuda")
        x.neg()
        torch.cuda.synchronize()
        device.broken = status
        for call in (x.cpu, x.neg, torch.cuda.synchronize, x.clone, x.sum):
            with pytest.raises(CudaError, match=ADVICE):
                call()
                torch.cuda.synchronize()
        device.broken = None
        del x, call


def test_a_lost_device_takes_no_later_one_with_it() -> None:
    with pytest.raises(AssertionError), interpreted_device() as device:  # it leaks
        torch.tensor(VALUES, device="cuda").neg()
        device.broken = Status.LAUNCH_FAILED
    with interpreted_device():
        assert torch.tensor(VALUES, device="cuda").neg().tolist() == (-VALUES).tolist()


@pytest.mark.parametrize("missing", ["cuCtxGetDevice", "cuEventRecord"])
def test_a_driver_that_lacks_what_pycuda_asks_for(tmp_path: Path, missing: str) -> None:
    found = find_spec("pycuda")
    if found is None or found.submodule_search_locations is None:
        pytest.skip("pycuda is not installed: tools/install_pycuda.py builds it")
    (extension,) = Path(found.submodule_search_locations[0]).glob("_driver*.so")
    asked = symbols_of(extension)
    assert missing in asked
    library = build(tmp_path, asked, without=missing)
    assert missing in FUNCTIONS
    assert "the driver lacks what pycuda asks of it: install a newer one" in asked_of(library)
    assert missing in asked_of(library)


def test_no_driver_at_all() -> None:
    """pycuda that is not linked with one misses its first function then."""
    if find_spec("pycuda") is None:
        pytest.skip("pycuda is not installed: tools/install_pycuda.py builds it")
    assert "the CUDA driver is not installed, or pycuda does not fit it" in asked_of("")


def asked_of(library: Path | str) -> str:
    """What a process says whose driver is a library, or none."""
    command = [sys.executable, "-c", ASK, str(library)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
