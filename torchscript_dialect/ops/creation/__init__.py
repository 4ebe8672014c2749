"""Tensors from nothing, from values and from tensors of another dtype."""
