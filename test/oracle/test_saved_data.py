"""PyTorch reads what `torch.save` of the stand-in writes, with `weights_only`."""

import io
from typing import Any

import pytest
import torch

from support import saved
from torchscript_dialect import torch as stand_in

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.mark.parametrize("name", list(saved.values(stand_in)))
def test_pytorch_reads_what_is_written(name: str) -> None:
    buffer = io.BytesIO()
    stand_in.save(saved.values(stand_in)[name], buffer)
    buffer.seek(0)
    found: Any = torch.load(buffer, weights_only=True)
    wanted = saved.values(torch)[name]
    assert type(found) is type(wanted)
    assert repr(found) == repr(wanted)


@pytest.mark.parametrize("name", list(saved.values(stand_in)))
def test_what_pytorch_writes_without_zip_is_read(name: str) -> None:
    buffer = io.BytesIO()
    torch.save(saved.values(torch)[name], buffer, _use_new_zipfile_serialization=False)
    found = stand_in.load(buffer.getvalue())
    wanted: Any = saved.values(stand_in)[name]
    assert type(found) is type(wanted)
    assert repr(found) == repr(wanted)
