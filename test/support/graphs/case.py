"""A small graph for passes, as text that this project and PyTorch both read."""

from dataclasses import dataclass


@dataclass(frozen=True)
class GraphCase:
    """A graph and the passes that make of it what PyTorch's passes of the same name make of it."""

    name: str
    passes: tuple[str, ...]
    text: str


ARGUMENTS = "%x : Tensor, %y : Tensor, %c : bool, %n : int"


def case(name: str, passes: str, body: str, arguments: str = ARGUMENTS) -> GraphCase:
    """A case by the names of its passes and the lines of its graph."""
    return GraphCase(name, tuple(passes.split()), f"graph({arguments}):\n{body}")
