"""Differential equations: steps as small as the error asks for, methods behind an interface, and an event that stops."""

from typing import Dict, List, Optional, Tuple

from examples._torch import torch
from support.models import normal

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


@torch.jit.interface
class Dynamics(nn.Module):
    def forward(self, t: float, y: Tensor) -> Tensor:
        pass


class ODEFunc(nn.Module):
    def __init__(self, dim: int):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim + 1, 6), nn.Tanh(), nn.Linear(6, dim))
        self.nfe = 0

    def forward(self, t: float, y: Tensor) -> Tensor:
        self.nfe += 1
        time = torch.full_like(y[..., :1], t)
        return self.net(torch.cat([y, time], dim=-1))


class Spiral(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("matrix", torch.tensor([[-0.1, 2.0], [-2.0, -0.1]]))

    def forward(self, t: float, y: Tensor) -> Tensor:
        return torch.mm(y**3, self.matrix)


class ButcherTableau:
    def __init__(self):
        self.alpha: List[float] = [1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0]
        self.beta: List[List[float]] = [
            [1 / 5],
            [3 / 40, 9 / 40],
            [44 / 45, -56 / 15, 32 / 9],
            [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
            [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
            [35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
        ]
        self.c_error: List[float] = [
            35 / 384 - 1951 / 21600,
            0.0,
            500 / 1113 - 22642 / 50085,
            125 / 192 - 451 / 720,
            -2187 / 6784 - -12231 / 42400,
            11 / 84 - 649 / 6300,
            -1.0 / 60.0,
        ]


def rms_norm(tensor: Tensor) -> Tensor:
    return tensor.pow(2).mean().sqrt()


def optimal_step_size(
    last_step: float, error_ratio: float, safety: float, ifactor: float, dfactor: float, order: int
) -> float:
    if error_ratio == 0:
        return last_step * ifactor
    if error_ratio < 1:
        dfactor = 1.0
    exponent = 1.0 / order
    factor = min(ifactor, max(safety / error_ratio**exponent, dfactor))
    return last_step * factor


class Solver(nn.Module):
    func: Dynamics

    def __init__(self, func: nn.Module, rtol: float, atol: float, method: str = "dopri5"):
        super().__init__()
        self.func = func
        self.rtol, self.atol = rtol, atol
        self.method = method
        self.tableau = ButcherTableau()
        self.max_steps = 40

    def rk4_step(self, t0: float, dt: float, t1: float, y0: Tensor) -> Tensor:
        k1 = self.func(t0, y0)
        k2 = self.func(t0 + dt * (1 / 3), y0 + dt * k1 * (1 / 3))
        k3 = self.func(t0 + dt * (2 / 3), y0 + dt * (k2 - k1 * (1 / 3)))
        k4 = self.func(t1, y0 + dt * (k1 - k2 + k3))
        return y0 + (k1 + 3 * (k2 + k3) + k4) * dt * 0.125

    def adaptive_step(
        self, t0: float, dt: float, y0: Tensor, f0: Tensor
    ) -> Tuple[Tensor, Tensor, float]:
        k: List[Tensor] = [f0]
        yi = y0
        for alpha, beta in zip(self.tableau.alpha, self.tableau.beta):
            yi = y0
            for ki, b in zip(k, beta):
                yi = yi + ki * (dt * b)
            k.append(self.func(t0 + alpha * dt, yi))
        error = torch.zeros_like(y0)
        for ki, c in zip(k, self.tableau.c_error):
            error += ki * (dt * c)
        tolerance = self.atol + self.rtol * torch.max(y0.abs(), yi.abs())
        return yi, k[-1], float(rms_norm(error / tolerance))

    @torch.jit.export
    def integrate(self, y: Tensor, t: float, end: float, dt: float) -> Tuple[Tensor, List[float]]:
        steps: List[float] = []
        f = self.func(t, y)
        while t < end:
            if len(steps) >= self.max_steps:
                raise RuntimeError(
                    "max_num_steps exceeded ({}>={})".format(len(steps), self.max_steps)
                )
            dt = min(dt, end - t)
            y1, f1, ratio = self.adaptive_step(t, dt, y, f)
            if ratio <= 1:
                t, y, f = t + dt, y1, f1
                steps.append(dt)
            dt = optimal_step_size(dt, ratio, 0.9, 10.0, 0.2, 5)
        return y, steps

    def forward(self, y0: Tensor, times: List[float]) -> Tuple[Tensor, Dict[str, List[float]]]:
        solution = [y0]
        record: Dict[str, List[float]] = {}
        for i in range(1, len(times)):
            if self.method == "rk4":
                step = times[i] - times[i - 1]
                solution.append(self.rk4_step(times[i - 1], step, times[i], solution[-1]))
            else:
                y, steps = self.integrate(solution[-1], times[i - 1], times[i], 0.1)
                solution.append(y)
                record[str(i)] = steps
        return torch.stack(solution), record


class Flow(nn.Module):
    def __init__(self):
        super().__init__()
        self.learned = Solver(ODEFunc(2), 1e-2, 1e-3)
        self.spiral = Solver(Spiral(), 1e-2, 1e-2, method="rk4")

    def forward(self, y: Tensor, times: List[float], crossing: Optional[float] = None):
        path, record = self.learned(y, times)
        turned, _ = self.spiral(y.clamp(-1, 1), times)
        first = -1
        if crossing is not None:
            for i, point in enumerate(path):
                if bool((point[:, 0] > crossing).any()):
                    first = i
                    break
        counts = [len(steps) for steps in record.values()]
        return path, turned, counts, first


def make():
    return Flow()


CALLS = [
    (normal(0, 3, 2), [0.0, 0.1, 0.3], 0.5),
    (normal(1, 3, 2), [0.0, 0.1, 0.3], 9.0),
    (normal(2, 2, 2), [0.0, 0.5]),
]
