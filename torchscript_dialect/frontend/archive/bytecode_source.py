"""Source files for an archive that has none: its classes from its values, their methods from bytecode."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from torchscript_dialect.frontend.archive.bytecode_text import Decompiler
from torchscript_dialect.frontend.archive.bytecode_types import BytecodeTypes, type_of_value
from torchscript_dialect.serialization.archive.bytecode import RECORD, BytecodeMethod
from torchscript_dialect.serialization.archive.class_text import module_head, record_of
from torchscript_dialect.serialization.archive.errors import ArchiveError
from torchscript_dialect.serialization.archive.pickle_machine import PickledObject
from torchscript_dialect.serialization.python_printer_tables import is_identifier
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.containers import OptionalType
from torchscript_dialect.types.core import NONE, TorchScriptType
from torchscript_dialect.types.named import FOREIGN, ClassType
from torchscript_dialect.types.tensor_type import TENSOR

MAX_SLOTS = 1000
"""Of the attributes of an object that a method restores."""
_SET = ".__setstate__"


class BytecodeSource:
    """Writes the source of one archive."""

    def __init__(
        self,
        methods: Sequence[BytecodeMethod],
        root: PickledObject,
        tags: Mapping[int, str],
    ) -> None:
        """`tags` are the types of containers."""
        self.constants: list[Any] = []
        """The values that the source names `CONSTANTS.c0`, `CONSTANTS.c1`, ..."""
        self._methods = methods
        self._tags = tags
        self._types = BytecodeTypes()
        self._classes: dict[str, dict[str, Any]] = {}
        names = [method.qualified_name for method in methods]
        self._restored = {name.removesuffix(_SET) for name in names if name.endswith(_SET)}
        """The classes whose objects a method of theirs restores."""
        self._meet(root)
        self._fields = {name: self._types_of(state) for name, state in self._classes.items()}
        self._assigned()

    def texts(self) -> dict[str, str]:
        """The text of each source file, by the name of its record.

        Raises:
            ArchiveError: the bytecode is malformed, or does what has no source.
        """
        methods: dict[str, list[str]] = {name: [] for name in self._classes}
        first = sorted(self._methods, key=lambda method: not method.qualified_name.endswith(_SET))
        for method in first:
            owner, _, name = method.qualified_name.rpartition(".")
            if owner not in methods:
                raise ArchiveError(f"no object has the method {owner}.{name}", RECORD)
            decompiler = Decompiler(method, self, self._types, self._constant)
            methods[owner] += decompiler.text()
        bodies = {name: [*self._head(name), *lines] for name, lines in methods.items()}
        for name, fields in self._types.named_tuples.items():
            bodies[name] = [f"class {_checked(name).rpartition('.')[2]}(NamedTuple):"]
            bodies[name] += [f"  {field} : {type_}" for field, type_ in fields.items()]
        files: dict[str, list[str]] = {}
        for name, lines in bodies.items():
            files.setdefault(record_of(name), []).extend(lines)
        return {record: "\n".join(lines) + "\n" for record, lines in files.items()}

    def _meet(self, root: Any) -> None:
        """Find the classes of the objects in a value."""
        waiting, known = [root], set[int]()
        while waiting:
            value = waiting.pop()
            if id(value) in known:
                continue
            known.add(id(value))
            if isinstance(value, (list, tuple)):
                waiting += cast("list[Any]", value)
            elif isinstance(value, dict):
                waiting += cast("dict[Any, Any]", value).values()
            elif isinstance(value, PickledObject) and not value.class_name.startswith(FOREIGN):
                state = value.state
                if value.class_name in self._restored:
                    self._classes.setdefault(value.class_name, {})
                    waiting.append(state)
                    continue
                if type(state) is not dict:
                    raise ArchiveError(
                        f"an object of {value.class_name} has no attributes", "data.pkl"
                    )
                self._classes.setdefault(value.class_name, cast("dict[str, Any]", state))
                waiting += cast("dict[str, Any]", state).values()

    def _types_of(self, state: Mapping[str, Any]) -> dict[str, TorchScriptType]:
        if not all(isinstance(name, str) for name in cast("Mapping[Any, Any]", state)):
            raise ArchiveError("an attribute has no name", "data.pkl")
        return {name: self.type_of(value) for name, value in state.items()}

    def type_of(self, value: Any) -> TorchScriptType:
        """The type of a value, by what the archive tells of containers."""
        return self._types.parsed(type_of_value(value, self._tags))

    def fields(self, class_: ClassType) -> Mapping[str, TorchScriptType]:
        """The attributes of a class and their types, in order. Those that a method restores have no names but numbers."""
        name = class_.qualified_name.data
        fields = self._fields.get(name)
        if fields is None:
            raise ArchiveError(f"the archive has no object of {name[:60]}", RECORD)
        return fields

    def assign(self, class_: ClassType, slot: int, type_: TorchScriptType) -> None:
        """Take what is assigned to an attribute that a method restores as the type of the attribute."""
        fields = self._fields.get(class_.qualified_name.data, {})
        if class_.qualified_name.data not in self._restored or not 0 <= slot < MAX_SLOTS:
            return
        for number in range(len(fields), slot + 1):
            fields[f"_{number}"] = NONE
        if fields[f"_{slot}"] == NONE:
            fields[f"_{slot}"] = type_

    def returned(self, class_: TorchScriptType | None, method: str) -> TorchScriptType | None:
        """What a method of a class returns, None where it is not known."""
        if not isinstance(class_, ClassType):
            return None
        qualified = f"{class_.qualified_name.data}.{method}"
        found = next((m for m in self._methods if m.qualified_name == qualified), None)
        return None if found is None else self._types.parsed(found.returns[0].type)

    def _assigned(self) -> None:
        """Attributes that are None when they are saved are of an optional type where a method assigns to them."""
        slots = {
            one.x
            for method in self._methods
            for one in method.instructions
            if one.name == "SET_ATTR"
        }
        for fields in self._fields.values():
            for slot, (name, type_) in enumerate(fields.items()):
                if slot in slots and type_ == NONE:
                    fields[name] = OptionalType(TENSOR)

    def _constant(self, value: Any) -> int:
        self.constants.append(value)
        return len(self.constants) - 1

    def _head(self, name: str) -> list[str]:
        """A class without its methods."""
        state = self._classes[name]
        tensors = [field for field, value in state.items() if isinstance(value, Tensor)]
        parameters = [field for field in tensors if state[field].requires_grad]
        buffers = [field for field in tensors if field not in parameters]
        fields = {field: type_.annotation_str for field, type_ in self._fields[name].items()}
        return module_head(_checked(name), parameters, buffers, fields)


def _checked(name: str) -> str:
    if not all(map(is_identifier, name.split("."))):
        raise ArchiveError(f"{name[:60]!r} is no name of a class", "data.pkl")
    return name
