"""Names of variables."""

from __future__ import annotations

from torchscript_dialect.serialization.python_printer_tables import as_identifier


def value_name(name: str) -> str | None:
    """What the values of this variable are called, None for no name. Variables of the compiler's own begin with `$`, and the Python
    Printer calls what has no name `_0`, `_1`, ... Names of values are ASCII, as code is.
    """
    if name[:1] == "$" or (name[:1] == "_" and not name[1:].strip("0123456789")):
        return None
    return name if name.isascii() else as_identifier(name)


def name_of_attribute(name: str) -> str | None:
    """What the value of an attribute is called: `_0.1` for the attribute `0`, which modules in containers are."""
    if name.isdecimal():
        return f"_{name}.1"
    return value_name(name) if name.isidentifier() else None
