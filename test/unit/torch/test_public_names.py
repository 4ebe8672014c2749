"""Each public name of PyTorch's namespaces is in the stand-in, or in the list of those that are not, with its reason."""

import pytest

from support import public_names
from torchscript_dialect import torch


def has(place: str, name: str) -> bool:
    return hasattr(public_names.owner(torch, place), name)


@pytest.mark.parametrize("place", public_names.PLACES)
def test_each_name_is_there_or_listed(place: str) -> None:
    assert public_names.differences(place, lambda name: has(place, name)) == []


def test_what_is_not_as_the_list_says_is_found() -> None:
    listed = public_names.absent()["torch"]
    some = next(iter(listed))
    wrong = public_names.differences("torch", lambda name: name == some or name not in listed)
    assert wrong == [f"{some}: is there, and in the list: {listed[some]}"]
    wrong = public_names.differences("torch", lambda name: name not in listed and name != "add")
    assert wrong == ["add: is not there"]
