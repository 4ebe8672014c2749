"""`torch.autograd.graph`: what programs may ask of the graph of gradients, and hooks of what it saves."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, NamedTuple

from torchscript_dialect.autograd import saved
from torchscript_dialect.autograd.history import gradient_edge
from torchscript_dialect.autograd.nodes import Node as Node
from torchscript_dialect.tensor import versions
from torchscript_dialect.tensor.tensor import Tensor

__all__ = [
    "GradientEdge",
    "Node",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "save_on_cpu",
    "saved_tensors_hooks",
]


class GradientEdge(NamedTuple):
    """Result `output_nr` of what a node is the gradient of."""

    node: Node
    output_nr: int
    ownership_token: Any = None


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """Where the gradients of a tensor go; RuntimeError where it requires none."""
    edge = gradient_edge(tensor)
    if edge is None:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require gradients"
        )
    return GradientEdge(edge.node, edge.nr)


def increment_version(tensor: Tensor | Sequence[Tensor]) -> None:
    """Count a write to tensors that nobody else has counted."""
    for one in [tensor] if isinstance(tensor, Tensor) else tensor:
        versions.written(one.array)


class saved_tensors_hooks:
    """In this block nodes keep what `pack_hook` makes of a tensor, and get it back from `unpack_hook`."""

    def __init__(
        self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
    ) -> None:
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self) -> None:
        saved.push_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        saved.pop_hooks()


class save_on_cpu(saved_tensors_hooks):
    """In this block nodes keep tensors in the memory of the CPU, and get them back on the device that they were on."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        def pack(tensor: Tensor) -> tuple[Any, Tensor]:
            return tensor.device, tensor.cpu()

        def unpack(packed: tuple[Any, Tensor]) -> Tensor:
            device, tensor = packed
            return tensor.to(device)

        super().__init__(pack, unpack)


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Generator[None]:
    """In this block `saved_tensors_hooks` raises RuntimeError with this message."""
    before = saved.refuse_hooks(error_message)
    try:
        yield
    finally:
        saved.refuse_hooks(before)
