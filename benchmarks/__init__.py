"""Ours beside PyTorch, torch.jit, torch.compile, JAX, Numba and NumPy, on programs of examples/.

`python -m benchmarks.run` measures calls, `python -m benchmarks.first_call` fresh processes. Every
peer is optional; one that is not installed is left out of the table.
"""
