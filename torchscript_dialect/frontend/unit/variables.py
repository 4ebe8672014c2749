"""Names of variables."""


def is_meaningful(name: str) -> bool:
    """Whether values should bear the name of this variable; variables of the compiler's own begin with `$`."""
    return name[:1] != "$" and name.isascii()
