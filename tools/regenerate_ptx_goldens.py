#!/usr/bin/env python3
"""Writes the PTX of the graphs in test/golden/ptx, and shows what ptxas makes of it on each kind of device.

    python tools/regenerate_ptx_goldens.py [--check]

NAME.ts is the graph of a program of the documents that this project implements, with types; NAME.ptx what `ts-opt -t ptx` makes of it,
by the version of LLVM in its first line. Where ptxas is found, registers and spills are printed, a kernel in a row.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

from generated_files import write_or_check  # noqa: E402

from lowering.pipelines import LINALG_TO_PTX  # noqa: E402
from lowering.ptx.emit import emit  # noqa: E402
from torchscript_dialect.backend import fusing_on  # noqa: E402
from torchscript_dialect.frontend.ir_text import parse_ir_text  # noqa: E402
from torchscript_dialect.passes.pass_pipeline import PassPipeline  # noqa: E402
from torchscript_dialect.utils.llvm import binding  # noqa: E402

FOLDER = ROOT / "test" / "golden" / "ptx"
PASSES = "ts-attach-gpu-target{{sm={}{}}},ts-propagate-shapes,ts-fuse-tensorexprs{{min_group_size=1}},ts-convert-torch-to-linalg,"
OPTIONS = {"tf32_product": " tf32=true"}
"""Of the target of some graphs."""
DEVICES = (75, 80, 90, 100)
OF_GOLDEN = 80
"""The devices that the golden text is for."""


def first_line() -> str:
    """Which LLVM wrote a text."""
    return f"// LLVM {'.'.join(map(str, binding().llvm_version_info))}\n"


def ptx(path: Path, sm: int) -> str:
    """The PTX of the graph in a file, for devices of a kind and those after it."""
    module = parse_ir_text(path.read_text("utf-8"))
    passes = PASSES.format(sm, OPTIONS.get(path.stem, "")) + ",".join(LINALG_TO_PTX)
    with fusing_on("cuda"):
        PassPipeline(passes).run(module)
    return emit(module, sm)


def graphs() -> list[Path]:
    """The files of graphs."""
    return sorted(FOLDER.glob("*.ts"))


def assembled(text: str, sm: int, ptxas: str) -> tuple[int, int]:
    """How many registers a thread of a kernel has, and how many bytes of them go to memory.

    Raises:
        CalledProcessError: ptxas does not take the text.
    """
    with TemporaryDirectory() as folder:
        Path(folder, "kernel.ptx").write_text(text)
        done = subprocess.run(
            [ptxas, f"-arch=sm_{sm}", "-v", "kernel.ptx", "-o", "kernel.cubin"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
    (registers,) = re.findall(r"Used (\d+) registers", done.stderr)
    spills = re.findall(r"(\d+) bytes spill (?:stores|loads)", done.stderr)
    return int(registers), sum(map(int, spills))


def table(ptxas: str) -> Iterator[str]:
    """Lines of what ptxas says."""
    yield f"{'registers, bytes spilled':26}" + "".join(f"{f'sm_{sm}':>9}" for sm in DEVICES)
    for path in graphs():
        found = [assembled(ptx(path, sm), sm, ptxas) for sm in DEVICES]
        yield f"{path.stem:26}" + "".join(f"{f'{used}, {lost}':>9}" for used, lost in found)


def main() -> int:
    texts = {path.with_suffix(".ptx"): first_line() + ptx(path, OF_GOLDEN) for path in graphs()}
    status = write_or_check(__doc__, texts)
    ptxas = shutil.which("ptxas")
    print(*(table(ptxas) if ptxas else ["there is no ptxas"]), sep="\n")
    return status


if __name__ == "__main__":
    sys.exit(main())
