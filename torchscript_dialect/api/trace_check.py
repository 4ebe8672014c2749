"""Whether a trace does what the program does: `check_trace` (PyTorch: torch/jit/_trace.py, `_check_trace`)."""

from __future__ import annotations

import copy
import difflib
import re
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from torchscript_dialect.ir import Graph
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.runtime.values.for_pytorch import mapped
from torchscript_dialect.tensor.generator import default_generator
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tracer.tensor_hooks import TracerWarning

Run = Callable[..., Any]

_CONSTANT = re.compile(r"^- .* = prim::Constant\[value=(\{|tensor<)")
"""A tensor among the nodes where graphs part, as `_parting` shows them."""
_UNTRACEABLE = (
    "\nERROR: Tensor-valued Constant nodes differed in value across invocations. This often indicates that the tracer has encountered"
    " untraceable code."
)


class TracingCheckError(Exception):
    """Two traces of one program are not the same."""


def copied(value: Any) -> Any:
    """Inputs for one more run, leaves of their own where gradients go to them: a program may write to them."""
    memo: dict[int, Any] = {}

    def note(one: Any) -> None:
        if isinstance(one, Tensor) and one.requires_grad:
            memo[id(one)] = one.detach().clone().requires_grad_()

    mapped(value, note)
    return copy.deepcopy(value, memo)


def check_graphs(first: Graph, second: Graph) -> None:
    """Hold two traces of one program against each other.

    Raises:
        TracingCheckError: they differ; the message shows the nodes where they part, with their places in the source.
    """
    one, other = (_lines(graph) for graph in (first, second))
    if one == other:
        return
    shown = "\n".join(_parting(one, other, str(first).splitlines(), str(second).splitlines()))
    raise TracingCheckError(
        "Tracing failed sanity checks!\nERROR: Graphs differed across invocations! The program does not do the same in every run,"
        " or it depends on Python values that a trace cannot record. The graphs part here, the first marked -, the second"
        f" +:\n{shown}{_UNTRACEABLE if _CONSTANT.search(shown) else ''}"
    )


def without_shapes(graph: Graph) -> Graph:
    """A copy to be held against traces of inputs of other shapes."""
    erased = graph.copy()
    PassPipeline("ts-erase-shape-information").run(erased)
    return erased


def _lines(graph: Graph) -> list[str]:
    """The nodes without places and names of the program, and without the numbers of classes."""
    return graph.str(print_source_locations=False).splitlines()


def _parting(
    one: Sequence[str], other: Sequence[str], first: Sequence[str], second: Sequence[str]
) -> Iterator[str]:
    matcher = difflib.SequenceMatcher(a=one, b=other, autojunk=False)
    for tag, start, stop, begin, end in matcher.get_opcodes():
        if tag == "equal":
            continue
        yield from (f"- {line.strip()}" for line in first[start : min(stop, start + 5)])
        yield from (f"+ {line.strip()}" for line in second[begin : min(end, begin + 5)])
        return


def check_results(
    traced: Run, program: Run, inputs: Sequence[Any], tolerance: float, whose: str
) -> None:
    """Run the trace and the program on the same inputs, and warn where results differ, or where one of them fails."""
    try:
        with default_generator.drawn_again():
            expected = program(*copied(inputs))
        found = traced(*copied(inputs))
    except Exception as error:
        _warn(f"the trace could not be held against the program on {whose}: {error}")
        return
    for number, problem in _differences(found, expected, tolerance):
        _warn(
            f"Output nr {number}. of the traced function does not match the corresponding output of the Python function."
            f" Detailed error:\non {whose}: {problem}"
        )


def _warn(message: str) -> None:
    warnings.warn(message, TracerWarning, stacklevel=5)


def _differences(found: Any, expected: Any, tolerance: float) -> Iterator[tuple[int, str]]:
    """The numbers, from 1, of the tensors that differ among those of a result, and how they do."""
    for number, (one, other) in enumerate(_pairs(found, expected), start=1):
        problem = _difference(one, other, tolerance)
        if problem is not None:
            yield number, problem


def _pairs(found: Any, expected: Any) -> Iterator[tuple[Any, Tensor]]:
    """The tensors of what the program gave, each with that of the trace in its place."""
    if isinstance(expected, Tensor):
        yield found, expected
    elif isinstance(expected, (tuple, list)):
        for one, other in zip(found, cast("Sequence[Any]", expected), strict=True):
            yield from _pairs(one, other)
    elif isinstance(expected, Mapping):
        for key, other in cast("Mapping[Any, Any]", expected).items():
            yield from _pairs(found[key], other)


def _difference(found: Tensor, expected: Tensor, tolerance: float) -> str | None:
    if (found.dtype, found.shape) != (expected.dtype, expected.shape):
        return f"{found.dtype} of shape {list(found.shape)}, not {expected.dtype} of shape {list(expected.shape)}"
    if found.dtype.is_quantized:
        return None
    mine, theirs = (
        np.asarray(one.detach(), complex if one.is_complex() else float)
        for one in (found, expected)
    )
    close = np.isclose(mine, theirs, rtol=tolerance, atol=tolerance, equal_nan=True)
    if close.all():
        return None
    place = tuple(map(int, np.argwhere(~close)[0]))
    return (
        f"{int((~close).sum())} of {close.size} elements differ, the first at {list(place)}:"
        f" {mine[place]} instead of {theirs[place]}"
    )
