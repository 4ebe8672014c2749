"""Adam for the rows of a table that were used (PyTorch: torch/optim/sparse_adam.py)."""

# pyright: basic
from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.unstrided import UnstridedTensor
from torchscript_dialect.torch.optim.optimizer import Group, Optimizer, check_betas, zeros_like


class SparseAdam(Optimizer):
    """Steps as `Adam`'s for elements that a sparse gradient holds; the others, and what is known of them, stay as they are."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        """Raises ValueError for numbers out of their range, and for parameters that are sparse or complex."""
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        for name, value in (("learning rate", lr), ("epsilon value", eps)):
            if not value > 0.0:
                raise ValueError(f"Invalid {name}: {value}")
        check_betas(betas)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})
        self._refuse("Sparse", "requires dense parameter tensors", lambda tensor: tensor.is_sparse)
        self._refuse(
            "Complex", "does not support complex parameters", lambda tensor: tensor.is_complex()
        )

    def _refuse(self, kind: str, why: str, is_refused: Any) -> None:
        places = [
            [number, place]
            for number, group in enumerate(self.param_groups)
            for place, tensor in enumerate(group["params"])
            if is_refused(tensor)
        ]
        if places:
            raise ValueError(f"{kind} params at indices {places}: SparseAdam {why}")

    def _step_group(self, group: Group) -> None:
        if any(tensor.grad is not None for tensor in group["params"]):
            raise RuntimeError(
                "SparseAdam does not support dense gradients, please consider Adam instead"
            )

    def _step_one_sparsely(self, group: Group, tensor: Tensor, grad: UnstridedTensor) -> None:
        beta1, beta2 = map(float, group["betas"])
        state = self.state[tensor]
        if not state:
            state.update(step=0, exp_avg=zeros_like(tensor), exp_avg_sq=zeros_like(tensor))
        state["step"] += 1
        step = state["step"]
        used: Any = (-grad if group["maximize"] else grad).coalesce()
        rows = used._values()
        if rows.numel() == 0:
            return
        mean = _moved(state["exp_avg"], used, rows, 1 - beta1)
        square = _moved(state["exp_avg_sq"], used, rows * rows, 1 - beta2)
        size = float(group["lr"]) * (1 - beta2**step) ** 0.5 / (1 - beta1**step)
        change = mean / (square.sqrt() + float(group["eps"]))
        tensor.add_(used.twin((change * -size).array))


def _moved(state: Tensor, used: Any, rows: Tensor, weight: float) -> Tensor:
    """Move the used elements of a state towards new ones; what they are then."""
    before = state.sparse_mask(used)._values()
    change = (rows - before) * weight
    state.add_(used.twin(change.array))
    return change + before
