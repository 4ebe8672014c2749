"""Derivatives of operators, and gradients of graphs."""
