"""Mobile archives without source are read from their bytecode: test/archives/bytecode_*.ptl, which PyTorch wrote."""

import json
import pickle
import random
import warnings

import numpy as np
import pytest

import torchscript_dialect as ts
from support import agreement, archives, corpus
from support import hostile_archives as hostile
from torchscript_dialect.serialization.archive.container import Container
from torchscript_dialect.serialization.archive.pickle_machine import read_pickle

pytestmark = pytest.mark.usefixtures("without_gradients")

FILES = sorted(archives.FOLDER.glob("bytecode_*.ptl"))
MACHINE = archives.FOLDER / "bytecode_machine_8.ptl"


def record_of(path):
    extra = {"expected.json": ""}
    ts.load(path, _extra_files=extra)
    return json.loads(extra["expected.json"])


def differences(load, record):
    calls = zip(archives.arguments_of(record), record["calls"], strict=True)
    for (name, args), turns in calls:
        module = load()
        for turn in turns:
            case = corpus.Case(args, {}, name)
            found = corpus.call(
                getattr(module, name), case, agreement.to_argument, agreement.to_numpy
            )
            if difference := corpus.call_difference(found, turn):
                yield f"{args}: {difference}"


def test_all_are_there():
    names = [path.stem.removeprefix("bytecode_") for path in FILES]
    assert names == ["machine_4", "machine_6", "machine_8", "quantized_8"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_results_are_those_of_pytorch(path):
    assert list(differences(lambda: ts.load(path), record_of(path))) == []


def test_what_is_loaded_is_saved_with_source():
    data = ts.load(MACHINE).save_to_buffer()
    assert any(name.startswith("code/") for name in Container(data).records)
    assert list(differences(lambda: ts.load(data), record_of(MACHINE))) == []


def test_source_is_read_where_there_is_some():
    """The same archive with and without source."""
    path = archives.FOLDER / "mobile.ptl"
    records = hostile.records_of(path.read_bytes())
    left = {name: data for name, data in records.items() if "/code/" not in name}
    x = np.ones((1, 2), np.float32)
    for module in (ts.load(path), ts.load(hostile.packed(left))):
        assert module(x).tolist() == [[8, 9.5]]  # what PyTorch gives
        assert module(x, 1).tolist() == [[4.5, 1]]


def test_trees_and_parameters_are_those_of_the_values():
    module = ts.load(MACHINE)
    assert [name for name, _ in module.named_modules()] == ["", "layers", "layers.0"]
    assert [name for name, _ in module.named_parameters()] == [
        "shift",
        "layers.0.weight",
        "layers.0.bias",
    ]


def spoiled(value, pick):
    """Bytecode with one number or name of an instruction, an operator or a type changed, of a method of some length."""
    methods = [list(method) for method in value[1:]]
    method = max(methods, key=lambda one: len(dict(one[1])["instructions"]))
    tables = dict(method[1])
    kind = pick.choice(["instructions"] * 6 + ["operators", "types", "constants"])
    entries = list(tables[kind])
    at = pick.randrange(len(entries))
    one = entries[at]
    if kind == "types":
        entries[at] = pick.choice(["List[", "__torch__.Nothing", "Tensor" * 3, "", one + "]"])
    elif kind == "constants":
        entries[at] = pick.choice([None, 3, "x", 1.5, True])
    elif kind == "operators":
        entries[at] = (pick.choice(["aten::add", "a::b", "aten::save"]), *one[1:])
    else:
        name, x, n = one
        other = pick.choice(entries)
        entries[at] = pick.choice(
            [
                (name, x + pick.choice([-1, 1, -x, 1 << 40, -5]), n),
                (name, x, n + pick.choice([-1, 1, 1 << 40])),
                (other[0], x, n),
                ("HALT", 0, 0),
            ]
        )
    tables[kind] = tuple(entries)
    method[1] = tuple(tables.items())
    return (value[0], *(tuple(method if one[0] == method[0] else one) for one in methods))


def nested(depth):
    """Branches in branches."""
    if not depth:
        return []
    inner = nested(depth - 1)
    return [("LOADC", 0, 0), ("JF", len(inner) + 2, 0), *inner, ("JMP", 1, 0)]


def pickled(value):
    return pickle.dumps(value, 2)


def test_spoiled_bytecode_is_one_error_or_another_program():
    """30 archives, each with one entry of the bytecode changed: nothing but errors of ours comes of them."""
    pick = random.Random(7)
    records = hostile.records_of(MACHINE.read_bytes())
    name = next(name for name in records if name.endswith("bytecode.pkl"))

    value = read_pickle(records[name], name, lambda *_: lambda *_: "cpu", lambda _: None)
    refused = 0
    for _ in range(30):
        data = hostile.packed(records | {name: pickled(spoiled(value, pick))})
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert ts.load(data).forward.graph is not None
        except ts.TorchScriptError as error:
            assert "internal error" not in str(error)
            refused += 1
    assert refused > 15


@pytest.mark.parametrize(
    ("instructions", "message"),
    [
        ([("LOOP", 1, 2)], "a jump out of its block"),
        ([("LOADC", 0, 0), ("JF", 9, 0)], "a jump out of its block"),
        ([("LOAD", 1, 0)], "register 1 is empty"),
        ([("DROP", 0, 0)] * 3, "an empty stack"),
        ([("LIST_UNPACK", 1 << 40, 0)], "results"),
        ([("CALL", 0, 0)], "instruction 0, is CALL, which is not supported"),
        ([("LOADC", 7, 0)], "refers to entry 7 of a table of 1"),
        ([("OP", 0, 0)], "aten::view.dtype, which source cannot call"),
        (nested(70), "blocks are nested deeper than 60"),
    ],
)
def test_malformed_code_is_told_with_its_place(instructions, message):
    argument = (("name", "self"), ("type", "__torch__.M"), ("default_value", None))
    result = (("name", ""), ("type", "Tensor"), ("default_value", None))
    code = (
        ("instructions", tuple(instructions)),
        ("operators", (("aten::view", "dtype", 2),)),
        ("constants", (True,)),
        ("types", ()),
        ("register_size", 1),
    )
    schema = (("arguments", (argument,)), ("returns", (result,)))
    records = hostile.small(
        **{
            "code/__torch__.py": None,
            "bytecode.pkl": pickled((8, ("__torch__.M.forward", code, schema))),
        }
    )
    with pytest.raises(ts.ArchiveError, match=rf"record 'bytecode.pkl': .*({message})"):
        ts.load(hostile.packed(records))


def test_attributes_below_the_first_are_refused():
    """The places of attributes that `__setstate__` assigns."""
    records = hostile.records_of((archives.FOLDER / "bytecode_quantized_8.ptl").read_bytes())
    name = next(name for name in records if name.endswith("bytecode.pkl"))
    version, *methods = read_pickle(records[name], name, lambda *_: lambda *_: "cpu", lambda _: 0)
    changed = [(name, tuple(map(_assigning_below, code)), schema) for name, code, schema in methods]
    records[name] = pickled((version, *changed))
    with pytest.raises(ts.ArchiveError, match=r"record 'bytecode\.pkl'"):
        ts.load(hostile.packed(records))


def _assigning_below(table):
    """The instructions that assign to attributes assign to what stands before the first."""
    name, entries = table
    if name != "instructions":
        return table
    return name, tuple(("SET_ATTR", -5, 0) if one[0] == "SET_ATTR" else one for one in entries)
