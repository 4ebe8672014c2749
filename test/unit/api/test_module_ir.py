"""What `ts-opt model.pt` prints is a module again: code and results are those of the archive."""

import pytest

import torchscript_dialect as ts
from support import agreement, archives, corpus
from torchscript_dialect.api.module_from_ir import module_from_ir
from torchscript_dialect.cli.ts_opt import TSOptMain, main

NAMES = [
    "attributes", "containers", "control_flow", "hooked", "linear", "net", "net_frozen", "quantized",
    "quantized_lstm", "shared", "through_interface", "with_state",
]  # fmt: skip


def read(path):
    driver = TSOptMain([str(path)])
    data, frontend = driver.get_input_stream()
    module = driver.parse_chunk(data, frontend)
    assert module is not None
    return module_from_ir(module)


@pytest.mark.parametrize("name", NAMES)
def test_a_printed_module_is_read(name, tmp_path):
    text = tmp_path / "model.mlir"
    assert main([str(archives.FOLDER / f"{name}.pt"), "-o", str(text)]) == 0
    theirs = archives.golden(name)
    with ts.optimized_execution(False):
        for (method, args), turns in zip(
            archives.arguments_of(theirs), theirs["calls"], strict=True
        ):
            module = read(text)
            callee = module if method == "forward" else getattr(module, method)
            for turn in turns:
                case = corpus.Case(args, {}, method)
                found = corpus.call(callee, case, agreement.to_argument, agreement.to_numpy)
                assert corpus.call_difference(found, turn) is None


def test_weights_without_content_are_told(tmp_path):
    text = tmp_path / "model.mlir"
    assert main([str(archives.FOLDER / "linear.pt"), "--elide-weights", "-o", str(text)]) == 0
    with pytest.raises(ts.TorchScriptError, match="has no content: was it printed without"):
        read(text)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("tensor<3x4xf32>", "tensor<3x5xf32>", "the resource weight.* does not have the size"),
        ("tensor<3x4xf32>", "tensor<3x4xf80>", "a weight of f80 is none of PyTorch's"),
    ],
)
def test_a_weight_that_is_no_part_of_its_resource_is_told(old, new, message, tmp_path):
    text = tmp_path / "model.mlir"
    assert main([str(archives.FOLDER / "linear.pt"), "-o", str(text)]) == 0
    text.write_text(text.read_text().replace(old, new))
    with pytest.raises(ts.TorchScriptError, match=message):
        read(text)


def test_what_the_text_does_not_define_is_told(tmp_path):
    text = tmp_path / "model.mlir"
    assert main([str(archives.FOLDER / "attributes.pt"), "-o", str(text)]) == 0
    lines = text.read_text().splitlines(keepends=True)
    text.write_text("".join(line for line in lines if "prim.EnumType" not in line))
    with pytest.raises(ts.TorchScriptError, match="Color, which IR does not define"):
        read(text)
