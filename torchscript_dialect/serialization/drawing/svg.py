"""Graphs as SVG, laid out in rows: a box stands below all whose values it uses (Sugiyama, Tagawa and Toda 1981, without the
crossing reduction beyond one sweep of barycenters).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape

from xdsl.dialects.func import FuncOp

from torchscript_dialect.serialization.drawing.figure import Arrow, Box, Frame, figure_of
from torchscript_dialect.utils.recursion import deep_recursion

CHARACTER, LINE, PAD, GAP, ROW_GAP = 7.3, 26.0, 10.0, 16.0, 34.0
"""Pixels: the width of a character, the height of a box of one line, the room inside frames and between boxes and rows."""

FILLS = {"value": "#eeeeee", "node": "#ffffff", "control": "#dbe9f6", "group": "#fde0c5"}


@dataclass(slots=True)
class _Place:
    """Where the upper left corner of a box is in its frame, and its size."""

    width: float
    height: float
    x: float = 0.0
    y: float = 0.0


def print_svg(function: FuncOp) -> str:
    """The drawing of a function's graph as an `<svg>` element."""
    figure = figure_of(function)
    with deep_recursion():
        layout = _Layout(figure.arrows)
        width, height = layout.frame(figure.frame)
        shapes = [*layout.shapes(figure.frame, PAD, PAD)]
    size = f'width="{width + 2 * PAD:.0f}" height="{height + 2 * PAD:.0f}"'
    arrows = "".join(map(layout.arrow, figure.arrows))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="monospace" font-size="12">'
        '<defs><marker id="tip" markerWidth="8" markerHeight="8" refX="7" refY="3" orient="auto">'
        f'<path d="M0,0 L7,3 L0,6 z"/></marker></defs>{"".join(shapes)}{arrows}</svg>\n'
    )


class _Layout:
    def __init__(self, arrows: Iterable[Arrow]) -> None:
        self._sources: dict[int, list[Box]] = {}
        """By the number of a box those of its frame whose values it uses, itself or in its blocks."""
        for arrow in arrows:
            source, target = _in_one_frame(arrow)
            self._sources.setdefault(target.number, []).append(source)
        self._places: dict[int, _Place] = {}
        self._corners: dict[int, tuple[float, float]] = {}

    def frame(self, frame: Frame) -> tuple[float, float]:
        """Give the boxes of a frame their places in it; its width and height."""
        rows: list[list[Box]] = []
        row_of: dict[int, int] = {}
        for box in frame.boxes:
            self._places[box.number] = self._sized(box)
            above = [row_of.get(source.number, -1) for source in self._sources.get(box.number, ())]
            row = row_of[box.number] = max(above, default=-1) + 1
            if row == len(rows):
                rows.append([])
            rows[row].append(box)
        y = LINE if frame.title else 0.0
        for row in rows:
            self._place_row(row, y)
            y += max(self._places[box.number].height for box in row) + ROW_GAP
        places = [self._places[box.number] for box in frame.boxes]
        left = min((place.x for place in places), default=0.0)
        for place in places:
            place.x -= left
        width = max((place.x + place.width for place in places), default=0.0)
        return max(width, CHARACTER * len(frame.title)), max(y - ROW_GAP, LINE)

    def _sized(self, box: Box) -> _Place:
        """The size of a box: its text, and its blocks side by side below."""
        width, height = CHARACTER * len(box.label) + 2 * PAD, LINE
        if box.frames:
            sizes = [self.frame(frame) for frame in box.frames]
            width = max(width, sum(w for w, _ in sizes) + 2 * PAD * len(sizes) + PAD)
            height += max(h for _, h in sizes) + 2 * PAD
        return _Place(width, height)

    def _place_row(self, row: list[Box], y: float) -> None:
        """Put boxes under the middle of those whose values they use, as far as the boxes to their left allow."""
        wanted = {box.number: self._barycenter(box) for box in row}
        right = float("-inf")
        for box in sorted(row, key=lambda box: wanted[box.number]):
            place = self._places[box.number]
            place.x, place.y = max(wanted[box.number] - place.width / 2, right + GAP), y
            right = place.x + place.width

    def _barycenter(self, box: Box) -> float:
        places = [self._places[source.number] for source in self._sources.get(box.number, ())]
        middles = [place.x + place.width / 2 for place in places]
        return sum(middles) / len(middles) if middles else 0.0

    def shapes(self, frame: Frame, x: float, y: float) -> Iterator[str]:
        """The boxes of a frame whose upper left corner is at a point of the drawing."""
        if frame.title:
            yield f'<text x="{x:.1f}" y="{y + 12:.1f}" fill="#666666">{escape(frame.title)}</text>'
        for box in frame.boxes:
            yield from self._box(box, x, y)

    def _box(self, box: Box, x: float, y: float) -> Iterator[str]:
        place = self._places[box.number]
        left, top = x + place.x, y + place.y
        self._corners[box.number] = left, top
        radius = 12 if box.look == "value" else 2
        yield (
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{place.width:.1f}" height="{place.height:.1f}"'
            f' rx="{radius}" fill="{FILLS[box.look]}" stroke="#333333"/>'
            f'<text x="{left + PAD:.1f}" y="{top + 17:.1f}">{escape(box.label)}</text>'
        )
        inner = left + PAD
        for frame in box.frames:
            yield from self.shapes(frame, inner, top + LINE + PAD)
            places = [self._places[each.number] for each in frame.boxes]
            width = max((one.x + one.width for one in places), default=0.0)
            inner += max(width, CHARACTER * len(frame.title)) + 2 * PAD

    def arrow(self, arrow: Arrow) -> str:
        """A curve from the lower edge of the box that makes a value to the upper edge of the one that uses it."""
        source, target = self._places[arrow.source.number], self._places[arrow.target.number]
        (x0, y0), (x1, y1) = self._corners[arrow.source.number], self._corners[arrow.target.number]
        x0, y0, x1 = x0 + source.width / 2, y0 + source.height, x1 + target.width / 2
        bend = (y1 - y0) / 2
        path = f"M{x0:.1f},{y0:.1f} C{x0:.1f},{y0 + bend:.1f} {x1:.1f},{y1 - bend:.1f} {x1:.1f},{y1:.1f}"
        title = f"<title>{escape(arrow.label)}</title>"
        return (
            f'<path d="{path}" fill="none" stroke="#555555" marker-end="url(#tip)">{title}</path>'
        )


def _in_one_frame(arrow: Arrow) -> tuple[Box, Box]:
    """The two ends of an arrow, or the boxes around them, as far out as is needed for both to stand in one frame."""
    target = arrow.target
    while target.parent is not arrow.source.parent:
        assert target.parent is not None, "a value is used in the block that makes it, or deeper"
        target = target.parent
    return arrow.source, target
