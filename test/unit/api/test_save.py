"""What `ts.save` writes: the content of what was loaded, whole or not at all."""

import io
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import torchscript_dialect as ts
from support import archives
from support.amounts import IS_LONG
from torchscript_dialect import torch
from torchscript_dialect.api.save import save_to_buffer
from torchscript_dialect.serialization.archive.container import Container
from torchscript_dialect.serialization.archive.debug_info import DebugInfo

pytestmark = pytest.mark.usefixtures("without_gradients")

NAMES = archives.names() if IS_LONG else archives.names()[::3]
DIFFERENT = {
    "rnn": "a tuple of two results is taken apart",
    "quantized": "packed weights lie in memory as those of fbgemm do",
    "quantized_traced": "packed weights lie in memory as those of fbgemm do",
    "quantized_frozen": "packed weights lie in memory as those of fbgemm do",
}


def records(data):
    with zipfile.ZipFile(data) as archive:
        names = {name.split("/", 1)[1]: name for name in archive.namelist()}
        return {short: archive.read(name) for short, name in names.items()}


def kept(name):
    return not name.endswith(".debug_pkl") and not name.startswith(
        (
            "extra/",
            "traced_inputs",
            ".data/serial",
            "code/__torch__/torch/classes/",
        )  # the last is empty
    )


@pytest.mark.parametrize("name", NAMES)
def test_saving_what_was_loaded_gives_the_same_content(name):
    path = archives.FOLDER / f"{name}.pt"
    saved = records(io.BytesIO(save_to_buffer(ts.load(path))))
    wanted = {n: content for n, content in records(path).items() if kept(n)}
    assert {n for n in saved if kept(n)} == set(wanted)
    if name not in DIFFERENT:
        data = [n for n in wanted if not n.endswith(".pkl")]
        assert {n: saved[n] for n in data} == {n: wanted[n] for n in data}


def places(data):
    """The pieces of code of an archive by record, and what `range_at` tells of the beginning of each line and call."""
    container = Container(data)
    found = {}
    for name in container.records:
        if name.endswith(".py") and f"{name}.debug_pkl" in container:
            text = container.read(name)
            info = DebugInfo(container, name)
            starts = [match.start() for match in re.finditer(rb"\b(torch|ops)\.", text)]
            found[name] = [(text[at : at + 12], info.range_at(at)) for at in starts]
    return {name: each for name, each in found.items() if each}


@pytest.mark.parametrize("name", ["calls", "control_flow", "net", "generic", "lstm", "forked"])
def test_operators_keep_the_places_of_the_original_source(name):
    path = archives.FOLDER / f"{name}.pt"
    original = places(path.read_bytes())
    assert original and places(save_to_buffer(ts.load(path))) == original


@pytest.mark.parametrize("name", NAMES)
def test_what_was_saved_saves_to_the_same_bytes(name):
    once = save_to_buffer(ts.load(archives.FOLDER / f"{name}.pt"))
    assert save_to_buffer(ts.load(once)) == once


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU())
        self.table = {"a": [1, 2]}
        self.scale = 2.0

    def forward(self, x):
        if x.sum() > 0:
            x = x * self.scale
        return self.layers(x) / len(self.table["a"])


def test_a_module_that_was_scripted_here_is_saved_and_loaded(tmp_path):
    module = ts.script(Model())
    x = np.ones((2, 3), np.float32)
    ts.save(module, tmp_path / "model.pt", _extra_files={"notes.txt": "text"})
    extra = {"notes.txt": ""}
    loaded = ts.load(tmp_path / "model.pt", _extra_files=extra)
    assert (loaded(x).numpy() == module(x).numpy()).all()
    assert extra == {"notes.txt": b"text"}
    assert list(loaded.state_dict()) == ["layers.0.weight", "layers.0.bias"]
    with zipfile.ZipFile(tmp_path / "model.pt") as archive:
        assert archive.testzip() is None
        assert archive.namelist()[0] == "model/extra/notes.txt"


def test_records_are_aligned_so_that_they_can_be_mapped():
    data = save_to_buffer(ts.script(Model()))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            name, extra = (
                int.from_bytes(data[info.header_offset + at :][:2], "little") for at in (26, 28)
            )
            assert (info.header_offset + 30 + name + extra) % 64 == 0


def test_a_file_is_there_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "model.pt"
    path.write_bytes(b"before")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left"):
        ts.save(ts.script(Model()), path)
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["model.pt"]


def test_a_module_that_replaces_its_own_file_keeps_its_weights(tmp_path):
    path = tmp_path / "model.pt"
    ts.save(ts.script(Model()), path)
    loaded = ts.load(path)
    before = loaded.layers
    ts.save(loaded, path)
    again = ts.load(path)
    assert (
        before.state_dict()["0.weight"].numpy() == again.state_dict()["layers.0.weight"].numpy()
    ).all()


def test_what_is_no_module_is_refused(tmp_path):
    with pytest.raises(TypeError, match="only script modules can be saved"):
        ts.save(Model(), tmp_path / "model.pt")
    assert not os.listdir(tmp_path)


def test_functions_have_save_and_save_to_buffer(tmp_path):
    function = ts.script(saved_by_its_method)
    function.save(tmp_path / "f.pt", {"note": "hello"})
    notes = {"note": ""}
    assert ts.load(tmp_path / "f.pt", _extra_files=notes)(2, 3) == 6
    assert notes["note"] == b"hello"
    assert ts.load(io.BytesIO(function.save_to_buffer()))(2, 4) == 8


def saved_by_its_method(x: int, y: int):
    return x * y


def test_a_function_is_saved_as_the_forward_of_a_module(tmp_path):
    unit = ts.CompilationUnit(
        "def g(x):\n    return x * 2\n\ndef f(x, n: int = 3):\n    return g(x) + n\n"
    )
    before = str(unit.f.graph)
    for _ in range(2):  # what the first left behind would be in the way of the second
        ts.save(unit.f, tmp_path / "f.pt")
    loaded = ts.load(tmp_path / "f.pt")
    assert loaded.original_name == "PlaceholderModule"
    assert loaded(np.ones(2, np.float32)).tolist() == [5, 5]
    assert loaded(np.ones(2, np.float32), n=1).tolist() == [3, 3]
    assert str(unit.f.graph) == before


KILLED = """
import os, signal, sys
import numpy as np
import torchscript_dialect as ts
from torchscript_dialect import torch

module = ts.script(torch.nn.Linear(300, 300))
os.fsync = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
ts.save(module, sys.argv[1])
"""


@pytest.mark.skipif(os.name != "posix", reason="there are no signals")
def test_a_process_that_is_killed_while_it_saves_leaves_the_old_file(tmp_path):
    """Must-hold 4: saving is atomic. All bytes are written when the process dies, and none is in the file."""
    path = tmp_path / "model.pt"
    ts.save(ts.script(Model()), path)
    before = path.read_bytes()
    root = str(Path(ts.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": root}
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], env=environment, check=False)
    assert done.returncode == -9
    assert path.read_bytes() == before
    assert ts.load(path)(np.ones((2, 3), np.float32)).numpy().shape == (2, 4)


class Constants(torch.nn.Module):
    __constants__ = ("value",)

    def __init__(self, value):
        super().__init__()
        self.value = value

    def forward(self, x):
        return x + 1, self.value


@pytest.mark.parametrize(
    ("value", "shown"),
    [(2, 2), (None, None), ("a", "a"), ([5.5, (1, "b")], (5.5, (1, "b"))), (torch.float32, 6)],
)
def test_constants_can_be_looked_at(value, shown):
    module = ts.script(Constants(value))
    loaded = ts.load(io.BytesIO(save_to_buffer(module)))
    for made in (module, loaded):
        assert made.value == made(np.ones(1))[1] == shown
        with pytest.raises(RuntimeError, match="Can't set constant 'value'"):
            made.value = 3


@pytest.mark.parametrize("value", [3j, {"a": 1}, [torch.ones(1)], set()])
def test_what_cannot_be_a_constant_is_refused(value):
    with pytest.raises(TypeError, match=r"in attribute 'Constants.value' is not a valid const"):
        ts.script(Constants(value))
