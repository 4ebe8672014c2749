"""Compiles LLVM IR text to a blob; the only module of the runtime that needs llvmlite."""

from __future__ import annotations

import importlib
from typing import Any

from torchscript_dialect.runtime.native.blob import Blob
from torchscript_dialect.runtime.native.linker import link_object

PASSES = ("always_inliner", "sroa")
"""What the texts of the runtime, written by hand, gain from: LLVM's `-O2` would take three times as
long and give code that is no faster."""


def compile_blob(text: str, *, host: bool = True, level: int = 2) -> Blob:
    """Compiles and links the module `text`, for this processor or for any of its kind.

    `level` is that of LLVM's code generator; at 0 it takes a quarter of the time.

    RuntimeError where LLVM rejects the text, LinkError where the object cannot be linked,
    ImportError without llvmlite.
    """
    return link_object(compile_object(text, host=host, level=level))


def compile_object(text: str, *, host: bool = True, level: int = 2) -> bytes:
    """The relocatable, position-independent object of the module `text`."""
    llvm: Any = importlib.import_module("llvmlite.binding")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    cpu = llvm.get_host_cpu_name() if host else ""
    features = llvm.get_host_cpu_features().flatten() if host else ""
    machine = target.create_target_machine(
        cpu=cpu, features=features, opt=level, reloc="pic", codemodel="small"
    )
    module = llvm.parse_assembly(text)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    manager = llvm.create_new_module_pass_manager()
    for name in PASSES:
        getattr(manager, f"add_{name}_pass")()
    manager.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    return machine.emit_object(module)
