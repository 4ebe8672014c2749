"""The graphs of programs are PyTorch's: operators, order, blocks, types, attributes, locations; and so are the errors."""

import json
from functools import cache
from pathlib import Path

import pytest

from support.canonical import canonical
from support.frontend_graphs import GOLDEN, error_text, programs
from torchscript_dialect.frontend.compile import compile_source
from torchscript_dialect.passes.named import pipelines
from torchscript_dialect.serialization.graph_printer import print_graph
from torchscript_dialect.utils.errors import TorchScriptError


@cache
def golden(path: Path) -> dict[str, str]:
    return json.loads((GOLDEN / f"{path.stem}.json").read_text())


@pytest.mark.filterwarnings("ignore:List consists of heterogeneous:UserWarning")
@pytest.mark.parametrize(
    ("path", "name", "text"), [pytest.param(*p, id=f"{p[0].stem}-{p[1]}") for p in programs()]
)
def test_graph_is_pytorchs(path: Path, name: str, text: str) -> None:
    try:
        unit = compile_source(text, str(path))
        pipelines["after-frontend"].run(unit.module_op)
        actual = canonical(print_graph(unit.functions[name].op), path.name)
    except TorchScriptError as error:
        actual = error_text(error)
    assert actual == golden(path)[name]
