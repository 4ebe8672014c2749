"""Ours beside PyTorch, torch.jit, torch.compile, JAX, Numba and NumPy, on programs of examples/.

`python -m benchmarks.run` measures calls, `python -m benchmarks.first_call` fresh processes. Every
peer is optional; one that is not installed is left out of the table.
"""

import os

# What is measured is the compiled function, from the same call on in each run.
os.environ.setdefault("TORCHSCRIPT_DIALECT_BACKGROUND", "0")
os.environ.setdefault("TORCHSCRIPT_DIALECT_TIERED", "0")
