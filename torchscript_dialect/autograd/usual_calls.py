"""Records calls of the usual kind by functions that are written for them.

Note [Usual calls]
A usual call gives new tensors, of operands that are tensors, lists of tensors, numbers or lists of numbers, by an operator that has
formulas for all of them that require gradients; or it writes so to its first operand, which is no leaf. For the classes of such
operands it is found out once which inputs get gradients, what the formulas keep, and how they go backwards. A Python function is
generated of that for the second call, which asks none of it again: a call makes a node, and what that keeps. `way_back.py` generates
its counterpart for the first node that goes back.
Where no gradient goes through the results, the function runs the kernel and makes no node. Whatever else there is (hooks of what is
saved, anomaly mode, a kernel that hands an operand on) goes the long way in `recording.py`, as do all other calls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from functools import lru_cache, partial
from typing import Any, NamedTuple, Protocol
from weakref import WeakMethod

from torchscript_dialect.autodiff.derivatives import Derivative, is_tensor_list
from torchscript_dialect.autograd.creation_meta import CreationMeta
from torchscript_dialect.autograd.history import (
    History,
    Step,
    gradient_edge,
    is_leaf,
    set_history_of_new,
    set_view,
    set_view_of_tracked,
)
from torchscript_dialect.autograd.nodes import (
    KINDS,
    Grad,
    anomaly_mode,
    fact,
    has_same_kind,
    next_number,
)
from torchscript_dialect.autograd.objections import RESIZING
from torchscript_dialect.autograd.operator_node import OperatorNode, Slot
from torchscript_dialect.autograd.saved import (
    SavedFacts,
    SavedTensor,
    keep_operand,
    keep_result,
    save,
)
from torchscript_dialect.autograd.saving_hooks import are_hooks_on
from torchscript_dialect.autograd.slices import rebase
from torchscript_dialect.autograd.way_back import WayBack, Ways, way_back
from torchscript_dialect.ops.eager.often import ELEMENTS, Counted, compiled_form
from torchscript_dialect.ops.registry import Kernel, Operator
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.device import cpu
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.storage import root
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.tracked import TrackedTensor, without_history
from torchscript_dialect.tensor.unstrided import is_made
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.generated import function_of

NUMBERS = frozenset((int, float, bool, complex, str, type(None)))
"""Classes of operands that are neither tensors nor hold any."""
UNUSUAL = object()
"""What a usual call gives that has to go the long way."""


class Recording(Protocol):
    """What there is to know of an operator that is recorded; `_Recorded` in recording.py."""

    operator: Operator
    kernel: Kernel
    place: str
    writes: list[int]
    has_out: bool
    gives_views: bool
    gives_apart: bool
    name_by_operands: Callable[..., str] | None

    def class_of_node(self, operands: Sequence[Any], result: Any) -> type[OperatorNode]:
        """The class of the node of a call."""
        ...

    def finish(self, operands: Sequence[Any], plain: Sequence[Any], result: Any) -> Any:
        """The result that the kernel gave for operands without history, with a node where it is new."""
        ...


class Usual(NamedTuple):
    """What records calls with operands of certain classes: `run`, which gives `UNUSUAL` for some, and what it was made of."""

    run: Callable[..., Any]
    names: Sequence[str]
    lines: Sequence[str]
    words: Mapping[str, Any]

    def at_site(self, tests: str, words: Mapping[str, Any]) -> Callable[..., Any]:
        """The same for one place of a program: where one of the `tests` fails, or the call is not usual after all, `general` of the
        `words` takes it.
        """
        general = f"return general({', '.join(self.names)})"
        lines = [line.replace("return UNUSUAL", general) for line in self.lines]
        first = f"if not ({tests}): {general}"
        return function_of(", ".join(self.names), [first, *lines], {**self.words, **words})


def usual_call(
    recording: Recording, found: Derivative | None, operands: Sequence[Any]
) -> Usual | None:
    """What records calls with operands of these classes; None where they are not usual."""
    operator, returns = recording.operator, recording.operator.schema.returns
    gives_list = len(returns) == 1 and is_tensor_list(returns[0].type)
    if operator.schema.is_varret or operator.schema.is_vararg or not returns:
        return None
    if not gives_list and not all(isinstance(one.type, TensorType) for one in returns):
        return None
    if found is None or not any(map(found.gives_gradient, range(len(returns)))):
        has_parts = operator.rules.decompose is not None if found is None else found.parts
        if has_parts or operator.keeps_track or recording.writes:
            return None
        kinds = _kinds(operator, operands, None)
        return None if kinds is None else PlainCall(recording, kinds, found).function()
    kinds = _kinds(operator, operands, found)
    if kinds is None or found.parts is not None or recording.gives_apart:
        return None
    if recording.writes:
        is_usual = recording.writes == [0] and not recording.has_out and kinds[0] is Kind.TRACKED
        is_usual = is_usual and operator.name not in RESIZING
        written = UsualWrite(recording, kinds, found) if is_usual and len(returns) == 1 else None
        return written.function() if written is not None and written.is_usual else None
    recorded = UsualCall(recording, kinds, found)
    is_usual = not gives_list or not recorded.kept_results
    return recorded.function() if is_usual else None


class Kind(Enum):
    """What is known of an operand of a usual call."""

    TRACKED = auto()
    """A tensor that requires a gradient."""
    SILENT = auto()
    """One that requires a gradient, and gets none: `other` of `x.expand_as(other)`."""
    TENSOR = auto()
    """One that requires none."""
    TENSORS = auto()
    """A list of tensors, of which some may require gradients."""
    CONSTANTS = auto()
    """A list of tensors, none of which requires a gradient."""
    NUMBERS = auto()
    """A list of numbers."""
    NUMBER = auto()


TENSORS = (Kind.TRACKED, Kind.SILENT, Kind.TENSOR)
EDGES = {
    Kind.TRACKED: "known.edge if (known := {0}.autograd).edge_array is {0}.array else gradient_edge({0})",
    Kind.TENSORS: "*map(gradient_edge, {0})",
}
"""Where the gradients of operands go, by their kinds; elsewhere nowhere."""


def _kinds(
    operator: Operator, operands: Sequence[Any], found: Derivative | None
) -> list[Kind] | None:
    """What operands are, by their classes; None where gradients would go where no formula is."""
    kinds: list[Kind] = []
    for argument, operand in zip(operator.schema.arguments, operands, strict=True):
        class_ = operand.__class__
        is_differentiable = found is None or argument.name in found.inputs
        if class_ is TrackedTensor and is_differentiable:
            kinds.append(Kind.TRACKED)
        elif class_ is TrackedTensor and found is not None and argument.name in found.ignored:
            kinds.append(Kind.SILENT)
        elif class_ is Tensor:
            kinds.append(Kind.TENSOR)
        elif class_ is list and is_tensor_list(argument.type):
            kinds.append(Kind.TENSORS if is_differentiable else Kind.CONSTANTS)
        elif class_ is list:
            kinds.append(Kind.NUMBERS)
        elif class_ in NUMBERS:
            kinds.append(Kind.NUMBER)
        else:
            return None
    has_gradients = Kind.TRACKED in kinds or Kind.TENSORS in kinds
    return kinds if has_gradients else None


class PlainCall:
    """Runs an operator through whose results no gradient goes."""

    def __init__(
        self, recording: Recording, kinds: Sequence[Kind], found: Derivative | None
    ) -> None:
        self.recording = recording
        self.operator = recording.operator
        self.kinds = kinds
        self.found = found
        self.names = [f"a{place}" for place in range(len(kinds))]
        self.plain = [
            f"p{place}" if kind in (Kind.TRACKED, Kind.SILENT, Kind.TENSORS) else name
            for place, (kind, name) in enumerate(zip(kinds, self.names, strict=True))
        ]
        returns = self.operator.schema.returns
        self.gives_list = is_tensor_list(returns[0].type)
        self.is_single = len(returns) == 1 and not self.gives_list
        # The recording has the function, and is to go with who has that.
        finish = WeakMethod(recording.finish)
        self.words: dict[str, Any] = {**_WORDS, "kernel": recording.kernel, "finish": finish}
        form = compiled_form(self.operator) if kinds[0] in TENSORS else None
        self.is_counted = form is not None and not form.in_place
        """Whether calls and elements count: Note [Operators that are called often] in ops/eager/often.py."""
        if form is not None and not form.in_place:
            self.words["counted"] = Counted(form, recording.kernel)

    def function(self) -> Usual:
        """What takes the operands."""
        lines = [*self.lines()]
        run = function_of(", ".join(self.names), lines, self.words)
        return Usual(run, self.names, lines, self.words)

    def lines(self) -> Iterator[str]:
        yield from self.refusals()
        yield from self.stand_ins()
        yield from self.run()
        yield from self.checks()
        yield from self.what_is_known_of_results()
        yield "return result"

    def run(self) -> Iterator[str]:
        """Run the kernel."""
        given = ", ".join(self.plain)
        if not self.is_counted:
            yield f"result = kernel({given})"
            return
        call = "" if self.operator.rules.pointwise else "1 + "
        yield f"counted.left -= {call}{self.plain[0]}.array.size // {ELEMENTS}"
        yield f"if counted.left < 0: counted.look({given})"
        yield f"result = counted.run({given})"

    def of(self, *kinds: Kind) -> list[int]:
        """The places of operands of these kinds."""
        return [place for place, kind in enumerate(self.kinds) if kind in kinds]

    def refusals(self) -> Iterator[str]:
        """Give up where the operands are not as usual after all, or there is now what usual calls know nothing of."""
        yield "if not is_grad_enabled() or anomaly_mode.is_on or are_hooks_on() or is_made(): return UNUSUAL"
        for place in self.of(Kind.CONSTANTS):
            yield f"if TrackedTensor in map(type, a{place}): return UNUSUAL"
        if not self.of(Kind.TRACKED):
            tests = [f"TrackedTensor not in map(type, a{at})" for at in self.of(Kind.TENSORS)]
            yield f"if {' and '.join(tests)}: return UNUSUAL"

    def stand_ins(self) -> Iterator[str]:
        """Operands for the kernel."""
        for place in self.of(Kind.TRACKED, Kind.SILENT):
            yield f"p{place} = new(Tensor)"
            yield f"p{place}.array = a{place}.array"
        for place in self.of(Kind.TENSORS):
            yield f"p{place} = [x if x.__class__ is Tensor else tensor_of(x.array) for x in a{place}]"

    def checks(self) -> Iterator[str]:
        """Go on the long way where results are not new."""
        one = "result" if self.is_single else "one"
        tests = [f"{one}.__class__ is not Tensor"]
        for place in self.of(*TENSORS):
            tests.append(f"{one} is {self.plain[place]}")
        for place in self.of(Kind.TENSORS, Kind.CONSTANTS):
            tests.append(f"is_one_of({one}, {self.plain[place]})")
        yield self.goes_the_long_way(" or ".join(tests))

    def goes_the_long_way(self, test: str) -> str:
        """Go on the long way where a test of one result is true."""
        each = "" if self.is_single else "for one in result:\n        "
        operands = f"{_tuple(self.names)}, {_tuple(self.plain)}"
        return f"{each}if {test}: return finish()({operands}, result)"

    def what_is_known_of_results(self) -> Iterator[str]:
        """What there is to do with results."""
        if self.found is None:  # the long way makes a node that says so when it runs
            one = "result" if self.is_single else "one"
            yield self.goes_the_long_way(f"{one}.array.dtype.kind in KINDS")


class UsualCall(PlainCall):
    """Records an operator: Note [Usual calls]."""

    found: Derivative

    def __init__(self, recording: Recording, kinds: Sequence[Kind], found: Derivative) -> None:
        super().__init__(recording, kinds, found)
        arguments = self.operator.schema.arguments
        tensors = self.of(*TENSORS, Kind.TENSORS)
        self.inputs = [at for at in tensors if arguments[at].name not in found.ignored]
        """The places that the node has edges of."""
        wanted = {arguments[place].name for place in self.of(Kind.TRACKED, Kind.TENSORS)}
        used = [one for one in found.formulas if not wanted.isdisjoint(one.inputs)]
        words = {name for formula in used for name in formula.parameters}
        read = {name for formula in used for name in formula.read}
        self.kept = [
            (one.name, place, one.name in read)
            for place, one in enumerate(arguments)
            if one.name in words
        ]
        """What formulas are over of operands: name, place, and whether they read its elements."""
        self.kept_results = [
            (name, number, name in read)
            for number in range(len(found.operator.schema.returns))
            for name in sorted(found.names_of_result(number) & words)
        ]
        kept = {name for name, *_ in (*self.kept, *self.kept_results)}
        tensors = {name for name, place, _ in self.kept if self.kinds[place] in TENSORS}
        if not self.gives_list:
            tensors |= {name for name, *_ in self.kept_results}
        ways = Ways(found.operator.schema, kept, tensors, gives_list=self.gives_list)
        inputs = [(arguments[at].name, self.kinds[at] is Kind.TENSORS) for at in self.inputs]
        self.words |= {
            "place": recording.place,
            "operator": self.operator,
            "derivative": found,
            "back": self.back(partial(way_back, ways, used, wanted, inputs)),
            "slots": self.slots(),
        }
        if recording.name_by_operands is None:
            self.words["class_"] = recording.class_of_node((), None)
        else:
            self.words["class_of_node"] = WeakMethod(recording.class_of_node)

    def back(self, make: Callable[[], WayBack]) -> WayBack:
        """What nodes go back by: it is made for the first that does, as formulas are compiled for it."""
        made: WayBack | None = None

        def back(node: OperatorNode, grads: Sequence[Grad]) -> list[Grad]:
            nonlocal made
            if made is None:
                made = make()
            return made(node, grads)

        return back

    def slots(self) -> list[Slot] | Callable[..., list[Slot]]:
        """The inputs of a node, or what tells them where lists of tensors have so many elements."""
        arguments = self.operator.schema.arguments
        inputs = tuple(
            (arguments[place].name, place, self.kinds[place] is Kind.TENSORS)
            for place in self.inputs
        )
        return partial(_slots, inputs) if self.of(Kind.TENSORS) else _slots(inputs)

    def what_is_known_of_results(self) -> Iterator[str]:
        yield from self.node()
        yield from self.facts_and_histories()
        for name, number, is_read in self.kept_results:
            one = "result" if self.is_single else f"result[{number}]"
            is_own = f"{number} if {one}.__class__ is TrackedTensor else None"
            kept = f"keep_result({one}, {is_own})" if is_read else f"SavedFacts({one})"
            yield f"node.saved[{name!r}] = {kept}"

    def node(self) -> Iterator[str]:
        """A node that keeps what its formulas are over of operands, without what its constructor asks."""
        is_known = self.recording.name_by_operands is None
        of_call = f"class_of_node()({_tuple(self.names)}, result)"
        yield f"node = new({'class_' if is_known else of_call})"
        once = self.kept_once()
        for at in once:
            yield f"own{at} = a{at}.autograd"
            yield f"e{at}, s{at} = own{at}.edge, own{at}.saved"
            yield f"if own{at}.edge_array is not a{at}.array: e{at}, s{at} = gradient_edge(a{at}), None"
            is_other = f"s{at} is None or s{at}.array is not a{at}.array or s{at}.edge is not e{at}"
            is_written = f"s{at}.version.count != s{at}.expected or own{at}.apart is not None"
            yield f"if {is_other} or {is_written}: s{at} = keep_operand(a{at})"
        edges = [
            f"e{at}" if at in once else EDGES.get(self.kinds[at], "None").format(f"a{at}")
            for at in self.inputs
        ]
        yield f"node.edges = [{', '.join(edges)}]"
        yield "node.sequence = next_number()"
        yield "node.hooks, node.retained = {}, {}"
        yield "node.place, node.operator, node.derivative = place, operator, derivative"
        counts = ", ".join(f"len(a{place})" for place in self.of(Kind.TENSORS))
        yield f"node.slots, node.way_back = slots{f'({counts})' if counts else ''}, back"
        yield f"node.is_list, node.is_freed = {self.gives_list}, False"
        kept = (f"{name!r}: {self.what_keeps(at, is_read)}" for name, at, is_read in self.kept)
        yield f"node.saved = {{{', '.join(kept)}}}"

    def kept_once(self) -> list[int]:
        """The places of operands that require gradients and are kept, as they are mostly kept already: `kept_once` in saved.py."""
        tracked = self.of(Kind.TRACKED)
        return [
            at for _, at, is_read in self.kept if is_read and at in tracked and at in self.inputs
        ]

    def what_keeps(self, place: int, is_read: bool) -> str:
        """What a node keeps of an operand."""
        name, kind = self.names[place], self.kinds[place]
        if place in self.kept_once():
            return f"s{place}"
        if kind in TENSORS:
            return f"keep_operand({name})" if is_read else f"SavedFacts({name})"
        if kind is Kind.TENSORS and not is_read:
            return f"[*map(SavedFacts, {name})]"
        if kind is Kind.TENSORS:
            return f"save({name}, is_read=len({name}) > 1)"
        if kind is Kind.CONSTANTS:
            return f"save({name}, is_read={is_read})"
        return f"[*{name}]" if kind is Kind.NUMBERS else name

    def facts_and_histories(self) -> Iterator[str]:
        """Let the node and the results know each other, and results that are views of an operand know that."""
        if self.is_single:
            self.words["facts"] = [None]
            yield "array, known = result.array, facts[0]"
            is_other = "known is None or known[0] != array.shape or known[1].numpy_dtype is not array.dtype"
            yield f"if {is_other} or (array.__class__ is DeviceArray) is (known[2] is cpu):"
            yield "    known = facts[0] = fact(result)"
            yield "node.results = [known]"
            yield "if array.dtype.kind in KINDS: set_history(result, node, 0)"
            yield from self.views("result", "None")
            return
        yield "node.results = [*map(fact, result)]"
        if self.gives_list:
            yield "for number, one in enumerate(result):"
            yield "    if one.array.dtype.kind in KINDS: set_history(one, node, number)"
            for line in self.views("one", "several"):
                yield f"    {line}"
            return
        for number in filter(self.found.gives_gradient, range(len(self.operator.schema.returns))):
            one = f"result[{number}]"
            yield f"if {one}.array.dtype.kind in KINDS: set_history({one}, node, {number})"

    def views(self, one: str, meta: str) -> Iterator[str]:
        """Let a result that is a view of an operand know it, and how it was made."""
        if not (self.operator.keeps_track and self.recording.gives_views):
            return
        places = self.of(*TENSORS)
        self.words["note_view"] = partial(_note_view, self.operator, places)
        noted = f"note_view({one}, {_tuple(self.names)}, {meta})"
        if places != [0] or self.kinds[0] is not Kind.TRACKED:
            yield noted
            return
        yield f"array, viewed = {one}.array, p0.array"
        yield "base = array.base"
        yield f"if {one}.__class__ is TrackedTensor and (base is viewed or base is not None and base is viewed.base):"
        yield f"    set_view({one}, a0, operator, {_tuple(self.names[1:])}, {meta})"
        yield f"elif base is not None or array is viewed: {noted}"


class UsualWrite(UsualCall):
    """The same for what is written to the first operand."""

    @property
    def is_usual(self) -> bool:
        """Whether no formula reads what was there before, which would have to be copied."""
        return not any(place == 0 and is_read for _, place, is_read in self.kept)

    def lines(self) -> Iterator[str]:
        yield "own = a0.autograd"
        yield "if own.apart is not None or not may_be_written(own): return UNUSUAL"
        yield from self.refusals()
        others = [place for place in self.of(*TENSORS) if place]
        if others:
            shared = " or ".join(f"root(a{place}.array) is owner" for place in others)
            yield "owner = root(a0.array)"
            yield f"if {shared}: return UNUSUAL"
        yield "result = a0"
        yield from self.stand_ins()
        yield from self.node()
        yield f"kernel({', '.join(self.plain)})"
        yield "a0.array = p0.array"
        yield "own.written(a0.array)"
        yield "node.results = [fact(a0)]"
        yield "rebase(a0, node, 0)"
        for name, _, is_read in self.kept_results:
            kept = "SavedTensor(a0, 0)" if is_read else "SavedFacts(a0)"
            yield f"node.saved[{name!r}] = {kept}"
        yield "return a0"


@lru_cache(maxsize=1 << 10)
def _slots(inputs: tuple[tuple[str, int, bool], ...], *counts: int) -> list[Slot]:
    """The inputs with these names and places, of which some are lists with so many elements."""
    left, found = iter(counts), list[Slot]()
    for name, place, is_list in inputs:
        items = range(next(left)) if is_list else (None,)
        found += [Slot(name, item, place) for item in items]
    return found


def _note_view(
    operator: Operator,
    places: Sequence[int],
    result: Tensor,
    operands: tuple[Any, ...],
    meta: CreationMeta | None,
) -> None:
    """Let a result know the operand that it is a view of, which stands in one of the places, if it is one."""
    array = result.array
    owner = root(array)
    for place in places:
        viewed = operands[place]
        if owner is root(viewed.array) and has_same_kind(array, viewed.array):
            is_alone = len(places) == 1
            rest = (*operands[:place], None, *operands[place + 1 :])
            step = Step(operator, rest, place) if is_alone else Step.of(operator, operands, place)
            set_view(result, viewed, step, meta)
            return


def _may_be_written(own: History) -> bool:
    """Whether a tensor with that history, which requires a gradient, may be written to: it is neither a leaf nor a view of one,
    nor made in inference mode.
    """
    view = own.view
    if own.is_inference:
        return False
    if view is not None:
        return view.meta is None and not is_leaf(view.base)
    return own.grad_fn is not None and not own.grad_fn.stands_for_leaf


def _tuple(names: Iterable[str]) -> str:
    return f"({''.join(f'{name}, ' for name in names)})"


def _is_one_of(one: Any, operands: Iterable[Any]) -> bool:
    return any(one is each for each in operands)


_WORDS: dict[str, Any] = {
    "DeviceArray": DeviceArray,
    "KINDS": KINDS,
    "anomaly_mode": anomaly_mode,
    "SavedFacts": SavedFacts,
    "SavedTensor": SavedTensor,
    "Tensor": Tensor,
    "TrackedTensor": TrackedTensor,
    "UNUSUAL": UNUSUAL,
    "fact": fact,
    "gradient_edge": gradient_edge,
    "are_hooks_on": are_hooks_on,
    "cpu": cpu,
    "is_grad_enabled": grad_mode.is_grad_enabled,
    "is_made": is_made,
    "is_one_of": _is_one_of,
    "keep_operand": keep_operand,
    "keep_result": keep_result,
    "may_be_written": _may_be_written,
    "new": object.__new__,
    "next_number": next_number,
    "rebase": rebase,
    "root": root,
    "save": save,
    "set_history": set_history_of_new,
    "set_view": set_view_of_tracked,
    "several": CreationMeta.MULTI_OUTPUT_NODE,
    "tensor_of": tensor_of,
    "without_history": without_history,
}
"""What the functions look up by name, all of them."""
