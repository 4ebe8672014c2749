"""`ts.load`: TorchScript archives as modules (PyTorch: torch/csrc/jit/serialization/import.cpp).

Note [Archives from strangers]
An archive is read as data. What it says is checked where it is read, its methods are compiled when they are first used, and run with
the checks of graphs that came as data; a method that would touch files, processes or the network is refused when it is compiled, unless
`allow` names what it may. The one thing that runs while an archive is loaded is `__setstate__` of its classes, under the same rules.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from torchscript_dialect.api.module import ScriptModule
from torchscript_dialect.api.module_class import Program, namer
from torchscript_dialect.api.save import KERNELS
from torchscript_dialect.frontend.archive.bytecode_source import BytecodeSource
from torchscript_dialect.frontend.archive.importer import Importer
from torchscript_dialect.frontend.unit.definitions import ClassDefinition, Function
from torchscript_dialect.passes.lists import current
from torchscript_dialect.passes.named import pipeline
from torchscript_dialect.runtime.executor.saved_kernels import carry
from torchscript_dialect.runtime.permissions import PERMISSIONS, check_permissions
from torchscript_dialect.runtime.values.objects import ScriptObject
from torchscript_dialect.runtime.values.restore import Restorer, packed_object
from torchscript_dialect.serialization.archive.bytecode import RECORD, read_bytecode
from torchscript_dialect.serialization.archive.container import Container, Source, name_of
from torchscript_dialect.serialization.archive.errors import ArchiveError
from torchscript_dialect.serialization.archive.formats import open_archive
from torchscript_dialect.serialization.archive.pickle_globals import finder
from torchscript_dialect.serialization.archive.pickle_machine import PickledObject, read_pickle
from torchscript_dialect.serialization.archive.storages import Storages
from torchscript_dialect.serialization.archive.value_archive import ValueArchive
from torchscript_dialect.serialization.archive.versions import NEWEST, OLDEST
from torchscript_dialect.utils.collection import without_collection

MapLocation = str | Mapping[str, str] | Callable[[str], str] | None
"""Where tensors go: a device, or from the devices that they were saved on to others."""


def load(
    file: Source,
    map_location: Any = None,
    _extra_files: dict[str, Any] | None = None,
    *,
    allow: Collection[str] = (),
    kernels: bool = False,
) -> ScriptModule:
    """The module in a TorchScript archive (`.pt`), as `torch.jit.save` writes it.

    The file stays mapped: large tensors are its bytes, and writing to them does not change it. Methods are compiled when they are
    first used. `_extra_files` gets the contents of the extra files that it names. `allow` is that of `ts.run_graph`; see Note
    [Archives from strangers]. With `kernels` the compiled kernels that `ts.save(..., kernels=True)` wrote are used: machine code, which
    may do whatever this process may, so that the archive has to come from somebody who is trusted.

    Raises:
        ArchiveError: the file is damaged, is no archive, or holds what archives do not; the message names the record.
        OSError: the file cannot be read.
        TorchScriptError: source in the archive is no TorchScript, now or when a method is first used.
    """
    with opened(file) as container, without_collection():
        loader = Loader(container, map_location, allow)
        loaded = loader.load()
        if kernels:
            loader.carry_kernels()
    for name in _extra_files or ():
        assert _extra_files is not None
        record = f"extra/{name}"
        _extra_files[name] = container.read(record) if record in container else b""
    return loaded


@contextmanager
def opened(file: Source, name: str | None = None) -> Generator[Container]:
    """The records of an archive; what is wrong with them is told with the name of the file."""
    name = name or name_of(file)
    with told_of(name):
        yield open_archive(file, name)


@contextmanager
def told_of(name: str) -> Generator[None]:
    """Errors within tell the name of the file that they come from."""
    try:
        yield
    except ArchiveError as error:
        placed = ArchiveError(f"{name}: {error.message}")
        placed.record = error.record
        raise placed from None
    except RecursionError:
        raise ArchiveError(f"{name}: something in it is nested too deeply") from None


def _reduced(module: ScriptModule) -> tuple[Any, ...]:
    """How Python's `pickle` and `multiprocessing` take a module along: as the bytes of its archive."""
    return load, (module.save_to_buffer(),)


copyreg.pickle(ScriptModule, _reduced)


class Loader:
    """Loads one archive; `importer` has its definitions."""

    def __init__(
        self, container: Container, map_location: MapLocation, allow: Collection[str]
    ) -> None:
        if "constants.pkl" not in container:
            raise ArchiveError(
                "this is no TorchScript archive: it has no constants", "constants.pkl"
            )
        self._container = container
        self._allow = allow
        self._root: PickledObject | None = None
        self._tags: dict[int, str] = {}
        self._storages = Storages(container, device_map(map_location))
        constants = self._pickle("constants", "constants.pkl")
        if not isinstance(constants, tuple):
            raise ArchiveError("the constants are no tuple", "constants.pkl")
        self.version = _version(container)
        texts: dict[str, str] | None = None
        source = self._source_of_bytecode()
        if source is not None:
            texts, constants = source.texts(), tuple(source.constants)
        self.importer = Importer(
            container,
            [_packed_constant(value) for value in cast("tuple[Any, ...]", constants)],
            self.version,
            container.begin_check,
            self._compiled,
            texts,
        )
        unit = self.importer.unit
        unit.is_checked = True
        self._program = Program(unit, namer(unit))
        self._program.check_data = container.check_mapped

    def read(self) -> PickledObject:
        """The module as it was pickled. Nothing of the archive runs.

        Raises:
            ArchiveError: there is none.
        """
        if self._root is None:
            root = self._pickle("data", "data.pkl")
            if not isinstance(root, PickledObject):
                raise ArchiveError("it holds no module", "data.pkl")
            self._root = root
        return self._root

    def load(self) -> ScriptModule:
        """The module, its classes as far as they are needed for its attributes."""
        root = self.read()
        definition = self.importer.class_of(root.class_name)
        if not definition.is_module:
            raise ArchiveError(f"{root.class_name} is no class of modules")
        restored = Restorer(self.importer, self._make, self._set_state)
        made = restored.restore(root, definition.type, definition.type.base_name)
        return cast(ScriptModule, made.view)

    def allow_all(self) -> None:
        """From now on methods are compiled whatever they would touch: for who does not run them."""
        self._allow = PERMISSIONS

    def carry_kernels(self) -> None:
        """Let the module use the kernels in the archive.

        Raises:
            ArchiveError: one is damaged.
        """
        folder = f"extra/{KERNELS}"
        names = [name for name in self._container.records if name.startswith(folder)]
        entries: dict[str, bytes] = {}
        for name in names:
            key = name.removeprefix(folder)
            if not key.isalnum():
                raise ArchiveError("it is no kernel", name)
            entries[key] = self._container.read(name)
        try:
            self._program.carried = carry(entries)
        except ValueError as error:
            raise ArchiveError("the kernel is damaged", folder + str(error)) from None

    def _source_of_bytecode(self) -> BytecodeSource | None:
        """What gives a mobile archive source that has none."""
        records = self._container.records
        if RECORD not in records or any(
            name.startswith("code/") and name.endswith(".py") for name in records
        ):
            return None
        folder = "bytecode" if "bytecode/0" in records else "constants"
        methods = read_bytecode(self._pickle(folder, RECORD))
        return BytecodeSource(methods, self.read(), self._tags)

    def _pickle(self, folder: str, record: str) -> Any:
        if isinstance(self._container, ValueArchive):
            return self._container.value(record, self._storages, self._tags)
        find = finder(self._storages, _no_table, self._tags)
        data = self._container.read(record)
        return read_pickle(data, record, find, self._storages.loader(folder))

    def _make(self, definition: ClassDefinition) -> ScriptObject:
        if definition.is_module:
            return ScriptModule(self._program.class_of(definition)).__torchscript_object__
        return ScriptObject(definition.type.annotation_str, self._program.resolve)

    def _set_state(self, obj: ScriptObject, state: Any) -> None:
        definition = self.importer.class_of(obj.__torchscript_qualified_name__)
        method = definition.methods["__setstate__"]
        arguments = method.schema.arguments
        if len(arguments) != 2:
            raise ArchiveError(f"{method.qualified_name} does not take one state")
        restorer = Restorer(self.importer, self._make, self._set_state)
        value = restorer.restore(state, arguments[1].type, f"the state of {obj!r}")
        self._program.class_of(definition).compiled(method).executor(obj, value)

    def _compiled(self, function: Function) -> None:
        """Check and clean up a function that was compiled."""
        assert function.func_op is not None
        check_permissions(function.func_op, self._allow)
        pipeline(current(), "after-frontend").apply(function.func_op)
        function.is_clean = True
        self._container.check_mapped()


def _no_table(*_: Any) -> Any:
    raise ArchiveError("it refers to a table of tensors, which the archive does not have")


def _packed_constant(value: Any) -> Any:
    """A constant as graphs hold it: packed weights are the only objects that are constants."""
    if not isinstance(value, PickledObject):
        return value
    return packed_object(value, value.state, "a constant")


def _version(container: Container) -> int:
    """The version of the operators that the archive was written for."""
    record = "version" if "version" in container else ".data/version"
    text = container.read(record).strip()
    if not text.isdigit() or not OLDEST <= int(text[:9]) <= NEWEST:
        raise ArchiveError(f"its version is {text[:20]!r}; {OLDEST} to {NEWEST} are known", record)
    return int(text)


def device_map(map_location: MapLocation) -> Callable[[str], str]:
    """What `map_location` says of the device of a tensor."""
    if map_location is None:
        return lambda device: device
    if callable(map_location):
        return lambda device: str(map_location(device))
    if isinstance(map_location, Mapping):
        return lambda device: str(map_location.get(device, device))
    return lambda device: str(map_location)
