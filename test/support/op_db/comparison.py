"""How our result differs from PyTorch's: in values, dtype, shape, strides, or in what it is a view of."""

from collections.abc import Callable, Sequence
from typing import Any

import ml_dtypes
import numpy as np
import torch

from support import sparse
from torchscript_dialect.tensor import storage
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.tensor import Tensor

TOLERANCE = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
    "complex64": (1.3e-6, 1e-5),
    "complex128": (1e-7, 1e-7),
}
"""PyTorch's own, of `torch.testing.assert_close`: relative and absolute."""

WIDER = {
    torch.float16: torch.float64,
    torch.bfloat16: torch.float64,
    torch.float32: torch.float64,
    torch.complex64: torch.complex128,
}

Reference = Callable[[], Any]
"""Gives PyTorch's result in a wider dtype, or None."""


def array_of(tensor: torch.Tensor) -> np.ndarray:
    """The elements of PyTorch's tensor as an array."""
    tensor = tensor.detach().resolve_conj().resolve_neg()
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.uint16).numpy().view(ml_dtypes.bfloat16)
    return tensor.numpy()


def difference(
    mine: Any,
    theirs: Any,
    my_inputs: Sequence[Tensor],
    their_inputs: Sequence[torch.Tensor],
    reference: Reference,
    values: bool = True,
) -> str | None:
    """What differs, None if nothing does. Where `values` is false elements are arbitrary."""
    if isinstance(theirs, (list, tuple)) and not isinstance(theirs, torch.Size):
        return _of_sequences(mine, theirs, my_inputs, their_inputs, reference, values)
    if isinstance(theirs, torch.Tensor):
        if not isinstance(mine, Tensor):
            return f"{type(mine).__name__} where PyTorch gives a tensor"
        if theirs.layout != torch.strided:
            return sparse.difference(mine, theirs)
        found = _of_layouts(mine, theirs)
        if found is None and values:
            found = _of_values(mine.array, theirs, reference)
        return found or _of_aliases(mine, theirs, my_inputs, their_inputs)
    if isinstance(mine, Tensor):
        return f"a tensor where PyTorch gives a {type(theirs).__name__}"
    return _of_plain_values(mine, theirs)


RANKED = frozenset("argsort kthvalue median mode nanmedian sort topk".split())
"""Entries that name one of several equal elements: which of them PyTorch leaves open."""


def of_places(mine: Any, theirs: Any, x: Tensor) -> str | None:
    """What differs in the values that an entry of `RANKED` gives, and in those that stand at its places."""
    if isinstance(theirs, torch.Tensor):
        mine, theirs = [mine], [theirs]
    my_places, their_places = mine[-1].array, theirs[-1].numpy()
    for one, other in zip(mine, theirs):
        found = _of_layouts(one, other)
        if found is None and one is not mine[-1]:
            found = _of_values(one.array, other, lambda: None)
        if found is not None:
            return found
    for dim in range(x.array.ndim):
        expected = _taken(x.array, their_places, dim)
        if expected is not None and _taken(x.array, my_places, dim) == expected:
            return None
    return "places of other elements"


def _adjoint(x: np.ndarray) -> np.ndarray:
    return np.swapaxes(x, -1, -2).conj()


def _of_svd(u: np.ndarray, s: np.ndarray, v: np.ndarray) -> np.ndarray:
    return u[..., : s.shape[-1]] * s[..., None, :] @ _adjoint(v[..., : s.shape[-1]])


FACTORS: dict[str, Callable[..., np.ndarray]] = {
    **dict.fromkeys(("svd", "svd_lowrank", "pca_lowrank"), _of_svd),
    "linalg.svd": lambda u, s, vh: _of_svd(u, s, _adjoint(vh)),
    "linalg.eigh": lambda w, v: v * w[..., None, :] @ _adjoint(v),
    "linalg.eig": lambda w, v: v * w[..., None, :] @ np.linalg.inv(v),
}
"""What the factors that an entry gives are factors of. Each column of vectors may have another phase, which PyTorch leaves open."""


def of_factors(name: str, mine: Any, theirs: Any, reference: Reference) -> str | None:
    """What differs in factors, in their product and in the sizes of the products of their columns."""
    found: str | None = None
    for one, other in zip(mine, theirs, strict=True):
        found = found or _of_layouts(one, other)
        if one.ndim > 1 and found is None:
            gram = one.array.conj().swapaxes(-1, -2) @ one.array
            expected = other.mH @ other
            found = _of_values(np.abs(gram), expected.abs(), lambda: None)
    if found is not None:
        return found

    def product_of(factors: Any) -> torch.Tensor:
        return torch.from_numpy(FACTORS[name](*map(array_of, factors)))

    def exact() -> Any:
        factors = reference()
        return None if factors is None else product_of(factors)

    product = FACTORS[name](*(factor.array for factor in mine))
    return _of_values(product, product_of(theirs), exact)


def _taken(x: np.ndarray, places: np.ndarray, dim: int) -> list[str] | None:
    """The elements at places along a dimension, which a reduction left out; None where these are no places there."""
    if places.ndim < x.ndim:
        places = np.expand_dims(places, dim)
    sizes = [n for axis, n in enumerate(x.shape) if axis != dim]
    if sizes != [n for axis, n in enumerate(places.shape) if axis != dim]:
        return None
    if places.size and places.max() >= x.shape[dim]:
        return None
    return [str(value) for value in np.take_along_axis(x, places, dim).reshape(-1)]


def _of_sequences(
    mine: Any,
    theirs: Sequence[Any],
    my_inputs: Sequence[Tensor],
    their_inputs: Sequence[torch.Tensor],
    reference: Reference,
    values: bool,
) -> str | None:
    if not isinstance(mine, (list, tuple)):
        return f"{type(mine).__name__} where PyTorch gives several values"
    if len(mine) != len(theirs):
        return f"{len(mine)} values where PyTorch gives {len(theirs)}"
    for place, (one, other) in enumerate(zip(mine, theirs)):

        def part(place: int = place) -> Any:
            whole = reference()
            return None if whole is None else whole[place]

        found = difference(one, other, my_inputs, their_inputs, part, values)
        if found is not None:
            return f"result {place}: {found}"
    return None


def _of_plain_values(mine: Any, theirs: Any) -> str | None:
    if isinstance(theirs, torch.dtype):
        mine, theirs = str(mine).removeprefix("torch."), str(theirs).removeprefix("torch.")
    elif isinstance(theirs, torch.device) or isinstance(mine, Device):
        mine, theirs = str(mine), str(theirs)
    elif isinstance(theirs, torch.Size):
        mine, theirs = tuple(mine), tuple(theirs)
    if type(mine) is not type(theirs):
        return f"{type(mine).__name__} where PyTorch gives {type(theirs).__name__}"
    if isinstance(mine, (float, complex)):
        same = np.allclose(mine, theirs, rtol=1e-6, atol=1e-6, equal_nan=True)
        return None if same else "value"
    return None if mine == theirs else "value"


def _of_layouts(mine: Tensor, theirs: torch.Tensor) -> str | None:
    if theirs.layout != torch.strided:
        return f"layout: PyTorch gives {theirs.layout}"
    dtype = str(theirs.dtype).removeprefix("torch.")
    if mine.dtype.name != dtype:
        return f"dtype: {mine.dtype.name} where PyTorch gives {dtype}"
    if tuple(mine.shape) != tuple(theirs.shape):
        return f"shape: {tuple(mine.shape)} where PyTorch gives {tuple(theirs.shape)}"
    if mine.array.size and mine.stride() != theirs.stride():
        # The stride of a dimension of size 1 is never used, but programs see it.
        return f"strides: {mine.stride()} where PyTorch gives {theirs.stride()}"
    return None


def _of_values(mine: np.ndarray, theirs: torch.Tensor, reference: Reference) -> str | None:
    expected = array_of(theirs)
    name = str(theirs.dtype).removeprefix("torch.")
    if name not in TOLERANCE:
        return None if np.array_equal(mine, expected) else "values"
    wide = np.complex128 if name.startswith("complex") else np.float64
    a, b = mine.astype(wide), expected.astype(wide)
    relative, absolute = TOLERANCE[name]
    with np.errstate(all="ignore"):
        if np.allclose(a, b, rtol=relative, atol=absolute, equal_nan=True):
            return None
        exact = reference()
        if exact is None or theirs.dtype not in WIDER:
            return "values"
        return None if _as_near(a, b, array_of(exact).astype(wide), relative) else "values"


def _as_near(a: np.ndarray, b: np.ndarray, exact: np.ndarray, relative: float) -> bool:
    """Whether `a` is no farther from the exact result than `b` is, where both are finite, and like it elsewhere."""
    if exact.shape != a.shape:
        return False
    finite = np.isfinite(a) & np.isfinite(b) & np.isfinite(exact)
    if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
        return False
    if not finite.any():
        return True
    a, b, exact = a[finite], b[finite], exact[finite]
    allowed = 2 * np.abs(b - exact).max() + 4 * relative * np.abs(exact).max()
    return bool((np.abs(a - exact) <= allowed).all())


def _of_aliases(
    mine: Tensor,
    theirs: torch.Tensor,
    my_inputs: Sequence[Tensor],
    their_inputs: Sequence[torch.Tensor],
) -> str | None:
    if not theirs.numel() or any(tensor.layout != torch.strided for tensor in their_inputs):
        return None
    expected = _place(
        theirs.untyped_storage().data_ptr(),
        [tensor.untyped_storage().data_ptr() for tensor in their_inputs],
    )
    found = _place(
        storage.root_pointer(mine.array),
        [storage.root_pointer(tensor.array) for tensor in my_inputs],
    )
    if found == expected:
        return None
    names = [f"a view of input {place}" if place >= 0 else "new" for place in (found, expected)]
    return f"view: {names[0]} where PyTorch's is {names[1]}"


def _place(pointer: int, pointers: Sequence[int]) -> int:
    return pointers.index(pointer) if pointer in pointers else -1
