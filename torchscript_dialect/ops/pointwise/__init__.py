"""Pointwise operators: how one is declared and run, and all whose body is a line or two."""
