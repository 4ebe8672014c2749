"""`torch.sparse_coo_tensor`, `sparse_csr_tensor` and their like: the operators, with lists and arrays for tensors (PyTorch:
torch/csrc/utils/tensor_new.cpp).

Parts that would reach out of the tensor are refused whatever `check_invariants` says. It asks besides that the places of each row or
column are in order and distinct.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torchscript_dialect.ops.eager.dispatch import call, function
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.dtype import int64
from torchscript_dialect.tensor.tensor import Tensor


def _as_part(value: Any, dtype: Any) -> Tensor:
    return value if isinstance(value, Tensor) else as_tensor(value, dtype)


def _parts(
    names: tuple[str, ...], dtypes: tuple[Any, ...], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments, with tensors for the parts among them."""
    given = tuple(map(_as_part, args, dtypes))
    named = {
        name: _as_part(kwargs[name], of)
        for name, of in zip(names, dtypes, strict=True)
        if name in kwargs
    }
    return (*given, *args[len(given) :]), kwargs | named


def _of_coordinates() -> Callable[..., Any]:
    run = function("sparse_coo_tensor")

    def make(*args: Any, check_invariants: bool | None = None, **kwargs: Any) -> Any:
        """A tensor of `values` at `indices` of shape (sparse dimensions, values); or of a size alone, without values."""
        if len(args) > 1 or "values" in kwargs:
            dtypes = (int64, kwargs.get("dtype"))
            args, kwargs = _parts(("indices", "values"), dtypes, args, kwargs)
        return run(*args, **kwargs)

    return _as_operator(make, run)


def _of_bounds(name: str, bounds: str, places: str) -> Callable[..., Any]:
    run = function(name)
    names = (bounds, places, "values")

    def make(*args: Any, check_invariants: bool | None = None, **kwargs: Any) -> Any:
        """A tensor of `values`, where each row or column begins among them, and the places of each in it."""
        args, kwargs = _parts(names, (None, None, kwargs.get("dtype")), args, kwargs)
        made = run(*args, **kwargs)
        if check_invariants:
            of = dict(zip(names, args)) | kwargs
            parts = [of[part] for part in names]
            call(
                "aten::_validate_sparse_compressed_tensor_args",
                (*parts, [*made.size()], made.layout),
            )
        return made

    return _as_operator(make, run)


def _as_operator(make: Callable[..., Any], run: Any) -> Callable[..., Any]:
    """Let the compiler take a function for the operator that it calls."""
    make.__name__ = make.__qualname__ = run.__name__
    make.__torchscript_op__ = run.__torchscript_op__  # type: ignore[attr-defined]
    return make


sparse_coo_tensor = _of_coordinates()
sparse_csr_tensor = _of_bounds("sparse_csr_tensor", "crow_indices", "col_indices")
sparse_csc_tensor = _of_bounds("sparse_csc_tensor", "ccol_indices", "row_indices")
sparse_bsr_tensor = _of_bounds("sparse_bsr_tensor", "crow_indices", "col_indices")
sparse_bsc_tensor = _of_bounds("sparse_bsc_tensor", "ccol_indices", "row_indices")
sparse_compressed_tensor = _of_bounds(
    "sparse_compressed_tensor", "compressed_indices", "plain_indices"
)
