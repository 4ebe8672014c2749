"""Converts a loop over numbers to scf, arith and memref.

Before: a function of TorchScript, or the `prim::ScalarGroup`s of one, with numbers and lists of numbers for arguments and numbers for
results. After: Note [Kernel loop form] in lowering/kernel.py. Lists are buffers, whose lengths are words as other numbers are. The one
result is a buffer of words: whether nothing failed (Note [Failures] in numbers.py), then the results, floats as the bits of a double.
The range has one part, since there is nothing to do side by side.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import FunctionType, ModuleOp, SymbolRefAttr, i1, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from lowering.create import create
from lowering.dialects.kernel import EntryOp
from lowering.kernel import SIZES, LoweringError
from lowering.linalg.conversion import SCALARS, spell
from lowering.linalg.convert_torch_to_linalg import Kernel, put_kernels
from lowering.linalg.scalar_builder import Scalar, ScalarBuilder, element_type
from lowering.loops.flat import flat
from lowering.loops.index_builder import INDEX, index_constant
from lowering.loops.words import Loader
from lowering.pipelines import OF_SCALARS
from lowering.scf.scalar_function import ScalarFunction
from lowering.shaped import integer_attribute
from torchscript_dialect.backend import Input, ScalarInput, Sym, TensorInput, TensorOutput
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir.requirements import require_functions
from torchscript_dialect.tensor.dtype import bool_, float64, int64
from torchscript_dialect.types.containers import ListType

COST = 100_000_000
"""Picoseconds that a loop is said to take, as nobody knows: long enough that Python's other threads run meanwhile."""


class ConvertScalarsToScfPass(ModulePass):
    """See the module's docstring. No pipeline has it: `compile_modules` begins with it, as it does with ts-convert-torch-to-linalg."""

    name = "ts-convert-scalars-to-scf"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        groups = [found for found in op.walk() if isinstance(found, prim.ScalarGroupOp)]
        bodies: list[Block] = [group.body for group in groups]
        if not groups:
            bodies = [function.body.block for function in require_functions(op, self.name)[:1]]
        kernels = [
            convert(
                body, *((f"kernel_{index}", f"{SIZES}_{index}") if index else ("kernel", SIZES))
            )
            for index, body in enumerate(bodies)
        ]
        put_kernels(op, kernels)


def convert_function(module: ModuleOp) -> Kernel:
    """The kernel of a module's one function; see `convert`."""
    (function,) = module.ops
    assert isinstance(function, FuncOp)
    return convert(function.body.block, function.sym_name.data)


def is_loop(module: ModuleOp) -> bool:
    """Whether a module's one function is a loop over numbers: groups of operators on tensors hold no loops."""
    return any(isinstance(op, prim.LoopOp) for one in module.ops for op in one.regions[0].block.ops)


def convert(body: Block, name: str, sizes: str = SIZES) -> Kernel:
    """The kernel of a block of numbers, which stays as it is.

    Raises:
        LoweringError: an argument or a node has no form.
    """
    function = ScalarFunction()
    inputs, buffers = _inputs(body)
    entry = Block(arg_types=[*buffers.values(), flat(i64), flat(i64), INDEX, INDEX])
    *lists, out, words, begin, end = entry.args
    for argument, hint in ((out, "out"), (words, "syms"), (begin, "begin"), (end, "end")):
        argument.name_hint = hint
    memory = dict(zip(buffers, lists, strict=True))
    loader = Loader(entry, words)
    for word, argument in enumerate(body.args):
        if argument in memory:
            memory[argument].name_hint = argument.name_hint
            length = Scalar(loader.scalar(word, i64), int64)
            function.lists[argument] = (memory[argument], length)
        else:
            of = SCALARS[argument.type][1]
            function.define(argument, Scalar(loader.scalar(word, element_type(of)), of))
    function.block(body)
    results = _results(body)
    _store(function, [function.number(value) for value in results], out)
    entry.add_ops([*function.math.ops, ReturnOp()])
    func = FuncOp(name, FunctionType.from_lists(entry.arg_types, []), Region(entry))
    count = len(body.args)
    made = EntryOp(
        name,
        words=count + 1,
        range=count,
        grain=1,
        work=count,
        cost=COST,
        sizes=SymbolRefAttr(sizes),
    )
    module = ModuleOp([func, made, _sizes(sizes, count)])
    outputs = (TensorOutput("int64", (1 + len(results),)),)
    return Kernel(module, inputs, outputs, count, returns_tuple=False, pipeline=OF_SCALARS)


def _inputs(body: Block) -> tuple[tuple[Input, ...], dict[SSAValue, Attribute]]:
    """How arguments are described to the runtime, and the types of the buffers of lists."""
    inputs: list[Input] = []
    buffers: dict[SSAValue, Attribute] = {}
    for word, argument in enumerate(body.args):
        if argument.type in SCALARS:
            inputs.append(ScalarInput(SCALARS[argument.type][0], Sym(word)))
            continue
        type_ = argument.type
        if not isinstance(type_, ListType) or type_.element not in SCALARS:
            raise LoweringError(
                f"an argument of type {spell(type_)} has no form in a loop over numbers"
            )
        of = SCALARS[type_.element][1]
        inputs.append(TensorInput(of.name, (Sym(word),)))
        buffers[argument] = flat(element_type(of))
    return tuple(inputs), buffers


def _results(body: Block) -> Sequence[SSAValue]:
    """What the block gives, also as one tuple."""
    last = body.last_op
    assert last is not None
    if len(last.operands) == 1 and isinstance(last.operands[0].owner, prim.TupleConstructOp):
        return last.operands[0].owner.operands
    return last.operands


def _store(function: ScalarFunction, results: Sequence[Scalar], out: SSAValue) -> None:
    """Write the words of the result."""
    math = function.math
    for place, number in enumerate([*function.told(True), *results]):
        word = number
        if number.dtype is bool_:
            word = math.cast(number, "int64")
        elif number.dtype is float64:
            word = math.op(arith.BitcastOp, (number,), int64)
        at = math.op(arith.ConstantOp, (), int64, {"value": integer_attribute(place, INDEX)}, INDEX)
        math.ops.append(create(memref.StoreOp, (word.ssa, out, at.ssa), ()))


def _sizes(name: str, word: int) -> FuncOp:
    """`@sizes`, which says that there is one part."""
    function = FuncOp(name, ([flat(i64)], [i1]))
    block = function.body.block
    math = ScalarBuilder()
    one, true = math.number(1, int64), math.number(True, bool_)
    at = index_constant(word)
    store = create(memref.StoreOp, (one.ssa, block.args[0], at.results[0]), ())
    ops: list[Operation] = [*math.ops, at, store, ReturnOp(true.ssa)]
    block.add_ops(ops)
    return function
