"""The operator table: every operator's schema, and the rules that say what it does.

Schemas are facts of PyTorch's interface and stand in `schemas.txt`, in the order in which overloads are tried. The family
files of this folder attach rules to them by qualified name (`aten::add.Tensor`). Reading the table costs one split of a text; a
schema is parsed when somebody asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import import_module
from pkgutil import get_data
from typing import Any, NamedTuple, TypeVar

from torchscript_dialect.ops.aliasing import Aliasing, aliasing_of_schema
from torchscript_dialect.ops.effects import Effect, effects_of_schema
from torchscript_dialect.ops.large import (
    OF_MANY_PLACES,
    suits_large,
    with_large,
    with_many_places,
)
from torchscript_dialect.ops.refused_dtypes import checked, checked_rule
from torchscript_dialect.tensor.device_array import is_device_in_use
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.utils.compilation import compilation
from torchscript_dialect.utils.properties import cached_property

Kernel = Callable[..., Any]
"""Takes the operands as runtime values, positional and all given; returns the result (a tuple for several)."""

AnyKernel = (
    Callable[[], Any]
    | Callable[[Any], Any]
    | Callable[[Any, Any], Any]
    | Callable[[Any, Any, Any], Any]
    | Callable[[Any, Any, Any, Any], Any]
    | Callable[[Any, Any, Any, Any, Any], Any]
    | Callable[[Any, Any, Any, Any, Any, Any], Any]
    | Callable[[Any, Any, Any, Any, Any, Any, Any], Any]
)
"""A kernel by its number of operands, from which the types of a lambda's parameters follow."""

KernelFunction = TypeVar("KernelFunction", bound=Callable[..., Any])

ShapeRule = Callable[[Sequence[Any]], Any]
"""Takes what is known of the operands, positional and all given: Note [Shape rules] in shapes.py."""


TOUCHED = ("files", "processes", "network")
"""What an operator may reach outside the program."""


POINTWISE_LOWERING = "lowering.linalg.pointwise:PointwiseLowering"
IN_PLACE_LOWERING = "lowering.linalg.in_place:InPlace"
REDUCTION_LOWERING = "lowering.linalg.reduction:ReductionLowering"


class Inline(NamedTuple):
    """A Python expression that gives what a kernel gives, where the operands have the types of the schema: `{0} + {1}`."""

    text: str
    """With the operands by number, and objects that it uses by name."""
    uses: Mapping[str, Any]
    wraps: bool = False
    """Whether the result is an int that may have more than 64 bits, which are cut off."""
    by_constant: str | None = None
    """What suffices where the second operand is a constant above 0 and below 2 ** 62."""


@dataclass(slots=True)
class Rules:
    """What is known of an operator beyond its schema; None where nothing is."""

    kernel: Kernel | None = None
    quantized: Kernel | None = None
    """Runs it where the first operand is quantized: Note [Kernels for quantized tensors] in quantization.py."""
    inline: Inline | None = None
    """What the interpreter's source has in the place of a call of the kernel."""
    pointwise: Any = None
    """`pointwise.Pointwise`: promotion and scalar body, shared by the eager kernel and the compiler."""
    reduction: Any = None
    """`reduction.Reduction`: how elements are combined, shared by the eager kernel and the compiler."""
    shape: ShapeRule | None = None
    """From what is known of the operands to what is known of the results: see `shapes.py`."""
    derive_kernel: Callable[[Operator], Kernel] | None = None
    """Makes the kernel on first use, where it follows from the schema and other rules."""
    derive_shape: Callable[[Operator], ShapeRule] | None = None
    decompose: str | None = None
    """TorchScript source of one function, which is what the operator does: see `composite.py`."""
    grad: str | None = None
    """TorchScript source of the gradients of the inputs, over the arguments' names, `result` and `grad`: Note [Derivatives] in
    autodiff/derivatives.py."""
    lower: Any = None
    """How kernels compute it: a class of rewrite patterns, or where it is as `module:Class` (Note [Lowering of operators] in
    lowering/linalg/operator_lowering.py)."""
    calls_operators: bool = False
    """Whether the kernel does nothing to tensors but call operators, through which gradients go."""
    variant_of: str | None = None
    """The operator that this one does in place, or into `out`."""
    touches: str | None = None
    """What the operator reaches outside the program: one of `TOUCHED`."""
    effects: Effect | None = None
    """What it does outside of its operands, where the schema does not tell (`effects_of_schema`)."""
    training: str | None = None
    """The argument without which it neither draws numbers nor writes to its operands: dropout's `train`, a bool or a chance."""
    kernel_if_off: bool = False
    """Whether the kernel is for calls in which `training` is off, and the decomposition for the others."""
    is_total: bool = False
    """Whether it never raises, so that it may be run where the program would not have run it."""
    aliases: Aliasing | None = None
    """What it gives and writes to, where the schema does not tell (`aliasing_of_schema`)."""
    copies_elements: bool = False
    """`Aliasing.copies_elements`."""
    strict_out: bool = False
    """Whether its `out` must have memory that no operand has a part in."""
    asks_history: bool = False
    """Whether it tells a tensor that has a history, or is a leaf, from another one on the same memory."""
    is_view: bool = False
    """Whether the kernel looks at sizes and strides only, and gives views of the first operand, or that itself; or else copies it."""
    reshapes: bool = False
    """Whether what it writes to may have other sizes or strides afterwards; operators with `out` are known to."""

    @property
    def has_kernel(self) -> bool:
        """Whether it is said how the operator is run."""
        return (self.kernel or self.derive_kernel) is not None


class Operator:
    """One overload of one operator."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.qualified_name = text[: text.index("(")]
        namespace, _, rest = self.qualified_name.partition("::")
        base, _, self.overload = rest.partition(".")
        self.name = f"{namespace}::{base}"

    @cached_property
    def schema(self) -> FunctionSchema:
        """The schema, parsed on first use."""
        return FunctionSchema.parse(self.text)

    @cached_property
    def rules(self) -> Rules:
        """The rules of the family files; empty ones where no family knows the operator."""
        _load_rules(self.qualified_name)
        return _rules.get(self.qualified_name) or Rules()

    @cached_property
    def kernel(self) -> Kernel | None:
        """What runs the operator; None where the table has only its schema."""
        rules = self.rules
        found = rules.kernel
        if found is None and rules.derive_kernel is not None:
            found = rules.derive_kernel(self)
        is_plain = rules.pointwise is None and rules.variant_of is None and not rules.is_view
        if found is not None and is_plain:
            found = checked(computing_form(self), self.schema, found)
        if found is not None and rules.pointwise is None and suits_large(self):
            found = with_large(self, found)
        if found is not None and self.qualified_name == OF_MANY_PLACES:
            found = with_many_places(found)
        if found is None or rules.quantized is None:
            return found or rules.quantized
        return _by_first_operand(found, rules.quantized)

    @cached_property
    def placed(self) -> Kernel | None:
        """What runs the operator wherever its operands are: Note [Arrays on devices] in tensor/device_array.py."""
        if self.kernel is None:
            return None
        return import_module("torchscript_dialect.runtime.cuda.operators.operators").placed(
            self, self.kernel
        )

    @property
    def current_kernel(self) -> Kernel | None:
        """What runs the operator from now on: once a device is in use, what looks for operands on it."""
        return self.placed if is_device_in_use() else self.kernel

    @cached_property
    def recorded(self) -> Kernel | None:
        """What runs the operator on tensors that may require gradients, and remembers how to go back: Note [Tracked tensors] in
        tensor/tracked.py.
        """
        if self.kernel is None:
            return None
        return import_module("torchscript_dialect.autograd.recording").recorded(self)

    @cached_property
    def on_plain_operands(self) -> Callable[[Kernel], Kernel] | None:
        """What makes of a kernel what runs in its place on tensors that require no gradients, while gradients are in use; None where
        `recorded` does.
        """
        if self.kernel is None:
            return None
        return import_module("torchscript_dialect.autograd.plain_operands").on_plain_operands(self)

    def recorded_at(self, place: str, use: Callable[[Kernel], None] | None = None) -> Kernel:
        """`recorded` for a node of a program; `place` tells where it stands, and `use` is told what is to run there later."""
        return import_module("torchscript_dialect.autograd.recording").recorded_at(self, place, use)

    @property
    def keeps_track(self) -> bool:
        """Whether recording has to see the operator whatever its operands are: it writes, or may give a view."""
        schema = self.schema
        may_alias = any(argument.alias is not None for argument in schema.arguments)
        return schema.is_mutable or may_alias or self.rules.aliases is not None

    @cached_property
    def shape(self) -> ShapeRule | None:
        """The shape rule (Note [Shape rules] in shapes.py), if there is one."""
        rules = self.rules
        found = rules.shape
        if found is None and rules.derive_shape is not None:
            found = rules.derive_shape(self)
        return None if found is None else checked_rule(computing_form(self), self.schema, found)

    @property
    def lower(self) -> Any:
        """The slot `lower`; a pointwise operator is lowered by its scalar body, a reduction as one."""
        rules = self.rules
        if rules.lower is None and rules.pointwise is not None:
            if rules.pointwise.numpy_only or self.schema.argument_index("out") is not None:
                return None
            return IN_PLACE_LOWERING if self.schema.is_mutable else POINTWISE_LOWERING
        return REDUCTION_LOWERING if rules.lower is None and rules.reduction else rules.lower

    @cached_property
    def effects(self) -> Effect:
        """What the operator does besides giving its results."""
        rules = self.rules
        if rules.effects is not None:
            return rules.effects
        if rules.touches is not None:
            return Effect.ACTS
        return effects_of_schema(self.schema, overload_texts(self.qualified_name))

    @cached_property
    def aliasing(self) -> Aliasing | None:
        """What the results may be and what is written to; None where that is not known."""
        rules = self.rules
        is_custom = not self.qualified_name.startswith(("aten::", "prim::"))
        if is_custom and Effect.ACTS in self.effects:
            return None  # What its schema says of aliases is not all.
        found = rules.aliases or aliasing_of_schema(self.schema)
        return replace(found, copies_elements=True) if rules.copies_elements and found else found

    @cached_property
    def reshapes(self) -> bool:
        """Whether a tensor that the operator writes to may have other sizes or strides afterwards."""
        targets = (a for a in self.schema.arguments if a.kwarg_only and a.alias is not None)
        return self.rules.reshapes or any(a.alias.is_write for a in targets if a.alias)

    @cached_property
    def training_index(self) -> int | None:
        """The number of the argument `Rules.training`."""
        name = self.rules.training
        return None if name is None else self.schema.argument_index(name)

    @property
    def is_random(self) -> bool:
        """Whether its kernel draws numbers."""
        return Effect.RANDOM in self.effects and not self.rules.kernel_if_off

    def __repr__(self) -> str:
        return f"Operator({self.text})"


def _by_first_operand(of_numbers: Kernel, of_quantized: Kernel) -> Kernel:
    """The kernel that takes tensors of both kinds; the dtype of a quantized one has metadata."""

    def kernel(x: Any, *rest: Any) -> Any:
        first = x[0] if x.__class__ is list and x else x
        if first.__class__ is list or first.array.dtype.metadata is None:
            return of_numbers(x, *rest)
        return of_quantized(x, *rest)

    return kernel


_rules: dict[str, Rules] = {}


@cache
def load_families() -> None:
    """Import every family file and derive every variant, so that all rules are attached."""
    for qualified_name in _origins():
        _load_rules(qualified_name)


_loaded: set[str] = set()


@cache
def load_derivatives() -> None:
    """Import the files that attach derivatives."""
    with compilation:
        for name in import_module("torchscript_dialect.ops.families").DERIVATIVES:
            import_module(f"torchscript_dialect.ops.derivatives.{name}")


def _load_rules(qualified_name: str) -> None:
    """Import the families that have a part in an operator: Note [Families on demand] in families.py."""
    with compilation:
        if qualified_name in _loaded:
            return
        for origin in _origins().get(qualified_name, "").split():
            if "::" in origin:
                _load_rules(origin)
                variants = import_module("torchscript_dialect.ops.variants")
                variants.attach_variant(qualified_name, origin)
            else:
                import_module(f"torchscript_dialect.ops.{origin}")
        _loaded.add(qualified_name)


@cache
def _origins() -> dict[str, str]:
    """For each operator that has rules the families that attach some, and the operator that it is a variant of, with spaces between."""
    data = get_data("torchscript_dialect.ops", "operator_families.txt")
    assert data is not None
    return dict([line.split(" ", 1) for line in data.decode().splitlines()])


def attach(qualified_name: str, **known: Any) -> Rules:
    """Attach rules to an operator of the table: `attach("aten::mm", kernel=..., shape=...)`.

    They replace those that it has: an import that was interrupted is made again. `tools/generate_operator_families.py` checks that
    the families have one rule of a kind for each operator.

    Raises:
        KeyError: the table has no such operator.
    """
    if qualified_name not in texts():
        raise KeyError(f"schemas.txt has no operator {qualified_name}")
    rules = _rules.setdefault(qualified_name, Rules())
    for key, value in known.items():
        if value is not None:
            setattr(rules, key, value)
    return rules


def kernel(
    names: str, *, shape: ShapeRule | None = None, **known: Any
) -> Callable[[KernelFunction], KernelFunction]:
    """Attach a function as the kernel of operators of `aten`: `@kernel("t", shape=...)`."""

    def attach_to(function: KernelFunction) -> KernelFunction:
        for name in names.split():
            qualified_name = name if "::" in name else f"aten::{name}"
            attach(qualified_name, kernel=function, shape=shape, **known)
        return function

    return attach_to


def implement(
    names: str, function: AnyKernel, *, shape: ShapeRule | None = None, **known: Any
) -> None:
    """Attach a function as the kernel of operators: `kernel` without a decorator, for lambdas."""
    kernel(names, shape=shape, **known)(function)


def declare(names: str, **known: Any) -> None:
    """Attach rules to all overloads of operators, whether or not a kernel runs them: `declare("seed", effects=...)`."""
    for name in names.split():
        for overload in _overloads()[name if "::" in name else f"aten::{name}"]:
            attach(overload, **known)


def declared() -> list[tuple[str, Rules]]:
    """The operators that have rules so far."""
    return list(_rules.items())


def attached() -> Iterable[tuple[str, Rules]]:
    """Every operator that can be run, by qualified name."""
    load_families()
    return [(name, rules) for name, rules in _rules.items() if rules.has_kernel]


@cache
def texts() -> dict[str, str]:
    """The text of the schema of every operator, by qualified name."""
    data = get_data("torchscript_dialect.ops", "schemas.txt")
    assert data is not None
    text = data.decode()
    return {qualified_name_of(line): line for line in text.splitlines()}


@cache
def _overloads() -> dict[str, tuple[str, ...]]:
    """The qualified names of the overloads of every operator, in tuples: Python looks for garbage in lists."""
    found: dict[str, tuple[str, ...]] = {}
    for qualified_name in texts():  # no namespace of PyTorch's has a dot
        name = qualified_name.partition(".")[0]
        found[name] = (*found.get(name, ()), qualified_name)
    return found


def _without_overload(qualified_name: str) -> str:
    dot = qualified_name.find(".", qualified_name.index("::"))
    return qualified_name if dot < 0 else qualified_name[:dot]


def overload_texts(qualified_name: str) -> list[str]:
    """The texts of the schemas of all overloads of an operator of the table."""
    return [texts()[name] for name in _overloads()[_without_overload(qualified_name)]]


def qualified_name_of(text: str) -> str:
    """The qualified name that the text of a schema begins with."""
    return text.partition("(")[0]


_OTHER_PACKAGES = {"torchvision": "torchscript_dialect.ops.torchvision.torchvision"}
"""By namespace what registers operators of another package that archives call, when the first of them is asked for; nobody does where
the operators of that namespace are registered by somebody else.
"""


def _import_package(name: str) -> None:
    with compilation:
        module = _OTHER_PACKAGES.pop(name.partition("::")[0], None)
        if module is not None:
            import_module(module)


@lru_cache(maxsize=1 << 14)
def lookup(name: str) -> tuple[Operator, ...]:
    """The overloads of an operator (`aten::add`) in the order in which they are tried; empty if unknown."""
    _import_package(name)
    return tuple(Operator(texts()[overload]) for overload in _overloads().get(name, ()))


@lru_cache(maxsize=1 << 14)
def find(qualified_name: str) -> Operator | None:
    """The overload of that qualified name (`aten::add.Tensor`), or None."""
    _import_package(qualified_name)
    if qualified_name not in texts():
        return None
    for operator in lookup(_without_overload(qualified_name)):
        if operator.qualified_name == qualified_name:
            return operator
    return None


def functional_form(operator: Operator) -> Operator | None:
    """The operator that makes a new tensor of what this one writes over its operand: `aten::add.Tensor` of `aten::add_.Tensor`."""
    if not operator.name.endswith("_") or "Tensor(a!) self" not in operator.text:
        return None
    _, dot, overload = operator.qualified_name.partition(".")
    return find(f"{operator.name.removesuffix('_')}{dot}{overload}")


_OUTS = re.compile(r"(, \*|\*)?(, | )Tensor\(\w!\)(\[\])? \w+(, Tensor\(\w!\) \w+)*\) -> .*")


def computing_form(operator: Operator) -> str:
    """The qualified name of the operator that makes a new tensor of what this one writes over its operand, or into `out`; its own
    where there is none.
    """
    name, text = operator.qualified_name, operator.text
    if "!" not in text:
        return name
    functional = functional_form(operator)
    if functional is not None:
        return functional.qualified_name
    arguments = _OUTS.sub("", text[len(name) :])
    forms = (each for each in overload_texts(name) if "!" not in each)
    found = (each for each in forms if each[each.index("(") : each.rindex(") -> ")] == arguments)
    return next((each[: each.index("(")] for each in found), name)


def register(schema: str) -> Operator:
    """Add an operator to the table, without rules: `attach` says what it does.

    Raises:
        ValueError: an operator of that qualified name exists.
        TextError: the schema does not parse.
    """
    operator = Operator(schema)
    assert operator.schema
    _OTHER_PACKAGES.pop(operator.name.partition("::")[0], None)
    if find(operator.qualified_name) is not None:
        raise ValueError(f"there is an operator {operator.qualified_name} already")
    load_families()  # so that none of them takes the new operator for one of its own
    texts()[operator.qualified_name] = schema
    _overloads()[operator.name] = (
        *_overloads().get(operator.name, ()),
        operator.qualified_name,
    )
    _versions[operator.qualified_name] = _versions.get(operator.qualified_name, 0) + 1
    _forget()
    found = find(operator.qualified_name)
    assert found is not None
    return found


def renew(qualified_name: str, **known: Any) -> None:
    """Attach rules to an operator that `register` added, which programs may have seen without them."""
    attach(qualified_name, **known)
    _versions[qualified_name] += 1
    _forget()


def unregister(qualified_name: str) -> None:
    """Take away an operator that `register` added; programs that hold it keep it.

    Raises:
        ValueError: it is not there, or belongs to the table that everybody has.
    """
    if not is_registered(qualified_name):
        raise ValueError(f"{qualified_name} was not registered in this process")
    del texts()[qualified_name]
    name = _without_overload(qualified_name)
    _overloads()[name] = tuple(one for one in _overloads()[name] if one != qualified_name)
    _rules.pop(qualified_name, None)
    _forget()


_versions: dict[str, int] = {}
"""How many times each operator that this process added was registered."""
_observers: list[Callable[[], None]] = []


def _forget() -> None:
    for forget in (lookup.cache_clear, find.cache_clear, *_observers):
        forget()


def when_registered(forget: Callable[[], None]) -> None:
    """Call `forget` whenever an operator is added or taken away: for caches of what the table holds."""
    _observers.append(forget)


def is_registered(qualified_name: str) -> bool:
    """Whether the operator was added to this process, and is not of the table that everybody has."""
    return qualified_name in _versions and qualified_name in texts()


def version(qualified_name: str) -> int:
    """A number that tells an operator from what had its name before; -1 for an unknown one, 0 for one of the table."""
    return _versions.get(qualified_name, 0) if qualified_name in texts() else -1


def names() -> Iterable[str]:
    """The names of all operators, without overloads."""
    return _overloads().keys()
