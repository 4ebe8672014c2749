"""Builtins that are written in TorchScript: number-tensor arithmetic and some properties of tensors.

A call of one is inlined. The layout of the texts decides the line numbers that graphs show (`# <string>:3:9`). Follows
torch/csrc/jit/frontend/builtin_functions.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache, partial
from typing import cast

from xdsl.ir import Block, Operation

from torchscript_dialect.dialects.prim import ConstantOp
from torchscript_dialect.frontend.define.function import define_from_tree
from torchscript_dialect.frontend.define.native_resolver import NativeResolver
from torchscript_dialect.frontend.source.parser import parse
from torchscript_dialect.frontend.source.tree_views import Def
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import Function

_SCALARS = ("float", "int", "complex")
_ARITHMETIC = """
def mul(a : {0}, b : Tensor) -> Tensor:
  return b * a
def add(a : {0}, b : Tensor) -> Tensor:
  return b + a
def ne(a : {0}, b : Tensor) -> Tensor:
  return b != a
def eq(a : {0}, b : Tensor) -> Tensor:
  return b == a
def sub(a : {0}, b : Tensor) -> Tensor:
  return torch.neg(b) + a
def div(a : {0}, b : Tensor) -> Tensor:
  return torch.reciprocal(b) * a
"""
_COMPARISON = """
def lt(a : {0}, b : Tensor) -> Tensor:
  return b > a
def le(a : {0}, b : Tensor) -> Tensor:
  return b >= a
def gt(a : {0}, b : Tensor) -> Tensor:
  return b < a
def ge(a : {0}, b : Tensor) -> Tensor:
  return b <= a
"""
_FLOORDIV = """
def floordiv(a : Tensor, b : {0}) -> Tensor:
  return torch.floor_divide(a, b)
"""
_PROPERTIES = """
def ndim(a : Tensor) -> int:
  return a.dim()
def T(a : Tensor) -> Tensor:
  return a.numpy_T()
def H(a : Tensor) -> Tensor:
  return a.matrix_H()
def mT(a : Tensor) -> Tensor:
  return a.mT
def mH(a : Tensor) -> Tensor:
  return a.mH
def shape(a : Tensor) -> List[int]:
  return a.size()
"""
_NTUPLE = """
def {name}(x: BroadcastingList{length}[{scalar}]) -> List[{scalar}]:
  return x
"""
_ATEN = """
def _assert_int_or_pair(vals: List[int], name: str, message: str):
  return None
def list_with_default(out_size: List[int], defaults: List[int]):
  assert len(defaults) > len(out_size)
  return out_size
def _assert(condition : bool, message : str):
  assert condition, message
def device(type: str):
  return torch.device(type)
def __contains__(self: str, key: str):
  return self.find(key, start=0, end=len(self)) != -1
"""
_ATEN_OF_TENSORS = """
def _assert(condition : Tensor, message : str):
  assert bool(condition), message
"""
_NTUPLES = {"_single": 1, "_pair": 2, "_triple": 3, "_quadruple": 4}


def _sources() -> list[tuple[str, str]]:
    """Namespace and text of all builtins, in the order in which overloads are tried."""
    found = [("aten", _ARITHMETIC.format(scalar)) for scalar in _SCALARS]
    found += [("aten", _COMPARISON.format(scalar)) for scalar in ("float", "int")]
    found += [
        ("aten", _NTUPLE.format(name=name, length=length, scalar=scalar))
        for scalar in ("float", "int")
        for name, length in _NTUPLES.items()
    ]
    found += [("aten", _FLOORDIV.format(scalar)) for scalar in ("number", "Tensor")]
    return [*found, ("aten", _ATEN), ("aten", _ATEN_OF_TENSORS), ("prim", _PROPERTIES)]


@cache
def builtin_unit() -> CompilationUnit:
    """The unit that the builtins are compiled in."""
    return CompilationUnit()


@cache
def _table() -> dict[str, list[Function]]:
    table: dict[str, list[Function]] = {}
    unit = builtin_unit()
    for namespace, text in _sources():
        for name in re.findall(r"^def (\w+)", text, re.MULTILINE):
            definer = partial(_define, name=name, text=text)
            function = unit.declare(name, definer, symbol=f"{namespace}_{name}")
            table.setdefault(f"{namespace}::{name}", []).append(function)
    return table


def _define(function: Function, name: str, text: str) -> None:
    resolver = NativeResolver(CompilationUnit(), lambda name: ())
    define_from_tree(function, builtin_unit(), _definitions(text)[name], resolver)
    assert function.func_op is not None
    _hoist_constants(function.func_op.body.block)


def _hoist_constants(block: Block) -> None:
    """Move the constants of nested blocks to the front, the last one first: PyTorch has pooled them when it inlines builtins."""
    for op in list(block.walk()):
        if isinstance(op, ConstantOp) and op.parent is not block:
            op.detach()
            block.insert_op_before(op, cast(Operation, block.first_op))


@lru_cache(maxsize=64)
def _definitions(text: str) -> dict[str, Def]:
    definitions = [tree for tree in parse(text, "<string>") if isinstance(tree, Def)]
    return {definition.name.name: definition for definition in definitions}


def builtin_functions(name: str) -> Sequence[Function]:
    """The builtin functions of an operator name such as `aten::mul`."""
    return _table().get(name, ())
