"""Functions of `torch` that are Python source in PyTorch too: the compiler calls them, it makes no operator of them."""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportAttributeAccessIssue=false, reportOperatorIssue=false, reportIndexIssue=false
# pyright: reportUndefinedVariable=false, reportTypeCommentUsage=false
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from torchscript_dialect import torch
from torchscript_dialect.ops.eager.dispatch import call, function
from torchscript_dialect.ops.eager.tensor_methods import norm as _eager_norm
from torchscript_dialect.tensor.tensor import Size, Tensor

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


def _named_norm(input, p, dim, keepdim, out, dtype):  # pyright: ignore
    # type: (Tensor, str, Optional[List[int]], bool, Optional[Tensor], Optional[int]) -> Tensor
    if dim is None:
        axes = list(range(input.dim()))
    else:
        axes = dim
    if out is None:
        return torch.linalg.matrix_norm(input, p, axes, keepdim, dtype=dtype)
    else:
        return torch.linalg.matrix_norm(input, p, axes, keepdim, dtype=dtype, out=out)


# Note [norm]
# For a strided tensor this is `linalg.vector_norm`, otherwise the older `aten::norm`. Which of both is decided when a program
# runs, so that graphs show both. One definition for each type of `p` and `dim`: in a definition for numbers the questions about
# strings are answered.


@_overload
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):  # pyright: ignore
    # type: (Tensor, str, Optional[List[int]], bool, Optional[Tensor], Optional[int]) -> Tensor
    if p != "fro" or (dim is not None and len(dim) > 2):
        return _named_norm(input, p, dim, keepdim, out, dtype)
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
def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):  # pyright: ignore  # noqa: F811
    # type: (Tensor, str, Optional[int], bool, Optional[Tensor], Optional[int]) -> Tensor
    if dim is not None:
        axes = [dim]
    else:
        axes = None
    if p != "fro":
        return _named_norm(input, p, axes, keepdim, out, dtype)
    if out is None:
        return torch.linalg.vector_norm(input, 2, axes, keepdim, dtype=dtype)
    else:
        return torch.linalg.vector_norm(input, 2, axes, keepdim, dtype=dtype, out=out)


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


@_overloaded
def norm(  # noqa: F811
    input: Tensor,
    p: complex | str | None = "fro",
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: Any = None,
) -> Tensor:
    """The p-norm of all elements or over some dimensions; `"fro"` and None are the 2-norm, `"nuc"` the sum of singular values.

    Raises:
        RuntimeError: another name of a norm, or more than two dimensions for one; a tensor of integers.
    """
    return _eager_norm(input, p, dim, keepdim, out, dtype)


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


@_overload
def tensordot(a, b, dims, out=None):  # pyright: ignore  # noqa: F811
    # type: (Tensor, Tensor, Tensor, Optional[Tensor]) -> Tensor
    if dims.numel() > 1:
        of_a = torch.jit.annotate(list[int], dims[0].tolist())
        of_b = torch.jit.annotate(list[int], dims[1].tolist())
    else:
        number = int(dims.item())  # pyright: ignore
        if number < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if number > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        of_a, of_b = list(range(-number, 0)), list(range(number))
    if out is None:
        return _tensordot(a, b, of_a, of_b)
    else:
        return _tensordot(a, b, of_a, of_b, out=out)


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


def _variadic(name: str, gives_tuple: bool = False) -> Callable[..., Any]:
    """An operator of a list of tensors, which Python also gives one by one."""

    def run(*tensors: Any) -> Any:
        given = (
            tensors[0] if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
        )
        result = call(f"aten::{name}", (list(given),))
        return tuple(result) if gives_tuple else result

    run.__name__ = name
    run.__torchscript_op__ = f"aten::{name}"  # type: ignore[attr-defined]
    return run


def _at_least(name: str) -> Callable[..., Any]:
    """`atleast_2d` and its like: of one tensor a tensor, of several a tuple."""
    of_one, of_several = function(name), _variadic(name, gives_tuple=True)

    def run(*tensors: Any) -> Any:
        is_one = len(tensors) == 1 and isinstance(tensors[0], Tensor)
        return of_one(tensors[0]) if is_one else of_several(*tensors)

    run.__name__ = name
    run.__torchscript_op__ = f"aten::{name}"  # type: ignore[attr-defined]
    return run


broadcast_tensors = _variadic("broadcast_tensors", gives_tuple=True)
block_diag = _variadic("block_diag")
cartesian_prod = _variadic("cartesian_prod")
atleast_1d, atleast_2d, atleast_3d = map(_at_least, ("atleast_1d", "atleast_2d", "atleast_3d"))


def broadcast_shapes(*shapes: Any) -> Size:
    """The shape that all shapes broadcast to; a number is a shape of one dimension.

    Raises:
        RuntimeError: they do not broadcast.
        ValueError: a size is negative.
    """
    lists = [[shape] if isinstance(shape, int) else list(shape) for shape in shapes]
    if any(size < 0 for sizes in lists for size in sizes):
        raise ValueError("Attempting to broadcast a dimension with negative length!")
    rank = max(map(len, lists), default=0)
    result = [1] * rank
    for index, sizes in enumerate(lists):
        for dim, size in enumerate(sizes, -len(sizes)):
            if size not in (1, result[dim]) and result[dim] != 1:
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {size} at {dim}! Mismatching argument at index {index} had"
                    f" {tuple(sizes)}; but expected shape should be broadcastable to {result}"
                )
            result[dim] = result[dim] if size == 1 else size
    return Size(result)


broadcast_shapes.__torchscript_op__ = "aten::broadcast_shapes"  # type: ignore[attr-defined]


def unravel_index(indices: Tensor, shape: Any) -> tuple[Tensor, ...]:
    """The coordinates in a tensor of a shape, one tensor for each dimension, of places in its elements one after the other.

    Raises:
        TypeError: the indices are no integers, or the sizes.
        ValueError: a size is negative.
    """
    if indices.is_complex() or indices.is_floating_point() or indices.dtype is torch.bool_:
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    if not isinstance(shape, (int, Sequence)):
        kind = type(cast("object", shape))
        raise TypeError(f"expected 'shape' to be int or sequence of ints, but got {kind}")
    sizes = [shape] if isinstance(shape, int) else list(shape)
    for size in sizes:
        if not isinstance(cast("object", size), int):
            raise TypeError(f"expected 'shape' sequence to only contain ints, but got {type(size)}")
    if any(size < 0 for size in sizes):
        raise ValueError(f"'shape' cannot have negative values, but got {tuple(sizes)}")
    after = [math.prod(sizes[dim + 1 :]) for dim in range(len(sizes))]
    whole = call(
        "aten::floor_divide", (indices.unsqueeze(-1), torch.tensor(after, dtype=torch.int64))
    )
    return tuple((whole % torch.tensor(sizes, dtype=torch.int64)).unbind(-1))
