"""The family files, in the order in which their rules are attached."""

FAMILIES: tuple[str, ...] = ()
