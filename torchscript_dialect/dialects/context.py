"""An xDSL context for an open universe of operators."""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.func import Func
from xdsl.ir import Dialect, Operation

from torchscript_dialect.dialects.aten import Aten
from torchscript_dialect.dialects.operators import op_name_to_qualified, operator_class
from torchscript_dialect.dialects.prim import STRUCTURAL_OPS
from torchscript_dialect.dialects.prim_dialect import Prim
from torchscript_dialect.ops import registry


class OpenContext(Context):
    """A context that knows every operator of the table, and takes any other op of `aten`, or of a namespace that is no dialect
    of its own, for an operator without a schema.
    """

    def get_optional_dialect(self, name: str) -> Dialect | None:
        """The dialects of this package are known without making the classes of all their operators."""
        return _OWN.get(name) or super().get_optional_dialect(name)

    def load_registered_dialect(self, name: str) -> None:
        """Of the dialects of this package the attributes alone: thousands of operators are looked up by name."""
        dialect = _OWN.get(name)
        if dialect is None or name not in self._registered_dialects:
            super().load_registered_dialect(name)
            return
        self._loaded_dialects[name] = dialect
        for attribute in dialect.attributes:
            self.load_attr_or_type(attribute)

    def _get_known_op(self, name: str) -> type[Operation] | None:
        known = super()._get_known_op(name) or _STRUCTURAL.get(name)
        if known is not None:
            return known
        qualified = op_name_to_qualified(name)
        namespace = qualified.partition("::")[0]
        is_open = namespace == "aten" or namespace not in self._registered_dialects
        if is_open or registry.find(qualified) is not None:
            made = operator_class(qualified)
            self._loaded_ops[name] = made
            return made
        return None


_OWN: dict[str, Dialect] = {"aten": Aten, "prim": Prim}
_STRUCTURAL = {op.name: op for op in STRUCTURAL_OPS}


def make_context() -> OpenContext:
    """A context with the dialects that TorchScript graphs are made of: builtin, func, prim and aten."""
    context = OpenContext()
    context.load_dialect(Builtin)
    context.load_dialect(Func)
    context.load_dialect(Prim)
    context.register_dialect("aten", lambda: Aten)
    return context
