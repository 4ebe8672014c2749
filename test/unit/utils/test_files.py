"""Files are there completely or not at all, with the permissions that users expect."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import IO, Any

import pytest

import torchscript_dialect as ts
from torchscript_dialect.cli.ts_reduce import main as ts_reduce
from torchscript_dialect.cli.ts_run import main as ts_run
from torchscript_dialect.torch import nn
from torchscript_dialect.utils.files import write_file


@pytest.fixture(autouse=True)
def umask() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


def first(file: IO[bytes]) -> None:
    file.write(b"first")


def second(file: IO[bytes]) -> None:
    file.write(b"second")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_has_the_permissions_of_the_umask(tmp_path: Path) -> None:
    path = tmp_path / "out"
    write_file(path, first)
    assert path.read_bytes() == b"first" and mode(path) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_replaced_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "out"
    write_file(path, first)
    path.chmod(0o666)
    write_file(path, second)
    assert path.read_bytes() == b"second" and mode(path) == 0o666


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_what_fails_leaves_what_was_there(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "out"
    write_file(path, first)

    def half(file: IO[bytes]) -> None:
        file.write(b"half")
        raise error

    with pytest.raises(type(error)) as told:
        write_file(path, half)
    if isinstance(told.value, OSError):
        assert told.value.filename == str(path) and told.value.errno == 28
    assert path.read_bytes() == b"first" and list(tmp_path.iterdir()) == [path]


def test_errors_name_the_file_that_was_given(tmp_path: Path) -> None:
    for path in (tmp_path / "no" / "out", tmp_path):
        with pytest.raises(OSError) as told:
            write_file(path, first)
        assert told.value.filename == str(path)


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    link = tmp_path / "link"
    link.symlink_to(folder / "out")
    write_file(link, first)
    assert link.is_symlink() and (folder / "out").read_bytes() == b"first"


def test_a_pipe_is_written_to_and_stays(tmp_path: Path) -> None:
    """`-o /dev/null` replaced the device by a file, for who may."""
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read: list[bytes] = []
    reader = Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()
    write_file(path, first)
    reader.join()
    assert read == [b"first"] and path.is_fifo()


def test_names_may_be_as_long_as_those_of_files(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 250)
    write_file(path, first)
    assert path.read_bytes() == b"first"


def _save(path: Path) -> Any:
    ts.save(ts.script(nn.ReLU()), path)


def _run(path: Path) -> Any:
    source = path.with_name("model.py")
    source.write_text("def f():\n    return 1\n")
    assert ts_run([str(source), "-o", str(path)]) == 0


def _reduce(path: Path) -> Any:
    source = path.with_name("model.py")
    source.write_text("def f():\n    return 1\n")
    assert ts_reduce(["true", str(source), "-o", str(path)]) == 0


@pytest.mark.parametrize("write", [_save, _run, _reduce])
def test_all_who_write_files_write_them_so(tmp_path: Path, write: Any) -> None:
    path = tmp_path / "folder" / "out"
    path.parent.mkdir()
    link = tmp_path / "folder" / "link"
    link.symlink_to(path)
    write(link)
    assert link.is_symlink() and mode(path) == 0o640 and path.stat().st_size
    path.chmod(0o600)
    write(link)
    assert mode(path) == 0o600
    assert not list(path.parent.glob(".*"))
