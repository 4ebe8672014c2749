"""Machine code of devices, where ptxas is found: what the driver would make of PTX at every start of a process.

`TORCHSCRIPT_DIALECT_PTXAS` says where ptxas is, or `0` for none; otherwise it is looked for in the path.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

VARIABLE = "TORCHSCRIPT_DIALECT_PTXAS"
SECONDS = 60
"""After which ptxas is given up."""


def assemble(text: str, sm: int) -> bytes:
    """The cubin of a text of PTX for devices of one kind; no bytes where there is no ptxas, or it does not know these devices."""
    chosen = os.environ.get(VARIABLE, "")
    ptxas = None if chosen == "0" else chosen or shutil.which("ptxas")
    if ptxas is None:
        return b""
    with TemporaryDirectory() as folder:
        source, made = Path(folder, "kernel.ptx"), Path(folder, "kernel.cubin")
        source.write_text(text, "utf-8")
        command = [ptxas, f"-arch=sm_{sm}", str(source), "-o", str(made)]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)
            return made.read_bytes()
        except (OSError, subprocess.SubprocessError):
            return b""
