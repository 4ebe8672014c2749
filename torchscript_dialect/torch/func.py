"""`torch.func`: functions of functions (PyTorch: torch/_functorch).

Gradients are those of the tape, so that they nest. Derivatives in a direction are gradients of gradients: what goes back through a
function is linear in the weights of its results, and the gradient of that by the weights is what goes forward. `vmap` calls the
function for one row after the other and stacks what it gives.
"""

# pyright: basic
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial, wraps
from typing import Any

from torchscript_dialect.autograd.functions import grad as _gradients
from torchscript_dialect.autograd.history import gradient_edge
from torchscript_dialect.autograd.nodes import AccumulateGrad, reached
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn.utils.stateless import functional_call as functional_call
from torchscript_dialect.torch.utils._pytree import tree_leaves, tree_map_only, tree_structure

__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
    "jvp",
    "vjp",
    "vmap",
]
Argnums = int | tuple[int, ...]
Function = Callable[..., Any]


# Structures of tensors


_map_tensors = partial(tree_map_only, Tensor)


def _tensors(value: Any) -> list[Tensor]:
    found: list[Tensor] = []
    _map_tensors(found.append, value)
    return found


def _refilled(value: Any, tensors: Sequence[Any]) -> Any:
    """The same structure with other tensors."""
    rest = iter(tensors)
    return _map_tensors(lambda _: next(rest), value)


# Gradients


def _own(value: Any) -> Any:
    """Tensors that require gradients, whose gradients also go where those of the given ones go."""
    return _map_tensors(
        lambda one: one.view_as(one) if one.requires_grad else one.detach().requires_grad_(),
        value,
    )


def _with_own(args: Sequence[Any], argnums: Argnums) -> tuple[list[Any], list[Any]]:
    """The arguments, those that are asked for made our own; and these alone."""
    places = (argnums,) if isinstance(argnums, int) else argnums
    given = list(args)
    for place in places:
        given[place] = _own(args[place])
    return given, [given[place] for place in places]


def _or_zeros(slopes: Sequence[Tensor | None], own: Sequence[Tensor]) -> list[Tensor]:
    """Gradients; zeros where there is none."""
    return [
        call("aten::zeros_like", (one.detach(),)) if slope is None else slope
        for one, slope in zip(own, slopes, strict=True)
    ]


def _seen_from_outside(value: Any, own: Sequence[Tensor]) -> Any:
    """Without history where that leads to nothing but the tensors that a function has made for itself."""
    mine = {id(one) for one in own if one.is_leaf}
    return _map_tensors(lambda one: one if _leads_elsewhere(one, mine) else one.detach(), value)


def _leads_elsewhere(tensor: Tensor, mine: set[int]) -> bool:
    return any(
        isinstance(node, AccumulateGrad) and id(node.variable) not in mine
        for node in reached([gradient_edge(tensor)])
    )


def grad_and_value(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """A function that gives the gradients of `func`, which gives one number, by some of its arguments, and that number."""

    @wraps(func)
    def of(*args: Any, **kwargs: Any) -> Any:
        with grad_mode.enabled(True):
            given, chosen = _with_own(args, argnums)
            own = _tensors(chosen)
            found = func(*given, **kwargs)
            value, aux = found if has_aux else (found, None)
            _check_number(value)
            if value.requires_grad:
                slopes = _gradients(
                    value, own, create_graph=True, allow_unused=True, materialize_grads=False
                )
            else:
                slopes = (None,) * len(own)
        filled = _refilled(chosen, _seen_from_outside(_or_zeros(slopes, own), own))
        result = filled[0] if isinstance(argnums, int) else tuple(filled)
        value, aux = _seen_from_outside((value, aux), own)
        return (result, (value, aux)) if has_aux else (result, value)

    return of


def grad(func: Function, argnums: Argnums = 0, has_aux: bool = False) -> Function:
    """A function that gives the gradients of `func`, which gives one number, by some of its arguments."""
    both = grad_and_value(func, argnums, has_aux)

    @wraps(func)
    def of(*args: Any, **kwargs: Any) -> Any:
        slopes, value = both(*args, **kwargs)
        return (slopes, value[1]) if has_aux else slopes

    return of


def _check_number(value: Any) -> None:
    if not isinstance(value, Tensor):
        raise RuntimeError(
            "grad_and_value(f)(*args): Expected f(*args) to return a single tensor, got "
            f"{type(value)}. If your function has auxiliary outputs, use has_aux=True."
        )
    if value.array.ndim:
        raise RuntimeError(
            "grad_and_value(f)(*args): Expected f(*args) to return a scalar tensor, got tensor with "
            f"{value.array.ndim} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
        )


def vjp(func: Function, *primals: Any, has_aux: bool = False) -> Any:
    """What `func` gives, and a function that takes weights like that and gives the gradients of the arguments."""
    with grad_mode.enabled(True):
        given = _own(primals)
        found = func(*given)
    own = _tensors(given)
    results, aux = found if has_aux else (found, None)

    def back(weights: Any, *more: Any) -> Any:
        every = _tensors((weights, *more))
        going = [
            (one, weight)
            for one, weight in zip(_tensors(results), every, strict=True)
            if one.requires_grad
        ]
        slopes: Sequence[Any] = (None,) * len(own)
        if going:
            slopes = _gradients(
                [one for one, _ in going],
                own,
                [weight for _, weight in going],
                create_graph=True,
                allow_unused=True,
            )
        return tuple(_refilled(given, _seen_from_outside(_or_zeros(slopes, own), own)))

    shown = _seen_from_outside(results, own)
    return (shown, back, _seen_from_outside(aux, own)) if has_aux else (shown, back)


def jacrev(func: Function, argnums: Argnums = 0, has_aux: bool = False, **_: Any) -> Function:
    """A function that gives the Jacobian of `func` by some of its arguments: of each result, and of the size of it and the argument."""

    @wraps(func)
    def of(*args: Any) -> Any:
        with grad_mode.enabled(True):
            given, chosen = _with_own(args, argnums)
            own = _tensors(chosen)
            found = func(*given)
            results, aux = found if has_aux else (found, None)

            def rows(result: Tensor) -> Any:
                tables = _seen_from_outside(_jacobian(result, own), own)
                filled = _refilled(chosen, tables)
                return filled[0] if isinstance(argnums, int) else tuple(filled)

            tables = _map_tensors(rows, results)
        return (tables, _seen_from_outside(aux, own)) if has_aux else tables

    return of


def _pushed(
    results: Sequence[Tensor], own: Sequence[Tensor]
) -> Callable[[Sequence[Tensor | None]], list[Tensor]]:
    """What gives the derivatives of results in directions, of which there is one for each of `own`, or None."""
    going = [one for one in results if one.requires_grad]
    weights = [call("aten::zeros_like", (one,)).requires_grad_() for one in going]
    slopes: Sequence[Tensor | None] = (None,) * len(own)
    if going:
        slopes = _gradients(going, own, weights, create_graph=True, allow_unused=True)
    mine = [*own, *weights]

    def push(directions: Sequence[Tensor | None]) -> list[Tensor]:
        pairs = [
            (slope, direction)
            for slope, direction in zip(slopes, directions, strict=True)
            if slope is not None and slope.requires_grad and direction is not None
        ]
        found: Sequence[Tensor | None] = (None,) * len(going)
        if pairs:
            along, given = zip(*pairs, strict=True)
            found = _gradients(along, weights, given, create_graph=True, allow_unused=True)
        of = {id(one): slope for one, slope in zip(going, found, strict=True)}
        every = _or_zeros([of.get(id(one)) for one in results], results)
        return _seen_from_outside(every, mine)

    return push


def jvp(
    func: Function, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False
) -> Any:
    """What `func` gives for `primals`, and its derivative in the direction `tangents`, which are tensors like them.

    Raises:
        RuntimeError: the directions are not like the arguments, or `func` gives what is no tensor.
    """
    if not isinstance(primals, tuple):
        raise RuntimeError(
            f"{_JVP}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    if not _tensors(primals):
        raise RuntimeError(f"{_JVP}: Expected primals to contain at least one Tensor.")
    if tree_structure(primals) != tree_structure(tangents):
        raise RuntimeError(
            f"{_JVP}: Expected primals and tangents to have the same python structure. For example, if primals is a tuple of 3 "
            f"tensors, tangents also must be. Got primals with structure {tree_structure(primals)} and tangents with structure "
            f"{tree_structure(tangents)}"
        )
    directions = _tensors(tangents)
    for one, direction in zip(_tensors(primals), directions, strict=True):
        if one.shape != direction.shape:
            raise RuntimeError(
                "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not "
                f"supported. Tensor is of size {list(one.shape)} while the given forward gradient is of size "
                f"{list(direction.shape)}."
            )
    with grad_mode.enabled(True):
        given = _own_of_floats(primals)
        found = func(*given)
        results, aux = found if has_aux else (found, None)
        _check_tensors(results)
        own = _tensors(given)
        pushed = _refilled(results, _pushed(_tensors(results), own)(directions))
    shown = _seen_from_outside(results, own)
    return (shown, pushed, _seen_from_outside(aux, own)) if has_aux else (shown, pushed)


_JVP = "jvp(f, primals, tangents)"


def _own_of_floats(value: Any) -> Any:
    """`_own`; ValueError for a tensor of integers."""
    for one in _tensors(value):
        if not (one.dtype.is_floating_point or one.dtype.is_complex):
            raise ValueError(
                f"Expected primal to be floating point or complex, but got: {one.dtype}"
            )
    return _own(value)


def _check_tensors(results: Any) -> None:
    for one in tree_leaves(results):
        if not isinstance(one, Tensor):
            raise RuntimeError(
                f"{_JVP}: expected f(*primals) to return only tensors, got unsupported type {type(one)}"
            )


def jacfwd(func: Function, argnums: Argnums = 0, has_aux: bool = False, **_: Any) -> Function:
    """`jacrev`, by a direction for each element of the arguments."""

    @wraps(func)
    def of(*args: Any) -> Any:
        places = (argnums,) if isinstance(argnums, int) else argnums
        _own_of_floats([args[place] for place in places])
        with grad_mode.enabled(True):
            given, chosen = _with_own(args, argnums)
            own = _tensors(chosen)
            found = func(*given)
            results, aux = found if has_aux else (found, None)
            _check_tensors(results)
            every = _tensors(results)
            push = _pushed(every, own)
            columns = [[push(step) for step in _steps(own, place)] for place in range(len(own))]

        def table(number: int, result: Tensor) -> Any:
            tables = [
                _table([column[number] for column in of_one], result, one, -1)
                for of_one, one in zip(columns, own, strict=True)
            ]
            filled = _refilled(chosen, tables)
            return filled[0] if isinstance(argnums, int) else tuple(filled)

        tables = _refilled(results, [table(n, result) for n, result in enumerate(every)])
        return (tables, _seen_from_outside(aux, own)) if has_aux else tables

    return of


def _steps(own: Sequence[Tensor], place: int) -> Iterator[list[Tensor | None]]:
    """A direction for each element of one of the tensors."""
    one = own[place].detach()
    for number in range(one.numel()):
        step = call("aten::zeros_like", (one,))
        call("aten::view", (step, [-1]))[number] = 1
        yield [step if other == place else None for other in range(len(own))]


def _table(slopes: Sequence[Tensor], result: Tensor, own: Tensor, dim: int) -> Tensor:
    """The Jacobian of a result, of slopes that are stacked in the first dimension or the last."""
    sizes = [*result.shape, *own.shape]
    if not slopes:
        return call("aten::new_zeros", (result.detach(), sizes))
    return call("aten::reshape", (call("aten::stack", (list(slopes), dim)), sizes))


def _jacobian(result: Tensor, own: Sequence[Tensor]) -> list[Tensor]:
    columns: list[list[Tensor]] = [[] for _ in own]
    for element in call("aten::reshape", (result, [-1])).unbind(0):
        slopes: Sequence[Any] = (None,) * len(own)
        if element.requires_grad:
            slopes = _gradients(element, own, create_graph=True, allow_unused=True)
        for column, slope in zip(columns, _or_zeros(slopes, own), strict=True):
            column.append(slope)
    return [_table(column, result, one, 0) for column, one in zip(columns, own, strict=True)]


def hessian(func: Function, argnums: Argnums = 0) -> Function:
    """A function that gives the Hessian of `func`: the Jacobian of its Jacobian."""
    return jacfwd(jacrev(func, argnums), argnums)


# Rows


def vmap(
    func: Function,
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Function:
    """A function that calls `func` for each row of its arguments, in the dimension `in_dims` of each (None: all of it, in every call),
    and stacks the results in the dimension `out_dims`. Calls are made one after the other; random numbers are drawn in each.

    Raises:
        ValueError: no argument has rows, or not as many as others; `in_dims` are not those of the arguments.
    """

    @wraps(func)
    def of(*args: Any, **kwargs: Any) -> Any:
        called = f"vmap({_name(func)}, in_dims={in_dims}, ...)(<inputs>)"
        if not isinstance(in_dims, (int, list, tuple)):
            raise ValueError(
                f"{called}: expected `in_dims` to be int or a (potentially nested) tuple matching the structure of inputs, "
                f"got: {type(in_dims)}."
            )
        dims = in_dims if isinstance(in_dims, (list, tuple)) else [in_dims] * len(args)
        if len(dims) != len(args):
            raise ValueError(
                f"{called}: in_dims is not compatible with the structure of inputs. "
                f"in_dims has {len(dims)} entries but there are {len(args)} inputs."
            )
        sizes: set[int] = set()
        split = [_rows(arg, dim, sizes, called) for arg, dim in zip(args, dims, strict=True)]
        named = {key: _rows(value, 0, sizes, called) for key, value in kwargs.items()}
        if not sizes:
            raise ValueError(f"{called}: got no Tensors to map over: all in_dims are None")
        if len(sizes) > 1:
            raise ValueError(
                "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
                f"{sorted(sizes)} for the mapped dimension"
            )
        count = sizes.pop()
        found = [
            func(*(row(n) for row in split), **{key: row(n) for key, row in named.items()})
            for n in range(max(count, 1))
        ]
        return _stacked(found, count, out_dims)

    return of


def _name(func: Function) -> str:
    return getattr(func, "__name__", repr(func))


def _rows(value: Any, dim: Any, sizes: set[int], called: str) -> Callable[[int], Any]:
    """What gives the part of an argument for one call; ValueError where it has no such dimension."""
    if isinstance(dim, (list, tuple)):
        parts = [_rows(item, one, sizes, called) for item, one in zip(value, dim, strict=True)]
        return lambda n: type(value)(part(n) for part in parts)
    if dim is None:
        return lambda n: value
    for one in tree_leaves(value):
        if not isinstance(one, Tensor):
            raise ValueError(
                f"{called}: Got in_dim={dim} for an input but the input is of type {type(one)}. We cannot vmap over non-Tensor "
                "arguments, please use None as the respective in_dim"
            )
        if not -one.dim() <= dim < one.dim():
            raise ValueError(
                f"{called}: Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {one.dim()} so "
                f"expected in_dim to satisfy -{one.dim()} <= in_dim < {one.dim()}."
            )
    tensors = [call("aten::unbind", (one, dim)) for one in _tensors(value)]
    sizes.update(map(len, tensors))
    if not all(tensors):
        return lambda n: _map_tensors(partial(_empty_row, dim), value)
    return lambda n: _refilled(value, [one[n] for one in tensors])


def _empty_row(dim: int, value: Tensor) -> Tensor:
    """What stands for a row where there is none: the function says by it what its results are like."""
    return call("aten::sum", (value, [dim]), {"dtype": value.dtype})


def _stack(rows: Sequence[Tensor], count: int, dim: int) -> Tensor:
    stacked = call("aten::stack", (list(rows), dim))
    return stacked if count else call("aten::narrow", (stacked, dim, 0, 0))


def _stacked(found: Sequence[Any], count: int, out_dims: Any) -> Any:
    first = found[0]
    columns = list(zip(*map(_tensors, found), strict=True))
    dims = list(out_dims) if isinstance(out_dims, (list, tuple)) else [out_dims] * len(columns)
    if len(dims) != len(columns):
        raise ValueError(
            f"vmap: out_dims is not compatible with the structure of outputs: {len(dims)} dims for {len(columns)} tensors"
        )
    stacked = [
        column[0] if dim is None else _stack(column, count, dim)
        for column, dim in zip(columns, dims, strict=True)
    ]
    return _refilled(first, stacked)
