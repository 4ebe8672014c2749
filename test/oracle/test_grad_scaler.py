"""Training with scaled losses beside PyTorch: scales, parameters, states and errors of `torch.amp.GradScaler`."""

import pickle
import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch

from torchscript_dialect import torch as stand_in

LIBRARIES: tuple[Any, Any] = (torch, stand_in)
INF, NAN = float("inf"), float("nan")
GRADIENTS = [[1.0, 2.0], [INF, 1.0], [0.5, 0.1], [3.0, 0.7], [1.0, NAN], [INF, -INF], [1.0, 1.0]]
"""Of a parameter, step by step."""


def both(program: Callable[[Any], Any]) -> None:
    """Both libraries give numbers, nested, that are close."""
    theirs, ours = (program(library) for library in LIBRARIES)
    torch.testing.assert_close(ours, theirs, rtol=1e-6, atol=1e-6)


def raised(program: Callable[[Any], Any]) -> None:
    """Both libraries raise the same."""
    told: list[tuple[type[BaseException], str]] = []
    for library in LIBRARIES:
        with pytest.raises((RuntimeError, ValueError, AssertionError)) as caught:
            program(library)
        told.append((caught.type, str(caught.value)))
    assert told[0] == told[1]


def parameter(t: Any, values: list[float], dtype: str = "float32") -> Any:
    return t.nn.Parameter(t.tensor(values, dtype=getattr(t, dtype)))


def backward(t: Any, scaler: Any, p: Any, gradient: list[float]) -> None:
    scaler.scale((p * t.tensor(gradient)).sum()).backward()


OPTIMIZERS: dict[str, Callable[[Any, Any], Any]] = {
    "SGD": lambda t, ps: t.optim.SGD(ps, lr=0.1, momentum=0.9),
    "Adam": lambda t, ps: t.optim.Adam(ps, lr=0.1),
    "fused": lambda t, ps: t.optim.Adam(ps, lr=0.1, fused=True),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_steps(name: str) -> None:
    """Steps with gradients that are not finite are left out, and the scale follows; factors that are no powers of two round alike."""

    def program(t: Any) -> Any:
        scaler = t.amp.GradScaler("cpu", 3000.0, 1.7, 0.3, 2)
        p = parameter(t, [1.0, -2.0])
        optimizer = OPTIMIZERS[name](t, [p])
        found: list[Any] = []
        for number, gradient in enumerate(GRADIENTS):
            optimizer.zero_grad()
            backward(t, scaler, p, gradient)
            if number % 2:
                scaler.unscale_(optimizer)
                t.nn.utils.clip_grad_norm_([p], 1.0)
            result = scaler.step(optimizer)
            scaler.update()
            gradient = [one if abs(one) < INF else 0.0 for one in p.grad.tolist()]
            found.append((p.tolist(), gradient, scaler.state_dict(), result is None))
        return found

    both(program)


def test_what_a_step_returns() -> None:
    def program(t: Any) -> Any:
        scaler = t.amp.GradScaler("cpu", init_scale=4.0)
        p = parameter(t, [1.0])
        optimizer = t.optim.SGD([p], lr=0.5)
        found: list[Any] = []
        for gradient in (2.0, INF):
            backward(t, scaler, p, [gradient])
            found.append(scaler.step(optimizer, lambda: 7.0) or -1.0)
            scaler.update()
        return found, p.tolist()

    both(program)


def test_several_optimizers_and_sparse_gradients() -> None:
    """One of them leaves its step out, and the scale of all shrinks."""

    def program(t: Any) -> Any:
        scaler = t.amp.GradScaler("cpu", init_scale=8.0)
        table = t.nn.Embedding(3, 2, sparse=True)
        t.nn.init.ones_(table.weight)
        wide = parameter(t, [1.0, 2.0], "float64")
        p = parameter(t, [1.0, 2.0])
        unused = parameter(t, [5.0])
        first = t.optim.SGD([table.weight, wide, unused], lr=0.1)
        second = t.optim.SGD([p], lr=0.1)
        losses = [(table(t.tensor([2, 0, 2])).sum() + wide.sum()), (p * INF).sum()]
        for loss in scaler.scale(losses):
            loss.backward()
        scaler.step(first)
        scaler.step(second)
        scaler.update()
        grad = table.weight.grad.to_dense().tolist()
        return table.weight.tolist(), wide.tolist(), p.tolist(), scaler.get_scale(), grad

    both(program)


def test_scaled_outputs() -> None:
    def program(t: Any) -> Any:
        scaler = t.amp.GradScaler("cpu", init_scale=3.0)
        one, half = t.ones(2), t.ones(1, dtype=t.float16)
        scaled = scaler.scale([one, (half, [one * 2])])
        lazily = scaler.scale(x for x in (one,))
        kinds = [type(scaled), type(scaled[1]), type(scaled[1][1]), type(lazily), iter(lazily)]
        assert scaled[1][0].dtype is t.float16 and kinds[:3] == [list, tuple, list]
        assert kinds[3] is map and kinds[4] is lazily
        return [x.tolist() for x in (scaled[0], scaled[1][0], scaled[1][1][0], *lazily)]

    both(program)
    raised(lambda t: t.amp.GradScaler("cpu").scale(1.0))
    raised(lambda t: t.amp.GradScaler("cpu").scale([t.ones(1), None]))


def test_new_scales_and_states() -> None:
    def program(t: Any) -> Any:
        scaler = t.amp.GradScaler("cpu", growth_interval=5)
        found: list[Any] = [scaler.get_scale(), scaler.is_enabled()]
        scaler.scale(t.ones(1))
        for scale in (2.5, t.tensor(7.0), t.tensor(9.0, dtype=t.float64)):
            scaler.update(scale)
            found.append(scaler.get_scale())
        scaler.set_growth_factor(3.0)
        scaler.set_backoff_factor(0.25)
        scaler.set_growth_interval(1)
        get = scaler.get_growth_factor(), scaler.get_backoff_factor(), scaler.get_growth_interval()
        p = parameter(t, [1.0])
        optimizer = t.optim.SGD([p], lr=0.5)
        for gradient in (2.0, INF):
            backward(t, scaler, p, [gradient])
            scaler.step(optimizer)
            scaler.update()
            found.append(scaler.state_dict())
        fresh, begun = t.amp.GradScaler("cpu"), t.amp.GradScaler("cpu")
        begun.scale(t.ones(1))
        saved = {**scaler.state_dict(), "_growth_tracker": 4}
        for other in (fresh, begun, pickle.loads(pickle.dumps(scaler))):
            other.load_state_dict(saved)
            found += [other.state_dict(), other.scale(t.ones(1)).tolist(), other.state_dict()]
        return found, get

    both(program)


def test_scalers_that_are_not_enabled() -> None:
    def program(t: Any) -> Any:
        found: list[Any] = []
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            scalers = [t.amp.GradScaler(), t.amp.GradScaler("cpu", enabled=False)]
            older = t.cuda.amp.GradScaler(), t.cpu.amp.GradScaler(init_scale=2.0)
            regions = t.cuda.amp.autocast(False), t.cpu.amp.autocast()
        messages = [(one.category, str(one.message)) for one in told]
        for scaler in scalers:
            p = parameter(t, [1.0])
            optimizer = t.optim.SGD([p], lr=0.5)
            backward(t, scaler, p, [INF])
            scaler.unscale_(optimizer)
            scaler.step(optimizer, closure=None)
            scaler.update()
            scaler.load_state_dict({})
            found += [p.tolist(), scaler.state_dict(), scaler.get_scale(), scaler.is_enabled()]
        with regions[0]:
            found.append(str(t.mm(t.ones(1, 1), t.ones(1, 1)).dtype))
        with regions[1]:
            found.append(str(t.mm(t.ones(1, 1), t.ones(1, 1)).dtype))
        return (
            found,
            [(one.is_enabled(), one.get_scale()) for one in older],
            len(messages),
            messages,
        )

    theirs, ours = (program(library) for library in LIBRARIES)
    assert ours == theirs


class _OwnScaling:
    """An optimizer that scales gradients back itself."""

    _step_supports_amp_scaling = True

    def __init__(self, p: Any) -> None:
        self.param_groups = [{"params": [p]}]
        self.seen: list[Any] = []

    def step(self) -> str:
        scale: Any = getattr(self, "grad_scale", None)
        found: Any = getattr(self, "found_inf", None)
        self.seen.append((None if scale is None else scale.item(), found.item()))
        return "stepped"


class _TakesScaler(_OwnScaling):
    def step(self, grad_scaler: Any = None) -> str:
        self.seen.append(grad_scaler.get_scale())
        return "stepped"


def test_optimizers_that_scale_themselves() -> None:
    for t in LIBRARIES:
        p = parameter(t, [1.0])
        scaler, own, takes = t.amp.GradScaler("cpu", 4.0), _OwnScaling(p), _TakesScaler(p)
        for unscales in (False, True):
            backward(t, scaler, p, [2.0 if unscales else INF])
            if unscales:
                p.grad.fill_(8.0)
                scaler.unscale_(own)
            assert scaler.step(own) == "stepped"
            with pytest.warns(FutureWarning, match="stop passing itself as a keyword"):
                assert scaler.step(takes) == "stepped"
            scaler.update()
        assert own.seen == [(4.0, 1.0), (None, 0.0)] and takes.seen == [4.0, 2.0]
        assert p.grad.tolist() == [4.0] and not hasattr(own, "found_inf")


def _begun(t: Any, dtype: str = "float32") -> tuple[Any, Any]:
    """A scaler, and an optimizer whose parameter has a gradient."""
    scaler, p = t.amp.GradScaler("cpu"), parameter(t, [1.0], dtype)
    scaler.scale((p * 2).sum()).backward()
    return scaler, t.optim.SGD([p], lr=0.1)


def _in_order(*names: str) -> Callable[[Any], None]:
    """Calls of methods of a scaler, with an optimizer but for `update` and `pickle`."""

    def program(t: Any) -> None:
        scaler, optimizer = _begun(t)
        for name in names:
            if name == "pickle":
                pickle.dumps(scaler)
            elif name == "update":
                scaler.update()
            else:
                getattr(scaler, name)(optimizer)

    return program


WRONG: dict[str, Callable[[Any], Any]] = {
    "unscaled twice": _in_order("unscale_", "unscale_"),
    "unscaled after a step": _in_order("step", "unscale_"),
    "two steps": _in_order("step", "step"),
    "nothing to update by": _in_order("update"),
    "updated twice": _in_order("step", "update", "update"),
    "pickled between": _in_order("step", "pickle"),
    "nothing scaled": lambda t: t.amp.GradScaler("cpu").step(t.optim.SGD([parameter(t, [1.0])])),
    "unscaled first": lambda t: t.amp.GradScaler("cpu").unscale_(_begun(t)[1]),
    "updated first": lambda t: t.amp.GradScaler("cpu").update(),
    "no gradients": lambda t: _begun(t)[0].step(t.optim.SGD([parameter(t, [1.0])])),
    "a closure": lambda t: _begun(t)[0].step(_begun(t)[1], closure=lambda: 1.0),
    "float16": lambda t: _in_half(t),
    "growth": lambda t: t.amp.GradScaler("cpu", growth_factor=1.0),
    "backoff": lambda t: t.amp.GradScaler("cpu", backoff_factor=1.0),
    "no state": lambda t: t.amp.GradScaler("cpu").load_state_dict({}),
    "several scales": lambda t: _begun(t)[0].update(t.ones(2)),
    "a scale in a list": lambda t: _begun(t)[0].update(t.ones(1, 1)),
    "a scale with gradients": lambda t: _begun(t)[0].update(parameter(t, [1.0])),
    "a scale of another device": lambda t: _elsewhere(t),
}


def _in_half(t: Any) -> None:
    scaler, optimizer = _begun(t, "float16")
    scaler.step(optimizer)


def _elsewhere(t: Any) -> None:
    scaler, _ = _begun(t)
    scaler._device = "cuda"
    scaler.update(t.ones(()))


def test_errors() -> None:
    for program in WRONG.values():
        raised(program)


def test_kinds_of_devices() -> None:
    for kind in ("cpu", "cuda", "cuda:0", "meta", "mps"):
        assert stand_in.amp.is_autocast_available(kind) == torch.amp.is_autocast_available(kind)
    raised(lambda t: t.amp.is_autocast_available("nonsense"))
