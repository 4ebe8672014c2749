"""The samples of an entry in several layouts, and PyTorch's values as ours."""

import random
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from support import sparse
from torchscript_dialect import torch as stand_in
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.layout import layout
from torchscript_dialect.tensor.tensor import Tensor

MEMORY_FORMATS = {
    torch.contiguous_format: stand_in.contiguous_format,
    torch.preserve_format: stand_in.preserve_format,
    torch.channels_last: stand_in.channels_last,
    torch.channels_last_3d: stand_in.channels_last_3d,
}


@dataclass(frozen=True)
class Sample:
    """The arguments of one call, the first of them apart, as the database has it."""

    layout: str
    input: Any
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]

    def copied(self) -> tuple[list[Any], dict[str, Any]]:
        """Arguments that nobody else writes to: tensors on one memory share the copy."""
        memo: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}
        made = on_tensors(lambda t: copy(t, memo), ([self.input, *self.args], dict(self.kwargs)))
        return made


def on_tensors(function: Callable[[torch.Tensor], Any], value: Any) -> Any:
    """The same nest of containers with other tensors."""
    if isinstance(value, torch.Tensor):
        return function(value)
    if isinstance(value, torch.Size):
        return value
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(on_tensors(function, item) for item in value))
    if isinstance(value, (list, tuple)):
        return type(value)(on_tensors(function, item) for item in value)
    if isinstance(value, dict):
        return {key: on_tensors(function, item) for key, item in value.items()}
    return value


def copy(tensor: torch.Tensor, memo: dict[int, tuple[torch.Tensor, torch.Tensor]]) -> torch.Tensor:
    """The tensor on copied memory, with its strides and offset."""
    if tensor.layout != torch.strided or tensor.is_quantized or tensor.device.type != "cpu":
        return tensor.clone()
    tensor = tensor.detach().resolve_conj().resolve_neg()
    key = tensor.untyped_storage().data_ptr()
    if key not in memo or not key:
        block = torch.empty(0, dtype=torch.uint8).set_(tensor.untyped_storage().clone())
        memo[key] = block, tensor  # which keeps the address
    block = memo[key][0].untyped_storage()
    return torch.empty(0, dtype=tensor.dtype).set_(
        block, tensor.storage_offset(), tensor.shape, tensor.stride()
    )


def ours(value: Any, memo: dict[int, Any]) -> Any:
    """PyTorch's values as ours: tensors on one memory share the copy."""
    if isinstance(value, torch.Tensor):
        return _tensor(value, memo)
    if isinstance(value, torch.dtype):
        return dtypes.from_name(str(value).removeprefix("torch."))
    if isinstance(value, torch.device):
        return stand_in.device(str(value))
    if isinstance(value, torch.memory_format):
        return MEMORY_FORMATS[value]
    if isinstance(value, torch.layout):
        return layout[str(value).removeprefix("torch.")]
    if isinstance(value, torch.Size):
        return tuple(value)
    if isinstance(value, (list, tuple)):
        return type(value)(ours(item, memo) for item in value)
    if isinstance(value, dict):
        return {key: ours(item, memo) for key, item in value.items()}
    return value


def _tensor(tensor: torch.Tensor, memo: dict[Any, Any]) -> Tensor:
    if tensor.layout != torch.strided:
        return sparse.ours(tensor)
    if tensor.device.type != "cpu":
        raise NotImplementedError(f"device {tensor.device}")
    if id(tensor) in memo:
        return memo[id(tensor)][0]
    element = dtypes.from_name(str(tensor.dtype).removeprefix("torch.")).numpy_dtype
    plain = tensor.detach().resolve_conj().resolve_neg()
    storage = plain.untyped_storage()
    key = ("memory", storage.data_ptr())
    if key not in memo or not storage.data_ptr():
        flat = torch.empty(0, dtype=torch.uint8).set_(storage)
        memo[key] = np.frombuffer(bytearray(flat.numpy().tobytes()), np.uint8), plain
    size = element.itemsize
    array = (
        np.ndarray(
            tuple(plain.shape),
            element,
            memo[key][0],
            plain.storage_offset() * size,
            tuple(stride * size for stride in plain.stride()),
        )
        if plain.numel()
        else np.empty(tuple(plain.shape), element)
    )
    made = as_tensor(array)
    memo[id(tensor)] = made, tensor
    return made


def seed() -> None:
    """Start every generator of numbers anew."""
    torch.manual_seed(1)
    random.seed(1)
    np.random.seed(1)
    stand_in.manual_seed(1)


def samples(entry: Any, dtype: torch.dtype, limit: int | None = None) -> Iterator[Sample]:
    """The samples of an entry, as they are, with transposed and with expanded memory; the first `limit` of them."""
    seed()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = list(entry.sample_inputs("cpu", dtype, requires_grad=False))
    for sample in found[:limit]:
        value, args, kwargs = sample.input, tuple(sample.args), dict(sample.kwargs)
        yield Sample("plain", value, args, kwargs)
        given = on_tensors(_transposed, (value, args, kwargs))
        if any(map(_can_transpose, tensors((value, args, kwargs)))):
            yield Sample("transposed", *given)
        if entry.name not in _KEEPS_INPUT and _can_expand(value, _is_of_matrices(entry)):
            yield Sample("expanded", value[:1].expand_as(value), args, kwargs)


_KEEPS_INPUT = frozenset(("searchsorted", "linalg.tensorsolve"))
"""Entries whose other arguments were made for the elements of the input, or that make one matrix of it, which equal parts make singular:
whether a factorization notices depends on how it rounds.
"""


def _can_expand(tensor: Any, is_of_matrices: bool) -> bool:
    if not isinstance(tensor, torch.Tensor):
        return False
    least = 3 if is_of_matrices else 1  # A matrix of equal rows is singular.
    return tensor.layout == torch.strided and tensor.ndim >= least and tensor.shape[0] > 1


_OF_MATRICES = frozenset(
    "cholesky cholesky_inverse cholesky_solve geqrf logdet lu lu_solve lu_unpack matrix_exp ormqr pca_lowrank pinverse qr"
    " svd svd_lowrank triangular_solve".split()
)


def _is_of_matrices(entry: Any) -> bool:
    return entry.name.startswith("linalg.") or entry.name in _OF_MATRICES


def _can_transpose(tensor: torch.Tensor) -> bool:
    return tensor.layout == torch.strided and tensor.ndim > 1 and tensor.numel() > 1


def _transposed(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.mT.contiguous().mT if _can_transpose(tensor) else tensor


def tensors(value: Any) -> list[Any]:
    """The tensors in a nest of containers, PyTorch's or ours."""
    if isinstance(value, (Tensor, torch.Tensor)):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in tensors(item)]
    return []
