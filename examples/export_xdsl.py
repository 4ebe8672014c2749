"""A function leaves for xDSL's own passes: over memrefs, to loops, and to RISC-V, each of which xDSL's interpreter runs."""

import numpy as np
from xdsl.context import Context
from xdsl.dialects import get_all_dialects
from xdsl.dialects.builtin import ModuleOp
from xdsl.interpreter import Interpreter
from xdsl.interpreters import register_implementations
from xdsl.interpreters.shaped_array import ShapedArray
from xdsl.interpreters.utils.ptr import TypedPtr
from xdsl.passes import PassPipeline
from xdsl.transforms import get_all_passes

import torchscript_dialect as ts
from torchscript_dialect import torch


def layer(x, weight, repeats: int):
    for _ in range(repeats):
        x = torch.relu(torch.mm(x, weight)) + x
    return x


TO_LOOPS = "convert-linalg-to-loops,cse,canonicalize"
TO_RISCV = (
    "convert-func-to-riscv-func,convert-memref-to-riscv,convert-scf-to-riscv-scf,"
    "convert-arith-to-riscv,reconcile-unrealized-casts,cse,canonicalize"
)


def run_passes(module: ModuleOp, names: str) -> None:
    context = Context()
    for name, dialect in get_all_dialects().items():
        context.register_dialect(name, dialect)
    known = get_all_passes()
    PassPipeline(tuple(known[name]()() for name in names.split(","))).apply(context, module)
    module.verify()


def main() -> None:
    f = ts.script(layer)
    x = np.linspace(-1, 1, 6, dtype=np.float64).reshape(2, 3)
    weight = np.linspace(-1, 1, 9, dtype=np.float64).reshape(3, 3)
    module = ts.to_linalg(f, (x, weight, 2), bufferize=True)
    print(str(module).splitlines()[1].strip())
    expected = f(x, weight, 2).numpy()

    run_passes(module, TO_LOOPS)
    interpreter = Interpreter(module)
    register_implementations(interpreter, Context())
    buffers = [
        ShapedArray(TypedPtr.new_float64(a.ravel().tolist()), list(a.shape)) for a in (x, weight)
    ]
    (result,) = interpreter.call_op("forward", (*buffers, 2))
    np.testing.assert_allclose(np.reshape(result.data, result.shape), expected, rtol=1e-5)
    print("the loops give our results")

    run_passes(module, TO_RISCV)
    interpreter = Interpreter(module, index_bitwidth=32)
    register_implementations(interpreter, Context())
    addresses = [TypedPtr.new_float64(a.ravel().tolist()).raw for a in (x, weight)]
    (address,) = interpreter.call_op("forward", (*addresses, 2))
    result = np.reshape(address.float64.get_list(x.size), x.shape)
    np.testing.assert_allclose(result, expected, rtol=1e-5)
    count = sum(op.name.startswith(("riscv", "rv32")) for op in module.walk())
    print(f"{count} operations of RISC-V give our results")


if __name__ == "__main__":
    main()
