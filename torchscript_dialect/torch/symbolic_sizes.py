"""Sizes of symbolic traces, of which there are none here: programs ask whether a value is one (PyTorch: torch/__init__.py)."""

__all__ = ["SymBool", "SymFloat", "SymInt"]


class SymInt:
    """A name for annotations and `isinstance`: nothing is one."""


class SymFloat:
    """A name for annotations and `isinstance`: nothing is one."""


class SymBool:
    """A name for annotations and `isinstance`: nothing is one."""
