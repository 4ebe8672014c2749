"""Arrays from .npy and .npz files, which may come from strangers: whatever a header claims is checked against the bytes that follow it
before anything of that size is made. Nothing is unpickled.
"""

from __future__ import annotations

import math
from io import BytesIO
from typing import Any, cast

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from torchscript_dialect.serialization.archive.container import unpacked
from torchscript_dialect.serialization.archive.errors import ArchiveError
from torchscript_dialect.serialization.archive.zip_directory import read_directory
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor

_LONGEST_HEADER = 1 << 16
_READERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def read_tensor(path: str) -> Tensor:
    """The array of an .npy file.

    Raises:
        ValueError: the file holds something else, or is damaged.
        OSError: it cannot be read.
    """
    data = _bytes(path)
    if data[:2].tobytes() == b"PK":
        raise ValueError(f"{path} holds several arrays (.npz), and its name says one (.npy)")
    return _tensor(path, data)


def read_tensors(path: str) -> dict[str, Tensor]:
    """The arrays of an .npz file, by name.

    Raises:
        ValueError: the file holds something else, or is damaged; the message names the record.
        OSError: it cannot be read.
    """
    data = _bytes(path)
    if data[:6].tobytes() == npy.MAGIC_PREFIX:
        raise ValueError(f"{path} holds one array; the name of such a file ends with .npy")
    try:
        contents = {
            name: memoryview(bytearray(unpacked(data, record, name)))
            for name, record in read_directory(data).items()
        }
    except ArchiveError as error:
        raise ValueError(f"{path} is no file of arrays (.npz), or is damaged: {error}") from None
    return {
        name.removesuffix(".npy"): _tensor(f"{path}: record {name!r}", content)
        for name, content in contents.items()
    }


def _bytes(path: str) -> memoryview:
    return memoryview(cast(Any, np.fromfile(path, np.uint8)))


def _tensor(name: str, data: memoryview) -> Tensor:
    try:
        array = _array(data)
    except Exception as error:  # NumPy's reader of headers stumbles over them in many ways
        reason = str(error).partition("\n")[0][:200]
        raise ValueError(
            f"{name} is no file of an array (.npy), or is damaged: {reason}"
        ) from error
    try:
        return as_tensor(array)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name}: {error}") from error


def _array(data: memoryview) -> NDArray[Any]:
    """The array of the bytes of an .npy file, on these bytes.

    Raises:
        Exception: they are none.
    """
    file = BytesIO(data[:_LONGEST_HEADER])
    version = npy.read_magic(file)
    if version not in _READERS:
        raise ValueError(f"version {version} of the format is not known")
    shape, is_fortran, dtype = _READERS[version](file)
    if dtype.hasobject:
        raise ValueError("it holds objects of Python, which are not read")
    content = data[file.tell() :]
    wanted = math.prod(shape) * dtype.itemsize
    if wanted != len(content) or any(type(size) is not int or size < 0 for size in shape):
        raise ValueError(f"its shape is {shape!s:.80}, and {len(content)} bytes follow")
    if dtype == np.bool_:
        content = memoryview(cast(Any, np.not_equal(content, 0)))
    array = np.ndarray(shape, dtype, content, order="F" if is_fortran else "C")
    return array if array.flags.aligned else array.copy()
