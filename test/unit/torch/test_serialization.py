"""`torch.save` and `torch.load` of the stand-in: files that PyTorch wrote, and files that it would refuse.

Point 1 of docs/testing.md.
"""

import io
import pickle
import zipfile
from pathlib import Path
from typing import Any

import pytest

import torchscript_dialect as ts
from support import saved
from torchscript_dialect import torch
from torchscript_dialect.serialization.archive.errors import ArchiveError

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

NAMES = list(saved.values(torch))


def written(value: Any) -> io.BytesIO:
    buffer = io.BytesIO()
    torch.save(value, buffer)
    buffer.seek(0)
    return buffer


@pytest.mark.parametrize("name", NAMES)
def test_files_of_pytorch(name: str) -> None:
    found, wanted = torch.load(saved.FOLDER / f"{name}.pt"), saved.values(torch)[name]
    assert type(found) is type(wanted)
    assert repr(found) == repr(wanted)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_saved_is_loaded(name: str) -> None:
    wanted = saved.values(torch)[name]
    found = torch.load(written(wanted))
    assert type(found) is type(wanted)
    assert repr(found) == repr(wanted)


def test_tensors_that_share_memory_share_it_afterwards(tmp_path: Path) -> None:
    torch.save(saved.values(torch)["views"], tmp_path / "views.pt")
    for path in (tmp_path / "views.pt", saved.FOLDER / "views.pt"):
        whole, row, turned, _ = torch.load(path)
        row.fill_(9.0)
        assert whole.tolist() == [[0, 1, 2], [9, 9, 9]] and turned.tolist()[0] == [0, 9]
    assert torch.load(path)[0].tolist()[1] == [3, 4, 5]


def test_state_of_a_model() -> None:
    model = torch.nn.BatchNorm1d(2)
    state = torch.load(saved.FOLDER / "state_dict.pt", map_location=lambda storage, name: storage)
    assert state._metadata == {"": {"version": 2}}
    assert str(model.load_state_dict(state)) == "<All keys matched successfully>"
    parameter = torch.load(written(torch.nn.Parameter(torch.ones(2), requires_grad=False)))
    assert isinstance(parameter, torch.nn.Parameter) and not parameter.requires_grad


class Own:
    pass


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Own(), r"\['x'\] is a Own: only tensors and plain data can be saved"),
        (torch.nn.ReLU(), r"\['x'\] is a ReLU: only tensors and plain data"),
        ({(1, 2): 3}, r"a key of \['x'\] is a tuple"),
        (2**70, "a number of more than 64 bits"),
    ],
)
def test_what_cannot_be_saved(value: Any, message: str) -> None:
    with pytest.raises(ts.TorchScriptError, match=message):
        torch.save({"x": value}, io.BytesIO())


def test_a_list_that_holds_itself() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(ts.TorchScriptError, match="nested too deeply, or holds itself"):
        torch.save(value, io.BytesIO())


def with_pickle(data: bytes) -> io.BytesIO:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("archive/data.pkl", data)
        archive.writestr("archive/version", b"3\n")
    buffer.seek(0)
    return buffer


class Calls:
    def __init__(self, function: Any, *args: Any) -> None:
        self.call = (function, args)

    def __reduce__(self) -> Any:
        return self.call


REFUSED = [
    Calls(eval, "1"),
    Calls(getattr, 1, "real"),
    Calls(print, "x"),
    Calls(bytearray, 10),
    Calls(Path, "/etc/passwd"),
    Calls(torch.nn.Linear, 1, 1),
    Own(),
    Own,
    len,
]


@pytest.mark.parametrize("weights_only", [None, True, False])
@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_nothing_is_called_that_a_file_names(number: int, weights_only: bool | None) -> None:
    data = pickle.dumps(REFUSED[number], protocol=2)
    with pytest.raises(ArchiveError, match=r"the name .* is none"):
        torch.load(with_pickle(data), weights_only=weights_only)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"\x80\x02ccollections\nOrderedDict\nK\x01\x85R.", "made empty, or of pairs"),
        (b"\x80\x02c__builtin__\nset\n]]a\x85R.", "a key of a dictionary is a list"),
        (b"\x80\x02c_codecs\nencode\nX\x02\0\0\0\xc4\x80X\x06\0\0\0latin1\x86R.", "each letter"),
        (b"\x80\x02ctorch\nSize\nX\x01\0\0\0a\x85R.", "a Size is made of numbers"),
        (b"\x80\x02c__torch__\nM\n)\x81.", "none of plain data"),
        (b"\x80\x02]K\x01}b.", "gives a state to what takes none"),
        (b"\x80\x02ctorch._utils\n_rebuild_tensor_v3\n)R.", "arguments that misfit"),
        (b"\x80\x02ctorch._utils\n_rebuild_tensor_v2\n)R.", "arguments that misfit"),
        (b"\x80\x02cos\nsystem\n.", "the name os.system is none"),
    ],
)
def test_pickles_that_are_wrong(data: bytes, message: str) -> None:
    with pytest.raises(ArchiveError, match=message):
        torch.load(with_pickle(data))


def test_files_that_are_damaged() -> None:
    """Each bit that is wrong is found, but for those that mean nothing: alignment, and times."""
    content = bytearray(written({"a": torch.arange(4.0), "b": [1, "x"]}).getvalue())
    wanted = repr(torch.load(io.BytesIO(content)))
    refused = 0
    for place in range(0, len(content), 7):
        content[place] ^= 0x10
        try:
            assert repr(torch.load(io.BytesIO(content))) == wanted
        except ArchiveError:
            refused += 1
        content[place] ^= 0x10
    assert refused > 50


def test_programs_are_no_plain_data() -> None:
    program = io.BytesIO()
    ts.save(ts.script(torch.nn.ReLU()), program)
    with pytest.raises(RuntimeError, match=r"Use torch\.jit\.load"):
        torch.load(io.BytesIO(program.getvalue()))
    loaded = torch.load(io.BytesIO(program.getvalue()), weights_only=False)
    assert loaded(torch.tensor([-1.0, 2.0])).tolist() == [0, 2]
    with pytest.raises(ArchiveError, match="no constants"):
        ts.load(saved.FOLDER / "plain.pt")


def test_quantized_elements_without_a_scale() -> None:
    """They were a tensor whose text was that of NumPy's records."""
    storage = b"(X\7\0\0\0storagectorch\nQUInt8Storage\nX\1\0\0\0aX\3\0\0\0cpuK\4tQ"
    of_tensor = b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage
    data = b"\x80\2" + of_tensor + b"K\0(K\4t(K\1t\x89ccollections\nOrderedDict\n)RtR."
    file = with_pickle(data)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("archive/data/a", b"\1\2\3\4")
    file.seek(0)
    with pytest.raises(ArchiveError, match="a tensor of quint8 has no scale"):
        torch.load(file)
