"""Reductions, products, convolutions, pooling and gathers in small random functions of tensors, with the shape of what they give.

What is summed are small whole numbers as float32, of which every order of summation gives the same.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from support.random_kernel_views import Expression, Shape


def gathers(r: random.Random, x: str, shape: Shape) -> Iterator[Expression]:
    """Elements of `x`, of any dtype, by their places."""
    if not shape or 0 in shape:
        return
    dim = r.randrange(len(shape))
    size = shape[dim]
    places = [r.randrange(size) for _ in range(r.randint(1, 4))]
    index = f"torch.tensor({places})"
    taken = (*shape[:dim], len(places), *shape[dim + 1 :])
    yield f"torch.index_select({x}, {dim}, {index})", taken
    yield f"{x}[{':, ' * dim}{index}]", taken
    yield f"torch.gather({x}, {dim}, ({x} != 0).to(torch.int64) * {size - 1})", shape
    yield f"torch.flip({x}, [{dim}])", shape
    yield f"torch.roll({x}, {r.randint(-2, 3)}, {dim})", shape
    yield f"torch.cat([{x}, {x}], {dim})", (*shape[:dim], 2 * size, *shape[dim + 1 :])
    yield f"torch.stack([{x}, {x}], {dim})", (*shape[:dim], 2, *shape[dim:])
    if len(shape) == 2:
        rows = [number % shape[0] for number in places]
        yield f"torch.nn.functional.embedding(torch.tensor({rows}), {x})", (len(rows), shape[1])


def sums(r: random.Random, x: str, shape: Shape) -> Iterator[Expression]:
    """Sums of many kinds, of `x` of floats, as float32."""
    whole = f"torch.clamp(torch.round({x}.to(torch.float32)), -4, 4)"
    if not shape or 0 in shape:
        return
    dim, keep = r.randrange(len(shape)), r.random() < 0.5
    left = (*shape[:dim], *((1,) if keep else ()), *shape[dim + 1 :])
    for name in ("sum", "amax", "amin"):
        yield f"torch.{name}({whole}, [{dim}], {keep})", left
    yield f"torch.cumsum({whole}, {dim})", shape
    yield f"{whole}.sum()", ()
    if len(shape) == 2:
        rows, columns = shape
        yield f"torch.einsum('ij,kj->ik', {whole}, {whole})", (rows, rows)
        yield f"torch.einsum('ij,ij->j', {whole}, {whole})", (columns,)
        yield f"torch.mm({whole}.t(), {whole})", (columns, columns)
        yield f"torch.relu(torch.matmul({whole}, {whole}.t()) + 1)", (rows, rows)
    if len(shape) == 3:
        batch, channels, length = shape
        pads = r.randint(1, 2)
        outer = length + 2 * pads - 2
        yield f"torch.einsum('bij,bkj->bik', {whole}, {whole})", (batch, channels, channels)
        yield f"torch.bmm({whole}, {whole}.transpose(1, 2))", (batch, channels, channels)
        weight = f"{x}.to(torch.float32).new_ones([{{}}, {{}}, 3])"
        full, each = weight.format(2, channels), weight.format(channels, 1)
        yield f"torch.conv1d({whole}, {full}, None, 1, {pads})", (batch, 2, outer)
        yield (
            f"torch.relu(torch.conv1d({whole}, {each}, None, 1, {pads}, 1, {channels}) - 1)",
            (batch, channels, outer),
        )
        if length > 1:
            yield f"torch.nn.functional.max_pool1d({whole}, 2)", (batch, channels, length // 2)
            yield f"torch.nn.functional.avg_pool1d({whole}, 2)", (batch, channels, length // 2)
        if length > 1 and channels > 1:
            pooled = (1, batch, channels - 1, length - 1)
            yield f"torch.max_pool2d({whole}.unsqueeze(0), 2, 1)", pooled
            yield f"torch.nn.functional.avg_pool2d({whole}.unsqueeze(0), 2, 1) * 2", pooled
            square = f"{x}.to(torch.float32).new_ones([2, {batch}, 3, 3])"
            yield (
                f"torch.conv2d({whole}.unsqueeze(0), {square}, None, 1, 1)",
                (1, 2, channels, length),
            )
