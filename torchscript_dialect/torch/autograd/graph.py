"""`torch.autograd.graph`: what programs may ask of the graph of gradients, and hooks of what it saves."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary, ref

from torchscript_dialect.autograd import saving_hooks
from torchscript_dialect.autograd.engine import Run, current_run
from torchscript_dialect.autograd.functions import register_hook
from torchscript_dialect.autograd.history import count_write, gradient_edge
from torchscript_dialect.autograd.nodes import GradientEdge as GradientEdge
from torchscript_dialect.autograd.nodes import Node as Node
from torchscript_dialect.autograd.nodes import RemovableHandle
from torchscript_dialect.tensor.tensor import Tensor

__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]


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
        count_write(one)


class saved_tensors_hooks:
    """In this block nodes keep what `pack_hook` makes of a tensor, and get it back from `unpack_hook`."""

    def __init__(
        self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]
    ) -> None:
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self) -> None:
        saving_hooks.push_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, *_: object) -> None:
        saving_hooks.pop_hooks()


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
    before = saving_hooks.refuse_hooks(error_message)
    try:
        yield
    finally:
        saving_hooks.refuse_hooks(before)


class _Handles(RemovableHandle):
    """Several hooks that are taken away together."""

    def __init__(self, handles: Sequence[RemovableHandle]) -> None:
        self.handles = tuple(handles)

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()


class _Together:
    """What a hook of several tensors knows of each way back: how many gradients came, and which."""

    def __init__(self, tensors: Sequence[Tensor], call: Callable[..., None], mode: str) -> None:
        edges = [gradient_edge(tensor) for tensor in tensors]
        self.nodes = [None if edge is None else ref(edge.node) for edge in edges]
        self.call, self.mode = call, mode
        self.found: WeakKeyDictionary[Run, dict[int, Tensor]] = WeakKeyDictionary()
        self.lock = Lock()

    def hook(self, place: int) -> Callable[[Tensor], None]:
        """The hook of one of the tensors."""

        def see(grad: Tensor) -> None:
            run = current_run()
            assert run is not None, "expected this hook to be called inside a backward call"
            with self.lock:
                found = self.found.setdefault(run, {})
                found[place] = grad
                count = len(found)
            if self.mode == "any":
                if count == 1:
                    self.call(grad)
            elif count == self.awaited(run):
                del self.found[run]
                self.call([found.get(one) for one in range(len(self.nodes))])

        return see

    def awaited(self, run: Run) -> int:
        """How many gradients come on this way back."""
        nodes = [None if node is None else node() for node in self.nodes]
        return sum(node is not None and run.will_run(node) for node in nodes)


def register_multi_grad_hook(
    tensors: Sequence[Tensor], fn: Callable[..., None], *, mode: str = "all"
) -> RemovableHandle:
    """Call `fn` with the gradients of all tensors, once those have come that come, None for the others; with the mode "any" with the
    first that comes.

    Raises:
        ValueError: there is no such mode.
        RuntimeError: a tensor requires no gradient, and the mode is "all".
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    if mode == "any":
        tensors = [tensor for tensor in tensors if tensor.requires_grad]
    together = _Together(tensors, fn, mode)
    return _Handles([register_hook(one, together.hook(n)) for n, one in enumerate(tensors)])


class _AllowsMutation:
    """A block of `allow_mutation_on_saved_tensors`: what is saved in it can be had while it lasts."""

    def __init__(self) -> None:
        self.copies: list[_Copy] = []

    def pack(self, tensor: Tensor) -> _Copy:
        """A copy of what is saved."""
        copy = _Copy(tensor.detach().clone())
        self.copies.append(copy)
        return copy

    def unpack(self, copy: _Copy) -> Tensor:
        """What was saved."""
        assert copy.tensor is not None, (
            "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context in which the graph was originally recorded."
        )
        return copy.tensor

    def clear(self) -> None:
        """Let go of all copies."""
        for copy in self.copies:
            copy.tensor = None
        self.copies.clear()


class _Copy:
    __slots__ = ("tensor",)

    def __init__(self, tensor: Tensor) -> None:
        self.tensor: Tensor | None = tensor


@contextmanager
def allow_mutation_on_saved_tensors() -> Generator[_AllowsMutation]:
    """In this block nodes keep copies of tensors, so that these may be written to; gradients go back before its end. `clear()` of what
    it gives lets go of the copies.

    Raises:
        RuntimeError: the block is in another one.
    """
    if saving_hooks.is_packing(_AllowsMutation.pack):
        raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
    block = _AllowsMutation()
    with saved_tensors_hooks(block.pack, block.unpack):
        try:
            yield block
        finally:
            block.clear()
