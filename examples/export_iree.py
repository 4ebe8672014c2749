"""A module leaves for IREE: `ts.to_linalg` gives upstream MLIR, IREE compiles and runs it.

IREE is a package of its own, which nothing else here needs: `pip install iree-base-compiler iree-base-runtime`.
"""

import numpy as np

import torchscript_dialect as ts
from torchscript_dialect import torch


class Classifier(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.hidden = torch.nn.Linear(8, 16)
        self.out = torch.nn.Linear(16, 4)

    def forward(self, x: torch.Tensor, repeats: int) -> torch.Tensor:
        y = torch.relu(self.hidden(x))
        for _ in range(repeats):
            y = torch.nn.functional.layer_norm(y + torch.tanh(y), [16])
        return torch.softmax(self.out(y), -1)


def main() -> None:
    torch.manual_seed(0)
    module = ts.script(Classifier())
    x = np.linspace(-1, 1, 24, dtype=np.float32).reshape(3, 8)
    text = str(ts.to_linalg(module, (x, 2), dynamic={"x": [0]}))
    print(text.splitlines()[1].strip())
    try:
        from iree import compiler, runtime
    except ImportError:
        raise SystemExit(
            "IREE is not installed: pip install iree-base-compiler iree-base-runtime"
        ) from None
    binary = compiler.compile_str(
        text,
        target_backends=["llvm-cpu"],
        extra_args=["--iree-llvmcpu-target-cpu=generic", "--iree-input-demote-f64-to-f32=false"],
    )
    context = runtime.SystemContext(config=runtime.Config("local-sync"))
    context.add_vm_module(runtime.VmModule.copy_buffer(context.instance, binary))
    for rows in (3, 100):
        batch = np.linspace(-1, 1, 8 * rows, dtype=np.float32).reshape(rows, 8)
        result = context.modules.module.forward(batch, 2).to_host()
        np.testing.assert_allclose(result, module(batch, 2).numpy(), rtol=1e-4, atol=1e-6)
        print(f"IREE gives our results for {rows} rows")


if __name__ == "__main__":
    main()
