"""Sparse tensors in archives: modules hold them as buffers; PyTorch reads what is written here, and the other way around."""

import io
from typing import Any

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch as stand_in
from torchscript_dialect.serialization.archive.pickle_machine import PickleError
from torchscript_dialect.serialization.archive.sparse_tensors import rebuild

SOURCE = "def product(self, x):\n    return self.matrix.mm(x)\n"


def _matrix(of: Any, layout: str) -> Any:
    """[[0, 0, 3], [4, 0, 5]]."""
    made = of.sparse_coo_tensor(
        of.tensor([[0, 1, 1], [2, 0, 2]]), of.tensor([3.0, 4.0, 5.0]), (2, 3)
    )
    return made if layout == "coo" else made.coalesce().to_sparse_csr()


def _module(of: Any, layout: str) -> Any:
    module = type(f"Holds{layout}", (of.nn.Module,), {})()
    module.register_buffer("matrix", _matrix(of, layout))
    scripted = of.jit.script(module)
    scripted.define(SOURCE)
    return scripted


def _saved(of: Any, module: Any) -> io.BytesIO:
    file = io.BytesIO()
    of.jit.save(module, file)
    file.seek(0)
    return file


@pytest.mark.parametrize("layout", ["coo", "csr"])
def test_written_and_read(layout: str) -> None:
    loaded = ts.load(_saved(stand_in, _module(stand_in, layout)))
    assert str(loaded.matrix.layout) == f"torch.sparse_{layout}"
    assert loaded.matrix.to_dense().tolist() == [[0, 0, 3], [4, 0, 5]]
    assert loaded.product(stand_in.ones(3, 2)).tolist() == [[3, 3], [9, 9]]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("layout", ["coo", "csr"])
def test_pytorch_reads_it_and_is_read(layout: str) -> None:
    torch = pytest.importorskip("torch")
    theirs = ts.load(_saved(torch, _module(torch, layout)))
    assert theirs.product(stand_in.ones(3, 2)).tolist() == [[3, 3], [9, 9]]
    ours = torch.jit.load(_saved(stand_in, _module(stand_in, layout)))
    assert str(ours.matrix.layout) == f"torch.sparse_{layout}"
    assert ours.product(torch.ones(3, 2)).tolist() == [[3, 3], [9, 9]]


def test_layouts_that_pytorch_writes_neither_are_refused() -> None:
    module = stand_in.nn.Module()
    module.register_buffer("matrix", _matrix(stand_in, "coo").to_sparse_csc())
    with pytest.raises(RuntimeError, match=r"layout torch\.sparse_csc cannot be saved"):
        _saved(stand_in, stand_in.jit.script(module))


def test_damaged_parts_are_refused() -> None:
    """An index outside of the sizes would read other memory."""
    places, elements = stand_in.tensor([[0, 1], [2, 0]]), stand_in.ones(2)
    assert rebuild(1, (2, 3), False, places, elements, {}).to_dense().tolist() == [
        [0, 0, 1],
        [1, 0, 0],
    ]
    for parts in (
        (1, (2, 2), False, places, elements),
        (1, (2, 3), False, places.int(), elements),
        (1, (2, 3), False, places, stand_in.ones(3)),
        (1, (2, -3), False, places, elements),
        (1, (2, 1 << 70), False, places, elements),
        (2, (2, 2), False, stand_in.tensor([0, 1, 2]), stand_in.tensor([0, 2]), elements),
        (
            2,
            (2, 3),
            False,
            stand_in.tensor([0, 1, 2]),
            stand_in.tensor([0, 2]),
            stand_in.ones(2, 7),
        ),
        (2, (2, 3), False, stand_in.tensor([0, 3, 2]), stand_in.tensor([0, 2]), elements),
        (3, (2, 3), False, places, elements),
        (1, (2, 3), False, _matrix(stand_in, "coo"), elements),
        (),
    ):
        with pytest.raises(PickleError, match=r"sparse tensor|sizes or strides of a tensor"):
            rebuild(*parts)
