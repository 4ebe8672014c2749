"""Object code from LLVM IR text with llvmlite, for the CPU that runs this process.

The code is position independent and refers to its own sections and to routines; `compile_ir` raises where a
symbol would have to come from elsewhere.
"""

from __future__ import annotations

import struct
from collections.abc import Container
from functools import cache
from typing import Any

from lowering.kernel import LoweringError
from torchscript_dialect.utils import llvm
from torchscript_dialect.utils.background import llvm_at_work

PASSES = ("sroa", "simplify_cfg", "instruction_combine", "aggressive_dce", "always_inliner")
"""The code is vectors already: LLVM's `-O2` would take twice as long and give code that is no faster.

Functions that are to be inlined (`ts-outline-math`) are so at the end, when each of them is simplified already.
"""


def _machine() -> Any:
    return llvm.target_machine(host=True, level=2)


@cache
def vector_shape() -> tuple[int, str]:
    """How `ts-vectorize-loops` should go about this CPU: f32 lanes, and the way with tails."""
    features = llvm.host_features()
    if features.get("avx512f"):
        return 16, "branch"
    return (8 if features.get("avx2") else 4), "scalar"


@cache
def has_fma() -> bool:
    """Whether this CPU has multiply-adds: of those that kernels are made for, x86 alone may have none."""
    return llvm.host_features().get("fma", True)


def _optimized_module(text: str) -> Any:
    try:
        return llvm.optimized_module(text, _machine(), PASSES)
    except RuntimeError as error:
        raise LoweringError(f"LLVM rejects the generated code: {error}") from error


def compile_ir(text: str, others: Container[str] = ()) -> bytes:
    """The object file (ELF on Linux) for an LLVM IR text, to be linked with others that define these names."""
    with llvm_at_work():
        code = _machine().emit_object(_optimized_module(text))
    if missing := [name for name in undefined_symbols(code) if name not in others]:
        raise LoweringError(f"generated code would call {', '.join(missing)}")
    return code


SECTION_HEADER = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
SYMBOL_TABLE = 2


def undefined_symbols(code: bytes) -> list[str]:
    """The names that a 64-bit ELF object file expects others to define; none for other formats."""
    if code[:6] != b"\x7fELF\x02\x01":
        return []
    (start,) = struct.unpack_from("<Q", code, 40)
    entry, count = struct.unpack_from("<HH", code, 58)
    headers: list[tuple[int, ...]] = [
        SECTION_HEADER.unpack_from(code, start + i * entry) for i in range(count)
    ]
    missing: list[str] = []
    for _, kind, _, _, offset, size, link, *_ in headers:
        if kind != SYMBOL_TABLE:
            continue
        names = headers[link][4]
        for position in range(offset, offset + size, SYMBOL.size):
            name, _, _, section, _, _ = SYMBOL.unpack_from(code, position)
            if name and section == 0:
                end = code.index(b"\0", names + name)
                missing.append(code[names + name : end].decode())
    return missing


def assembly(text: str) -> str:
    """The assembly that `compile_ir` encodes."""
    return _machine().emit_assembly(_optimized_module(text))
