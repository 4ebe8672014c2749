"""PyTorch as the oracle: what its graphs, source and results are. Imports PyTorch; only for use where it is installed."""

from typing import Any

import numpy as np
import torch

from support.canonical import with_base_names
from support.loader import load_program
from support.programs import PROGRAMS, Args, Case, Program
from support.records import Record, record


def to_torch(value: Any, memo: dict[int, torch.Tensor]) -> Any:
    """Arrays become tensors on the same memory; one array twice becomes one tensor twice."""
    if isinstance(value, np.ndarray):
        return memo.setdefault(id(value), torch.from_numpy(value))
    if isinstance(value, tuple):
        return tuple(to_torch(item, memo) for item in value)
    return value


def to_numpy(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.numpy()
    if isinstance(value, tuple | list):
        return type(value)(to_numpy(item) for item in value)
    return value


def script(program: Program) -> Any:
    return torch.jit.script(load_program(program, "torch"))


def run(scripted: Any, case: Case, dtype: np.dtype) -> Record:
    """The record of one call without PyTorch's own optimizer, whose fused results have other strides."""

    def call(*args: Any) -> Any:
        memo: dict[int, torch.Tensor] = {}
        return scripted(*(to_torch(arg, memo) for arg in args))

    with torch.jit.optimized_execution(False):  # pyright: ignore[reportPrivateImportUsage]
        return record(call, case.make(dtype), to_numpy)


def describe(program: Program) -> Record:
    """The golden record of `program`: graph texts, source, schema, and the record of every case in every dtype."""
    scripted = script(program)
    method = scripted.forward if isinstance(scripted, torch.jit.ScriptModule) else scripted
    return {
        "torch": torch.__version__.split("+")[0],
        "graph": with_base_names(str(method.graph)),
        "inlined_graph": with_base_names(str(method.inlined_graph)),
        "code": method.code,
        "schema": str(method.schema),
        "calls": {name: run(scripted, case, dtype) for name, case, dtype in program.variants()},
    }


__all__ = ["PROGRAMS", "Args", "describe", "run", "script", "to_numpy", "to_torch"]
