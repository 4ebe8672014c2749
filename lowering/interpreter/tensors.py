"""`tensor` and `linalg`. A `linalg.generic` computes all points of its parallel dimensions at once, and goes through those of its
reductions one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import numpy as np
from xdsl.ir.affine import AffineBinaryOpExpr, AffineConstantExpr, AffineDimExpr

from lowering.dialects.kernel_product import DIGITS
from lowering.interpreter.machine import Machine, NotInterpretable, handles
from lowering.interpreter.memory import filled, index_of_kept


@handles("tensor.cast")
def _cast(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    return (args[0],)


def _slice(op: Any, values: list[Any]) -> tuple[slice, ...]:
    offsets = filled(op.static_offsets, values)
    sizes, strides = filled(op.static_sizes, values), filled(op.static_strides, values)
    return tuple(
        slice(o, o + (n - 1) * s + 1 if n else o, s)
        for o, n, s in zip(offsets, sizes, strides, strict=True)
    )


@handles("tensor.extract_slice")
def _extract_slice(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    source, *rest = args
    return (source[_slice(op, rest)][index_of_kept(op)],)


@handles("tensor.insert_slice")
def _insert_slice(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    part, into, *rest = args
    made = into.copy()
    target = made[_slice(op, rest)]
    target[...] = part.reshape(target.shape)
    return (made,)


@handles("tensor.collapse_shape")
def _collapse(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    (source,) = args
    groups = ([dim.value.data for dim in dims] for dims in op.reassociation)
    return (source.reshape([int(np.prod([source.shape[i] for i in dims])) for dims in groups]),)


@handles("tensor.expand_shape")
def _expand(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    source, *rest = args
    return (source.reshape(filled(op.static_output_shape, rest)),)


@handles("linalg.fill")
def _fill(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    value, into = args
    if not op.results:
        into[...] = value
        return ()
    return (np.full_like(into, value),)


@handles("linalg.transpose")
def _transpose(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    return (args[0].transpose([int(axis) for axis in op.permutation.get_values()]),)


@handles("linalg.matmul")
def _matmul(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    """Adds the products to what is there, one after the other."""
    left, right, into = args
    total = into.copy()
    for k in range(left.shape[1]):
        x, y = left[:, k, None], right[None, k, :]
        term = machine.rounding.arithmetic(x * y, x, y)
        total = machine.rounding.arithmetic(total + term, total, term)
    if op.results:
        return (total,)
    into[...] = total
    return ()


@handles("kernel.im2col_matmul")
def _im2col_matmul(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    """A product whose right factor is gathered first."""
    left, image, start, *digits, into = args
    lists = [digits[at : at + DIGITS] for at in range(0, 4 * DIGITS, DIGITS)]
    rows, columns = (_places(*lists[at : at + 2]) for at in (0, 2))
    right = image[start + rows[:, None] + columns[None, :]]
    return _matmul(machine, op, [left, right, into])


def _places(sizes: Sequence[int], steps: Sequence[int]) -> Any:
    """Where the rows or the columns of a gathered matrix are."""
    grid = np.indices([int(size) for size in sizes]).reshape(len(sizes), -1)
    return (grid * np.array(steps, np.int64)[:, None]).sum(0)


@handles("linalg.index")
def _index(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    return (machine.values[op.parent][op.dim.value.data],)


@handles("linalg.generic")
def _generic(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    maps = [entry.data for entry in op.indexing_maps]
    inputs, outputs = args[: len(op.inputs)], [array.copy() for array in args[len(op.inputs) :]]
    sizes = _sizes(maps, [*inputs, *outputs])
    kinds = [entry.data.value for entry in op.iterator_types]
    loops = [axis for axis, kind in enumerate(kinds) if kind == "reduction"]
    parallel = [axis for axis, kind in enumerate(kinds) if kind != "reduction"]
    for point in product(*(range(sizes[axis]) for axis in loops)):
        at = dict(zip(loops, point, strict=True))
        arrays = [*inputs, *outputs]
        given = [
            _operand(array, map_, at, parallel, sizes)
            for array, map_ in zip(arrays, maps, strict=True)
        ]
        machine.values[op.body.block] = _indices(at, parallel, sizes)
        results = machine.run(op.body.block, given)
        space = [sizes[axis] for axis in parallel]
        for number, (result, map_) in enumerate(zip(results, maps[len(inputs) :], strict=True)):
            _write(outputs[number], map_, at, parallel, np.broadcast_to(result, space))
    if op.results:
        return outputs
    for target, made in zip(args[len(op.inputs) :], outputs, strict=True):
        target[...] = made
    return ()


def _sizes(maps: Sequence[Any], arrays: Sequence[Any]) -> list[int]:
    sizes = [1] * maps[0].num_dims
    known: dict[int, int] = {}
    for map_, array in zip(maps, arrays, strict=True):
        for expr, size in zip(map_.results, array.shape, strict=True):
            if isinstance(expr, AffineDimExpr):
                if known.setdefault(expr.position, size) != size:
                    raise ValueError(f"a loop of {known[expr.position]} meets an operand of {size}")
                sizes[expr.position] = size
    return sizes


def _operand(
    array: Any, map_: Any, at: dict[int, int], parallel: Sequence[int], sizes: Sequence[int]
) -> Any:
    """The elements of an operand for all points of the parallel dimensions, in their order."""
    if any(isinstance(expr, AffineBinaryOpExpr) for expr in map_.results):
        loops = _indices(at, parallel, sizes)
        return array[tuple(expr.eval(loops, ()) for expr in map_.results)]
    picked: list[Any] = []
    axes: list[int] = []
    for expr in map_.results:
        if isinstance(expr, AffineConstantExpr):
            picked.append(expr.value)
        elif isinstance(expr, AffineDimExpr) and expr.position in at:
            picked.append(at[expr.position])
        elif isinstance(expr, AffineDimExpr):
            picked.append(slice(None))
            axes.append(parallel.index(expr.position))
        else:
            raise NotInterpretable(f"an indexing map with {expr} has no interpreter")
    part = np.asarray(array[tuple(picked)])
    shape = [1] * len(parallel)
    for axis, size in zip(sorted(axes), part.transpose(np.argsort(axes)).shape, strict=True):
        shape[axis] = size
    return part.transpose(np.argsort(axes)).reshape(shape)


def _indices(at: dict[int, int], parallel: Sequence[int], sizes: Sequence[int]) -> list[Any]:
    found: list[Any] = [np.int64(0)] * len(sizes)
    for axis, value in at.items():
        found[axis] = np.int64(value)
    for place, axis in enumerate(parallel):
        shape = [1] * len(parallel)
        shape[place] = sizes[axis]
        found[axis] = np.arange(sizes[axis]).reshape(shape)
    return found


def _write(array: Any, map_: Any, at: dict[int, int], parallel: Sequence[int], values: Any) -> None:
    picked: list[Any] = []
    order: list[int] = []
    for expr in map_.results:
        if isinstance(expr, AffineDimExpr) and expr.position not in at:
            picked.append(slice(None))
            order.append(parallel.index(expr.position))
        else:
            picked.append(at[expr.position] if isinstance(expr, AffineDimExpr) else expr.value)
    missing = [axis for axis in range(len(parallel)) if axis not in order]
    part = values.transpose([*missing, *order])
    array[tuple(picked)] = part[(-1,) * len(missing)] if missing else part
