"""What users call: `backward`, `grad`, and what tensors have for it (PyTorch: torch/autograd/__init__.py, torch/_tensor.py)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from math import prod
from types import NoneType
from typing import Any, cast
from weakref import ref

import numpy as np

from torchscript_dialect.autograd.engine import accumulate_in_one_step, execute, in_one_step
from torchscript_dialect.autograd.history import (
    base_of,
    grad_fn,
    gradient_edge,
    history,
    is_leaf,
    known,
    set_apart,
    set_required,
)
from torchscript_dialect.autograd.lent_leaves import gradient_of_lender, told_to_pytorch
from torchscript_dialect.autograd.nodes import (
    AccumulateGrad,
    Edge,
    GradientEdge,
    RemovableHandle,
    register,
)
from torchscript_dialect.autograd.saved import follow_data
from torchscript_dialect.autograd.torch_functions import reduce_ex, torch_function
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.runtime.values.for_pytorch import tensor_for_pytorch
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.inference import is_inference, is_inference_mode_enabled
from torchscript_dialect.tensor.tensor import Size, Tensor, lender_of, tensor_of
from torchscript_dialect.tensor.tracked import TrackedTensor, begin_use, untrack
from torchscript_dialect.tensor.unstrided import UnstridedTensor

Tensors = Tensor | GradientEdge | Sequence[Tensor | GradientEdge]
Grads = Tensor | Sequence[Tensor | None] | None


def backward(
    tensors: Tensors,
    grad_tensors: Grads = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Tensors | None = None,
) -> None:
    """Add the gradients of the sum of `tensors`, weighted by `grad_tensors`, up in the leaves, or in `inputs` only.

    Raises:
        RuntimeError: a tensor requires no gradient, or has more than one element and no weight; the graph was freed, or what it saved
            was written to; an operator has no derivative.
    """
    roots = _roots(_sequence(tensors), grad_tensors)
    keep = create_graph if retain_graph is None else retain_graph
    if inputs is None:
        is_quick = len(roots) == 1 and not create_graph
        with told_to_pytorch(
            [edge for edge, _ in roots], keep_graph=keep, create_graph=create_graph
        ):
            if not (is_quick and accumulate_in_one_step(*roots[0], keep_graph=keep)):
                execute(roots, keep_graph=keep, create_graph=create_graph)
        return
    wanted = _sequence(inputs)
    if not wanted:
        raise RuntimeError("'inputs' argument to 'backward' cannot be empty.")
    found = execute(
        roots,
        keep_graph=keep,
        create_graph=create_graph,
        captures=_captures(_edges(wanted)),
        accumulates=True,
    )
    for place, grad in found.items():
        tensor = wanted[place]
        if isinstance(tensor, Tensor) and not is_leaf(tensor):
            own = history(tensor)
            own.grad = grad if own.grad is None else call("aten::add", (own.grad, grad))


def grad(
    outputs: Tensors,
    inputs: Tensors,
    grad_outputs: Grads = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]:
    """The gradients of the sum of `outputs`, weighted by `grad_outputs`, by each of the inputs. With `is_grads_batched` the weights
    have one dimension more, and so have the gradients: one for each row.

    Raises:
        RuntimeError: as `backward`, and where an input has no part in the outputs, unless `allow_unused` or `materialize_grads`.
    """
    if not only_inputs:
        warnings.warn(
            "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for other parts of the "
            "graph, please use torch.autograd.backward.",
            FutureWarning,
            stacklevel=2,
        )
    if is_grads_batched:
        unused = allow_unused or materialize_grads
        return _of_each(outputs, inputs, grad_outputs, retain_graph, create_graph, unused)
    if materialize_grads and allow_unused is False:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    wanted = _sequence(inputs)
    if not wanted:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    roots = _roots(_sequence(outputs), grad_outputs)
    keep = create_graph if retain_graph is None else retain_graph
    edges = _edges(wanted)
    found: Sequence[Tensor | None] | None = None
    if len(roots) == 1 and not create_graph:
        found = in_one_step(*roots[0], edges, keep_graph=keep)
    if found is None:
        captures = _captures(edges)
        captured = execute(roots, keep_graph=keep, create_graph=create_graph, captures=captures)
        found = [captured.get(captures[edge]) for edge in edges]
    if NoneType not in map(type, found):
        return tuple(found)
    if materialize_grads:
        return tuple(
            [_zeros_for(t) if g is None else g for t, g in zip(wanted, found, strict=True)]
        )
    if not allow_unused:
        place = next(place for place, one in enumerate(found) if one is None)
        raise RuntimeError(
            f"The differentiated Tensor at index {place} appears to not have been used in the graph. Set "
            "allow_unused=True if this is the desired behavior."
        )
    return tuple(found)


def _zeros_for(tensor: Tensor | GradientEdge) -> Tensor:
    if isinstance(tensor, GradientEdge):
        raise RuntimeError(
            "materialize_grads cannot be used when the given input is a GradientEdge"
        )
    return call("aten::zeros_like", (tensor.detach(),))


def _of_each(
    outputs: Tensors,
    inputs: Tensors,
    grad_outputs: Grads,
    retain_graph: bool | None,
    create_graph: bool,
    allow_unused: bool,
) -> tuple[Tensor | None, ...]:
    """The gradients for each row of the weights, stacked."""
    given = [] if grad_outputs is None else _sequence(grad_outputs)
    rows: list[list[Tensor]] = [call("aten::unbind", (weight, 0)) for weight in given]
    keep = create_graph if retain_graph is None else retain_graph
    found: list[tuple[Tensor | None, ...]] = []
    for number, row in enumerate(zip(*rows, strict=True), 1):
        is_kept = keep or number < len(rows[0])
        found.append(grad(outputs, inputs, row, is_kept, create_graph, allow_unused=allow_unused))
    return tuple(
        None if None in column else call("aten::stack", (list(column), 0)) for column in zip(*found)
    )


def _sequence(tensors: Any) -> list[Any]:
    return [tensors] if isinstance(tensors, (Tensor, GradientEdge)) else list(tensors)


def _edge(tensor: Tensor | GradientEdge) -> Edge | None:
    return Edge(*tensor[:2]) if isinstance(tensor, GradientEdge) else gradient_edge(tensor)


def _edges(tensors: Sequence[Tensor | GradientEdge]) -> list[Edge]:
    """Where the gradients of tensors arrive; RuntimeError for one that requires none."""
    found = [_edge(tensor) for tensor in tensors]
    if None in found:
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    return cast("list[Edge]", found)


def _captures(edges: Sequence[Edge]) -> dict[Edge, int]:
    """The places of the edges, the first of those that are the same."""
    found: dict[Edge, int] = {}
    for place, edge in enumerate(edges):
        found.setdefault(edge, place)
    return found


def _roots(tensors: Sequence[Tensor | GradientEdge], grads: Grads) -> list[tuple[Edge, Tensor]]:
    weights: Sequence[Tensor | None] = [None] * len(tensors)
    if grads is not None:
        weights = [grads] if isinstance(grads, Tensor) else list(grads)
    if len(weights) != len(tensors):
        raise RuntimeError(f"got {len(tensors)} tensors and {len(weights)} gradients")
    found: list[tuple[Edge, Tensor]] = []
    for number, (tensor, weight) in enumerate(zip(tensors, weights, strict=True)):
        if isinstance(tensor, GradientEdge):
            found.append(_root_at(tensor, weight, number))
            continue
        edge = gradient_edge(tensor)
        if weight is None:
            weight = _one_for(tensor, edge)
        elif weight.array.shape != tensor.array.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[{number}] has a shape of {weight.shape} and output[{number}] has a "
                f"shape of {tensor.shape}."
            )
        if edge is None:
            raise RuntimeError(
                f"element {number} of tensors does not require grad and does not have a grad_fn"
            )
        found.append((edge, weight))
    return found


def _root_at(edge: GradientEdge, weight: Tensor | None, number: int) -> tuple[Edge, Tensor]:
    """An edge and its weight, as `_roots` has them of tensors."""
    result = edge.node.results[edge.output_nr]
    assert result is not None
    if weight is None:
        if prod(result.shape) != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        weight = cast("Tensor", call("aten::ones_like", (result.zeros(),)))
    elif weight.array.shape != result.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{number}] has a shape of {weight.shape} and output[{number}] has a shape of "
            f"{Size(result.shape)}."
        )
    return Edge(edge.node, edge.output_nr), weight


def _one_for(tensor: Tensor, edge: Edge | None) -> Tensor:
    """The weight of a result that got none.

    Raises:
        RuntimeError: it has more than one element, or a complex one.
    """
    array = tensor.array
    if edge is not None and array.size != 1:
        raise RuntimeError("grad can be implicitly created only for scalar outputs")
    kind = tensor.dtype
    if edge is not None and kind.is_complex:
        raise RuntimeError(
            f"grad can be implicitly created only for real scalar outputs but got torch.{kind.name}"
        )
    if array.__class__ is not np.ndarray:
        return call("aten::ones_like", (tensor_of(array),))
    ones = array.copy()
    ones.fill(1)  # sooner than np.ones
    return tensor_of(ones)


# What tensors have.


def set_requires_grad(tensor: Tensor, wanted: bool) -> Tensor:
    """`requires_grad_`; RuntimeError for elements that have no gradients, for sparse and nested tensors, for inference tensors outside
    the mode, and for what is no leaf.
    """
    is_tracked = tensor.__class__ is TrackedTensor
    if is_tracked and not is_leaf(tensor):
        if wanted:
            return tensor
        raise RuntimeError(
            "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a "
            "subgraph that doesn't require differentiation use var_no_grad = var.detach()."
        )
    if not wanted:
        if is_tracked:
            set_required(tensor, False)
        return tensor
    if not (tensor.dtype.is_floating_point or tensor.dtype.is_complex):
        raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
    if is_inference(tensor) and not is_inference_mode_enabled():
        raise RuntimeError(
            "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."
        )
    if isinstance(tensor, UnstridedTensor):
        raise NotImplementedError(
            f"gradients of tensors with the layout {tensor.layout} are not supported"
        )
    set_required(tensor, True)
    return tensor


def detach_(tensor: Tensor) -> Tensor:
    """Make a tensor a leaf that requires no gradient; RuntimeError for a view."""
    own = known(tensor)
    if own is not None:
        if own.view is not None:
            raise RuntimeError(
                "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for "
                "training, and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence "
                "detach_() cannot be called on these gradients. To fix this error, please refer to the "
                "Optimizer.zero_grad() function in torch/optim/optimizer.py as the solution."
            )
        own.grad_fn = own.edge_array = None
        own.rebase()
    untrack(tensor)
    return tensor


def retain_grad(tensor: Tensor) -> None:
    """Let a tensor that is no leaf keep its gradient; RuntimeError where it requires none."""
    if tensor.__class__ is not TrackedTensor:
        raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
    node = grad_fn(tensor)
    if node is not None:
        node.retained[history(tensor).output_nr] = ref(tensor)


def register_hook(tensor: Tensor, hook: Callable[[Tensor], Any]) -> RemovableHandle:
    """Call `hook` with each gradient of a tensor; what it returns, if anything, takes its place."""
    if tensor.__class__ is not TrackedTensor:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    edge = gradient_edge(tensor)
    assert edge is not None
    return register(edge.node.hooks.setdefault(edge.nr, {}), hook)


def register_post_accumulate_grad_hook(
    tensor: Tensor, hook: Callable[[Tensor], None]
) -> RemovableHandle:
    """Call `hook` with a leaf after each gradient that is added up in it."""
    if tensor.__class__ is not TrackedTensor:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    if not is_leaf(tensor):
        raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
    node = history(tensor).edge_of_leaf(tensor).node
    assert isinstance(node, AccumulateGrad)
    return register(node.after, hook)


def _lender_of_leaf(tensor: Tensor) -> Any:
    """The tensor of PyTorch's whose `grad` is that of a leaf; None where there is none."""
    lender: Any = lender_of(tensor)
    if lender is None or tensor.__class__ is not TrackedTensor or not is_leaf(tensor):
        return None
    torch = pytorch_state.loaded()
    is_one = torch is not None and isinstance(lender, torch.Tensor)
    return lender if is_one and lender.requires_grad and lender.is_leaf else None


def _get_grad(tensor: Tensor) -> Tensor | None:
    lender = _lender_of_leaf(tensor)
    if lender is not None:
        return gradient_of_lender(tensor, lender)
    own = known(tensor)
    return None if own is None else own.grad


def _set_grad(tensor: Tensor, value: Any) -> None:
    if value is not None and not isinstance(value, Tensor):
        raise TypeError(
            f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}"
        )
    if value is not None and value.shape != tensor.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{list(value.shape)}' to a tensor of size "
            f"'{list(tensor.array.shape)}'. Please ensure that the gradient and the tensor are the same size"
        )
    if value is not None and value.dtype is not tensor.dtype:
        raise RuntimeError(
            f"attempting to assign a gradient with dtype '{value.dtype.type_name.lower()}' to a tensor with grad_dtype "
            f"'{tensor.dtype.type_name}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's dtype)."
        )
    history(tensor).grad = value
    lender = _lender_of_leaf(tensor)
    if lender is not None:
        lender.grad = None if value is None else tensor_for_pytorch(value, pytorch_state.loaded())


def _data(tensor: Tensor) -> Tensor:
    """The same memory, without history, and with a counter of writes of its own."""
    if isinstance(tensor, UnstridedTensor):
        return tensor.twin(tensor.elements)
    return set_apart(tensor_of(tensor.array), tensor)


def _set_data(tensor: Tensor, value: Any) -> None:
    """Let a tensor stand on another one's memory; what it knows of its history stays."""
    if not isinstance(value, Tensor):
        raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
    tensor.array = value.array
    own = known(tensor)
    if own is None:
        return
    follow_data(own, value.array)
    if own.accumulator is not None and own.grad_fn is None:
        own.edge_of_leaf(tensor)  # perhaps on another device


def _set_requires_grad(tensor: Tensor, wanted: bool) -> None:
    set_requires_grad(tensor, wanted)


def _requires_grad_(self: Tensor, requires_grad: bool = True) -> Tensor:
    if requires_grad and not (self.dtype.is_floating_point or self.dtype.is_complex):
        raise RuntimeError("only Tensors of floating point dtype can require gradients")
    return set_requires_grad(self, requires_grad)


def _is_view(self: Tensor) -> bool:
    return base_of(self) is not None


def _retains_grad(tensor: Tensor) -> bool:
    node = grad_fn(tensor)
    return node is not None and node.retains(history(tensor).output_nr)


def _version(tensor: Tensor) -> int:
    if is_inference(tensor):
        raise RuntimeError("Inference tensors do not track version counter.")
    begin_use()
    return history(tensor).version_of(tensor.array).count


def _tensor_backward(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Tensors | None = None,
) -> None:
    if gradient is None and inputs is None and not retain_graph and not create_graph:
        edge = gradient_edge(self)
        if edge is not None and accumulate_in_one_step(
            edge, _one_for(self, edge), keep_graph=False
        ):
            return
    backward(self, gradient, retain_graph, create_graph, inputs)


def install() -> None:
    """Give tensors what belongs to gradients."""
    members: dict[str, Any] = {
        "requires_grad": property(
            lambda self: self.__class__ is TrackedTensor,
            _set_requires_grad,
        ),
        "data": property(_data, _set_data),
        "grad": property(_get_grad, _set_grad, lambda self: _set_grad(self, None)),
        "grad_fn": property(grad_fn),
        "is_leaf": property(is_leaf),
        "output_nr": property(lambda self: 0 if is_leaf(self) else history(self).output_nr),
        "retains_grad": property(_retains_grad),
        "_version": property(_version),
        "_base": property(base_of),
        "_is_view": _is_view,
        "backward": _tensor_backward,
        "requires_grad_": _requires_grad_,
        "detach_": detach_,
        "retain_grad": retain_grad,
        "register_hook": register_hook,
        "register_post_accumulate_grad_hook": register_post_accumulate_grad_hook,
        "__torch_function__": classmethod(torch_function),
        "__reduce_ex__": reduce_ex,
    }
    for name, member in members.items():
        setattr(Tensor, name, member)
