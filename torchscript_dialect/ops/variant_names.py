"""The names of an operator's variants: in place, and with `out`."""

from __future__ import annotations

from torchscript_dialect.ops import registry


def inplace_variant(qualified_name: str) -> str | None:
    """The name of the operator that writes into `self`, if there is one: `aten::add_.Tensor`."""
    dot = qualified_name.find(".", qualified_name.index("::"))
    base, rest = (qualified_name, "") if dot < 0 else (qualified_name[:dot], qualified_name[dot:])
    name, texts = f"{base}_{rest}", registry.texts()
    if name not in texts:
        return None
    wanted = arguments_text(texts[name]).replace("Tensor(a!) self", "Tensor self", 1)
    return name if wanted == arguments_text(texts[qualified_name]) else None


def out_variant(qualified_name: str) -> str | None:
    """The name of the operator that takes the same arguments and `out`, if there is one."""
    arguments = arguments_text(registry.texts()[qualified_name])
    separator = ", " if "*, " in arguments else ", *, "
    wanted = f"{arguments}{separator}Tensor(a!) out".removeprefix(", ")
    for candidate in registry.overload_texts(qualified_name):
        if arguments_text(candidate) == wanted:
            return candidate.partition("(")[0]
    return None


def arguments_text(text: str) -> str:
    """The arguments in the text of a schema."""
    return text[text.index("(") + 1 : text.rindex(") -> ")]
