"""Operators that join, repeat and turn tensors, and shape rules of families."""
