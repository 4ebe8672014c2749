"""What goes wrong in a kernel."""

from __future__ import annotations


class Fault(Exception):
    """A kernel did what no program may do, or used what the interpreter does not know; the text names kernel, line and threads."""
