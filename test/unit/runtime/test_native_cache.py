"""The disk cache: damage, size, directories that cannot be used.

Point 2 of docs/testing.md.
"""

import os
import shutil
import sys
import threading
import time

import pytest

from torchscript_dialect.runtime.native import cache
from torchscript_dialect.runtime.native.cache import DiskCache

KEY = "00ff"


@pytest.fixture
def disk(tmp_path):
    return DiskCache(tmp_path / "a" / "b")


def entry_path(disk, key=KEY):
    return disk.directory / f"{key}.bin"


def test_get_returns_what_was_put(disk):
    assert disk.get(KEY) is None
    assert disk.put(KEY, b"code")
    assert disk.get(KEY) == b"code"
    assert disk.get(bytes.fromhex(KEY)) == b"code"
    assert DiskCache(disk.directory).get(KEY) == b"code"
    assert disk.put(KEY, b"other")
    assert disk.get(KEY) == b"other"
    disk.remove(KEY)
    disk.remove(KEY)
    assert disk.get(KEY) is None


def test_empty_payload(disk):
    assert disk.put(KEY, b"")
    assert disk.get(KEY) == b""


@pytest.mark.parametrize("position", [0, 9, 13, 25, 40, -1])
def test_a_damaged_entry_is_a_miss_and_goes(disk, position):
    disk.put(KEY, b"machine code")
    path = entry_path(disk)
    data = bytearray(path.read_bytes())
    data[position] ^= 1
    path.write_bytes(data)
    assert disk.get(KEY) is None
    assert not path.exists()


@pytest.mark.parametrize("size", [0, 5, 20, 36, 40])
def test_a_truncated_entry_is_a_miss_and_goes(disk, size):
    disk.put(KEY, b"machine code")
    path = entry_path(disk)
    path.write_bytes(path.read_bytes()[:size])
    assert disk.get(KEY) is None
    assert not path.exists()


def test_no_temporary_file_stays(disk):
    disk.put(KEY, b"code")
    assert not [name for name in os.listdir(disk.directory) if name.endswith(".tmp")]


def test_a_key_cannot_leave_the_directory(disk):
    with pytest.raises(ValueError, match="hexadecimal"):
        disk.get("../x")


def test_total_size_is_bounded_and_the_oldest_go_first(tmp_path):
    disk = DiskCache(tmp_path, limit=400_000)
    now = time.time()
    for i in range(100):
        key = f"{i:04x}"
        disk.put(key, bytes(10_000))
        os.utime(entry_path(disk, key), (now, now - 1000 + i))
        disk.get("0000")
    total = sum(path.stat().st_size for path in tmp_path.glob("*.bin"))
    assert total <= 400_000 * 1.2
    assert disk.get("0063") is not None
    assert disk.get("0000") is not None, "an entry that is read stays"
    assert disk.get("0001") is None


def test_abandoned_temporary_files_go(disk):
    disk.put(KEY, b"code")
    abandoned = disk.directory / "x.1.2.tmp"
    abandoned.write_bytes(b"")
    recent = disk.directory / "y.1.2.tmp"
    recent.write_bytes(b"")
    os.utime(abandoned, (1, 1))
    disk.sweep()
    assert not abandoned.exists()
    assert recent.exists()


def test_without_a_directory_nothing_is_kept():
    disk = DiskCache(None)
    assert not disk.put(KEY, b"code")
    assert disk.get(KEY) is None
    disk.sweep()


def test_a_directory_that_cannot_be_made_is_a_miss(tmp_path):
    (tmp_path / "file").write_text("")
    disk = DiskCache(tmp_path / "file" / "cache")
    assert not disk.put(KEY, b"code")
    assert disk.get(KEY) is None


def test_a_directory_that_vanishes_is_made_again(tmp_path):
    directory = tmp_path / "cache"
    disk = DiskCache(directory)
    disk.put(KEY, b"code")
    shutil.rmtree(directory)
    assert disk.get(KEY) is None
    assert disk.put(KEY, b"code")


def test_threads_may_put_the_same_key(disk):
    payloads = [bytes([i]) * 5000 for i in range(4)]
    threads = [threading.Thread(target=disk.put, args=(KEY, one)) for one in payloads]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert disk.get(KEY) in payloads


@pytest.mark.parametrize("setting", ["", "0"])
def test_the_environment_turns_the_cache_off(monkeypatch, setting):
    monkeypatch.setenv("TORCHSCRIPT_DIALECT_CACHE", setting)
    assert cache.default_directory() is None
    assert not cache.disk_cache().put(KEY, b"")


def test_the_environment_moves_the_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("TORCHSCRIPT_DIALECT_CACHE", str(tmp_path / "x"))
    assert cache.disk_cache().directory == tmp_path / "x"
    monkeypatch.delenv("TORCHSCRIPT_DIALECT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "y"))
    assert cache.disk_cache().directory == tmp_path / "y" / "torchscript_dialect"


def test_keys_tell_parts_apart():
    keys = {cache.cache_key(*parts) for parts in [("ab", "c"), ("a", "bc"), ("abc",), (b"abc", "")]}
    assert len(keys) == 4
    assert cache.cache_key("a", b"b") == cache.cache_key(b"a", "b")


def test_the_environment_of_a_key_names_versions():
    text = cache.environment().decode()
    assert sys.implementation.cache_tag in text
    assert cache.host_cpu().splitlines()[0] == os.uname().machine
    assert " at 0x" not in text  # it would differ from process to process


def test_every_change_of_the_sources_changes_the_keys(tmp_path):
    package, other = tmp_path / "package" / "part", tmp_path / "other"
    package.mkdir(parents=True)
    other.mkdir()
    first, second = package / "first.py", other / "second.py"
    first.write_text("1")
    second.write_text("2")
    (package / "notes.txt").write_text("no source")

    def stamp():
        return cache._sources([str(tmp_path / "package"), str(other), str(tmp_path / "missing")])

    seen = [stamp()]
    assert stamp() == seen[0]
    (package / "notes.txt").write_text("changed")
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "first.py").write_text("compiled")
    assert stamp() == seen[0]
    first.write_text("12")
    seen.append(stamp())
    os.utime(first, ns=(1, 1))  # older than before, as from an archive
    seen.append(stamp())
    os.utime(second, ns=(5, 5))
    seen.append(stamp())
    second.unlink()
    seen.append(stamp())
    (package / "third.py").write_text("")
    seen.append(stamp())
    assert len(set(seen)) == len(seen)
