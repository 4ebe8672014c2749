#!/usr/bin/env python3
"""Writes test/golden/quantized.json: PyTorch's results of operators on quantized tensors, on fbgemm. Needs PyTorch.

    python tools/regenerate_quantized_goldens.py [--check]

The calls are those of test/samples/quantized.py. With `--check` nothing is written; exit status 1 if the file is not up to date.
"""

import json
import sys
import warnings
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test"), str(ROOT / "tools")]

import numpy as np  # noqa: E402
import torch  # noqa: E402
from generated_files import write_or_check  # noqa: E402

from samples import quantized  # noqa: E402
from torchscript_dialect.ops import registry  # noqa: E402
from torchscript_dialect.tensor.dtype import from_scalar_type  # noqa: E402

TARGET = ROOT / "test" / "golden" / "quantized.json"


def theirs(value: object) -> object:
    """An argument as PyTorch has it."""
    if isinstance(value, np.ndarray):
        return torch.from_numpy(value.copy())
    if isinstance(value, quantized.PerTensor):
        ints = torch.from_numpy(value.ints.copy())
        return torch.ops.aten._make_per_tensor_quantized_tensor(ints, value.scale, value.zero)
    if isinstance(value, quantized.PerChannel):
        ints, scales = torch.from_numpy(value.ints.copy()), torch.from_numpy(value.scales)
        zeros = torch.zeros(len(scales)).to(
            scales.dtype if scales.dtype == torch.float else torch.long
        )
        return torch.ops.aten._make_per_channel_quantized_tensor(ints, scales, zeros, value.axis)
    if isinstance(value, quantized.Packed):
        return call(value.operator, value.arguments)
    return [theirs(item) for item in value] if isinstance(value, list) else value


def call(name: str, arguments: tuple[object, ...]) -> object:
    """What PyTorch's operator gives."""
    operator = registry.find(name)
    assert operator is not None
    overload = torch._C._get_operation_overload(operator.name, operator.overload)[0]
    args, kwargs = [], {}
    for argument, value in zip(operator.schema.arguments, arguments, strict=True):
        given = theirs(value)
        if "ScalarType" in argument.spelling and isinstance(value, int):
            given = getattr(torch, from_scalar_type(value).name)
        if argument.kwarg_only:
            kwargs[argument.name] = given
        else:
            args.append(given)
    return overload(*args, **kwargs)


def plain(value: object) -> object:
    """A result in the form of `quantized.plain`."""
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if not isinstance(value, torch.Tensor):
        return value
    if not value.is_quantized:
        name = str(value.dtype).removeprefix("torch.")
        return ("tensor", value.detach().numpy().copy(), name, value.stride())
    ints = value.int_repr()
    name = str(ints.dtype).removeprefix("torch.")
    described = ("tensor", ints.numpy().copy(), name, value.stride())
    dtype = str(value.dtype).removeprefix("torch.")
    if value.qscheme() == torch.per_tensor_affine:
        return (dtype, described, value.q_scale(), value.q_zero_point())
    return (dtype, described)


def main() -> int:
    """One line for each call, so that differences read well."""
    warnings.simplefilter("ignore")
    torch.backends.quantized.engine = "fbgemm"
    lines = [
        json.dumps([name, quantized.stored(plain(call(name, arguments)))], separators=(",", ":"))
        for name, arguments in quantized.calls()
    ]
    return write_or_check(__doc__, {TARGET: "[\n" + ",\n".join(lines) + "\n]\n"})


if __name__ == "__main__":
    sys.exit(main())
