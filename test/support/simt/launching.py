"""Launches a kernel."""

from __future__ import annotations

from support.simt import access, copies, operations, tensor_cores, warps
from support.simt.faults import Fault
from support.simt.machine import Dims, Execute, Lanes, Launch, Machine
from support.simt.memory import Memory
from support.simt.module import Instruction, Module

LANES = 1 << 15
"""About how many threads run together."""


def launch(
    module: Module,
    name: str,
    grid: Dims,
    block: Dims,
    parameters: bytes,
    memory: Memory,
    dynamic_shared: int = 0,
    *,
    finds_races: bool = True,
    steps: int = 1 << 22,
) -> int:
    """Run a kernel of a module; gives how many instructions were issued. `parameters` are its block of parameters, `dynamic_shared` the
    bytes of its extern shared arrays.

    Raises:
        Fault: the kernel did what no program may do, used what is not known here, or has not ended after that many steps.
    """
    kernel = module.kernels[name]
    threads = block[0] * block[1] * block[2]
    if not 0 < threads <= min(1024, kernel.max_threads or 1024):
        raise Fault(f"{name}: {threads} threads a block")
    if kernel.has_exact_threads and threads != kernel.max_threads:
        raise Fault(f"{name}: {threads} threads a block, which has {kernel.max_threads}")
    if len(parameters) != kernel.parameter_bytes:
        raise Fault(f"{name}: {len(parameters)} bytes of parameters, not {kernel.parameter_bytes}")
    memory.launches += 1
    what = Launch(module, kernel, grid, block, parameters, memory, dynamic_shared, finds_races)
    blocks = grid[0] * grid[1] * grid[2]
    together = max(1, LANES // threads)
    starts = range(0, blocks, together)
    return sum(Machine(what, i, min(together, blocks - i), _execute).run(steps) for i in starts)


def run_block(
    module: Module, name: str, block: int, threads: int, parameters: bytes, memory: Memory
) -> int:
    """Run one block of a grid of so many threads a block; gives how many instructions were issued.

    Raises:
        Fault: see `launch`.
    """
    memory.launches += 1
    grid = (block + 1, 1, 1)
    what = Launch(module, module.kernels[name], grid, (threads, 1, 1), parameters, memory)
    return Machine(what, block, 1, _execute).run(1 << 20)


def _nothing(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    """An instruction that orders memory, or is a hint: threads see each other's writes at once here."""


_EXECUTED: dict[str, Execute] = {
    "mov": operations.move,
    "cvt": operations.convert,
    "setp": operations.compare,
    "selp": operations.select,
    "testp": operations.test,
    "trap": operations.trap,
    "cvta": access.generic,
    "ld": access.load,
    "ldu": access.load,
    "st": access.store,
    "atom": access.atomic,
    "red": access.atomic,
    "bar": warps.warp_barrier,
    "shfl": warps.shuffle,
    "vote": warps.vote,
    "redux": warps.reduce,
    "mma": tensor_cores.multiply,
    "ldmatrix": tensor_cores.load,
    "cp": copies.asynchronous,
}
_EXECUTED |= dict.fromkeys(("prefetch", "prefetchu", "membar", "fence", "nanosleep"), _nothing)


def _execute(machine: Machine, instruction: Instruction, lanes: Lanes) -> None:
    _EXECUTED.get(instruction.name, operations.compute)(machine, instruction, lanes)
