"""Sequences of different lengths on the device: packed step by step, or padded. Lengths and batch sizes are on the host, as in PyTorch.
The kernels of the host find where elements go: they are run on numbers in the place of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from torchscript_dialect.runtime.cuda import transfers
from torchscript_dialect.runtime.cuda.operators.composites import own
from torchscript_dialect.runtime.cuda.operators.long_reductions import NOTHING
from torchscript_dialect.runtime.cuda.operators.places import there
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.tensor import Tensor, tensor_of


def _numbered(*shape: int) -> Tensor:
    """Numbers from 1 on."""
    return tensor_of(np.arange(1, prod(shape) + 1).reshape(shape))


def _on_host(batch_sizes: Tensor) -> Tensor:
    return transfers.to_device(batch_sizes, device("cpu"))


def _at(x: Tensor, numbers: Tensor) -> Tensor:
    return transfers.to_device(tensor_of(numbers.array.reshape(-1) - 1), x.device)


def _placed_at(x: Tensor, numbers: Tensor, value: Any) -> Tensor:
    """A tensor with rows where they are numbered, and a value elsewhere."""
    where: Any = numbers.array.reshape(-1)
    (filled,) = np.nonzero(where)
    at = np.empty(filled.shape, np.int64)
    at[where[filled] - 1] = filled
    places = transfers.to_device(tensor_of(at), x.device)
    rest = x.array.shape[1:]
    made = x.new_full([where.size, *rest], value).index_copy(0, places, x)
    return made.view([*numbers.array.shape[:2], *rest])


def _pack(placed: Any, operands: Sequence[Any]) -> Any:
    """`aten::_pack_padded_sequence`."""
    x, lengths, batch_first = operands
    if there(lengths) is not None:
        raise RuntimeError(
            f"'lengths' argument should be a 1D CPU int64 tensor, but got {lengths.array.ndim}D {lengths.device} "
            f"{lengths.dtype.type_name} tensor"
        )
    shape = x.array.shape
    if not x.array.size or len(shape) < 2:
        return placed.on_host(operands)  # which says what is wrong
    numbers, batch_sizes = placed.kernel(_numbered(*shape[:2], 1), lengths, batch_first)
    rows = x.reshape([prod(shape[:2]), *shape[2:]])
    return rows.index_select(0, _at(x, numbers)), batch_sizes


def _pack_backward(placed: Any, operands: Sequence[Any]) -> Any:
    """`aten::_pack_padded_sequence_backward`."""
    grad, sizes, batch_sizes, batch_first = operands
    batch_sizes = _on_host(batch_sizes)
    by_steps = [*(sizes[1::-1] if batch_first else sizes[:2]), 1]
    numbers = placed.kernel(_numbered(grad.array.shape[0], 1), by_steps, batch_sizes, False)
    found = _placed_at(grad, numbers, 0)
    return found.transpose(0, 1) if batch_first else found


def _pad(placed: Any, operands: Sequence[Any]) -> Any:
    """`aten::_pad_packed_sequence`."""
    data, batch_sizes, batch_first, value, total_length = operands
    batch_sizes, count = _on_host(batch_sizes), data.array.shape[0]
    numbers, lengths = placed.kernel(_numbered(count, 1), batch_sizes, False, 0, total_length)
    found = _placed_at(data, numbers, value)
    return found.transpose(0, 1) if batch_first else found, lengths


def _pad_sequence(sequences: list[Tensor], batch_first: bool, value: float, side: str) -> Any:
    """`aten::pad_sequence`."""
    if side not in ("left", "right") or any(one.array.ndim == 0 for one in sequences):
        return NOTHING
    first = sequences[0]
    rest = first.array.shape[1:]
    if any(one.array.shape[1:] != rest or one.dtype is not first.dtype for one in sequences):
        return NOTHING
    lengths = [one.array.shape[0] for one in sequences]
    sizes = [len(lengths), max(lengths)]
    made = first.new_full([*(sizes if batch_first else sizes[::-1]), *rest], value)
    rows = made if batch_first else made.transpose(0, 1)
    for number, (one, length) in enumerate(zip(sequences, lengths, strict=True)):
        begin = 0 if side == "right" else sizes[1] - length
        rows.select(0, number).narrow(0, begin, length).copy_(one)
    return made


PACKED: dict[str, Callable[[Any, Sequence[Any]], Any]] = {
    "aten::_pack_padded_sequence": _pack,
    "aten::_pack_padded_sequence_backward": _pack_backward,
    "aten::_pad_packed_sequence": _pad,
}
"""What runs operators some of whose operands are on the host, by their names."""
SEQUENCES = {"aten::pad_sequence": own(_pad_sequence)}
"""What runs others."""
