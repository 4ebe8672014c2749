"""`torch.autograd.functional`: products with Jacobians and Hessians of functions of tensors (PyTorch: torch/autograd/functional.py)."""

# pyright: basic
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torchscript_dialect.autograd.functions import grad
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.tensor import Tensor

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]
Tensors = Tensor | tuple[Tensor, ...]
Function = Callable[..., Any]


def vjp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The results of a function, and the product of `v`, which is like them, with the Jacobian by `inputs`."""
    with grad_mode.enabled(True):
        given, is_tuple = _inputs(inputs, "inputs", "vjp")
        given = _prepared(given, create_graph)
        results, is_several = _results(func(*given), "vjp", strict)
        weights = _like(v, results, "v", "vjp", is_several)
    with grad_mode.enabled(create_graph or grad_mode.is_grad_enabled()):
        found = _grad(results, given, weights, create_graph)
        found = _filled(found, given, strict, _UNUSED["back"])
    return _given(results, is_several, create_graph), _given(found, is_tuple, create_graph)


def jvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The results of a function, and the product of the Jacobian by `inputs` with `v`, which is like them."""
    with grad_mode.enabled(True):
        given, is_tuple = _inputs(inputs, "inputs", "jvp")
        given = _prepared(given, create_graph)
        directions = _like(v, given, "v", "jvp", is_tuple, of="inputs")
        results, is_several = _results(func(*given), "jvp", strict)
        weights = tuple(call("aten::zeros_like", (one,)).requires_grad_() for one in results)
        back = _filled(_grad(results, given, weights, True), given, strict, _UNUSED["back"])
        found = _grad(back, weights, directions, create_graph)
        found = _filled(found, results, strict, _UNUSED["back_trick"])
    return _given(results, is_several, create_graph), _given(found, is_several, create_graph)


def jacobian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The Jacobian of a function: of each result by each of the inputs, of the size of the first and then of the second. A row is
    computed after the other; `vectorize` and `strategy` give the same.
    """
    with grad_mode.enabled(True):
        given, is_tuple = _inputs(inputs, "inputs", "jacobian")
        given = _prepared(given, create_graph)
        results, is_several = _results(func(*given), "jacobian", strict)
        rows: list[tuple[Tensor, ...]] = []
        for result in results:
            columns: list[list[Tensor]] = [[] for _ in given]
            stage = (
                f"Output {len(rows)} of the user-provided function is independent of input {{}}."
            )
            for element in call("aten::reshape", (result, [-1])).unbind(0):
                found = _grad((element,), given, None, create_graph)
                found = _filled(found, given, strict, stage)
                for column, one in zip(columns, found, strict=True):
                    column.append(one)
            rows.append(
                tuple(
                    _stacked(column, (*result.shape, *one.shape), one)
                    for column, one in zip(columns, given, strict=True)
                )
            )
    if not create_graph:
        rows = [tuple(one.detach() for one in row) for row in rows]
    by_result = [row if is_tuple else row[0] for row in rows]
    return tuple(by_result) if is_several else by_result[0]


def hessian(
    func: Function,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The Hessian of a function that gives one number: for inputs i and j one of the size of i and then of j."""
    given, is_tuple = _inputs(inputs, "inputs", "hessian")

    def slope(*inner: Tensor) -> Any:
        return _slopes(func, inner, strict, "hessian")[1]

    found = jacobian(slope, given, create_graph=create_graph, strict=strict)
    return found if is_tuple else found[0][0]


def vhp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The result of a function that gives one number, and the product of `v`, which is like the inputs, with its Hessian."""
    with grad_mode.enabled(True):
        given, is_tuple = _inputs(inputs, "inputs", "vhp")
        given = _prepared(given, create_graph)
        directions = _like(v, given, "v", "vhp", is_tuple, of="inputs")
        result, slopes = _slopes(func, given, strict, "vhp")
        found = _grad(slopes, given, directions, create_graph)
        found = _filled(found, given, strict, _UNUSED["double_back"])
    return _given((result,), False, create_graph), _given(found, is_tuple, create_graph)


def hvp(
    func: Function, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple[Any, Any]:
    """The result of a function that gives one number, and the product of its Hessian with `v`, which is like the inputs."""
    with grad_mode.enabled(True):
        given, is_tuple = _inputs(inputs, "inputs", "hvp")
        given = _prepared(given, create_graph)
        directions = _like(v, given, "v", "hvp", is_tuple, of="inputs")
        result, slopes = _slopes(func, given, strict, "hvp")
        weights = tuple(call("aten::zeros_like", (one,)).requires_grad_() for one in given)
        back = _filled(_grad(slopes, given, weights, True), given, strict, _UNUSED["double_back"])
        found = _grad(back, weights, directions, create_graph)
        found = _filled(found, given, strict, _UNUSED["double_back_trick"])
    return _given((result,), False, create_graph), _given(found, is_tuple, create_graph)


def _inputs(values: Any, what: str, name: str) -> tuple[tuple[Tensor, ...], bool]:
    """The tensors, and whether they were in a tuple; TypeError for others."""
    is_tuple = isinstance(values, tuple)
    found = values if is_tuple else (values,)
    for place, one in enumerate(found):
        if isinstance(one, Tensor):
            continue
        if is_tuple:
            raise TypeError(
                f"The {what} given to {name} must be either a Tensor or a tuple of Tensors but the value at index {place} has "
                f"type {type(one)}."
            )
        raise TypeError(
            f"The {what} given to {name} must be either a Tensor or a tuple of Tensors but the given {what} has type {type(one)}."
        )
    return found, is_tuple


def _prepared(given: Sequence[Tensor], create_graph: bool) -> tuple[Tensor, ...]:
    """Tensors of this function's own, which require gradients."""
    if create_graph:
        return tuple(
            one.view_as(one) if one.requires_grad else one.detach().clone().requires_grad_()
            for one in given
        )
    return tuple(one.detach().requires_grad_() for one in given)


def _results(values: Any, name: str, strict: bool) -> tuple[tuple[Tensor, ...], bool]:
    results, is_several = _inputs(values, "outputs of the user-provided function", name)
    if strict:
        for place, one in enumerate(results):
            if not one.requires_grad:
                raise RuntimeError(
                    f"Output {place} of the user-provided function does not require gradients. The outputs must be computed in a "
                    "differentiable manner from the input when running in strict mode."
                )
    return results, is_several


def _like(
    v: Any,
    wanted: Sequence[Tensor],
    what: str,
    name: str,
    is_several: bool,
    of: str = "outputs",
) -> tuple[Tensor, ...] | None:
    """The weights, as many and as large as the tensors."""
    if v is None:
        if len(wanted) == 1 and wanted[0].array.size == 1:
            return tuple(call("aten::ones_like", (one.detach(),)) for one in wanted)
        if of == "inputs":
            raise RuntimeError(
                "The vector v can only be None if the input to the user-provided function is a single Tensor with a single element."
            )
        raise RuntimeError(
            "The vector v can only be None if the user-provided function returns a single Tensor with a single element."
        )
    found, _ = _inputs(v, what, name)
    if len(found) != len(wanted):
        if is_several:
            raise RuntimeError(
                f"v is a tuple of invalid length: should be {len(wanted)} but got {len(found)}."
            )
        raise RuntimeError("The given v should contain a single Tensor.")
    for place, (one, like) in enumerate(zip(found, wanted, strict=True)):
        if one.array.shape != like.array.shape:
            which = f"Entry {place} in v" if is_several else "v"
            raise RuntimeError(
                f"{which} has invalid size: should be {like.shape} but got {one.shape}."
            )
    return found


def _slopes(
    func: Function, given: Sequence[Tensor], strict: bool, name: str
) -> tuple[Tensor, tuple[Tensor, ...]]:
    """The number that a function gives, and its gradients, recorded."""
    results, is_several = _results(func(*given), name, strict)
    _check_number(results, is_several, name)
    found = _filled(_grad(results, given, None, True), given, strict, _UNUSED["grad"])
    for place, one in enumerate(found):
        if strict and not one.requires_grad:
            raise RuntimeError(
                "While computing the hessian, found that the jacobian of the user-provided function with respect to input "
                f"{place} is independent of the input. This is not allowed in strict mode. You should ensure that your function "
                "is twice differentiable and that the jacobian depends on the inputs (this would be violated by a linear function "
                "for example)."
            )
    return results[0], found


def _check_number(results: Sequence[Tensor], is_several: bool, name: str) -> None:
    if is_several:
        raise RuntimeError(f"The function given to {name} should return a single Tensor")
    if results[0].array.size != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {name} should contain a single element"
        )


def _grad(
    results: Sequence[Tensor],
    given: Sequence[Tensor],
    weights: Sequence[Tensor] | None,
    create_graph: bool,
) -> tuple[Tensor | None, ...]:
    """The gradients, of those results that have any."""
    pairs = list(zip(results, weights or [None] * len(results), strict=True))
    going = [(one, weight) for one, weight in pairs if one.requires_grad]
    if not going:
        return (None,) * len(given)
    return grad(
        [one for one, _ in going],
        given,
        [weight for _, weight in going],
        retain_graph=True,
        create_graph=create_graph,
        allow_unused=True,
    )


_UNUSED = {
    "back": "The output of the user-provided function is independent of input {}.",
    "back_trick": "The gradient with respect to the input is independent of entry {} in the grad_outputs when using the double "
    "backward trick to compute forward mode gradients.",
    "grad": "The gradient is independent of input {}.",
    "double_back": "The hessian of the user-provided function is independent of input {}.",
    "double_back_trick": "The hessian of the user-provided function is independent of entry {} in the grad_jacobian.",
}


def _filled(
    found: Sequence[Tensor | None],
    like: Sequence[Tensor],
    strict: bool,
    unused: str,
) -> tuple[Tensor, ...]:
    """Zeros in the place of gradients that are none, which are errors where `strict`."""
    filled: list[Tensor] = []
    for place, (one, other) in enumerate(zip(found, like, strict=True)):
        if one is None:
            if strict:
                raise RuntimeError(f"{unused.format(place)} This is not allowed in strict mode.")
            one = call("aten::zeros_like", (other.detach(),))
        filled.append(one)
    return tuple(filled)


def _given(values: Sequence[Tensor], is_several: bool, create_graph: bool) -> Any:
    """What the caller gets."""
    if not create_graph:
        values = [one.detach() for one in values]
    return tuple(values) if is_several else values[0]


def _stacked(rows: Sequence[Tensor], shape: Sequence[int], like: Tensor) -> Tensor:
    if not rows:
        return call("aten::zeros", (list(shape),), {"dtype": like.dtype})
    return call("aten::reshape", (call("aten::stack", (list(rows), 0)), list(shape)))
