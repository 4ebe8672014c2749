"""Which types stand in for which, and the smallest type that holds two.

Follows PyTorch's Type::isSubtypeOfExt and unifyTypes (aten/src/ATen/core/type.cpp).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from torchscript_dialect.types.containers import (
    DictType,
    FutureType,
    ListType,
    OptionalType,
    TupleType,
    UnionType,
    optional_of,
    union_of,
)
from torchscript_dialect.types.core import (
    ANY,
    ANY_CLASS,
    ANY_ENUM,
    ANY_LIST,
    ANY_TUPLE,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    NUMBER,
    TorchScriptType,
)
from torchscript_dialect.types.named import ClassType, EnumType, InterfaceType, VarType
from torchscript_dialect.types.tensor_type import Dims, TensorProperties, TensorType

_NUMBERS = (INT, FLOAT, COMPLEX)


Implements = Callable[[ClassType | InterfaceType, InterfaceType], bool]
_implements: ContextVar[Implements | None] = ContextVar("implements", default=None)


@contextmanager
def with_interfaces(implements: Implements) -> Generator[None]:
    """While the body runs, `implements` says which classes have the methods of an interface. Elsewhere any class may, since what
    classes hold is not known from their types.
    """
    token = _implements.set(implements)
    try:
        yield
    finally:
        _implements.reset(token)


def is_subtype(sub: TorchScriptType, sup: TorchScriptType) -> bool:
    """Whether a value of type `sub` may stand where `sup` is expected."""
    if sub == sup or sup == ANY:
        return True
    if isinstance(sub, UnionType):
        return all(is_subtype(member, sup) for member in sub.members)
    if isinstance(sup, UnionType):
        if isinstance(sub, OptionalType):
            return is_subtype(sub.element, sup) and is_subtype(NONE, sup)
        return any(is_subtype(sub, member) for member in sup.members)
    if isinstance(sup, OptionalType):
        return sub == NONE or is_subtype(
            sub.element if isinstance(sub, OptionalType) else sub, sup.element
        )
    if isinstance(sub, TensorType) and isinstance(sup, TensorType):
        return _tensor_is_subtype(sub.data, sup.data)
    if sup == NUMBER:
        return sub in _NUMBERS
    if sup == ANY_LIST:
        return isinstance(sub, ListType)
    if sup == ANY_TUPLE:
        return isinstance(sub, TupleType)
    if sup == ANY_CLASS:
        return isinstance(sub, ClassType)
    if sup == ANY_ENUM:
        return isinstance(sub, EnumType)
    if isinstance(sup, InterfaceType):
        implements = _implements.get()
        return isinstance(sub, (ClassType, InterfaceType)) and (
            implements is None or implements(sub, sup)
        )
    if isinstance(sub, TupleType) and isinstance(sup, TupleType):
        return _tuple_is_subtype(sub, sup)
    if isinstance(sub, ListType) and isinstance(sup, ListType):
        return _same_but_refined(sub.element, sup.element)
    if isinstance(sub, DictType) and isinstance(sup, DictType):
        return sub.key == sup.key and _same_but_refined(sub.value, sup.value)
    if isinstance(sub, FutureType) and isinstance(sup, FutureType):
        return is_subtype(sub.element, sup.element)
    return False


def _same_but_refined(sub: TorchScriptType, sup: TorchScriptType) -> bool:
    """Containers are invariant, except that a refined tensor is a tensor."""
    if sub == sup:
        return True
    return isinstance(sub, TensorType) and isinstance(sup, TensorType) and is_subtype(sub, sup)


def _tuple_is_subtype(sub: TupleType, sup: TupleType) -> bool:
    if sup.field_names and sub.field_names != sup.field_names:
        return False
    if len(sub.elements) != len(sup.elements):
        return False
    return all(is_subtype(a, b) for a, b in zip(sub.elements, sup.elements, strict=True))


def _tensor_is_subtype(sub: TensorProperties, sup: TensorProperties) -> bool:
    return (
        sup.dtype in (None, sub.dtype)
        and sup.device in (None, sub.device)
        and sup.requires_grad in (None, sub.requires_grad)
        and sup.undefined in (None, sub.undefined)
        and _dims_are_refined(sub.sizes, sup.sizes)
        and _dims_are_refined(sub.strides, sup.strides)
    )


def _dims_are_refined(sub: Dims | None, sup: Dims | None) -> bool:
    if sup is None:
        return True
    if sub is None or len(sub) != len(sup):
        return False
    return all(b is None or a == b for a, b in zip(sub, sup, strict=True))


def _or_none(type_: TorchScriptType) -> TorchScriptType:
    """As `optional_of`, but a Union stays one member of an Optional, as where PyTorch unifies types."""
    if isinstance(type_, UnionType) and NONE not in type_.members.data:
        return OptionalType(type_)
    return optional_of(type_)


def unify_types(
    a: TorchScriptType, b: TorchScriptType, *, default_to_union: bool = False
) -> TorchScriptType | None:
    """The smallest type that holds both, or None where TorchScript does not look for one. Of two that are equal it is the second, as in
    PyTorch, whose early exits tell types apart by their objects.
    """
    if a == b:
        return b
    if isinstance(a, TensorType) and isinstance(b, TensorType):
        return TensorType(_merge(a.data, b.data))
    if is_subtype(a, b):
        return b
    if is_subtype(b, a):
        return a
    if a == NONE:
        return _or_none(b)
    if b == NONE:
        return _or_none(a)
    if isinstance(a, OptionalType) or isinstance(b, OptionalType):
        inner = unify_types(_unwrap(a), _unwrap(b))
        if inner is not None:
            return _or_none(inner)
    if (
        isinstance(a, TupleType)
        and isinstance(b, TupleType)
        and len(a.elements) == len(b.elements)
        and a.qualified_name == b.qualified_name
    ):
        parts = [
            unify_types(x, y, default_to_union=default_to_union)
            for x, y in zip(a.elements, b.elements, strict=True)
        ]
        known = [part for part in parts if part is not None]
        if len(known) == len(parts):
            return a.with_contained(tuple(known))
    if isinstance(a, ListType) and isinstance(b, ListType):
        element = unify_types(a.element, b.element)
        if isinstance(element, TensorType) and is_subtype(a.element, element):
            return ListType(element)
    if default_to_union:
        return union_of((a, b))
    return None


def _unwrap(type_: TorchScriptType) -> TorchScriptType:
    return type_.element if isinstance(type_, OptionalType) else type_


def unify_all(types: Iterable[TorchScriptType]) -> TorchScriptType | None:
    """`unify_types` over several types; None for none of them or where one step fails."""
    result: TorchScriptType | None = None
    for index, type_ in enumerate(types):
        result = type_ if index == 0 else unify_types(result, type_)  # pyright: ignore[reportArgumentType]
        if result is None:
            return None
    return result


def _merge(a: TensorProperties, b: TensorProperties) -> TensorProperties:
    return TensorProperties(
        a.dtype if a.dtype == b.dtype else None,
        _merge_dims(a.sizes, b.sizes),
        _merge_dims(a.strides, b.strides),
        a.device if a.device == b.device else None,
        a.requires_grad if a.requires_grad == b.requires_grad else None,
        a.undefined if a.undefined == b.undefined else None,
    )


def _merge_dims(a: Dims | None, b: Dims | None) -> Dims | None:
    if a is None or b is None or len(a) != len(b):
        return None
    return tuple(x if x == y else None for x, y in zip(a, b, strict=True))


def unshaped(type_: TorchScriptType) -> TorchScriptType:
    """The type with every refined tensor in it made plain `Tensor`."""
    if isinstance(type_, TensorType):
        return TensorType()
    contained = type_.contained
    if not contained:
        return type_
    return type_.with_contained(tuple(unshaped(part) for part in contained))


_CONTAINERS: dict[type[TorchScriptType], str] = {DictType: "a dict", FutureType: "a future"}
"""What messages call a formal type."""
TypeEnv = dict[str, TorchScriptType]
"""What the type variables of a schema stand for."""


def match_type_variables(
    formal: TorchScriptType, actual: TorchScriptType, env: TypeEnv
) -> str | None:
    """Bind the type variables of `formal` so that `actual` fits; why not, or None if it does.

    Follows matchTypeVariables in aten/src/ATen/core/type.cpp.
    """
    if isinstance(formal, VarType):
        name = formal.qualified_name.data
        bound = env.get(name)
        if bound is None:
            env[name] = actual
            return None
        unified = unify_types(bound, actual)
        if unified is None:
            return (
                f"Type variable '{name}' previously matched to type {bound.annotation_str} is"
                f" matched to type {actual.annotation_str}"
            )
        return None  # The variable keeps its type: the caller finds that `actual` is not of it.
    if not has_type_variables(formal):
        return None
    if isinstance(formal, OptionalType):
        if actual == NONE:
            return None
        inner = actual.element if isinstance(actual, OptionalType) else actual
        return match_type_variables(formal.element, inner, env)
    if isinstance(formal, ListType) and isinstance(actual, TupleType) and actual.contained:
        first = actual.contained[0]
        if all(part == first for part in actual.contained):
            return match_type_variables(formal.element, first, env)
    if type(formal) is not type(actual) or len(formal.contained) != len(actual.contained):
        wanted = _CONTAINERS.get(type(formal)) or formal.annotation_str
        return f"Cannot match {wanted} to {actual.annotation_str}"
    for inner_formal, inner_actual in zip(formal.contained, actual.contained, strict=True):
        why_not = match_type_variables(inner_formal, inner_actual, env)
        if why_not is not None:
            return why_not
    return None


def has_type_variables(type_: TorchScriptType) -> bool:
    """Whether a type variable occurs in the type."""
    return isinstance(type_, VarType) or any(map(has_type_variables, type_.contained))


def evaluate_type_variables(
    type_: TorchScriptType, env: Mapping[str, TorchScriptType]
) -> TorchScriptType | None:
    """The type with its variables replaced by what they stand for; None where one stands for nothing."""
    if isinstance(type_, VarType):
        return env.get(type_.qualified_name.data)
    if not type_.contained:
        return type_
    parts = [evaluate_type_variables(part, env) for part in type_.contained]
    known = tuple(part for part in parts if part is not None)
    return type_.with_contained(known) if len(known) == len(parts) else None
