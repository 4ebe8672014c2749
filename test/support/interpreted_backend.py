"""A backend that compiles nothing: xDSL's interpreter runs what groups are in linalg.

All that a backend needs is here; `BACKENDS["interpreted"] = PLACE` is how it is registered.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
from xdsl.dialects.builtin import Float64Type, FunctionType, IntAttr, ModuleOp, i1, i64
from xdsl.dialects.func import FuncOp

from lowering.backend import LinalgBackend
from lowering.kernel import SIZES, LoweringError
from lowering.kernel_functions import kernels
from lowering.linalg.convert_torch_to_linalg import Kernel, convert_function
from support.upstream_interpreter import interpreter_of, shaped, shaped_array
from torchscript_dialect.backend import Bindings, Executable, KernelSpec, NotCompilable
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.runtime.native.bindings import bind, result_of
from torchscript_dialect.tensor.tensor import Tensor

PLACE = f"{__name__}:INTERPRETED"


class InterpretedKernel:
    """A module of linalg on tensors."""

    device = "cpu"
    code = None

    def __init__(self, kernel: Kernel) -> None:
        self.spec = KernelSpec(
            kernel.inputs, kernel.outputs, kernel.syms, (1,), returns_tuple=kernel.returns_tuple
        )
        ((self.function, self.signature),) = kernels(kernel.module)
        self.interpreter = interpreter_of(kernel.module)
        names = [op.sym_name.data for op in kernel.module.ops if isinstance(op, FuncOp)]
        self.sizes = self.derive if SIZES in names else None
        self.calls = 0

    def derive(self, syms: array[int], arrays: Sequence[Any]) -> bool:
        words = shaped_array(syms.tolist(), (len(syms),), i64)
        (holds,) = self.interpreter.call_op(SIZES, (words,))
        syms[:] = array("q", words.data)
        return bool(holds)

    def bind(self, arguments: Sequence[Any]) -> Bindings | None:
        return bind(self.spec, arguments, self.sizes)

    def launch(self, call: Bindings) -> Tensor | tuple[Tensor, ...]:
        self.calls += 1
        results = self.interpreter.call_op(self.function.sym_name.data, tuple(self.arguments(call)))
        for buffer, value in zip(call.made, results, strict=True):
            buffer[...] = np.array(value.data).reshape(value.shape)
        return result_of(self.spec, call)

    def arguments(self, call: Bindings) -> list[Any]:
        """Arrays in the order of the tensors, and words for numbers and sizes."""
        arrays = iter(call.arrays)
        type_: FunctionType = self.function.function_type
        found: list[Any] = []
        for one, place in zip(type_.inputs, self.signature.arguments, strict=True):
            if not isinstance(place, IntAttr):
                found.append(shaped(next(arrays), one))
                continue
            word = call.syms[place.data]
            if isinstance(one, Float64Type):
                word = array("d", array("q", [word]).tobytes())[0]
            found.append(bool(word) if one == i1 else word)
        return found

    def serialize(self) -> None:
        return None


class InterpretedBackend(LinalgBackend):
    """Keeps what it has made, for tests to look at."""

    device = "cpu"

    def __init__(self) -> None:
        self.made: list[InterpretedKernel] = []

    def compile(self, module: ModuleOp, lists: PassLists) -> Executable:
        try:
            self.made.append(InterpretedKernel(convert_function(module)))
        except LoweringError as error:
            raise NotCompilable(str(error)) from error
        return self.made[-1]

    def load(self, data: bytes) -> Executable:
        raise ValueError("nothing is kept")


INTERPRETED = InterpretedBackend()
