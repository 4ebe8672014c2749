"""PyTorch loads what `ts.save` writes, and it does the same."""

import importlib.util
import io
import re
import sys
import warnings
from enum import Enum

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import torchscript_dialect as ts  # noqa: E402
from support import agreement, archives, corpus, hostile_archives  # noqa: E402
from support.amounts import IS_LONG  # noqa: E402
from support.flat_archives import without_sources  # noqa: E402
from torchscript_dialect.api.module_source import module_source  # noqa: E402
from torchscript_dialect.api.save import save_to_buffer  # noqa: E402

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from samples import archive_modules

NAMES = archives.names() if IS_LONG else [*archives.names()[::4], "attributes", "net_frozen"]


def to_argument(array, memo):
    return memo.setdefault(id(array), torch.from_numpy(array))


def to_numpy(value):
    return value.detach().numpy() if isinstance(value, torch.Tensor) else None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore")
def test_pytorch_loads_what_was_saved(name):
    theirs = archives.golden(name)
    archive_modules.SAMPLES["attributes"].make()  # PyTorch knows the classes of results now
    data = save_to_buffer(ts.load(archives.FOLDER / f"{name}.pt"))
    with torch.jit.optimized_execution(False), torch.no_grad():
        found = archives.record_of(
            lambda: torch.jit.load(io.BytesIO(data)),
            archives.arguments_of(theirs),
            to_argument,
            to_numpy,
        )
    assert archives.differences(found, theirs) == []


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = torch.nn.LSTM(3, 4)
        self.layers = torch.nn.ModuleList([torch.nn.Linear(4, 4) for _ in range(2)])
        self.layers[1].weight.requires_grad_(False)

    def forward(self, x):
        y, _ = self.lstm(x)
        for layer in self.layers:
            y = torch.tanh(layer(y))
        return y


def test_pytorch_loads_a_module_that_was_scripted_here():
    model = Model()
    x = torch.ones(2, 1, 3)
    loaded = torch.jit.load(io.BytesIO(save_to_buffer(ts.script(model))))
    assert torch.allclose(loaded(x), model(x), atol=1e-6)
    assert [p.requires_grad for p in loaded.parameters()] == [
        p.requires_grad for p in model.parameters()
    ]


KNOWN = {
    "objects.object_returned": "the class of the result is no class of this process",
    "objects.objects_returned": "the class of the result is no class of this process",
    "attributes_in_libraries.DictOfNamedTuples": "PyTorch prints the name of a NamedTuple in the type of the attribute",
    "strings.not_ascii": "PyTorch prints other bytes in a constant than the program has",
}


@pytest.mark.parametrize("area", corpus.areas() if IS_LONG else corpus.areas()[::12])
@pytest.mark.filterwarnings("ignore")
def test_programs_of_the_corpus_load(area):
    """What PyTorch saves of each program gives PyTorch's code, and what PyTorch's own gives."""
    for name, program in corpus.load(area, "torch").items():
        data = _saved(program)
        if data is None or f"{area}.{name}" in KNOWN:
            continue
        calls = [(one.method, one.args) for one in program.cases if not one.kwargs]
        with torch.jit.optimized_execution(False):
            theirs = archives.record_of(
                lambda data=data: torch.jit.load(io.BytesIO(data)), calls, to_argument, to_numpy
            )
        with ts.optimized_execution(False):
            ours = archives.record_of(
                lambda data=data: ts.load(data), calls, agreement.to_argument, agreement.to_numpy
            )
        assert archives.differences(ours, theirs) == [], f"{area}.{name}"


def _saved(program):
    """The archive of a program; None where PyTorch cannot save it, or load it again."""
    buffer = io.BytesIO()
    try:
        torch.jit.save(torch.jit.script(program.make()), buffer)
        torch.jit.load(io.BytesIO(buffer.getvalue()))
    except Exception:
        return None
    return buffer.getvalue()


def _mobile(module):
    """A module as a mobile archive without source; None where PyTorch has no bytecode of it."""
    try:
        records = hostile_archives.records_of(module._save_to_buffer_for_lite_interpreter())
    except RuntimeError:
        return None
    return hostile_archives.packed({n: data for n, data in records.items() if "/code/" not in n})


WITHOUT_BYTECODE = {"attributes"}
"""It holds a member of an enum, whose class mobile archives do not tell."""


class Way(Enum):
    UP = 1
    DOWN = 2


class Turns(torch.nn.Module):
    def forward(self, x, number: int):
        way = Way.UP if number > 0 else Way.DOWN
        return x + way.value


@pytest.mark.filterwarnings("ignore")
def test_bytecode_that_only_names_an_enum_is_refused():
    data = _mobile(torch.jit.script(Turns()))
    assert data is not None
    with pytest.raises(ts.ArchiveError, match=r"a member of __torch__.*Way: .*the source alone"):
        ts.load(io.BytesIO(data)).forward(torch.ones(2), 1)


@pytest.mark.filterwarnings("ignore")
def test_empty_lists_in_bytecode_have_their_type():
    """The stride that a pooling layer leaves out is a constant list of ints."""
    module = torch.jit.script(torch.nn.LPPool2d(2, 2))
    x = torch.rand(1, 2, 4, 4)
    written = _mobile(module)
    assert written is not None
    torch.testing.assert_close(torch.from_dlpack(ts.load(written)(x)), module(x))


@pytest.mark.parametrize("name", archives.names() if IS_LONG else archives.names()[::9])
@pytest.mark.filterwarnings("ignore")
def test_bytecode_is_read(name):
    """What PyTorch makes of an archive for mobile devices, less its source, gives what the archive gives."""
    data = _mobile(torch.jit.load(archives.FOLDER / f"{name}.pt"))
    if data is None or name in WITHOUT_BYTECODE:
        return
    theirs = archives.golden(name)
    with ts.optimized_execution(False):
        for (method, args), turns in zip(
            archives.arguments_of(theirs), theirs["calls"], strict=True
        ):
            module = ts.load(data)
            case = corpus.Case(args, {}, method)
            for turn in turns:
                found = corpus.call(
                    getattr(module, method), case, agreement.to_argument, agreement.to_numpy
                )
                assert corpus.call_difference(found, turn) is None


@pytest.mark.parametrize(
    "name", sorted({*NAMES, "quantized", "quantized_lstm"} - {"shared", "function"})
)
@pytest.mark.filterwarnings("ignore")
def test_python_source_runs_in_pytorch(name):
    path = archives.FOLDER / f"{name}.pt"
    source = module_source(ts.load(path))
    with torch.no_grad():
        convert = (to_argument, to_numpy)
        assert archives.source_differences(path, source, torch, torch.jit.load, convert) == []


SOURCE = """
from {torch} import nn


class Fails(nn.Module):
    def forward(self, x, n: int):
        y = x + 1
        if n > 1:
            raise RuntimeError("bad")
        return y.view(7)
"""


@pytest.mark.parametrize(("n", "line"), [(0, 10), (2, 9)])
@pytest.mark.parametrize("library", ["torch", "torchscript_dialect.torch"])
def test_errors_of_what_we_saved_name_the_line_of_the_original_source(library, n, line, tmp_path):
    """A module scripted here, or saved by PyTorch and saved again here: both libraries tell where its author wrote what failed."""
    path = tmp_path / "fails.py"
    path.write_text(SOURCE.format(torch=library))
    spec = importlib.util.spec_from_file_location("fails", path)
    assert spec is not None and spec.loader is not None
    source = importlib.util.module_from_spec(spec)
    sys.modules["fails"] = source  # where `inspect` looks for the source of classes
    try:
        spec.loader.exec_module(source)
        buffer = io.BytesIO()
        if library == "torch":
            torch.jit.save(torch.jit.script(source.Fails()), buffer)
            module = ts.load(io.BytesIO(buffer.getvalue()))
        else:
            module = ts.script(source.Fails())
        data = save_to_buffer(module)
    finally:
        del sys.modules["fails"]
    place = f'File "{path}", line {line}, in '
    with pytest.raises(RuntimeError, match=re.escape(place)):
        ts.load(data)(np.ones(2, np.float32), n)
    with pytest.raises(
        (RuntimeError, torch.jit.Error), match=f"(?s)original code.*{re.escape(place)}"
    ):
        torch.jit.load(io.BytesIO(data))(torch.ones(2), n)


NOT_IN_FLATBUFFERS = {"attributes", "forked"}
"""PyTorch has no bytecode of members of enums and of forked calls."""


@pytest.mark.parametrize("name", archives.names() if IS_LONG else archives.names()[5::14])
@pytest.mark.filterwarnings("ignore")
def test_archives_in_flatbuffers_are_read(name, tmp_path):
    """What PyTorch writes of an archive in FlatBuffers gives what the archive gives, from its source and from its bytecode."""
    if name in NOT_IN_FLATBUFFERS:
        return
    path = tmp_path / "flat.ptl"
    module = torch.jit.load(archives.FOLDER / f"{name}.pt")
    torch.jit.save_jit_module_to_flatbuffer(module, str(path))
    theirs = archives.golden(name)
    for data in (path.read_bytes(), without_sources(path.read_bytes())):
        for (method, args), turns in zip(
            archives.arguments_of(theirs), theirs["calls"], strict=True
        ):
            loaded = ts.load(data)
            for turn in turns:
                case = corpus.Case(args, {}, method)
                found = corpus.call(
                    getattr(loaded, method), case, agreement.to_argument, agreement.to_numpy
                )
                assert corpus.call_difference(found, turn) is None


class Sharing(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = torch.nn.Parameter(torch.arange(12.0).view(4, 3))
        self.row = torch.nn.Parameter(self.rows.data[2])
        self.register_buffer("column", self.rows.data[:, 1])

    def forward(self, x):
        return x + self.row


def test_parts_of_tensors_of_pytorch_stay_parts():
    """Those that begin behind the first element were saved as memory of their own."""
    file = io.BytesIO()
    ts.save(ts.script(Sharing()), file)
    file.seek(0)
    loaded = torch.jit.load(file)
    with torch.no_grad():
        loaded.rows.zero_()
    assert loaded.row.tolist() == [0.0] * 3
    assert loaded.column.tolist() == [0.0] * 4
