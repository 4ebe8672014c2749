"""`ts.save`: modules as TorchScript archives that PyTorch reads (PyTorch: serialization/export_module.cpp)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from torchscript_dialect.api.archive_code import ArchiveCode
from torchscript_dialect.api.archive_data import DataWriter
from torchscript_dialect.api.function_module import FunctionModule, compiled_from
from torchscript_dialect.api.module_tree import ModuleTree
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import Function
from torchscript_dialect.runtime.executor.saved_kernels import kernels_in_use
from torchscript_dialect.runtime.native.entry import NativeCallable
from torchscript_dialect.serialization.archive.pickler import PickleWriter
from torchscript_dialect.serialization.archive.storage_writer import StoredTensors
from torchscript_dialect.serialization.archive.versions import MOVED
from torchscript_dialect.serialization.archive.zip_writer import ZipWriter
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.utils.collection import without_collection
from torchscript_dialect.utils.files import write_file

KERNELS = "torchscript_dialect/kernels/"
"""The folder of kernels among the extra files, which PyTorch leaves alone."""


def save(
    module: ModuleTree | NativeCallable,
    file: str | os.PathLike[str] | IO[bytes],
    _extra_files: Mapping[str, str | bytes] | None = None,
    *,
    kernels: bool = False,
) -> None:
    """Write a module as an archive, which `torch.jit.load` and `ts.load` read; a function as a module that does the same. Of a file
    that is named, either all is there afterwards or what was there before.

    With `kernels` the archive also holds what has been compiled for the calls of the module so far, which `ts.load(file, kernels=True)`
    runs where the machine is of the same kind; see Note [Kernels in archives]. What is being compiled in the background is not in it.

    Raises:
        TypeError: it is no script module, and no function that was compiled.
        TorchScriptError: a method, or the value of an attribute, has no form in archives.
        OSError: the file cannot be written.
    """
    function: Any = module if isinstance(module, NativeCallable) else None
    executors = None if function is None else [function._executor]
    if function is not None:
        compiled: tuple[Function, CompilationUnit] | None = function.__torchscript_function__
        made = compiled or compiled_from(function._function, function.schema)
        module = FunctionModule(*made)
    if not isinstance(module, ModuleTree):
        raise TypeError(f"only script modules can be saved, not a {type(module).__name__}")
    records = _Records(module)
    extra: dict[str, str | bytes] = dict(_extra_files or {})
    if kernels:
        program = module._class.program  # pyright: ignore[reportPrivateUsage]
        found = kernels_in_use(program.executors() if executors is None else executors)
        extra |= {KERNELS + key: entry for key, entry in found.items()}
    if not isinstance(file, (str, os.PathLike)):
        records.write(file, "archive", extra)
        return
    path = Path(file)

    def write(to: IO[bytes]) -> None:
        records.write(to, path.stem or "archive", extra)

    write_file(path, write)


def save_to_buffer(
    module: ModuleTree | NativeCallable, _extra_files: Mapping[str, str | bytes] | None = None
) -> bytes:
    """The bytes of the archive that `save` writes."""
    buffer = BytesIO()
    save(module, buffer, _extra_files)
    return buffer.getvalue()


class _Records:
    """What an archive of a module holds; all of it is made before anything is written."""

    def __init__(self, module: ModuleTree) -> None:
        with without_collection():
            program = module._class.program  # pyright: ignore[reportPrivateUsage]
            program.check_data()
            module.__torchscript_lent__.follow()
            code = ArchiveCode(program)
            self.data = StoredTensors()
            writer = DataWriter(program, PickleWriter(self.data), code.annotations)
            root = ClassType(module.__torchscript_object__.__torchscript_qualified_name__)
            writer.write(module.__torchscript_object__, root)
            self.data_pickle = writer.pickle.bytes()
            code.print([root, *writer.types])
            self.files = code.records
            self.version = code.version
            self.constants = StoredTensors()
            constants = DataWriter(program, PickleWriter(self.constants), code.annotations)
            constants.pickle.tuple_of(
                code.constants,
                lambda entry: constants.write(from_attribute(entry.value), entry.type),
            )
            self.constant_pickle = constants.pickle.bytes()

    def write(self, file: IO[bytes], folder: str, extra: Mapping[str, str | bytes]) -> None:
        archive = ZipWriter(file, folder)
        for name, content in extra.items():
            archive.add(f"extra/{name}", content.encode() if isinstance(content, str) else content)
        for number, memory in enumerate(self.data.memory):
            archive.add(f"data/{number}", memory.data)
        archive.add("data.pkl", self.data_pickle)
        for name, text in self.files.items():
            archive.add(f"code/{name}", text, packs=True)
        for number, memory in enumerate(self.constants.memory):
            archive.add(f"constants/{number}", memory.data)
        archive.add("constants.pkl", self.constant_pickle)
        place = "version" if self.version < MOVED else ".data/version"
        archive.add(place, f"{self.version}\n".encode())
        archive.add("byteorder", b"little")
        archive.add(".data/serialization_id", f"{archive.identity:040d}".encode())
        archive.close()
