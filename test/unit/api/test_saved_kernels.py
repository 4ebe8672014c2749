"""Kernels in archives: saved with a module, used where a caller asks for it, checked, and never put on disk."""

import gc
import io
import os
import zipfile

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.runtime.kernels import kernels
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS

pytestmark = pytest.mark.skipif(not HAS_NATIVE_CALLS, reason="kernels are not native here")

X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.tanh(x * 2.5) + torch.exp(x) * 0.125


def called(module):
    with ts.background_compilation(False):
        return [module(X).tolist() for _ in range(4)][-1]


@pytest.fixture(scope="module")
def saved():
    """The archive of a module that was called, with its kernels, and what it gave."""
    module = ts.script(Model())
    result = called(module)
    buffer = io.BytesIO()
    ts.save(module, buffer, kernels=True)
    del module
    gc.collect()
    return buffer.getvalue(), result


def records(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def kernel_records(data):
    return [name for name in records(data) if "/extra/torchscript_dialect/kernels/" in name]


def test_a_module_that_was_not_called_has_no_kernels():
    buffer = io.BytesIO()
    ts.save(ts.script(Model()), buffer, kernels=True)
    assert not kernel_records(buffer.getvalue())


def test_kernels_are_used_and_not_put_on_disk(saved, tmp_path, monkeypatch):
    data, result = saved
    assert len(kernel_records(data)) == 1
    monkeypatch.setenv("TORCHSCRIPT_DIALECT_CACHE", str(tmp_path))
    os.chmod(tmp_path, 0o700)
    key = kernel_records(data)[0].rpartition("/")[2]
    module = ts.load(data, kernels=True)
    assert key not in kernels._shared
    assert called(module) == result
    assert key in kernels._shared
    assert not (tmp_path / f"{key}.bin").exists()
    del module
    gc.collect()
    assert key not in kernels._carried


def test_without_being_asked_for_they_are_bytes_that_nothing_reads(saved):
    data, _ = saved
    module = ts.load(data)
    assert not kernels._carried
    assert called(module) == saved[1]


@pytest.mark.parametrize("damage", ["flip", "cut", "other key"])
def test_a_damaged_kernel_is_refused_by_name(saved, damage):
    entries = records(saved[0])
    (name,) = kernel_records(saved[0])
    entry = entries.pop(name)
    if damage == "flip":
        entry = entry[:-1] + bytes([entry[-1] ^ 1])
    elif damage == "cut":
        entry = entry[:-8]
    else:
        name = name[:-1] + ("0" if name[-1] != "0" else "1")
    entries[name] = entry
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for each, content in entries.items():
            archive.writestr(each, content)
    with pytest.raises(ts.ArchiveError, match="the kernel is damaged") as error:
        ts.load(buffer.getvalue(), kernels=True)
    assert error.value.record == name.partition("/")[2]
    ts.load(buffer.getvalue())


def test_kernels_of_a_function_are_saved_along(tmp_path):
    def scaled(x):
        return torch.tanh(x * 1.75) + torch.exp(x) * 0.0625

    function = ts.script(scaled)
    result = called(function)
    path = tmp_path / "scaled.pt"
    ts.save(function, path, kernels=True)
    data = path.read_bytes()
    key = kernel_records(data)[0].rpartition("/")[2]
    del function
    gc.collect()
    module = ts.load(path, kernels=True)
    assert key not in kernels._shared
    assert called(module) == result
    assert key in kernels._shared
