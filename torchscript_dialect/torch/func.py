"""`torch.func`: functions of functions (PyTorch: torch/_functorch).

Gradients are those of the tape, so that they nest. `vmap` calls the function for one row after the other and stacks what it gives.
"""

# pyright: basic
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any

from torchscript_dialect.autograd.functions import grad as _gradients
from torchscript_dialect.autograd.history import gradient_edge
from torchscript_dialect.autograd.nodes import AccumulateGrad
from torchscript_dialect.ops.dispatch import call
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.nn.utils.stateless import functional_call as functional_call
from torchscript_dialect.torch.utils._pytree import tree_map_only

__all__ = [
    "functional_call",
    "grad",
    "grad_and_value",
    "hessian",
    "jacfwd",
    "jacrev",
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
    edge = gradient_edge(tensor)
    seen = set() if edge is None else {edge.node}
    stack = list(seen)
    while stack:
        node = stack.pop()
        if isinstance(node, AccumulateGrad) and id(node.variable) not in mine:
            return True
        for following in node.edges:
            if following is not None and following.node not in seen:
                seen.add(following.node)
                stack.append(following.node)
    return False


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


jacfwd = jacrev
"""The same Jacobian: there are no derivatives in forward mode here."""


def _jacobian(result: Tensor, own: Sequence[Tensor]) -> list[Tensor]:
    columns: list[list[Tensor]] = [[] for _ in own]
    for element in call("aten::reshape", (result, [-1])).unbind(0):
        slopes: Sequence[Any] = (None,) * len(own)
        if element.requires_grad:
            slopes = _gradients(element, own, create_graph=True, allow_unused=True)
        for column, slope in zip(columns, _or_zeros(slopes, own), strict=True):
            column.append(slope)
    return [
        call("aten::reshape", (call("aten::stack", (column, 0)), [*result.shape, *one.shape]))
        for column, one in zip(columns, own, strict=True)
    ]


def hessian(func: Function, argnums: Argnums = 0) -> Function:
    """A function that gives the Hessian of `func`: the Jacobian of its Jacobian."""
    return jacrev(jacrev(func, argnums), argnums)


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
        dims = in_dims if isinstance(in_dims, (list, tuple)) else [in_dims] * len(args)
        if len(dims) != len(args):
            raise ValueError(
                f"vmap({_name(func)}, in_dims={in_dims}, ...)(<inputs>): in_dims is not compatible with the structure of inputs. "
                f"in_dims has {len(dims)} entries but there are {len(args)} inputs."
            )
        sizes: set[int] = set()
        split = [_rows(arg, dim, sizes) for arg, dim in zip(args, dims, strict=True)]
        named = {key: _rows(value, 0, sizes) for key, value in kwargs.items()}
        if not sizes:
            raise ValueError(
                f"vmap({_name(func)}, in_dims={in_dims}, ...)(<inputs>): got no Tensors to map over: all in_dims are None"
            )
        if len(sizes) > 1:
            raise ValueError(
                "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
                f"{sorted(sizes)} for the mapped dimension"
            )
        found = [
            func(*(row(n) for row in split), **{key: row(n) for key, row in named.items()})
            for n in range(sizes.pop())
        ]
        return _stacked(found, out_dims)

    return of


def _name(func: Function) -> str:
    return getattr(func, "__name__", repr(func))


def _rows(value: Any, dim: Any, sizes: set[int]) -> Callable[[int], Any]:
    """What gives the part of an argument for one call."""
    if isinstance(dim, (list, tuple)):
        parts = [_rows(item, one, sizes) for item, one in zip(value, dim, strict=True)]
        return lambda n: type(value)(part(n) for part in parts)
    if dim is None:
        return lambda n: value
    tensors = [call("aten::unbind", (one, dim)) for one in _tensors(value)]
    sizes.update(map(len, tensors))
    return lambda n: _refilled(value, [one[n] for one in tensors])


def _stacked(found: Sequence[Any], out_dims: Any) -> Any:
    first = found[0]
    columns = list(zip(*map(_tensors, found), strict=True))
    dims = list(out_dims) if isinstance(out_dims, (list, tuple)) else [out_dims] * len(columns)
    if len(dims) != len(columns):
        raise ValueError(
            f"vmap: out_dims is not compatible with the structure of outputs: {len(dims)} dims for {len(columns)} tensors"
        )
    stacked = [
        column[0] if dim is None else call("aten::stack", (list(column), dim))
        for column, dim in zip(columns, dims, strict=True)
    ]
    return _refilled(first, stacked)
