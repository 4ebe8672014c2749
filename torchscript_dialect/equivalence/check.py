"""The check that `verify_equiv` puts around passes: names the first pass that changes what a program does, and on which inputs."""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.passes import ModulePass

from torchscript_dialect.equivalence import functions, kernels
from torchscript_dialect.equivalence.functions import Unverified
from torchscript_dialect.equivalence.inputs import Unsupported
from torchscript_dialect.equivalence.kernels import Kernel
from torchscript_dialect.equivalence.outcome import difference
from torchscript_dialect.equivalence.time_limit import OutOfTime
from torchscript_dialect.ir.module import functions_of, module_around
from torchscript_dialect.ir.requirements import why_not_torchscript
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.utils.errors import PassError


class NotEquivalent(PassError):
    """A pass changed what a function computes."""


class Check:
    """Made before the first pass, and told after each. `unverified` says which functions could not be run, and why."""

    def __init__(self, target: ModuleOp | FuncOp) -> None:
        self.unverified: dict[str, str] = {}
        self.examples: dict[str, list[functions.Example]] = {}
        self.kernels: dict[str, Kernel] = {}
        self.before = _module_of(target).clone()
        self.is_ours = kernels.is_torchscript(self.before)
        """Whether all that is below TorchScript was made by passes, so that machine code of it may run."""
        self._learn(target)
        if isinstance(target, ModuleOp) and kernels.has_kernels(target):
            self._add_kernels(kernels.from_text(target, self.unverified))

    def after(self, one: ModulePass, target: ModuleOp | FuncOp) -> None:
        """Run everything again.

        Raises:
            NotEquivalent: something is not as it was before the pass.
        """
        present = {function.sym_name.data: function for function in _functions(target)}
        for name, examples in self.examples.items():
            if name in present:
                self._compare_function(one, present[name], examples)
        if isinstance(target, ModuleOp) and kernels.has_kernels(target):
            if not self.kernels and kernels.bodies(self.before):
                self._add_kernels(kernels.from_groups(self.before, target, self.unverified))
            old = kernels.program_of(self.before, is_ours=self.is_ours)
            new = kernels.program_of(target, is_ours=self.is_ours)
            for kernel in self.kernels.values():
                self._compare_kernel(one, old, new, kernel)
        self._learn(target)
        self.before = _module_of(target).clone()

    def _learn(self, target: ModuleOp | FuncOp) -> None:
        """Choose inputs for the functions that have none yet."""
        for function in _functions(target):
            name = function.sym_name.data
            if name in self.examples:
                continue
            try:
                self.examples[name] = functions.choose(function)
                self.unverified.pop(name, None)
            except Unverified as error:
                self.unverified[name] = str(error)

    def _add_kernels(self, found: list[Kernel]) -> None:
        self.kernels |= {kernel.name: kernel for kernel in found}

    def _compare_function(
        self, one: ModulePass, function: FuncOp, examples: list[functions.Example]
    ) -> None:
        for example in examples:
            try:
                found = difference(example.outcome, functions.rerun(function, example))
            except Unverified as error:
                found = f"it cannot be run any more: {error}"
            except Unsupported:
                continue
            except OutOfTime:
                found = "it does not come to an end any more"
            if found is not None:
                given = _described(example.inputs.make(_module_of(function)), function)
                raise _not_equivalent(one, function.sym_name.data, found, given)

    def _compare_kernel(self, one: ModulePass, before: Any, after: Any, kernel: Kernel) -> None:
        kinds: frozenset[str] = getattr(one, "ROUNDS_OTHERWISE", frozenset())
        if not kernel.binding.has_sums:
            kinds -= {"sums"}
        for example in kernel.examples:
            try:
                found = kernels.difference(before, after, kernel, example, kinds)
            except Exception as error:
                if type(error).__name__ == "NotInterpretable":
                    self.unverified[kernel.name] = f"{error}, after {one.name}"
                    return
                found = f"{type(error).__name__}: {error}"
            if found is not None:
                given = ", ".join(_shown(value) for value in example.values)
                raise _not_equivalent(one, kernel.name, found, given)


def _module_of(target: ModuleOp | FuncOp) -> ModuleOp:
    return target if isinstance(target, ModuleOp) else module_around(target)


def _functions(target: ModuleOp | FuncOp) -> list[FuncOp]:
    """The functions of TorchScript that a pass may have changed."""
    if isinstance(target, FuncOp):
        return [target]
    found = [function for function in functions_of(target) if function.body.blocks]
    return [function for function in found if why_not_torchscript(function) is None]


def _not_equivalent(one: ModulePass, name: str, found: str, given: str) -> NotEquivalent:
    return NotEquivalent(
        f"{one.name} changed what @{name} does: {found}\nIt was called with {given}"
    )


def _described(values: list[Any], function: FuncOp) -> str:
    names = [argument.name_hint or str(i) for i, argument in enumerate(function.body.block.args)]
    if len(names) != len(values):
        return ", ".join(map(_shown, values))
    return ", ".join(f"{name}={_shown(value)}" for name, value in zip(names, values, strict=True))


def _shown(value: Any) -> str:
    """A value, of tensors with the strides where these are not what one would think."""
    if not isinstance(value, Tensor):
        return repr(value)
    array = value.array
    strides = tuple(stride // array.itemsize for stride in array.strides)
    layout = "" if array.flags.c_contiguous else f" with strides {strides}"
    return f"{value!r}{layout} of {value.dtype}"
