"""Which values may be the same memory, and who writes to it (PyTorch:
torch/csrc/jit/ir/alias_analysis.cpp).

Note [Alias analysis]
The analysis walks over a function once, in order, and gives every value of a mutable type an
element of a memory graph (Note [Memory locations] in memory_dag.py). What a node does is what its class
declares (`Aliasing`), which for an operator follows from its schema:

- a result without annotation is fresh memory; `Tensor(a)` points to the operand that is annotated so, `Tensor(a|b)` to both;
- `Tensor(a!)` writes to the operand's memory;
- `Tensor(a -> *)` lets the operand out of sight: it becomes a wildcard of its type, as does a result `Tensor(*)`.
The wildcard of a type is all the memory of that type that the function does not know to be apart
from the rest: its arguments, what has been put into a container, an object or a future, and what
comes out of one. So containers are not tracked element by element, with one exception: the operands
of a list that is used once, by an operator that makes something fresh of it (`cat`), stay what they
were.

Structural nodes declare it as a trait, and those with blocks say what flows in and out (`RegionFlow`):
the results of `prim::If` point to what both blocks yield; what a loop carries points to what goes in,
and to what the body yields. A node that declares nothing (a call, an operator that the table does not
know) may write to all it can reach and gives wildcards. A tensor-expression group reads its operands
and gives fresh memory.

The analysis does not look at the order of nodes: a write is a write to all values that may be that
memory, before and after. It stays true while a pass takes nodes away or moves them, and adds nodes
that make constants; for other new nodes a pass makes a new analysis. Values that came later count
as memory that nobody writes to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from torchscript_dialect.analysis.effects import aliasing_of, blocks_of, has_side_effects
from torchscript_dialect.analysis.location_sets import Locations, numbers
from torchscript_dialect.analysis.memory_dag import Element, MemoryDAG
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.interfaces import RegionFlow
from torchscript_dialect.dialects.operators import OperatorOp, is_off
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.ops.aliasing import FRESH, Aliasing, Origin
from torchscript_dialect.serialization.graph_printer import value_names
from torchscript_dialect.types.containers import ListType, OptionalType, union_of
from torchscript_dialect.types.core import NONE, TorchScriptType
from torchscript_dialect.types.mutability import alias_types, is_mutable_type, is_open
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.properties import cached_property

LOG = Log(__name__)

Values = Sequence[SSAValue]


class AliasDb:
    """What is known of memory in a function (or in a block that stands alone); see Note [Alias
    analysis].
    """

    def __init__(self, function: FuncOp | Block) -> None:
        self.block = function.body.block if isinstance(function, FuncOp) else function
        self._dag = MemoryDAG()
        self._elements: dict[SSAValue, Element] = {}
        self._wildcards: dict[TorchScriptType, Element] = {}
        self._writes: dict[Operation, list[tuple[SSAValue, bool]]] = {}
        """What a node writes to, and whether to all that this holds references to, too."""
        self._writes_everywhere: list[Operation] = []
        for argument in self.block.args:
            self._set_wildcard(argument)
        self._analyze_block(self.block)
        self._dag.freeze(self._wildcards.values())
        self._write_index = self._index_writes()
        self._written: Locations = 0
        for locations in self._write_index.values():
            self._written |= locations
        self._inner_writes: dict[Operation, Locations] = {}
        self._outside: tuple[Values | None, Values | None, Locations] = None, None, 0
        if LOG.debugs:
            LOG.debug(self.describe())

    # Questions about values.

    def locations(self, value: SSAValue) -> Locations:
        """The memory that a value may be; empty for an immutable value."""
        element = self._elements.get(value)
        return 0 if element is None else self._dag.locations(element)

    def all_locations(self, values: Iterable[SSAValue]) -> Locations:
        """The memory that the values may be or hold references to."""
        found: Locations = 0
        for value in values:
            element = self._elements.get(value)
            if element is not None:
                found |= self._dag.all_locations(element)
        return found

    def may_alias(self, a: SSAValue | Values, b: SSAValue | Values) -> bool:
        """Whether a value of `a` may be the same memory as one of `b`."""
        return bool(self._union(a) & self._union(b))

    def _union(self, values: SSAValue | Values) -> Locations:
        if isinstance(values, SSAValue):
            return self.locations(values)
        found: Locations = 0
        for value in values:
            found |= self.locations(value)
        return found

    def may_contain_alias(self, a: SSAValue | Values, b: SSAValue | Values) -> bool:
        """As `may_alias`, for the values and all that they hold references to."""
        of_a = self.all_locations((a,) if isinstance(a, SSAValue) else a)
        return bool(of_a) and bool(
            of_a & self.all_locations((b,) if isinstance(b, SSAValue) else b)
        )

    def may_alias_wildcard(self, value: SSAValue) -> bool:
        """Whether the value may be memory that is known outside of the function's own values."""
        wildcard = self._wildcard_of(type_of(value))
        return wildcard is not None and bool(self.locations(value) & self._dag.locations(wildcard))

    def is_mutable(self, value: SSAValue) -> bool:
        """Whether the value's type is one that can be written to."""
        return is_mutable_type(type_of(value))

    def has_writers(self, what: SSAValue | Operation | Values) -> bool:
        """Whether any node of the function may write to the value, to one of the values, or to an
        operand or result.
        """
        if isinstance(what, SSAValue):
            return bool(self.locations(what) & self._written) and not _must_be_none(what)
        if isinstance(what, Operation):
            return self.has_writers(what.operands) or self.has_writers(what.results)
        return any(self.has_writers(value) for value in what)

    def has_written_contents(self, value: SSAValue) -> bool:
        """As `has_writers`, for the value and all that it holds references to."""
        return bool(self.all_locations((value,)) & self._written)

    def writes_arguments(self) -> bool:
        """Whether any node of the function may write to an argument, or to what an argument holds."""
        known = self.all_locations(self.block.args)
        for wildcard in self._wildcards.values():
            known |= self._dag.locations(wildcard)
        return bool(known & self._written)

    def may_be_written_later(self, value: SSAValue, op: Operation) -> bool:
        """Whether any node of the function may write to the value that does not stand before an op in the outermost block."""
        if not self.has_writers(value):
            return False
        last_writes, place = self._last_writes, self._place(op)
        if place is None:
            return True
        return any(last_writes.get(one, -1) >= place for one in numbers(self.locations(value)))

    def _place(self, op: Operation) -> int | None:
        """Where an op stands in the outermost block, with what is around it; None for one that came later."""
        outermost = self.block.find_ancestor_op_in_block(op)
        return None if outermost is None else self._places.get(outermost)

    @cached_property
    def _places(self) -> dict[Operation, int]:
        return {op: place for place, op in enumerate(self.block.ops)}

    @cached_property
    def _last_writes(self) -> dict[int, int]:
        """By location, the place in the outermost block of the last node that may write there."""
        found: dict[int, int] = {}
        for op, written in self._write_index.items():
            place = self._place(op)
            end = len(self._places) if place is None else place
            for one in numbers(written):
                found[one] = max(end, found.get(one, -1))
        return found

    def may_be_reshaped(self, value: SSAValue) -> bool:
        """Whether any node of the function may give the tensor other sizes, strides, dtype or memory."""
        return bool(self.locations(value) & self._reshaped)

    @cached_property
    def _reshaped(self) -> Locations:
        found: Locations = 0
        everywhere = set(self._writes_everywhere)
        for op, written in self._write_index.items():
            if op in everywhere or not _keeps_shapes(op):
                found |= written
        return found

    def escapes(self, values: Values) -> bool:
        """Whether the caller of the function may come to see the memory of the values."""
        if self.all_locations(values) & self._locations_outside():
            return True
        return any(map(self.may_alias_wildcard, values))

    def _locations_outside(self) -> Locations:
        """What the arguments and results of the function may be or hold; kept, for there may be as many as nodes."""
        last = self.block.last_op
        outputs = () if last is None else edit.operands_of(last)
        arguments, results, found = self._outside
        if arguments is not self.block.args or results is not outputs:
            found = self.all_locations(self.block.args) | self.all_locations(outputs)
            self._outside = self.block.args, outputs, found
        return found

    def safe_to_change_aliasing(self, a: SSAValue | Values, b: SSAValue | Values) -> bool:
        """Whether nobody can tell if the values of `a` are those of `b` or copies of them."""
        a = (a,) if isinstance(a, SSAValue) else a
        b = (b,) if isinstance(b, SSAValue) else b
        if self.has_writers(a) or self.has_writers(b):
            return False
        return not (self.escapes(a) and self.escapes(b))

    # Questions about nodes.

    def writes(self, op: Operation) -> Locations:
        """The memory that a node and the nodes of its blocks may write to."""
        if not op.regions:
            return self._write_index.get(op, 0)
        known = self._inner_writes.get(op)
        if known is None:
            known = self._write_index.get(op, 0)
            for block in blocks_of(op):
                for inner in block.ops:
                    known |= self.writes(inner)
            self._inner_writes[op] = known
        return known

    def reads(self, op: Operation) -> Locations:
        """The memory that a node and the nodes of its blocks may read."""
        found = self.all_locations(op.operands)
        for block in blocks_of(op):
            for inner in block.ops:
                found |= self.reads(inner)
        return found

    def writes_to_alias(self, op: Operation, values: Iterable[SSAValue]) -> bool:
        """Whether the node may write to the memory of one of the values."""
        written = self.writes(op)
        return bool(written) and any(written & self.locations(value) for value in values)

    def writes_to_wildcard(self, op: Operation) -> bool:
        """Whether the node itself may write to memory that is known outside."""
        return bool(self._write_index.get(op, 0) & self._dag.wildcards)

    has_side_effects = staticmethod(has_side_effects)

    # Changes.

    def replace_with_new_value(self, existing: SSAValue, new: SSAValue) -> None:
        """From now on, `new` is what `existing` was."""
        element = self._elements.pop(existing, None)
        if element is not None:
            self._elements[new] = element

    def copy_value(self, source: SSAValue, target: SSAValue) -> None:
        """`target`, a new value, is the same memory as `source`."""
        element = self._elements.get(source)
        if element is not None:
            self._elements[target] = element
            self._outside = None, None, 0

    def describe(self) -> str:
        """The elements and edges, for people."""
        pointers: dict[str, list[str]] = {}
        contents: dict[str, list[str]] = {}
        for source, target, is_contained in self.edges():
            (contents if is_contained else pointers).setdefault(source, []).append(target)
        names = self._names()
        lines: list[str] = []
        for name in names.values():
            if name in pointers:
                lines.append(f"{name} points to: {', '.join(pointers[name])}")
            if name in contents:
                lines.append(f"{name} contains: {', '.join(contents[name])}")
        for op, written in self._writes.items():
            whom = ", ".join(names[self._elements[v]] for v, _ in written)
            lines.append(f"{getattr(op, 'KIND', op.name)} writes to: {whom}")
        return "\n".join(lines)

    def edges(self) -> Iterator[tuple[str, str, bool]]:
        """What points to what, and what holds what (True), by names."""
        names = self._names()
        declared: dict[Element, dict[Element, None]] = {}
        for element, wildcard in self._dag.declared:
            declared.setdefault(element, {})[wildcard] = None
        for element, name in names.items():
            for target in (*element.points_to, *declared.get(element, ())):
                yield name, names[target], False
            for target in element.contained:
                yield name, names[target], True

    def _names(self) -> dict[Element, str]:
        names = value_names(self.block)
        found = {element: f"%{names[value]}" for value, element in self._elements.items()}
        wildcards = {e: f"WILDCARD for type {t.repr_str}" for t, e in self._wildcards.items()}
        return found | wildcards

    # Elements.

    def _element(self, value: SSAValue) -> Element:
        """The element of a mutable value; fresh memory if it has none yet."""
        found = self._elements.get(value)
        return found if found is not None else self._fresh(value)

    def _fresh(self, value: SSAValue, *, holds_wildcards: bool = True) -> Element:
        element = self._elements[value] = self._dag.make()
        if holds_wildcards:
            self._hold_wildcards(element, alias_types(type_of(value)))
        return element

    def _give_fresh(self, values: Iterable[SSAValue]) -> None:
        for value in values:
            if is_mutable_type(type_of(value)) and value not in self._elements:
                self._fresh(value)

    def _hold_wildcards(self, element: Element, types: tuple[TorchScriptType, ...]) -> None:
        """An element holds whatever its types can hold; one of several types is one of their
        wildcards.
        """
        for type_ in types:
            element.holds_anything |= is_open(type_)
            if len(types) > 1:
                self._dag.point(element, self._wildcard((type_,)))
                continue
            for contained in type_.contained:
                inner = alias_types(contained)
                if inner:
                    self._dag.contain(self._wildcard(inner), element)

    def _wildcard(self, types: tuple[TorchScriptType, ...]) -> Element:
        key = types[0] if len(types) == 1 else _union_key(types)
        found = self._wildcards.get(key)
        if found is None:
            found = self._wildcards[key] = self._dag.make()
            self._hold_wildcards(found, types)
        return found

    def _wildcard_of(self, type_: TorchScriptType) -> Element | None:
        types = alias_types(type_)
        if not types:
            return None
        return self._wildcards.get(types[0] if len(types) == 1 else _union_key(types))

    def _set_wildcard(self, value: SSAValue) -> Element | None:
        types = alias_types(type_of(value))
        if not types:
            return None
        wildcard = self._wildcard(types)
        self._dag.declare_wildcard(self._element(value), wildcard)
        return wildcard

    def _point(self, source: SSAValue, target: SSAValue) -> None:
        """`source` may be what `target` is."""
        if _never_aliases(source) or _never_aliases(target):
            self._give_fresh((source, target))
            return
        if source is target or not (self.is_mutable(source) and self.is_mutable(target)):
            self._give_fresh((source,))
            return
        self._dag.point(self._element(source), self._element(target))

    def _write(self, op: Operation, value: SSAValue, *, to_contained: bool = False) -> None:
        if self.is_mutable(value):
            self._element(value)
            self._writes.setdefault(op, []).append((value, to_contained))

    def _index_writes(self) -> dict[Operation, Locations]:
        index: dict[Operation, Locations] = {}
        for op, written in self._writes.items():
            for value, to_contained in written:
                reached = self.all_locations((value,)) if to_contained else self.locations(value)
                index[op] = index.get(op, 0) | reached
        for op in self._writes_everywhere:
            index[op] = index.get(op, 0) | self._dag.wildcards
        return index

    # Rules.

    def _analyze_block(self, block: Block) -> None:
        for op in block.ops:
            aliasing = aliasing_of(type(op))
            if aliasing is FRESH and not op.regions:
                self._give_fresh(op.results)
            elif isinstance(op, prim.DifferentiableGraphOp):
                self._differentiable_graph(op)
            elif aliasing is None:
                self._conservative(op)
            elif op.regions:
                self._with_regions(op, aliasing)
            else:
                self._declared(op, aliasing)

    def _declared(self, op: Operation, aliasing: Aliasing) -> None:
        operands, results = op.operands, op.results
        for index, to_contained in _writes_of(op, aliasing):
            self._write(op, operands[index], to_contained=to_contained)
        for value in operands if aliasing.keeps_all else (operands[i] for i in aliasing.keeps):
            self._set_wildcard(value)
        for index in aliasing.wildcards:
            self._set_wildcard(results[index])
        for index, operand in aliasing.views:
            if self.is_mutable(results[index]):
                self._point(results[index], operands[operand])
        for index in aliasing.written_results:
            self._write(op, results[index])
        if aliasing.runs_others:
            self._writes_everywhere.append(op)
        _ORIGINS[aliasing.results](self, op)

    def _with_regions(self, op: Operation, aliasing: Aliasing) -> None:
        flow = op.get_trait(RegionFlow)
        if flow is None:
            self._declared(op, aliasing)
            return
        entering = flow.entering(op)
        if entering is None:
            self._conservative(op)
            return
        for argument, value in entering:
            self._point(argument, value)
        for region in op.regions:
            self._analyze_block(region.block)
        for result, value in flow.leaving(op):
            self._point(result, value)

    def _differentiable_graph(self, op: prim.DifferentiableGraphOp) -> None:
        """What nodes in it write to are operands, and nothing that they make is known outside but its results."""
        self._give_fresh(op.results)
        for argument, operand in zip(op.body.args, op.operands, strict=True):
            self._point(argument, operand)
        self._analyze_block(op.body)
        for inner in op.body.walk():
            aliasing = aliasing_of(type(inner))
            for index, to_contained in () if aliasing is None else _writes_of(inner, aliasing):
                argument = inner.operands[index]
                if isinstance(argument, BlockArgument) and argument.block is op.body:
                    self._write(op, op.operands[argument.index], to_contained=to_contained)

    def _fresh_results(self, op: Operation) -> None:
        self._give_fresh(op.results)

    def _extract(self, op: Operation) -> None:
        """What comes out of a container may be anything of its type."""
        for result in op.results:
            self._set_wildcard(result)

    def _conservative(self, op: Operation) -> None:
        """May write to all that the operands reach, and keep all of it."""
        for operand in op.operands:
            self._write(op, operand, to_contained=True)
            self._set_wildcard(operand)
            if is_open(type_of(operand)):
                self._writes_everywhere.append(op)
        self._extract(op)
        for block in blocks_of(op):
            for argument in block.args:
                self._set_wildcard(argument)
            self._analyze_block(block)

    def _container(self, op: Operation) -> None:
        (container,) = op.results
        if not self.is_mutable(container):
            return
        if _is_used_up(container):
            element = self._fresh(container, holds_wildcards=False)
            for operand in op.operands:
                if self.is_mutable(operand):
                    self._dag.contain(self._element(operand), element)
            return
        element = self._element(container)
        for operand in op.operands:
            wildcard = self._set_wildcard(operand)
            if wildcard is not None:
                self._dag.contain(wildcard, element)

    def _all_results_alias(self, op: Operation) -> None:
        for result in op.results:
            self._point(result, op.operands[0])

    def _pairwise(self, op: Operation) -> None:
        for result, operand in zip(op.results, op.operands):
            self._point(result, operand)


def _writes_of(op: Operation, aliasing: Aliasing) -> Sequence[tuple[int, bool]]:
    """The operands that an op writes to, as `Aliasing` has them: none where running statistics stay."""
    if not aliasing.writes or (isinstance(op, OperatorOp) and is_off(op)):
        return ()
    return aliasing.writes


def _union_key(types: tuple[TorchScriptType, ...]) -> TorchScriptType:
    return union_of(types)


def is_passive(op: Operation) -> bool:
    """Whether all other nodes and values would be what they are if the node, whose results nobody uses, were not there."""
    return _is_passive(type(op)) and not any(_holds_memory(value.type) for value in op.operands)


@lru_cache(maxsize=1 << 14)
def _is_passive(class_: type[Operation]) -> bool:
    aliasing = aliasing_of(class_)
    if aliasing is None or class_.has_trait(RegionFlow):
        return False
    return not (aliasing.may_write or aliasing.may_keep)


def _holds_memory(type_: Attribute) -> bool:
    """Whether it is a list whose elements stay apart as long as nobody else uses it; see `_is_used_up`."""
    return isinstance(type_, ListType) and is_mutable_type(type_.element)


def _must_be_none(value: SSAValue) -> bool:
    if value.type == NONE:
        return True
    owner = value.owner
    return (
        isinstance(owner, prim.ConstantOp)
        and isinstance(value.type, OptionalType)
        and not owner.attributes
    )


def _never_aliases(value: SSAValue) -> bool:
    return isinstance(value, OpResult) and (
        isinstance(value.op, prim.UninitializedOp) or _must_be_none(value)
    )


def _keeps_shapes(op: Operation) -> bool:
    """Whether a node writes to nothing but elements; the nodes of graphs are asked themselves."""
    if isinstance(op, OperatorOp) and op.OPERATOR is not None:
        return op.OPERATOR.aliasing is not None and not op.OPERATOR.reshapes
    return isinstance(op, (prim.TensorExprGroupOp, prim.DifferentiableGraphOp))


def _is_used_up(container: SSAValue) -> bool:
    """Whether a list's only use is one that makes fresh memory of its elements."""
    uses = iter(container.uses)
    use = next(uses, None)
    if use is None or next(uses, None) is not None or not isinstance(container.type, ListType):
        return False
    aliasing = aliasing_of(type(use.operation))
    return aliasing is not None and aliasing.copies_elements


# pyright: reportPrivateUsage=false
_ORIGINS: dict[Origin, Callable[[AliasDb, Operation], None]] = {
    Origin.FRESH: AliasDb._fresh_results,
    Origin.ANYWHERE: AliasDb._extract,
    Origin.FIRST_OPERAND: AliasDb._all_results_alias,
    Origin.SAME_OPERAND: AliasDb._pairwise,
    Origin.HOLDS_OPERANDS: AliasDb._container,
}
