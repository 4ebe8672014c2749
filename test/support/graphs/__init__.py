"""Small graphs for the passes, as text that this project and PyTorch both read."""

from support.graphs import control_flow, dead_nodes, peephole
from support.graphs.case import GraphCase

__all__ = ["CASES", "GraphCase"]

CASES: tuple[GraphCase, ...] = (*dead_nodes.CASES, *control_flow.CASES, *peephole.CASES)
