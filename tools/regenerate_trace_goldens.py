"""Write test/golden/traces: the graphs and results of PyTorch's traces of the programs in test/tracer/programs. Needs PyTorch."""

import json
import sys
import warnings
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "test")]

from support import traces  # noqa: E402


def main() -> None:
    warnings.simplefilter("ignore")
    traces.GOLDEN.mkdir(parents=True, exist_ok=True)
    for path in traces.files():
        found = {}
        for program in traces.load(path, torch):
            traced = traces.trace(program, torch)
            with torch.no_grad():
                result = traced(*traces.to_inputs(program.inputs, torch))
            found[program.name] = {
                "graphs": traces.texts(traced),
                "result": traces.as_json(result),
            }
        (traces.GOLDEN / f"{path.stem}.json").write_text(json.dumps(found, indent=1) + "\n")
        print(f"{path.stem}: {len(found)} programs")


if __name__ == "__main__":
    main()
