"""Object code from LLVM IR text with llvmlite, for the CPU that runs this process.

llvmlite is loaded at the first use. The code is position independent and refers to its own
sections only; `compile_ir` raises where a symbol would have to come from elsewhere.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from lowering.kernel import LoweringError

if TYPE_CHECKING:
    import llvmlite.binding


@cache
def _binding() -> Any:
    import llvmlite.binding as binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding


@cache
def target_machine() -> llvmlite.binding.TargetMachine:
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
def _data_layout() -> str:
    return str(target_machine().target_data)


def optimized_module(text: str) -> llvmlite.binding.ModuleRef:
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
    return target_machine().emit_object(optimized_module(text))


def assembly(text: str) -> str:
    """The assembly that `compile_ir` encodes."""
    return target_machine().emit_assembly(optimized_module(text))
