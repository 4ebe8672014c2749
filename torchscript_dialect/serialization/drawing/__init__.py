"""Drawings of graphs: Graphviz's DOT, and SVG without Graphviz."""
