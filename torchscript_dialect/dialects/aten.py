"""The `aten` dialect: PyTorch's operators, each overload an op (`aten.AddTensorOp` is `aten::add.Tensor`)."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Dialect, Operation

from torchscript_dialect.dialects.operators import OperatorOp, class_by_name, operator_class
from torchscript_dialect.dialects.prim.constants import PrimConstants
from torchscript_dialect.ops import registry


def __getattr__(name: str) -> type[OperatorOp]:
    return class_by_name("aten", name)


class AtenDialect(Dialect):
    """The operators that have rules. `TorchScriptContext` makes the classes of all others on demand."""

    @property
    def operations(self) -> Iterator[type[Operation]]:
        for qualified_name, _ in registry.attached():
            if qualified_name.startswith("aten::"):
                yield operator_class(qualified_name)


Aten = AtenDialect("aten", [], [], [PrimConstants()])
