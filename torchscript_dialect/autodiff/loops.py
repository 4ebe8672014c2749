"""Goes back through a loop that is in a differentiable graph.

Note [Gradients of loops]
The body of a loop that only its trip count ends is differentiated like a sub-graph of its own: it takes the trip number, what the
loop carries, and what it reads from around. What its reverse graph needs of a trip, the loop keeps in lists, an element a trip, which
it carries. A second loop goes through the trips, last first, with the reverse graph as its body: it carries the gradients of what the
first one carries, and the sums of the gradients of what all trips read. Gradients of carried values are zeros where they would be
undefined; what the loop gives is undefined where it should be: Note [Undefined gradients of loops] in reach.py. A loop in the body has
as many trips in each of those, so that the runtime can tell beforehand whether it has any.

A sum of products `u.t().mm(v)`, the gradient of a matrix that all trips multiply by, is one product: of all `u` and all `v`, one below
the other. The second loop keeps them in lists.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import NamedTuple

from xdsl.ir import Block, Operation, OpResult, Region, SSAValue

from torchscript_dialect.autodiff.differentiability import is_copied
from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.ir import edit
from torchscript_dialect.patterns.unrolling import is_for_loop
from torchscript_dialect.types.containers import ListType
from torchscript_dialect.types.core import BOOL, INT, TorchScriptType
from torchscript_dialect.types.tensor_type import TENSOR, TensorType

GetItemOp = aten.__Getitem__TOp  # pyright: ignore[reportPrivateUsage]


def is_differentiable_loop(op: prim.LoopOp, takes: Callable[[Operation], bool]) -> bool:
    """Whether a sub-graph may hold a loop, if `takes` says for each node of its body whether a sub-graph may hold that. What it carries
    are tensors that its nodes make, no views.
    """
    if len(op.regions) != 1 or not is_for_loop(op) or not _makes_trips(op):
        return False
    block = op.body.block
    if not all(isinstance(value.type, TensorType) for value in block.args[1:]):
        return False
    nodes = [one for one in edit.body_ops(block) if not isinstance(one, prim.ConstantOp)]
    made = {result for one in nodes for result in one.results if not is_copied(one)}
    carried = {*block.args[1:], *made}
    if not all(value in carried for value in prim.yielded(op.body)[1:]):
        return False
    return bool(made) and all(map(takes, nodes))


def _makes_trips(loop: prim.LoopOp) -> bool:
    """Whether a loop, and each loop in it, has a number of trips that is known before it begins, and that is not known to be none."""
    counts = [one.max_trip_count for one in loop.walk() if isinstance(one, prim.LoopOp)]
    known = [edit.constant_value(count) for count in counts]
    return all(
        not loop.is_ancestor(count.owner) if trips is None else trips > 0
        for count, trips in zip(counts, known, strict=True)
    )


def operands_of_all(op: Operation) -> list[SSAValue]:
    """What a node and those of its blocks take from outside of it, its own operands first, each once otherwise."""
    found = list(op.operands)
    if not op.regions:
        return found
    made: set[SSAValue] = set()
    inner: dict[SSAValue, None] = {}
    for one in op.walk():
        made.update(one.results)
        for region in one.regions:
            made.update(region.block.args)
        if one is not op:
            inner |= dict.fromkeys(one.operands)
    return [*found, *(value for value in inner if value not in made)]


def places_of_gradients(op: Operation) -> Sequence[SSAValue]:
    """What a node may have gradients for: its operands, and what its blocks read from around."""
    if not op.regions:
        return op.operands
    found = operands_of_all(op)
    given = len(op.operands)
    inner = [value for value in found[given:] if not isinstance(value.owner, prim.ConstantOp)]
    return [*found[:given], *inner]


class LoopBody(NamedTuple):
    """A loop whose body is a graph: `graph` takes the trip number, what is carried, and `free`, what is read from around."""

    loop: prim.LoopOp
    free: Sequence[SSAValue]
    graph: prim.DifferentiableGraphOp

    @classmethod
    def of(cls, loop: prim.LoopOp, may: Callable[[SSAValue], bool]) -> LoopBody:
        """`may`: whether a value may require a gradient."""
        free = places_of_gradients(loop)[len(loop.operands) :]
        block = loop.body.block
        inner = [*block.args, *free]
        types = [_requiring(value, may(value)) for value in inner]
        values: dict[SSAValue, SSAValue] = {}
        body = Block(arg_types=types)
        for value, argument in zip(inner, body.args, strict=True):
            values[value] = argument
            argument.name_hint = value.name_hint
        for op in edit.body_ops(block):
            for value in operands_of_all(op):
                if value not in values:
                    assert isinstance(value.owner, prim.ConstantOp)
                    body.add_op(edit.clone(value.owner, values))
            body.add_op(edit.clone(op, values))
        results = [values[value] for value in prim.yielded(loop.body)[1:]]
        body.add_op(prim.YieldOp.create(operands=results))
        graph = prim.DifferentiableGraphOp.create(
            operands=Block(arg_types=types).args,
            result_types=[value.type for value in results],
            regions=[Region(body)],
        )
        return cls(loop, free, graph)

    @property
    def carried(self) -> int:
        """How many values the loop carries."""
        return len(self.graph.results)

    def taken(self) -> list[int]:
        """What the reverse graph takes after gradients: places of arguments, or complements of places of what is yielded."""
        return [*self.graph.captured_inputs, *(~place for place in self.graph.captured_outputs)]

    def keep(self) -> dict[int, SSAValue]:
        """Let the loop run the graph, and keep what each trip has for the reverse graph; the lists, by place in `taken`."""
        loop, graph = self.loop, self.graph
        block = loop.body.block
        for op in reversed(edit.all_ops(block)):
            edit.erase(op)
        values: dict[SSAValue, SSAValue] = dict(
            zip(graph.body.args, [*block.args, *self.free], strict=True)
        )
        edit.clone_nodes(edit.body_ops(graph.body), values, block.add_op)
        yields = [values[value] for value in prim.yielded(graph.regions[0])]
        places = [one for one in self.taken() if one < 0 or 0 < one <= self.carried]
        kept = [block.args[one] if one > 0 else yields[~one] for one in places]
        goes_on = prim.ConstantOp.of(True, BOOL)
        block.add_op(goes_on)
        block.add_op(prim.YieldOp.create(operands=[goes_on.results[0], *yields[: self.carried]]))
        empty, lists = _keep(loop, list(dict.fromkeys(kept)))
        for op in empty:
            edit.insert_before(loop, op)
        return {place: lists[value] for place, value in zip(places, kept, strict=True)}

    def reversed(
        self,
        kept: dict[int, SSAValue],
        gradients: dict[int, SSAValue],
        zeros: dict[int, SSAValue],
    ) -> tuple[list[Operation], dict[int, SSAValue]]:
        """The nodes of the loop that goes back, and the gradients that it gives: by place in what the graph takes. `gradients` are
        those of the results, by place, `zeros` the sums of those of `free` before the first trip. The loop makes one at least.
        """
        graph, count = self.graph, self.loop.max_trip_count
        assert graph.reverse is not None
        one, goes_on = prim.ConstantOp.of(1, INT), prim.ConstantOp.of(True, BOOL)
        last = aten.SubIntOp.create(operands=[count, one.results[0]], result_types=[INT])
        places = list(graph.differentiated)
        initial = {
            place: gradients[place - 1] if place <= self.carried else zeros[place]
            for place in places
        }
        body = Block(arg_types=[INT, *(value.type for value in initial.values())])
        number = aten.SubIntOp.create(operands=[last.results[0], body.args[0]], result_types=[INT])
        body.add_op(number)
        carried = dict(zip(places, body.args[1:], strict=True))
        given: list[SSAValue] = [carried[place + 1] for place in graph.vjps]
        given += [self._of_trip(place, number.results[0], kept, body) for place in self.taken()]
        values: dict[SSAValue, SSAValue] = dict(zip(graph.reverse.args, given, strict=True))
        edit.clone_nodes(edit.body_ops(graph.reverse), values, body.add_op)
        yields = [values[value] for value in prim.yielded(graph.regions[1])]
        found = dict(zip(places, yields, strict=True))
        factors = {
            place: pair
            for place, value in found.items()
            if place > self.carried and (pair := _factors(value, body)) is not None
        }
        following: list[SSAValue] = []
        for place, value in found.items():
            if place in factors:
                _forget(value)
            elif place > self.carried:
                add = aten.AddTensorOp.create(
                    operands=[carried[place], value, one.results[0]],
                    result_types=[carried[place].type],
                )
                body.add_op(add)
                following.append(add.results[0])
            else:
                following.append(value)
        body.add_op(prim.YieldOp.create(operands=[goes_on.results[0], *following]))
        rest = [place for place in places if place not in factors]
        edit.erase_arguments(body, [1 + places.index(place) for place in factors])
        back = prim.LoopOp.create(
            operands=[count, goes_on.results[0], *(initial[place] for place in rest)],
            result_types=[initial[place].type for place in rest],
            regions=[Region(body)],
        )
        nodes: list[Operation] = [one, goes_on, last]
        sum_of: dict[int, SSAValue] = dict(zip(rest, back.results, strict=True))
        if not factors:
            return [*nodes, back], sum_of
        empty, lists = _keep(back, list(dict.fromkeys(chain.from_iterable(factors.values()))))
        nodes += [*empty, back]
        for place, (left, right) in factors.items():
            sum_of[place] = _product(lists[left], lists[right], nodes)
        return nodes, sum_of

    def _of_trip(
        self, place: int, number: SSAValue, kept: dict[int, SSAValue], body: Block
    ) -> SSAValue:
        """What the reverse graph takes from a place in `taken`, in the trip of that number."""
        if place in kept:
            element = _element_of(kept[place])
            get = GetItemOp.create(operands=[kept[place], number], result_types=[element])
            body.add_op(get)
            return get.results[0]
        return number if place == 0 else self.free[place - 1 - self.carried]


def _factors(value: SSAValue, body: Block) -> tuple[SSAValue, SSAValue] | None:
    """`u` and `v` of a gradient `u.t().mm(v)` that a block computes, and that nothing else there asks for."""
    if not isinstance(value, OpResult) or value.uses or value.owner.parent is not body:
        return None
    node = value.owner
    if not isinstance(node, prim.GradOfOp):
        return None
    product = prim.yielded(node.regions[0])[value.index].owner
    if not isinstance(product, aten.MmOp) or not isinstance(product.self.owner, aten.TOp):
        return None
    left, right = product.self.owner.self, product.mat2
    inner = edit.all_ops(node.body)
    return None if left.owner in inner or right.owner in inner else (left, right)


def _forget(value: SSAValue) -> None:
    """Compute a gradient no more."""
    assert isinstance(value, OpResult)
    node, index = value.owner, value.index
    if len(node.results) == 1:
        edit.erase(node)
        return
    end = edit.terminator(node.regions[0].block)
    product = end.operands[index].owner
    edit.erase_operands(end, [index])
    edit.erase_results(node, [index])
    assert isinstance(product, aten.MmOp)
    transposed = product.self.owner
    for op in (product, transposed):
        if isinstance(op, Operation) and not any(one.uses for one in op.results):
            edit.erase(op)


def _keep(
    loop: prim.LoopOp, values: Sequence[SSAValue]
) -> tuple[list[Operation], dict[SSAValue, SSAValue]]:
    """Let a loop keep values of each trip in lists that it carries: the nodes that make these, empty, which have to stand before it,
    and the lists after the loop, by value.
    """
    block = loop.body.block
    end = edit.terminator(block)
    types = [_list_of(value) for value in values]
    empty = [prim.ListConstructOp.create(result_types=[type_]) for type_ in types]
    edit.append_operands(loop, [op.results[0] for op in empty])
    for list_, value in zip(edit.append_arguments(block, types), values, strict=True):
        append = aten.AppendTOp.create(operands=[list_, value], result_types=[list_.type])
        edit.insert_before(end, append)
        edit.append_operand(end, append.results[0])
    return list(empty), dict(zip(values, edit.append_results(loop, types), strict=True))


def _product(left: SSAValue, right: SSAValue, nodes: list[Operation]) -> SSAValue:
    """The product of all matrices of a list, transposed, by those of another."""
    zero = prim.ConstantOp.of(0, INT)
    rows = [
        aten.CatOp.create(operands=[one, zero.results[0]], result_types=[TENSOR])
        for one in (left, right)
    ]
    across = aten.TOp.create(operands=[rows[0].results[0]], result_types=[TENSOR])
    product = aten.MmOp.create(
        operands=[across.results[0], rows[1].results[0]], result_types=[TENSOR]
    )
    nodes += [zero, *rows, across, product]
    return product.results[0]


def _requiring(value: SSAValue, requires: bool) -> TorchScriptType:
    type_ = prim.type_of(value)
    return type_.replace(requires_grad=requires) if isinstance(type_, TensorType) else type_


def _list_of(value: SSAValue) -> ListType:
    type_ = prim.type_of(value)
    return ListType(TENSOR if isinstance(type_, TensorType) else type_)


def _element_of(value: SSAValue) -> TorchScriptType:
    assert isinstance(value.type, ListType)
    return value.type.element
