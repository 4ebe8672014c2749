"""Kernels that are not made of programs: ptxas takes them for every kind of device."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from typing import Any

import pytest

from lowering.gpu.block_sort import SORT_STEPS
from lowering.gpu.own_kernels import OWN_KERNELS
from lowering.gpu.random_numbers import Kind
from lowering.ptx.compiler import compile_own
from torchscript_dialect.tensor import dtype as dtypes

PTXAS = shutil.which("ptxas")
DEVICES = ((7, 5), (8, 0), (9, 0), (10, 0))
KINDS: tuple[tuple[Kind, dtypes.dtype], ...] = (
    ("raw", dtypes.float32),
    ("uniform", dtypes.float64),
    ("uniform", dtypes.bfloat16),
    ("normal", dtypes.float32),
    ("normal", dtypes.float64),
    ("normal", dtypes.float16),
    ("integers", dtypes.int8),
    ("long_integers", dtypes.int64),
    ("below", dtypes.bool_),
)
COLUMNS = (
    ("mean", dtypes.float32, dtypes.float64, dtypes.float32),
    ("add", dtypes.bfloat16, dtypes.float64, dtypes.float64),
    ("add", dtypes.int32, dtypes.int64, dtypes.int64),
    ("mul", dtypes.float16, dtypes.float32, dtypes.float16),
    ("max", dtypes.float64, dtypes.float64, dtypes.float64),
    ("min", dtypes.int64, dtypes.int64, dtypes.int64),
)
IMAGES = (False, False, True, True)
FORMS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "strided_copy": ("strided_copy", (3, 32)),
    "turned_copy": ("turned_copy", (4, 16)),
    "gather": ("indexed_copy", ("read", 3, "64", 32, 1)),
    "scatter": ("indexed_copy", ("write", 2, "8", 64, 1)),
    "index": ("indexed_copy", ("read", 3, "16", 64, 2)),
    **{
        f"{way} of {element}": ("indexed_copy", (way, 2, element, 64, 1))
        for way in ("add", "amax", "amin", "prod")
        for element in ("float32", "float64", "int32", "int64")
    },
    "chosen_places": ("chosen_places", (3,)),
    "segments": ("segments", ("add", "float32")),
    "last of segments": ("segments", ("last", "8")),
    **{
        f"{way} of scanned {element.name}": ("block_scan", (way, element))
        for way in ("add", "mul", "max", "min", "logaddexp")
        for element in (dtypes.float32, dtypes.float64, dtypes.int64)
        if way != "logaddexp" or element.is_floating_point
    },
    "carry": ("carry", ("add", dtypes.float32)),
    **{
        f"{name} of {element.name}": (name, (element,))
        for name in SORT_STEPS
        for element in (dtypes.int32, dtypes.int64)
    },
    "binary_search": ("binary_search", (dtypes.int64, 20, True)),
    **{f"{kind} of {element.name}": ("random_numbers", (kind, element)) for kind, element in KINDS},
    **{f"{form[0]} of columns of {form[1].name}": ("column_reduction", form) for form in COLUMNS},
    "ways to labels": ("alignments", (dtypes.float32, True)),
    "ways on": ("alignments", (dtypes.float64, False)),
    "factors by blocks": ("lu_factors", (dtypes.float32, 256, True)),
    "factors by threads": ("lu_factors", (dtypes.float64, 1, False)),
    "Cholesky factors": ("cholesky_factors", (dtypes.float64, 256)),
    "Householder factors": ("householder_factors", (dtypes.float32, 256)),
    "triangular solutions": ("triangular_solutions", (dtypes.float64, True, False)),
    "reflections": ("reflections", (dtypes.float32, False)),
    "row order": ("row_order", ()),
    "largest of windows": (
        "window_reduction",
        ("largest", IMAGES, dtypes.float32, dtypes.float32, False),
    ),
    "chosen of windows": (
        "window_reduction",
        ("chosen", IMAGES, dtypes.bfloat16, dtypes.bfloat16, False),
    ),
    "sum of windows": ("window_reduction", ("sum", IMAGES, dtypes.float64, dtypes.float64, True)),
    "read windows": ("window_reduction", ("read", IMAGES, dtypes.int8, dtypes.int8, False)),
}
"""Kernels, and what they are made of."""


def _assembled() -> Any:
    path = Path(__file__).parents[4] / "tools" / "regenerate_ptx_goldens.py"
    spec = importlib.util.spec_from_file_location("regenerate_ptx_goldens", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(path.parent))
        spec.loader.exec_module(module)
    return module.assembled


@pytest.mark.skipif(PTXAS is None, reason="there is no ptxas")
@pytest.mark.parametrize("name", FORMS)
def test_ptxas_takes_it(name: str) -> None:
    assembled = _assembled()
    for capability in DEVICES:
        text = compile_own(*FORMS[name], capability)
        registers, spilled = assembled(text, 10 * capability[0] + capability[1], PTXAS)
        assert registers <= 72
        assert spilled == 0


def test_none_was_forgotten() -> None:
    assert {name for name, _ in FORMS.values()} == OWN_KERNELS.keys()
