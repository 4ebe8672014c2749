"""Rewrite patterns by family: one class a rule, with what it does in its docstring.

Note [Rewrite patterns]
A pattern without arguments is right whatever the memory is: it is in `canonical.py`, which `canonicalize` of xDSL uses too. A pattern
that replaces a tensor or looks into a list asks `Memory` first (memory.py). Passes choose patterns and run them with the driver
(Note [Pattern driver] in ir/pattern_driver.py). Operators are op classes, so a pattern names what it matches in its annotation.
The files do without `from __future__ import annotations`: annotations that are texts would be compiled and evaluated once more.
"""
