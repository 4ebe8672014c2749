"""What a call of a compiled function takes until its kernel is launched, in CPU time: the driver's launch is replaced by nothing.

PYTHONPATH=test python -m support.launch_overhead
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torchscript_dialect as ts
from support.simt.driver.device import Device
from support.simt.fixtures import stand_in
from torchscript_dialect import torch
from torchscript_dialect.runtime.native.device_state import LAUNCH, STATE

CALLS, ROUNDS = 20_000, 5


def nothing() -> int:
    """The address of a function that does nothing and says that all went well."""
    with TemporaryDirectory() as folder:
        source, library = Path(folder, "nothing.c"), Path(folder, "nothing.so")
        source.write_text("int nothing(void) { return 0; }")
        subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
        function: Any = ctypes.CDLL(str(library)).nothing
    return ctypes.cast(function, ctypes.c_void_p).value or 0


def microseconds(call: Callable[[], Any]) -> float:
    """The least CPU time of a call, of several rounds."""
    found: list[float] = []
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(CALLS):
            call()
        found.append((time.process_time() - start) / CALLS * 1e6)
    return min(found)


def main() -> None:
    f = ts.CompilationUnit("def f(x, y):\n    return torch.tanh(x * y) + x\n")["f"]
    with stand_in().using(Device()):
        here = [torch.rand(4, 5) for _ in range(2)]
        there = [one.to("cuda") for one in here]
        for arguments in (here, there):
            for _ in range(5):
                f(*arguments)
        STATE[LAUNCH] = nothing()
        before = f.native_calls
        print(f"to a launch and back: {microseconds(lambda: f(*there)):.2f} us")
        print(f"a call on the host: {microseconds(lambda: f(*here)):.2f} us")
        assert f.native_calls == before + 2 * ROUNDS * CALLS
        print(flush=True)
        os._exit(0)  # the driver's stand-in ends with the process


if __name__ == "__main__":
    main()
