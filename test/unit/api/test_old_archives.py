"""Archives that versions 1.0 to 2.12 of PyTorch wrote (tools/regenerate_old_archives.py): they load, and give what that version gave.

PyTorch itself refuses those of 1.0 to 1.2, and calls of operators that it took away since.
"""

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

import torchscript_dialect as ts
from support import old_archives as old

CASES = [(version, name) for version in old.VERSIONS for name in old.expected(version)]

pytestmark = [
    pytest.mark.usefixtures("without_gradients"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]


@pytest.mark.parametrize(("version", "name"), CASES)
def test_old_archives_give_what_they_gave(version: str, name: str) -> None:
    case = old.expected(version)[name]
    wanted = old.decoded(case["result"], lambda array: array)
    module = ts.load(old.path_of(version, name))
    keeps = name != "attributes"  # which appends to a list of its own
    for _ in range(3 if keeps else 1):
        old.assert_same(module(*old.decoded(case["arguments"], ts.torch.from_numpy)), wanted)


def changed(record: str, make: Callable[[bytes], bytes | None]) -> bytes:
    """The archive of a tree of modules with another record, or without it."""
    written = io.BytesIO()
    with (
        zipfile.ZipFile(old.path_of("pytorch_1.1.0", "tree")) as archive,
        zipfile.ZipFile(written, "w") as new,
    ):
        for name in archive.namelist():
            data = archive.read(name)
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
    assert len(old.VERSIONS) == 11
    assert all(len(old.expected(version)) > 11 for version in old.VERSIONS)
