"""The disk cache takes machine code only from where nobody but this user, or root, can put it.

Point 2 of docs/testing.md.
"""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from torchscript_dialect.runtime.native import cache, trusted_folder
from torchscript_dialect.runtime.native.cache import DiskCache
from torchscript_dialect.runtime.native.trusted_folder import UntrustedError, open_folder, read_file

KEY = "00ff"
NOBODY = 65534


@pytest.fixture(autouse=True)
def not_yet_warned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache._Process, "warned", False)  # pyright: ignore[reportPrivateUsage]


@pytest.fixture
def disk(tmp_path: Path) -> DiskCache:
    """A cache with an entry."""
    made = DiskCache(tmp_path / "above" / "cache")
    assert made.put(KEY, b"code")
    return made


def entry(disk: DiskCache) -> Path:
    assert disk.directory is not None
    return disk.directory / f"{KEY}.bin"


def make_foreign(path: Path, patch: pytest.MonkeyPatch) -> None:
    """Let a path, link or not, belong to another user. Who is not root becomes another user instead."""
    if os.geteuid() == 0:
        os.chown(path, NOBODY, -1, follow_symlinks=False)
    else:
        other = os.geteuid() + 1
        patch.setattr(trusted_folder.os, "geteuid", lambda: other)


def assert_refused(disk: DiskCache, reason: str) -> None:
    """Nothing is read, written or removed; the first operation says why, the others say nothing."""
    assert disk.directory is not None
    before = sorted(os.listdir(disk.directory))
    with pytest.warns(RuntimeWarning, match=reason) as record:
        assert disk.get(KEY) is None
        assert not disk.put("0123", b"code")
        disk.remove(KEY)
        disk.sweep()
    assert len(record) == 1
    assert "TORCHSCRIPT_DIALECT_CACHE" in str(record[0].message)
    assert sorted(os.listdir(disk.directory)) == before


def assert_ignored_and_replaced(disk: DiskCache) -> None:
    """An entry that is not trusted is a miss, without a word, and gives way to a new one."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert disk.get(KEY) is None
        assert disk.put(KEY, b"new")
        assert disk.get(KEY) == b"new"
    assert stat.S_ISREG(entry(disk).lstat().st_mode)


@pytest.mark.parametrize("mode", [0o770, 0o720, 0o702, 0o777, 0o1777])
def test_a_folder_that_others_may_write_to(disk: DiskCache, mode: int) -> None:
    assert disk.directory is not None
    disk.directory.chmod(mode)
    assert_refused(disk, "is writable by others .chmod go-w")
    disk.directory.chmod(0o755)
    assert disk.get(KEY) == b"code"


def test_a_folder_of_another_user(disk: DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    assert disk.directory is not None
    make_foreign(disk.directory, monkeypatch)
    assert_refused(disk, "belongs to another user")


@pytest.mark.parametrize("mode", [0o770, 0o777])
def test_a_folder_that_others_may_replace(disk: DiskCache, mode: int) -> None:
    above = entry(disk).parent.parent
    above.chmod(mode)
    assert_refused(disk, "above is writable by others")
    above.chmod(mode | stat.S_ISVTX)
    assert disk.get(KEY) == b"code"


def test_a_folder_below_one_of_another_user(
    disk: DiskCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_foreign(entry(disk).parent.parent, monkeypatch)
    assert_refused(disk, "belongs to another user")


def test_no_folder_is_made_where_others_may_write(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    disk = DiskCache(tmp_path / "a" / "b")
    with pytest.warns(RuntimeWarning, match="writable by others"):
        assert not disk.put(KEY, b"code")
    assert not list(tmp_path.iterdir())


def test_folders_are_made_for_this_user_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        DiskCache(tmp_path / "a" / "b").put(KEY, b"code")
    finally:
        os.umask(before)
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("a", "a/b")]
    assert modes == [0o700, 0o700]
    assert stat.S_IMODE((tmp_path / "a" / "b" / f"{KEY}.bin").stat().st_mode) == 0o600


def test_a_folder_that_is_a_link(disk: DiskCache, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(entry(disk).parent)
    assert_refused(DiskCache(link), "is a symbolic link")


@pytest.mark.parametrize("target", ["above", "../{name}/above/../above/.", "{folder}/above"])
def test_a_link_of_ours_on_the_way_is_followed(
    disk: DiskCache, tmp_path: Path, target: str
) -> None:
    link = tmp_path / "link"
    link.symlink_to(target.format(name=tmp_path.name, folder=tmp_path))
    assert DiskCache(link / "cache").get(KEY) == b"code"


def test_a_link_of_another_user_on_the_way(
    disk: DiskCache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link"
    link.symlink_to("above")
    make_foreign(link, monkeypatch)
    assert_refused(DiskCache(link / "cache"), "belongs to another user")


def test_a_link_into_a_folder_that_others_may_write_to(disk: DiskCache, tmp_path: Path) -> None:
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "open" / "cache").symlink_to(entry(disk).parent)
    (tmp_path / "link").symlink_to("open/cache")
    assert_refused(DiskCache(tmp_path / "link" / ".." / "cache"), "open is writable")


def test_links_in_a_circle_are_a_miss(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    disk = DiskCache(tmp_path / "a" / "cache")
    assert disk.get(KEY) is None
    assert not disk.put(KEY, b"code")


def test_a_relative_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    disk = DiskCache(Path("here"))
    assert disk.put(KEY, b"code")
    assert (tmp_path / "here" / f"{KEY}.bin").exists()
    tmp_path.chmod(0o777)
    assert_refused(disk, "writable by others")


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_an_entry_that_others_may_write_to(disk: DiskCache, mode: int) -> None:
    entry(disk).chmod(mode)
    assert_ignored_and_replaced(disk)


def test_an_entry_of_another_user(disk: DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    make_foreign(entry(disk), monkeypatch)
    if os.geteuid() == 0:
        assert_ignored_and_replaced(disk)
    else:
        assert_refused(disk, "belongs to another user")


@pytest.mark.parametrize("kind", ["entry", "device", "dangling"])
def test_an_entry_that_is_a_link(disk: DiskCache, tmp_path: Path, kind: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    entry(disk).rename(elsewhere)
    targets = {"entry": elsewhere, "device": Path("/dev/zero"), "dangling": tmp_path / "nothing"}
    entry(disk).symlink_to(targets[kind])
    kept = elsewhere.read_bytes()
    assert_ignored_and_replaced(disk)
    assert elsewhere.read_bytes() == kept


def test_a_fifo_is_not_waited_for(disk: DiskCache) -> None:
    entry(disk).unlink()
    os.mkfifo(entry(disk), 0o600)
    code = (
        "import sys, pathlib\n"
        "from torchscript_dialect.runtime.native.cache import DiskCache\n"
        "disk = DiskCache(pathlib.Path(sys.argv[1]))\n"
        f"print(disk.get({KEY!r}), disk.put({KEY!r}, b'new'), disk.get({KEY!r}))\n"
    )
    command = [sys.executable, "-c", code, str(disk.directory)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout.strip() == "None True b'new'"


def test_a_ledger_that_is_a_fifo_is_not_waited_for(disk: DiskCache) -> None:
    ledger = entry(disk).parent / cache.LEDGER
    ledger.unlink()
    os.mkfifo(ledger)
    disk.put(KEY, b"new")
    assert disk.get(KEY) == b"new"


@pytest.mark.parametrize("name", ["zero", "null", "fd"])
def test_only_regular_files_are_read(name: str) -> None:
    folder = os.open("/dev", os.O_RDONLY)
    try:
        with pytest.raises(OSError, match=r"not a regular file|symbolic links"):
            read_file(name, folder, 100)
    finally:
        os.close(folder)


def test_an_entry_that_is_a_folder_is_a_miss(disk: DiskCache) -> None:
    entry(disk).unlink()
    entry(disk).mkdir()
    assert disk.get(KEY) is None
    assert not disk.put(KEY, b"code")


def test_a_huge_entry_is_not_read(disk: DiskCache) -> None:
    os.truncate(entry(disk), 1 << 40)  # no block of it is on the disk
    assert_ignored_and_replaced(disk)


def test_an_entry_under_another_name_is_a_miss(disk: DiskCache) -> None:
    other = entry(disk).with_name("ffff.bin")
    entry(disk).rename(other)
    assert disk.get("ffff") is None
    assert not other.exists()


def test_an_entry_appears_whole(disk: DiskCache, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until the change of name there is the old entry, and the new one is readable for its owner alone."""
    replace = os.replace
    seen: list[int] = []

    def watch(old: str, new: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        assert disk.get(KEY) == b"code"
        seen.append(os.stat(old, dir_fd=src_dir_fd).st_mode)
        replace(old, new, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    monkeypatch.setattr(os, "replace", watch)
    assert disk.put(KEY, bytes(100_000))
    assert disk.get(KEY) == bytes(100_000)
    assert [stat.S_IMODE(mode) for mode in seen] == [0o600]


def test_no_other_file_takes_the_place_of_the_temporary_one(
    disk: DiskCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "urandom", bytes)
    target = entry(disk).parent / "target"
    entry(disk).with_name(f"{KEY}.bin.{bytes(8).hex()}.tmp").symlink_to(target)
    assert not disk.put(KEY, b"new")
    assert not target.exists()
    assert disk.get(KEY) == b"code"


def test_readers_see_old_or_new_while_processes_write(disk: DiskCache) -> None:
    code = (
        "import sys, pathlib\n"
        "from torchscript_dialect.runtime.native.cache import DiskCache\n"
        "disk = DiskCache(pathlib.Path(sys.argv[1]))\n"
        "for i in range(300): assert disk.put('00ff', bytes([int(sys.argv[2])]) * 50_000)\n"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", code, str(disk.directory), str(i)]) for i in (1, 2)
    ]
    whole = {b"code", b"\1" * 50_000, b"\2" * 50_000}
    while any(one.poll() is None for one in writers):
        assert disk.get(KEY) in whole
    assert [one.wait() for one in writers] == [0, 0]


def test_a_program_without_a_trusted_cache_runs_and_warns_once(tmp_path: Path) -> None:
    """A program whose cache is not trusted runs, compiles, gives right results and warns once."""
    tmp_path.chmod(0o777)
    code = (
        "import numpy as np\n"
        "import torchscript_dialect as ts\n"
        "unit = ts.CompilationUnit('def f(x):\\n    return torch.tanh(x * x)\\n'\n"
        "                          'def g(x):\\n    return torch.exp(x * x)\\n')\n"
        "x = np.ones(3, np.float32)\n"
        "for _ in range(3):\n"
        "    assert np.allclose(unit.f(x).numpy(), np.tanh(x))\n"
        "    assert np.allclose(unit.g(x).numpy(), np.exp(x))\n"
    )
    environment = {**os.environ, "TORCHSCRIPT_DIALECT_CACHE": str(tmp_path / "cache")}
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment
    )
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("RuntimeWarning") == 1
    assert not (tmp_path / "cache").exists()


def test_the_root_folder_can_be_opened_where_it_is_trusted() -> None:
    try:
        folder = open_folder("/..")
    except UntrustedError:
        return  # in a container whose root belongs to somebody else
    try:
        assert os.path.samestat(os.fstat(folder), os.stat("/"))
    finally:
        os.close(folder)
