"""PyTorch's `Layout`, `MemoryFormat` and `QScheme` enumerations, as the integers that graphs carry."""

from __future__ import annotations

from enum import IntEnum


class _OfTorch(IntEnum):
    """Shown as `torch.NAME`, and equal to what PyTorch has of the name."""

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, int):
            return int(self) == int(other)
        return type(other).__name__ == type(self).__name__ and str(other) == str(self)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = int.__hash__


class layout(_OfTorch):
    """How a tensor keeps its elements; all our tensors are `strided` (c10/core/Layout.h)."""

    strided = 0
    sparse_coo = 1
    sparse_csr = 2
    _mkldnn = 3
    sparse_csc = 4
    sparse_bsr = 5
    sparse_bsc = 6
    jagged = 7


class memory_format(_OfTorch):
    """The order of dimensions in memory that an operator is asked for (c10/core/MemoryFormat.h)."""

    contiguous_format = 0
    preserve_format = 1
    channels_last = 2
    channels_last_3d = 3


class qscheme(_OfTorch):
    """How a tensor is quantized (c10/core/QScheme.h)."""

    per_tensor_affine = 0
    per_channel_affine = 1
    per_tensor_symmetric = 2
    per_channel_symmetric = 3
    per_channel_affine_float_qparams = 4


strided = layout.strided
sparse_coo = layout.sparse_coo
sparse_csr = layout.sparse_csr
sparse_csc = layout.sparse_csc
sparse_bsr = layout.sparse_bsr
sparse_bsc = layout.sparse_bsc
contiguous_format = memory_format.contiguous_format
preserve_format = memory_format.preserve_format
channels_last = memory_format.channels_last
channels_last_3d = memory_format.channels_last_3d


_KINDS = {kind.__name__: kind for kind in (layout, memory_format, qscheme)}


def number_of(value: object) -> int | None:
    """The number of a layout, memory format or scheme of quantization, of PyTorch's too; None for anything else."""
    kind = _KINDS.get(type(value).__name__)
    member = None if kind is None else kind.__members__.get(str(value).rpartition(".")[2])
    return None if member is None else int(member)


def format_of(value: object) -> memory_format:
    """A memory format, which may be given as PyTorch's.

    Raises:
        TypeError: it is none.
    """
    if isinstance(value, memory_format):
        return value
    number = number_of(value)
    if number is None or type(value).__name__ != memory_format.__name__:
        raise TypeError(f"memory_format must be torch.memory_format, not {type(value).__name__}")
    return memory_format(number)
