"""Kernels written as LLVM IR by hand: each `x_kernels.py` binds and calls the functions of an `x_ir.py`."""
