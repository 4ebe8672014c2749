"""Sequences of different lengths in one tensor: packed step by step, or padded."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
from __future__ import annotations

from typing import Any, NamedTuple

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor


class PackedSequence_(NamedTuple):
    """The fields of `PackedSequence`."""

    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


class PackedSequence(PackedSequence_):
    """All first elements of sequences, the longest sequence first, then all second ones, and so on.

    `batch_sizes` says how many there are of each; `sorted_indices` how the batch was sorted, `unsorted_indices` the way back.
    """

    __slots__ = ()

    def __new__(
        cls,
        data: Any,
        batch_sizes: Any = None,
        sorted_indices: Any = None,
        unsorted_indices: Any = None,
    ) -> PackedSequence:
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is None:
            if not isinstance(data, (list, tuple)) or len(data) != 2:
                raise AssertionError("Expected data to be a tuple of (data, batch_sizes)")
            data, batch_sizes = data
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """With the elements in another dtype, or on another device."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        orders = [None if one is None else one.to(data.device) for one in self[2:]]
        return PackedSequence(data, self.batch_sizes, *orders)

    def double(self) -> PackedSequence:
        """`to(torch.float64)`."""
        return self.to(torch.float64)

    def float(self) -> PackedSequence:
        """`to(torch.float32)`."""
        return self.to(torch.float32)

    def half(self) -> PackedSequence:
        """`to(torch.float16)`."""
        return self.to(torch.float16)

    def cpu(self) -> PackedSequence:
        """`to("cpu")`."""
        return self.to("cpu")

    def cuda(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """On a device."""
        return self.to(*(args or ("cuda",)), **kwargs)

    @property
    def is_cuda(self) -> bool:
        """Whether the elements are on a device."""
        return self.data.is_cuda


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The permutation that undoes one."""
    if permutation is None:
        return None
    result = torch.empty_like(permutation)
    places = torch.arange(0, permutation.numel(), device=permutation.device)
    result.scatter_(0, permutation, places)
    return result


def pack_padded_sequence(
    input: Tensor, lengths: Tensor, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Pack padded sequences (T, B, *), or (B, T, *) with `batch_first`.

    Raises:
        RuntimeError: a length is not positive; `enforce_sorted`, and the longest do not come first.
    """
    if not torch.jit.is_scripting():
        lengths = torch.as_tensor(lengths, dtype=torch.int64, device="cpu")
    sorted_indices: Tensor | None = None
    if not enforce_sorted:
        lengths, order = torch.sort(lengths, descending=True)
        order = order.to(input.device)
        sorted_indices = order
        input = input.index_select(0 if batch_first else 1, order)
    data, batch_sizes = torch._pack_padded_sequence(input, lengths, batch_first)
    return PackedSequence(data, batch_sizes, sorted_indices, invert_permutation(sorted_indices))


def pad_packed_sequence(
    sequence: PackedSequence,
    batch_first: bool = False,
    padding_value: float = 0.0,
    total_length: int | None = None,
) -> tuple[Tensor, Tensor]:
    """The padded sequences and their lengths; ValueError if `total_length` is less than the longest."""
    longest = sequence.batch_sizes.size(0)
    length = longest
    if total_length is not None:
        if total_length < longest:
            raise ValueError(
                "Expected total_length to be at least the length of the longest sequence in input, but"
                f" got total_length={total_length} and max sequence length being {longest}"
            )
        length = total_length
    padded, lengths = torch._pad_packed_sequence(
        sequence.data, sequence.batch_sizes, batch_first, padding_value, length
    )
    order = sequence.unsorted_indices
    if order is not None:
        axis = 0 if batch_first else 1
        return padded.index_select(axis, order), lengths[order.cpu()]
    return padded, lengths


def pad_sequence(
    sequences: list[Tensor],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """Tensors of different lengths in one: (T, B, *), or (B, T, *) with `batch_first`.

    Raises:
        RuntimeError: what is given is no sequence of tensors.
    """
    if not torch.jit.is_scripting():
        if isinstance(sequences, Tensor):
            sequences = list(sequences.unbind(0))
        elif not hasattr(sequences, "__iter__"):
            raise RuntimeError(
                f"pad_sequence: Expected iterable for input sequences, but got arg of type:"
                f" {type(sequences)}"
            )
        else:
            sequences = list(sequences)
    return torch.pad_sequence(sequences, batch_first, padding_value, padding_side)


def unpad_sequence(
    padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False
) -> list[Tensor]:
    """The sequences of a batch, each as long as it is, on memory of their own."""
    padded = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    places = torch.arange(padded.size(1))
    return [padded[number][places < lengths[number]] for number in range(lengths.size(0))]


def pack_sequence(sequences: list[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Pack tensors of different lengths."""
    lengths = torch.tensor([sequence.size(0) for sequence in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences that were packed."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)
