"""Archives that PyTorch wrote: what they load to, and what that gives."""

import io
import zipfile
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support import agreement, archives
from support import hostile_archives as hostile
from support.amounts import IS_LONG
from torchscript_dialect.serialization.archive.debug_info import debug_pickle
from torchscript_dialect.utils.source_range import OriginalRange

pytestmark = pytest.mark.usefixtures("without_gradients")


@pytest.mark.parametrize("name", archives.names())
@pytest.mark.parametrize("optimized", [False, *([True] if IS_LONG else [])])
def test_modules_are_what_pytorch_loads(name, optimized):
    theirs = archives.golden(name)
    path = archives.FOLDER / f"{name}.pt"
    with ts.optimized_execution(optimized):
        ours = archives.record_of(
            lambda: ts.load(path),
            archives.arguments_of(theirs),
            agreement.to_argument,
            agreement.to_numpy,
        )
    assert archives.differences(ours, theirs) == []


@pytest.mark.parametrize("name", ["attributes", "net", "forked", "hooked"])
def test_optimized_calls_give_the_same(name):
    theirs = archives.golden(name)
    ours = archives.record_of(
        lambda: ts.load(archives.FOLDER / f"{name}.pt"),
        archives.arguments_of(theirs),
        agreement.to_argument,
        agreement.to_numpy,
    )
    assert archives.differences(ours, theirs) == []


def test_archives_come_from_files_bytes_and_streams():
    path = archives.FOLDER / "linear.pt"
    data = path.read_bytes()
    weights = [ts.load(each).weight for each in (path, str(path), data, io.BytesIO(data))]
    assert len({tuple(weight.detach().numpy().ravel()) for weight in weights}) == 1


def test_writing_to_a_loaded_weight_leaves_the_file():
    path = archives.FOLDER / "linear.pt"
    before = path.read_bytes()
    ts.load(path).weight.data.numpy()[:] = 7
    assert path.read_bytes() == before


def test_extra_files_are_filled_in():
    extra: dict[str, Any] = {"expected.json": "", "nothing": ""}
    ts.load(archives.FOLDER / "linear.pt", _extra_files=extra)
    assert extra["nothing"] == b""
    assert b'"texts"' in extra["expected.json"]


def test_tensors_that_share_memory_share_it_when_loaded():
    module = ts.load(archives.FOLDER / "shared.pt")
    assert module.one.weight is module.two.weight
    module.row.numpy()[:] = 5
    assert (module.base.numpy()[1] == 5).all()
    assert module.turned.stride() == (1, 4)
    assert module.spread.stride() == (0,)
    assert module.empty.shape == (0, 4)


def test_methods_are_compiled_when_they_are_first_used():
    module = ts.load(archives.FOLDER / "attributes.pt")
    _, unit = module.__torchscript_definition__
    assert not list(unit.module_op.body.ops)
    assert module.make_pair(module.tensors[0]).second == 2**40
    (compiled,) = unit.module_op.body.ops
    assert compiled.sym_name.data.endswith("Attributes.make_pair")


def _archive(body, version, signature="x: Tensor"):
    """An archive of one method, as an older PyTorch wrote it."""
    code = (
        "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n  x : Tensor\n"
        f"  def forward(self: __torch__.M,\n    {signature}) -> Tensor:\n    return {body}\n"
    )
    return hostile.packed(
        hostile.small(**{"code/__torch__.py": code.encode(), "version": version.encode()})
    )


@pytest.mark.parametrize(
    ("version", "body", "expected"),
    [
        ("3", "torch.div(x, 2)", [-1, 0, 1]),
        ("4", "torch.div(x, 2)", [-1.5, 0.5, 1.5]),
        ("3", "torch.div(x, 2.)", [-1.5, 0.5, 1.5]),
        ("3", "torch.div(x, x)", [1, 1, 1]),
        ("3", "torch.div_(torch.add(x, 0), 2)", [-1, 0, 1]),
        ("3", "torch.mul(x, torch.div(3, 2))", [-4.5, 1.5, 4.5]),
        ("4", "torch.full([2], 3)", [3.0, 3.0]),
        ("5", "torch.full([2], 3)", [3, 3]),
        ("1", "torch.full([2], 3, dtype=4)", [3, 3]),
        ("7", "torch.slice(torch.linspace(0., 99., None), 0, 98)", [98.0, 99.0]),
        ("8", "torch.linspace(0., 1., 2)", [0.0, 1.0]),
        ("8", "torch.slice(torch.logspace(0., 99., None), 0, 0, 2)", [1.0, 10.0]),
        ("9", "torch.gelu(torch.zeros([2]))", [0.0, 0.0]),
    ],
)
def test_operators_mean_what_they_did_when_the_archive_was_written(version, body, expected):
    result = ts.load(_archive(body, version))(np.array([-3, 1, 3]))
    assert result.tolist() == expected
    assert result.is_floating_point() == isinstance(expected[0], float)


def test_places_are_those_of_the_original_source():
    """What PyTorch shows for the same archive; a node without one there has its place in the archive's code."""
    graph = ts.load(archives.FOLDER / "control_flow.pt").graph
    places = {node.kind(): node.sourceRange().rpartition("/")[2] for node in graph.nodes()}
    assert places["aten::zeros_like"] == "archive_modules.py:245:16"
    assert places["prim::Loop"] == "archive_modules.py:252:8"
    assert places["prim::If"] == "archive_modules.py:257:8"
    (made, *_) = [node for node in graph.nodes() if node.kind() == "aten::gt"]
    assert made.sourceRange().startswith("code/__torch__/samples/archive_modules.py:")


def test_a_trace_shows_where_operators_were_called():
    graph = ts.load(archives.FOLDER / "mixed.pt").graph
    (add,) = [node for node in graph.nodes() if node.kind() == "aten::add"]
    assert add.sourceRange().endswith("test/samples/archive_modules.py:409:0")


def test_errors_tell_the_line_of_the_original_source():
    module = ts.load(archives.FOLDER / "control_flow.pt")
    with pytest.raises(
        RuntimeError, match=r'(?s)archive_modules.py", line 256, in .*too many'
    ) as told:
        module(np.ones((2, 4), np.float32), 200)
    assert 'raise ValueError("too many")\n                ~ <--- HERE' in str(told.value)


def test_files_that_archives_name_as_places_are_not_read(tmp_path):
    secret = tmp_path / "secret.py"
    secret.write_text("password\n" * 9)
    pickled = debug_pickle([(0, OriginalRange("\033[2J", str(secret), 2, 0, 1))])
    module = ts.load(_with_places(places=pickled, archive="control_flow.pt"))
    with pytest.raises(RuntimeError, match=r'secret.py", line 2') as told:
        module(np.ones((2, 4), np.float32), 200)
    assert "password" not in str(told.value) and "\033" not in str(told.value)


def _with_places(archive="calls.pt", **changes):
    path = archives.FOLDER / archive
    with zipfile.ZipFile(path) as file:
        records = {name: file.read(name) for name in file.namelist()}
    for name in list(records):
        if name.endswith(".debug_pkl"):
            records |= {name: changes["places"]} if changes["places"] is not None else {}
            if changes["places"] is None:
                del records[name]
    return hostile.packed(records)


@pytest.mark.parametrize(
    "places",
    [
        None,
        b"",
        b"\x80\x02).",
        b"\x80\x02K\x01.",
        b"\x80\x02cos\nsystem\n.",
        b"\x80\x02K\x00)K\x00\x87\x85.",
        b"\x80\x02N\x85.",
    ],
)
def test_without_original_places_those_in_the_code_are_shown(places):
    nodes = ts.load(_with_places(places=places)).graph.nodes()
    (node, *_) = [node for node in nodes if node.kind() == "aten::add"]
    assert node.sourceRange().startswith("code/__torch__/samples/archive_modules.py:")


@pytest.mark.parametrize(
    "use",
    [
        lambda m: m(np.ones(1)),
        lambda m: m.x,
        lambda m: m.state_dict(),
        lambda m: m.save_to_buffer(),
    ],
)
def test_a_damaged_large_weight_is_found_before_it_is_used(use):
    weight = bytes(1 << 18)
    code = "class M(Module):\n  __parameters__ = []\n  __buffers__ = ['x']\n  x : Tensor\n  def forward(self: __torch__.M, y: Tensor) -> Tensor:\n    return torch.add(self.x, y)\n"
    data = bytearray(
        hostile.packed(
            hostile.small(
                **{
                    "data/0": weight,
                    "data.pkl": hostile.module_of(hostile.tensor(0, (2,), (1,), 1 << 16)),
                    "code/__torch__.py": code.encode(),
                }
            )
        )
    )
    data[data.index(weight) + 1000] ^= 1
    module = ts.load(bytes(data))
    for _ in range(2):
        with pytest.raises(ts.ArchiveError, match=r"record 'data/0'.*checksum is wrong"):
            use(module)
