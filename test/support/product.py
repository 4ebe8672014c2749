"""Our side of the comparison: programs compiled and called through the public interface."""

from collections.abc import Callable
from typing import Any

import numpy as np

import torchscript_dialect as ts
from support.loader import load_program
from support.programs import Case, Program
from support.records import Record, record
from torchscript_dialect.tensor.conversion import as_tensor

Convert = Callable[[np.ndarray], Any]


def as_arrays(array: np.ndarray) -> Any:
    return array


def as_tensors(array: np.ndarray) -> Any:
    return as_tensor(array)


def convert(value: Any, to: Convert, memo: dict[int, Any]) -> Any:
    """Arrays go through `to`; one array twice becomes one argument twice."""
    if isinstance(value, np.ndarray):
        if id(value) not in memo:
            memo[id(value)] = to(value)
        return memo[id(value)]
    if isinstance(value, tuple):
        return tuple(convert(item, to, memo) for item in value)
    return value


def to_numpy(value: Any) -> Any:
    if isinstance(value, ts.Tensor):
        return value.numpy()
    if isinstance(value, tuple | list):
        return type(value)(to_numpy(item) for item in value)
    return value


def script(program: Program) -> Any:
    """A new ScriptFunction or ScriptModule, which has run nothing yet."""
    return ts.script(load_program(program, "ours"))


def method(scripted: Any) -> Any:
    """The ScriptFunction, or the `forward` of a ScriptModule: what has graph, code and schema."""
    return scripted.forward if isinstance(scripted, ts.ScriptModule) else scripted


def run(scripted: Any, case: Case, dtype: np.dtype, to: Convert = as_arrays) -> Record:
    """The record of one call with fresh arguments."""

    def call(*args: Any) -> Any:
        memo: dict[int, Any] = {}
        return scripted(*(convert(arg, to, memo) for arg in args))

    return record(call, case.make(dtype), to_numpy)
