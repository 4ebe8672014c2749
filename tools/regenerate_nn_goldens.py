"""Write test/golden/nn.json: names and signatures of torch.nn, and what PyTorch gives for samples/nn_cases.py. Needs PyTorch."""

import json
import sys
import warnings
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from samples import nn_cases  # noqa: E402
from support.nn_cases import Side, layer_record, parameters_of  # noqa: E402

_IMPORTED = {"Callable", "Literal", "Tensor", "TypeVar", "ParamSpec", "Optional", "DType"}


def names(module: object) -> dict:
    """The public functions and classes of a module of PyTorch's, with their parameters."""
    found = {}
    for name in sorted(getattr(module, "__all__", None) or dir(module)):
        member = getattr(module, name, None)
        is_own = "torch" in str(getattr(member, "__module__", "") or "torch")
        if callable(member) and not name.startswith("_") and name not in _IMPORTED and is_own:
            found[name] = parameters_of(member)
    return found


def _group(item: tuple[str, dict]) -> str:
    """A part of the file, with a line for each entry."""
    name, entries = item
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in entries.items()]
    return f"{json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n}"


def main() -> None:
    warnings.simplefilter("ignore")
    side = Side(torch)
    nn = torch.nn
    listed = {
        "nn": {name: parameters_of(getattr(nn, name)) for name in sorted(nn.modules.__all__)},
        "nn.parameter": names(nn.parameter),
        "nn.functional": names(nn.functional),
        "nn.init": names(nn.init),
        "nn.utils": names(nn.utils),
        "nn.utils.rnn": names(nn.utils.rnn),
        "nn.utils.parametrize": names(nn.utils.parametrize),
        "nn.utils.parametrizations": names(nn.utils.parametrizations),
        "nn.utils.stateless": names(nn.utils.stateless),
    }
    with torch.no_grad():
        calls = {line: side.call(line) for line in nn_cases.lines(nn_cases.CALLS)}
    layers = {line: layer_record(side, line) for line in nn_cases.lines(nn_cases.LAYERS)}
    path = ROOT / "test" / "golden" / "nn.json"
    groups = {"names": listed, "layers": layers, "calls": calls}
    path.write_text("{" + ",\n".join(map(_group, groups.items())) + "}\n")
    print(f"{len(layers)} layers, {len(calls)} calls, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
