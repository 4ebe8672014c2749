"""The names of PyTorch's namespaces that the stand-in lacks, each with its reason: one that is there is no longer in the list."""

import importlib
import inspect
import subprocess
import sys
from typing import Any

import pytest
import torch
import torch.nn.utils.prune
from torch import nn

import torchscript_dialect as ts
from support.canonical import canonical, without_mangling
from support.torch_nn import LAYERS, Layer
from torchscript_dialect import torch as stand_in

_LACKS: dict[str, dict[str, str]] = {
    "torch.jit": {
        "what scripting and tracing are made of": (
            "ONNXTracedModule RecursiveScriptClass RecursiveScriptModule TopLevelTracedModule TracedModule frontend"
            " set_module strict_fusion"
        ),
        "FlatBuffers are written by `ts.save`": "jit_module_from_flatbuffer save_jit_module_to_flatbuffer",
        "of a code generator that is not here": "enable_onednn_fusion onednn_fusion_enabled",
        "nothing warns so here": "ScriptWarning",
    },
    "torch.nn": {
        "quantized layers": "intrinsic qat quantizable quantized",
        "empty, and no longer made": "Container",
        "for authors of layers of PyTorch's own": "factory_kwargs",
    },
    "torch.nn.functional": {
        "operators of float8": "ScalingType SwizzleType grouped_mm scaled_grouped_mm scaled_mm",
        "an operator without results": "assert_int_or_pair",
        "for subclasses of Tensor": (
            "handle_torch_function has_torch_function has_torch_function_unary has_torch_function_variadic"
        ),
        "a type, from `torch`": "Tensor",
    },
    "torch.nn.init": {},
    "torch.nn.modules": {"empty, and no longer made": "Container"},
    "torch.nn.parameter": {
        "of lazy parameters; there is a class for each": "UninitializedTensorMixin"
    },
    "torch.nn.utils": {},
    "torch.nn.utils.parametrizations": {"a type, from `torch`": "Tensor"},
    "torch.nn.utils.parametrize": {
        "for subclasses of Tensor": (
            "OpaqueBase get_swap_module_params_on_conversion is_opaque_reference_type is_traceable_wrapper_subclass"
        )
    },
    "torch.nn.utils.rnn": {"what wraps methods": "bind copy_method_params"},
    "torch.ops": {},
    "torch.utils": {
        "measures of PyTorch's own": "ThroughputBenchmark throughput_benchmark",
        "for devices of one's own": (
            "backend_registration generate_methods_for_privateuse1_backend rename_privateuse1_backend"
        ),
        "of C++ and of how PyTorch was built": "collect_env cpp_backtrace get_cpp_backtrace",
        "switches for old programs and tests": "backcompat deterministic set_module swap_tensors",
        "tables with weak keys": "weak",
    },
    "torch.utils.checkpoint": {
        "what `checkpoint` is made of, and tools to debug it": (
            "CheckpointError CheckpointFunction CheckpointPolicy DefaultDeviceType GraphExecGroup SelectiveCheckpointContext"
            " create_selective_checkpoint_contexts noop_context_fn set_checkpoint_debug_enabled"
            " set_checkpoint_early_stop"
        ),
        "private, without an underscore": "check_backward_validity detach_variable",
        "from elsewhere in PyTorch": "LoggingTensorMode SAC_IGNORED_OPS SavedTensor TorchDispatchMode capture_logs fx_traceback tree_map",
    },
    "torch.utils.data": {
        "pipes, which PyTorch develops no further": (
            "DFIterDataPipe DataChunk IterDataPipe MapDataPipe argument_validation datapipes functional_datapipe graph graph_settings"
            " guaranteed_datapipes_determinism non_deterministic runtime_validation runtime_validation_disabled"
        ),
    },
    "torch.utils.dlpack": {"kinds of devices by number": "DLDeviceType"},
    "torch.utils.hooks": {
        "what hooks of modules are made of": "BackwardHook unserializable_hook warn_if_has_hooks"
    },
}
"""By namespace and reason."""


def _own_names(namespace: Any) -> set[str]:
    """What PyTorch defines, of the public names: its files import much else."""
    listed = set(getattr(namespace, "__all__", ()))
    return {
        name
        for name in dir(namespace)
        if name[0] != "_" and (name in listed or _is_own(getattr(namespace, name)))
    }


def _is_own(value: Any) -> bool:
    if value is torch:
        return False
    home = value.__name__ if inspect.ismodule(value) else getattr(value, "__module__", None)
    return isinstance(home, str) and home.partition(".")[0] == "torch"


@pytest.mark.parametrize("name", _LACKS)
def test_names(name: str) -> None:
    theirs = torch.ops if name == "torch.ops" else importlib.import_module(name)
    ours: Any = stand_in
    for part in name.split(".")[1:]:
        ours = getattr(ours, part)
    listed = {each for names in _LACKS[name].values() for each in names.split()}
    lacking = {each for each in _own_names(theirs) if not hasattr(ours, each)}
    # Submodules that other tests have imported are there, too.
    lacking -= {each for each in lacking - listed if inspect.ismodule(getattr(theirs, each))}
    assert lacking == listed


PRIVATE = (
    "activation.MultiheadAttention", "activation.ReLU", "batchnorm._BatchNorm", "batchnorm._NormBase", "container.Sequential", "conv._ConvNd",
    "conv._ConvTransposeNd", "dropout._DropoutNd", "instancenorm._InstanceNorm", "linear.Linear", "loss._Loss",
    "loss._WeightedLoss", "module._addindent", "normalization.LayerNorm", "padding._ConstantPadNd", "pooling._MaxPoolNd",
    "rnn.RNNBase", "utils._pair", "utils._triple",
)  # fmt: skip
"""What programs name of the files of layers."""


def test_names_of_files_of_layers() -> None:
    """They were there only for who had imported the file."""
    for place in PRIVATE:
        file, _, name = place.partition(".")
        assert hasattr(getattr(nn.modules, file), name)
    asked = ", ".join(f"torch.nn.modules.{place}" for place in PRIVATE)
    code = f"from torchscript_dialect import torch; print(len([{asked}]))"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert result.stdout.strip() == str(len(PRIVATE)), result.stderr


OTHER_SOURCE = {
    "CrossMapLRN2d": "PyTorch calls Python",
    "GRUCell": "checks and steps are written otherwise",
    "LSTMCell": "checks and steps are written otherwise",
    "MultiheadAttention": "no path for fused attention",
    "RNNCell": "checks and steps are written otherwise",
    "TransformerEncoderLayer": "no path for fused attention",
}
"""The layers whose `forward` is other source than PyTorch's, so that their graphs are others."""


def _stand_in(value: Any) -> Any:
    """What stands for an argument of PyTorch's; LookupError if nothing does: a layer that is made has lost what it was made of."""
    if isinstance(value, nn.Module):
        raise LookupError
    return stand_in.from_dlpack(value) if isinstance(value, torch.Tensor) else value


@pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning")
@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_graphs_of_layers(layer: Layer) -> None:
    """Attributes have PyTorch's types, `Tensor?` where it declares so, and calls PyTorch's names and order."""
    try:
        theirs = torch.jit.script(layer.make())
        wanted = canonical(str(theirs.graph)), without_mangling(theirs.code)
        arguments = [_stand_in(argument) for argument in layer.args]
    except Exception:  # PyTorch does not script it, or has no `forward` to call
        return
    ours = ts.script(getattr(stand_in.nn, layer.name)(*arguments, **layer.kwargs).eval())
    given = canonical(str(ours.graph)), without_mangling(ours.code)
    assert (given != wanted) == (layer.name in OTHER_SOURCE)
