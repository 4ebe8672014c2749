"""What may refer to what: the graph of elements under the alias analysis (PyTorch:
torch/csrc/jit/ir/... utils/memory_dag.h).

Note [Memory locations]
An element stands for a value, or for all the memory of one type that comes from elsewhere (a
wildcard). An edge "points to" leads from an element to those whose memory it may be; an element
without edges is memory of its own, a location. Edges of loops may form cycles: the elements of a
cycle without edges out of it are one location. Two elements may be the same memory if and only if
they reach a common location. Sets of locations are the bits of a Python int, so that the question
is one `&`.

An element that is declared to be a wildcard keeps its locations, and each of them becomes, in
addition, the wildcard's.
"""

from __future__ import annotations

from collections.abc import Iterable

from torchscript_dialect.analysis.location_sets import Locations, numbers, single, without


class Element:
    """A node of the graph; see Note [Memory locations]."""

    __slots__ = ("contained", "holds_anything", "index", "points_to")

    def __init__(self, index: int) -> None:
        self.index = index
        self.points_to: dict[Element, None] = {}
        self.contained: dict[Element, None] = {}
        self.holds_anything = False
        """Whether it may hold a reference to any wildcard: an object, or a value of type Any."""


class MemoryDAG:
    """Elements and edges; after `freeze`, the locations of each element."""

    def __init__(self) -> None:
        self.elements: list[Element] = []
        self.declared: list[tuple[Element, Element]] = []
        self.wildcards: Locations = 0
        """The locations of all wildcards, known when frozen."""
        self._locations: list[Locations] = []
        self._contained_at: list[list[Element]] = []
        self._holds_anything_at: Locations = 0
        self._collected: dict[Element, Locations] = {}

    def make(self) -> Element:
        element = Element(len(self.elements))
        self.elements.append(element)
        return element

    def point(self, source: Element, target: Element) -> None:
        """`source` may be the memory of `target`."""
        if source is not target:
            source.points_to[target] = None

    def contain(self, inner: Element, container: Element) -> None:
        """`container` may hold a reference to `inner`."""
        container.contained[inner] = None

    def declare_wildcard(self, element: Element, wildcard: Element) -> None:
        """All that `element` may be, `wildcard` may be too."""
        if element is not wildcard:
            self.declared.append((element, wildcard))

    def freeze(self, wildcards: Iterable[Element]) -> None:
        """Find the locations. No elements or edges may be added after it."""
        self._find_locations()
        for wildcard in wildcards:
            self.wildcards |= self._locations[wildcard.index]
        additions: dict[int, Locations] = {}
        edited: Locations = 0
        for element, wildcard in self.declared:
            locations = self._locations[element.index]
            edited |= locations
            for place in numbers(locations):
                additions[place] = additions.get(place, 0) | self._locations[wildcard.index]
        for index, locations in enumerate(self._locations):
            for place in numbers(locations & edited):
                locations |= additions[place]
            self._locations[index] = locations

    def _find_locations(self) -> None:
        """Tarjan's algorithm, without recursion: components come out in reverse topological order."""
        count = len(self.elements)
        self._locations = [0] * count
        order = [-1] * count
        low = [0] * count
        on_path = [False] * count
        path: list[Element] = []
        clock = 0
        for root in self.elements:
            if order[root.index] >= 0:
                continue
            work = [(root, iter(root.points_to))]
            while work:
                element, targets = work[-1]
                index = element.index
                if order[index] < 0:
                    order[index] = low[index] = clock
                    clock += 1
                    path.append(element)
                    on_path[index] = True
                for target in targets:
                    if order[target.index] < 0:
                        work.append((target, iter(target.points_to)))
                        break
                    if on_path[target.index]:
                        low[index] = min(low[index], order[target.index])
                else:
                    work.pop()
                    if work:
                        above = work[-1][0].index
                        low[above] = min(low[above], low[index])
                    if low[index] == order[index]:
                        self._finish_component(element, path, on_path)

    def _finish_component(self, root: Element, path: list[Element], on_path: list[bool]) -> None:
        members: list[Element] = []
        while not members or members[-1] is not root:
            members.append(path.pop())
            on_path[members[-1].index] = False
        locations: Locations = 0
        for member in members:
            for target in member.points_to:
                locations |= self._locations[target.index]
        if not locations:
            place = len(self._contained_at)
            locations = single(place, len(self.elements))
            self._contained_at.append([inner for m in members for inner in m.contained])
            if any(m.holds_anything for m in members):
                self._holds_anything_at |= locations
        for member in members:
            self._locations[member.index] = locations

    def locations(self, element: Element) -> Locations:
        """The memory that an element may be."""
        return self._locations[element.index]

    def all_locations(self, element: Element) -> Locations:
        """The memory that an element may be, what that may hold references to, and so on."""
        known = self._collected.get(element)
        if known is not None:
            return known
        found: Locations = 0
        seen = {element}
        waiting = [element]
        while waiting:
            current = waiting.pop()
            new = without(self._locations[current.index], found)
            if (new & self._holds_anything_at) or current.holds_anything:
                new |= without(self.wildcards, found)
            found |= new
            inside = [*current.contained]
            for place in numbers(new):
                inside += self._contained_at[place]
            for inner in inside:
                if inner not in seen:
                    seen.add(inner)
                    waiting.append(inner)
        self._collected[element] = found
        return found
