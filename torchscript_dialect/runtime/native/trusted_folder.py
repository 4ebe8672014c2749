"""Folders and files that nobody but this user, or root, can have written.

Note [What is trusted]
Machine code that is read from disk runs with this user's rights, so it is read only from where no other user can put it. A folder
is trusted if it and every folder above it belong to this user or to root and are writable by nobody else. (The group's bits also
bound what access control lists grant.) Above the folder a sticky one, such as /tmp, will do: what is in it only its owner can
replace. A link on the way is followed where it belongs to this user or to root; the folder itself must be none. The check goes
from the root down, so nobody else can swap what it has already seen, and it is made again for every operation.

A file is trusted if it is a regular file of this user or root and writable by nobody else. It is opened relative to the open
folder, through no link, and without waiting for whoever writes to a FIFO. What is checked is the open file, and it is read once:
what was read is what is used.

A secret key in the digests of files would add nothing. Who can write such files is this user or root, and could read the key
beside them; who cannot write them has nothing to sign. The digests find damage.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat

WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
MOST_LINKS = 40


class UntrustedError(OSError):
    """Another user can write to a file or folder, or to where it is; the message says which and what helps."""


def open_folder(path: str, *, make: bool = False) -> int:
    """The descriptor of a folder; what is missing on the way to it is made for this user alone if `make` is set.

    Raises:
        UntrustedError: somebody else can put files into the folder; see Note [What is trusted].
        OSError: it cannot be opened or made.
    """
    place = ""
    pending = _parts(os.path.join(os.getcwd(), path))
    links = 0
    _check_folder("/", os.lstat("/"), sticky_will_do=True)
    while pending:
        name = pending.pop()
        if name == "..":
            place = place.rpartition("/")[0]
            continue
        found = f"{place}/{name}"
        status = _status(found, make)
        if not stat.S_ISLNK(status.st_mode):
            _check_folder(found, status, sticky_will_do=bool(pending))
            place = found
            continue
        _check_owner(found, status)
        if not pending:
            raise UntrustedError(f"{found} is a symbolic link (name the folder itself)")
        links += 1
        if links > MOST_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
        target = os.readlink(found)
        pending += _parts(target)
        place = "" if target.startswith("/") else place
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.open(place or "/", flags)


def read_file(name: str, folder: int, limit: int) -> bytes:
    """The content of a file in an open folder; the file counts as used now.

    Raises:
        UntrustedError: it is no regular file, somebody else can write to it, or it has more than `limit` bytes.
        OSError: it cannot be read.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    descriptor = os.open(name, flags, dir_fd=folder)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UntrustedError(f"{name} is not a regular file")
        _check_owner(name, status)
        _check_mode(name, status)
        if status.st_size > limit:
            raise UntrustedError(f"{name} has {status.st_size} bytes, more than {limit}")
        with contextlib.suppress(OSError):  # root's file in a folder of root's
            os.utime(descriptor)
        return os.read(descriptor, status.st_size)
    finally:
        os.close(descriptor)


def _parts(path: str) -> list[str]:
    """The names along a path, the last one first."""
    return [name for name in reversed(path.split("/")) if name not in ("", ".")]


def _status(path: str, make: bool) -> os.stat_result:
    try:
        return os.lstat(path)
    except FileNotFoundError:
        if not make:
            raise
    with contextlib.suppress(FileExistsError):  # another process was faster
        os.mkdir(path, 0o700)
    return os.lstat(path)


def _check_folder(path: str, status: os.stat_result, *, sticky_will_do: bool) -> None:
    _check_owner(path, status)
    if not (sticky_will_do and status.st_mode & stat.S_ISVTX):
        _check_mode(path, status)


def _check_owner(path: str, status: os.stat_result) -> None:
    if status.st_uid not in (0, os.geteuid()):
        raise UntrustedError(f"{path} belongs to another user ({status.st_uid})")


def _check_mode(path: str, status: os.stat_result) -> None:
    if status.st_mode & WRITABLE_BY_OTHERS:
        raise UntrustedError(f"{path} is writable by others (chmod go-w {path} helps)")
