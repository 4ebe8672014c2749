"""`torch.save` and `torch.load`: tensors and plain data in files that PyTorch writes and reads (PyTorch: torch/serialization.py).

A file is read as data: its names stand in a closed table of tensors and containers, whatever `weights_only` says. Objects of
classes of a program, modules among them, are neither saved nor loaded: their `state_dict()` is, and `torch.jit.save` saves programs.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, cast

import numpy as np

from torchscript_dialect.api.archive import device_map, opened, told_of
from torchscript_dialect.api.archive import load as load_program
from torchscript_dialect.serialization.archive.container import Source, name_of, open_data
from torchscript_dialect.serialization.archive.errors import ArchiveError
from torchscript_dialect.serialization.archive.legacy_file import LegacyFile, is_legacy
from torchscript_dialect.serialization.archive.pickle_machine import read_pickle
from torchscript_dialect.serialization.archive.pickler import PickleWriter
from torchscript_dialect.serialization.archive.plain_data import (
    PlainDataWriter,
    plain_finder,
    typed_loader,
)
from torchscript_dialect.serialization.archive.storage_writer import StoredTensors
from torchscript_dialect.serialization.archive.storages import Storages
from torchscript_dialect.serialization.archive.value_archive import ValueArchive
from torchscript_dialect.serialization.archive.zip_writer import ZipWriter
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.storages import UntypedStorage
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.torch.nn.parameter import Parameter
from torchscript_dialect.utils.files import write_file


def save(
    obj: Any,
    f: str | os.PathLike[str] | IO[bytes],
    pickle_module: Any = None,
    pickle_protocol: int = 2,
    _use_new_zipfile_serialization: bool = True,
    _disable_byteorder_record: bool = False,
) -> None:
    """Write tensors and plain data: numbers, texts, bytes, dtypes, sizes, and lists, tuples, sets and dictionaries of them. Tensors
    that share memory share it when they are loaded.

    Raises:
        TorchScriptError: something in it is no plain data.
        ValueError: another protocol than 2, another pickler, or the format before ZIP files.
        OSError: the file cannot be written.
    """
    if pickle_module is not None or pickle_protocol != 2 or not _use_new_zipfile_serialization:
        raise ValueError(
            "torch.save writes ZIP files with pickles of protocol 2, by a pickler of its own"
        )
    tensors = StoredTensors()
    pickle = PickleWriter(tensors)
    PlainDataWriter(pickle, lambda tensor: isinstance(tensor, Parameter)).write(obj)
    data = pickle.bytes()

    def write(to: IO[bytes], folder: str) -> None:
        archive = ZipWriter(to, folder)
        archive.add("data.pkl", data)
        if not _disable_byteorder_record:
            archive.add("byteorder", b"little")
        for number, memory in enumerate(tensors.memory):
            archive.add(f"data/{number}", memory.data)
        archive.add("version", b"3\n")
        archive.add(".data/serialization_id", f"{archive.identity:040d}".encode())
        archive.close()

    if isinstance(f, (str, os.PathLike)):
        path = Path(f)
        write_file(path, lambda to: write(to, path.stem or "archive"))
    else:
        write(f, "archive")
        flush = getattr(f, "flush", None)
        if flush is not None:  # the file may be read by its name next
            flush()


save.__torchscript_op__ = "aten::save"  # type: ignore[attr-defined]


def load(
    f: Source,
    map_location: Any = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """What `torch.save` wrote, before PyTorch 1.6, too. The file stays mapped: large tensors are its bytes, and writing to them does
    not change it. A TorchScript archive gives its module, with `weights_only=False`.

    Raises:
        ArchiveError: the file is damaged, is none of `torch.save`'s, or holds something else than tensors and plain data.
        RuntimeError: a TorchScript archive, or tensors on a device that is not there and no `map_location`.
        OSError: the file cannot be read.
    """
    data, name = open_data(f), name_of(f)
    devices = device_map(_location(map_location))
    if is_legacy(data):
        with told_of(name):
            legacy = LegacyFile(data, name)
            return legacy.load(
                devices, lambda storages: plain_finder(storages, _parameter), typed_loader
            )
    with opened(data, name) as container:
        if "constants.pkl" in container or isinstance(container, ValueArchive):
            if weights_only is not False:
                raise RuntimeError(
                    "Cannot use ``weights_only=True`` with TorchScript archives passed to ``torch.load``. Use torch.jit.load."
                )
            return load_program(container.data, map_location)
        if "data.pkl" not in container:
            raise ArchiveError("it holds no data: torch.save did not write it", "data.pkl")
        storages = Storages(container, devices)
        find = plain_finder(storages, _parameter)
        load_storage = typed_loader(storages.loader("data"))
        found = read_pickle(container.read("data.pkl"), "data.pkl", find, load_storage)
        container.check_mapped()
    return found


def _parameter(data: Tensor, requires_grad: bool) -> Tensor:
    return Parameter(tensor_of(data.array), requires_grad)


def _location(map_location: Any) -> Any:
    """The device that `map_location` says: a function gets a storage and the name of its device, and gives a storage of the host."""
    if callable(map_location):

        def located(name: str) -> str:
            found = map_location(UntypedStorage(np.empty(0, np.uint8)), name)
            return name if found is None else str(getattr(found, "device", found))

        return located
    if isinstance(map_location, Mapping):
        pairs = cast("Mapping[Any, Any]", map_location).items()
        return {str(one): str(other) for one, other in pairs}
    return map_location


def default_restore_location(storage: Any, location: str) -> Any:
    """What stands for a storage of the host on a device: itself, or the device, to which `load` takes what is in the file.

    Raises:
        RuntimeError: the device is of no kind that is here.
    """
    kind = location.partition(":")[0]
    if kind == "cpu":
        return storage
    if kind == "cuda":
        return device(location)
    raise RuntimeError(
        f"don't know how to restore data location of {type(storage).__name__} (tagged with {location})"
    )


__all__ = ["default_restore_location", "load", "save"]
