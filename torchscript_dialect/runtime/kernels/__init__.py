"""Compiled kernels of fusion groups and single operators: compiled, shared, kept on disk, called."""
