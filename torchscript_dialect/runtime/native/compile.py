"""Compiles LLVM IR text of the runtime to a blob."""

from __future__ import annotations

from torchscript_dialect.runtime.native.blob import Blob
from torchscript_dialect.runtime.native.linker import link_objects
from torchscript_dialect.utils.background import llvm_at_work
from torchscript_dialect.utils.llvm import optimized_module, target_machine

PASSES = ("always_inliner", "sroa")
"""What the texts of the runtime, written by hand, gain from: LLVM's `-O2` would take three times as
long and give code that is no faster."""


def compile_blob(text: str, *, host: bool = True, level: int = 2) -> Blob:
    """Compiles and links the module `text`, for this processor or for any of its kind.

    RuntimeError where LLVM rejects the text or there is no llvmlite, LinkError where the object cannot be linked.
    """
    return link_objects([compile_object(text, host=host, level=level)])


def compile_object(text: str, *, host: bool = True, level: int = 2) -> bytes:
    """The relocatable, position-independent object of the module `text`."""
    machine = target_machine(host=host, level=level)
    with llvm_at_work():
        return machine.emit_object(optimized_module(text, machine, PASSES))
