"""Atomic writes of files: they are there completely or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from typing import IO


def write_file(path: str | os.PathLike[str], write: Callable[[IO[bytes]], object]) -> None:
    """Let `write` write a file. Afterwards either all of it is there, or what was there before.

    A new file has the permissions that the umask leaves, one that is replaced keeps its own. A link stays and what it leads to is
    replaced. Devices and pipes are written to as they are.

    Raises:
        OSError: the file cannot be written; `filename` is `path`.
    """
    try:
        _write(os.path.realpath(path), write)
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


def _write(path: str, write: Callable[[IO[bytes]], object]) -> None:
    mode = _mode(path)
    if mode is not None and not stat.S_ISREG(mode):
        with open(path, "wb") as file:
            write(file)
        return
    part = os.path.join(os.path.dirname(path), f".{os.urandom(8).hex()}.part")
    number = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with open(number, "wb") as file:
            if mode is not None:
                os.fchmod(number, stat.S_IMODE(mode))
            write(file)
            file.flush()
            os.fsync(number)
        os.replace(part, path)
    finally:
        with suppress(OSError):
            os.unlink(part)


def _mode(path: str) -> int | None:
    """Kind and permissions of what is there; None if nothing is."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None
