"""Views, writes and new tensors in small random functions of tensors: expressions, each with the shape of what it gives."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import prod

Shape = tuple[int, ...]
Expression = tuple[str, Shape]


def broadcast(a: Shape, b: Shape) -> Shape | None:
    """The shape that two shapes have together, None if they do not fit."""
    rank = max(len(a), len(b))
    a, b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    if any(x != y and 1 not in (x, y) for x, y in zip(a, b, strict=True)):
        return None
    return tuple(y if x == 1 else x for x, y in zip(a, b, strict=True))


def views(r: random.Random, x: str, shape: Shape) -> Iterator[Expression]:
    """Other ways to look at `x`, and copies."""
    rank, count = len(shape), prod(shape)
    yield f"{x}.{r.choice(('contiguous', 'clone', 'detach'))}()", shape
    place = r.randint(0, rank)
    yield f"{x}.unsqueeze({place})", (*shape[:place], 1, *shape[place:])
    yield f"{x}.expand([2, {', '.join(map(str, shape))}])", (2, *shape)
    yield f"{x}.reshape(-1)" if count else f"{x}.reshape({count})", (count,)
    yield f"{x}.flatten()", (count,)
    if not rank:
        return
    dim = r.randrange(rank)
    size = shape[dim]
    yield f"{x}.squeeze({dim - rank})", tuple(s for i, s in enumerate(shape) if i != dim or s != 1)
    start, end, step = r.randint(-size, size), r.choice((size + 3, -1, 2)), r.choice((1, 1, 2))
    taken = len(range(size)[start:end:step])
    commas = ":, " * dim
    yield f"{x}[{commas}{start}:{end}:{step}]", (*shape[:dim], taken, *shape[dim + 1 :])
    if size:
        yield f"{x}.select({dim}, {r.randrange(-size, size)})", (*shape[:dim], *shape[dim + 1 :])
        length = r.randint(0, size)
        first = r.randint(0, size - length)
        yield f"{x}.narrow({dim}, {first}, {length})", (*shape[:dim], length, *shape[dim + 1 :])
    other = r.randrange(rank)
    order = list(range(rank))
    order[dim], order[other] = order[other], order[dim]
    yield f"{x}.transpose({dim}, {other})", tuple(shape[i] for i in order)
    r.shuffle(order)
    yield f"{x}.permute({order})", tuple(shape[i] for i in order)
    if rank == 2:
        yield f"{x}.t()", shape[::-1]
    if count and rank > 1:
        yield f"{x}.reshape({x}.size(0), -1)", (shape[0], count // shape[0])
        yield f"{x}.flatten(0, 1)", (shape[0] * shape[1], *shape[2:])
    if size and size % 2 == 0:
        yield f"{x}.unflatten({dim}, [2, -1])", (*shape[:dim], 2, size // 2, *shape[dim + 1 :])
        yield f"torch.chunk({x}, 2, {dim})[1]", (*shape[:dim], size // 2, *shape[dim + 1 :])
    if count > 1 and count % 2 == 0:
        yield f"{x}.reshape(2, -1)", (2, count // 2)


def writes(
    r: random.Random, x: str, kind: str, shape: Shape, y: str, other: str, y_shape: Shape
) -> Iterator[Expression]:
    """What writes to `x` and gives it."""
    fits = broadcast(shape, y_shape) == shape and other == kind
    if kind != "b":
        yield f"{x}.mul_(2)", shape
        yield f"{x}.zero_()", shape
        yield f"{x}.fill_(3)", shape
        if kind != "c":
            yield f"{x}.masked_fill_({x} > 1, 2)", shape
        if kind not in "cu":
            yield f"{x}.abs_()", shape
        if fits:
            yield f"{x}.add_({y} * 2)", shape
    if fits:
        yield f"{x}.copy_({y}.clone())", shape


def new_tensors(r: random.Random, x: str, kind: str, shape: Shape) -> Iterator[Expression]:
    """Tensors of one number, of the dtype of `x`."""
    yield f"torch.{r.choice(('zeros_like', 'ones_like'))}({x})", shape
    yield f"torch.full_like({x}, {1 if kind == 'b' else 2})", shape
    yield f"{x}.new_{r.choice(('zeros', 'ones'))}({x}.shape)", shape
    if shape:
        yield f"{x}.new_zeros([{x}.size(0), 2])", (shape[0], 2)
    if kind not in "bc":
        yield f"{x}.masked_fill({x} > 1, 2)", shape
