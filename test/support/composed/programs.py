"""Composes programs of fragments: a number says which."""

import random
import textwrap
from dataclasses import dataclass

from support.composed.bodies import BODIES
from support.composed.contexts import CONTEXTS, CONTEXTS_OF_MODULES
from support.composed.module_bodies import OF_MODULES
from support.composed.preamble import PREAMBLE

_HEAD = "x: Tensor, n: int, o: Optional[int], l: List[int], d: Dict[str, int], s: str"
_NEWER = "x: Tensor, n: int, o: int | None, l: list[int], d: dict[str, int], s: str = 'ab'"
_BEGIN = "acc = 0\nlog: List[str] = []\nt = x\n"
_END = "\nreturn acc, t, log"


@dataclass
class Composed:
    """A program: its whole source, what is compiled in it, and the fragments that it has."""

    number: int
    source: str
    is_module: bool
    has_text_annotations: bool
    fragments: str

    @property
    def name(self) -> str:
        return f"composed_{self.number}"


def _filled(context: str, bodies: list[str], number: int) -> str:
    """The context with the bodies in its places, names numbered."""
    lines: list[str] = []
    for line in context.replace("@", str(number)).splitlines():
        if line.strip() != "BODY":
            lines.append(line)
            continue
        indent = line[: len(line) - len(line.lstrip())]
        lines.append(textwrap.indent("\n".join(bodies), indent))
    return "\n".join(lines)


def count() -> int:
    """How many pairs of a body and a context there are; greater numbers pair them again with other neighbours."""
    bodies, contexts = len(BODIES) + len(OF_MODULES), len(CONTEXTS) + len(CONTEXTS_OF_MODULES)
    return bodies * contexts


def composed(number: int) -> Composed:
    """The program of a number: every body stands in every context, beside others that are drawn."""
    draw = random.Random(number)
    bodies, contexts = [*BODIES, *OF_MODULES], [*CONTEXTS, *CONTEXTS_OF_MODULES]
    pair = number % count()
    first = bodies[pair % len(bodies)]
    outer = contexts[pair // len(bodies)]
    others = draw.sample(BODIES, 2)
    parts = [first.replace("@", "1"), others[0].replace("@", "2")]
    if draw.random() < 0.5:
        parts.reverse()
    if draw.random() < 0.4:
        parts = [_filled(draw.choice(CONTEXTS), parts[:1], 3), *parts[1:]]
    text = _filled(outer, parts[: draw.choice([1, 2])], 4)
    if draw.random() < 0.3:
        text += "\n" + others[1].replace("@", "5")
    is_module = "self" in text or draw.random() < 0.15
    head = _NEWER if draw.random() < 0.3 else _HEAD
    body = textwrap.indent(_BEGIN + text + _END, "    ")
    function = (
        f"def program(self, {head}):\n{body}" if is_module else f"def program({head}):\n{body}"
    )
    if is_module:
        method = textwrap.indent(function.replace("program", "forward", 1), "    ")
        source = f"{PREAMBLE}\n\nclass Program(Whole):\n{method}\n"
    else:
        source = f"{PREAMBLE}\n\n{function}\n"
    has_text = draw.random() < 0.2 and not is_module  # PyTorch finds no Final in text
    if has_text:
        source = "from __future__ import annotations\n" + source
    return Composed(number, source, is_module, has_text, text)
