"""Gives each `prim::DifferentiableGraph` the graph that goes back through it (PyTorch: runtime/autodiff.cpp).

Before: a node with a sub-graph. After: its second region is the reverse graph, and the sub-graph yields the values that this one needs
besides the results.

Note [Gradients of graphs]
The nodes of a sub-graph and those that go back through them are put into one function, a `prim::GradOf` a node. That is simplified with
what is known of the types. Then it is cut in two: what depends on a gradient from outside is the reverse graph. Values of the other
part that it uses are captured, inputs and results as they are, others as additional results of the sub-graph; or computed once more:
views, and what cheap pointwise nodes make of values that are captured anyway. Of a value that the reverse graph asks for its sizes
only, the runtime keeps no more than these. Last, the sub-graph yields how many trips its loops make where that is not constant: after
none, what the loop reads has no gradient, which the tape knows of the nodes one by one, and so it is after few trips where gradients
take more to come to all values that they come to.

The reverse graph takes gradients of the results that require one, and of captured values that require one, which are undefined but
in a second derivative; then what is captured. It gives the gradients of the operands that require one. Which of the gradients are
undefined is known when it is called: `ts-specialize-autogradzero` removes what they make undefined.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache, partial

from xdsl.dialects.builtin import ArrayAttr, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation, Region, SSAValue

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import may_write
from torchscript_dialect.autodiff.differentiability import requires_gradient, requiring
from torchscript_dialect.autodiff.equal_graphs import EqualGraphs, gradient_name
from torchscript_dialect.autodiff.extents import Extents, Sizes
from torchscript_dialect.autodiff.observed_types import forget_observed, recall
from torchscript_dialect.autodiff.partition import Partition, extracted
from torchscript_dialect.autodiff.reverse import LEAST_TRIPS, Reverse, gradient_type
from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.dialects.attributes import from_attribute, to_attribute
from torchscript_dialect.ir import edit
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.transforms._pass import OBSERVED, FunctionPass, dump
from torchscript_dialect.transforms.decompose_ops import DecomposeOps
from torchscript_dialect.types.core import INT
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.jit_log import Log

LOG = Log(__name__)


class Differentiate(FunctionPass):
    name = "ts-differentiate"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        nodes = [
            op
            for op in edit.nested_ops(function.body.block)
            if isinstance(op, prim.DifferentiableGraphOp) and op.reverse is None
        ]
        if not nodes:
            return False
        is_observed = OBSERVED in function.attributes
        extents = Extents()
        for argument in function.body.block.args:
            extents.argument(argument)
        equal = EqualGraphs()
        aliases = analyses.aliases(function) if may_write(function.body.block) else None
        for node in nodes:
            sizes = [_known_sizes(one, extents, is_observed) for one in node.operands]
            written = [aliases is not None and aliases.has_writers(one) for one in node.operands]
            make = partial(differentiate, node, extents, written, is_observed=is_observed)
            equal.differentiate(node, extents, sizes, written, make)
        dump(LOG, "After Differentiate: ", function)
        return True


def _known_sizes(operand: SSAValue, extents: Extents, is_observed: bool) -> Sizes | None:
    """The sizes of an operand of a graph, as far as all calls have them."""
    return extents.known.get(operand) if is_observed else extents.of(operand)


@lru_cache(maxsize=8)
def _pipeline(passes: str) -> PassPipeline:
    return PassPipeline(passes)


def _simplify(function: FuncOp) -> None:
    """Simplify a function, and once more if what is known of types then makes a difference."""
    analyses = Analyses()
    _pipeline(
        "ts-propagate-shapes{ranks=true},simplification,ts-propagate-shapes{ranks=true}"
    ).apply(function, analyses=analyses)
    if _pipeline("ts-peephole,ts-constant-propagation").apply(function, analyses=analyses):
        _pipeline("simplification").apply(function, analyses=analyses)
    else:
        _pipeline("ts-constant-pooling").apply(function, analyses=analyses)


def differentiate(
    node: prim.DifferentiableGraphOp,
    extents: Extents,
    written: Sequence[bool],
    *,
    is_observed: bool = False,
    carried: int | None = None,
) -> None:
    """Give a node its reverse graph; see Note [Gradients of graphs]. `extents` knows the sizes of its operands, and `written` which of
    them the function writes to. `is_observed`: sizes in types are of some runs only. `carried`: the node is the body of a loop that
    carries so many values (Note [Gradients of loops]).
    """
    joint = _Joint(node, extents, is_observed=is_observed, carried=carried)
    DecomposeOps().run_deep(joint.function, Analyses())
    _simplify(joint.function)
    joint.split(node, written)


class _Joint:
    """The function with both parts: it takes the operands, then the gradients of results, then those of values that may be captured;
    and gives the results, the gradients of operands, then those values.
    """

    def __init__(
        self,
        node: prim.DifferentiableGraphOp,
        outer: Extents,
        *,
        is_observed: bool,
        carried: int | None,
    ) -> None:
        self.is_body = carried is not None
        self.block = block = edit.clone_block(node.body)
        self.observed = forget_observed(block) if is_observed else {}
        end = edit.terminator(block)
        outputs = list(end.operands)[: len(node.results)]
        edit.erase(end)
        self.inputs: list[SSAValue] = list(block.args)
        self.sizes: dict[SSAValue, Sizes] = {}
        """The sizes of the inputs, as far as they are known."""
        wanted: list[SSAValue] = []
        for operand, argument in zip(node.operands, self.inputs, strict=True):
            sizes = _known_sizes(operand, outer, is_observed)
            if sizes is not None:
                self.sizes[argument] = sizes
            if isinstance(argument.type, TensorType):
                edit.set_type(argument, argument.type.replace(requires_grad=False))
                if requires_gradient(operand) is not False:
                    wanted.append(argument)
        requirements = requiring(block, wanted)
        extents = self.extents()
        self.given = {place: v for place, v in enumerate(outputs) if requirements.may(v)}
        """The results that may require gradients, by place."""
        reverse = Reverse(block, requirements, extents, self.more, _differentiate_body)
        self.vjps = [self.argument(value) for value in self.given.values()]
        for value, argument in zip(self.given.values(), self.vjps, strict=True):
            reverse.add(value, argument)
        self.extra: dict[SSAValue, SSAValue] = {}
        """The arguments for gradients of other values, with these."""
        reverse.run()
        for value in self.inputs[1 : 1 + (carried or 0)]:
            if value in wanted and value not in reverse.gradients:
                reverse.gradients[value] = reverse.zeros(value)
        found = [value for value in wanted if value in reverse.gradients]
        self.differentiated = [self.inputs.index(value) for value in found]
        gradients = [reverse.gradients[value] for value in found]
        self.counts = len(outputs), len(gradients)
        results = [*outputs, *gradients, *self.extra.values()]
        block.add_op(ReturnOp(*results))
        types = [value.type for value in results]
        self.function = FuncOp("joint", (block.arg_types, types), Region(block))
        self.module = ModuleOp([self.function])

    def extents(self) -> Extents:
        """The sizes of the values that are in the block now."""
        extents = Extents()
        extents.known |= self.sizes
        extents.block(self.block)
        return extents

    def argument(self, value: SSAValue) -> SSAValue:
        """An argument for the gradient of a value."""
        (argument,) = edit.append_arguments(self.block, [gradient_type(value)])
        argument.name_hint = gradient_name(value.name_hint)
        return argument

    def more(self, value: SSAValue) -> SSAValue | None:
        """An argument for a gradient that a value may have besides; None for results, which have one, and in the body of a loop."""
        if self.is_body or value in self.given.values():
            return None
        argument = self.argument(value)
        self.extra[argument] = value
        return argument

    def split(self, node: prim.DifferentiableGraphOp, written: Sequence[bool]) -> None:
        """Give the node what the joint function has become."""
        values = list(edit.terminator(self.block).operands)
        first, second = self.counts
        outputs, gradients = values[:first], values[first : first + second]
        inputs = dict(zip(self.inputs, written, strict=True))
        partition = Partition(self.block, inputs, outputs, gradients, self.extents())
        inputs, captured = partition.captured_inputs(), partition.captured_outputs()
        yields = [*outputs, *(value for value in captured if value not in outputs)]
        more = self.kept_arguments(zip(self.extra, values[first + second :], strict=True), captured)
        more_nodes, trips = ([], []) if self.is_body else self.trips(partition.forward)
        nodes = [*partition.forward, *more_nodes]
        forward, copies = extracted(nodes, self.inputs, [*yields, *trips], acts=True)
        recall(self.observed, copies)
        arguments = [*self.vjps, *more.values(), *inputs, *captured]
        repeated = [*partition.repeated, *partition.reverse]
        reverse, _ = extracted(repeated, arguments, gradients)
        taken = [*inputs, *captured]
        node.attributes |= {
            "df_input_vjps": _indices([*self.given, *map(yields.index, more)]),
            "df_input_captured_inputs": _indices(map(self.inputs.index, inputs)),
            "df_input_captured_outputs": _indices(map(yields.index, captured)),
            "df_output_vjps": _indices(self.differentiated),
            "df_sizes": _indices(
                place for place, value in enumerate(taken) if not partition.captured[value]
            ),
        }
        edit.release_regions(node, 0)
        node.add_region(Region(forward))
        node.add_region(Region(reverse))
        edit.release(self.module)

    def trips(self, forward: Sequence[Operation]) -> tuple[list[Operation], list[SSAValue]]:
        """What has to be more than none for the reverse graph to be right: how many trips loops make, less those that are too few
        (Note [Undefined gradients of loops] in reach.py); and before that the nodes that compute it.
        """
        nodes: list[Operation] = []
        found: dict[SSAValue, None] = {}
        for loop in [one for op in forward for one in op.walk() if isinstance(one, prim.LoopOp)]:
            least, count = loop.attributes.pop(LEAST_TRIPS, None), loop.max_trip_count
            if isinstance(count.owner, prim.ConstantOp):
                continue
            if least is not None:
                too_few = prim.ConstantOp.of(from_attribute(least) - 1, INT)
                more = aten.SubIntOp.create(
                    operands=[count, too_few.results[0]], result_types=[INT]
                )
                for one in (too_few, more):
                    edit.insert_before(edit.terminator(self.block), one)
                nodes.append(more)
                count = more.results[0]
            found[count] = None
        return nodes, list(found)

    @staticmethod
    def kept_arguments(
        extra: Iterable[tuple[SSAValue, SSAValue]], captured: Sequence[SSAValue]
    ) -> dict[SSAValue, SSAValue]:
        """By captured value, the argument for the gradient that it may have besides; others are taken out."""
        kept: dict[SSAValue, SSAValue] = {}
        for argument, value in extra:
            if value in captured and value not in kept:
                kept[value] = argument
                continue
            for use in tuple(argument.uses):
                before = next(one for one in use.operation.operands if one is not argument)
                edit.replace_uses(use.operation.results[0], before)
        return kept


def _differentiate_body(graph: prim.DifferentiableGraphOp, extents: Extents) -> None:
    differentiate(graph, extents, [False] * len(graph.operands), carried=len(graph.results))


def _indices(places: Iterable[int]) -> Attribute:
    return ArrayAttr(to_attribute(place) for place in places)
