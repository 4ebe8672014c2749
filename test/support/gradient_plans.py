"""Plans of modules that are trained, for tests of differentiable graphs."""

from typing import Any

from torchscript_dialect import torch
from torchscript_dialect.runtime.executor.gradient_plan import GradientPlan


def trained(network: torch.nn.Module, x: Any) -> GradientPlan:
    """The plan that serves a module from its second or third call on; its parameters have the gradients of the fifth."""
    scripted: Any = torch.jit.script(network)
    for _ in range(5):
        network.zero_grad()
        scripted(x).square().sum().backward()
    (plan,) = scripted.forward._executor.gradient_plans.values()
    return plan
