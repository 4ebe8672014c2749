"""L-BFGS (PyTorch: torch/optim/lbfgs.py)."""

# pyright: basic
from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.torch.optim.line_search import Point, Search
from torchscript_dialect.torch.optim.optimizer import Optimizer, check_at_least

LEAST_CURVATURE = 1e-10


class LBFGS(Optimizer):
    """Steps along gradients that an estimate of the inverse Hessian, made of the last steps, has turned. Every step evaluates the loss
    several times, by the closure, which it has to be given.
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check_at_least("learning rate", lr)
        defaults = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, defaults)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Up to `max_iter` steps; gives the loss before the first.

        Raises:
            TypeError: there is no closure.
            RuntimeError: a line search that does not exist.
        """
        if closure is None:
            raise TypeError("LBFGS.step() missing 1 required positional argument: 'closure'")
        with grad_mode.enabled(False):
            return self._minimize(closure)

    @property
    def _params(self) -> list[Tensor]:
        return self.param_groups[0]["params"]

    def _minimize(self, closure: Callable[[], Any]) -> Any:
        group = self.param_groups[0]
        lr, tolerance = float(group["lr"]), group["tolerance_change"]
        state = self.state[self._params[0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first, grad = self._evaluate(closure)
        loss, evaluated, rounds = float(first), 1, 0
        state["func_evals"] += 1
        if grad.abs().max() <= group["tolerance_grad"]:
            return first
        while rounds < group["max_iter"]:
            rounds += 1
            state["n_iter"] += 1
            direction = self._direction(state, grad, group["history_size"])
            if state["n_iter"] == 1:
                t: Any = min(1.0, 1.0 / grad.abs().sum()) * lr
            else:
                t = lr
            state.update(d=direction, t=t, prev_flat_grad=grad.clone(), prev_loss=loss)
            slope = grad.dot(direction)
            if slope > -tolerance:
                break
            before = loss
            if group["line_search_fn"] is not None:
                left = group["max_eval"] - evaluated
                found, calls = self._search(
                    closure, Point(0, loss, grad, slope), t, direction, left
                )
                t, loss, grad = found.t, found.loss, found.grad
                state["t"] = t
                self._move(t, direction)
            else:
                self._move(t, direction)
                calls = int(rounds != group["max_iter"])
                if calls:
                    result, grad = self._evaluate(closure)
                    loss = float(result)
            evaluated += calls
            state["func_evals"] += calls
            is_done = grad.abs().max() <= group["tolerance_grad"]
            is_slow = (direction * t).abs().max() <= tolerance or abs(loss - before) < tolerance
            if evaluated >= group["max_eval"] or is_done or is_slow:
                break
        return first

    def _direction(self, state: dict[str, Any], grad: Tensor, size: int) -> Tensor:
        """Where to go from here, by the steps that are remembered."""
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1)
            return -grad
        changes, steps, ro = state["old_dirs"], state["old_stps"], state["ro"]
        change, step = grad - state["prev_flat_grad"], state["d"] * state["t"]
        curvature = change.dot(step)
        if curvature > LEAST_CURVATURE:
            if len(changes) == size:
                for one in (changes, steps, ro):
                    one.pop(0)
            changes.append(change)
            steps.append(step)
            ro.append(1.0 / curvature)
            state["H_diag"] = curvature / change.dot(change)
        turned, weights = -grad, []
        for change, step, one in zip(changes[::-1], steps[::-1], ro[::-1], strict=True):
            weights.append(step.dot(turned) * one)
            turned = turned.add(change, alpha=-weights[-1].item())
        turned = turned * state["H_diag"]
        for change, step, one, weight in zip(changes, steps, ro, weights[::-1], strict=True):
            turned = turned.add(step, alpha=(weight - change.dot(turned) * one).item())
        return turned

    def _search(
        self, closure: Callable[[], Any], start: Point, t: Any, direction: Tensor, limit: int
    ) -> tuple[Point, int]:
        if self.param_groups[0]["line_search_fn"] != "strong_wolfe":
            raise RuntimeError("only 'strong_wolfe' is supported")
        here = [one.clone() for one in self._params]

        def evaluate(at: Any) -> tuple[float, Tensor]:
            self._move(at, direction)
            loss, grad = self._evaluate(closure)
            for one, before in zip(self._params, here, strict=True):
                one.copy_(before)
            return float(loss), grad

        search = Search(evaluate, direction, start, 1e-9, limit)
        return search.run(t), search.calls

    def _evaluate(self, closure: Callable[[], Any]) -> tuple[Any, Tensor]:
        """The loss, and its gradient by all parameters in a row."""
        with grad_mode.enabled(True):
            loss = closure()
        rows = [call("aten::zeros_like", (p,)) if p.grad is None else p.grad for p in self._params]
        return loss, call("aten::cat", ([_row(one) for one in rows], 0))

    def _move(self, t: Any, direction: Tensor) -> None:
        """Take a step."""
        begin = 0
        for tensor in self._params:
            part = call("aten::view_as_real", (tensor,)) if tensor.dtype.is_complex else tensor
            end = begin + part.numel()
            part.add_(direction[begin:end].view(part.shape), alpha=float(t))
            begin = end


def _row(tensor: Tensor) -> Tensor:
    part = call("aten::view_as_real", (tensor,)) if tensor.dtype.is_complex else tensor
    return call("aten::reshape", (part, [-1]))
