"""Random changes of texts, of graphs in memory, and random values of arguments."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import numpy as np

from support.fuzzing.seeds import WORDS
from torchscript_dialect.ir import Graph, Node
from torchscript_dialect.tensor.conversion import as_tensor

_TOKEN = re.compile(r"\s+|[%@]?[\w.:]+|.", re.DOTALL)


def spoiled_text(random: Random, text: str) -> str:
    """The text with up to three random changes: of a token, of a line, of a character."""
    for _ in range(random.choice((0, 1, 1, 1, 2, 3))):
        text = random.choice(_CHANGES)(random, text)
    return text


def _tokens(random: Random, text: str) -> str:
    tokens = _TOKEN.findall(text)
    if not tokens:
        return text
    words = [i for i, token in enumerate(tokens) if not token.isspace()] or [0]
    here, there = random.choice(words), random.choice(words)
    match random.randrange(6):
        case 0:
            del tokens[here]
        case 1:
            tokens.insert(here, tokens[there])
        case 2:
            tokens[here], tokens[there] = tokens[there], tokens[here]
        case 3:
            tokens[here] = random.choice(WORDS)
        case 4:
            tokens.insert(here, " " + random.choice(WORDS) + " ")
        case _:
            old, new = tokens[here], random.choice([tokens[there], random.choice(WORDS)])
            tokens = [new if token == old else token for token in tokens]
    return "".join(tokens)


def _lines(random: Random, text: str) -> str:
    lines = text.splitlines(keepends=True) or [""]
    here, there = random.randrange(len(lines)), random.randrange(len(lines))
    match random.randrange(4):
        case 0:
            del lines[here]
        case 1:
            lines.insert(here, lines[there])
        case 2:
            lines[here], lines[there] = lines[there], lines[here]
        case _:
            lines[here] = " " * random.randrange(6) + lines[here].lstrip(" ")
    return "".join(lines)


def _characters(random: Random, text: str) -> str:
    here = random.randrange(len(text) + 1)
    match random.randrange(3):
        case 0:
            return text[:here] + text[here + 1 :]
        case 1:
            return (
                text[:here]
                + chr(random.choice((0, 9, 34, 39, 92, 255, 0x3B1, random.randrange(32, 127))))
                + text[here:]
            )
        case _:
            return text[:here]


_CHANGES = (_tokens, _tokens, _tokens, _tokens, _lines, _characters)


def spoil_graph(random: Random, graph: Graph) -> None:
    """Change a graph by the methods of its nodes in a random way."""
    nodes = list(graph.nodes())
    if nodes:
        values = [*graph.inputs(), *(v for n in nodes for v in n.outputs())]
        _spoil_node(random, graph, random.choice(nodes), values)


def _spoil_node(random: Random, graph: Graph, node: Node, values: list[Any]) -> None:
    value = random.choice(values) if values else None
    count = len(list(node.inputs()))
    match random.randrange(9):
        case 0 if value is not None:
            node.addInput(value)
        case 1 if count:
            node.removeInput(random.randrange(count))
        case 2 if value is not None and count:
            node.replaceInput(random.randrange(count), value)
        case 3 if value is not None:
            value.setType(random.choice(values).type())
        case 4:
            node.addOutput()
        case 5:
            for name in list(node.attributeNames())[:1]:
                node.removeAttribute(name)
        case 6:
            node.i_(
                random.choice(("value", "dim", "chunks", "beg", "end", "name")),
                random.choice((-(2**63), -1, 0, 5, 2**63 - 1)),
            )
        case 7:
            node.s_(
                random.choice(("value", "dim", "name", "types")),
                random.choice(("", "x", "__class__")),
            )
        case _:
            graph.insert(
                random.choice(("aten::neg", "aten::add", "prim::TupleIndex", "aten::len")),
                values[: random.randrange(3)],
            )


def _itself() -> list[Any]:
    inner: list[Any] = []
    inner.append(inner)
    return inner


def _dict_of_itself() -> dict[Any, Any]:
    inner: dict[Any, Any] = {}
    inner["a"] = inner
    return inner


class _Odd:
    """An object that raises whatever is asked of it."""

    def __getattr__(self, name: str) -> Any:
        raise ZeroDivisionError(name)

    def __repr__(self) -> str:
        raise ZeroDivisionError("repr")


class _Capsule:
    """An object whose DLPack capsule is none."""

    def __dlpack__(self, **_: Any) -> int:
        return 3

    def __dlpack_device__(self) -> tuple[int, int]:
        return (1, 0)


def argument(random: Random, depth: int = 2) -> Any:
    """A random value, most of which no program takes."""
    if depth and random.random() < 0.3:
        items = [argument(random, depth - 1) for _ in range(random.randrange(4))]
        keys = random.sample((0, 1, "k", 1.5, (1,), None), len(items))
        return random.choice((items, tuple(items), dict(zip(keys, items, strict=True))))
    return random.choice(_VALUES)()


def fitting(random: Random, type_: str) -> Any:
    """A value of a type as graphs spell it; of any type where there is none at hand."""
    for name, values in _FITTING.items():
        if type_.startswith(name):
            return random.choice(values)()
    return argument(random)


_FITTING: dict[str, tuple[Any, ...]] = {
    "int[]": (lambda: [1, 2], list[int]),
    "int?": (lambda: None, lambda: 3),
    "int": (
        lambda: 0,
        lambda: 1,
        lambda: 2,
        lambda: 5,
        lambda: -1,
        lambda: 2**63 - 1,
        lambda: -(2**63),
    ),
    "str": (lambda: "k", lambda: "", lambda: "é{}"),
    "bool": (lambda: True, lambda: False),
    "float": (lambda: 1.5, lambda: float("nan"), lambda: -0.0, lambda: 1e300),
    "complex": (lambda: 1j, lambda: complex("nan"), lambda: 0j),
    "Dict(str, int)": (lambda: {"k": 3}, dict[str, int]),
    "Dict(int, float[])": (lambda: {1: [0.5]}, dict[int, list[float]]),
    "Union(int, str)": (lambda: 1, lambda: "k"),
    "(int, int, str)": (lambda: (1, 2, "k"),),
    "(int, (str, float))": (lambda: (1, ("k", 0.5)),),
    "Tensor": (
        lambda: np.ones((4, 4), np.float32),
        lambda: np.ones((2, 4)),
        lambda: np.arange(4),
        lambda: np.array(2.5, np.float32),
        lambda: np.zeros((0, 3), bool),
    ),
    "Float": (lambda: np.ones((2, 4), np.float32),),
}

_VALUES = (
    lambda: np.ones((2, 4), np.float32),
    lambda: np.ones((2, 4), np.float32),
    lambda: as_tensor(np.ones((4, 2))),
    lambda: np.ones(4)[::-1],
    lambda: np.ones(4, ">f4"),
    lambda: np.ones(4, "<M8[s]").astype("<M8[s]"),
    lambda: np.array(["a", "b"]),
    lambda: np.array([None, 3], dtype=object),
    lambda: np.zeros(2, dtype=[("a", "i4"), ("b", "f8")]),
    lambda: np.zeros((0, 3)),
    lambda: np.array(5),
    lambda: np.float64(2.5),
    lambda: np.str_("x"),
    lambda: np.bytes_(b"x"),
    lambda: np.datetime64("2020-01-01"),
    lambda: np.ones(3, np.longdouble),
    lambda: np.frombuffer(b"\0" * 9, np.uint8)[1:].view(np.float32),
    lambda: np.lib.stride_tricks.as_strided(np.ones(4), (4, 4), (0, 8)),
    lambda: 0,
    lambda: 3,
    lambda: -1,
    lambda: 2**63,
    lambda: -(2**63) - 1,
    lambda: 10**400,
    lambda: 1.5,
    lambda: float("nan"),
    lambda: float("inf"),
    lambda: 1j,
    lambda: True,
    lambda: None,
    lambda: "text",
    lambda: "\ud800",
    lambda: "é" * 3,
    lambda: b"bytes",
    lambda: {1, 2},
    lambda: int,
    lambda: len,
    lambda: object(),
    lambda: range(3),
    lambda: iter([1]),
    _Odd,
    _Capsule,
    _itself,
    _dict_of_itself,
)
