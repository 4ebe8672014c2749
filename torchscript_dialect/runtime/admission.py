"""What is checked before a graph that came as data runs: it is well formed, calls what there is, and touches only what it may."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.dialects.prim.op import require_subtype
from torchscript_dialect.ir.module import functions_of
from torchscript_dialect.ir.verification import VerificationError, verify
from torchscript_dialect.runtime.permissions import check_permissions
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import ClassType


def admit(module: ModuleOp, allow: Collection[str] = ()) -> None:
    """Check a module of graphs that strangers may have written.

    Raises:
        VerificationError: a node is malformed or calls what the module does not have.
        NotAllowedError: the program may touch what is not in `allow` (permissions.py).
    """
    check_permissions(module, allow)
    verify(module)
    functions = {function.sym_name.data: function for function in functions_of(module)}
    for op in module.walk():
        try:
            _verify_call(op, functions)
        except VerifyException as error:
            raise VerificationError(str(error), op) from None


def _verify_call(op: Operation, functions: dict[str, FuncOp]) -> None:
    symbols, arguments = _callee(op)
    for symbol in symbols:
        function = functions.get(symbol)
        if function is None:
            raise VerifyException(f"there is no function '{symbol}'")
        block = function.body.block
        if len(arguments) != len(block.args):
            raise VerifyException(
                f"'{symbol}' takes {len(block.args)} arguments, not {len(arguments)}"
            )
        for type_, argument in zip(arguments, block.args, strict=True):
            require_subtype(type_, prim.type_of(argument), f"an argument of '{symbol}'")
        if not isinstance(op, prim.EnterOp):
            _verify_result(op, symbol, [prim.type_of(v) for v in prim.yielded(function.body)])


def _verify_result(op: Operation, symbol: str, results: Sequence[TorchScriptType]) -> None:
    type_ = results[0] if len(results) == 1 else TupleType.get(results)
    require_subtype(type_, prim.type_of(op.results[0]), f"the result of '{symbol}'")


def _callee(op: Operation) -> tuple[Sequence[str], Sequence[TorchScriptType]]:
    """The symbols of the functions that a node calls, as far as it tells, and the types of the arguments."""
    types = [prim.type_of(operand) for operand in op.operands if isinstance(op, _CALLS)]
    match op:
        case prim.CallFunctionOp():
            owner = op.operands[0].owner
            symbol = owner.function_symbol if isinstance(owner, prim.ConstantOp) else None
            if symbol is None:
                raise VerifyException("it calls what is no constant function")
            return [symbol], types[1:]
        case prim.CallMethodOp() if isinstance(types[0], ClassType):
            class_ = types[0].qualified_name.data
            return [f"{class_}.{from_attribute(op.attributes['name'])}"], types
        case prim.EnterOp() if isinstance(types[0], ClassType):
            return [f"{types[0].qualified_name.data}.__enter__"], types
        case _:
            return [], []


_CALLS = (prim.CallFunctionOp, prim.CallMethodOp, prim.EnterOp)
