"""The classes of packed weights of quantized layers, whose objects PyTorch makes and programs call (PyTorch: native/quantized/cpu,
`register_conv_params`).
"""

from __future__ import annotations

from collections.abc import Callable

from torchscript_dialect.frontend.define.builtin_functions import builtin_functions
from torchscript_dialect.frontend.define.function import define_from_tree
from torchscript_dialect.frontend.define.native_resolver import NativeResolver
from torchscript_dialect.frontend.define.script_class import new_class
from torchscript_dialect.frontend.source.parser import parse
from torchscript_dialect.frontend.source.tree_views import Def
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import Function
from torchscript_dialect.types.named import FOREIGN

_WEIGHTS = """
def unpack(self) -> Tuple[Tensor, Optional[Tensor]]:
  return torch.ops.quantized.{0}_unpack(self)
def bias(self) -> Optional[Tensor]:
  return torch.ops.quantized.{0}_unpack(self)[1]
"""
_WINDOWS = """
def stride(self) -> List[int]:
  return torch.ops.quantized.{0}_stride(self)
def padding(self) -> List[int]:
  return torch.ops.quantized.{0}_padding(self)
def output_padding(self) -> List[int]:
  return torch.ops.quantized.{0}_output_padding(self)
def dilation(self) -> List[int]:
  return torch.ops.quantized.{0}_dilation(self)
def groups(self) -> int:
  return torch.ops.quantized.{0}_groups(self)
def transpose(self) -> bool:
  return bool(torch.ops.quantized.{0}_transpose(self))
"""
_METHODS = {
    f"{FOREIGN}quantized.LinearPackedParamsBase": _WEIGHTS.format("linear"),
    f"{FOREIGN}quantized.Conv2dPackedParamsBase": (_WEIGHTS + _WINDOWS).format("conv2d"),
    f"{FOREIGN}quantized.Conv3dPackedParamsBase": (_WEIGHTS + _WINDOWS).format("conv3d"),
}


def declare_packed_class(unit: CompilationUnit, qualified_name: str) -> None:
    """Put a class of packed weights and its methods into a unit, where the name is one's and it is not there."""
    text = _METHODS.get(qualified_name)
    if text is None or qualified_name in unit.classes:
        return
    definition = new_class(unit, qualified_name)
    resolver = NativeResolver(CompilationUnit(), builtin_functions)

    def definer(tree: Def) -> Callable[[Function], None]:
        return lambda function: define_from_tree(
            function, unit, tree, resolver, {}, definition.type
        )

    for tree in parse(text, f"<{qualified_name}>"):
        assert isinstance(tree, Def)
        name = tree.name.name
        symbol = f"{qualified_name}.{name}"
        definition.methods[name] = unit.declare(name, definer(tree), symbol, symbol)
