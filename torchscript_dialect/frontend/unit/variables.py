"""Names of variables."""


def is_meaningful(name: str) -> bool:
    """Whether values should bear the name of this variable. Those of the compiler's own begin with `$`, and the Python Printer calls
    what has no name `_0`, `_1`, ...
    """
    if name[:1] == "_" and not name.strip("_0123456789"):
        return bool(name[1:].strip("0123456789"))
    return name[:1] != "$" and name.isascii()


def name_of_attribute(name: str) -> str | None:
    """What the value of an attribute is called: `_0.1` for the attribute `0`, which modules in containers are."""
    if name.isdecimal():
        return f"_{name}.1"
    return name if is_meaningful(name) and name.isidentifier() else None
