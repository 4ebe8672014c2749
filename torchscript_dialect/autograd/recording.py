"""Runs operators and records them: the tape (PyTorch: torch/csrc/autograd/VariableTypeUtils.h).

`recorded` makes of an operator what runs in the place of its kernel: tensors that require gradients are unwrapped for the kernel, and
results get a node that knows how to go back. It also follows views and writes of all tensors, as soon as gradients are in use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast
from weakref import WeakSet

from torchscript_dialect.autodiff.derivatives import (
    Derivative,
    derivative,
    is_tensor,
    is_tensor_list,
    result_name,
)
from torchscript_dialect.autograd import formulas
from torchscript_dialect.autograd.creation_meta import creation_meta
from torchscript_dialect.autograd.history import (
    Step,
    check_inference_write,
    count_write,
    gradient_edge,
    history,
    known,
    reshaped,
    set_apart,
    set_history,
    set_view,
    share_counter,
)
from torchscript_dialect.autograd.node_names import (
    default_name,
    eager_name,
    listed_name,
    name_by_operands,
    named,
)
from torchscript_dialect.autograd.nodes import KINDS, fact, has_same_kind
from torchscript_dialect.autograd.objections import RESIZING, check_plain_write, check_write
from torchscript_dialect.autograd.operands import (
    is_one_tensor,
    mapped,
    plain_operand,
    results_of,
    with_places,
)
from torchscript_dialect.autograd.operator_node import OperatorNode, Slot
from torchscript_dialect.autograd.saved import SavedTensor, keep, save
from torchscript_dialect.autograd.sites import Use, at_site
from torchscript_dialect.autograd.slices import rebase
from torchscript_dialect.autograd.usual_calls import UNUSUAL, Usual, usual_call
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.registry import Kernel, Operator
from torchscript_dialect.ops.unstrided.unstrided import kernel_for
from torchscript_dialect.runtime.interpreter import decompositions
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.device_array import when_device_used
from torchscript_dialect.tensor.storage import root
from torchscript_dialect.tensor.tensor import Tensor, tensor_of, tensors_in
from torchscript_dialect.tensor.tracked import TrackedTensor, without_history
from torchscript_dialect.tensor.unstrided import UnstridedTensor, is_made, unstrided_among
from torchscript_dialect.tensor.versions import Version
from torchscript_dialect.types.containers import DictType
from torchscript_dialect.types.mutability import may_hold_tensors
from torchscript_dialect.utils.properties import cached_property

_CUTS = frozenset(
    ("aten::detach", "aten::detach_", "aten::data", "prim::data", "aten::detach_copy")
)
"""Operators whose result shares memory and no history."""
_APART = frozenset(("aten::data", "prim::data"))
"""Those of them whose result has a counter of writes of its own."""
_TRANSPARENT = frozenset(
    ("aten::requires_grad_", "aten::detach_", "aten::retain_grad", "aten::backward", "aten::grad")
)
"""Operators on the history itself, whose kernels take tracked tensors."""
_RESHAPING = {
    "aten::t_": "aten::t",
    "aten::transpose_": "aten::transpose.int",
    "aten::swapaxes_": "aten::swapaxes",
    "aten::swapdims_": "aten::swapdims",
    "aten::squeeze_": "aten::squeeze",
    "aten::squeeze_.dim": "aten::squeeze.dim",
    "aten::squeeze_.dims": "aten::squeeze.dims",
    "aten::unsqueeze_": "aten::unsqueeze",
}
"""Operators that write sizes and strides and no elements, by the views that they make of the tensor."""
_QUERIES = (
    "prim::requires_grad",
    "prim::grad",
    "aten::is_leaf",
    "aten::retains_grad",
    "aten::_version",
    "aten::output_nr",
    "aten::is_inference",
    "aten::IntImplicit",
    "aten::FloatImplicit",
    "aten::ComplexImplicit",
    "aten::ScalarImplicit",
)


def recorded(operator: Operator) -> Kernel:
    """What runs an operator and remembers it."""
    kernel = operator.current_kernel
    assert kernel is not None
    is_transparent = operator.name in _TRANSPARENT or operator.rules.calls_operators
    if is_transparent or operator.name in _QUERIES or _is_of_containers(operator):
        return kernel if "Device" not in operator.text else _late(operator)
    made = _Recorded(operator, kernel)
    return _detaching(made) if operator.name == "aten::detach" else made


def _detaching(made: _Recorded) -> Kernel:
    """What runs `detach`: its result has no history, and the counter of the tensor."""

    def detach(x: Tensor) -> Tensor:
        if is_made() and unstrided_among((x,)) is not None:
            return made(x)
        return share_counter(made.kernel(without_history(x)), x)

    return detach


def _late(operator: Operator) -> Kernel:
    """What runs an operator that may be told a device, looked for at each call."""

    def run(*operands: Any) -> Any:
        kernel = operator.current_kernel
        assert kernel is not None
        return kernel(*operands)

    return run


def is_plain(operator: Operator) -> bool:
    """Whether recording an operator on tensors without gradients is no more than to follow its views and to count its writes."""
    made = operator.recorded
    if not isinstance(made, _Recorded) or made.cuts or made.view is not None:
        return False
    return made.gives_views or bool(made.writes)


def recorded_at(operator: Operator, place: str, use: Use | None = None) -> Kernel:
    """The same for one node of a program, at this place in its source; `use` is told what is to run in its place: Note [Sites]."""
    kernel = operator.recorded
    assert kernel is not None
    if not isinstance(kernel, _Recorded):
        return kernel
    placed = kernel.at(place)
    return placed if use is None else at_site(placed, use)


def _is_of_containers(operator: Operator) -> bool:
    """Whether an operator moves tensors that containers hold, and looks into none."""
    arguments = operator.schema.arguments
    if any(is_tensor_list(a.type) and "[](" in a.spelling for a in arguments):
        return True
    if any(isinstance(a.type, DictType) for a in arguments):
        return True  # a tensor beside it is a key
    return not any(is_tensor(a.type) or is_tensor_list(a.type) for a in arguments)


class _Recorded:
    """One operator on the tape."""

    def __init__(self, operator: Operator, kernel: Kernel) -> None:
        schema = operator.schema
        self.operator = operator
        self.kernel = kernel
        _made.add(self)
        self.writes = [
            place
            for place, argument in enumerate(schema.arguments)
            if argument.alias is not None and argument.alias.is_write
        ]
        self.has_out = any(schema.arguments[place].kwarg_only for place in self.writes)
        self.follows = operator.keeps_track
        self.cuts = operator.name in _CUTS or operator.name.startswith("aten::_no_grad_")
        self.gives_apart = operator.name.startswith("aten::unsafe_")
        """Whether its results are views that nobody knows as such, each with a counter of writes of its own."""
        self.gives_views = not self.writes and not self.gives_apart
        self.view = _RESHAPING.get(operator.qualified_name)
        self.place = ""
        self.is_eager = True
        self.name_by_operands = name_by_operands(operator)
        self._parts: Callable[..., Any] | None = None
        self.only_asks = not self.writes and not any(
            may_hold_tensors(one.type) for one in schema.returns
        )
        """Whether it gives no tensors and changes none."""
        self.is_new = not (self.follows or self.cuts or self.view is not None)
        """Whether its results have memory of their own."""
        self.usual: dict[tuple[type, ...], Usual | None] = {}
        """What records calls with operands of certain classes; None where they are not usual."""
        self.met: set[tuple[type, ...]] = set()
        """Classes of operands of calls that were recorded."""

    def __call__(self, *operands: Any) -> Any:
        if self.only_asks and not is_made():
            return self.kernel(*map(without_history, operands))
        classes = tuple(map(type, operands))
        if TrackedTensor not in classes and self.on_plain is not None and not is_made():
            return self.on_plain(*operands)
        if self.is_new and not grad_mode.is_grad_enabled() and not is_made():
            return self.kernel(*map(without_history, operands))
        usual = self.usual.get(classes)
        if usual is not None:
            result = usual.run(*operands)
            if result is not UNUSUAL:
                return result
        return self.run(operands, classes)

    def run(self, operands: tuple[Any, ...], classes: tuple[type, ...]) -> Any:
        """Run the operator, and record it, whatever the operands are."""
        if is_made() and (unstrided := unstrided_among(operands)) is not None:
            return self._run_unstrided(operands, unstrided)
        if TrackedTensor not in classes and self.on_plain is not None:
            return self.on_plain(*operands)
        given: dict[int, Tensor] = {}
        plain = [plain_operand(operand, given) for operand in operands]
        needs = bool(given) and grad_mode.is_grad_enabled() and not self.cuts
        if needs and self.silent and not self._asks_for_gradients(operands):
            needs = False
        if self.view is not None and (given or self.follows):
            return self._reshape(operands, plain, given, needs=needs)
        if not needs:
            if not given and not self.follows:
                return self.kernel(*operands)
            for place in self.writes:
                for tensor in tensors_in(operands[place]):
                    check_plain_write(tensor)
            result = self._run(plain, given)
            if self.follows and not self.cuts:
                self._note_views(operands, result)
            elif self.operator.name in _APART:
                set_apart(result, operands[0])
            return result
        found = derivative(self.operator)
        if classes in self.met:
            if classes not in self.usual:
                self.usual[classes] = usual_call(self, found, operands)
        else:
            self.met.add(classes)
        if found is not None and found.parts is not None and not self.has_out:
            if found.is_checked:
                self.kernel(*plain)
            given_parts = operands
            if self.writes:  # parts keep what is written to
                given_parts = [_copied(operands[0]), *operands[1:]]
            result = formulas.parts(found)(*given_parts)
            return self._named(operands, _copy_to(operands[0], result) if self.writes else result)
        if found is None and self.operator.rules.decompose is not None and not self.writes:
            return self._named(operands, self.parts(*operands))
        for place in self.writes:
            self._check_write(operands[place])
        originals = self._originals(found, operands)
        result = self._run(plain, given)
        self._remember(found, operands, originals, result)
        return result

    @cached_property
    def silent(self) -> frozenset[int]:
        """The places of inputs that no gradient goes through: `x.to(other)` asks `other` for its dtype."""
        found = derivative(self.operator)
        ignored = set[str]() if found is None else found.ignored
        names = [argument.name for argument in self.operator.schema.arguments]
        return frozenset(place for place, name in enumerate(names) if name in ignored)

    def _asks_for_gradients(self, operands: Sequence[Any]) -> bool:
        return any(
            tensor.__class__ is TrackedTensor
            for place, operand in enumerate(operands)
            if place not in self.silent
            for tensor in tensors_in(operand)
        )

    def class_of_node(self, operands: Sequence[Any], result: Any) -> type[OperatorNode]:
        """The class of the node of a call."""
        name = self.name_by_operands
        return self.node_class if name is None else named(OperatorNode, name(operands, result))

    @cached_property
    def on_plain(self) -> Kernel | None:
        """What gives views of tensors that require no gradients, if the operator gives views of its first operand alone."""
        wrap = self.operator.on_plain_operands if self.operator.rules.is_view else None
        return None if wrap is None else wrap(self.kernel)

    @cached_property
    def node_class(self) -> type[OperatorNode]:
        """The class of the operator's nodes, where it does not depend on operands."""
        eager = eager_name(self.operator) if self.is_eager else None
        return named(
            OperatorNode, eager or listed_name(self.operator) or default_name(self.operator)
        )

    @cached_property
    def is_named_otherwise(self) -> bool:
        """Whether the last node has another name than what made it."""
        return self.name_by_operands is not None or listed_name(self.operator) is not None

    def _named(self, operands: Sequence[Any], result: Any) -> Any:
        """Let the nodes of results that parts of the operator made be called as PyTorch's."""
        if self.is_named_otherwise:
            for one in results_of(result):
                node = one.autograd.grad_fn if one.__class__ is TrackedTensor else None
                is_new = bool(self.writes) or not any(one is each for each in operands)
                if is_new and isinstance(node, OperatorNode):
                    name = self.name_by_operands
                    new = named(OperatorNode, name(operands, one)) if name else self.node_class
                    node.__class__ = new
        return result

    def _reshape(
        self, operands: Sequence[Any], plain: list[Any], given: dict[int, Tensor], *, needs: bool
    ) -> Any:
        """Change sizes and strides: the tensor is another view of its memory from then on, and nothing is written to that."""
        target, *rest = operands
        if needs:
            self._check_write(target)
        elif (own := known(target)) is not None:
            check_inference_write(own)
        assert self.view is not None
        viewing, restoring = registry.find(self.view), registry.find("aten::view")
        assert viewing is not None and viewing.recorded is not None and restoring is not None
        sizes = list(target.array.shape)
        view = viewing.recorded(target, *rest)
        result = self._run(plain, given)
        is_its_own_inverse = len(view.array.shape) == len(sizes) and "squeeze" not in self.view
        back = (viewing, (None, *rest)) if is_its_own_inverse else (restoring, (None, sizes))
        reshaped(target, view, Step(*back, 0), needs=needs)
        return self._named(operands, result) if needs else result

    def _run_unstrided(self, operands: Sequence[Any], unstrided: UnstridedTensor) -> Any:
        """The result for sparse and nested tensors. They require no gradients: what is strided beside them gets one by the operator's
        formulas, where its results are strided, too. Note [Unstrided tensors].

        Raises:
            NotImplementedError: nothing runs the operator on such tensors, or a gradient would have to go through it.
        """
        kernel = kernel_for(self.operator, unstrided)
        if kernel is None:
            return self.parts(*operands)
        given: dict[int, Tensor] = {}
        plain = [plain_operand(operand, given) for operand in operands]
        needs = bool(given) and not self.cuts and grad_mode.is_grad_enabled()
        found = derivative(self.operator) if needs else None
        if needs and found is None:
            raise NotImplementedError(
                f"the derivative of '{self.operator.name}' is not implemented for sparse or nested tensors"
            )
        for place in self.writes:
            if needs:
                self._check_write(operands[place])
            else:
                for tensor in tensors_in(operands[place]):
                    check_plain_write(tensor)
        originals = self._originals(found, operands)
        result = self._run(plain, given, kernel)
        if needs:
            self._remember(found, operands, originals, result)
        return result

    def finish(self, operands: Sequence[Any], plain: Sequence[Any], result: Any) -> Any:
        """The result that the kernel gave for operands without history, with a node where it is new."""
        pairs = zip(map(tensors_in, plain), map(tensors_in, operands), strict=True)
        given = {id(stand_in): one for pair in pairs for stand_in, one in zip(*pair, strict=True)}
        result = mapped(result, given)
        self._remember(derivative(self.operator), operands, {}, result)
        return result

    def at(self, place: str) -> _Recorded:
        """The same for one node of a program; `place` says where it is, should its gradient be missing."""
        has_derivative = (
            self.operator.rules.decompose is not None or derivative(self.operator) is not None
        )
        if has_derivative and eager_name(self.operator) is None:
            return self
        placed = _Recorded(self.operator, self.kernel)
        placed.place, placed.is_eager = place, False
        return placed

    @property
    def parts(self) -> Callable[..., Any]:
        """Runs the decomposition of the operator, and records it."""
        if self._parts is None:
            self._parts = decompositions.kernel(self.operator, records=True)
        return self._parts

    def _run(self, plain: list[Any], given: dict[int, Tensor], kernel: Kernel | None = None) -> Any:
        """The kernel's result, with tensors of the caller where the kernel gave what stood for them."""
        result = (kernel or self.kernel)(*plain)
        for place in self.writes:
            for target in tensors_in(plain[place]):
                if not isinstance(target, UnstridedTensor):
                    count_write(given.get(id(target), target))
        if not given:
            return result
        if self.writes:
            for stand_in in [t for place in self.writes for t in tensors_in(plain[place])]:
                own = given.get(id(stand_in))
                if own is not None and own.array is not stand_in.array:
                    own.array = stand_in.array
        return mapped(result, given)

    def _check_write(self, target: Any) -> None:
        """RuntimeError where PyTorch does not let gradients go through a write."""
        tensors = tensors_in(target)
        if self.has_out and any(tensor.array.dtype.kind in KINDS for tensor in tensors):
            raise RuntimeError(
                f"{self.operator.name.partition('::')[2]}(): functions with out=... arguments don't support "
                "automatic differentiation, but one of the arguments requires grad."
            )
        for tensor in tensors:
            check_write(tensor, resizes=self.operator.name in RESIZING)

    def _originals(self, found: Derivative | None, operands: Sequence[Any]) -> dict[int, Any]:
        """Copies of operands that are written to and that a formula is over, with the history that these have."""
        if found is None:
            return {}
        names = [argument.name for argument in self.operator.schema.arguments]
        return {
            place: _copied(operands[place])
            for place in self.writes
            if names[place] in found.inputs
            and names[place] in found.words
            and isinstance(operands[place], Tensor)
        }

    def _remember(
        self,
        found: Derivative | None,
        operands: Sequence[Any],
        originals: dict[int, Any],
        result: Any,
    ) -> None:
        """Give the results that are new a node."""
        is_list = isinstance(result, list)
        results = results_of(result)
        if any(isinstance(one, UnstridedTensor) for one in results):
            raise NotImplementedError(
                f"the derivative of '{self.operator.name}' is not implemented: its result is sparse or nested"
            )
        known_tensors = [tensor for operand in operands for tensor in tensors_in(operand)]
        fresh = [
            isinstance(one, Tensor)
            and one.array.dtype.kind in KINDS
            and (bool(self.writes) or not any(one is operand for operand in known_tensors))
            and (is_list or found is None or found.gives_gradient(number))
            for number, one in enumerate(results)
        ]
        if not any(fresh):
            return
        node = self._node(found, operands, result, is_list)
        node.results = [fact(one) if isinstance(one, Tensor) else None for one in results]  # type: ignore[misc]
        if found is not None:
            self._save(node, found, operands, originals, results, fresh, is_list)
        for number, (one, is_fresh) in enumerate(zip(results, fresh, strict=True)):
            if not is_fresh:
                continue
            if self.writes:
                rebase(one, node, number)
            else:
                set_history(one, node, number)
        if not self.writes:
            self._note_views(operands, result)
        if self.gives_apart:
            for one in results:
                history(one).apart = Version(one.array)

    def _node(
        self,
        found: Derivative | None,
        operands: Sequence[Any],
        result: Any,
        is_list: bool,
    ) -> OperatorNode:
        schema = self.operator.schema
        slots: list[Slot] = []
        edges: list[Any] = []
        for place, (argument, operand) in enumerate(zip(schema.arguments, operands)):
            if found is not None and argument.name in found.ignored:
                continue
            if isinstance(operand, Tensor):
                slots.append(Slot(argument.name, None, place))
                edges.append(gradient_edge(operand))
            elif isinstance(operand, list):
                for number, item in enumerate(cast("list[Any]", operand)):
                    if isinstance(item, Tensor):
                        slots.append(Slot(argument.name, number, place))
                        edges.append(gradient_edge(item))
        class_ = self.class_of_node(operands, result)
        return class_(self.operator, found, slots, edges, is_list, self.place)

    def _save(
        self,
        node: OperatorNode,
        found: Derivative,
        operands: Sequence[Any],
        originals: dict[int, Any],
        results: Sequence[Any],
        fresh: Sequence[bool],
        is_list: bool,
    ) -> None:
        wanted = {slot.name for slot, edge in zip(node.slots, node.edges, strict=True) if edge}
        words: set[str] = set()
        read: set[str] = set()
        for formula in found.formulas:
            if wanted & set(formula.inputs):
                words |= formula.parameters.keys()
                read |= formula.read
        schema = self.operator.schema
        for place, (argument, operand) in enumerate(zip(schema.arguments, operands)):
            if argument.name in words:
                is_alone = argument.name in found.inputs and is_one_tensor(operand)
                is_read = argument.name in read and not is_alone
                saved = save(originals.get(place, operand), is_read=is_read)
                node.saved[argument.name] = saved
                if isinstance(saved, SavedTensor) and place not in (*originals, *self.writes):
                    self._note_overwritten(saved, operands)
        of_base = found.operator.schema
        if is_list:
            if "result" in words:
                node.saved["result"] = [keep(one, n) for n, one in enumerate(results)]
            return
        for number, one in enumerate(results):
            if number >= len(of_base.returns):
                break
            names = {result_name(of_base, number), f"result{number}"}
            if number == 0:
                names.add("result")
            for name in names & words:
                is_kept = fresh[number] and name in read
                node.saved[name] = keep(one, number) if is_kept else save(one, is_read=name in read)

    def _note_overwritten(self, saved: SavedTensor, operands: Sequence[Any]) -> None:
        """Let an operand know that the operator itself has written to its memory: `x.mul_(x.detach())`."""
        targets = [tensor for place in self.writes for tensor in tensors_in(operands[place])]
        if any(history(one).version_of(one.array) is saved.version for one in targets):
            saved.expected -= 1

    def _note_views(self, operands: Sequence[Any], result: Any) -> None:
        """Let results that are views of an operand know it."""
        if not self.gives_views:
            return
        viewed = [one for one in with_places(operands) if not isinstance(one[2], UnstridedTensor)]
        is_several = isinstance(result, (list, tuple))
        for one in tensors_in(result):
            if isinstance(one, UnstridedTensor):
                continue  # what is written to it is not followed
            owner = None
            for place, element, operand in viewed:
                if one is operand:
                    break
                owner = root(one.array) if owner is None else owner
                if owner is root(operand.array) and has_same_kind(one.array, operand.array):
                    step = Step.of(self.operator, operands, place, element)
                    set_view(one, operand, step, creation_meta(is_several=is_several))
                    break


_made: WeakSet[_Recorded] = WeakSet()
"""What has to hear that a device is in use."""


def _look_for_devices() -> None:
    for one in _made:
        kernel = one.operator.current_kernel
        assert kernel is not None
        one.kernel = kernel
        one.usual.clear()
        one.__dict__.pop("on_plain", None)


when_device_used(_look_for_devices)


def _copied(tensor: Tensor) -> Tensor:
    """A copy that gradients leave for where those of the tensor go now."""
    copied, edge = tensor_of(tensor.array.copy()), gradient_edge(tensor)
    if edge is not None:
        set_history(copied, *edge)
    return copied


def _copy_to(target: Tensor, value: Tensor) -> Tensor:
    """What an operator in place does whose parts give a value."""
    return call("aten::copy_", (target, value))
