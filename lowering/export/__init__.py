"""Functions for other compilers: a `func.func` over tensors in upstream dialects."""
