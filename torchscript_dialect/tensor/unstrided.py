"""Tensors that no array holds in their shape: sparse and nested ones (PyTorch: SparseTensorImpl.h, SparseCsrTensorImpl.h,
NestedTensorImpl.h).

Note [Unstrided tensors]
A kernel reads `Tensor.array`, and an unstrided tensor has none: whoever asks for it gets an error, so that no kernel takes its elements
for those of another shape. What runs on unstrided tensors stands in a table of its own (`ops/unstrided/unstrided.py`), by operator and
backend. As with tracked tensors (Note [Tracked tensors] in tracked.py), fast paths test for the very class `Tensor`, and leave others
to those who record; a program that makes unstrided tensors itself is run by the recorder from its first call on. So tensors with an
array pay nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor import device as devices
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.formatting import part_text, tensor_text, with_suffixes
from torchscript_dialect.tensor.layout import contiguous_format, layout, memory_format
from torchscript_dialect.tensor.tensor import Size, Tensor
from torchscript_dialect.tensor.tracked import begin_use, contained

Array = NDArray[Any]


class UnstridedTensor(Tensor):
    """A tensor of another layout; see Note [Unstrided tensors]."""

    __slots__ = ("elements", "sizes")

    BACKEND = ""
    """PyTorch's name of what runs it."""

    elements: Array
    """The elements that are kept, in an array of their own shape."""
    sizes: tuple[int, ...]

    @property
    def array(self) -> Array:  # pyright: ignore[reportIncompatibleVariableOverride]
        raise NotImplementedError(
            f"the operator is not supported for tensors of the '{self.BACKEND}' backend: they have no strided elements"
        )

    @property
    def shape(self) -> Size:
        return Size(self.sizes)

    @property
    def ndim(self) -> int:
        return len(self.sizes)

    @property
    def dtype(self) -> dtypes.dtype:
        return dtypes.of_array(self.elements)

    @property
    def device(self) -> devices.device:
        return devices.cpu

    @property
    def itemsize(self) -> int:
        return self.elements.itemsize

    @property
    def is_sparse(self) -> bool:
        return self.layout is layout.sparse_coo

    @property
    def is_sparse_csr(self) -> bool:
        return self.layout is layout.sparse_csr

    @property
    def is_nested(self) -> bool:
        return False

    def size(self, dim: int | None = None) -> Any:
        """The shape, or the size of one dimension."""
        return self.shape if dim is None else self.sizes[range(len(self.sizes))[dim]]

    def stride(self, dim: int | None = None) -> Any:
        """0 for each dimension, as in PyTorch."""
        return (0,) * self.ndim if dim is None else 0

    def dim(self) -> int:
        return self.ndim

    def numel(self) -> int:
        return self.shape.numel()

    nelement = numel

    def element_size(self) -> int:
        return self.itemsize

    def data_ptr(self) -> int:
        raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")

    def storage_offset(self) -> int:
        return 0

    def is_contiguous(self, memory_format: memory_format = contiguous_format) -> bool:
        return False

    def numpy(self, *, force: bool = False) -> Array:
        raise TypeError("can't convert Sparse layout tensor to numpy. Use Tensor.to_dense() first.")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return self.numpy()

    def __dlpack__(self, **_: Any) -> Any:
        raise BufferError("a tensor without strides has no DLPack capsule; use to_dense() before")

    def item(self) -> Any:
        return self.to_dense().item()

    def tolist(self) -> Any:
        raise RuntimeError("Cannot access data pointer of Tensor that doesn't have storage")

    def __bool__(self) -> bool:
        return bool(self.to_dense())

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of a 0-d tensor")
        return self.size(0)

    def __iter__(self) -> Any:
        return iter(self.unbind(0))

    def __setitem__(self, index: Any, value: Any) -> None:
        raise TypeError(f"Cannot assign to a {'nested' if self.is_nested else 'sparse'} tensor")

    def __format__(self, spec: str) -> str:
        return object.__format__(self, spec)

    def become(self, other: UnstridedTensor) -> None:
        """Take over what another tensor of the class is; RuntimeError for one of another class."""
        if type(other) is not type(self):
            raise RuntimeError(
                f"a tensor of layout {self.layout} cannot become one of layout {other.layout}"
            )
        for name in (*UnstridedTensor.__slots__, *type(self).__slots__):
            setattr(self, name, getattr(other, name))

    def twin(self, elements: Array) -> Any:
        """A tensor with other elements at the same places."""
        made = object.__new__(type(self))
        made.become(self)
        made.elements = elements
        return made

    def __copy__(self) -> Any:
        return self.twin(self.elements)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if id(self) not in memo:
            memo[id(self)] = self.clone()
        return memo[id(self)]


class SparseTensor(UnstridedTensor):
    """Coordinates and elements (COO): element `elements[n]`, of the shape of the dense dimensions, stands at `places[:, n]`. An element
    that several places name is the sum of those; once coalesced, places are sorted and each is named once.
    """

    __slots__ = ("is_unique", "places")

    BACKEND = "SparseCPU"

    places: Array
    """int64, (sparse dimensions, elements)."""
    is_unique: bool
    """Whether it is coalesced."""

    @property
    def layout(self) -> layout:
        return layout.sparse_coo

    def __repr__(self) -> str:
        parts = f"tensor({_part('indices', self.places)},\n       {_part('values', self.elements)}"
        return with_suffixes(parts, _facts(self, self.places.shape[1]), on_new_line=True)

    def __reduce__(self) -> tuple[Any, ...]:
        return (coo, (self.places, self.elements, self.sizes, self.is_unique))


class CompressedTensor(UnstridedTensor):
    """Rows or columns one after the other (CSR and CSC), perhaps of blocks (BSR and BSC): row `r` has the elements from `bounds[r]` to
    `bounds[r + 1]`, at the columns that `places` names. Batches come first in all three.
    """

    __slots__ = ("bounds", "kind", "places")

    BACKEND = "SparseCsrCPU"

    bounds: Array
    """int32 or int64, (*batch, rows + 1)."""
    places: Array
    """Of the same dtype, (*batch, elements)."""
    kind: layout

    @property
    def layout(self) -> layout:
        return self.kind

    def stride(self, dim: int | None = None) -> Any:
        raise RuntimeError(f"{self._name} tensors do not have strides")

    def is_contiguous(self, memory_format: memory_format = contiguous_format) -> bool:
        raise RuntimeError(f"{self._name} tensors do not have is_contiguous")

    @property
    def _name(self) -> str:
        return f"Sparse {self.kind.name.removeprefix('sparse_').upper()}"

    @property
    def by_rows(self) -> bool:
        """Whether rows are compressed, and not columns."""
        return self.kind in (layout.sparse_csr, layout.sparse_bsr)

    @property
    def is_blocked(self) -> bool:
        return self.kind in (layout.sparse_bsr, layout.sparse_bsc)

    @property
    def batch(self) -> tuple[int, ...]:
        return self.bounds.shape[:-1]

    def __repr__(self) -> str:
        names = ("crow_indices", "col_indices") if self.by_rows else ("ccol_indices", "row_indices")
        parts = (_part(names[0], self.bounds), _part(names[1], self.places))
        text = ",\n       ".join((*parts, _part("values", self.elements)))
        return with_suffixes(f"tensor({text}", _facts(self, self.places.shape[-1]))

    def __reduce__(self) -> tuple[Any, ...]:
        return (compressed, (self.kind, self.bounds, self.places, self.elements, self.sizes))


class NestedTensor(UnstridedTensor):
    """A list of tensors that differ in sizes, on one buffer: tensor `n` has sizes `shapes[n]`, strides `steps[n]` and begins at
    `starts[n]`.
    """

    __slots__ = ("shapes", "starts", "steps")

    BACKEND = "NestedTensorCPU"

    shapes: Array
    """int64, (tensors, dimensions of one)."""
    steps: Array
    starts: Array
    """int64, (tensors,)."""

    @property
    def layout(self) -> layout:
        return layout.strided

    @property
    def is_nested(self) -> bool:
        return True

    @property
    def ndim(self) -> int:
        return self.shapes.shape[1] + 1 if self.shapes.ndim == 2 else 1

    @property
    def shape(self) -> Size:
        raise RuntimeError(
            "Internal error: NestedTensorImpl doesn't support sizes. Please file an issue."
        )

    def size(self, dim: int | None = None) -> Any:
        """The size of a dimension that all tensors agree on."""
        if dim is None:
            return self.shape
        number = range(self.ndim)[dim]
        if number == 0:
            return len(self.shapes)
        found = np.unique(self.shapes[:, number - 1])
        if len(found) != 1:
            raise RuntimeError(f"Given dimension {number} is irregular and does not have a size.")
        return int(found[0])

    def stride(self, dim: int | None = None) -> Any:
        raise RuntimeError(
            "Internal error: NestedTensorImpl doesn't support strides. Please file an issue."
        )

    def numel(self) -> int:
        return int(self.shapes.prod(axis=1).sum()) if self.shapes.size else 0

    def __len__(self) -> int:
        return len(self.shape)

    def numpy(self, *, force: bool = False) -> Array:
        raise RuntimeError(
            "Internal error: NestedTensorImpl doesn't support sizes. Please file an issue."
        )

    def is_contiguous(self, memory_format: memory_format = contiguous_format) -> bool:
        place = 0
        for shape, step, start in zip(
            self.shapes.tolist(), self.steps.tolist(), self.starts.tolist()
        ):
            if start != place or step != steps_of(shape):
                return False
            place += prod(shape)
        return True

    def parts(self) -> list[Array]:
        """The tensors, on the buffer."""
        width = self.elements.itemsize
        return [
            np.lib.stride_tricks.as_strided(
                self.elements[start:], shape, [each * width for each in step]
            )
            for shape, step, start in zip(
                self.shapes.tolist(), self.steps.tolist(), self.starts.tolist()
            )
        ]

    def __repr__(self) -> str:
        inner = ",\n".join(f"  {tensor_text(part)}" for part in self.parts())
        return f"nested_tensor([\n{inner}\n])"

    def __reduce__(self) -> tuple[Any, ...]:
        return (nested, (self.elements, self.shapes, self.steps, self.starts))


def steps_of(shape: Sequence[int]) -> list[int]:
    """The strides of a tensor without gaps."""
    steps = [1] * len(shape)
    for place in reversed(range(len(shape) - 1)):
        steps[place] = steps[place + 1] * shape[place + 1]
    return steps


def _facts(tensor: UnstridedTensor, count: int) -> list[str]:
    """What the text of a tensor tells after its parts."""
    usual = (
        dtypes.get_default_dtype(),
        dtypes.get_default_complex_dtype(),
        dtypes.int64,
        dtypes.bool_,
    )
    dtype = [] if tensor.dtype in usual else [f"dtype={tensor.dtype}"]
    return [f"size={tensor.sizes}", f"nnz={count}", *dtype, f"layout={tensor.layout}"]


def _part(name: str, array: Array) -> str:
    return part_text(name, array, len("tensor("))


def coo(places: Array, elements: Array, sizes: Sequence[int], is_unique: bool) -> SparseTensor:
    """A tensor of coordinates and elements, which are not checked."""
    _begin()
    made = object.__new__(SparseTensor)
    made.places, made.elements = places, elements
    made.sizes, made.is_unique = tuple(sizes), is_unique
    return made


def compressed(
    kind: layout, bounds: Array, places: Array, elements: Array, sizes: Sequence[int]
) -> CompressedTensor:
    """A tensor of compressed rows or columns, which are not checked."""
    _begin()
    made = object.__new__(CompressedTensor)
    made.kind, made.bounds, made.places = layout(kind), bounds, places
    made.elements, made.sizes = elements, tuple(sizes)
    return made


def nested(elements: Array, shapes: Array, steps: Array, starts: Array) -> NestedTensor:
    """A tensor of tensors on a buffer, which are not checked."""
    _begin()
    made = object.__new__(NestedTensor)
    made.elements, made.shapes, made.steps, made.starts = elements, shapes, steps, starts
    made.sizes = ()
    return made


def holds_unstrided(value: Any) -> bool:
    """Whether a runtime value is an unstrided tensor, or a container or object that holds one."""
    return isinstance(value, UnstridedTensor) or any(map(holds_unstrided, contained(value)))


def is_made() -> bool:
    """Whether this process has ever made an unstrided tensor."""
    return _Made.any


def _begin() -> None:
    _Made.any = True
    begin_use()


class _Made:
    any: bool = False


def unstrided_among(operands: Iterable[Any]) -> UnstridedTensor | None:
    """The first unstrided tensor of operands, or of lists among them; a nested or compressed one before others."""
    found: UnstridedTensor | None = None
    for operand in operands:
        if isinstance(operand, UnstridedTensor):
            one: UnstridedTensor | None = operand
        elif operand.__class__ is list:
            one = unstrided_among(cast("list[Any]", operand))
        else:
            continue
        if one is not None and (found is None or one.__class__ is not SparseTensor):
            found = one
    return found
