"""A disk cache of compiled code: bytes under a key, safe against damage and other processes.

Entries live in `~/.cache/torchscript_dialect`, or where `TORCHSCRIPT_DIALECT_CACHE` says (empty or
`0`: no cache). They hold machine code that this process will run: see Note [What is trusted]. Where
the folder is not trusted there is one warning and no cache; whatever else goes wrong with the disk
is a miss, never an error.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import platform
import sys
import warnings
from _blake2 import blake2b
from collections.abc import Generator
from functools import cache
from pathlib import Path
from time import time

import numpy as np

from torchscript_dialect.runtime.native.trusted_folder import (
    UntrustedError,
    open_folder,
    read_file,
)
from torchscript_dialect.utils.llvm import capability

MAGIC = b"TSDCACHE"
VERSION = 2
DIGEST_SIZE = 16
HEADER_SIZE = len(MAGIC) + 4 + 8 + DIGEST_SIZE
DEFAULT_LIMIT = 256 << 20
ENTRY_SUFFIX = ".bin"
LEDGER = "written"
LEDGER_UNIT = 4096
STALE_TEMPORARY_SECONDS = 3600.0


class DiskCache:
    """Maps hexadecimal keys to bytes in files of one directory, at most about `limit` in all.

    The directory is made at the first `put`. Eviction removes the entries that were read longest
    ago; it looks at the directory only after an eighth of the limit was written, by whichever
    processes, which a ledger file counts.
    """

    def __init__(self, directory: Path | None, limit: int = DEFAULT_LIMIT):
        self.directory = directory
        self.limit = limit

    def get(self, key: str | bytes) -> bytes | None:
        """The bytes stored under `key`, or None; a damaged entry is removed."""
        name = _name(key)
        try:
            with self._folder() as folder:
                payload = _unpack(name, read_file(name, folder, self.limit))
                if payload is None:
                    os.unlink(name, dir_fd=folder)
            return payload
        except OSError:
            return None

    def put(self, key: str | bytes, payload: bytes) -> bool:
        """Stores `payload` under `key`; False where it could not be written.

        The entry appears whole, by a change of name; what stood there is not written to.
        """
        name = _name(key)
        temporary = f"{name}.{os.urandom(8).hex()}.tmp"
        try:
            with self._folder(make=True) as folder:
                flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
                descriptor = os.open(temporary, flags, 0o600, dir_fd=folder)
                try:
                    with open(descriptor, "wb") as file:
                        file.write(_header(name, payload) + payload)
                    os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
                except BaseException:
                    os.unlink(temporary, dir_fd=folder)
                    raise
                self._account(folder, len(payload) + HEADER_SIZE)
            return True
        except OSError:
            return False

    def remove(self, key: str | bytes) -> None:
        """Forgets `key`, for an entry whose bytes are whole and yet of no use."""
        with contextlib.suppress(OSError), self._folder() as folder:
            os.unlink(_name(key), dir_fd=folder)

    def sweep(self) -> None:
        """Removes what was read longest ago until nine tenths of the limit are left.

        Abandoned temporary files go too.
        """
        with contextlib.suppress(OSError), self._folder() as folder:
            self._sweep(folder)

    @contextlib.contextmanager
    def _folder(self, *, make: bool = False) -> Generator[int]:
        """The open directory; OSError where there is none that can be used."""
        if self.directory is None:
            raise FileNotFoundError("there is no cache")
        try:
            folder = open_folder(str(self.directory), make=make)
        except UntrustedError as error:
            _warn(self.directory, error)
            raise
        try:
            yield folder
        finally:
            os.close(folder)

    def _account(self, folder: int, size: int) -> None:
        """Adds `size` to the ledger; sweeps when it counts an eighth of the limit."""
        units = -(-size // LEDGER_UNIT)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        flags |= os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(LEDGER, flags, 0o600, dir_fd=folder)
        try:
            os.write(descriptor, bytes(units))
            written = os.fstat(descriptor).st_size * LEDGER_UNIT
            if written > self.limit // 8:
                os.ftruncate(descriptor, 0)
        finally:
            os.close(descriptor)
        if written > self.limit // 8:
            self._sweep(folder)

    def _sweep(self, folder: int) -> None:
        entries: list[tuple[float, int, str]] = []
        abandoned = time() - STALE_TEMPORARY_SECONDS
        with os.scandir(folder) as found:
            for one in found:
                try:
                    status = one.stat(follow_symlinks=False)
                    if one.name.endswith(ENTRY_SUFFIX):
                        entries.append((status.st_mtime, status.st_size, one.name))
                    elif one.name.endswith(".tmp") and status.st_mtime < abandoned:
                        os.unlink(one.name, dir_fd=folder)
                except OSError:
                    continue
        excess = sum(size for _, size, _ in entries) - self.limit
        if excess <= 0:
            return
        excess += self.limit // 10
        for _, size, name in sorted(entries):
            if excess <= 0:
                break
            try:
                os.unlink(name, dir_fd=folder)
            except OSError:
                continue
            excess -= size


class _Process:
    warned = False


def _warn(directory: Path, error: UntrustedError) -> None:
    """Says once per process why nothing is kept."""
    if _Process.warned:
        return
    _Process.warned = True
    warnings.warn(
        f"no compiled kernels are kept or read in {directory}, where another user could put code for this process to run: {error}. "
        "Otherwise set TORCHSCRIPT_DIALECT_CACHE to a folder of your own, or to 0 for no cache",
        RuntimeWarning,
        stacklevel=2,
    )


def _name(key: str | bytes) -> str:
    text = key.hex() if isinstance(key, bytes) else key
    if not text.isalnum():
        raise ValueError(f"a cache key is made of hexadecimal digits, not {text!r}")
    return text + ENTRY_SUFFIX


def _header(name: str, payload: bytes) -> bytes:
    """What stands before a payload: the digest is that of the entry's name, too."""
    digest = blake2b(name.encode() + b"\0", digest_size=DIGEST_SIZE)
    digest.update(payload)
    sizes = VERSION.to_bytes(4, "little") + len(payload).to_bytes(8, "little")
    return MAGIC + sizes + digest.digest()


def packed(key: str, payload: bytes) -> bytes:
    """What the cache keeps of a payload: with its size, and a digest of it and of its key."""
    return _header(_name(key), payload) + payload


def unpacked(key: str, data: bytes) -> bytes | None:
    """The payload of what `packed` gave; None where it is damaged, or that of another key."""
    return _unpack(_name(key), data)


def _unpack(name: str, data: bytes) -> bytes | None:
    payload = data[HEADER_SIZE:]
    return payload if data[:HEADER_SIZE] == _header(name, payload) else None


def default_directory() -> Path | None:
    """Where the environment says that the cache lives; None where it says that there is none, and where folders cannot be held open."""
    if os.open not in os.supports_dir_fd:
        return None  # Windows, for which no code is made
    setting = os.environ.get("TORCHSCRIPT_DIALECT_CACHE")
    if setting is not None:
        return None if setting in ("", "0") else Path(setting)
    try:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:
        return None
    return Path(base) / "torchscript_dialect"


_default: dict[Path | None, DiskCache] = {}


def disk_cache() -> DiskCache:
    """The process's cache, which follows the environment variable."""
    directory = default_directory()
    found = _default.get(directory)
    if found is None:
        found = _default[directory] = DiskCache(directory)
    return found


def cache_key(*parts: str | bytes) -> str:
    """A key for what `parts` describe, compiled on this host for this interpreter."""
    digest = blake2b(environment(), digest_size=20)
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


@cache
def environment() -> bytes:
    """Whatever the compiled code depends on besides the program that it was compiled from."""
    return repr(
        (
            sys.implementation.cache_tag,
            sys.hexversion,
            sys.abiflags,
            np.__version__,
            host_cpu(),
            capability(),
            _compiler_version(),
            _package_version(),
        )
    ).encode()


@cache
def host_cpu() -> str:
    """This processor's instruction set: what /proc/cpuinfo says of the first processor."""
    machine = platform.machine() if sys.platform != "linux" else os.uname().machine
    try:
        descriptor = os.open("/proc/cpuinfo", os.O_RDONLY)
        try:
            text = os.read(descriptor, 8192).decode("ascii", "replace")
        finally:
            os.close(descriptor)
    except OSError:
        return f"{machine} {platform.processor()}"
    names = ("vendor_id", "cpu family", "model", "flags", "CPU implementer", "CPU part", "Features")
    block = text.partition("\n\n")[0]
    lines = [line for line in block.splitlines() if line.partition("\t")[0].rstrip(" :") in names]
    return "\n".join([machine, *lines])


def _compiler_version() -> str:
    """llvmlite's version, without importing it; empty where it is not installed."""
    found = importlib.util.find_spec("llvmlite")
    if found is None or found.origin is None:
        return ""
    try:
        return (Path(found.origin).parent / "_version.py").read_text()
    except OSError:
        return found.origin


def _package_version() -> str:
    """What changes with the package: the installed version, or every edit where it was not installed but copied or checked out."""
    package = Path(__file__).parents[2]
    with os.scandir(package.parent) as found:
        installed = [one for one in found if one.name.endswith(".dist-info")]
    names = [one for one in installed if one.name.startswith(package.name + "-")]
    if not names or (package.parent / "pyproject.toml").exists():
        return repr(_sources([str(package), str(package.parent / "lowering")]))
    return repr([(one.name, one.stat().st_mtime_ns) for one in names])


def _sources(pending: list[str]) -> tuple[int, int, int]:
    """What changes with the Python files under the folders: their number, sizes and times."""
    number = sizes = times = 0
    while pending:
        with contextlib.suppress(OSError), os.scandir(pending.pop()) as found:
            for one in found:
                if one.name.endswith(".py"):
                    status = one.stat()
                    number += 1
                    sizes += status.st_size
                    times += status.st_mtime_ns
                elif not one.name.startswith("_") and one.is_dir():
                    pending.append(one.path)
    return number, sizes, times
