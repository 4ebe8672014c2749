"""Kernels that are not made of programs: ptxas takes them for every kind of device."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lowering.gpu.block_sort import SORT_STEPS
from lowering.gpu.indexed_copy import Form
from lowering.gpu.random_numbers import Kind
from lowering.ptx.compiler import (
    compile_binary_search,
    compile_block_scan,
    compile_carry,
    compile_chosen_places,
    compile_indexed_copy,
    compile_random_numbers,
    compile_sort_step,
    compile_strided_copy,
)
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
MAKERS: dict[str, Callable[[tuple[int, int]], tuple[str, str]]] = {
    "strided_copy": lambda sm: compile_strided_copy(3, 32, sm),
    "gather": lambda sm: compile_indexed_copy(Form("read", 3, "64", 32, 1), sm),
    "scatter": lambda sm: compile_indexed_copy(Form("write", 2, "8", 64, 1), sm),
    "index": lambda sm: compile_indexed_copy(Form("read", 3, "16", 64, 2), sm),
    **{
        f"{way} of {element}": lambda sm, w=way, e=element: compile_indexed_copy(
            Form(w, 2, e, 64, 1), sm
        )
        for way in ("add", "amax", "amin", "prod")
        for element in ("float32", "float64", "int32", "int64")
    },
    "chosen_places": lambda sm: compile_chosen_places(3, sm),
    **{
        f"{way} of scanned {element.name}": lambda sm, w=way, e=element: compile_block_scan(
            w, e, sm
        )
        for way in ("add", "mul", "max", "min", "logaddexp")
        for element in (dtypes.float32, dtypes.float64, dtypes.int64)
        if way != "logaddexp" or element.is_floating_point
    },
    "carry": lambda sm: compile_carry("add", dtypes.float32, sm),
    **{
        f"{name} of {element.name}": lambda sm, n=name, e=element: compile_sort_step(n, e, sm)
        for name in SORT_STEPS
        for element in (dtypes.int32, dtypes.int64)
    },
    "binary_search": lambda sm: compile_binary_search(dtypes.int64, 20, True, sm),
    **{
        f"{kind} of {element.name}": lambda sm, k=kind, e=element: compile_random_numbers(k, e, sm)
        for kind, element in KINDS
    },
}


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
@pytest.mark.parametrize("name", MAKERS)
def test_ptxas_takes_it(name: str) -> None:
    assembled = _assembled()
    for capability in DEVICES:
        _, text = MAKERS[name](capability)
        registers, spilled = assembled(text, 10 * capability[0] + capability[1], PTXAS)
        assert registers <= 64
        assert spilled == 0
