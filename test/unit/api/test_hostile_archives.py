"""Archives from strangers: each mistake is one error that says where, soon, and nothing of the archive is run or written.

Point 1 of docs/testing.md.
"""

import os
import resource
import sys
import warnings

import numpy as np
import pytest

import torchscript_dialect as ts
from support import archives
from support import hostile_archives as hostile
from support.work import work_is_bounded

DATA = {
    name: (archives.FOLDER / f"{name}.pt").read_bytes()
    for name in ("linear", "attributes", "net_frozen")
}
MEGABYTES = 200


@pytest.fixture(autouse=True)
def _nothing_is_touched(tmp_path, monkeypatch):
    """Python audits no file, process or socket while archives are read, other than for modules of its own."""
    monkeypatch.chdir(tmp_path)
    yield
    assert not os.listdir(tmp_path)


def used(data):
    """What becomes of an archive in the hands of one who uses all of it: the error, if any."""
    try:
        module = ts.load(data)
        for _, tensor in [*module.named_parameters(), *module.named_buffers()]:
            tensor.detach().numpy()
        for method in [v for v in vars(module).values() if isinstance(v, type(module.forward))]:
            assert str(method.graph)
    except ts.TorchScriptError as error:
        return error
    return None


def measured(data):
    """The error, within the work and memory that an archive may take."""
    used(DATA["linear"])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with work_is_bounded():
        error = used(data)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / (
        1 << (10 if sys.platform != "darwin" else 20)
    )
    assert grown < MEGABYTES, f"{grown} MB"
    return error


def refused(data):
    error = measured(data)
    assert error is not None
    assert "internal error" not in str(error)
    return error


@pytest.mark.parametrize(("what", "data"), list(hostile.containers()))
def test_containers(what, data):
    refused(data)


@pytest.mark.parametrize(("what", "data"), list(hostile.pickles()))
def test_pickles(what, data):
    error = refused(hostile.packed(hostile.small(**{"data.pkl": data})))
    assert (
        "record 'data.pkl'" in str(error)
        or "nested too deeply" in str(error)
        or "no source" in str(error)
    )


@pytest.mark.parametrize(("what", "tensor"), list(hostile.tensor_pickles()))
def test_tensors(what, tensor):
    error = refused(hostile.packed(hostile.small(**{"data.pkl": hostile.module_of(tensor)})))
    assert "record 'data" in str(error)


@pytest.mark.parametrize(("what", "source"), list(hostile.sources()))
def test_sources(what, source):
    refused(hostile.packed(hostile.small(**{"code/__torch__.py": source})))


@pytest.mark.parametrize(("what", "body"), list(hostile.methods()))
def test_methods(what, body):
    refused(hostile.with_method(body))


def test_deep_expressions_are_compiled_or_refused():
    error = used(
        hostile.with_method("print(" + "torch.neg(" * 20_000 + "self.x" + ")" * 20_000 + ")")
    )
    assert error is None or "nested too deeply" in str(error)


@pytest.mark.parametrize("version", [b"", b"0", b"11", b"-1", b"x", b"9" * 1000])
def test_versions(version):
    assert "version" in str(refused(hostile.packed(hostile.small(version=version))))


def test_the_untouched_archive_loads():
    assert ts.load(hostile.packed(hostile.small()))().tolist() == [0.0, 0.0]


def test_big_endian_numbers_are_turned():
    numbers = np.array([1.5, -2.0, 3.25, 4.0], ">f4").tobytes()
    data = hostile.packed(hostile.small(byteorder=b"big", **{"data/0": numbers}))
    assert ts.load(data)().tolist() == [1.5, -2.0]


def test_an_odd_byte_order_is_refused():
    assert "record 'byteorder'" in str(refused(hostile.packed(hostile.small(byteorder=b"middle"))))


def test_a_file_operator_runs_where_it_is_allowed():
    data = hostile.with_method("ops.aten.save(self.x, 'written')")
    with pytest.raises(ts.TorchScriptError, match=r"allow=\('files',\) lets it"):
        ts.load(data).forward()
    assert ts.load(data, allow="files").forward.graph is not None


@pytest.mark.parametrize("name", DATA)
def test_damage(name):
    """400 archives: what loads all the same is as it was, or is a smaller program."""
    data = DATA[name]
    mutations = [
        *hostile.bit_flips(data, 60, 1),
        *hostile.truncations(data, 15, 2),
        *hostile.damaged_records(data, 50, 3),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for what, changed in mutations:
            try:
                with work_is_bounded():
                    error = used(changed)
            except Exception as other:
                raise AssertionError(f"{what}: {type(other).__name__}: {other}") from other
            assert error is None or "internal error" not in str(error), f"{what}: {error}"
