"""Object code from LLVM IR text with llvmlite, for the CPU that runs this process.

llvmlite is loaded at the first use. The code is position independent and refers to its own
sections only; `compile_ir` raises where a symbol would have to come from elsewhere.
"""

from __future__ import annotations

import struct
from functools import cache
from typing import Any

from lowering.kernel import LoweringError


@cache
def _binding() -> Any:
    import llvmlite.binding as binding  # pyright: ignore[reportMissingTypeStubs]

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding


@cache
def target_machine() -> Any:
    """The host's target machine: its CPU, all of its features, full vector width."""
    binding = _binding()
    target = binding.Target.from_default_triple()
    return target.create_target_machine(
        cpu=binding.get_host_cpu_name(),
        features=f"{binding.get_host_cpu_features().flatten()},-prefer-256-bit",
        opt=2,
        reloc="pic",
        codemodel="small",
    )


@cache
def vector_shape() -> tuple[int, str]:
    """How `ts-vectorize-loops` should go about this CPU: f32 lanes, and the way with tails."""
    features = _binding().get_host_cpu_features()
    if features.get("avx512f"):
        return 16, "branch"
    return (8 if features.get("avx2") else 4), "scalar"


@cache
def _data_layout() -> str:
    return str(target_machine().target_data)


def optimized_module(text: str) -> Any:
    """The module of an LLVM IR text, parsed and run through the light pipeline."""
    binding = _binding()
    machine = target_machine()
    header = f'target triple = "{machine.triple}"\ntarget datalayout = "{_data_layout()}"\n'
    try:
        module = binding.parse_assembly(header + text)
    except RuntimeError as error:
        raise LoweringError(f"LLVM rejects the generated code: {error}") from error
    builder = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options())
    manager = binding.create_new_module_pass_manager()
    manager.add_sroa_pass()
    manager.add_simplify_cfg_pass()
    manager.add_instruction_combine_pass()
    manager.add_aggressive_dce_pass()
    manager.run(module, builder)
    return module


def compile_ir(text: str) -> bytes:
    """The object file (ELF on Linux) for an LLVM IR text."""
    code = target_machine().emit_object(optimized_module(text))
    if missing := undefined_symbols(code):
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
    return target_machine().emit_assembly(optimized_module(text))
