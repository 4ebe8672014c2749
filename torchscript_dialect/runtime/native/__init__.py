"""Calls of compiled kernels without LLVM and without Python frames.

`entry` makes the callables, `table` encodes what they accept, `abi` checks the interpreter,
`thread_pool` runs large kernels; `compile` and `linker` make position-independent blobs, under the
lock of `compilation`, `cache` keeps them, `loader` maps them.
"""
