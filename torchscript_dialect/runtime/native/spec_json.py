"""Kernel specs as JSON values, for the disk cache.

Reading trusts nothing: every field has the type and the range that the native entry relies on, or there is a ValueError.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from torchscript_dialect.backend import (
    Dim,
    Input,
    KernelSpec,
    NoneInput,
    ScalarInput,
    Sym,
    TensorInput,
    TensorOutput,
)
from torchscript_dialect.runtime.native.table import MAX_RANK, MAX_SYMS
from torchscript_dialect.tensor.dtype import all_dtypes

MAX_WORD = (1 << 61) - 1
"""The largest constant of a table's word, which has two bits for its tag."""
LONGEST_NS = 1e18
_DTYPES = {one.name for one in all_dtypes()}


OPTIONAL = ("scratch", "stage", "threads")
"""Fields that are symbols, or None."""


def spec_to_json(spec: KernelSpec) -> dict[str, Any]:
    """A structure of JSON values from which `spec_from_json` makes an equal spec."""
    return {
        **spec._asdict(),
        "inputs": [_input_to_json(one) for one in spec.inputs],
        "outputs": [_output_to_json(one) for one in spec.outputs],
        "total": _dims_to_json(spec.total),
        "work": None if spec.work is None else _dims_to_json(spec.work),
        **{name: None if (one := getattr(spec, name)) is None else one.index for name in OPTIONAL},
    }


def spec_from_json(data: Any) -> KernelSpec:
    """The inverse of `spec_to_json`; ValueError where the data are anything else."""
    if not isinstance(data, dict) or cast(Any, data).keys() != set(KernelSpec._fields):
        raise ValueError(f"not the description of a kernel: {data!r}")
    fields = cast(dict[str, Any], data)
    work = fields["work"]
    return KernelSpec(
        inputs=tuple(_input_from_json(one) for one in _list(fields["inputs"])),
        outputs=tuple(_output_from_json(one) for one in _list(fields["outputs"])),
        num_syms=_integer(fields["num_syms"], 0, MAX_SYMS),
        total=_dims_from_json(fields["total"]),
        cost_ns=_duration(fields["cost_ns"]),
        grain=_integer(fields["grain"], 1, MAX_WORD),
        returns_tuple=_flag(fields["returns_tuple"]),
        release_gil_ns=_duration(fields["release_gil_ns"]),
        parallel_ns=_duration(fields["parallel_ns"]),
        work=None if work is None else _dims_from_json(work),
        stages=_integer(fields["stages"], 1, MAX_SYMS),
        **{name: None if (one := fields[name]) is None else _symbol(one) for name in OPTIONAL},
    )


def _input_to_json(one: Input) -> list[Any]:
    match one:
        case TensorInput(dtype, shape, strides):
            layout = [] if strides is None else [_dims_to_json(strides)]
            return ["tensor", dtype, _dims_to_json(shape), *layout]
        case ScalarInput(kind, sym):
            return [kind, sym.index]
        case NoneInput():
            return ["none"]


def _input_from_json(data: Any) -> Input:
    match data:
        case ["tensor", name, shape]:
            return TensorInput(_dtype(name), _dims_from_json(shape))
        case ["tensor", name, shape, strides]:
            layout = _dims_from_json(strides, least=-MAX_WORD)
            return TensorInput(_dtype(name), _dims_from_json(shape), layout)
        case ["none"]:
            return NoneInput()
        case [("int" | "float" | "bool") as kind, index]:
            return ScalarInput(kind, _symbol(index))
        case _:
            raise ValueError(f"not the description of a kernel input: {data!r}")


def _output_to_json(one: TensorOutput) -> list[Any]:
    order = [] if one.order is None else [list(one.order)]
    return [one.dtype, _dims_to_json(one.shape), *order]


def _output_from_json(data: Any) -> TensorOutput:
    match data:
        case [name, shape]:
            return TensorOutput(_dtype(name), _dims_from_json(shape))
        case [name, shape, order]:
            axes = tuple(_integer(one, 0, MAX_RANK) for one in _list(order))
            return TensorOutput(_dtype(name), _dims_from_json(shape), axes)
        case _:
            raise ValueError(f"not the description of a kernel output: {data!r}")


def _dims_to_json(dims: Sequence[Dim]) -> list[int | str]:
    return [f"s{dim.index}" if isinstance(dim, Sym) else dim for dim in dims]


def _dims_from_json(data: Any, least: int = 0) -> tuple[Dim, ...]:
    return tuple(_dim(one, least) for one in _list(data))


def _dim(data: Any, least: int) -> Dim:
    if isinstance(data, str) and data[:1] == "s" and data[1:].isdecimal():
        return _symbol(int(data[1:]))
    return _integer(data, least, MAX_WORD)


def _symbol(data: Any) -> Sym:
    return Sym(_integer(data, 0, MAX_SYMS - 1))


def _dtype(data: Any) -> str:
    if not isinstance(data, str) or data not in _DTYPES:
        raise ValueError(f"not an element type: {data!r}")
    return data


def _list(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise ValueError(f"not a list: {data!r}")
    return cast(list[Any], data)


def _integer(data: Any, least: int, most: int) -> int:
    if type(data) is not int or not least <= data <= most:
        raise ValueError(f"not an integer from {least} to {most}: {data!r}")
    return data


def _flag(data: Any) -> bool:
    if type(data) is not bool:
        raise ValueError(f"not true or false: {data!r}")
    return data


def _duration(data: Any) -> float:
    if type(data) not in (int, float) or not 0 <= data <= LONGEST_NS:
        raise ValueError(f"not a number of nanoseconds: {data!r}")
    return data
