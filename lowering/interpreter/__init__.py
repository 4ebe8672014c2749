"""An interpreter of kernels at every stage above the llvm dialect: what `--verify-equiv` holds each lowering step against.

It is written for being right: an op does to NumPy's numbers what MLIR says it does to elements. Nothing here is shared with the
passes, so that a mistake of theirs is none of its own.
"""
