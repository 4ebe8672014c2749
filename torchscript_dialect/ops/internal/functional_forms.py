"""Operators that give what others write in place, or write it to `out`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Kernel, Operator
from torchscript_dialect.ops.variants import store_out
from torchscript_dialect.ops.views.views import clone


def _copied(value: Any) -> Any:
    return [_copied(one) for one in value] if isinstance(value, list) else clone(value, None)  # pyright: ignore[reportUnknownVariableType]


def _of(base: str) -> tuple[Kernel, list[int]]:
    """The kernel of an operator, and the places of what it writes to."""
    found = registry.find(base)
    assert found is not None and found.kernel is not None
    places = [n for n, argument in enumerate(found.schema.arguments) if argument.alias is not None]
    return found.kernel, places


def _functional(base: str) -> Callable[[Operator], Kernel]:
    """Runs on copies, which are results behind those of the operator."""

    def derive(operator: Operator) -> Kernel:
        run, places = _of(base)
        count = len(operator.schema.returns) - len(places)

        def kernel(*operands: Any) -> tuple[Any, ...]:
            given = list(operands)
            for place in places:
                given[place] = _copied(given[place])
            found: Any = run(*given)
            results: Any = found if count > 1 else (found,) * count
            return (*results, *(given[place] for place in places))

        return kernel

    return derive


def _to_out(base: str) -> Callable[[Operator], Kernel]:
    """Runs on copies: nothing but `out` is written to, though schemas say so. It gets the first of what is written in place, or the
    results.
    """

    def derive(operator: Operator) -> Kernel:
        run, places = _of(base)
        count = len(operator.schema.returns)

        def kernel(*operands: Any) -> Any:
            given, outs = list(operands[: -count or -1]), operands[-count or -1 :]
            for place in places:
                given[place] = _copied(given[place])
            found = run(*given)
            if count == 1:
                store_out(outs[0], found)
                return outs[0]
            targets, made = (outs, found) if count else (outs[0], given[0])
            for target, one in zip(targets, made, strict=True):
                store_out(target, one)
            return outs if count else None

        return kernel

    return derive


for _name, _base in (
    ("rrelu_with_noise_functional", "rrelu_with_noise"),
    ("_native_batch_norm_legit_functional", "_native_batch_norm_legit"),
    ("_batch_norm_with_update_functional", "_batch_norm_with_update"),
    ("_fused_moving_avg_obs_fq_helper_functional", "_fused_moving_avg_obs_fq_helper"),
):
    registry.attach(f"aten::{_name}", derive_kernel=_functional(f"aten::{_base}"))
registry.attach(
    "aten::_fused_moving_avg_obs_fq_helper.out",
    derive_kernel=_to_out("aten::_fused_moving_avg_obs_fq_helper"),
)
for _name in ("_amp_foreach_non_finite_check_and_unscale", "_amp_update_scale"):
    registry.attach(f"aten::{_name}", derive_kernel=_functional(f"aten::{_name}_"))
    registry.attach(f"aten::{_name}.out", derive_kernel=_to_out(f"aten::{_name}_"))
for _optimizer in ("adagrad", "adam", "adamw", "sgd"):
    for _overload, _out in (("", ".out"), (".tensor_lr", ".tensor_lr_out")):
        _base = f"aten::_fused_{_optimizer}_{_overload}"
        _name = f"aten::_fused_{_optimizer}"
        registry.attach(f"{_name}{_overload}", derive_kernel=_functional(_base))
        registry.attach(f"{_name}{_out}", derive_kernel=_to_out(_base))
