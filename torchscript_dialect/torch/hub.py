"""`torch.hub`: weights by their addresses, kept in a folder (PyTorch: torch/hub.py). Code of repositories is not fetched."""

from __future__ import annotations

import hashlib
import os
import re
import sys
import uuid
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlparse
from urllib.request import Request, urlopen

from torchscript_dialect.torch.absent_names import absent
from torchscript_dialect.torch.serialization import load

HASH_REGEX = re.compile(r"-([a-f0-9]*)\.")
"""Where the name of a file tells the beginning of the digest of its bytes."""
READ_DATA_CHUNK = 128 * 1024


class _Hub:
    folder: str | None = None


def get_dir() -> str:
    """The folder: what `set_dir` said, or `hub` below `$TORCH_HOME`, or below `$XDG_CACHE_HOME/torch`, or below `~/.cache/torch`."""
    return os.path.join(_get_torch_home(), "hub") if _Hub.folder is None else _Hub.folder


def _get_torch_home() -> str:
    caches = os.getenv("XDG_CACHE_HOME", "~/.cache")
    return os.path.expanduser(os.getenv("TORCH_HOME", os.path.join(caches, "torch")))


def set_dir(d: str | os.PathLike[str]) -> None:
    """Keep weights in another folder."""
    _Hub.folder = os.path.expanduser(d)


def download_url_to_file(
    url: str, dst: str, hash_prefix: str | None = None, progress: bool = True
) -> None:
    """Write what is at an address to a file, which is there once all of it has come. Nothing is shown of the progress.

    Raises:
        RuntimeError: the SHA-256 digest does not begin with `hash_prefix`.
        OSError: the address cannot be read, or the file not be written.
    """
    path = Path(dst).expanduser()
    part = path.with_name(f"{path.name}.{uuid.uuid4().hex}.partial")
    digest = hashlib.sha256()
    try:
        with part.open("wb") as file:
            for chunk in _chunks(url):
                file.write(chunk)
                digest.update(chunk)
        found = digest.hexdigest()
        if hash_prefix is not None and not found.startswith(hash_prefix):
            raise RuntimeError(f'invalid hash value (expected "{hash_prefix}", got "{found}")')
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _chunks(url: str) -> Iterator[bytes]:
    with urlopen(Request(url, headers={"User-Agent": "torch.hub"})) as opened:
        while chunk := opened.read(READ_DATA_CHUNK):
            yield chunk


def load_state_dict_from_url(
    url: str,
    model_dir: str | None = None,
    map_location: Any = None,
    progress: bool = True,
    check_hash: bool = False,
    file_name: str | None = None,
    weights_only: bool = False,
) -> Any:
    """What `torch.load` gives of the file at an address, which is fetched where the folder does not have it.

    Raises:
        RuntimeError: with `check_hash`, the file is not the one that its name says.
        ArchiveError: it holds something else than tensors and plain data.
        OSError: it cannot be fetched.
    """
    folder = Path(os.path.join(get_dir(), "checkpoints") if model_dir is None else model_dir)
    folder.mkdir(parents=True, exist_ok=True)
    name = file_name or os.path.basename(urlparse(url).path)
    path = folder / name
    if not path.exists():
        sys.stdout.write(f'Downloading: "{url}" to {path}\n')
        told = HASH_REGEX.search(name) if check_hash else None
        download_url_to_file(url, str(path), told and told[1], progress)
    return load(path, map_location, weights_only=weights_only)


class _Progress:
    """What shows how much is done, on standard error, where `tqdm` is not installed."""

    def __init__(
        self, total: float | None = None, disable: bool = False, *_: Any, **__: Any
    ) -> None:
        self.total = total
        self.disable = disable
        self.n = 0

    def update(self, n: int) -> None:
        """Show that so much more is done."""
        if not self.disable:
            self.n += n
            done = (
                f"{self.n:.1f} bytes" if self.total is None else f"{100 * self.n / self.total:.1f}%"
            )
            sys.stderr.write(f"\r{done}")
            sys.stderr.flush()

    def set_description(self, *_: Any, **__: Any) -> None:
        """Descriptions are not shown."""

    def write(self, s: str) -> None:
        """Show a line."""
        sys.stderr.write(f"{s}\n")

    def close(self) -> None:
        """Show no more."""
        self.disable = True

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: Any) -> None:
        if not self.disable:
            sys.stderr.write("\n")


def __getattr__(name: str) -> Any:
    """`tqdm`, which programs import from here: the package's, if it is installed."""
    if name != "tqdm":
        raise absent(__name__, name)
    try:
        return import_module("tqdm").tqdm
    except ImportError:
        return _Progress


__all__ = ["download_url_to_file", "get_dir", "load_state_dict_from_url", "set_dir"]
