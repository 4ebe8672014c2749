"""`torch.autograd`: what the compiler makes of `grad` and `backward` in source."""

from __future__ import annotations

from torchscript_dialect.ops.dispatch import function

grad = function("aten::grad")
