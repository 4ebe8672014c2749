"""The family files, in the order in which their rules are attached."""

FAMILIES: tuple[str, ...] = (
    "arithmetic",
    "comparison",
    "elementary",
    "activation",
    "views",
    "matmul",
    "reduction",
    "scan",
    "shaping",
    "indexing",
    "creation",
    "random",
    "conversion",
    "scalars",
    "lists",
    "dicts",
    "strings",
    "misc",
    "variants",
)
