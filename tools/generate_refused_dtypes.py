#!/usr/bin/env python3
"""Writes torchscript_dialect/ops/refused_dtypes.txt: which dtypes PyTorch's kernels refuse, and in what words. Needs PyTorch.

    python tools/generate_refused_dtypes.py [--check]

Every operator with samples runs in every dtype (test/support/refused_dtypes.py), which takes minutes. With `--check` nothing is
written; exit status 1 if the file is not up to date.
"""

import os
import re
import sys
import warnings
from multiprocessing import Pool
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test"), str(ROOT / "tools")]

import torch  # noqa: E402
from generated_files import write_or_check  # noqa: E402

from samples import torch_side  # noqa: E402
from support import refused_dtypes  # noqa: E402
from torchscript_dialect.ops import registry  # noqa: E402
from torchscript_dialect.tensor.dtype import dtype  # noqa: E402

PATH = ROOT / "torchscript_dialect" / "ops" / "refused_dtypes.txt"

Row = tuple[str, tuple[int, ...], str, str]
"""Operator, places of its main operands, dtype, error."""

_OF_SAMPLES = re.compile(r"INTERNAL ASSERT|\[\d+(, ?\d+)*\]|\b(input|argument|size|index) \d")
"""What an error says that is of the calls that were tried, or of PyTorch's files."""

_OF_MORE = re.compile(
    r"[Pp]romot|TensorOptions|out of bounds|must be divisible|cannot be converted|float_power_|(atol|rcond) tensor"
    r"|argument alpha|must have the same dtype|dtype should be complex"
)
"""What depends on more than the dtype of the main operands: kernels say it themselves."""


_THEMSELVES = (
    "aten::l1_loss", "aten::randn", "aten::randn.generator", "aten::IntImplicit", "aten::stft", "aten::stft.center",
)  # fmt: skip
"""Operators that refuse a dtype with some reductions, where something is to be drawn, after other things that they refuse, and where a
window does not promote it.
"""


_IN_REAL_PARTS = ("aten::convolution", "aten::convolution_backward")
"""Operators that PyTorch gives the real and imaginary parts of complex tensors, and that formulas here give the tensors themselves."""


def names() -> list[str]:
    """The operators that PyTorch can be called for, but for those that do what another one does in place or into `out`."""
    registry.load_families()
    found = (registry.find(name) for name, _ in sorted(registry.attached()))
    return [
        each.qualified_name
        for each in found
        if each is not None
        and each.kernel is not None
        and each.qualified_name not in (*torch_side.UNREACHABLE, *_THEMSELVES)
        and registry.computing_form(each) == each.qualified_name
        and not each.name.startswith(("prim::", "aten::sleep", "aten::warn", "aten::save"))
    ]


def rows(name: str) -> list[Row]:
    """What is refused of an operator."""
    operator = registry.find(name)
    assert operator is not None
    found: list[Row] = []
    for case in refused_dtypes.cases_of_pytorch(operator):
        if case.dtype.is_complex and name in _IN_REAL_PARTS:
            continue
        error = refused_dtypes.refusal(case)
        if error is not None and not _OF_MORE.search(error):
            found.append((name, case.places, case.dtype.name, _template(name, case.dtype, error)))
    return found


def _template(name: str, element: dtype, error: str) -> str:
    """An error with `{}` in the place of the dtype's name."""
    class_, _, text = error.partition(": ")
    text = text.split("  (Could this error message")[0].strip()
    if _OF_SAMPLES.search(text) or not text or class_ == "Exception":
        text = f"\"{name.partition('::')[2].partition('.')[0]}\" not implemented for '{element.type_name}'"
        class_ = "NotImplementedError"
    for spelled in (f"CPU{element.type_name}Type", f"torch.{element.type_name}Tensor"):
        text = text.replace(spelled, spelled.replace(element.type_name, "{}"))
    text = re.sub(rf"\b{element.type_name}\b(?=\W*$)|'{element.type_name}'", _braces, text)
    text = re.sub(rf"(?<=got ){element.type_name}\b|(?<=found ){element.type_name}\b", "{}", text)
    text = re.sub(rf"(?<=type ){element.type_name}\b|(?<=Got ){element.type_name}\b", "{}", text)
    return f"{class_}: {text}"


def _braces(match: re.Match[str]) -> str:
    return "'{}'" if match[0].startswith("'") else "{}"


def text(found: list[Row]) -> str:
    """The whole file: errors, under each the dtypes, and behind these the operators with the places of their main operands."""
    by_error: dict[str, dict[str, list[str]]] = {}
    by_operator: dict[tuple[str, str], list[str]] = {}
    for name, places, element, error in found:
        operator = f"{name}/{','.join(map(str, places))}"
        by_operator.setdefault((operator, error), []).append(element)
    for (operator, error), elements in by_operator.items():
        by_error.setdefault(error, {}).setdefault(" ".join(elements), []).append(operator)
    lines: list[str] = []
    for error, by_dtypes in sorted(by_error.items()):
        lines.append(error)
        lines += [f"\t{one}\t{' '.join(sorted(ops))}" for one, ops in sorted(by_dtypes.items())]
    return "\n".join(lines) + "\n"


def _begin() -> None:
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)


def main() -> int:
    with Pool(os.cpu_count(), _begin) as pool:
        found = list(pool.imap(rows, names(), chunksize=2))
    return write_or_check(__doc__, {PATH: text([row for each in found for row in each])})


if __name__ == "__main__":
    sys.exit(main())
