"""`torch.save` and `torch.load` of the stand-in: files that PyTorch wrote, and files that it would refuse.

Point 1 of docs/testing.md.
"""

import io
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
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


def edited(file: io.BytesIO, old: bytes, new: bytes) -> io.BytesIO:
    """A file with something else in its pickle."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(file) as archive, zipfile.ZipFile(buffer, "w") as result:
        for name in archive.namelist():
            data = archive.read(name)
            result.writestr(name, data.replace(old, new) if name.endswith("data.pkl") else data)
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


def test_sparse_tensors_stay_coalesced() -> None:
    loaded = torch.load(saved.FOLDER / "sparse.pt")[0]
    assert loaded.is_coalesced() and torch.load(written(loaded)).is_coalesced()
    indices = torch.tensor([[1, 0, 0], [0, 0, 1]])
    for order, ascends in (([0, 1, 2], False), ([1, 2, 0], True), ([1, 1, 0], False)):
        tensor = torch.sparse_coo_tensor(indices[:, order], torch.ones(3), (2, 2))
        file = edited(written(tensor), b"\x89t", b"\x88t")
        if ascends:
            assert torch.load(file).is_coalesced()
        else:
            with pytest.raises(ArchiveError, match="indices of a coalesced tensor do not ascend"):
                torch.load(file)


def test_state_of_a_model() -> None:
    model = torch.nn.BatchNorm1d(2)
    state = torch.load(saved.FOLDER / "state_dict.pt", map_location=lambda storage, name: storage)
    assert state._metadata == {"": {"version": 2}}
    assert str(model.load_state_dict(state)) == "<All keys matched successfully>"
    parameter = torch.load(written(torch.nn.Parameter(torch.ones(2), requires_grad=False)))
    assert isinstance(parameter, torch.nn.Parameter) and not parameter.requires_grad


def test_locations_that_a_function_gives() -> None:
    restore = torch.serialization.default_restore_location
    path = saved.FOLDER / "state_dict.pt"
    found = [
        torch.load(path, map_location=to)
        for to in (restore, lambda storage, _: restore(storage, "cpu"), "cpu")
    ]
    assert len({str(one) for one in found}) == 1
    with pytest.raises(RuntimeError, match="don't know how to restore data location"):
        torch.load(path, map_location=lambda storage, _: restore(storage, "tpu"))


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
        self.call: tuple[Any, ...] = (function, args)

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


NUMPY = [
    *(np.float64(2.5), np.int32(-3), np.bool_(True), np.complex64(1 - 2j), np.float16(0.5)),
    *(np.arange(6.0).reshape(2, 3), np.arange(6).reshape(2, 3).T, np.zeros((0, 3), np.uint8)),
    np.array(1.5),
]


@pytest.mark.parametrize("number", range(len(NUMPY)))
@pytest.mark.parametrize("home", ["numpy._core", "numpy.core"])
def test_arrays_and_numbers_of_numpy(number: int, home: str) -> None:
    data = pickle.dumps({"x": NUMPY[number], "y": [NUMPY[number]]}, protocol=2)
    data = data.replace(b"cnumpy._core.", b"c" + home.encode() + b".")
    loaded = torch.load(with_pickle(data))
    assert type(loaded["x"]) is type(NUMPY[number])
    assert loaded["x"].dtype == NUMPY[number].dtype and loaded["x"].shape == NUMPY[number].shape
    assert np.array_equal(loaded["x"], NUMPY[number]) and loaded["x"] is loaded["y"][0]


def state_of_an_array(*state: Any) -> Calls:
    """An array that a pickle gives a state."""
    made = Calls(np.empty(0, np.int8).__reduce__()[0], np.ndarray, (0,), b"b")
    made.call = (*made.call, state)
    return made


@pytest.mark.parametrize(
    "value",
    [
        np.array([print, None], object),
        np.array(["text"]),
        np.array([(1, 2)], "i4,i4"),
        np.array(["2020-01-01"], "datetime64[D]"),
        Calls(np.ndarray, (1 << 40,)),
        state_of_an_array(1, (1 << 62, 4), np.dtype("f8"), False, b"12345678"),
        state_of_an_array(1, (2,), np.dtype("f8"), False, b"12345678"),
        state_of_an_array(1, (-1,), np.dtype("f8"), False, b""),
        state_of_an_array(1, (1,), np.dtype("O"), False, [print]),
        state_of_an_array("1"),
        Calls(np.float64(1).__reduce__()[0], np.dtype("f8"), b"1234"),
    ],
)
def test_what_is_no_number_of_numpy(value: Any) -> None:
    with pytest.raises(ArchiveError):
        torch.load(with_pickle(pickle.dumps(value, protocol=2)), weights_only=False)


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


def test_storages_are_those_of_tensors() -> None:
    storage = b"(X\7\0\0\0storagectorch\nFloatStorage\nX\1\0\0\0aX\3\0\0\0cpuK\2tQ"
    file = with_pickle(b"\x80\2" + storage + b".")
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr("archive/data/a", np.array([1, 2], np.float32).tobytes())
    file.seek(0)
    found = torch.load(file)
    assert isinstance(found, torch.TypedStorage) and found.tolist() == [1, 2]


@pytest.mark.parametrize("name", ["float32", "bfloat16", "int64", "bool", "complex64"])
def test_storages_are_saved_and_shared(name: str) -> None:
    tensor = torch.arange(4).to(getattr(torch, name))
    storage, part = tensor.storage(), tensor[1:3]
    found, again, view = torch.load(written([storage, storage, part]))
    assert found.dtype == tensor.dtype and len(found) == 4 and found.tolist() == tensor.tolist()
    assert found.data_ptr() == again.data_ptr() == view.untyped_storage().data_ptr()
    assert view.equal(part)


def test_attributes_that_programs_gave_to_tensors_are_theirs_again() -> None:
    assert torch.load(saved.FOLDER / "buffer.pt").persistent
    plain, parameter = torch.ones(2), torch.nn.Parameter(torch.ones(2))
    small, few = torch.ones(2).to(torch.float8_e5m2), torch.eye(2).to_sparse()
    for tensor in (plain, parameter, small, few):
        tensor.tag, tensor.beside = {"axes": [1, 2]}, plain.detach()
    for tensor in (plain, parameter, small, few):
        found = torch.load(written(tensor))
        assert found.tag == {"axes": [1, 2]} and found.beside.equal(torch.ones(2))
        assert found.dtype == tensor.dtype and found.layout == tensor.layout
        assert isinstance(found, torch.nn.Parameter) == (tensor is parameter)
    plain.beside = plain
    with pytest.raises(RuntimeError, match="nested too deeply, or holds itself"):
        written(plain)
    plain.beside = object()
    with pytest.raises(RuntimeError, match=r"\.beside is a object: only tensors and plain data"):
        written(plain)


@pytest.mark.parametrize("name", [b"data", b"shape", b"__class__"])
def test_attributes_of_files_hide_nothing_that_tensors_have(name: bytes) -> None:
    tensor = torch.ones(2)
    tensor.tag = 1
    text = b"X" + len(name).to_bytes(4, "little") + name
    with pytest.raises(ArchiveError, match="cannot be given the attribute"):
        torch.load(edited(written(tensor), b"X\3\0\0\0tag", text))


def test_a_file_that_is_open_can_be_read_by_its_name(tmp_path: Path) -> None:
    with (tmp_path / "open.pt").open("wb") as file:
        torch.save(torch.ones(2), file)
        assert torch.load(file.name).tolist() == [1, 1]


def legacy(keys: bytes = b"(U\x01kU\x01ve", count: int = 2) -> bytes:
    """A file from before ZIP files, by Python 2: a state of one row `w` of a matrix in the storage `k`, and of a part `v` of another."""
    name = b"ctorch._utils\n_rebuild_tensor\n(("
    tensor = (
        name
        + b"U\x07storagectorch\nFloatStorage\nU\x01kU\x06cuda:0K\x04NtQK\x02K\x02\x85K\x01\x85tR"
    )
    part = (
        name
        + b"U\x07storagectorch\nLongStorage\nU\x01vU\x03cpuK\x02(U\x01pK\x01K\x01ttQK\x00K\x01\x85K\x01\x85tR"
    )
    pickles = (
        b"\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19",
        b"M\xe9\x03",
        b"}U\rlittle_endian\x88s",
        b"ccollections\nOrderedDict\n]\x85R(U\x01w" + tensor + b"U\x01v" + part + b"u",
        b"]" + keys,
    )
    storages = (np.arange(4, dtype="<f4"), np.array([7, 8], "<i8"))
    counts = (4).to_bytes(8, "little"), count.to_bytes(8, "little")
    memory = (size + one.tobytes() for size, one in zip(counts, storages, strict=True))
    return b"".join(b"\x80\x02" + one + b"." for one in pickles) + b"".join(memory)


def test_files_from_before_zip_files() -> None:
    state = torch.load(legacy(), map_location="cpu")
    assert list(state) == ["w", "v"]
    assert state["w"].tolist() == [2, 3] and state["v"].tolist() == [8]
    assert state["w"].dtype == torch.float32 and state["v"].dtype == torch.int64
    with pytest.raises(ArchiveError, match="a tensor is on the device 'cuda:0'"):
        torch.load(legacy())


@pytest.mark.parametrize(
    "data, message",
    [
        (legacy(keys=b"(U\x01kU\x01we"), "no tensor has the storage 'w'"),
        (legacy(keys=b"U\x01ka"), "are not those of its tensors"),
        (legacy(count=3), "'v' reaches beyond the end"),
        (legacy(count=1), "it has 8 bytes, and 2 elements of int64 are 16"),
        (legacy().replace(b"K\x04NtQ", b"M\xff\xffNtQ"), "65535 elements of float32 are 262140"),
        (legacy().replace(b"K\x01K\x01ttQ", b"K\x01K\x02ttQ"), "a part of a storage is not inside"),
        (legacy().replace(b"ctorch\nLong", b"cposix\nLong"), "posix.LongStorage is none"),
    ],
)
def test_damaged_files_from_before_zip_files(data: bytes, message: str) -> None:
    with pytest.raises(ArchiveError, match=message):
        torch.load(data, map_location="cpu")


def test_files_from_before_zip_files_that_end_too_early() -> None:
    data = legacy()
    for end in range(len(data)):
        with pytest.raises(ArchiveError):
            torch.load(data[:end], map_location="cpu")
