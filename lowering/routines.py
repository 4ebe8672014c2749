"""Functions that kernels share, each of which is compiled once.

Note [Routines]
A matrix product takes longer to compile than all that stands around it, and is the same code in every kernel. After
`ts-outline-matmul` it is a private function, a routine, whose name says all that it is. A declaration takes its place in the module of
the kernel, and it goes the rest of the way in a module of its own: once in a process, and not at all where an earlier process left
its object on disk. The linker puts the objects of a kernel and of its routines together, so that a kernel on disk or in an archive
needs nothing besides.

Passes of a user may tie a function to its kernel. Where there are any, all stays in one module.
"""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Region

from torchscript_dialect.runtime.native.cache import cache_key, disk_cache
from torchscript_dialect.utils.memo import Memo


class Routine:
    """The object of a routine: from disk, or made of LLVM IR at the first use, and kept there."""

    def __init__(self, name: str, key: str, code: bytes | None, ir: str) -> None:
        self.name = name
        self._key = key
        self._code = code
        self._ir = ir

    @property
    def object(self) -> bytes:
        """The object file."""
        from lowering.llvm.object import compile_ir

        if self._code is None:
            self._code = compile_ir(self._ir)
            disk_cache().put(self._key, self._code)
        return self._code


_known: Memo[str, Routine] = Memo(64)
"""By their keys on disk."""


def taken_out(
    module: ModuleOp, passes: str, translated: Callable[[ModuleOp], str]
) -> tuple[Routine, ...]:
    """Let declarations take the place of the routines of a module, its private functions.

    `translated` gives the LLVM IR of a module with one of them, by passes that `passes` describes.
    """
    functions = [op for op in module.body.block.ops if isinstance(op, FuncOp)]
    return tuple(
        _routine(one, passes, translated) for one in functions if one.sym_visibility is not None
    )


def _routine(function: FuncOp, passes: str, translated: Callable[[ModuleOp], str]) -> Routine:
    name = function.sym_name.data
    body = Region()
    function.body.move_blocks(body)
    key = cache_key("routine", passes, name)
    found = _known.get(key)
    if found is None:
        code = disk_cache().get(key)
        alone = ModuleOp([FuncOp(name, function.function_type, body)])
        found = _known[key] = Routine(name, key, code, "" if code else translated(alone))
    return found
