"""What a tensor knows of how it came about: the slot `Tensor.autograd` (PyTorch: torch/csrc/autograd/variable.h).

Note [Views and their bases]
A view knows the tensor that it is a view of, `base`, and the operators that lead there. A write to the view is a write to the base:
the base gets a node `CopySlices` as its history, and what the other views of the base knew of theirs is out of date. They make it
anew when they are asked, by the same operators from the base as it is now. Bases know their views, so that a base that begins to
require gradients lets them begin, too. A plain tensor has a history only if it is such a view or base.

Note [Counters of writes]
Writes are counted for memory, which a tensor, its views and what is detached from it have in common (tensor/versions.py). A tensor
that nobody else knows has the number of its writes in its slot, a base the counter of all its views. What compiled functions write is
counted where the memory is watched: who asks for `_version` watches from then on. `x.data` is
apart: it stands on the memory of `x`, and what is written to it and its views is not counted for `x`, whose gradients do not
follow it either. Until somebody asks, it has `APART` for its history. Nodes keep what a tensor was when they were made: an array
that is assigned to `x.data` afterwards they do not see, as PyTorch's do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from weakref import ReferenceType, ref

from numpy.typing import NDArray

from torchscript_dialect.autograd.creation_meta import CreationMeta
from torchscript_dialect.autograd.nodes import AccumulateGrad, Edge, Node, edge_of, fact
from torchscript_dialect.autograd.saving_hooks import without_hooks
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.inference import (
    INFERENCE,
    Inference,
    is_inference,
    is_inference_mode_enabled,
    slot,
)
from torchscript_dialect.tensor.storage import root
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.tracked import TrackedTensor, track, untrack
from torchscript_dialect.tensor.versions import Version, counter_of, watch, written

FEW_VIEWS = 8


class Step(NamedTuple):
    """An operator that gives a view of operand number `place`, or of one of a list that stands there."""

    operator: Operator
    operands: tuple[Any, ...]
    place: int
    element: int | None = None

    @classmethod
    def of(
        cls, operator: Operator, operands: Sequence[Any], place: int, element: int | None = None
    ) -> Step:
        """The step of a call, which does not keep what it views alive. Other tensors stay as they are: `x.view_as(other)`."""
        kept = (tensor_of(one.array) if isinstance(one, Tensor) else one for one in operands)
        step = cls(operator, tuple(kept), place, element)
        return step._replace(operands=step._with(None))

    def _with(self, viewed: Tensor | None) -> tuple[Any, ...]:
        """The operands, with another one where that was which is viewed."""
        operands = list(self.operands)
        if self.element is None:
            operands[self.place] = viewed
        else:
            operands[self.place] = list(operands[self.place])
            operands[self.place][self.element] = viewed
        return tuple(operands)

    def apply(self, viewed: Tensor) -> Any:
        """The same view of another tensor."""
        assert self.operator.recorded is not None
        return self.operator.recorded(*self._with(viewed))


class Path(NamedTuple):
    """The steps to a view: the last, and those before it, which views of one another share."""

    before: Path | None
    last: Step

    def steps(self) -> Iterator[Step]:
        """From the first to the last."""
        found: list[Step] = []
        path: Path | None = self
        while path is not None:
            found.append(path.last)
            path = path.before
        return reversed(found)

    def after(self, first: Step) -> Path:
        """The same steps after another one."""
        path = Path(None, first)
        for step in self.steps():
            path = Path(path, step)
        return path


_OF_NUMBERS = frozenset(("aten::view_as_real", "aten::view_as_complex", "aten::real", "aten::imag"))
"""Operators whose views have other numbers than the base."""


class View(NamedTuple):
    """What a view is of, how one comes there, and how it was made, if it must not be written to in place for that."""

    base: Tensor
    path: Path
    meta: CreationMeta | None = None

    def apply(self, base: Tensor) -> Tensor:
        """The same view of another tensor of the base's sizes and strides."""
        for step in self.path.steps():
            base = step.apply(base)
        return base

    def again(self, view: Tensor) -> Tensor:
        """The same view of the base as it is now: by its place in memory, as PyTorch's, where the base is still there."""
        base, array = self.base, view.array
        names = {step.operator.name for step in self.path.steps()}
        if not _OF_NUMBERS.isdisjoint(names) or root(array) is not root(base.array):
            return self.apply(base)
        operator = registry.find("aten::as_strided")
        assert operator is not None and operator.recorded is not None
        sizes, strides = list(array.shape), list(view.stride())
        with without_hooks():  # of the base only the place is kept, which no hook is to see
            made = operator.recorded(base, sizes, strides, view.storage_offset())
        if (node := history(made).grad_fn) is not None:
            node.forget_elements()  # of the base, which may be written to again
        return made


class History:
    """The gradient and the place in the graph of one tensor; see Note [Views and their bases]."""

    __slots__ = (
        "accumulator",
        "apart",
        "edge",
        "edge_array",
        "grad",
        "grad_fn",
        "is_detached",
        "is_required",
        "most_views",
        "output_nr",
        "rebases",
        "saved",
        "seen",
        "version",
        "view",
        "views",
    )

    is_inference = False

    def __init__(
        self,
        grad_fn: Node | None = None,
        output_nr: int = 0,
        edge: Edge | None = None,
        edge_array: Any = None,
    ) -> None:
        self.grad: Tensor | None = None
        self.grad_fn = grad_fn
        self.output_nr = output_nr
        self.accumulator: Edge | None = None
        """Where the gradients of a leaf go."""
        self.edge = edge
        """Where the gradients of the tensor go while `edge_array` is its array, of whose size and dtype the edge knows."""
        self.edge_array = edge_array
        """None where that has to be looked for: in a view whose base got another node."""
        self.view: View | None = None
        self.views: list[ReferenceType[Tensor]] = []
        self.most_views = FEW_VIEWS
        """How many of them lead to a look for those that are gone."""
        self.rebases = 0
        """How many times the tensor got another node or was written to."""
        self.seen = 0
        """The `rebases` of the base for which a view's node was made."""
        self.version: Version | None = None
        """The counter of the tensor's memory, once somebody asked or wrote."""
        self.apart: Version | None = None
        """The tensor's own counter, where it has one: Note [Counters of writes]."""
        self.is_detached = False
        """Whether the tensor shares the memory of another one, of whose gradients it is to know nothing: `x.detach()`."""
        self.is_required = False
        """Whether the tensor was told to require a gradient. Views of those that were require one, too, and have no place for it."""
        self.saved: Any = None
        """What keeps the tensor for nodes: a `SavedTensor`, see `kept_once`."""

    def own_counter(self) -> Version | None:
        """The counter of the tensor alone, or of the tensor that it is a view of: Note [Counters of writes]."""
        return self.apart if self.view is None else history(self.view.base).apart

    def version_of(self, array: NDArray[Any]) -> Version:
        """The counter of the memory that the tensor's array stands on, which is watched, or the tensor's own."""
        own = self.own_counter()
        if own is not None:
            return own
        found = self.version
        if found is None or not found.is_watched or not found.is_of(array):
            found = self.version = watch(self.counter(array))
        return found

    def counter(self, array: NDArray[Any]) -> Version:
        """The same, watched or not."""
        view = self.view
        if view is not None and root(view.base.array) is root(array):
            return history(view.base).counter(view.base.array)
        if self.apart is not None:
            return self.apart
        found = self.version
        if found is None or not found.is_of(array):
            found = self.version = counter_of(array, 0 if found is None else found.count)
        return found

    def written(self, array: NDArray[Any]) -> None:
        """Count a write to the memory of the tensor, whose array it is."""
        counter = self.version
        if (
            self.apart is not None
            or self.view is not None
            or counter is None
            or counter.owner is not array
        ):
            counter = self.counter(array)
        counter.count += 1
        base = self if self.view is None else history(self.view.base)
        if base.apart is not None:
            return
        base.rebases += 1
        if base.views and (base.is_required or base.grad_fn is not None):
            base.forget_edges_of_views()
        if not counter.is_watched:
            written(array)  # perhaps somebody who does not know the tensor keeps it

    def rebase(self) -> None:
        """The tensor has another node, or was written to: what its views know of theirs is out of date."""
        self.rebases += 1
        self.forget_edges_of_views()

    def forget_edges_of_views(self) -> None:
        """Let the views ask anew where their gradients go."""
        for reference in self.views:
            view = reference()
            own = None if view is None else known(view)
            if own is not None:
                own.edge_array = None

    def add_view(self, view: Tensor) -> None:
        """Know one more view; those that are gone are forgotten whenever there are twice as many as were left the last time."""
        views = self.views
        views.append(ref(view))
        if len(views) >= self.most_views:
            self.views = [known for known in views if known() is not None]
            self.most_views = max(FEW_VIEWS, 2 * len(self.views))

    def edge_of_leaf(self, leaf: Tensor) -> Edge:
        """Where the gradients of a leaf go. Who changes its array may change its size and dtype."""
        if self.accumulator is None:
            self.accumulator = Edge(AccumulateGrad(leaf), 0)
        edge = self.edge = self.accumulator
        edge.node.results[0] = fact(leaf)
        self.edge_array = leaf.array if self.view is None else None
        return edge


class InferenceHistory(History):
    """That of an inference tensor: Note [Inference tensors] in tensor/inference.py."""

    __slots__ = ()

    is_inference = True


def known(tensor: Tensor) -> History | None:
    """What a tensor knows of its history, None if nothing."""
    try:
        found = slot(tensor)
    except AttributeError:
        return None
    return found if found.__class__ is History else _settled(tensor, found)


Origin = tuple[Tensor, Path | None, CreationMeta | None, Operator, tuple[Any, ...], int]
"""What a view of a plain tensor has until somebody asks for its history: the base and the steps to what it was made of, how it was
made, the operator and its operands but the first, and the `rebases` of the base then.
"""


APART: tuple[()] = ()
"""What `x.data` has until somebody asks for its history: Note [Counters of writes]."""


def check_inference_write(own: History) -> None:
    """RuntimeError outside inference mode where a tensor with that history is an inference tensor, which is to be written to."""
    if own.is_inference and not is_inference_mode_enabled():
        raise RuntimeError(
            "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor "
            "before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
        )


Writes = int | Version
"""What a tensor without other history has once it was written to: how many times, or the counter that it has in common with others."""


def count_write(tensor: Tensor) -> None:
    """Count a write to a tensor."""
    try:
        found = slot(tensor)
    except AttributeError:
        found = 0
    if found.__class__ is not int:
        history(tensor).written(tensor.array)
    elif not written(tensor.array):
        tensor.autograd = found + 1


def share_counter(tensor: Tensor, other: Tensor) -> Tensor:
    """A tensor that nobody knows yet, with the counter of another one on the same memory, or none if that has none."""
    source = history(other)
    if source.is_inference:
        tensor.autograd = INFERENCE
    elif (counter := source.own_counter()) is not None:
        own = history(tensor)
        own.apart, own.is_detached = counter, True
    else:
        tensor.autograd = source.counter(other.array)
    return tensor


def set_apart(tensor: Tensor, other: Tensor) -> Tensor:
    """A tensor that nobody knows yet, with a counter apart from that of another one on the same memory, or none if that has none."""
    tensor.autograd = INFERENCE if is_inference(other) else APART
    return tensor


def set_origin(
    view: Tensor,
    parent: Tensor,
    operator: Operator,
    rest: tuple[Any, ...],
    meta: CreationMeta | None,
) -> None:
    """`set_view` for plain tensors: so little is done at once that it can be done for every view."""
    own = history(parent)
    if own.is_inference:
        view.autograd = INFERENCE
        return
    origin = own.view
    base, path, before = (parent, None, None) if origin is None else origin
    of_base = own if origin is None else history(base)
    view.autograd = (base, path, meta or before, operator, rest, of_base.rebases)
    of_base.add_view(view)


def _settled(
    view: Tensor, origin: InferenceHistory | Inference | Writes | Origin | tuple[()]
) -> History:
    if isinstance(origin, InferenceHistory):
        return origin
    if isinstance(origin, Inference):
        own = view.autograd = InferenceHistory()
        return own
    own = view.autograd = History()
    if isinstance(origin, (int, Version)):
        own.is_detached = isinstance(origin, Version)
        own.version = origin if isinstance(origin, Version) else counter_of(view.array, origin)
        return own
    if not origin:
        own.apart, own.is_detached = Version(view.array), True
        return own
    base, path, meta, operator, rest, seen = origin
    own.view = View(base, Path(path, Step(operator, (None, *rest), 0)), meta)
    own.seen = seen
    return own


def history(tensor: Tensor) -> History:
    """What a tensor knows of its history, from now on at least."""
    found = known(tensor)
    if found is None:
        found = tensor.autograd = History()
    return found


def base_of(tensor: Tensor) -> Tensor | None:
    """What a tensor is a view of."""
    found = known(tensor)
    return None if found is None or found.view is None else found.view.base


def grad_fn(tensor: Tensor) -> Node | None:
    """The node that a tensor came from; None for a leaf."""
    found = known(tensor)
    if found is None or tensor.__class__ is not TrackedTensor:
        return None
    view = found.view
    if view is not None and (now := history(view.base).rebases) != found.seen:
        if view.meta is not None:
            refusal = view.meta.refusal(found.grad_fn, found.output_nr, is_indirect=True)
            raise RuntimeError(refusal)
        with grad_mode.enabled(True):
            anew = known(view.again(tensor))
        assert anew is not None
        if found.grad_fn is not None and found.grad_fn.retained and anew.grad_fn is not None:
            _retain_at(found, anew.grad_fn, anew.output_nr, tensor)
        found.grad_fn, found.output_nr, found.seen = anew.grad_fn, anew.output_nr, now
    return found.grad_fn


def is_leaf(tensor: Tensor) -> bool:
    """Whether a tensor came from no recorded operator."""
    if tensor.__class__ is not TrackedTensor:
        return True
    own: History = tensor.autograd
    node = own.grad_fn if own.view is None else grad_fn(tensor)
    return node is None or node.stands_for_leaf


def gradient_edge(tensor: Tensor) -> Edge | None:
    """Where gradients of a tensor go; None where it requires none."""
    if tensor.__class__ is not TrackedTensor:
        return None
    own: History = tensor.autograd
    if own.edge_array is tensor.array:
        return own.edge
    if own.view is None:
        node = own.grad_fn
        return own.edge_of_leaf(tensor) if node is None else Edge(node, own.output_nr)
    node = grad_fn(tensor)
    if node is None:
        return own.edge_of_leaf(tensor) if own.is_required else None
    own.edge, own.edge_array = Edge(node, own.output_nr), tensor.array
    return own.edge


def set_required(tensor: Tensor, wanted: bool) -> None:
    """Let a leaf require a gradient or none, and with it the views of it that came from no node."""
    own = history(tensor)
    own.is_required = wanted
    own.edge_array = None
    is_of_required = own.view is not None and own.view.base.__class__ is TrackedTensor
    (track if wanted or is_of_required else untrack)(tensor)
    for reference in own.views:
        view = reference()
        if view is not None and not history(view).is_required and history(view).grad_fn is None:
            (track if wanted else untrack)(view)


def set_history(tensor: Tensor, node: Node, output_nr: int) -> None:
    """Let a tensor be result `output_nr` of a node, and let those that share its memory know."""
    own = history(tensor)
    if own.grad_fn is not None and own.grad_fn.retained:
        _retain_at(own, node, output_nr, tensor)
    own.grad_fn, own.output_nr = node, output_nr
    own.edge, own.edge_array = Edge(node, output_nr), None if own.view else tensor.array
    own.rebase()
    track(tensor)
    for view in own.views:
        found = view()
        if found is not None:
            history(found)  # tracked tensors have one
            track(found)


def _retain_at(own: History, node: Node, output_nr: int, tensor: Tensor) -> None:
    """Let a tensor that keeps its gradient keep that of its new node."""
    assert own.grad_fn is not None
    reference = own.grad_fn.retained.get(own.output_nr)
    if reference is not None and reference() is tensor:
        del own.grad_fn.retained[own.output_nr]
        node.retained[output_nr] = reference


def set_history_of_new(tensor: Tensor, node: Node, output_nr: int) -> None:
    """`set_history` for a tensor that nobody knows yet."""
    tensor.autograd = History(node, output_nr, edge_of((node, output_nr)), tensor.array)
    tensor.__class__ = TrackedTensor


def set_view(tensor: Tensor, parent: Tensor, step: Step, meta: CreationMeta | None) -> None:
    """Let a tensor be the view of another one that an operator gave."""
    inner = known(parent)
    if inner is not None and inner.is_inference:
        if known(tensor) is None:
            tensor.autograd = INFERENCE
        return
    if inner is not None and inner.view is not None:
        base, path, before = inner.view
        view = View(base, Path(path, step), meta or before)
    else:
        view = View(parent, Path(None, step), meta)
    own = history(tensor)
    of_base = history(view.base)
    own.view, own.seen = view, of_base.rebases
    of_base.add_view(tensor)
    if view.base.__class__ is TrackedTensor:
        tensor.__class__ = TrackedTensor


def set_view_of_tracked(
    tensor: Tensor,
    parent: Tensor,
    operator: Operator,
    rest: tuple[Any, ...],
    meta: CreationMeta | None,
) -> None:
    """`set_view` for a result, which has just got its node, and the first operand of an operator, which requires a gradient; `rest` are
    the other operands.
    """
    inner: History = parent.autograd
    own: History = tensor.autograd
    if inner.is_inference:
        return
    base, before = parent, None
    if inner.view is not None:
        base, before, earlier = inner.view
        meta = meta or earlier
        inner = history(base)
    step = _of_class(Step, (operator, (None, *rest), 0, None))
    own.view = _of_class(View, (base, _of_class(Path, (before, step)), meta))
    own.seen = inner.rebases
    inner.add_view(tensor)


_of_class: Any = tuple[Any, ...].__new__
"""Makes a named tuple of a tuple, sooner than its class does."""


def reshaped(tensor: Tensor, view: Tensor, back: Step, *, needs: bool) -> None:
    """Let a tensor that got other sizes and strides in place be what `view` is, which was made of it; `back` gives those it had,
    through which the views of the tensor go from then on. With `needs` its gradient goes the way of `view`.
    """
    own, new = known(tensor), known(view)
    if own is None or new is None:
        return
    if own.view is not None and new.view is not None:
        own.view = new.view._replace(meta=own.view.meta)
        own.grad_fn, own.output_nr = new.grad_fn, new.output_nr
        own.seen = history(own.view.base).rebases if needs else -1
        own.edge_array = None
        return
    for reference in own.views:
        other = reference()
        of_other = None if other is None or other is view else known(other)
        if of_other is not None and of_other.view is not None:
            of_other.view = of_other.view._replace(path=of_other.view.path.after(back))
    own.rebase()
    if needs and new.grad_fn is not None:
        own.grad_fn, own.output_nr, own.edge_array = new.grad_fn, new.output_nr, None
