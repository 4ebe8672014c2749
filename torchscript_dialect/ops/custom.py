"""Operators from outside the package (PyTorch: torch.library, `RegisterOperators`)."""

from __future__ import annotations

import re
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.composite import composite
from torchscript_dialect.ops.custom_results import Mismatch, converter
from torchscript_dialect.ops.effects import Effect
from torchscript_dialect.ops.pointwise.pointwise import declaration as pointwise_declaration
from torchscript_dialect.ops.pointwise.pointwise import make_shape_rule
from torchscript_dialect.ops.pointwise.pointwise_declaration import Body, Promotion
from torchscript_dialect.ops.pointwise.pointwise_kernels import make_kernel
from torchscript_dialect.ops.registry import TOUCHED, Kernel, Operator, ShapeRule
from torchscript_dialect.types.containers import ListType, TupleType
from torchscript_dialect.types.core import BOOL, DEVICE
from torchscript_dialect.types.function_schema import NO_DEFAULT, Argument, FunctionSchema


def register_operator(
    schema: str,
    kernel: Kernel | None = None,
    *,
    shape: ShapeRule | None = None,
    scalar: Body | None = None,
    promotion: str = "default",
    decompose: str | None = None,
    lower: Any = None,
    grad: str | None = None,
    effects: str | None = None,
    touches: str | None = None,
) -> Operator:
    """Add an operator: `register_operator("my::op(Tensor a, float b) -> Tensor", kernel)`.

    Programs call it as `torch.ops.my.op`, in Python functions and in source text. What it does is said in one of three ways:

    - `kernel` takes the operands as runtime values (`ts.Tensor`, numbers, lists), positional and all given, and returns the
      result; a NumPy array will do for a tensor, a tuple for several results. `shape` takes what is known of the operands, in one
      sequence, and gives what is known of the result (Note [Shape rules] in ops/shapes.py); without it the result is known when it is
      there.
    - `scalar` is the body of a pointwise operator, `lambda m, x, y: ...` over one element of each operand (Note [Scalar bodies]
      in ops/pointwise/scalar_math.py). Kernel, broadcasting, shape and compiled code follow; `promotion` names the rule for dtypes:
      "default", "int_to_float", "comparison", "complex_to_float" or "bool_to_int".
    - `decompose` is TorchScript source of one function with the schema's arguments. Kernel and shape follow.

    `lower` says how kernels compute it: a class of rewrite patterns, or where it is as `module:Class` (Note [Lowering of operators]
    in lowering/linalg/operator_lowering.py).

    `grad` is TorchScript source of the gradients of the inputs. `effects` are what the schema does not tell, separated by commas: an
    operator that "acts" (prints, waits, may stop the run) is never removed, merged or moved, and may write to all that its operands
    reach; one that "observes" depends on what others do outside; one that is "random" is not merged with its equal. `touches` is what
    the kernel reaches outside the program ("files", "processes", "network"), which programs from strangers may not.

    Raises:
        ValueError: the operator exists, its name has no namespace, a default is no value of its argument, nothing says what it does
            or two things do, or there is no such promotion, effect or permission.
        TextError: the schema does not parse.
    """
    ways = {"kernel": kernel, "scalar": scalar, "decompose": decompose}
    given = [name for name, way in ways.items() if way is not None]
    if len(given) != 1:
        told = " and ".join(given) if given else "nothing"
        raise ValueError(
            f"{schema}: {told} says what the operator does; give one of {', '.join(ways)}"
        )
    _check_namespace(schema)
    rule, acts = _promotion(promotion), None if effects is None else _effects(effects)
    if touches is not None and touches not in TOUCHED:
        raise ValueError(f"{touches!r} cannot be touched; there are {', '.join(TOUCHED)}")
    _check_schema(FunctionSchema.parse(schema))
    operator = registry.register(schema)
    known: dict[str, Any] = {
        "grad": grad,
        "lower": lower,
        "effects": acts,
        "touches": touches,
    }
    if shape is not None:
        known["shape"] = shape
    if kernel is not None:
        registry.attach(operator.qualified_name, kernel=_checked(operator, kernel), **known)
    elif decompose is not None:
        composite(operator.qualified_name, decompose, **known)
    else:
        assert scalar is not None
        registry.attach(
            operator.qualified_name,
            pointwise=pointwise_declaration(rule, scalar),
            derive_kernel=make_kernel,
            derive_shape=make_shape_rule,
            **known,
        )
    return operator


def define_operator(schema: str, *, acts: bool = False) -> Operator:
    """Add an operator of which only the schema is known; `implement_operator` says the rest. With `acts` it may do anything.

    Raises:
        ValueError: the operator exists, or its name has no namespace.
        TextError: the schema does not parse.
    """
    _check_namespace(schema)
    _check_schema(FunctionSchema.parse(schema))
    operator = registry.register(schema)
    registry.attach(operator.qualified_name, effects=Effect.ACTS if acts else None)
    return operator


def implement_operator(
    qualified_name: str, *, kernel: Kernel | None = None, shape: ShapeRule | None = None
) -> None:
    """Say what an operator of `define_operator` does, or what is known of its results.

    Raises:
        ValueError: there is no such operator from outside the package, or that was said before.
    """
    operator = registry.find(qualified_name)
    if operator is None or not registry.is_registered(qualified_name):
        raise ValueError(f"{qualified_name} was not defined in this process")
    for what, given in (("kernel", kernel), ("shape", shape)):
        if given is not None and getattr(operator.rules, what) is not None:
            raise ValueError(f"{qualified_name} has a {what} already")
    found = None if kernel is None else _checked(operator, kernel)
    registry.renew(qualified_name, kernel=found, shape=shape)


_NAME = re.compile(r"[A-Za-z_]\w*::[A-Za-z_]\w*(\.\w+)?", re.ASCII)


def _check_namespace(schema: object) -> None:
    if not isinstance(schema, str):
        raise TypeError(f"a schema is text, and no {type(schema).__name__}")
    name, bracket, _ = schema.partition("(")
    if "::" not in name:
        raise ValueError(f"{schema}: the name of an operator has a namespace, as in my::op")
    if not bracket:
        raise ValueError(f"{schema}: a schema has arguments after the name, as in my::op(Tensor x)")
    if not _NAME.fullmatch(name.strip()):
        raise ValueError(f"{schema}: {name!r} is no name of an operator, as my::op.overload is")


def _promotion(name: str) -> Promotion:
    try:
        return Promotion[name.upper()]
    except KeyError:
        names = ", ".join(rule.name.lower() for rule in Promotion)
        raise ValueError(f"there is no promotion {name!r}; there are {names}") from None


def _effects(names: str) -> Effect:
    found = Effect.NONE
    for name in names.split(","):
        try:
            found |= Effect[name.strip().upper()]
        except KeyError:
            known = ", ".join(effect.name.lower() for effect in Effect if effect.name)
            raise ValueError(f"there is no effect {name.strip()!r}; there are {known}") from None
    return found


def _checked(operator: Operator, kernel: Kernel) -> Kernel:
    """The kernel, with its results as the values that the schema promises; anything else that it returns is an error."""
    schema = operator.schema
    if schema.is_varret:
        return kernel
    types = [result.type for result in schema.returns]
    promised = types[0] if len(types) == 1 else TupleType.get(types)
    wanted = converter(promised)

    def converted(*operands: Any) -> Any:
        result = kernel(*operands)
        try:
            return wanted(result)
        except Mismatch as error:
            raise RuntimeError(
                f"the kernel of {schema} returned {error}, and not {promised.repr_str}"
            ) from None

    def nothing(*operands: Any) -> Any:
        kernel(*operands)

    return converted if types else nothing


def _check_schema(schema: FunctionSchema) -> None:
    """Refuse defaults that are no values of their arguments, and arguments that no call could leave out.

    Raises:
        ValueError: there is such an argument.
    """
    before = None
    for argument in schema.arguments:
        if argument.default is NO_DEFAULT:
            if before is not None and not argument.kwarg_only:
                raise ValueError(f"{schema}: {argument.name} has no default, and {before} has")
            continue
        before = argument.name
        try:
            _check_default(argument)
        except Mismatch as error:
            raise ValueError(
                f"{schema}: the default of {argument.name} is {error}, and not {argument.type.repr_str}"
            ) from None


def _check_default(argument: Argument) -> None:
    default, type_ = argument.default, argument.type
    is_list = isinstance(argument.default, list)
    if isinstance(type_, ListType) and argument.list_size is not None:
        type_ = type_ if is_list else type_.element
    if type_ == BOOL and type(default) is int and default in (0, 1):
        return
    if type_ != DEVICE:
        converter(type_)(default)
