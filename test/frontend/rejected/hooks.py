"""Hooks whose signatures do not fit the modules that they belong to."""

from typing import Optional, Tuple

from examples._torch import torch

Tensor = torch.Tensor
nn = torch.nn


class _One(nn.Module):
    def forward(self, x: Tensor) -> Tensor:
        return x


class _Two(nn.Module):
    def forward(self, x: Tensor, n: int) -> Tuple[Tensor, int]:
        return x, n


class _WithPreHook(nn.Module):
    def __init__(self, hook):
        super().__init__()
        self.inner = _One()
        self.inner.register_forward_pre_hook(hook)

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x)


class _WithHook(nn.Module):
    def __init__(self, *hooks):
        super().__init__()
        self.inner = _One()
        for hook in hooks:
            self.inner.register_forward_hook(hook)

    def forward(self, x: Tensor) -> Tensor:
        return self.inner(x)


def _pre_without_input(self):
    return None


def _pre_with_tensor(self, inputs: Tensor):
    return inputs


def _pre_unannotated(self, inputs):
    return None


def _pre_without_return(self, inputs: Tuple[Tensor]):
    return (inputs[0] + 1,)


def _pre_with_int(self, inputs: Tuple[int]):
    return None


def _pre_with_three(self, inputs: Tuple[Tensor, int, int]):
    return None


def _pre_gives_int(self, inputs: Tuple[Tensor]) -> int:
    return 1


def _pre_gives_tuple_of_int(self, inputs: Tuple[Tensor]) -> Tuple[int]:
    return (1,)


def _pre_gives_two(self, inputs: Tuple[Tensor]) -> Tuple[Tensor, Tensor]:
    return inputs[0], inputs[0]


def _pre_gives_optional(self, inputs: Tuple[Tensor]) -> Optional[Tuple[Tensor]]:
    return inputs


def _pre_of_two_gives_one(self, inputs: Tuple[Tensor, int]) -> Tensor:
    return inputs[0]


def _without_output(self, inputs: Tuple[Tensor]):
    return None


def _with_more(self, inputs: Tuple[Tensor], output: Tensor, more: int):
    return None


def _with_tensor(self, inputs: Tensor, output: Tensor):
    return None


def _with_int(self, inputs: Tuple[int], output: Tensor):
    return None


def _with_two(self, inputs: Tuple[Tensor, Tensor], output: Tensor):
    return None


def _with_int_output(self, inputs: Tuple[Tensor], output: int):
    return None


def _gives_text(self, inputs: Tuple[Tensor], output: Tensor) -> str:
    return "text"


class PreHookWithoutInput(_WithPreHook):
    def __init__(self):
        super().__init__(_pre_without_input)


class PreHookWithTensor(_WithPreHook):
    def __init__(self):
        super().__init__(_pre_with_tensor)


class PreHookUnannotated(_WithPreHook):
    def __init__(self):
        super().__init__(_pre_unannotated)


class PreHookWithoutReturn(_WithPreHook):
    def __init__(self):
        super().__init__(_pre_without_return)


class PreHookWithInt(_WithPreHook):
    def __init__(self):
        super().__init__(_pre_with_int)


class PreHookWithThree(_WithPreHook):
    def __init__(self):
        super().__init__(_pre_with_three)


class PreHookGivesInt(_WithPreHook):
    def __init__(self):
        super().__init__(_pre_gives_int)


class PreHookGivesTupleOfInt(_WithPreHook):
    def __init__(self):
        super().__init__(_pre_gives_tuple_of_int)


class PreHookGivesTwo(_WithPreHook):
    def __init__(self):
        super().__init__(_pre_gives_two)


class PreHookGivesOptional(_WithPreHook):
    def __init__(self):
        super().__init__(_pre_gives_optional)


class PreHookOfTwoGivesOne(_Two):
    def __init__(self):
        super().__init__()
        self.register_forward_pre_hook(_pre_of_two_gives_one)


class HookWithoutOutput(_WithHook):
    def __init__(self):
        super().__init__(_without_output)


class HookWithMore(_WithHook):
    def __init__(self):
        super().__init__(_with_more)


class HookWithTensor(_WithHook):
    def __init__(self):
        super().__init__(_with_tensor)


class HookWithInt(_WithHook):
    def __init__(self):
        super().__init__(_with_int)


class HookWithTwo(_WithHook):
    def __init__(self):
        super().__init__(_with_two)


class HookWithIntOutput(_WithHook):
    def __init__(self):
        super().__init__(_with_int_output)


class HookAfterText(_WithHook):
    def __init__(self):
        super().__init__(_gives_text, _with_int_output)
