"""Programs with names that PyTorch's module alone has: graphs, code and results of three calls are PyTorch's."""

import enum
from typing import Any, List, Union  # noqa: UP035

import pytest
import torch
from torch import nn
from torch.autograd.profiler import record_function

import torchscript_dialect as ts
from support.canonical import canonical, without_mangling
from torchscript_dialect import torch as stand_in

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning")


class Mode(str, enum.Enum):  # noqa: UP042  # published code has it so
    MEAN = "mean"
    SUM = "sum"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class MemberOfStrings(nn.Module):
    """A member of an enum of strings is a string first."""

    def __init__(self):
        super().__init__()
        self.mode = Mode.SUM

    def forward(self, x):
        return x.sum() if self.mode == "sum" else x.mean()


class MemberOfInts(nn.Module):
    def __init__(self):
        super().__init__()
        self.level = Level.HIGH

    def forward(self, x):
        return x * self.level


def of_numbers(x):
    return torch.FloatTensor([1.0, 2.0]) + x, torch.LongTensor([[1], [2]]), torch.BoolTensor([True])


def of_lists(x, sizes: List[int]):  # noqa: UP006
    return torch.IntTensor(sizes), torch.FloatTensor(x.shape), torch.DoubleTensor((1, 2))


def of_sizes(x, n: int):
    return torch.FloatTensor(n, 2).zero_() + x, torch.ByteTensor(3).zero_(), torch.HalfTensor()


def recorded(x):
    with record_function("scale"):
        y = x * 2
        with torch.profiler.record_function("shift"):
            y = y + 1
    return y


def not_cast(x):
    with torch.autocast(device_type="cuda", enabled=False):
        y = x * 2
    with torch.cuda.amp.autocast(enabled=False):
        return torch.mm(y, y.t())


class Interpolation(enum.Enum):
    NEAREST = "nearest"
    BILINEAR = "bilinear"


def resized(x, how: Union[Interpolation, int] = Interpolation.BILINEAR):  # noqa: UP007
    if isinstance(how, int):
        return x + how
    return x * 2 if how == Interpolation.BILINEAR else x


def compare(program: Any, *args: Any) -> None:
    theirs, ours = torch.jit.script(program), ts.script(program)
    assert canonical(str(ours.graph)) == canonical(str(theirs.graph))
    assert without_mangling(ours.code) == without_mangling(theirs.code)
    for _ in range(3):
        given, wanted = ours(*args), theirs(*args)
        pairs = zip(given, wanted, strict=True) if isinstance(given, tuple) else [(given, wanted)]
        for one, other in pairs:
            torch.testing.assert_close(torch.from_dlpack(one), other)


def recorded_here(x):
    with stand_in.autograd.profiler.record_function("scale"):
        y = x * 2
        with stand_in.profiler.record_function("shift"):
            y = y + 1
    return y


def test_named_parts_of_the_stand_in() -> None:
    theirs, ours = torch.jit.script(recorded), ts.script(recorded_here)
    assert canonical(str(ours.graph)) == canonical(str(theirs.graph))
    x = stand_in.ones(2)
    named = stand_in.profiler.record_function("all")(recorded_here)
    for run in (ours, ours, ours, recorded_here, named):
        assert run(x).tolist() == [3.0, 3.0]


X = torch.ones(2, 2)


@pytest.mark.parametrize("program", [MemberOfStrings, MemberOfInts])
def test_members_of_enums_as_attributes(program: Any) -> None:
    compare(program(), X)


@pytest.mark.parametrize(
    ("program", "args"), [(of_numbers, (X,)), (of_lists, (X, [1, 2])), (of_sizes, (X, 2))]
)
def test_legacy_constructors(program: Any, args: Any) -> None:
    compare(program, *args)


@pytest.mark.parametrize("program", [recorded, not_cast])
def test_regions_that_change_nothing(program: Any) -> None:
    compare(program, X)


def on_a_device(x: torch.Tensor):
    """The device says nothing, and a tuple is what the tensor holds: `Dropsample` of OmniSR."""
    held = torch.FloatTensor((x.shape[0], 1), device=x.device)
    return held, torch.LongTensor([2, 3], device="cpu"), torch.FloatTensor(device=x.device)


def sizes_on_a_device(x: torch.Tensor):
    return torch.FloatTensor(x.shape[0], 1, device=x.device).fill_(2.0)


@pytest.mark.parametrize("program", [on_a_device, sizes_on_a_device])
def test_legacy_constructors_with_a_device(program: Any) -> None:
    compare(program, X)


def two_sizes(x: float):
    return torch.FloatTensor(2, x)


def with_a_dtype(x: torch.Tensor):
    return torch.FloatTensor([1.0], device=x.device, dtype=torch.float64)  # pyright: ignore


def by_name(n: int):
    return torch.FloatTensor(size=n)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("program", [two_sizes, by_name, with_a_dtype])
def test_misused_legacy_constructors(program: Any) -> None:
    told: list[str] = []
    for script in (torch.jit.script, ts.script):
        with pytest.raises(Exception, match="Legacy Tensor Constructor only supports") as caught:
            script(program)
        told.append(str(caught.value).strip().partition("File")[0])
    assert told[0] == told[1]


def test_a_member_of_an_enum_is_the_default_of_a_union() -> None:
    for _ in range(3):
        assert ts.script(resized)(X).tolist() == torch.jit.script(resized)(X).tolist()
    compare(resized, X, 3)
