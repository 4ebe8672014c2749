"""LLVM IR text of the nvvm dialect: calls of the intrinsics of NVPTX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from xdsl.ir import Operation, SSAValue

from lowering.dialects import nvvm, nvvm_copy
from lowering.llvm.spelling import type_name, word
from lowering.shaped import integer_of


class Function(Protocol):
    """What `translate` writes a function with."""

    lines: list[str]

    def typed(self, value: SSAValue) -> str:
        """`type name`."""
        ...

    def define(self, op: Operation, text: str) -> None:
        """Adds the line of an operation with a result."""
        ...


def _special_register(f: Function, op: Operation) -> None:
    f.define(op, f"call i32 @llvm.{op.name}()")


def _barrier(f: Function, op: Operation) -> None:
    f.lines.append("  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)")


def _shuffle_sync(f: Function, op: Operation) -> None:
    assert isinstance(op, nvvm.ShflOp)
    type_ = type_name(op.res.type)
    kind = "f32" if type_ == "float" else type_
    operands = ", ".join(map(f.typed, op.operands))
    f.define(op, f"call {type_} @llvm.nvvm.shfl.sync.{word(op.kind.data)}.{kind}({operands})")


MMA = {
    ("f16", 8): "m16n8k8.row.col.f32.f32",
    ("f16", 16): "m16n8k16.row.col.f32.f32",
    ("bf16", 16): "m16n8k16.row.col.bf16",
    ("tf32", 8): "m16n8k8.row.col.tf32",
}
"""How LLVM spells what tensor cores multiply."""


def _multiply(f: Function, op: Operation) -> None:
    assert isinstance(op, nvvm.MmaOp)
    operands = ", ".join(map(f.typed, op.operands))
    f.define(op, f"call {type_name(op.res.type)} @llvm.nvvm.mma.{MMA[op.kind]}({operands})")


def _to_tf32(f: Function, op: Operation) -> None:
    assert isinstance(op, nvvm.ConvertFloatToTF32Op)
    f.define(op, f"call i32 @llvm.nvvm.f2tf32.rna({f.typed(op.src)})")


def _load_matrices(f: Function, op: Operation) -> None:
    assert isinstance(op, nvvm_copy.LdMatrixOp)
    way = ".trans" if op.is_transposed else ""
    name = f"@llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4{way}.b16.p3"
    f.define(op, f"call {type_name(op.res.type)} {name}({f.typed(op.ptr)})")


def _copy_asynchronously(f: Function, op: Operation) -> None:
    assert isinstance(op, nvvm_copy.CpAsyncOp)
    operands = ", ".join(map(f.typed, op.operands))
    way = "16" if op.cpSize is None else "16.s"
    f.lines.append(f"  call void @llvm.nvvm.cp.async.cg.shared.global.{way}({operands})")


def _commit_copies(f: Function, op: Operation) -> None:
    f.lines.append("  call void @llvm.nvvm.cp.async.commit.group()")


def _wait_for_copies(f: Function, op: Operation) -> None:
    assert isinstance(op, nvvm_copy.CpAsyncWaitGroupOp)
    f.lines.append(f"  call void @llvm.nvvm.cp.async.wait.group(i32 {integer_of(op.n)})")


def kernel_attributes(op: Operation) -> list[str]:
    """What LLVM is told of a kernel: how many registers its threads have at most."""
    most = integer_of(op.attributes.get(nvvm.MOST_REGISTERS))
    return [] if most is None else [f'"{nvvm.MOST_REGISTERS}"="{most}"']


WRITERS: dict[type[Operation], Callable[[Function, Operation], None]] = {
    nvvm.BarrierOp: _barrier,
    nvvm.ShflOp: _shuffle_sync,
    nvvm.MmaOp: _multiply,
    nvvm.ConvertFloatToTF32Op: _to_tf32,
    nvvm_copy.LdMatrixOp: _load_matrices,
    nvvm_copy.CpAsyncOp: _copy_asynchronously,
    nvvm_copy.CpAsyncCommitGroupOp: _commit_copies,
    nvvm_copy.CpAsyncWaitGroupOp: _wait_for_copies,
    **dict.fromkeys(nvvm.SPECIAL_REGISTERS, _special_register),
}
