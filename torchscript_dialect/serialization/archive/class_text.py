"""The source of classes of archives that have none: for those without source, and for those that describe modules otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from torchscript_dialect.serialization.python_printer_tables import is_identifier
from torchscript_dialect.types.function_schema import quote


def record_of(name: str) -> str:
    """The record with the source of a class or function."""
    return f"code/{name.rpartition('.')[0].replace('.', '/')}.py"


def module_head(
    name: str, parameters: Iterable[str], buffers: Iterable[str], fields: Mapping[str, str]
) -> list[str]:
    """The lines of a class of modules before its methods; `fields` are the types of all attributes."""
    return [
        f"class {name.rpartition('.')[2]}(Module):",
        f"  __parameters__ = [{''.join(f'{quote(p)}, ' for p in parameters)}]",
        f"  __buffers__ = [{''.join(f'{quote(b)}, ' for b in buffers)}]",
        *(
            f"  {field} : {type_}"
            if is_identifier(field)
            else f"  __annotations__[{quote(field)}] = {type_}"
            for field, type_ in fields.items()
        ),
    ]
