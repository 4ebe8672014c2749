"""Dtypes that PyTorch has and of which no tensors can be here: `torch.complex32`, `torch.bits8`, ..."""

from __future__ import annotations

from torchscript_dialect.tensor.dtype import UnsupportedDtype, from_scalar_type, number_of

_OTHER_NAMES = {"chalf": "complex32"}


class AbsentDtype(int):
    """A dtype's number, which is what a dtype is in programs: they compare it and pass it on, and what makes a tensor of it raises."""

    name: str

    def __repr__(self) -> str:
        return f"torch.{self.name}"


def absent_dtype(name: str) -> AbsentDtype | None:
    """The dtype that PyTorch calls `torch.name`; None where there is none of that name, or where tensors can be of it."""
    name = _OTHER_NAMES.get(name, name)
    number = number_of(name)
    if number is None:
        return None
    try:
        from_scalar_type(number)
    except UnsupportedDtype:
        made = AbsentDtype(number)
        made.name = name
        return made
    return None
