"""Every class of torch.nn and every function of torch.nn.functional scripts as PyTorch scripts it: graph, code, results."""

import importlib.util
import inspect
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import torch
from torch import nn

import torchscript_dialect as ts
from support.canonical import canonical, without_mangling
from support.torch_functional import CALLS, source
from support.torch_nn import LAYERS, Layer

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::FutureWarning")

NO_LAYERS = {
    "Buffer": "a tensor",
    "Container": "empty, and no longer made",
    "DataParallel": "for GPUs",
    "LinearCrossEntropyOptions": "a record",
    "Module": "has no forward",
    "ModuleDict": "has no forward",
    "ModuleList": "has no forward",
    "Parameter": "a tensor",
    "ParameterDict": "has no forward",
    "ParameterList": "has no forward",
    "RNNBase": "has no forward",
    "RNNCellBase": "has no forward",
    "UninitializedBuffer": "a tensor",
    "UninitializedParameter": "a tensor",
}
"""The classes of torch.nn that are left out. Those called Lazy turn into the others when they are called."""

NO_CALLS = {
    "assert_int_or_pair": "an operator without results",
    "boolean_dispatch": "makes functions",
    "handle_torch_function": "for subclasses of Tensor",
    "has_torch_function_unary": "for subclasses of Tensor",
    "has_torch_function_variadic": "for subclasses of Tensor",
    "scaled_mm": "float8 only",
    "scaled_grouped_mm": "float8 only",
}

REJECTED = {
    "AdaptiveLogSoftmaxWithLoss": "Expected inferred type to be interface type|Unknown type annotation",
    "GaussianNLLLoss": "Comprehension ifs are not supported yet",
    "LinearCrossEntropyLoss": "Failed to get source",
    "MaxUnpool1d": "INTERNAL ASSERT FAILED",
    "MaxUnpool2d": "INTERNAL ASSERT FAILED",
    "MaxUnpool3d": "INTERNAL ASSERT FAILED",
    "SyncBatchNorm": "attribute lookup is not defined on python value of type 'module'",
    "TripletMarginWithDistanceLoss": "keyword-only arguments with defaults",
    "gaussian_nll_loss": "Comprehension ifs are not supported yet",
    "grouped_mm": "keyword-only arguments with defaults",
    "linear_cross_entropy": "keyword-only arguments with defaults",
    "triplet_margin_with_distance_loss": "keyword-only arguments with defaults",
}
"""What PyTorch does not script, and what it says."""
AGAIN = "Can't redefine method"
"""What PyTorch says when a layer that it has rejected in this process, for another test, comes again."""


class _Calls(nn.Module):
    """Calls a module whose `forward` is overloaded: only such calls run it."""

    def __init__(self, inner: nn.Module) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x: torch.Tensor):  # PyTorch finds the type
        return self.inner(x)


_OF_CONTAINERS = {"__len__", "__contains__"}
"""Compiled here where they are called only."""


@pytest.fixture(scope="module")
def functions(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    """The programs of all calls, in a file, as `torch.jit.script` reads files."""
    path: Path = tmp_path_factory.mktemp("functional") / "functional_programs.py"
    head = "import torch.nn.functional as F\n\n\n"
    path.write_text(head + "\n\n".join(map(source, CALLS)))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _numbers(value: Any) -> Any:
    """Tensors as PyTorch's, whoever made them, in containers too."""
    if isinstance(value, ts.Tensor):
        return torch.from_numpy(value.numpy())
    if isinstance(value, tuple | list):
        return [_numbers(item) for item in value]
    return value


def _compare_texts(ours: Any, theirs: Any) -> None:
    assert canonical(str(ours.graph)) == canonical(str(theirs.graph))
    assert without_mangling(ours.code) == without_mangling(theirs.code)


def _compare_modules(ours: Any, theirs: Any) -> None:
    """All methods that PyTorch has compiled, of submodules too."""
    for name in {*theirs._c._method_names()} - _OF_CONTAINERS:
        _compare_texts(getattr(ours, name), theirs._c._get_method(name))
    for name, inner in theirs.named_children():
        _compare_modules(getattr(ours, name), inner)


def _compare_results(ours: Any, theirs: Any, inputs: tuple[Any, ...]) -> None:
    """One call of each; where an operator has no kernel, the error says which and where."""
    with torch.no_grad():
        wanted = theirs(*(x.clone() for x in inputs))
        try:
            given = ours(*(x.clone() for x in inputs))
        except RuntimeError as error:
            assert re.search(r"operator aten::\w.* is not supported \(at \S+:\d+", str(error))
            return
    torch.testing.assert_close(_numbers(given), _numbers(wanted), rtol=1e-4, atol=1e-5)


def test_every_class_is_here() -> None:
    classes = {name for name, member in vars(nn).items() if inspect.isclass(member)}
    tried = {layer.name for layer in LAYERS}
    lazy = {name for name in classes if name.startswith("Lazy")}
    assert classes == tried | lazy | NO_LAYERS.keys()


def test_every_function_is_here() -> None:
    functions = {
        name
        for name, member in vars(nn.functional).items()
        if callable(member) and not inspect.isclass(member) and name[0] != "_"
    }
    assert functions - CALLS.keys() == NO_CALLS.keys() | {"Callable", "Optional"} & functions


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_layer(layer: Layer) -> None:
    module = layer.make()
    if layer.name in REJECTED:
        with pytest.raises(Exception, match=f"{REJECTED[layer.name]}|{AGAIN}"):
            torch.jit.script(module)
        return
    if layer.name in ("LSTM", "GRU", "RNN"):
        module = _Calls(module)
    theirs, ours = torch.jit.script(module), ts.script(module)
    _compare_modules(ours, theirs)
    _compare_results(ours, theirs, layer.inputs)


@pytest.mark.parametrize("name", CALLS)
def test_function(functions: ModuleType, name: str) -> None:
    function = getattr(functions, f"call_{name}")
    if name in REJECTED:
        with pytest.raises(Exception, match=REJECTED[name]):
            torch.jit.script(function)
        return
    theirs, ours = torch.jit.script(function), ts.script(function)
    _compare_texts(ours, theirs)
    if name != "gumbel_softmax":
        _compare_results(ours, theirs, tuple(CALLS[name][1].values()))


@pytest.mark.parametrize(
    "call",
    [
        "upsample(x, 4)",
        "upsample(x, [4, 5], mode='bilinear')",
        "upsample(x, None, 2.0)",
        "upsample_nearest(x, 4)",
        "upsample_nearest(x, scale_factor=2.0)",
        "upsample_bilinear(x, [4, 5])",
        "upsample_bilinear(x, scale_factor=2.0)",
        "upsample_bilinear(x, None, [2.0, 1.5])",
    ],
)
def test_overloads_of_older_names_in_text(call: str) -> None:
    text = f"def f(x):\n    return torch.nn.functional.{call}\n"
    x = torch.rand(1, 2, 3, 3)
    found = ts.CompilationUnit(text).f(x)
    torch.testing.assert_close(torch.as_tensor(found), torch.jit.CompilationUnit(text).f(x))
