"""Functions of `torch` that are Python source in PyTorch too: the compiler calls them, it makes no operator of them."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
# pyright: reportUndefinedVariable=false, reportTypeCommentUsage=false
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from torchscript_dialect import torch
from torchscript_dialect.ops.dispatch import call, caller, function
from torchscript_dialect.tensor.tensor import Tensor

_F = TypeVar("_F", bound=Callable[..., Any])

OVERLOADS_MARK = "__torchscript_overloads__"
"""The attribute of a Python function that holds its typed definitions, in the order in which they are tried."""

_overloads: dict[str, list[Callable[..., Any]]] = {}
_norm = function("norm")


def _overload(definition: _F) -> _F:
    """Keep a typed definition for the compiler; its module is PyTorch's, for qualified names."""
    definition.__module__ = "torch.functional"
    _overloads.setdefault(definition.__name__, []).append(definition)
    return definition


def _overloaded(public: _F) -> _F:
    public.__module__ = "torch.functional"
    setattr(public, OVERLOADS_MARK, tuple(_overloads[public.__name__]))
    return public


# Note [norm]
# For a strided tensor this is `linalg.vector_norm`, otherwise the older `aten::norm`. Which of both is decided when a program
# runs, so that graphs show both. One definition for each type of `p` and `dim`: in a definition for numbers the questions about
# strings are answered.


@_overload
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):  # pyright: ignore
    # type: (Tensor, str, Optional[List[int]], bool, Optional[Tensor], Optional[int]) -> Tensor
    if p != "fro":
        raise RuntimeError("torch.norm: of the named norms only 'fro' is supported")
    if out is None:
        return torch.linalg.vector_norm(input, 2, dim, keepdim, dtype=dtype)
    else:
        return torch.linalg.vector_norm(input, 2, dim, keepdim, dtype=dtype, out=out)


@_overload
def norm(input, p=2, dim=None, keepdim=False, out=None, dtype=None):  # pyright: ignore  # noqa: F811
    # type: (Tensor, Optional[number], Optional[List[int]], bool, Optional[Tensor], Optional[int]) -> Tensor
    order = 2.0 if p is None else p
    if out is None:
        return torch.linalg.vector_norm(input, order, dim, keepdim, dtype=dtype)
    else:
        return torch.linalg.vector_norm(input, order, dim, keepdim, dtype=dtype, out=out)


@_overload
def norm(input, p=2, dim=None, keepdim=False, out=None, dtype=None):  # pyright: ignore  # noqa: F811
    # type: (Tensor, Optional[number], Optional[int], bool, Optional[Tensor], Optional[int]) -> Tensor
    if input.layout == torch.strided and input.device.type in (
        "cpu",
        "cuda",
        "xpu",
        "meta",
        "privateuseone",
    ):
        if dim is not None:
            axes = [dim]
        else:
            axes = None
        order = 2.0 if p is None else p
        if out is None:
            return torch.linalg.vector_norm(input, order, axes, keepdim, dtype=dtype)
        else:
            return torch.linalg.vector_norm(input, order, axes, keepdim, dtype=dtype, out=out)

    rank = input.dim()
    if dim is None and out is None and dtype is None and p is not None:
        every = list(range(rank))
        return _norm(input, p, dim=every, keepdim=keepdim)
    if dim is not None:
        chosen = [dim]
    else:
        chosen = None
    if chosen is None:
        chosen = list(range(rank))
    if out is None:
        if dtype is None:
            return _norm(input, p, chosen, keepdim=keepdim)
        else:
            return _norm(input, p, chosen, keepdim=keepdim, dtype=dtype)
    else:
        if dtype is None:
            return _norm(input, p, chosen, keepdim=keepdim, out=out)
        else:
            return _norm(input, p, chosen, keepdim=keepdim, dtype=dtype, out=out)


@_overload
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):  # pyright: ignore  # noqa: F811
    # type: (Tensor, str, Optional[int], bool, Optional[Tensor], Optional[int]) -> Tensor
    if p != "fro":
        raise RuntimeError("torch.norm: of the named norms only 'fro' is supported")
    if dim is not None:
        axes = [dim]
    else:
        axes = None
    if out is None:
        return torch.linalg.vector_norm(input, 2, axes, keepdim, dtype=dtype)
    else:
        return torch.linalg.vector_norm(input, 2, axes, keepdim, dtype=dtype, out=out)


_vector_norm = caller("aten::linalg_vector_norm")


@_overloaded
def norm(  # noqa: F811
    input: Tensor,
    p: complex | str | None = "fro",
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """The p-norm of all elements or over some dimensions; `"fro"` and None are the 2-norm.

    Raises:
        RuntimeError: another name of a norm; a tensor of integers.
    """
    if isinstance(p, str):
        if p != "fro":
            raise RuntimeError(f"torch.norm: of the named norms only 'fro' is supported, not '{p}'")
        p = 2
    order = 2.0 if p is None else p
    if dtype is None and out is None:
        return _vector_norm(input, order, dim, keepdim)
    options: dict[str, Any] = {"dtype": dtype, **({} if out is None else {"out": out})}
    return call("aten::linalg_vector_norm", (input, order, dim, keepdim), options)


_tensordot = function("tensordot")


@_overload
def tensordot(a, b, dims=2, out=None):  # pyright: ignore
    # type: (Tensor, Tensor, int, Optional[Tensor]) -> Tensor
    if dims < 0:
        raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
    if dims > min(a.dim(), b.dim()):
        raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
    of_a, of_b = list(range(-dims, 0)), list(range(dims))
    if out is None:
        return _tensordot(a, b, of_a, of_b)
    else:
        return _tensordot(a, b, of_a, of_b, out=out)


@_overload
def tensordot(a, b, dims, out=None):  # pyright: ignore  # noqa: F811
    # type: (Tensor, Tensor, Tuple[List[int], List[int]], Optional[Tensor]) -> Tensor
    if out is None:
        return _tensordot(a, b, dims[0], dims[1])
    else:
        return _tensordot(a, b, dims[0], dims[1], out=out)


@_overload
def tensordot(a, b, dims, out=None):  # pyright: ignore  # noqa: F811
    # type: (Tensor, Tensor, List[List[int]], Optional[Tensor]) -> Tensor
    if out is None:
        return _tensordot(a, b, dims[0], dims[1])
    else:
        return _tensordot(a, b, dims[0], dims[1], out=out)


@_overloaded
def tensordot(a: Tensor, b: Tensor, dims: Any = 2, out: Tensor | None = None) -> Tensor:  # noqa: F811
    """Products summed over the last `dims` dimensions of `a` and the first of `b`, or over those of the two lists in `dims`."""
    if isinstance(dims, Tensor):
        dims = dims.tolist() if dims.numel() > 1 else dims.item()
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        dims = list(range(-dims, 0)), list(range(dims))
    of_a, of_b = dims
    options = {} if out is None else {"out": out}
    return call("aten::tensordot", (a, b, list(of_a), list(of_b)), options)


def split(tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0) -> Any:
    """The tensor in pieces along a dimension: of one size, or of the sizes given."""
    name = "split" if isinstance(split_size_or_sections, int) else "split_with_sizes"
    return tuple(call(f"aten::{name}", (tensor, split_size_or_sections, dim)))


split.__torchscript_op__ = "aten::split"  # type: ignore[attr-defined]


def _tuple_function(name: str) -> Callable[..., Any]:
    """An operator that gives a list, as the Python function that gives a tuple."""

    def run(*args: Any, **kwargs: Any) -> Any:
        return tuple(call(f"aten::{name}", args, kwargs))

    run.__name__ = name
    run.__torchscript_op__ = f"aten::{name}"  # type: ignore[attr-defined]
    return run


def meshgrid(*tensors: Any, indexing: str | None = None) -> Any:
    """The coordinates of a grid whose axes are the tensors, one tensor each."""
    axes = tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    options = {} if indexing is None else {"indexing": indexing}
    return tuple(call("aten::meshgrid", (list(axes),), options))


meshgrid.__torchscript_op__ = "aten::meshgrid"  # type: ignore[attr-defined]
chunk = _tuple_function("chunk")
unbind = _tuple_function("unbind")


def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """The tensors expanded to one shape."""
    return tuple(call("aten::broadcast_tensors", (list(tensors),)))


broadcast_tensors.__torchscript_op__ = "aten::broadcast_tensors"  # type: ignore[attr-defined]
