"""Compiles a kernel in input form and calls it on NumPy arrays, the way the runtime does."""

from __future__ import annotations

import ctypes
import itertools
import struct
from typing import Any

import llvmlite.binding
import numpy as np
from xdsl.context import Context
from xdsl.dialects import arith, builtin, func, linalg, math, memref, scf, tensor
from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    IntegerType,
    TensorType,
)
from xdsl.parser import Parser

from lowering.extents import declared_dims
from lowering.kernel import STRIDES, SYM, SYMS, argument_attributes, integer, integers, kernels
from lowering.pipelines import compile_module

Array = np.ndarray[Any, Any]

DIALECTS = (
    builtin.Builtin,
    arith.Arith,
    func.Func,
    tensor.Tensor,
    linalg.Linalg,
    math.Math,
    memref.MemRef,
    scf.Scf,
)


def parse(text: str) -> builtin.ModuleOp:
    """The module of `text`."""
    context = Context()
    for dialect in DIALECTS:
        context.load_dialect(dialect)
    module = Parser(context, text).parse_module()
    module.verify()
    return module


def numpy_type(type_: object) -> np.dtype[Any]:
    """The NumPy dtype of an element type."""
    if isinstance(type_, Float32Type):
        return np.dtype(np.float32)
    if isinstance(type_, Float64Type):
        return np.dtype(np.float64)
    assert isinstance(type_, IntegerType)
    width = type_.width.data
    return np.dtype(np.bool_) if width == 1 else np.dtype(f"i{width // 8}")


class Kernel:
    """A loaded kernel; calling it gives the outputs as fresh arrays."""

    def __init__(self, text: str) -> None:
        module = parse(text)
        function = next(kernels(module))
        types = function.function_type
        self.inputs = list(
            zip(
                types.inputs.data,
                argument_attributes(function.arg_attrs, len(types.inputs)),
                strict=True,
            )
        )
        self.outputs = [
            (numpy_type(type_.get_element_type()), declared_dims(type_, attributes))
            for type_, attributes in zip(
                types.outputs.data,
                argument_attributes(function.res_attrs, len(types.outputs)),
                strict=True,
            )
            if isinstance(type_, TensorType)
        ]
        syms = integer(function.attributes, SYMS)
        assert syms is not None
        self.compiled = compile_module(module, verify=True)
        empty = llvmlite.binding.parse_assembly("")
        machine = llvmlite.binding.Target.from_default_triple().create_target_machine()
        self.engine = llvmlite.binding.create_mcjit_compiler(empty, machine)
        self.engine.add_object_file(llvmlite.binding.ObjectFileRef.from_data(self.compiled.object))
        self.engine.finalize_object()
        address = self.engine.get_function_address
        word, pointer = ctypes.c_int64, ctypes.c_void_p
        self.run = ctypes.CFUNCTYPE(None, pointer, pointer, word, word)(
            address(self.compiled.entry.callee)
        )
        self.sizes = None
        if self.compiled.entry.sizes is not None:
            self.sizes = ctypes.CFUNCTYPE(ctypes.c_bool, pointer)(address("sizes"))

    def bind(self, *values: Any) -> tuple[Array, list[Array], Array]:
        """The syms, the outputs and the buffer table for a call with `values`."""
        syms = np.zeros(max(self.compiled.entry.number("words"), 1), dtype=np.int64)
        pointers: list[int] = []
        for (type_, attributes), value in zip(self.inputs, values, strict=True):
            if isinstance(type_, TensorType):
                bind_tensor(syms, declared_dims(type_, attributes), attributes, value)
                pointers.append(value.ctypes.data)
                continue
            sym = integer(attributes, SYM)
            assert sym is not None
            bits = struct.unpack("q", struct.pack("d", value))[0]
            syms[sym] = bits if isinstance(value, float) else value
        if self.sizes is not None:
            assert self.sizes(syms.ctypes.data)
        outputs: list[Array] = []
        for dtype, dims in self.outputs:
            shape = [size.factor if not size.atoms else int(syms[size.atoms[0]]) for size in dims]
            outputs.append(np.full(shape, 77, dtype))
        pointers += [output.ctypes.data for output in outputs]
        if self.compiled.entry.scratch is not None:
            self.scratch = np.empty(int(syms[self.compiled.entry.number("scratch")]) + 64, np.uint8)
            pointers.append((self.scratch.ctypes.data + 63) // 64 * 64)
        return syms, outputs, np.array(pointers, dtype=np.int64)

    def __call__(self, *values: Any, chunks: int = 1) -> list[Array]:
        """The outputs for `values`: arrays and Python numbers, in the kernel's order."""
        syms, outputs, table = self.bind(*values)
        total = int(syms[self.compiled.entry.number("range")])
        bounds = [total * i // chunks for i in range(chunks + 1)]
        for begin, end in itertools.pairwise(bounds):
            self.run(table.ctypes.data, syms.ctypes.data, begin, end)
        return outputs


def bind_tensor(syms: Array, dims: Any, attributes: Any, value: Array) -> None:
    """Writes the sizes and strides of `value` to the syms that its argument names."""
    for size, extent in zip(value.shape, dims, strict=True):
        if extent.atoms:
            syms[extent.atoms[0]] = size
        else:
            assert size == extent.factor
    strides = integers(attributes, STRIDES)
    if strides is None:
        assert value.flags.c_contiguous
        return
    for stride, sym in zip(value.strides, strides, strict=True):
        if sym >= 0:
            syms[sym] = stride // value.itemsize
