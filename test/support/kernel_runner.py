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
)
from xdsl.parser import Parser

from lowering.dialects.kernel import Kernel as KernelDialect
from lowering.dialects.kernel import LayoutAttr
from lowering.dialects.math_ext import MathExt
from lowering.extents import Dims, declared_dims
from lowering.kernel_functions import kernels
from lowering.pipelines import compile_module
from lowering.shaped import element_type

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
    KernelDialect,
    MathExt,
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
        ((function, signature),) = kernels(module)
        types = function.function_type
        self.inputs = list(zip(types.inputs, signature.arguments, strict=True))
        self.outputs = [
            (numpy_type(element_type(type_)), declared_dims(type_, layout))
            for type_, layout in zip(types.outputs, signature.results_, strict=True)
        ]
        self.compiled = compile_module(module, verify=True)
        empty = llvmlite.binding.parse_assembly("")
        machine = llvmlite.binding.Target.from_default_triple().create_target_machine()
        self.engine = llvmlite.binding.create_mcjit_compiler(empty, machine)
        for data in self.compiled.objects:
            self.engine.add_object_file(llvmlite.binding.ObjectFileRef.from_data(data))
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
        for (type_, place), value in zip(self.inputs, values, strict=True):
            if isinstance(place, LayoutAttr):
                bind_tensor(syms, declared_dims(type_, place), place, value)
                pointers.append(value.ctypes.data)
                continue
            bits = struct.unpack("q", struct.pack("d", value))[0]
            syms[place.data] = bits if isinstance(value, float) else value
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


def bind_tensor(syms: Array, dims: Dims, layout: LayoutAttr, value: Array) -> None:
    """Writes the sizes and strides of `value` to the syms that its argument names."""
    for size, extent in zip(value.shape, dims, strict=True):
        if extent.atoms:
            syms[extent.atoms[0]] = size
        else:
            assert size == extent.factor
    strides = layout.words("strides")
    if not strides:
        assert value.flags.c_contiguous
        return
    for stride, sym in zip(value.strides, strides, strict=True):
        if sym >= 0:
            syms[sym] = stride // value.itemsize
