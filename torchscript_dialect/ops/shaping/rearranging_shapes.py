"""Shape rules of operators that join, repeat and turn tensors, of diagonals, of transforms, and of tensors whose sizes are given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.shapes import (
    NOTHING,
    Fact,
    broadcast,
    by_running,
    dtype_of,
    fresh,
    is_known,
    rank_known,
    wrap,
)
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.types.tensor_type import Dims, TensorProperties


def _made(element: dtypes.dtype | None, sizes: Dims | None, like: Fact) -> TensorProperties:
    return replace(fresh(element, sizes, like), strides=None)


def _attach(names: str, rule: registry.ShapeRule) -> None:
    for name in names.split():
        registry.attach(f"aten::{name}", shape=rule)


def _looks(name: str) -> Callable[..., Any]:
    """The kernel of an operator that gives views."""

    def run(*operands: Any) -> Any:
        operator = registry.find(f"aten::{name}")
        assert operator is not None and operator.kernel is not None
        return operator.kernel(*operands)

    return run


for _name in ("atleast_1d", "atleast_2d", "atleast_3d"):
    _attach(_name, by_running(_looks(_name)))


def _part(name: str) -> registry.ShapeRule:
    """The real or the imaginary part: of the real dtype, whatever the rank."""
    looks = by_running(_looks(name))

    def rule(facts: Sequence[Fact]) -> Fact:
        made, element = looks(facts), dtype_of(facts[0])
        if element is None or not isinstance(made, TensorProperties):
            return made
        return replace(made, dtype=element.to_real().type_name)

    return rule


_attach("real", _part("real"))
_attach("imag", _part("imag"))


# Joined


def _joined(least: int, dim: int) -> registry.ShapeRule:
    """Concatenation along a dimension of tensors that get so many dimensions before."""

    def rule(facts: Sequence[Fact]) -> Fact:
        given = facts[0]
        cat, widen = registry.find("aten::cat"), registry.find(f"aten::atleast_{least}d")
        assert cat is not None and cat.shape is not None
        assert widen is not None and widen.shape is not None
        if not isinstance(given, list) or not given:
            return NOTHING
        tensors = cast("list[Fact]", given)
        if not all(isinstance(each, TensorProperties) for each in tensors):
            return NOTHING
        wide = [replace(widen.shape([each]), strides=None) for each in tensors]
        along = 0 if least == 1 and len(rank_known(wide[0]) or ()) == 1 else dim
        return replace(cat.shape([wide, along]), strides=None)

    return rule


_attach("vstack row_stack", _joined(2, 0))
_attach("hstack", _joined(1, 1))
_attach("dstack", _joined(3, 2))


# Repeated and turned


def _tile(facts: Sequence[Fact]) -> Fact:
    sizes, times = rank_known(facts[0]), facts[1]
    if sizes is None or not is_known(times):
        return NOTHING
    count = max(len(sizes), len(times))
    old = (1,) * (count - len(sizes)) + tuple(sizes)
    by = [1] * (count - len(times)) + list(times)
    new = [None if size is None else size * n for size, n in zip(old, by)]
    return _made(dtype_of(facts[0]), tuple(new), facts[0])


_attach("tile", _tile)


def _rot90(facts: Sequence[Fact]) -> Fact:
    sizes, times, dims = rank_known(facts[0]), facts[1], facts[2]
    if sizes is None or not is_known(times, dims) or len(dims) != 2:
        return NOTHING
    places = [wrap(dim, len(sizes)) for dim in dims]
    if None in places or max(cast("list[int]", places)) >= len(sizes):
        return NOTHING
    first, second = cast("list[int]", places)
    new = list(sizes)
    if times % 2:
        new[first], new[second] = new[second], new[first]
    return _made(dtype_of(facts[0]), tuple(new), facts[0])


_attach("rot90", _rot90)


def _diag(facts: Sequence[Fact]) -> Fact:
    sizes, offset = rank_known(facts[0]), facts[1]
    if sizes is None or not is_known(offset) or len(sizes) not in (1, 2):
        return NOTHING
    if not is_known(list(sizes)) or None in sizes:
        return _made(dtype_of(facts[0]), (None,) * (3 - len(sizes)), facts[0])
    known = cast("tuple[int, ...]", sizes)
    if len(known) == 1:
        side = known[0] + abs(offset)
        return _made(dtype_of(facts[0]), (side, side), facts[0])
    rows, columns = known
    length = max(min(rows + min(offset, 0), columns - max(offset, 0)), 0)
    return _made(dtype_of(facts[0]), (length,), facts[0])


_attach("diag", _diag)


def _masked_scatter(facts: Sequence[Fact]) -> Fact:
    return _made(
        dtype_of(facts[0]), broadcast([rank_known(facts[0]), rank_known(facts[1])]), facts[0]
    )


_attach("masked_scatter", _masked_scatter)


def _diag_embed(facts: Sequence[Fact]) -> Fact:
    sizes, offset, dims = rank_known(facts[0]), facts[1], facts[2:4]
    if sizes is None:
        return NOTHING
    rank = len(sizes) + 1
    new: list[int | None] = [None] * rank
    if sizes and is_known(offset, *dims):
        length = None if sizes[-1] is None else sizes[-1] + abs(offset)
        new = list(sizes[:-1])
        for dim in sorted(dim % rank for dim in dims):
            new.insert(dim, length)
    return fresh(dtype_of(facts[0]), tuple(new), facts[0])


_attach("diag_embed", _diag_embed)


# Transforms


def _c2c(facts: Sequence[Fact]) -> Fact:
    return _made(dtype_of(facts[0]), rank_known(facts[0]), facts[0])


def _along_last(facts: Sequence[Fact], size: Callable[[int | None], int | None]) -> Dims | None:
    sizes, dims = rank_known(facts[0]), facts[1]
    if not sizes or not is_known(dims) or not dims:
        return None
    place = wrap(dims[-1], len(sizes))
    if place is None:
        return None
    return tuple(size(n) if number == place else n for number, n in enumerate(sizes))


def _r2c(facts: Sequence[Fact]) -> Fact:
    element, one_sided = dtype_of(facts[0]), facts[3]
    if not isinstance(one_sided, bool):
        return NOTHING
    sizes = _along_last(facts, lambda n: n if n is None or not one_sided else n // 2 + 1)
    known = element is not None and element.is_floating_point
    made = element.to_complex() if element is not None and known else None
    return NOTHING if sizes is None else _made(made, sizes, facts[0])


def _c2r(facts: Sequence[Fact]) -> Fact:
    element, last = dtype_of(facts[0]), facts[3]
    sizes = _along_last(facts, lambda _: last if isinstance(last, int) else None)
    made = element.to_real() if element is not None and element.is_complex else None
    return NOTHING if sizes is None else _made(made, sizes, facts[0])


_attach("_fft_c2c", _c2c)
_attach("_fft_r2c", _r2c)
_attach("_fft_c2r", _c2r)


def _frequencies(*, halved: bool) -> registry.ShapeRule:
    def rule(facts: Sequence[Fact]) -> Fact:
        count = facts[0]
        if not isinstance(count, int) or isinstance(count, bool):
            return TensorProperties(None, (None,))
        return TensorProperties(None, (count // 2 + 1 if halved else count,))

    return rule


_attach("fft_fftfreq", _frequencies(halved=False))
_attach("fft_rfftfreq", _frequencies(halved=True))


# Of given sizes


def _given(place: int) -> registry.ShapeRule:
    def rule(facts: Sequence[Fact]) -> Fact:
        sizes = facts[place]
        return TensorProperties(None, tuple(sizes)) if is_known(sizes) else NOTHING

    return rule


_attach("empty_strided", _given(0))
_attach("normal.float_float", _given(2))
_attach("sum_to_size", _given(1))


def _as_strided(facts: Sequence[Fact]) -> Fact:
    x, sizes, strides = facts[:3]
    if not is_known(sizes, strides):
        return NOTHING
    return replace(fresh(dtype_of(x), tuple(sizes), x), strides=tuple(strides))


_attach("as_strided", _as_strided)


def _scalar_tensor(facts: Sequence[Fact]) -> Fact:
    return TensorProperties(None, (), ())


_attach("scalar_tensor", _scalar_tensor)


def view_dtype_shape(facts: Sequence[Fact]) -> Fact:
    """Elements of another size make the last dimension as much longer or shorter."""
    x, wanted = facts
    old = dtype_of(x)
    if not isinstance(wanted, int) or old is None:
        return NOTHING
    new = dtypes.from_scalar_type(wanted)
    if new.itemsize == old.itemsize:
        return replace(x, dtype=new.type_name)
    sizes = rank_known(x)
    if sizes and sizes[-1] is not None:
        sizes = (*sizes[:-1], sizes[-1] * old.itemsize // new.itemsize)
    return replace(x, dtype=new.type_name, sizes=sizes, strides=None)


_attach("view.dtype", view_dtype_shape)


def _view_dtype_copy(facts: Sequence[Fact]) -> Fact:
    viewed = view_dtype_shape(facts)
    return replace(viewed, strides=None) if isinstance(viewed, TensorProperties) else viewed


_attach("view_copy.dtype", _view_dtype_copy)


def _addbmm_in_place(facts: Sequence[Fact]) -> Fact:
    """A tensor of other sizes takes those of the product."""
    x, a, b = facts[:3]
    left, right = rank_known(a), rank_known(b)
    if left is None or right is None or len(left) != 3 or len(right) != 3:
        return NOTHING
    sizes = (left[1], right[2])
    return x if None not in sizes and x.sizes == sizes else _made(dtype_of(x), sizes, x)


_attach("addbmm_", _addbmm_in_place)


def _grad_sum_to_size(facts: Sequence[Fact]) -> Fact:
    """The tensor itself where it has the sizes already."""
    x, size = facts
    if size is None:
        return x
    return _made(dtype_of(x), tuple(size) if is_known(size) else None, x)


_attach("_grad_sum_to_size", _grad_sum_to_size)
