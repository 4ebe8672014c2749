"""`torch.unique`, `torch.unique_consecutive` and `torch.lu`: how many tensors they give is said by constant arguments, so that each
count is a function of its own (torch/functional.py). The compiler calls these, and inlined they are PyTorch's graphs.
"""

# The compiler's source, in the language that it compiles.
# pyright: basic, reportUndefinedVariable=false, reportTypeCommentUsage=false
from __future__ import annotations

from torchscript_dialect import torch
from torchscript_dialect.ops.eager.dispatch import function
from torchscript_dialect.tensor.tensor import Tensor  # noqa: F401  (named in type comments)
from torchscript_dialect.torch.nn.functional._dispatch import boolean_dispatch

_of_neighbours = function("unique_consecutive")


def _unique_impl(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    # type: (Tensor, bool, bool, bool, Optional[int]) -> Tuple[Tensor, Tensor, Tensor]
    if dim is not None:
        output, inverse_indices, counts = torch.unique_dim(
            input, dim, sorted=sorted, return_inverse=return_inverse, return_counts=return_counts
        )
    else:
        output, inverse_indices, counts = torch._unique2(
            input, sorted=sorted, return_inverse=return_inverse, return_counts=return_counts
        )
    return output, inverse_indices, counts


def _return_inverse_and_counts(
    input, sorted=True, return_inverse=False, return_counts=False, dim=None
):
    # type: (Tensor, bool, bool, bool, Optional[int]) -> Tuple[Tensor, Tensor, Tensor]
    return _unique_impl(input, sorted, return_inverse, return_counts, dim)


def _return_counts(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    # type: (Tensor, bool, bool, bool, Optional[int]) -> Tuple[Tensor, Tensor]
    output, _, counts = _unique_impl(input, sorted, return_inverse, return_counts, dim)
    return output, counts


def _return_output(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    # type: (Tensor, bool, bool, bool, Optional[int]) -> Tensor
    output, _, _ = _unique_impl(input, sorted, return_inverse, return_counts, dim)
    return output


def _return_inverse(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    # type: (Tensor, bool, bool, bool, Optional[int]) -> Tuple[Tensor, Tensor]
    output, inverse_indices, _ = _unique_impl(input, sorted, return_inverse, return_counts, dim)
    return output, inverse_indices


def _unique_consecutive_impl(input, return_inverse=False, return_counts=False, dim=None):
    # type: (Tensor, bool, bool, Optional[int]) -> Tuple[Tensor, Tensor, Tensor]
    output, inverse_indices, counts = _of_neighbours(
        input, return_inverse=return_inverse, return_counts=return_counts, dim=dim
    )
    return output, inverse_indices, counts


def _consecutive_return_inverse_and_counts(
    input, return_inverse=False, return_counts=False, dim=None
):
    # type: (Tensor, bool, bool, Optional[int]) -> Tuple[Tensor, Tensor, Tensor]
    return _unique_consecutive_impl(input, return_inverse, return_counts, dim)


def _consecutive_return_counts(input, return_inverse=False, return_counts=False, dim=None):
    # type: (Tensor, bool, bool, Optional[int]) -> Tuple[Tensor, Tensor]
    output, _, counts = _unique_consecutive_impl(input, return_inverse, return_counts, dim)
    return output, counts


def _consecutive_return_output(input, return_inverse=False, return_counts=False, dim=None):
    # type: (Tensor, bool, bool, Optional[int]) -> Tensor
    output, _, _ = _unique_consecutive_impl(input, return_inverse, return_counts, dim)
    return output


def _consecutive_return_inverse(input, return_inverse=False, return_counts=False, dim=None):
    # type: (Tensor, bool, bool, Optional[int]) -> Tuple[Tensor, Tensor]
    output, inverse_indices, _ = _unique_consecutive_impl(input, return_inverse, return_counts, dim)
    return output, inverse_indices


def _check_list_size(out_len, get_infos, out):
    # type: (int, bool, List[Tensor]) -> None
    get_infos_int = 1 if get_infos else 0
    if out_len - get_infos_int != 2:
        raise TypeError(f"expected tuple of {2 + int(get_infos)} elements but got {out_len}")
    if not isinstance(out, (tuple, list)):
        raise TypeError(f"argument 'out' must be tuple of Tensors, not {type(out).__name__}")


def _lu_impl(A, pivot=True, get_infos=False, out=None):
    # type: (Tensor, bool, bool, Any) -> Tuple[Tensor, Tensor, Tensor]
    return torch._lu_with_info(A, pivot=pivot, check_errors=(not get_infos))


def _lu_with_infos(A, pivot=True, get_infos=False, out=None):
    # type: (Tensor, bool, bool, Optional[Tuple[Tensor, Tensor, Tensor]]) -> Tuple[Tensor, Tensor, Tensor]
    result = _lu_impl(A, pivot, get_infos, out)
    if out is not None:
        _check_list_size(len(out), get_infos, out)
        for i in range(len(out)):
            out[i].resize_as_(result[i]).copy_(result[i])
        return out
    else:
        return result


def _lu_no_infos(A, pivot=True, get_infos=False, out=None):
    # type: (Tensor, bool, bool, Optional[Tuple[Tensor, Tensor]]) -> Tuple[Tensor, Tensor]
    result = _lu_impl(A, pivot, get_infos, out)
    if out is not None:
        _check_list_size(len(out), get_infos, out)
        for i in range(len(out)):
            out[i].resize_as_(result[i]).copy_(result[i])
        return out
    else:
        return result[0], result[1]


def _by_counts(if_true, if_false, index, name):
    """One of two functions by `return_counts`."""
    return boolean_dispatch("return_counts", index, False, if_true, if_false, __name__, name)


unique = boolean_dispatch(
    "return_inverse",
    2,
    False,
    _by_counts(_return_inverse_and_counts, _return_inverse, 3, "unique"),
    _by_counts(_return_counts, _return_output, 3, "unique"),
    __name__,
    "unique",
)
unique.__doc__ = """The elements, or the parts along a dimension, each once and sorted; if asked for, where each was and how often."""

unique_consecutive = boolean_dispatch(
    "return_inverse",
    1,
    False,
    _by_counts(
        _consecutive_return_inverse_and_counts,
        _consecutive_return_inverse,
        2,
        "unique_consecutive",
    ),
    _by_counts(_consecutive_return_counts, _consecutive_return_output, 2, "unique_consecutive"),
    __name__,
    "unique_consecutive",
)
unique_consecutive.__doc__ = """The same without sorting: of equal neighbours one stays."""

lu = boolean_dispatch("get_infos", 2, False, _lu_with_infos, _lu_no_infos, __name__, "lu")
lu.__doc__ = """The factors of a matrix in one, and the rows that were swapped; with `get_infos` also what failed, which else raises."""

for _function in tuple(globals().values()):  # names that archives hold
    if getattr(_function, "__module__", None) == __name__:
        _function.__module__ = "torch.functional"
