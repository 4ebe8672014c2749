"""What names mean that a function does not define itself (PyTorch: torch/csrc/jit/frontend/resolver.h).

The emitter asks a `Resolver`: `define/native_resolver.py` serves source text, `python/resolver.py` live Python objects.
"""

from __future__ import annotations

from torchscript_dialect.frontend.sugared.context import Context
from torchscript_dialect.frontend.sugared.sugared_value import SugaredValue
from torchscript_dialect.frontend.unit.type_resolver import TypeResolver
from torchscript_dialect.utils.source_range import SourceRange


class Resolver(TypeResolver):
    """Knows no names; the others extend it."""

    def resolve_value(self, name: str, m: Context, range: SourceRange) -> SugaredValue | None:
        """What a name means as a value, None if nothing."""
        return None
