"""`torch.overrides`: classes that override functions, and programs, which see none of them."""

import pytest

from torchscript_dialect import torch
from torchscript_dialect.torch.overrides import (
    handle_torch_function,
    has_torch_function,
    has_torch_function_unary,
    has_torch_function_variadic,
    is_tensor_like,
)


class Logged:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return func.__name__, [type_.__name__ for type_ in types], args


class Inner(Logged):
    pass


class Declining:
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        return NotImplemented


def halved(x):
    if has_torch_function_unary(x):
        return handle_torch_function(halved, (x,), x)
    return x / 2


def test_objects_of_overriding_classes_are_told_from_tensors():
    x = torch.ones(2)
    assert not has_torch_function((x, 1)) and not has_torch_function_variadic(x, x)
    assert has_torch_function((x, Logged())) and has_torch_function_variadic(Logged(), x)
    assert is_tensor_like(x) and is_tensor_like(Logged()) and not is_tensor_like(1)


def test_the_class_answers_a_subclass_first():
    value = Inner()
    assert halved(value) == ("halved", ["Inner"], (value,))
    both = handle_torch_function(halved, (Logged(), value, Logged()), 1)
    assert both == ("halved", ["Inner", "Logged"], (1,))
    with pytest.raises(TypeError, match="no implementation found for"):
        handle_torch_function(halved, (Declining(),), 1)


def test_programs_leave_out_what_is_for_such_objects():
    scripted = torch.jit.script(halved)
    assert "handle" not in scripted.code
    assert scripted(torch.ones(2)).tolist() == [0.5, 0.5]
