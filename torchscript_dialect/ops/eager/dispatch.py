"""Calls of operators from Python: the first overload that the arguments fit runs, as PyTorch's eager functions do.

`call("aten::add", (x, 2))` tries the overloads of the table in order, first with arguments of exactly the declared types, then
with the conversions that Python callers expect: an int for a float, a 0-d tensor for a number, a `dtype` for its number, a name
for a device, an array for a tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, cast

import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.autocast.autocast_calls import call_in_region
from torchscript_dialect.ops.eager.call_cache import MISFIT, cached_calls, remember, result_class
from torchscript_dialect.ops.eager.older_forms import as_schemas_have_it, is_factor_before_tensor
from torchscript_dialect.ops.eager.python_arguments import Misfit, Signature
from torchscript_dialect.ops.eager.recording import RECORDERS, RECORDING, Recorder, recording
from torchscript_dialect.ops.misfits import UNFORESEEN, misfit
from torchscript_dialect.ops.registry import Kernel, Operator
from torchscript_dialect.tensor.allocation import allocation_failure
from torchscript_dialect.tensor.autocast_region import REGION
from torchscript_dialect.tensor.inference import INSIDE, is_inference_mode_enabled, mark_results
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import is_in_use
from torchscript_dialect.types.containers import ListType
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.utils.memo import Memo


@lru_cache(maxsize=1 << 14)
def _signatures(name: str) -> tuple[Signature, ...]:
    """The overloads that Python calls: `aten::eq.int` and its like are TorchScript's alone, where others take tensors. One overload
    where the name says which: `aten::add.Tensor`, `aten::relu.default`.
    """
    if "." in name:
        operator = overload(*name.split("."))
        return () if operator is None else (Signature(operator),)
    overloads = registry.lookup(name)
    if name != "aten::result_type" and any(map(_is_of_tensors, overloads)):
        of_tensors = [each for each in overloads if "Tensor" in each.text]
        overloads = of_tensors if name.startswith("aten::") else overloads
    return tuple(map(Signature, overloads))


registry.when_registered(_signatures.cache_clear)


def overload(name: str, called: str) -> Operator | None:
    """An overload by what Python calls it: `default` is the one without a name."""
    return registry.find(name if called == "default" else f"{name}.{called}")


def _is_of_tensors(operator: Operator) -> bool:
    return "Tensor" in operator.text.rpartition(" -> ")[0]


_ALIASES = {
    "input": "self", "x": "self", "a": "self", "x1": "self", "x2": "other",
    "axis": "dim", "keepdims": "keepdim",
}  # fmt: skip
"""What PyTorch's Python functions call arguments of the schemas, and what NumPy's do."""


def caller(name: str) -> Callable[..., Any]:
    """What calls the operator `name` as `call` does."""
    cache = cached_calls(name)

    def run(*args: Any, **kwargs: Any) -> Any:
        if not kwargs and not RECORDERS:
            cached = cache.get(tuple(map(type, args)))
            if cached is not None:
                kernel, defaults, made, finish, mark = cached
                try:
                    result = kernel(*args, *defaults) if made is None else made(args)
                except UNTOLD as error:
                    raise told(name, error) from None
                if result is not MISFIT:
                    if INSIDE and is_inference_mode_enabled():
                        mark(result, args)
                    return result if finish is None else finish(result)
        return _call_by_schemas(name, args, kwargs)

    return run


def unary_caller(name: str) -> Callable[[Tensor], Any]:
    """`caller` of an operator with one operand."""
    cache = cached_calls(name)

    def run(x: Tensor) -> Any:
        cached = cache.get((x.__class__,))
        if cached is None or cached.call is not None or RECORDERS:
            return _call_by_schemas(name, (x,), {})
        try:
            result = cached.kernel(x, *cached.defaults)
        except UNTOLD as error:
            raise told(name, error) from None
        if INSIDE and is_inference_mode_enabled():
            cached.mark(result, (x,))
        return result

    return run


def binary_caller(name: str) -> Callable[[Tensor, Any], Any]:
    """`caller` of an operator with two operands. What the second one is may know what to do with a tensor, where the operator does
    not know what to do with it.
    """
    cache = cached_calls(name)

    def run(x: Tensor, y: Any) -> Any:
        cached = cache.get((x.__class__, y.__class__))
        if cached is None or cached.call is not None or RECORDERS:
            try:
                return _call_by_schemas(name, (x, y), {})
            except NoOverloadError:
                if isinstance(y, _OPERANDS):
                    raise
                return NotImplemented
        try:
            result = cached.kernel(x, y, *cached.defaults)
        except UNTOLD as error:
            raise told(name, error) from None
        if INSIDE and is_inference_mode_enabled():
            cached.mark(result, (x, y))
        return result

    return run


_OPERANDS = (Tensor, int, float, complex, np.ndarray, np.generic)
UNTOLD = (MemoryError, *UNFORESEEN)
"""What a kernel raises that may not say what the user has to know."""


def told(name: str, error: Exception) -> Exception:
    """What is raised where a kernel raised an error: one that says so where there was no memory for a result, or operands misfit."""
    failure = allocation_failure(error)
    return (misfit(name, error) or error) if failure is None else RuntimeError(f"{name}: {failure}")


_callers: Memo[str, Callable[..., Any]] = Memo(1 << 12)


def call(name: str, args: Sequence[Any], kwargs: Mapping[str, Any] | None = None) -> Any:
    """Run the operator `name` on Python arguments.

    Raises:
        TypeError: no overload takes the arguments; lists them and says why not.
        RuntimeError: the one overload that is named does not take them; the operator has no kernel, or no memory holds the result;
            and whatever the kernel raises.
    """
    run = _callers.get(name)
    if run is None:
        run = _callers[name] = caller(name)
    return run(*args, **(kwargs or {}))


def _call_by_schemas(name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """The same, with an overload that is looked for; in inference mode what is made are inference tensors."""
    try:
        if is_factor_before_tensor(name, args):
            raise NoOverloadError
        recorder = RECORDING.recorder
        if recorder is not None:
            return _recorded(recorder, name, args, kwargs)
        operator, operands = resolve(name, args, kwargs)
        run = _kernel(operator)
        if REGION.casts is not None:
            run = partial(call_in_region, operator, run, REGION.casts)
        result = _named(operator, run(*operands))
    except NoOverloadError:
        meant = as_schemas_have_it(name, args, kwargs)
        if meant is None:
            raise
        return _call_by_schemas(name, tuple(meant[0]), meant[1])
    except UNTOLD as error:
        raise told(name, error) from None
    if INSIDE and is_inference_mode_enabled():
        mark_results(result, (*args, *kwargs.values()))
    if kwargs.get("requires_grad"):
        result.requires_grad = True
    return result


def _kernel(operator: Operator) -> Kernel:
    kernel = operator.recorded if is_in_use() else operator.current_kernel
    if kernel is None:
        raise RuntimeError(f"{operator.qualified_name} is not supported: it has no kernel")
    return kernel


def _recorded(recorder: Recorder, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Run an operator under a recorder."""
    with recording(None):
        operator, operands = resolve(name, args, kwargs)
    given = _given(name, operator, args, kwargs, operands)
    run = partial(_record, recorder, operator, operands, given)
    if REGION.casts is not None:
        return _named(operator, call_in_region(operator, run, REGION.casts, *operands))
    return _named(operator, run(*operands))


def _record(
    recorder: Recorder,
    operator: Operator,
    before: Sequence[Any],
    given: Sequence[Any],
    *operands: Any,
) -> Any:
    """Run an operator under a recorder, with operands of which some may have taken the place of those `before`."""
    if len(given) == len(before):
        changes = zip(given, before, operands, strict=True)
        given = [one if new is old else new for one, old, new in changes]
    return recorder.operator(operator, operands, given, _kernel(operator))


def _given(
    name: str,
    operator: Operator,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    operands: Sequence[Any],
) -> list[Any]:
    """For each operand of a call that was resolved, what the caller gave for it."""
    signatures = _signatures(name)
    signature = next(one for one in signatures if one.operator is operator)
    if signature.is_vararg:
        return list(args)
    return signature.given(args, _renamed(signatures, kwargs), operands)


class NoOverloadError(TypeError):
    """None of the overloads of an operator takes the arguments of a call."""


def resolve(
    name: str, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> tuple[Operator, list[Any]]:
    """The overload that the arguments fit and its operands; NoOverloadError where there is none."""
    signatures = _signatures(name)
    if not signatures:
        raise RuntimeError(f"there is no operator {name}")
    if kwargs:
        kwargs = _renamed(signatures, kwargs)
    reasons: list[str] = []
    for convert in (False, True):
        for signature in signatures:
            try:
                operands = signature.bind(args, kwargs, convert)
            except Misfit as misfit:
                if convert:
                    reasons.append(f"  {signature.operator.text}: {misfit}")
                continue
            if not kwargs:
                remember(name, signatures, signature.operator, args, operands, convert)
            return signature.operator, operands
    if "." in name:
        raise RuntimeError(f"{name} does not take these arguments:\n" + "\n".join(reasons))
    raise NoOverloadError(f"no overload of {name} takes these arguments:\n" + "\n".join(reasons))


@lru_cache(maxsize=1 << 10)
def _names_of(signatures: tuple[Signature, ...]) -> frozenset[str]:
    """What arguments are called in schemas."""
    return frozenset(name for signature in signatures for name, _, _ in signature.arguments)


def _renamed(signatures: tuple[Signature, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
    known = _names_of(signatures)
    renamed: dict[str, Any] = {}
    for key, value in kwargs.items():
        if key not in known:
            key = _ALIASES.get(key, key)
        if key == "requires_grad" and key not in known:
            continue
        if key == "out" and value is None:
            continue
        if key == "out" and isinstance(value, (list, tuple)):
            outs = cast("Sequence[Any]", value)
            if key not in known or len(outs) > 1:
                renamed.update(_several_outs(signatures, outs))
                continue
        renamed[key] = value
    return renamed


def _several_outs(signatures: Sequence[Signature], values: Sequence[Any]) -> dict[str, Any]:
    """`out=(values, indices)` by the names of the tensors that are written to."""
    for signature in signatures:
        schema = signature.operator.schema
        names = [
            argument.name for argument in schema.arguments if argument.kwarg_only and argument.alias
        ]
        if len(names) == len(values) == len(schema.returns):
            return dict(zip(names, values))
    return {"out": values}


def _named(operator: Operator, result: Any) -> Any:
    """Several results as a named tuple, where the schema names them."""
    if result.__class__ is not tuple:
        return result
    make = result_class(operator)
    return result if make is None else make(result)


def python_caller(name: str) -> Callable[..., Any]:
    """`caller` for functions and methods of Python's, which give tuples where operators give lists of tensors."""
    run = caller(name)
    returns = [one.type for operator in registry.lookup(name) for one in operator.schema.returns]
    if ListType(TENSOR) not in returns:
        return run

    def run_for_tuple(*args: Any, **kwargs: Any) -> Any:
        found = run(*args, **kwargs)
        return tuple(cast("list[Any]", found)) if found.__class__ is list else found

    return run_for_tuple


def function(
    name: str, call_of: Callable[[str], Callable[..., Any]] = caller
) -> Callable[..., Any]:
    """A Python function that calls the operator `name` of `aten`; it carries the operator's name for the compiler."""
    qualified_name = name if "::" in name else f"aten::{name}"

    run = call_of(qualified_name)
    run.__name__ = run.__qualname__ = qualified_name.partition("::")[2]
    run.__torchscript_op__ = qualified_name  # type: ignore[attr-defined]
    return run
