"""llvmlite for whoever compiles: the runtime's own code and the kernels. Loaded at the first use."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from torchscript_dialect.utils.errors import TorchScriptError


@cache
def is_installed() -> bool:
    """Whether there is llvmlite, which is not loaded for that."""
    return find_spec("llvmlite") is not None


@cache
def binding() -> Any:
    """`llvmlite.binding`, ready to make code for the machine that runs this process.

    Raises:
        TorchScriptError: there is no llvmlite.
    """
    if not is_installed():
        raise TorchScriptError("LLVM is used by way of llvmlite, which is not installed")
    llvm: Any = import_module("llvmlite.binding")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


CAPABILITIES: Mapping[str, tuple[str, ...]] = {
    "": (),
    "avx2": ("avx512", "avx10", "amx"),
    "default": ("avx", "amx", "fma", "f16c"),
}
"""Features that kernels do without, by how their names begin, for each value of `TORCHSCRIPT_DIALECT_CPU_CAPABILITY`."""


def capability() -> str:
    """What the environment says that kernels may use of this processor; ValueError where it says something unknown."""
    name = os.environ.get("TORCHSCRIPT_DIALECT_CPU_CAPABILITY", "").lower()
    if name not in CAPABILITIES:
        known = ", ".join(filter(None, CAPABILITIES))
        raise ValueError(f"TORCHSCRIPT_DIALECT_CPU_CAPABILITY may be {known}, not {name}")
    return name


@cache
def host_features() -> dict[str, bool]:
    """The features of this processor, by LLVM's names, and whether kernels use them; none where there is no llvmlite to ask."""
    without = CAPABILITIES[capability()]
    features: Mapping[str, bool] = binding().get_host_cpu_features() if is_installed() else {}
    return {name: on and not name.startswith(without) for name, on in features.items()}


@lru_cache(maxsize=8)
def target_machine(*, host: bool, level: int) -> Any:
    """A target machine for position-independent code: for this processor with vectors as wide as they may be, or for any of its kind.

    `level` is that of LLVM's code generator; at 0 it takes a quarter of the time.
    """
    llvm = binding()
    features = host_features()
    signed = [f"{'+' if on else '-'}{name}" for name, on in features.items()]
    if features.get("avx512f"):
        signed.append("-prefer-256-bit")
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name() if host else "",
        features=",".join(signed) if host else "",
        opt=level,
        reloc="pic",
        codemodel="small",
    )


def optimized_module(text: str, machine: Any, passes: Sequence[str]) -> Any:
    """The module of an LLVM IR text, run through passes that are named as llvmlite names them; RuntimeError where LLVM rejects it."""
    llvm = binding()
    layout = f'target triple = "{machine.triple}"\ntarget datalayout = "{machine.target_data}"\n'
    module = llvm.parse_assembly(layout + text)
    module.verify()
    manager = llvm.create_new_module_pass_manager()
    for name in passes:
        getattr(manager, f"add_{name}_pass")()
    manager.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    return module
