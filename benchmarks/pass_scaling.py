"""Prints how the time of every pass over TorchScript grows with the size of one graph, up to 100,000 nodes.

    python -m benchmarks.pass_scaling [--passes NAME ...] [--largest NODES] [--rounds N] [--longest SECONDS] [--lowering]

A graph is groups of nodes, which give a pass something to do: pointwise operators, lists, tuples, branches, loops, writes in
place, what is dead or constant. What a pass needs to find is made by others first, `PREPARED`, or is a graph of its own, `TEXTS`.
Seconds are of the CPU, the least of a few rounds; reading the text, preparing and copying the graph are not counted. Exponents are
slopes as in `scaling`. A pass that takes longer than `--longest` for one size stops there. `chrt -r 5` in front of the command keeps
other processes away.

`--lowering` prints the same of the passes of `lowering`, for kernels of up to 800 nodes that go through a pipeline as a whole: what a
pass gets is what the one before it made.
"""

import argparse
import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from xdsl.dialects.builtin import ModuleOp

import torchscript_dialect as ts
from benchmarks.scaling import exponent, least_of_rounds, least_seconds
from lowering import pipelines
from torchscript_dialect.passes.table import own_passes

FLOATS = "Float(4, strides=[1], requires_grad=1, device=cpu)"
DEFINED = "Float(4, strides=[1], requires_grad=0, device=cpu)"
FROM_SOURCE = (
    "ts-canonicalize-modified-loops ts-convert-to-ssa ts-exit-transforms ts-lift-closures"
).split()
"""Passes over what the emitter makes, before SSA: every shape of `scaling` goes through them."""
NOT_MEASURED = {
    "ts-freeze-module": "takes a module",
}
"""Why these are not here."""

SHAPED = ("ts-propagate-shapes",)
AUTODIFF = (*SHAPED, "ts-create-autodiff-subgraphs")
PREPARED = {
    "ts-fuse-tensorexprs": SHAPED,
    "ts-insert-type-checks": (*SHAPED, "ts-fuse-tensorexprs"),
    "ts-lower-fallback-graphs": (*SHAPED, "ts-fuse-tensorexprs", "ts-insert-type-checks"),
    "ts-create-autodiff-subgraphs": SHAPED,
    "ts-differentiate": AUTODIFF,
    "ts-guard-differentiable-graphs": AUTODIFF,
    "ts-inline-autodiff-subgraphs": (*AUTODIFF, "ts-differentiate"),
    "ts-insert-guards": ("ts-insert-profiling",),
    "ts-remove-profiling": ("ts-insert-profiling",),
    "ts-erase-shape-information": SHAPED,
}
"""The passes that run before one, so that it has something to do."""


GROUP = 24
"""Nodes of a group of `mixed`."""


def mixed(n: int) -> str:
    """A graph of `n` nodes, in groups that have something for most passes."""
    lines = [
        f"graph(%x : {FLOATS}, %v0 : {FLOATS}, %n : int):",
        "  %zero : int = prim::Constant[value=0]()",
        "  %one : int = prim::Constant[value=1]()",
        "  %two : int = prim::Constant[value=2]()",
        "  %true : bool = prim::Constant[value=1]()",
        '  %said : str = prim::Constant[value="said"]()',
    ]
    for i in range(n // GROUP):
        lines += [
            f"  %c{i} : int = prim::Constant[value={i % 7}]()",
            f"  %e{i} : int = aten::add(%one, %c{i})",
            f"  %a{i} : Tensor = aten::mul(%v{i}, %x)",
            f"  %dead{i} : Tensor = aten::neg(%a{i})",
            f"  %again{i} : Tensor = aten::mul(%v{i}, %x)",
            f"  %written{i} : Tensor = aten::add_(%again{i}, %x, %e{i})",
            f"  %b{i} : Tensor = aten::add(%a{i}, %written{i}, %one)",
            f"  %l{i} : Tensor[] = prim::ListConstruct(%a{i}, %b{i})",
            f"  %longer{i} : Tensor[] = aten::append(%l{i}, %b{i})",
            f"  %k{i} : Tensor = aten::__getitem__(%l{i}, %zero)",
            f"  %t{i} : (Tensor, Tensor) = prim::TupleConstruct(%b{i}, %k{i})",
            f"  %p{i} : Tensor, %q{i} : Tensor = prim::TupleUnpack(%t{i})",
            f"  %halves{i} : Tensor[] = aten::chunk(%p{i}, %two, %zero)",
            f"  %f{i} : Tensor, %g{i} : Tensor = prim::ListUnpack(%halves{i})",
            "   = aten::warn(%said, %two)",
            f"  %glu{i} : Tensor = aten::glu(%p{i}, %zero)",
            f"  %d{i} : bool = aten::gt(%n, %c{i})",
            f"  %r{i} : Tensor = prim::If(%d{i})",
            f"    block0():\n      %s{i} : Tensor = aten::relu(%p{i})\n      -> (%s{i})",
            f"    block1():\n      -> (%q{i})",
            f"  %u{i} : Tensor = prim::Loop(%two, %true, %r{i})",
            f"    block0(%i{i} : int, %m{i} : Tensor):\n      %o{i} : Tensor = aten::sub(%m{i}, %f{i}, %i{i})\n      -> (%true, %o{i})",
            f"  %w{i} : Tensor = aten::mul(%u{i}, %g{i})",
            f"  %v{i + 1} : Tensor = aten::add(%w{i}, %glu{i}, %one)",
        ]
    return "\n".join([*lines, f"  return (%v{n // GROUP})"]) + "\n"


def pointwise(n: int, type_: str = FLOATS) -> str:
    """Twelve operators and one that no kernel takes, again and again."""
    lines = [f"graph(%x : {type_}, %v0 : {type_}):", "  %zero : int = prim::Constant[value=0]()"]
    for i in range(n):
        if i % 13 == 12:
            lines.append(f"  %v{i + 1} : {type_} = aten::cumprod(%v{i}, %zero, %none)")
        else:
            operator = f"mul(%v{i}, %x)" if i % 2 else f"tanh(%v{i})"
            lines.append(f"  %v{i + 1} : {type_} = aten::{operator}")
    lines.insert(1, "  %none : NoneType = prim::Constant()")
    return "\n".join([*lines, f"  return (%v{n})"]) + "\n"


def fused(n: int) -> str:
    """The same of tensors that require no gradient."""
    return pointwise(n, DEFINED)


def autocast(n: int) -> str:
    """A region of mixed precision."""
    region = "__torch__.torch.amp.autocast_mode.autocast"
    lines = [
        "graph(%x : Tensor, %v0 : Tensor):",
        "  %true : bool = prim::Constant[value=1]()",
        "  %bfloat16 : int = prim::Constant[value=15]()",
        '  %cpu : str = prim::Constant[value="cpu"]()',
        f"  %autocast : {region} = prim::CreateObject()",
        '   = prim::SetAttr[name="fast_dtype"](%autocast, %bfloat16)',
        '   = prim::SetAttr[name="_enabled"](%autocast, %true)',
        '   = prim::SetAttr[name="device"](%autocast, %cpu)',
        f"  %entered : {region} = prim::Enter(%autocast)",
        *(f"  %v{i + 1} : Tensor = aten::mm(%v{i}, %x)" for i in range(n)),
        "  %left : NoneType = prim::Exit(%autocast)",
        f"  return (%v{n})",
    ]
    return "\n".join(lines) + "\n"


def gradients(n: int) -> str:
    """Products of gradients that may be undefined."""
    lines = [f"graph(%v0 : {DEFINED}, %x : {DEFINED}):"]
    for i in range(n // 3):
        lines += [
            f'  %v{i + 1} : Tensor = prim::GradOf[name="mul"](%v{i})',
            f"    block0():\n      %q{i} : Tensor = aten::mul(%v{i}, %x)\n      -> (%q{i})",
        ]
    return "\n".join([*lines, f"  return (%v{n // 3})"]) + "\n"


def guards(n: int) -> str:
    """A guard behind every operator."""
    lines = ["graph(%x : Tensor, %v0 : Tensor):"]
    for i in range(n // 2):
        lines += [
            f"  %a{i} : Tensor = aten::mul(%v{i}, %x)",
            f"  %v{i + 1} : {DEFINED} = prim::Guard(%a{i})",
        ]
    return "\n".join([*lines, f"  return (%v{n // 2})"]) + "\n"


CALLEE = """
graph @callee(%a : Tensor, %b : Tensor):
  %c : Tensor = aten::mul(%a, %b)
  %d : Tensor = aten::tanh(%c)
  return (%d)
"""


def calls(n: int) -> str:
    """Calls of a function of two nodes."""
    lines = ["graph @main(%x : Tensor, %v0 : Tensor):"]
    for i in range(n // 3):
        lines += [
            f'  %f{i} : Function = prim::Constant[name="callee"]()',
            f"  %v{i + 1} : Tensor = prim::CallFunction(%f{i}, %v{i}, %x)",
        ]
    return "\n".join([*lines, f"  return (%v{n // 3})"]) + f"\n\n{CALLEE}"


TEXTS: dict[str, Callable[[int], str]] = {
    "ts-coalesce-guards": guards,
    "ts-guard-elimination": guards,
    "ts-insert-bailouts": guards,
    "ts-inline": calls,
    "ts-specialize-functions": calls,
    "ts-lower-grad-of": gradients,
    "ts-specialize-autogradzero": gradients,
    "ts-autocast": autocast,
    "ts-fuse-tensorexprs": fused,
    "ts-insert-type-checks": fused,
    "ts-lower-fallback-graphs": fused,
    "ts-create-autodiff-subgraphs": pointwise,
    "ts-differentiate": pointwise,
    "ts-guard-differentiable-graphs": pointwise,
    "ts-inline-autodiff-subgraphs": pointwise,
}
"""What a pass reads; of others it is `mixed`."""
MEASURED = sorted(
    {*own_passes()} - {*FROM_SOURCE, *NOT_MEASURED},
    key=lambda name: (TEXTS.get(name, mixed).__name__, name),
)
"""Passes, those that read the same graph behind each other."""


@lru_cache(maxsize=4)
def parsed(text: Callable[[int], str], n: int) -> ModuleOp:
    return ts.parse_ir(text(n)).module_op


def prepared(name: str, n: int) -> ModuleOp:
    """A module of `n` nodes on which the pass has something to do."""
    module = parsed(TEXTS.get(name, mixed), n).clone()
    if before := PREPARED.get(name):
        ts.PassPipeline(",".join(before)).run(module)
    return module


def work_of(name: str, n: int) -> Callable[[], bool]:
    """One run of the pass on a graph of `n` nodes; it tells whether it changed anything."""
    module, pipeline = prepared(name, n), ts.PassPipeline(name)
    return lambda: pipeline.run(module)


MATRIX = "Float(64, 64, strides=[64, 1], requires_grad=0, device=cpu)"
ROWS = (
    "mul(%v{i}, %x)|tanh(%v{i})|add(%v{i}, %x, %one)|softmax(%v{i}, %one, %none)|relu(%v{i})".split(
        "|"
    )
)


def matrices(n: int, operators: Sequence[str]) -> str:
    """A group of pointwise operators, rows and, for a CPU, products."""
    lines = [
        f"graph(%x : {MATRIX}, %v0 : {MATRIX}):",
        "  %one : int = prim::Constant[value=1]()",
        "  %none : NoneType = prim::Constant()",
    ]
    for i in range(n):
        operator = operators[i % len(operators)].format(i=i)
        lines.append(f"  %v{i + 1} : {MATRIX} = aten::{operator}")
    return "\n".join([*lines, f"  return (%v{n})"]) + "\n"


def numbers(n: int) -> str:
    """A loop over ints and floats."""
    lines = [
        "graph(%k : int, %x : int, %y : float):",
        "  %true : bool = prim::Constant[value=1]()",
        "  %r : int, %s : float = prim::Loop(%k, %true, %x, %y)",
        "    block0(%i : int, %a0 : int, %b0 : float):",
    ]
    for i in range(n // 2):
        lines += [
            f"      %a{i + 1} : int = aten::add(%a{i}, %i)",
            f"      %b{i + 1} : float = aten::mul(%b{i}, %y)",
        ]
    return (
        "\n".join([*lines, f"      -> (%true, %a{n // 2}, %b{n // 2})", "  return (%r, %s)"]) + "\n"
    )


def _of_tensors(passes: Sequence[str]) -> tuple[str, ...]:
    return ("ts-fuse-tensorexprs", "ts-convert-torch-to-linalg", *passes)


LOWERED: dict[str, tuple[Callable[[int], str], tuple[str, ...]]] = {
    "a CPU": (
        lambda n: matrices(n, [*ROWS, "mm(%v{i}, %x)", "sigmoid(%v{i})"]),
        _of_tensors(pipelines.LINALG_TO_LLVM),
    ),
    "a GPU": (
        lambda n: matrices(n, ROWS),
        ("ts-attach-gpu-target", *_of_tensors(pipelines.LINALG_TO_PTX)),
    ),
    "numbers": (numbers, ("ts-convert-scalars-to-scf", *pipelines.SCALARS_TO_LLVM)),
}
"""What goes through which passes of `lowering`, one after the other."""
KERNELS = (100, 200, 400, 800)
"""Nodes of kernels."""


def lowered(kind: str, n: int, timed: Callable[[Callable[[], object]], float]) -> dict[str, float]:
    """What `timed` says of each pass for a kernel of `n` nodes."""
    make, passes = LOWERED[kind]
    module = ts.parse_ir(make(n)).module_op
    return {name: timed(partial(ts.PassPipeline(name).run, module)) for name in passes}


def timed(name: str, n: int) -> tuple[float, bool]:
    """What the pass takes for a graph of `n` nodes, and whether it changed anything."""
    work, changed = work_of(name, n), False

    def run() -> None:
        nonlocal changed
        changed = work()

    return least_seconds(run, 1), changed


def row(name: str, sizes: Sequence[int], rounds: int, longest: float) -> str:
    """The row of a pass: exponent, the time for each size, and whether it had nothing to do."""
    timed(name, 120)
    changed: list[bool] = []

    def seconds(n: int) -> float:
        taken, acted = timed(name, n)
        changed.append(acted)
        return taken

    known, times, stopped = least_of_rounds(seconds, sizes, rounds, longest)
    shown = "  ".join(f"{n:,}: {t * 1e3:,.1f}" for n, t in zip(known, times, strict=True))
    slope = f"{exponent(known, times):.2f}" if len(known) > 1 else ""
    idle = "" if any(changed) else "  nothing to do"
    return f"{name:<40}{slope:>9}  {shown}{idle}  {stopped}".rstrip()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--passes", nargs="+", choices=MEASURED, default=MEASURED)
    parser.add_argument("--largest", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--longest", type=float, default=60.0)
    parser.add_argument("--lowering", action="store_true")
    options = parser.parse_args()
    print(f"{'pass':<40}{'exponent':>9}  milliseconds at each size")
    if options.lowering:
        for kind in LOWERED:
            print_lowered(kind, options.rounds)
        return
    sizes = [options.largest // part for part in (8, 4, 2, 1)]
    for name in options.passes:
        print(row(name, sizes, options.rounds, options.longest), flush=True)
    for name, reason in NOT_MEASURED.items():
        print(f"{name}: {reason}")


def print_lowered(kind: str, rounds: int) -> None:
    """The rows of a pipeline of `lowering`."""
    lowered(kind, KERNELS[0], lambda work: least_seconds(work, 1))
    least: dict[str, list[float]] = {}
    for _ in range(rounds):
        for place, n in enumerate(KERNELS):
            for name, seconds in lowered(kind, n, lambda work: least_seconds(work, 1)).items():
                times = least.setdefault(name, [math.inf] * len(KERNELS))
                times[place] = min(times[place], seconds)
    for name, times in least.items():
        shown = "  ".join(f"{n:,}: {t * 1e3:,.1f}" for n, t in zip(KERNELS, times, strict=True))
        print(f"{name + ', ' + kind:<40}{exponent(KERNELS, times):>9.2f}  {shown}", flush=True)


if __name__ == "__main__":
    main()
