"""A line search by the strong conditions of Wolfe (PyTorch: `_strong_wolfe` in torch/optim/lbfgs.py)."""

# pyright: basic
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

ENOUGH_DESCENT, ENOUGH_FLATNESS = 1e-4, 0.9


class Point(NamedTuple):
    """A place on the line: how far along, the loss there, its gradient, and its slope along the line."""

    t: Any
    loss: float
    grad: Any
    slope: Any


class Search:
    """Looks for a place where the loss is lower and the line flatter than at the beginning."""

    def __init__(
        self,
        evaluate: Callable[[Any], tuple[float, Any]],
        direction: Any,
        start: Point,
        tolerance: float,
        limit: int,
    ) -> None:
        """`evaluate` gives the loss and its gradient at a place; it is called at most one time more than `limit`."""
        self.evaluate, self.direction, self.start = evaluate, direction, start
        self.tolerance, self.limit = tolerance, limit
        self.calls = self.rounds = 0

    def at(self, t: Any) -> Point:
        """The place at `t`."""
        loss, grad = self.evaluate(t)
        self.calls += 1
        return Point(t, loss, grad, grad.dot(self.direction))

    def run(self, t: Any) -> Point:
        """The place that is found, from the first guess `t`."""
        low, high = self._bracket(t)
        return low if high is None else self._zoom(low, high)

    def _is_too_high(self, point: Point) -> bool:
        start = self.start
        return bool(point.loss > start.loss + ENOUGH_DESCENT * point.t * start.slope)

    def _is_flat(self, point: Point) -> bool:
        return bool(abs(point.slope) <= -ENOUGH_FLATNESS * self.start.slope)

    def _bracket(self, t: Any) -> tuple[Point, Point | None]:
        """Two places with one that will do between them; or that one and nothing."""
        before, now = self.start, self.at(t)
        while self.rounds < self.limit:
            if self._is_too_high(now) or (self.rounds > 1 and now.loss >= before.loss):
                return before, now
            if self._is_flat(now):
                return now, None
            if now.slope >= 0:
                return before, now
            least, most = now.t + 0.01 * (now.t - before.t), now.t * 10
            before, now = now, self.at(_between(before, now, least, most))
            self.rounds += 1
        return self.start, now

    def _zoom(self, first: Point, other: Point) -> Point:
        """The lower end of the bracket, which becomes smaller until the end is a place that will do."""
        ends = [first, other]
        low = 0 if first.loss <= other.loss else 1
        is_stuck = False
        widest = self.direction.abs().max()
        while self.rounds < self.limit:
            if abs(ends[1].t - ends[0].t) * widest < self.tolerance:
                break
            left, right = sorted(end.t for end in ends)
            t = _between(ends[0], ends[1], left, right)
            margin = 0.1 * (right - left)
            is_near = bool(min(right - t, t - left) < margin)
            if is_near and (is_stuck or t >= right or t <= left):
                t = right - margin if abs(t - right) < abs(t - left) else left + margin
                is_near = False
            is_stuck = is_near
            now = self.at(t)
            self.rounds += 1
            if self._is_too_high(now) or now.loss >= ends[low].loss:
                ends[1 - low] = now
                low = 0 if ends[0].loss <= ends[1].loss else 1
                continue
            if self._is_flat(now):
                return now
            if now.slope * (ends[1 - low].t - ends[low].t) >= 0:
                ends[1 - low] = ends[low]
            ends[low] = now
        return ends[low]


def _between(one: Point, other: Point, least: Any, most: Any) -> Any:
    """Where the cubic through two places with these slopes is lowest, between two bounds."""
    bend = one.slope + other.slope - 3 * (one.loss - other.loss) / (one.t - other.t)
    square = bend**2 - one.slope * other.slope
    if not square >= 0:
        return (least + most) / 2.0
    left, right = (one, other) if one.t <= other.t else (other, one)
    root = square.sqrt()
    share = (right.slope + root - bend) / (right.slope - left.slope + 2 * root)
    return min(max(right.t - (right.t - left.t) * share, least), most)
