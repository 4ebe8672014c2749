"""Mobile archives in FlatBuffers: test/archives/flat_*.ptl, which PyTorch wrote."""

import json
import random
import struct
import warnings

import pytest

import torchscript_dialect as ts
from support import archives, corpus
from support.agreement import to_argument, to_numpy
from support.flat_archives import without_sources
from support.work import work_is_bounded
from torchscript_dialect.cli.ts_opt import main as ts_opt

FILES = sorted(archives.FOLDER.glob("flat_*.ptl"))


def differences(data, record):
    calls = zip(archives.arguments_of(record), record["calls"], strict=True)
    for (name, args), turns in calls:
        module = ts.load(data)
        for turn in turns:
            found = corpus.call(
                getattr(module, name), corpus.Case(args, {}, name), to_argument, to_numpy
            )
            if difference := corpus.call_difference(found, turn):
                yield f"{name}{args}: {difference}"


def record_of(path):
    extra = {"expected.json": ""}
    ts.load(path, _extra_files=extra)
    return json.loads(extra["expected.json"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_results_are_those_of_pytorch(path):
    """From the source in the file, and from its bytecode."""
    record, data = record_of(path), path.read_bytes()
    assert list(differences(path, record)) == []
    assert list(differences(without_sources(data), record)) == []


def test_all_are_there():
    names = [path.stem for path in FILES]
    assert names == ["flat_dtypes", "flat_generic", "flat_net", "flat_quantized"]


def test_what_is_loaded_is_saved_as_other_archives_are():
    path = archives.FOLDER / "flat_net.ptl"
    assert list(differences(ts.load(path).save_to_buffer(), record_of(path))) == []


def test_ts_opt_lists_what_is_in_it(capsys):
    assert ts_opt(["--inspect", str(archives.FOLDER / "flat_net.ptl")]) in (0, None)
    assert "aten::linear" in capsys.readouterr().out


def mutations(data, count):
    pick = random.Random(5)
    for _ in range(count):
        changed = bytearray(data)
        at = pick.randrange(0, len(data) - 4)
        match pick.randrange(4):
            case 0:
                changed[at] ^= 1 << pick.randrange(8)
            case 1:
                changed = changed[: max(8, at)]
            case 2:
                struct.pack_into(
                    "<I", changed, at & ~3, pick.choice([0, 1, 0x7FFFFFFF, 0xFFFFFFFF])
                )
            case _:
                struct.pack_into("<I", changed, at & ~3, pick.randrange(len(data)))
        yield bytes(changed)


@pytest.mark.parametrize("name", ["flat_net", "flat_quantized"])
def test_damage_is_one_error_or_another_program(name):
    """120 files each, with bits flipped, cut, and with offsets and lengths that lead elsewhere."""
    data = (archives.FOLDER / f"{name}.ptl").read_bytes()
    data, refused = without_sources(data), 0
    for changed in mutations(data, 120):
        try:
            with work_is_bounded(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                module = ts.load(changed)
                assert str(module.forward.graph)
        except (ts.TorchScriptError, AttributeError) as error:
            assert "internal error" not in str(error)
            refused += 1
    assert refused > 20


def test_a_value_that_is_not_there_is_refused():
    data = bytearray((archives.FOLDER / "flat_net.ptl").read_bytes())
    root = struct.unpack_from("<I", data)[0]
    fields = root - struct.unpack_from("<i", data, root)[0]
    at = root + struct.unpack_from("<H", data, fields + 4 + 2 * 3)[0]
    struct.pack_into("<I", data, at, 1000)  # the number of the module
    with pytest.raises(ts.ArchiveError, match=r"record 'data\.pkl': there is no value 1000"):
        ts.load(bytes(data))
