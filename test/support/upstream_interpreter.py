"""Runs text of upstream dialects with xDSL's parser and interpreter, which gets here what it lacks of arith, math, tensor and linalg.

Numbers are Python's; a tensor has elements of its type, so what is stored is rounded.
"""

from __future__ import annotations

import math as pymath
from collections.abc import Callable, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np
from xdsl.context import Context
from xdsl.dialects import arith, get_all_dialects, linalg, math, memref, tensor
from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    TensorType,
    f32,
)
from xdsl.dialects.func import FuncOp
from xdsl.interpreter import (
    Interpreter,
    InterpreterFunctions,
    ReturnedValues,
    impl,
    impl_terminator,
    register_impls,
)
from xdsl.interpreters.affine import AffineFunctions
from xdsl.interpreters.arith import ArithFunctions
from xdsl.interpreters.builtin import BuiltinFunctions, xtype_for_el_type
from xdsl.interpreters.func import FuncFunctions
from xdsl.interpreters.linalg import LinalgFunctions, run_linalg_structured_op
from xdsl.interpreters.math import MathFunctions
from xdsl.interpreters.memref import MemRefFunctions
from xdsl.interpreters.scf import ScfFunctions
from xdsl.interpreters.shaped_array import ShapedArray
from xdsl.interpreters.tensor import TensorFunctions
from xdsl.interpreters.utils.ptr import TypedPtr
from xdsl.ir.affine import AffineMap
from xdsl.parser import Parser
from xdsl.traits import SymbolTable
from xdsl.transforms import get_all_passes

from torchscript_dialect.tensor.tensor import Tensor

DYNAMIC = -(2**63)
_NUMPY = {"f32": np.float32, "f64": np.float64, "i64": np.int64, "i32": np.int32, "i1": np.bool_}


def run_text(text: str, *args: Any, passes: str = "") -> list[Any]:
    """The results of `@forward` of a module's text for arrays and numbers, after passes of xDSL's."""
    context = Context()
    for name in ("builtin", "func", "arith", "math", "linalg", "tensor", "scf", "memref", "affine"):
        context.load_dialect(get_all_dialects()[name]())
    module = Parser(context, text).parse_module()
    module.verify()
    known = get_all_passes()
    for name in filter(None, passes.split(",")):
        known[name]()().apply(context, module)
    module.verify()
    (forward,) = (op for op in module.ops if isinstance(op, FuncOp))
    types = forward.function_type
    given = [shaped(arg, type_) for arg, type_ in zip(args, types.inputs, strict=True)]
    results = interpreter_of(module).call_op("forward", tuple(given))
    return [_array(one, type_) for one, type_ in zip(results, types.outputs, strict=True)]


def interpreter_of(module: ModuleOp) -> Interpreter:
    """xDSL's interpreter, knowing all that modules of upstream dialects hold."""
    interpreter = Interpreter(module)
    for functions in (
        BuiltinFunctions(),
        FuncFunctions(),
        ArithFunctions(),
        MathFunctions(),
        LinalgFunctions(),
        TensorFunctions(),
        ScfFunctions(),
        MemRefFunctions(),
        AffineFunctions(),
    ):
        interpreter.register_implementations(functions)
    for missing in (_Scalars(), _Tensors()):
        interpreter.register_implementations(missing, override=True)
    return interpreter


def shaped(value: Any, type_: Any) -> Any:
    """An array as the interpreter has it; anything else as it is."""
    if not isinstance(type_, TensorType | MemRefType):
        return value
    array = value.numpy() if isinstance(value, Tensor) else np.asarray(value)
    expected = type_.get_shape()
    assert len(expected) == array.ndim
    assert all(size in (DYNAMIC, real) for size, real in zip(expected, array.shape, strict=True))
    assert array.dtype == _NUMPY[str(type_.element_type)]
    return shaped_array(array.ravel().tolist(), array.shape, type_.element_type)


def shaped_array(values: Sequence[Any], shape: Sequence[int], element: Any) -> ShapedArray[Any]:
    return ShapedArray(TypedPtr.new(values, xtype=xtype_for_el_type(element, 64)), list(shape))


def _array(value: Any, type_: Any) -> Any:
    if not isinstance(type_, TensorType | MemRefType):
        return bool(value) if type_ == IntegerType(1) else value
    assert all(
        size in (DYNAMIC, real) for size, real in zip(type_.get_shape(), value.shape, strict=True)
    )
    of = _NUMPY[str(type_.element_type)]
    return np.array(value.data, dtype=of).reshape(value.shape)


def _unsigned(value: int, type_: Any) -> int:
    return value & ((1 << type_.width.data) - 1)


def _divided(a: float, b: float) -> float:
    return float(np.float64(a) / np.float64(b))


def _of_floats(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        with np.errstate(all="ignore"):
            return float(function(*map(np.float64, args)))

    return call


_ON_FLOATS: dict[Any, Callable[..., Any]] = {
    arith.DivfOp: _divided,
    arith.NegfOp: np.negative,
    math.AbsFOp: np.abs,
    math.PowFOp: np.power,
    math.CopySignOp: np.copysign,
    math.ExpOp: np.exp,
    math.Exp2Op: np.exp2,
    math.ExpM1Op: np.expm1,
    math.LogOp: np.log,
    math.Log2Op: np.log2,
    math.Log10Op: np.log10,
    math.Log1pOp: np.log1p,
    math.SqrtOp: np.sqrt,
    math.RsqrtOp: lambda x: 1 / np.sqrt(x),
    math.SinOp: np.sin,
    math.CosOp: np.cos,
    math.TanOp: np.tan,
    math.SinhOp: np.sinh,
    math.CoshOp: np.cosh,
    math.TanhOp: np.tanh,
    math.AtanOp: np.arctan,
    math.Atan2Op: np.arctan2,
    math.ErfOp: pymath.erf,
    math.FloorOp: np.floor,
    math.CeilOp: np.ceil,
    math.TruncOp: np.trunc,
    math.RoundEvenOp: np.rint,
}
_CASTS: dict[Any, Callable[[Any, Any], Any]] = {
    arith.ExtFOp: lambda value, type_: value,
    arith.TruncFOp: lambda value, type_: float(np.float32(value)),
    arith.SIToFPOp: lambda value, type_: float(value),
    arith.UIToFPOp: lambda value, type_: float(_unsigned(value, type_)),
    arith.FPToSIOp: lambda value, type_: int(value),
    arith.ExtSIOp: lambda value, type_: value,
    arith.ExtUIOp: _unsigned,
    arith.TruncIOp: lambda value, type_: value,
}


def _scalar_functions() -> type[InterpreterFunctions]:
    members: dict[str, Any] = {}

    def add(op_class: Any, run: Callable[..., Any]) -> None:
        members[op_class.__name__] = impl(op_class)(run)

    for op_class, function in _ON_FLOATS.items():
        call = _of_floats(function)
        add(op_class, lambda self, interpreter, op, args, call=call: (call(*args),))
    for op_class, cast in _CASTS.items():
        add(
            op_class,
            lambda self, interpreter, op, args, cast=cast: (cast(args[0], op.operands[0].type),),
        )
    return register_impls(type("_Scalars", (InterpreterFunctions,), members))


_Scalars = _scalar_functions()


@register_impls
class _Tensors(InterpreterFunctions):
    @impl(arith.ConstantOp)
    def constant(self, interpreter: Interpreter, op: arith.ConstantOp, args: Any) -> Any:
        value: Any = op.value
        if not isinstance(value, DenseIntOrFPElementsAttr):
            return (value.value.data,)
        return (_dense(value),)

    @impl_terminator(linalg.ops.YieldOp)
    def yielded(self, interpreter: Interpreter, op: linalg.ops.YieldOp, args: Any) -> Any:
        """Numbers that an f32 cannot hold are infinite, which xDSL's arrays would have to be told."""
        values = zip(args, op.operands, strict=True)
        with np.errstate(over="ignore"):
            rounded = [float(np.float32(v)) if o.type == f32 else v for v, o in values]
        return ReturnedValues(tuple(rounded)), ()

    def __init__(self) -> None:
        super().__init__()
        self.places: list[tuple[int, ...]] = []
        """Where the ops that are being run stand, the innermost last."""

    @impl(linalg.ops.GenericOp)
    def generic(self, interpreter: Interpreter, op: linalg.ops.GenericOp, args: Any) -> Any:
        if not any(isinstance(inner, linalg.ops.IndexOp) for inner in op.body.block.ops):
            return run_linalg_structured_op(interpreter, op, args)
        *inputs, output = args
        result = output.copy()
        maps = [one.data for one in op.indexing_maps]
        assert maps[-1] == AffineMap.identity(len(result.shape))
        for place in product(*map(range, result.shape)):
            self.places.append(place)
            read = [a.load(m.eval(place, ())) for a, m in zip((*inputs, result), maps, strict=True)]
            (value,) = interpreter.run_ssacfg_region(op.body, tuple(read), "element")
            self.places.pop()
            result.store(place, value)
        return (result,)

    @impl(linalg.ops.IndexOp)
    def index(self, interpreter: Interpreter, op: linalg.ops.IndexOp, args: Any) -> Any:
        return (self.places[-1][op.dim.value.data],)

    @impl(memref.DimOp)
    def memref_dim(self, interpreter: Interpreter, op: memref.DimOp, args: Any) -> Any:
        source, dim = args
        return (source.shape[dim],)

    @impl(memref.AllocOp)
    def alloc(self, interpreter: Interpreter, op: memref.AllocOp, args: Any) -> Any:
        type_: Any = op.memref.type
        sizes = list(args)
        shape = [sizes.pop(0) if one == DYNAMIC else one for one in type_.get_shape()]
        return (shaped_array([0] * pymath.prod(shape), shape, type_.element_type),)

    @impl(memref.GetGlobalOp)
    def get_global(self, interpreter: Interpreter, op: memref.GetGlobalOp, args: Any) -> Any:
        made: Any = SymbolTable.lookup_symbol(op, op.name_)
        return (_dense(made.initial_value),)

    @impl(linalg.ops.FillOp)
    def fill(self, interpreter: Interpreter, op: linalg.ops.FillOp, args: Any) -> Any:
        number, into = args
        values = [number] * pymath.prod(into.shape)
        return (shaped_array(values, into.shape, into.element_type),)

    @impl(tensor.CollapseShapeOp)
    def collapse(self, interpreter: Interpreter, op: tensor.CollapseShapeOp, args: Any) -> Any:
        (source,) = args
        shape = [
            pymath.prod(source.shape[dim.value.data] for dim in group)  # pyright: ignore
            for group in op.reassociation
        ]
        return (source.with_shape(shape),)

    @impl(tensor.ExpandShapeOp)
    def expand(self, interpreter: Interpreter, op: tensor.ExpandShapeOp, args: Any) -> Any:
        source, *sizes = args
        return (source.with_shape(_filled(op.static_output_shape, sizes)),)

    @impl(tensor.ExtractSliceOp)
    def extract_slice(self, interpreter: Interpreter, op: Any, args: Any) -> Any:
        source, *rest = args
        offsets, sizes, strides = _slice(op, rest)
        values = [source.load(_at(i, offsets, strides)) for i in product(*map(range, sizes))]
        result: Any = op.result.type
        shape = _reduced(sizes, result.get_shape())
        return (shaped_array(values, shape, source.element_type),)

    @impl(tensor.InsertSliceOp)
    def insert_slice(self, interpreter: Interpreter, op: Any, args: Any) -> Any:
        part, into, *rest = args
        offsets, sizes, strides = _slice(op, rest)
        result = into.copy()
        for value, index in zip(part.data, product(*map(range, sizes)), strict=True):
            result.store(_at(index, offsets, strides), value)
        return (result,)


def _dense(value: Any) -> ShapedArray[Any]:
    """The elements of a constant."""
    type_: Any = value.type
    values = list(value.get_values())
    if len(values) == 1:
        values *= pymath.prod(type_.get_shape())
    return shaped_array(values, type_.get_shape(), type_.element_type)


def _reduced(sizes: list[int], expected: Sequence[int]) -> list[int]:
    """The sizes of a slice without the dimensions of size 1 that its type has not."""
    for kept in combinations(sizes, len(expected)):
        fits = all(size in (DYNAMIC, real) for size, real in zip(expected, kept, strict=True))
        if fits and pymath.prod(kept) == pymath.prod(sizes):
            return list(kept)
    raise AssertionError(f"a slice of sizes {sizes} has type {expected}")


def _filled(static: Any, values: list[Any]) -> list[int]:
    """Static numbers, and in the place of each dynamic one the next of `values`, which is taken away."""
    return [values.pop(0) if one == DYNAMIC else one for one in static.get_values()]


def _slice(op: Any, values: list[Any]) -> list[list[int]]:
    statics = (op.static_offsets, op.static_sizes, op.static_strides)
    return [_filled(static, values) for static in statics]


def _at(index: Sequence[int], offsets: Sequence[int], strides: Sequence[int]) -> tuple[int, ...]:
    return tuple(o + i * s for i, o, s in zip(index, offsets, strides, strict=True))
