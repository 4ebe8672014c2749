"""Archives that versions 1.0 to 1.10 of PyTorch wrote (tools/regenerate_old_archives.py): they load, and give what that version gave.

PyTorch itself refuses those of 1.0 to 1.2, and calls of operators that it took away since.
"""

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.archives import FOLDER

VERSIONS = sorted(FOLDER.glob("pytorch_*"))
EXPECTED = {path.name: json.loads((path / "expected.json").read_text()) for path in VERSIONS}
CASES = [(version, name) for version, programs in EXPECTED.items() for name in programs]

pytestmark = [
    pytest.mark.usefixtures("without_gradients"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]


def decoded(value: Any) -> Any:
    if isinstance(value, dict) and "dtype" in value:
        return np.array(value["values"], value["dtype"]).reshape(value["shape"])
    if isinstance(value, dict):
        return tuple(map(decoded, value["tuple"]))
    return list(map(decoded, value)) if isinstance(value, list) else value


def assert_same(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, np.ndarray):
        found = ours.numpy()
        assert (found.dtype, found.shape) == (theirs.dtype, theirs.shape)
        np.testing.assert_allclose(found, theirs, rtol=1e-4, atol=1e-5)
    elif isinstance(theirs, (list, tuple)):
        assert isinstance(ours, type(theirs)) and len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            assert_same(one, other)
    else:
        assert type(ours) is type(theirs)
        assert ours == pytest.approx(theirs) if isinstance(theirs, float) else ours == theirs


def path_of(version: str, name: str) -> Path:
    return FOLDER / version / f"{name}.pt"


@pytest.mark.parametrize(("version", "name"), CASES)
def test_old_archives_give_what_they_gave(version: str, name: str) -> None:
    case = EXPECTED[version][name]
    theirs = decoded(case["result"])
    module = ts.load(path_of(version, name))
    keeps = name != "attributes"  # which appends to a list of its own
    for _ in range(3 if keeps else 1):
        given = [
            ts.torch.from_numpy(x) if isinstance(x, np.ndarray) else x
            for x in map(decoded, case["arguments"])
        ]
        assert_same(module(*given), theirs)


def changed(record: str, make: Callable[[bytes], bytes | None]) -> bytes:
    """The archive of a tree of modules with another record, or without it."""
    written = io.BytesIO()
    with (
        zipfile.ZipFile(path_of("pytorch_1.1.0", "tree")) as old,
        zipfile.ZipFile(written, "w") as new,
    ):
        for name in old.namelist():
            data = old.read(name)
            found = make(data) if name.partition("/")[2] == record else data
            if found is not None:
                new.writestr(name, found)
    return written.getvalue()


def edited(edit: Callable[[dict[str, Any]], Any]) -> bytes:
    def make(data: bytes) -> bytes:
        model = json.loads(data)
        edit(model)
        return json.dumps(model).encode()

    return changed("model.json", make)


def tensor(**fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda model: model["tensors"][0].update(fields)


DAMAGED = {
    "no JSON": changed("model.json", lambda data: data[:-5]),
    "two of one name": changed("model.json", lambda data: b'{"tensors": [], ' + data[1:]),
    "nested": changed("model.json", lambda _: b"[" * 100_000),
    "no object": changed("model.json", lambda _: b"[]"),
    "no module": edited(lambda model: model.pop("mainModule")),
    "no name": edited(lambda model: model["mainModule"].pop("name")),
    "another name": edited(lambda model: model["mainModule"].update(name="a b")),
    "no record": edited(tensor(data={"key": "tensors/99"})),
    "no tensor": edited(lambda model: model.update(tensors=[])),
    "unknown elements": edited(tensor(dataType="STRING")),
    "too many elements": edited(tensor(dims=["1000", "1000"])),
    "beyond": edited(tensor(offset="1000000000000")),
    "negative": edited(tensor(dims=["-1", "4"])),
    "no numbers": edited(tensor(dims=["x"])),
    "another device": edited(tensor(device="cuda:0")),
    "a type that is none": edited(
        lambda model: model["mainModule"].update(
            attributes=[{"type": "No", "name": "n", "id": "0"}]
        )
    ),
    "a type of several lines": edited(
        lambda model: model["mainModule"].update(
            attributes=[{"type": "int\n  def f(self): pass", "name": "n", "id": "0"}]
        )
    ),
    "no attribute": edited(
        lambda model: model["mainModule"].update(
            attributes=[{"type": "int", "name": "n", "id": "7"}]
        )
    ),
    "no method": changed("code/tree.py", lambda _: b"op_version_set = 0\nx = 1\n"),
    "no source": changed("code/tree.py", lambda _: None),
}


@pytest.mark.parametrize("what", DAMAGED)
def test_a_damaged_description_is_an_error(what: str) -> None:
    with pytest.raises(ts.TorchScriptError):
        ts.load(DAMAGED[what])(ts.torch.ones(3, 4))


def test_every_version_has_its_archives() -> None:
    assert len(EXPECTED) == 8
    assert all(len(programs) > 20 for programs in EXPECTED.values())
