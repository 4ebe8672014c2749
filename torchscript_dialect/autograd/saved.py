"""Tensors that a node keeps until it runs (PyTorch: torch/csrc/autograd/saved_variable.h)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.autograd import anomaly
from torchscript_dialect.autograd.history import (
    History,
    gradient_edge,
    known,
    set_history,
)
from torchscript_dialect.autograd.nodes import AccumulateGrad, Edge, Node, short_name
from torchscript_dialect.autograd.saving_hooks import Pack, Unpack, are_hooks_on, innermost_hooks
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.storage import restride
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.tracked import TrackedTensor
from torchscript_dialect.tensor.unstrided import UnstridedTensor
from torchscript_dialect.tensor.versions import version_of, version_of_owner

INFERENCE_SAVED = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation tracked by "
    "autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` "
    "instead of `torch.inference_mode()`."
)


class SavedTensor:
    """An operand or result of an operator: the array and where its gradients go. The tensor itself is not held, which may hold the
    node that saves it; a leaf is found again by its edge.
    """

    __slots__ = ("array", "edge", "expected", "output_nr", "packed", "unpacks", "version")

    def __init__(self, tensor: Tensor, output_nr: int | None = None) -> None:
        """`output_nr` is for a result of the node that saves it. RuntimeError for an inference tensor, whose writes nobody counts."""
        self.array = array = tensor.array
        own = known(tensor)
        if own is not None and own.is_inference:
            raise RuntimeError(INFERENCE_SAVED)
        version = version_of(array) if own is None else own.version_of(array)
        self.version = version
        self.expected = version.count
        self.output_nr = output_nr
        self.edge: Edge | None = None
        if output_nr is None and own is not None and tensor.__class__ is TrackedTensor:
            self.edge = gradient_edge(tensor)

    def plain(self, node: Node) -> Tensor:
        """The tensor without its history.

        Raises:
            RuntimeError: its memory was written to since.
        """
        if self.version.count != self.expected:
            raise RuntimeError(self._modified(node))
        return tensor_of(self.array)

    def unpack(self, node: Node) -> Tensor:
        """The tensor, with its history where gradients are recorded.

        Raises:
            RuntimeError: its memory was written to since.
        """
        return self.with_history(node) if grad_mode.is_grad_enabled() else self.plain(node)

    def with_history(self, node: Node) -> Tensor:
        """The tensor with its history.

        Raises:
            RuntimeError: its memory was written to since.
        """
        tensor = self.plain(node)
        if self.output_nr is not None:
            set_history(tensor, node, self.output_nr)
        elif self.edge is not None:
            leaf = self.edge.node
            if not isinstance(leaf, AccumulateGrad):
                set_history(tensor, *self.edge)
            elif (variable := leaf.variable) is not None:
                return variable
        return tensor

    def register_hooks(self, pack: Pack, unpack: Unpack) -> None:
        """Keep what `pack` makes of the tensor instead of it; `unpack` has to give a tensor of that.

        Raises:
            RuntimeError: `pack` writes to the tensor.
        """
        leaf = self.edge.node if self.edge is not None else None
        variable = leaf.variable if isinstance(leaf, AccumulateGrad) else None
        if variable is None or variable.array is not self.array:
            variable = tensor_of(self.array)  # an unpacked tensor may lead to a leaf and be another
        before = self.version.count
        with grad_mode.enabled(False):
            self.packed = pack(variable)
        if self.version.count != before:
            raise RuntimeError(
                "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook can not be "
                "modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if you need "
                "to perform in-place operations on the input to a pack hook."
            )
        self.unpacks = unpack
        cast("Any", self).__class__ = PackedTensor
        del self.array

    def alone(self) -> SavedTensor:
        """The same for one operand of one node, which may get hooks: others are kept by one object (`kept_once`)."""
        if self.__class__ is not SavedTensor:
            return self
        own = _new(LoneSavedTensor)
        own.array, own.edge, own.output_nr = self.array, self.edge, self.output_nr
        own.version, own.expected = self.version, self.expected
        return own

    def _modified(self, node: Node) -> str:
        tensor = tensor_of(self.array)
        of = Edge(node, self.output_nr) if self.output_nr is not None else self.edge
        if of is not None and isinstance(of.node, AccumulateGrad):
            of = None
        which = "" if of is None else f", which is output {of.nr} of {short_name(of.node.name())},"
        shown = f"torch.{tensor.dtype.type_name}Tensor {list(self.array.shape)}"
        return (
            "one of the variables needed for gradient computation has been modified by an inplace operation: "
            f"[{shown}]{which} is at version {self.version.count}; expected version {self.expected} instead. {anomaly.hint()}"
        )


class LoneSavedTensor(SavedTensor):
    """What no other operand has in common."""

    __slots__ = ()


class PackedTensor(SavedTensor):
    """A saved tensor of which hooks keep what they like; writes to that are not followed."""

    __slots__ = ()

    def register_hooks(self, pack: Pack, unpack: Unpack) -> None:
        """Raises RuntimeError."""
        raise RuntimeError(
            "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one pair of hooks is allowed "
            "at a time."
        )

    def plain(self, node: Node) -> Tensor:
        """The tensor without its history; TypeError where the hook gave none."""
        found = self.unpacks(self.packed)
        if not isinstance(found, Tensor):
            raise TypeError(
                f"Output of saved tensor unpack_hook expected to be a Tensor but got result of type {type(found).__name__}"
            )
        return tensor_of(found.array)

    def with_history(self, node: Node) -> Tensor:
        tensor = self.plain(node)
        edge = self.edge if self.output_nr is None else Edge(node, self.output_nr)
        if edge is not None:
            set_history(tensor, *edge)
        return tensor


def keep(tensor: Tensor, output_nr: int | None = None) -> SavedTensor:
    """What keeps a tensor, by the hooks of this thread if there are any."""
    if are_hooks_on():
        saved = SavedTensor(tensor, output_nr)
        saved.register_hooks(*innermost_hooks())
        return saved
    return keep_operand(tensor) if output_nr is None else SavedTensor(tensor, output_nr)


def keep_operand(tensor: Tensor) -> SavedTensor:
    """What keeps an operand, where no hooks are on."""
    if tensor.__class__ is TrackedTensor:
        own = known(tensor)
        if own is not None and own.edge_array is tensor.array and own.apart is None:
            return kept_once(tensor)
    return SavedTensor(tensor)


def keep_result(value: Any, output_nr: int | None) -> Any:
    """What keeps a result of a node whose history it has, where no hooks are on; the value where it is no tensor."""
    own: History
    if value.__class__ is not TrackedTensor or (own := value.autograd).edge_array is None:
        return SavedTensor(value, output_nr) if isinstance(value, Tensor) else value
    array = value.array
    if (
        output_nr is None
        or own.version is not None
        or own.apart is not None
        or own.is_inference
        or array.base is not None
    ):
        return SavedTensor(value, output_nr)
    saved = _new(SavedTensor)
    saved.array, saved.edge, saved.output_nr = array, None, output_nr
    own.version = saved.version = version = version_of_owner(array)
    saved.expected = version.count
    return saved


class SavedFacts:
    """Sizes and dtype of a tensor, for formulas that ask for no more."""

    __slots__ = ("dtype", "memory", "shape")

    def __init__(self, tensor: Tensor) -> None:
        array = tensor.array
        self.shape = array.shape
        self.dtype = array.dtype
        self.memory = array.memory if isinstance(array, DeviceArray) else None

    def unpack(self) -> Tensor:
        """A tensor of that size on the memory of one element."""
        if self.memory is None:
            return tensor_of(_one_for_all(self.shape, self.dtype))
        one = self.memory.empty((1,), self.dtype)
        return tensor_of(restride(one, self.shape, (0,) * len(self.shape)))

    def plain(self, node: Node) -> Tensor:
        """The same; for who does not tell it from a `SavedTensor`."""
        return self.unpack()


@lru_cache(maxsize=1 << 10)
def _one_for_all(shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """An array of that size, all of whose elements are one that nobody reads or writes."""
    return restride(np.zeros(1, dtype), shape, (0,) * len(shape))


class SavedPlace(SavedFacts):
    """Strides and the place in memory, too."""

    __slots__ = ("first", "strides")

    def __init__(self, tensor: Tensor) -> None:
        super().__init__(tensor)
        self.strides = tensor.array.strides
        self.first = tensor.storage_offset()

    def unpack(self) -> Tensor:
        """A tensor of that size at that place of memory that nobody reads."""
        count = self.first + 1
        memory = (
            np.empty(count, self.dtype)
            if self.memory is None
            else self.memory.empty((count,), self.dtype)
        )
        return tensor_of(restride(memory[self.first :], self.shape, self.strides))


def kept_once(tensor: Tensor) -> SavedTensor:
    """What keeps a tensor whose edge is that of its array, or one without gradients: the same as the last time where nobody has
    written to it since.
    """
    own: History = tensor.autograd
    last, array = own.saved, tensor.array
    edge = own.edge if tensor.__class__ is TrackedTensor else None
    if last is None or last.array is not array or last.edge is not edge:
        last = own.saved = SavedTensor(tensor)
    elif last.version.count != last.expected:
        before, last = last, _new(SavedTensor)
        last.array, last.version, last.expected = array, before.version, before.version.count
        last.edge, last.output_nr = edge, None
        own.saved = last
    return last


def follow_data(own: History, array: Any) -> None:
    """Let what keeps a tensor stand on the array that was assigned to its `data`: PyTorch's nodes
    hold such a tensor itself. What has another size or dtype stays apart, for which the nodes have no formulas.
    """
    saved = own.saved
    if saved is None or saved.version.count != saved.expected:
        return  # the backward says so
    if saved.array.shape == array.shape and saved.array.dtype == array.dtype:
        saved.array = array
        saved.version = own.version_of(array)
        saved.expected = saved.version.count


_new = object.__new__


def save(value: Any, *, is_read: bool = True) -> Any:
    """What keeps an operand: strided tensors, also in lists, as saved ones. The fields of another are replaced where it is written to,
    so that its twin keeps what they are now.
    """
    if isinstance(value, UnstridedTensor):
        return value.twin(value.elements)
    if isinstance(value, Tensor):
        return keep(value) if is_read else SavedFacts(value)
    if isinstance(value, list):
        return [save(item, is_read=is_read) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def is_freed_with(value: Any) -> bool:
    """Whether what a node keeps holds elements of tensors, so that the node is of no use without it. Sizes and numbers stay."""
    if value.__class__ is list:
        return any(map(is_freed_with, cast("list[Any]", value)))
    return isinstance(value, (SavedTensor, Tensor))


def unpack(value: Any, node: Node) -> Any:
    """The operand again."""
    if isinstance(value, SavedTensor):
        return value.unpack(node)
    if isinstance(value, SavedFacts):
        return value.unpack()
    if isinstance(value, list):
        return [unpack(item, node) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value
