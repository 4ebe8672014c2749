"""What modules do with their submodules, parameters and buffers (PyTorch: torch/nn/modules/module.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn, TypeVar

from torchscript_dialect.api.lent_tensors import LentTensors, is_asked_by_pytorch, lead_memory
from torchscript_dialect.api.module_class import ModuleClass
from torchscript_dialect.api.module_conversions import ModuleConversions
from torchscript_dialect.runtime.values.objects import ScriptObject, view_of
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.grad_mode import enabled
from torchscript_dialect.tensor.tensor import Tensor

_M = TypeVar("_M", bound="ModuleTree")


class IncompatibleKeys(NamedTuple):
    """What `load_state_dict` found to be missing, and found no place for."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"


class _Shown(dict[str, Any]):
    """What a compiled module has of one kind: a program that writes to it, as `functional_call` does, would change nothing.

    Raises:
        RuntimeError: something is put into it, or taken out.
    """

    def _refuse(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise RuntimeError(
            "the parameters, buffers and submodules of a compiled module cannot be put in or taken out by their tables: the "
            "stateless API, torch.nn.utils.parametrize and pruning are for modules of Python, before they are compiled"
        )

    __setitem__ = __delitem__ = pop = popitem = clear = _refuse


class ModuleTree(ModuleConversions):
    """A module as the root of a tree of modules. Modules and tensors that are in several places are met once, but by `state_dict`."""

    __torchscript_object__: ScriptObject
    """The module in programs; its fields are the attributes: Note [Fields] in runtime/values/objects.py."""

    __torchscript_lent__: LentTensors

    _non_persistent_buffers_set: frozenset[str] = frozenset()
    _load_state_dict_post_hooks: Mapping[int, Any] = MappingProxyType({})

    @property
    def _class(self) -> ModuleClass:
        raise NotImplementedError

    # What modules of Python that hold a compiled one ask it for.

    @property
    def _parameters(self) -> dict[str, Any]:
        return self._given("parameters", for_pytorch=is_asked_by_pytorch())

    @property
    def _buffers(self) -> dict[str, Any]:
        return self._given("buffers", for_pytorch=is_asked_by_pytorch())

    @property
    def _modules(self) -> dict[str, Any]:
        return _Shown(self._places())

    def _given(self, kind: str, *, for_pytorch: bool) -> dict[str, Any]:
        """Parameters or buffers of the module itself, as they are here, or as PyTorch has them: Note [Lent tensors]."""
        own, lent = _Shown(self._own(kind)), self.__torchscript_lent__
        if not for_pytorch:
            return own
        is_parameter = kind == "parameters"
        return _Shown((n, lent.lend(t, is_parameter=is_parameter)) for n, t in own.items())

    def _own(self, kind: str) -> Iterator[tuple[str, Tensor]]:
        """The parameters or buffers of the module itself."""
        self._class.program.check_data()
        self.__torchscript_lent__.follow()
        definition = self._class.definition
        names = definition.parameters if kind == "parameters" else definition.buffers
        fields = self.__torchscript_object__.__torchscript_fields__
        for name in definition.attributes:
            if name in names and isinstance(fields[name], Tensor):
                yield name, fields[name]

    def _places(self) -> Iterator[tuple[str, Any]]:
        """The submodules by name, each place of one that is in several."""
        fields = self.__torchscript_object__.__torchscript_fields__
        for name, value in fields.items():
            if isinstance(value, ScriptObject) and isinstance(child := view_of(value), ModuleTree):
                yield name, child

    def named_children(self) -> Iterator[tuple[str, Any]]:
        """The submodules by name."""
        seen: set[int] = set()
        for name, child in self._places():
            if id(child) not in seen:
                seen.add(id(child))
                yield name, child

    def children(self) -> Iterator[Any]:
        """The submodules."""
        return (child for _, child in self.named_children())

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """The module and all inside it by dotted names, the outer ones first; without those in `memo`, to which they are added."""
        seen: set[Any] = set() if memo is None else memo
        waiting: list[tuple[str, ModuleTree]] = [(prefix, self)]
        while waiting:
            path, module = waiting.pop()
            if module in seen:
                continue
            if remove_duplicate:
                seen.add(module)
            yield path, module
            inner = [
                (f"{path}.{name}" if path else name, child) for name, child in module._places()
            ]
            waiting += reversed(inner)

    def modules(self) -> Iterator[Any]:
        """The module and all inside it."""
        return (module for _, module in self.named_modules())

    def _named(
        self, kind: str, prefix: str, recurse: bool, remove_duplicate: bool, *, for_pytorch: bool
    ) -> Iterator[tuple[str, Tensor]]:
        seen: set[int] = set()
        inner = self.named_modules(None, prefix, remove_duplicate)
        for path, module in inner if recurse else iter([(prefix, self)]):
            for name, tensor in module._given(kind, for_pytorch=for_pytorch).items():
                if id(tensor) not in seen:
                    if remove_duplicate:
                        seen.add(id(tensor))
                    yield f"{path}.{name}" if path else name, tensor

    # Generators, which know who goes through them: `torch.optim.SGD(module.parameters())` does so itself.

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """The parameters of the module and of its submodules, by dotted names; for PyTorch, as it has them: Note [Lent tensors]."""
        asked, prefix = is_asked_by_pytorch(), prefix.rstrip(".")
        yield from self._named("parameters", prefix, recurse, remove_duplicate, for_pytorch=asked)

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """The buffers of the module and of its submodules, by dotted names; for PyTorch, as it has them: Note [Lent tensors]."""
        asked, prefix = is_asked_by_pytorch(), prefix.rstrip(".")
        yield from self._named("buffers", prefix, recurse, remove_duplicate, for_pytorch=asked)

    def parameters(self, recurse: bool = True) -> Iterator[Tensor]:
        """The parameters of the module and of its submodules; for PyTorch, as it has them: Note [Lent tensors]."""
        asked = is_asked_by_pytorch()
        for _, tensor in self._named("parameters", "", recurse, True, for_pytorch=asked):
            yield tensor

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers of the module and of its submodules; for PyTorch, as it has them: Note [Lent tensors]."""
        asked = is_asked_by_pytorch()
        for _, tensor in self._named("buffers", "", recurse, True, for_pytorch=asked):
            yield tensor

    def state_dict(
        self,
        *args: Any,
        destination: dict[str, Any] | None = None,
        prefix: str = "",
        keep_vars: bool = False,
    ) -> dict[str, Any]:
        """Parameters and buffers by dotted names, detached unless `keep_vars`: of each module its own, then those of its submodules.
        A module that exports `_save_to_state_dict` has it called for its own.
        """
        if args:  # as PyTorch took them once: destination, prefix, keep_vars
            given: tuple[Any, ...] = (destination, prefix, keep_vars)
            destination, prefix, keep_vars = (*args, *given[len(args) :])
        found: dict[str, Any] = {} if destination is None else destination
        self._fill_state(found, prefix, keep_vars, for_pytorch=is_asked_by_pytorch())
        return found

    def _fill_state(
        self, found: dict[str, Any], prefix: str, keep_vars: bool, *, for_pytorch: bool
    ) -> None:
        """Add the state to a dictionary, as it is here or as PyTorch has it."""
        save = vars(self).get("_save_to_state_dict")
        if save is not None:
            save(found, prefix, keep_vars)
        for kind in ("parameters", "buffers") if save is None else ():
            for name, tensor in self._given(kind, for_pytorch=for_pytorch).items():
                found[prefix + name] = tensor if keep_vars else tensor.detach()
        for name, child in self._places():
            child._fill_state(found, f"{prefix}{name}.", keep_vars, for_pytorch=for_pytorch)

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> IncompatibleKeys:
        """Write tensors or arrays into the parameters and buffers of the same names, or with `assign` put tensors in their places.
        A module that exports `_load_from_state_dict` has it called for its own.

        Raises:
            RuntimeError: the shape of one is another, or `strict` and names are missing or unexpected. Nothing is written then.
        """
        missing: list[str] = []
        unexpected: list[str] = []
        problems: list[str] = []
        write = self._loading(state_dict, assign, missing, unexpected, problems)
        found = IncompatibleKeys(missing, unexpected)
        require_fit(self._class.name, found, problems, strict=strict)
        write(strict)
        return found

    def _load(
        self,
        state: Mapping[str, Any],
        prefix: str,
        noted: Mapping[str, Any],
        assign: bool,
        missing: list[str],
        unexpected: list[str],
        problems: list[str],
    ) -> None:
        """Load what stands under a prefix in the state of a module of Python."""
        own = {n.removeprefix(prefix): t for n, t in state.items() if n.startswith(prefix)}
        found: tuple[list[str], ...] = ([], [])
        write = self._loading(own, assign, *found, problems, prefix)
        for all_names, names in zip((missing, unexpected), found, strict=True):
            all_names += [prefix + name for name in names]
        write(True)

    def _load_from_state_dict(
        self,
        state: Mapping[str, Any],
        prefix: str,
        _metadata: Any,
        strict: bool,
        missing: list[str],
        unexpected: list[str],
        problems: list[str],
    ) -> None:
        """Load what stands under a prefix in the state of a module of PyTorch's, which asks each submodule for its own."""
        own = dict(self._own("parameters")) | dict(self._own("buffers"))
        places = {name for name, _ in self._places()}
        for name, tensor in own.items():
            given = state.get(prefix + name)
            if given is None:
                missing += [prefix + name] if strict else []
            elif (new := as_tensor(given)).shape != tensor.shape:
                problems.append(_mismatch(prefix + name, new, tensor))
            else:
                written_to(tensor, new)
        for name in state if strict else ():
            if (
                name.startswith(prefix)
                and name.removeprefix(prefix).split(".")[0] not in own.keys() | places
            ):
                unexpected.append(name)

    def _loading(
        self,
        state_dict: Mapping[str, Any],
        assign: bool,
        missing: list[str],
        unexpected: list[str],
        problems: list[str],
        prefix: str = "",
    ) -> Callable[[bool], None]:
        """What writes a state, and in the lists what it lacks, has too much of, and has of other shapes, which is not written."""
        loaders: dict[str, Callable[..., Any]] = {
            path: vars(module)["_load_from_state_dict"]
            for path, module in self.named_modules()
            if "_load_from_state_dict" in vars(module)
        }
        own = {n: t for n, t in self.state_dict().items() if n.rpartition(".")[0] not in loaders}
        missing += [name for name in own if name not in state_dict]
        unexpected += [
            name
            for name in state_dict
            if name not in own and name.rpartition(".")[0] not in loaders
        ]
        given = {name: as_tensor(state_dict[name]) for name in own if name in state_dict}
        others = {n: t for n, t in given.items() if t.shape != own[n].shape}
        problems += [_mismatch(prefix + n, tensor, own[n]) for n, tensor in others.items()]

        def write(strict: bool) -> None:
            modules = dict(self.named_modules(remove_duplicate=False)) if assign else {}
            for name, tensor in given.items():
                if name in others:
                    continue
                if assign:
                    path, _, last = name.rpartition(".")
                    wants = getattr(modules[path], last).requires_grad
                    setattr(modules[path], last, tensor.detach().requires_grad_(wants))
                else:
                    written_to(own[name], tensor)
            for path, load in loaders.items():
                tensors = {name: as_tensor(tensor) for name, tensor in state_dict.items()}
                load(tensors, f"{path}." if path else "", {}, strict, [], [], [])

        return write

    def train(self: _M, mode: bool = True) -> _M:
        """Set `training` of the module and all inside it."""
        for module in self.modules():
            fields = module.__torchscript_object__.__torchscript_fields__
            if "training" in fields:
                fields["training"] = mode
        return self

    def apply(self: _M, fn: Callable[[Any], object]) -> _M:
        """Call a function with each submodule, inner ones first, and with the module."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def _apply(self: _M, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> _M:
        held = (*self.parameters(recurse), *self.buffers(recurse))
        for tensor in {id(one): one for one in held}.values():
            made = fn(tensor.detach())
            if made.array is not tensor.array:
                setattr(tensor, "data", made)  # noqa: B010  (given by autograd)
                lead_memory(tensor)
                converted(tensor, fn)
        return self

    def __repr__(self) -> str:
        lines = [f"  {line}" for line in self._lines_inside()]
        head = f"original_name={self._class.name}"
        if not lines:
            return f"ScriptModule({head})"
        return "\n".join(["ScriptModule(", f"  {head}", *lines, ")"])

    def _lines_inside(self) -> list[str]:
        found: list[str] = []
        for name, child in self.named_children():
            found += f"({name}): {child!r}".split("\n")
        return found


def written_to(held: Tensor, given: Tensor) -> None:
    """Write the values of a tensor to one that a module holds: those who keep it for gradients hear of it."""
    with enabled(False):
        held.copy_(given)


def converted(tensor: Tensor, fn: Callable[[Tensor], Tensor]) -> None:
    """Give the gradient of a tensor, if it has one, what a function makes of it; it stays the same object."""
    grad: Tensor | None = getattr(tensor, "grad")  # noqa: B009  (given by autograd)
    if grad is not None:
        setattr(grad, "data", fn(grad.detach()))  # noqa: B010


def _mismatch(name: str, given: Tensor, own: Tensor) -> str:
    return (
        f"size mismatch for {name}: copying a param with shape {given.shape} from checkpoint,"
        f" the shape in current model is {own.shape}."
    )


def require_fit(
    name: str, found: IncompatibleKeys, problems: Sequence[str], *, strict: bool
) -> None:
    """Refuse a state that does not fit a module of this name.

    Raises:
        RuntimeError: there are problems, or `strict` and names are missing or unexpected.
    """
    keys = {"Missing": found.missing_keys, "Unexpected": found.unexpected_keys}
    told = [f"{kind} key(s) in state_dict: {_quoted(n)}. " for kind, n in keys.items() if n]
    listed = "\n\t".join([*(told if strict else ()), *problems])
    if listed:
        raise RuntimeError(f"Error(s) in loading state_dict for {name}:\n\t{listed}")


def _quoted(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
