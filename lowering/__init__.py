"""From `func.func` over tensors to machine code: one folder per level, one pass a file.

`pipelines.py` holds the order; `kernel.py` the attributes that a kernel function carries from
stage to stage. Nothing in `torchscript_dialect` imports this package.
"""
