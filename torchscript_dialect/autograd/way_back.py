"""Writes Python functions that run the formulas of a usual call: the counterparts of those of `usual_calls.py`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from torchscript_dialect.autodiff.derivatives import Formula, result_name
from torchscript_dialect.autograd import formulas
from torchscript_dialect.autograd.nodes import Grad
from torchscript_dialect.autograd.operator_node import OperatorNode
from torchscript_dialect.autograd.saved import unpack
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.utils.generated import function_of

WayBack = Callable[[OperatorNode, Sequence[Grad]], list[Grad]]
"""Gives the gradients of a node's inputs."""


class Ways:
    """What the formulas of an operator are over, as expressions of a function of a node and the gradients of its results."""

    def __init__(
        self,
        schema: FunctionSchema,
        kept: Collection[str],
        tensors: Collection[str],
        *,
        gives_list: bool,
    ) -> None:
        """`tensors` are those of what the node has `kept` that are one tensor each."""
        self.kept = kept
        self.tensors = tensors
        self.gradients = {"grad": 0}
        """The numbers of results by the names of their gradients."""
        for number in range(len(schema.returns)):
            names = (f"grad{number}", f"grad_{result_name(schema, number)}")
            self.gradients |= dict.fromkeys(names, number)
        self.gives_list = gives_list

    def is_tensor(self, name: str) -> bool:
        """Whether a name in a formula stands for a tensor."""
        return name in self.tensors or (name in self.gradients and not self.gives_list)

    def source(self, name: str, needs: Sequence[bool]) -> str:
        """What a name in a formula stands for."""
        if name in self.tensors:
            return f"saved[{name!r}].plain(node)"
        if name in self.kept:
            return f"unpack(saved[{name!r}], node)"
        if name == "needs":
            return f"{needs}"
        if self.gives_list:
            return "node.all_of(grads)"
        number = self.gradients[name]
        one = f"grads[{number}]"
        return f"({one} if {one} is not None else node.grad_of(grads, {number}))"


def way_back(
    ways: Ways, used: Sequence[Formula], wanted: Collection[str], inputs: Sequence[tuple[str, bool]]
) -> WayBack:
    """What runs those formulas that are used, and gives the gradients of a node's inputs: name, and whether it is a list of tensors.
    Those of inputs that are not `wanted` are None.
    """
    words: dict[str, Any] = {"unpack": unpack, "Tensor": Tensor}
    places = {name: f"input{place}" for place, (name, _) in enumerate(inputs)}

    def lines() -> Iterator[str]:
        yield "saved = node.saved"
        for number, formula in enumerate(used):
            words[f"formula{number}"] = formulas.plain(formula)
            needs = [name in wanted for name in formula.inputs]
            values = [f"value{place}" for place in range(len(formula.parameters))]
            for value, name in zip(values, formula.parameters):
                yield f"{value} = {ways.source(name, needs)}"
            given = ", ".join(values)
            found = ", ".join(places.get(name, "_") for name in formula.inputs)
            tensors = [v for v, name in zip(values, formula.parameters) if ways.is_tensor(name)]
            yield f"formula{number}.left -= formula{number}.work"
            for one in tensors[:1]:  # a gradient may be sparse
                yield f"if {one}.__class__ is Tensor: formula{number}.left -= {one}.array.size"
            yield f"if formula{number}.left < 0: formula{number}.look({given})"
            yield f"try: {found} = formula{number}.run({given})"
            yield f"except Exception as error: raise formula{number}.explain(error)"
        results = (
            "None" if name not in wanted else f"*{places[name]}" if is_list else places[name]
            for name, is_list in inputs
        )
        yield f"return [{', '.join(results)}]"

    return function_of("node, grads", lines(), words)
