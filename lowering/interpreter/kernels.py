"""Kernels called as the runtime calls them, in whichever form they are (lowering/kernel.py): over tensors, over buffers, in
loops, in LLVM's.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects.builtin import IndexType, IntAttr, ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.dialects.linalg.ops import GenericOp
from xdsl.ir import Operation

from lowering.dialects.kernel import (
    KNOWN_STRIDES,
    EntryOp,
    LayoutAttr,
    SignatureOp,
    is_flat,
    signature_of,
)
from lowering.interpreter import memory, tensors
from lowering.interpreter.machine import Machine, NotInterpretable
from lowering.interpreter.memory import elements, garbage
from lowering.interpreter.rounding import Rounding
from lowering.interpreter.scalars import numpy_type
from lowering.kernel import SIZES
from torchscript_dialect.utils import llvm

Array = np.ndarray[Any, Any]

HANDLERS_OF = (memory, tensors)
"""What is imported for the handlers in it."""


class Unfit(Exception):
    """The kernel does not take arguments of these sizes."""


class Undefined(Exception):
    """The kernel computed something of which MLIR or PyTorch leaves open what comes out."""


@dataclass
class Parameter:
    """A tensor (`dims` is not None) or a number, and the words of `syms` that it fills."""

    type: Any
    dims: tuple[int, ...] | None
    strides: tuple[int, ...] | None
    word: int | None


@dataclass
class Binding:
    """Where a kernel's arguments go; told by its input form, and true of all that is made of it."""

    parameters: list[Parameter]
    results: list[Parameter]
    words: int
    has_sums: bool
    """Whether it reduces anything, so that an order of adding there is."""

    @classmethod
    def of(cls, function: FuncOp) -> Binding | None:
        """The binding of a kernel in input form, None for other functions."""
        signature = signature_of(function)
        if signature is None:
            return None
        types = function.function_type
        return cls(
            list(map(_parameter, types.inputs, signature.arguments)),
            list(map(_parameter, types.outputs, signature.results_)),
            signature.number_of_words,
            any(_reduces(op) for op in function.walk()),
        )

    @property
    def takes(self) -> list[Parameter]:
        """The parameters that the caller gives: sizes, the indices among them, are not."""
        return [one for one in self.parameters if not isinstance(one.type, IndexType)]


def _reduces(op: Operation) -> bool:
    if isinstance(op, GenericOp):
        return any(kind.data == IteratorType.REDUCTION for kind in op.iterator_types)
    return op.name == "linalg.matmul"


def _parameter(type_: Any, place: LayoutAttr | IntAttr) -> Parameter:
    if isinstance(place, IntAttr):
        return Parameter(type_, None, None, place.data)
    return Parameter(type_, place.words("sizes"), place.words("strides") or None, None)


class Program:
    """A module whose kernels are called; what is compiled of it is kept. Those in the llvm dialect are where that `may_compile`."""

    def __init__(self, module: ModuleOp, *, may_compile: bool = True) -> None:
        self.module = module
        self.may_compile = may_compile
        self._natives: dict[str, _Native] = {}

    def names(self) -> list[str]:
        """The kernels, in whichever form."""
        callees = [op.callee for op in self.module.ops if isinstance(op, EntryOp)]
        return callees or [op.callee for op in self.module.ops if isinstance(op, SignatureOp)]

    def call(
        self, name: str, binding: Binding, values: Sequence[Any], rounding: Rounding | None = None
    ) -> list[Array]:
        """What a kernel gives for arguments, floats rounded otherwise if so asked for.

        Raises:
            Unfit: it does not take them.
            Undefined: MLIR or PyTorch leaves open what it gives.
            NotInterpretable: there is an op in it that is not known here.
            OutOfBounds: it accesses memory that there is not.
        """
        return _Call(self, name, binding, values, rounding).results()

    def native(self, function: Any, sizes: Any) -> _Native:
        """A kernel in the llvm dialect, compiled with what it calls."""
        name = _symbol(function)
        if not self.may_compile:
            raise NotInterpretable(f"machine code of @{name}, of text that came in, is not run")
        if name not in self._natives:
            self._natives[name] = _load(self.module, function, sizes)
        return self._natives[name]


class _Call:
    """One call: the words and the arrays that it is about."""

    def __init__(
        self,
        program: Program,
        name: str,
        binding: Binding,
        values: Sequence[Any],
        rounding: Rounding | None,
    ) -> None:
        self.program = program
        self.binding = binding
        self.machine = Machine(program.module, rounding)
        ops = list(program.module.ops)
        self.function: Any = next(op for op in ops if _symbol(op) == name)
        entries = [op for op in ops if isinstance(op, EntryOp) and op.callee == name]
        self.entry = entries[0] if entries else None
        self.sizes: Any = next((op for op in ops if _symbol(op) == SIZES), None)
        words = self.entry.number("words") if self.entry else binding.words
        self.syms = np.zeros(max(words, 1), np.int64)
        self.values = list(values)
        for parameter, value in zip(binding.takes, values, strict=True):
            self.bind(parameter, value)

    def bind(self, parameter: Parameter, value: Any) -> None:
        """Fill the words of an argument.

        Raises:
            Unfit: a size or stride is not what the kernel was made for, or two that it takes for equal are not.
        """
        if parameter.dims is None:
            assert parameter.word is not None
            bits = struct.unpack("q", struct.pack("d", value))[0]
            self.syms[parameter.word] = bits if isinstance(value, float) else value
            return
        known = parameter.type.get_shape()
        for size, dim, static in zip(value.shape, parameter.dims, known, strict=True):
            if dim < 0:
                if size != static:
                    raise Unfit(f"a size is {size}, not {static}")
            elif self.syms[dim] not in (0, size):
                raise Unfit(f"a size is {size}, not {self.syms[dim]}")
            else:
                self.syms[dim] = size
        for size, step, word in zip(value.shape, value.strides, parameter.strides or ()):
            stride = step // value.itemsize
            if word >= 0:
                self.syms[word] = stride
            elif size > 1 and stride != KNOWN_STRIDES[word]:
                raise Unfit(f"a stride is {stride}, not {KNOWN_STRIDES[word]}")

    def results(self) -> list[Array]:
        """See `Program.call`."""
        native = None
        if not isinstance(self.function, FuncOp):
            native = self.program.native(self.function, self.sizes)
        self.derive_words(native)
        if native is not None:
            return self.run_native(native)
        if self.entry is not None:
            results = self.run_loops()
        elif self.function.function_type.outputs:
            made = self.machine.call(self.function.sym_name.data, *self.arguments())
            results = [np.array(one) for one in made]
        else:
            results = self.run_buffers()
        if self.machine.is_undefined:
            raise Undefined
        return results

    def derive_words(self, native: _Native | None) -> None:
        """Let the kernel's own function compute what follows from sizes, and say whether they fit."""
        if self.sizes is None:
            return
        table = np.array(self.addresses(), np.int64)
        if native is not None:
            fits = native.sizes(self.syms.ctypes.data, table.ctypes.data)
        else:
            block = self.sizes.body.block
            (fits,) = self.machine.run(block, [self.syms, table][: len(block.args)])
        if not fits:
            raise Unfit("the kernel's sizes do not go together")

    def addresses(self) -> list[int]:
        """Of the arguments that are tensors."""
        given = zip(self.binding.takes, self.values, strict=True)
        return [value.ctypes.data for parameter, value in given if parameter.dims is not None]

    def arguments(self) -> list[Any]:
        """Of a kernel with a signature."""
        values = iter(self.values)
        signature = signature_of(self.function)
        assert signature is not None
        types = self.function.function_type.inputs
        found: list[Any] = []
        for type_, place in zip(types, signature.arguments, strict=False):
            if isinstance(type_, IndexType):
                found.append(self.syms[_word(place)])
            elif isinstance(place, IntAttr):
                found.append(numpy_type(type_).type(next(values)))
            else:
                value = next(values)
                of = numpy_type(type_)
                found.append(elements(value).view(of) if is_flat(type_) else value.view(of))
        return found

    def run_buffers(self) -> list[Array]:
        """In buffer form: on shaped or flat memory."""
        outputs = self.outputs()
        types = list(self.function.function_type.inputs)[-len(outputs) :]
        given = zip(types, outputs, strict=True)
        buffers = [
            one.reshape(-1).view(numpy_type(type_)) if is_flat(type_) else one
            for type_, one in given
        ]
        self.machine.call(self.function.sym_name.data, *self.arguments(), *buffers)
        return outputs

    def outputs(self) -> list[Array]:
        """Fresh arrays for the results."""
        found: list[Array] = []
        for parameter in self.binding.results:
            dims = zip(parameter.dims or (), parameter.type.get_shape(), strict=True)
            shape = [int(self.syms[dim]) if dim >= 0 else static for dim, static in dims]
            found.append(garbage(shape, numpy_type(parameter.type)))
        return found

    def scratch(self) -> list[Array]:
        """The scratch buffer, if the kernel has one."""
        if self.entry is None or self.entry.scratch is None:
            return []
        size = int(self.syms[self.entry.number("scratch")])
        return [garbage([size], np.dtype(np.int8))]

    @property
    def range(self) -> Any:
        """The length of the parallel range."""
        assert self.entry is not None
        return self.syms[self.entry.number("range")]

    def run_loops(self) -> list[Array]:
        """In loop form: on flat memory, all at once."""
        tensors = zip(self.binding.takes, self.values, strict=True)
        given = [
            _parts(elements(value).view(numpy_type(parameter.type)))
            for parameter, value in tensors
            if parameter.dims is not None
        ]
        outputs = self.outputs()
        flat = [_parts(output.reshape(-1)) for output in outputs]
        scope = self.syms, np.int64(0), self.range
        self.machine.call(self.function.sym_name.data, *given, *flat, *self.scratch(), *scope)
        return outputs

    def run_native(self, native: _Native) -> list[Array]:
        """In the llvm dialect: compiled."""
        outputs = self.outputs()
        scratch = [garbage([len(one) + 64], np.dtype(np.int8)) for one in self.scratch()]
        addresses = self.addresses()
        addresses += [output.ctypes.data for output in outputs]
        addresses += [(one.ctypes.data + 63) // 64 * 64 for one in scratch]
        table = np.array(addresses, np.int64)
        native.kernel(table.ctypes.data, self.syms.ctypes.data, 0, int(self.range))
        return outputs


def _parts(flat: Array) -> Array:
    """The memory of complex numbers as that of their parts; any other as it is."""
    return flat.view(flat.real.dtype) if flat.dtype.kind == "c" else flat


def _word(place: Any) -> int:
    return place.data


def _symbol(op: Any) -> str:
    name = getattr(op, "sym_name", None)
    return "" if name is None else name.data


@dataclass
class _Native:
    """A loaded module."""

    engine: Any
    kernel: Any
    sizes: Any


def _load(module: ModuleOp, function: Any, sizes: Any) -> _Native:
    """A kernel in the llvm dialect with the function that computes its words, and without the other kernels of the module."""
    from lowering.llvm.object import compile_ir
    from lowering.llvm.translate import translate

    binding = llvm.binding()
    others = {op.callee for op in module.ops if isinstance(op, EntryOp)} - {_symbol(function)}
    kept = [op for op in module.ops if not isinstance(op, EntryOp) and _symbol(op) not in others]
    alone = ModuleOp([op.clone() for op in kept])
    code = compile_ir(translate(alone))
    empty = binding.parse_assembly("")
    machine = binding.Target.from_default_triple().create_target_machine()
    engine = binding.create_mcjit_compiler(empty, machine)
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    word, pointer = ctypes.c_int64, ctypes.c_void_p
    address = engine.get_function_address
    kernel = ctypes.CFUNCTYPE(None, pointer, pointer, word, word)(address(_symbol(function)))
    derive = ctypes.CFUNCTYPE(ctypes.c_bool, pointer, pointer)
    return _Native(engine, kernel, None if sizes is None else derive(address(SIZES)))
