"""Files that `torch.save` wrote before it wrote ZIP files, until PyTorch 1.6 (torch/serialization.py, `_legacy_load`).

Five pickles follow each other: a magic number, the version of the format, what the machine was, the data, and the keys of storages.
Then come these, each a count of elements and their bytes. How long an element is stands in the data alone, which is therefore read
twice: without tensors, to find the storages, and with them.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.serialization.archive.container import Container
from torchscript_dialect.serialization.archive.errors import ArchiveError
from torchscript_dialect.serialization.archive.pickle_machine import (
    GlobalFinder,
    PersistentLoader,
    PickleError,
    PickleMachine,
)
from torchscript_dialect.serialization.archive.storages import (
    DeviceMap,
    Storage,
    Storages,
    StorageType,
)
from torchscript_dialect.serialization.archive.zip_directory import STORED, Record
from torchscript_dialect.tensor.dtype import dtype

_HEAD = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03."
"""The pickles of the magic number and of version 1001, the only one."""


def is_legacy(data: memoryview) -> bool:
    """Whether a file is one of these."""
    return bytes(data[: len(_HEAD)]) == _HEAD


class LegacyFile(Container):
    """A file whose storages have the names that they have in archives. Numbers begin with their lowest byte, whatever wrote them."""

    def __init__(self, data: memoryview, name: str) -> None:
        self._hold(data, name, {})
        self._bytes: Any = data.obj if isinstance(data.obj, mmap.mmap) else bytes(data)

    def map(self, name: str) -> NDArray[np.uint8]:
        """The bytes of a storage, which may be written to; no write gets into the file."""
        record = self[name]
        found = np.frombuffer(self.data, np.uint8, record.size, record.start)
        return found if found.flags.writeable else found.copy()

    def load(
        self,
        map_device: DeviceMap,
        find: Callable[[Storages], GlobalFinder],
        typed: Callable[[PersistentLoader], PersistentLoader],
    ) -> Any:
        """What was saved; `find` gives the meaning of names over the storages, which `typed` makes what a program sees.

        Raises:
            ArchiveError: the file is damaged, or holds something else than `find` knows.
        """
        storages = Storages(self, map_device)
        names = find(storages)
        elements: dict[str, dtype] = {}

        def note(given: tuple[Any, ...]) -> None:
            match given:
                case ("storage", StorageType(element), str(key), str(), int(), *_):
                    elements[key] = element
                case _:
                    raise PickleError("what it refers to outside of it is no storage")

        def without_tensors(module: str, name: str) -> Any:
            return _nothing if module in ("torch._utils", "torch._tensor") else names(module, name)

        _, start = self._pickle(len(_HEAD), _no_name, _no_storage)
        _, end = self._pickle(start, without_tensors, note)
        keys, at = self._pickle(end, _no_name, _no_storage)
        self._place(keys, elements, at)
        load = storages.loader("data")

        def persistent(given: tuple[Any, ...]) -> Storage:
            view = given[5] if len(given) == 6 else None
            found = load(given[:5])
            return found if view is None else _part(found, view)

        return self._pickle(start, names, typed(persistent))[0]

    def _place(self, keys: Any, elements: dict[str, dtype], at: int) -> None:
        """Find the storages, the first of which begins at `at`."""
        listed = cast("list[Any]", keys) if type(keys) is list else []
        if len(listed) != len(elements) or any(type(key) is not str for key in listed):
            raise ArchiveError("the keys of its storages are not those of its tensors")
        for key in listed:
            if key not in elements:
                raise ArchiveError(f"no tensor has the storage {key!r}")
            count = int.from_bytes(self.data[at : at + 8], "little")
            at, size = at + 8, count * elements[key].itemsize
            if at + size > len(self.data):
                raise ArchiveError(f"the storage {key!r} reaches beyond the end")
            self.records[f"data/{key}"] = Record(key, at, size, size, STORED, 0)
            at += size

    def _pickle(self, at: int, find: GlobalFinder, load: PersistentLoader) -> tuple[Any, int]:
        """What the pickle at a place holds, and where it ends."""
        machine = PickleMachine(self._bytes, find, load, at)
        try:
            return machine.run(), machine.at
        except PickleError as error:
            raise ArchiveError(f"the pickle is wrong at byte {machine.at}: {error}") from None


def _nothing(*_: Any) -> None:
    """What stands for a tensor."""


def _part(storage: Storage, view: Any) -> Storage:
    """A storage that is a part of another."""
    match view:
        case (str(), int(start), int(count)) if start >= 0 and count >= 0:
            width = storage.element.itemsize
            part = storage.memory[start * width : (start + count) * width]
            if part.size == count * width:
                return Storage(storage.element, part)
        case _:
            pass
    raise PickleError("a part of a storage is not inside")


def _no_name(module: str, name: str) -> Any:
    raise PickleError(f"the name {module}.{name} is none of what stands beside the data")


def _no_storage(given: tuple[Any, ...]) -> Any:
    raise PickleError("what stands beside the data refers to a storage")
