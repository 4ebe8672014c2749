"""A matrix product, a sum and relu, the right operand as it is (nn) or transposed (nt).

One core, as far as AVX2 goes, in the systems that let themselves be told:

    TORCHSCRIPT_DIALECT_CPU_CAPABILITY=avx2 ATEN_CPU_CAPABILITY=avx2 OPENBLAS_CORETYPE=Haswell \\
    TORCHSCRIPT_DIALECT_NUM_THREADS=1 OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 \\
    python -m benchmarks.run --programs product lstm_cell_s --peers ours torch numpy
"""

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from benchmarks.sources import Build

SIZES = ((64, 64, 64), (128, 128, 128), (256, 256, 256), (100, 333, 77), (64, 512, 2048))
LARGE_SIZES = ((512, 512, 512), (1024, 1024, 1024), (2048, 2048, 2048))


def arguments(m: int, k: int, n: int, kind: str) -> tuple[np.ndarray, ...]:
    """a (M, K), b (K, N), or (N, K) for nt, and c (M, N)."""
    rng = np.random.default_rng(0)
    shapes = [(m, k), (n, k) if kind == "nt" else (k, n), (m, n)]
    return tuple(rng.uniform(-1, 1, shape).astype(np.float32) for shape in shapes)


def build(kind: str) -> Mapping[str, Build]:
    """The program in every system that has one call for a product."""
    right = "b.t()" if kind == "nt" else "b"
    text = f"def f(a, b, c):\n    return torch.relu(torch.mm(a, {right}) + c)\n"

    def eager() -> Callable[..., Any]:
        names: dict[str, Any] = {"torch": importlib.import_module("torch")}
        exec(text, names)
        return names["f"]

    def compiled() -> Callable[..., Any]:
        torch = importlib.import_module("torch")
        torch.compiler.reset()
        return torch.compile(eager(), dynamic=False)

    def jax() -> Callable[..., Any]:
        jax, jnp = importlib.import_module("jax"), importlib.import_module("jax.numpy")
        return jax.jit(lambda a, b, c: jnp.maximum(a @ (b.T if kind == "nt" else b) + c, 0))

    return {
        "ours": lambda: importlib.import_module("torchscript_dialect").CompilationUnit(text)["f"],
        "torch": eager,
        "torch.jit": lambda: importlib.import_module("torch").jit.CompilationUnit(text).f,
        "torch.compile": compiled,
        "jax": jax,
        "numpy": lambda: lambda a, b, c: np.maximum(a @ (b.T if kind == "nt" else b) + c, 0),
    }
