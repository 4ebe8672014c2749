"""What plans know of the attributes of modules.

Note [Module flags]
Modules do one thing in training and another in evaluation, and the attribute that decides changes when somebody calls `train` or
`eval`. A tensor that a module need not have, as the bias of a convolution, is there or not for good. Numbers, lists of integers,
strings and truth values of `__init__`, as the number of heads, decide about sizes and branches, and seldom change. What a method
reads of such attributes, its module's own and those of submodules, is part of the key of its plans: these have constants in their
place, and know the tensors to be there. Of tensors, dtypes and numbers of dimensions are part of the key, so that branches on these
are decided; a program that changes the shape of a tensor in place knows nothing of any. A program that writes to such an attribute or
calls Python, which may do so, goes on reading them; so does one whose attribute has had more than `VALUES` values, as the number of a
step. Lists are constants where all of them are only read: two attributes may have one list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter, is_
from types import MappingProxyType
from typing import Any, NamedTuple, cast
from weakref import ref

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir.calls import callee_name
from torchscript_dialect.ir.edit import (
    erase,
    insert_constant,
    nested_ops,
    replace_uses,
    set_type,
    type_of,
)
from torchscript_dialect.runtime.values.objects import ScriptObject
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor
from torchscript_dialect.types.containers import ListType, OptionalType, TupleType
from torchscript_dialect.types.core import BOOL, FLOAT, INT, NONE, STR, TorchScriptType
from torchscript_dialect.types.tensor_type import TENSOR, TensorProperties, TensorType

TRAINING = "training"
OPTIONAL_TENSOR = OptionalType(TENSOR)
SCALARS = (BOOL, INT, FLOAT, STR)
INTS = ListType(INT)
VALUES = 4
"""How many values an attribute may have in the plans of one function."""

Path = tuple[str, ...]
"""The attributes by which a module leads to one of its own or of a submodule."""
Flags = Mapping[Path, Any]
"""By attribute: what it is, a list as a tuple, a tensor as `KnownTensor` and a float as `KnownFloat`, or True where nothing is known
of it.
"""
NO_FLAGS: Flags = MappingProxyType({})


class KnownTensor(NamedTuple):
    """What plans know of a tensor: its dtype, how many dimensions it has, where it is, and whether it may require gradients."""

    dtype: str
    dim: int
    device: str
    may_require_grad: bool

    @property
    def type(self) -> TensorType:
        """The type of such tensors."""
        needs = None if self.may_require_grad else False
        unknown = (None,) * self.dim
        return TensorType(TensorProperties(self.dtype, unknown, unknown, self.device, needs))


class KnownFloat(NamedTuple):
    """A floating-point number of which each is equal to itself alone: zeros have signs, and NaN is one value."""

    text: str

    @property
    def value(self) -> float:
        """The number."""
        return float.fromhex(self.text)


class _Reads:
    """What a function does with its first argument, a module."""

    def __init__(self, function: FuncOp) -> None:
        self.read: dict[SSAValue, Path] = {}
        """What is read of it, and by which attributes."""
        self.flags: dict[prim.GetAttrOp, Path] = {}
        """What reads flags, and which."""
        self.calls: list[tuple[Path | None, str]] = []
        """The functions that it calls; methods with the submodule whose they are, as far as that is known."""
        self.written: set[str] = set()
        """The names of attributes that it writes to, of any object."""
        self.may_write_all = False
        self.reshapes = False
        """Whether it may change the shape of a tensor."""
        self.may_write_lists = False
        """Whether it writes to a list of integers that it is given."""
        block = function.body.block
        if block.args:
            self.read[block.args[0]] = ()
        for op in nested_ops(block):
            match op:
                case prim.GetAttrOp():
                    self._note(op)
                case prim.SetAttrOp():
                    self.written.add(op.attribute_name)
                case prim.PythonOp():
                    self.may_write_all = True
                case prim.CallMethodOp() | prim.CallFunctionOp():
                    self._note_call(op)
                case OperatorOp():
                    self.reshapes |= op.OPERATOR is not None and op.OPERATOR.reshapes
                    self._note_written_list(op, block)
                case _:
                    pass

    def _note(self, op: prim.GetAttrOp) -> None:
        module = self.read.get(op.object)
        if module is None:
            return
        path = self.read[op.results[0]] = (*module, op.attribute_name)
        if _is_flag(type_of(op.results[0])):
            self.flags[op] = path

    def _note_written_list(self, op: OperatorOp, block: Block) -> None:
        if op.OPERATOR is None or not op.OPERATOR.schema.is_mutable:
            return
        for one in op.operands:
            if type_of(one) == INTS and isinstance(one.owner, prim.GetAttrOp):
                self.written.add(one.owner.attribute_name)
            elif type_of(one) == INTS and one.owner is block:
                self.may_write_lists = True

    def _note_call(self, op: Operation) -> None:
        callee = callee_name(op)
        if callee is None:
            self.may_write_all = True
        else:
            self.calls.append((self.read.get(op.operands[0]), callee))


def _is_flag(type_: TorchScriptType) -> bool:
    """Whether an attribute of that type is a flag."""
    if isinstance(type_, OptionalType):
        return type_ == OPTIONAL_TENSOR or type_.element in SCALARS
    return type_ in SCALARS or type_ == TENSOR or _is_ints(type_)


def _is_ints(type_: TorchScriptType) -> bool:
    """Whether values of a type are lists or tuples of integers."""
    if isinstance(type_, TupleType):
        return bool(type_.elements) and all(one == INT for one in type_.elements)
    return type_ == INTS


def flags_read(name: str, function_of: Callable[[str], FuncOp | None]) -> FlagsRead:
    """The flags that a method reads, with all that it calls, but for those that it may write to."""
    found: dict[Path, TorchScriptType] = {}
    reads: dict[str, _Reads] = {}
    pending: list[tuple[Path | None, str]] = [((), name)]
    seen = set(pending)
    written: set[str] = set()
    while pending:
        path, callee = pending.pop()
        if callee not in reads:
            function = function_of(callee)
            if function is None:
                return FlagsRead()
            reads[callee] = _Reads(function)
        read = reads[callee]
        if read.may_write_all:
            return FlagsRead()
        written |= read.written
        if path is not None:
            types = {inner: type_of(op.results[0]) for op, inner in read.flags.items()}
            found.update(((*path, *inner), type_) for inner, type_ in types.items())
        for inner, called in read.calls:
            below = None if path is None or inner is None else (*path, *inner)
            if (below, called) not in seen:
                seen.add((below, called))
                pending.append((below, called))
    reshapes = any(read.reshapes for read in reads.values())
    if any(read.may_write_lists for read in reads.values()):
        found = {path: type_ for path, type_ in found.items() if type_ != INTS}
    return FlagsRead([path for path in found if path[-1] not in written], knows=not reshapes)


class _Seen(NamedTuple):
    """The attributes of a call, and what they came to. Tensors are known by class and array, which nobody is kept from freeing."""

    flags: Flags
    lists: tuple[tuple[int, tuple[Any, ...]], ...]
    """Places of lists and tuples, with their items."""
    tensors: tuple[int, ...]
    """The places of tensors."""
    classes: list[type]
    arrays: list[ref[Any]]
    others: tuple[int, ...]
    """The places of all others."""
    objects: list[Any]

    def are(self, values: Sequence[Any]) -> bool:
        """Whether these are the attributes still."""
        tensors = [values[place] for place in self.tensors]
        return (
            all(map(is_, [values[place] for place in self.others], self.objects))
            and list(map(type, tensors)) == self.classes
            and all(map(is_, map(_ARRAY, tensors), [array() for array in self.arrays]))
            and all(_items(values[place]) == items for place, items in self.lists)
        )


_ARRAY = attrgetter("array")


def _is_known(value: Any) -> bool:
    """Whether it is a strided tensor."""
    return value.__class__ is Tensor or value.__class__ is TrackedTensor


def _items(value: Any) -> tuple[Any, ...] | None:
    """The items of a list or tuple; None of anything else."""
    return tuple(cast("Sequence[Any]", value)) if isinstance(value, (list, tuple)) else None


class FlagsRead:
    """The flags that a method reads, and the values that they have had."""

    def __init__(self, paths: Sequence[Path] = (), *, knows: bool = False) -> None:
        self.knows = knows
        """Whether it is known of tensors what they are."""
        self.paths = list(paths)
        self.met: dict[Path, set[Any]] = {}
        self.seen: _Seen | None = None
        self._find_modules()

    def _find_modules(self) -> None:
        """Note the modules whose attributes are read, each with the place of the one that holds it and its name there."""
        modules: dict[Path, int] = {(): 0}
        self.held: list[tuple[int, str]] = []
        self.read: list[tuple[int, str]] = []
        """The attributes, each with the place of its module."""
        for *module, attribute in self.paths:
            for depth in range(len(module)):
                path = tuple(module[: depth + 1])
                if path not in modules:
                    self.held.append((modules[path[:-1]], path[-1]))
                    modules[path] = len(modules)
            self.read.append((modules[tuple(module)], attribute))

    def __bool__(self) -> bool:
        return bool(self.paths)

    def of(self, module: ScriptObject) -> Flags:
        """What the flags of a module and its submodules are; none where one is not there."""
        try:
            fields = [module.__torchscript_fields__]
            for holder, name in self.held:
                fields.append(fields[holder][name].__torchscript_fields__)
            values = [fields[place][name] for place, name in self.read]
        except (AttributeError, KeyError):
            return NO_FLAGS
        seen = self.seen
        if seen is None or not seen.are(values):
            seen = self.seen = self._look_at(values)
        return seen.flags

    def _look_at(self, values: Sequence[Any]) -> _Seen:
        flags = {path: self.flag(value) for path, value in zip(self.paths, values, strict=True)}
        places = range(len(values))
        of_lists = [(place, _items(values[place])) for place in places]
        lists = tuple((place, items) for place, items in of_lists if items is not None)
        tensors = tuple(place for place in places if _is_known(values[place]))
        others = tuple(sorted({*places} - {*tensors} - {place for place, _ in lists}))
        return _Seen(
            flags,
            lists,
            tensors,
            [type(values[place]) for place in tensors],
            [ref(values[place].array) for place in tensors],
            others,
            [values[place] for place in others],
        )

    def flag(self, value: Any) -> Any:
        """What plans know of the value of an attribute."""
        if _is_known(value):
            return _known(value) if self.knows else True
        if isinstance(value, float):
            return KnownFloat(value.hex())
        if value is None or isinstance(value, (bool, int, str)):
            return value
        items = _items(value)
        return True if items is None else items

    def drop_varying(self, flags: Flags) -> bool:
        """Note the values of a new plan, and read what has had too many of them at run time from now on; whether there was such."""
        varying: list[Path] = []
        for path, value in flags.items():
            met = self.met.setdefault(path, set())
            met.add(value)
            if len(met) > VALUES:
                varying.append(path)
        if varying:
            self.paths = [path for path in self.paths if path not in varying]
            self.seen = None
            self._find_modules()
        return bool(varying)


def _known(tensor: Tensor) -> KnownTensor:
    may = tensor.__class__ is TrackedTensor
    return KnownTensor(tensor.dtype.type_name, tensor.array.ndim, str(tensor.device), may)


def use_flags(function: FuncOp, flags: Flags) -> None:
    """Put constants in the place of flags that an inlined method reads, and say what is a tensor."""
    if not flags:
        return
    read = _Reads(function).flags
    lists = [op.results[0] for op in read if type_of(op.results[0]) == INTS]
    knows_lists = all(map(_is_only_read, lists))
    for op, path in read.items():
        if path in flags:
            _use(op, flags[path], knows_lists=knows_lists)


def _use(op: prim.GetAttrOp, flag: Any, *, knows_lists: bool) -> None:
    """Put a constant in the place of one that is read, or say that it is a tensor."""
    (result,) = op.results
    type_ = type_of(result)
    if type_ in (TENSOR, OPTIONAL_TENSOR) and flag is not None:
        set_type(result, flag.type if isinstance(flag, KnownTensor) else TENSOR)
        return
    if isinstance(flag, tuple) and type_ == INTS:
        if not knows_lists or any(isinstance(use.operation, ReturnOp) for use in result.uses):
            return
        flag = list(cast("tuple[int, ...]", flag))
    if isinstance(flag, KnownFloat):
        flag = flag.value
    if isinstance(type_, OptionalType):
        type_ = NONE if flag is None else type_.element
    replace_uses(result, insert_constant(op, flag, type_))
    erase(op)


def _is_only_read(value: SSAValue) -> bool:
    """Whether nothing but operators that write to none of their operands take a list, and who called the function."""
    return all(
        isinstance(use.operation, (prim.ListUnpackOp, ReturnOp))
        or (
            isinstance(use.operation, OperatorOp)
            and use.operation.OPERATOR is not None
            and not use.operation.OPERATOR.schema.is_mutable
        )
        for use in value.uses
    )


def said(flags: Flags) -> str:
    """Which modules are in training, in words."""
    modules = {path[:-1]: flag for path, flag in flags.items() if path[-1] == TRAINING}
    if not modules:
        return ""
    if all(modules.values()):
        return ", in training"
    if not any(modules.values()):
        return ", in evaluation"
    names = [".".join(path) or "the module" for path, flag in modules.items() if flag]
    return f", in training: {', '.join(names)}"
