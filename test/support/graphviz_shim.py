"""What the tour's `make_graph` uses of the package graphviz: it keeps nodes, edges and clusters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Digraph:
    """A drawing; `all_nodes` and `all_edges` are those of its clusters, too."""

    def __init__(self, **_: Any) -> None:
        self.nodes: dict[str, str] = {}
        self.edges: list[tuple[str, str]] = []
        self.clusters: dict[str, Digraph] = {}

    def node(self, name: str, label: str = "", **_: Any) -> None:
        self.nodes[name] = label

    def edge(self, source: str, target: str, **_: Any) -> None:
        self.edges.append((source, target))

    @contextmanager
    def subgraph(self, name: str, **_: Any) -> Iterator[Digraph]:
        inner = self.clusters[name] = Digraph()
        yield inner

    @property
    def labels(self) -> list[str]:
        """The labels of all nodes."""
        inner = [label for one in self.clusters.values() for label in one.labels]
        return [*self.nodes.values(), *inner]
