"""Regions of `torch.autocast` for CUDA's devices: PyTorch's lists, what it casts in graphs, the dtypes that its operators give on tensors
of no device (`FakeTensor`), what regions set, and casts of weights.
"""

import re
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

import torchscript_dialect as ts
from torchscript_dialect import torch as stand_in
from torchscript_dialect.ir.module import functions_of
from torchscript_dialect.ops.autocast import autocast as lists
from torchscript_dialect.ops.autocast import autocast_calls as calls
from torchscript_dialect.ops.autocast import autocast_composites as composites
from torchscript_dialect.passes.pass_pipeline import PassPipeline
from torchscript_dialect.serialization.graph_printer import print_graph


def cast_by_pytorch(key: str) -> set[str]:
    """The operators that PyTorch's dispatcher has casts for."""
    names = {
        name.partition(".")[0]
        for name in torch._C._dispatch_get_registrations_for_dispatch_key(key)
    }
    return {name.removeprefix("aten::") for name in names}


ON_CPU_ALONE = {"_addmm_activation", "_grid_sampler_2d_cpu_fallback", "cat", "stack"}
"""PyTorch's own calls of kernels, and what promotes dtypes anywhere."""


def test_the_lists_are_pytorchs() -> None:
    assert set[str]().union(*lists.AROUND["cuda"], {"norm"}) == cast_by_pytorch("AutocastCUDA")
    registered = cast_by_pytorch("AutocastCPU") - ON_CPU_ALONE
    assert registered <= set[str]().union(*lists.AROUND["cpu"], composites.names("cpu"))


def nested(a: torch.Tensor, b: torch.Tensor):
    with torch.autocast("cuda"):
        c = torch.mm(a, b)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            d = torch.exp(c) + c
            with torch.autocast("cuda", enabled=False):
                e = torch.mm(c, b)
        with torch.cuda.amp.autocast(dtype=torch.bfloat16):
            f = torch.mm(a, b)
    return c, d, e, f, torch.mm(a, b)


def casts(graph: Any) -> list[str]:
    """The casts of a graph, with their flags and dtypes."""
    constants = dict(re.findall(r"%(\S+) : (?:int|bool) = prim::Constant\[value=(\w+)\]", graph))
    found = re.findall(r"(aten::_autocast_to\w+)\(%\S+, (.*?)\)", graph)
    named = [(kind, rest.replace("%", "").split(", ")) for kind, rest in found]
    return [f"{kind} {[constants.get(one) for one in rest]}" for kind, rest in named]


@pytest.mark.parametrize("kinds", [(), ("cuda",), ("cuda", "cpu")])
def test_graphs_have_pytorchs_casts(kinds: tuple[str, ...]) -> None:
    """In a region around the call there are more: those of eager operators."""
    theirs = torch.jit.script(nested).graph.copy()
    torch._C._jit_pass_inline(theirs)
    torch._C._jit_pass_constant_propagation(theirs)
    ours = ts.script(nested).module_op.clone()
    for kind in kinds:
        torch.set_autocast_enabled(kind, True)
    torch._C._jit_pass_autocast(theirs)  # pyright: ignore[reportAttributeAccessIssue]
    for kind in kinds:
        torch.set_autocast_enabled(kind, False)
    dtypes = {"cuda": "float16", "cpu": "bfloat16"}
    around = " ".join(f"{kind}={dtypes[kind]}" for kind in kinds)
    PassPipeline(f"autocasting,ts-autocast{{{around}}}").apply(ours)
    (function,) = (one for one in functions_of(ours) if one.sym_name.data.endswith("nested"))
    found = iter(casts(print_graph(function)))
    assert all(cast in found for cast in casts(str(theirs)))
    assert kinds or next(found, None) is None


@pytest.fixture
def lists_of_devices(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Tensors of the host are cast as those of a device."""
    monkeypatch.setitem(lists.POLICIES, "cpu", lists.POLICIES["cuda"])
    monkeypatch.setitem(composites.TEXTS, "cpu", composites.TEXTS["cuda"])
    calls.instead_of.cache_clear()
    yield
    calls.instead_of.cache_clear()


def results(of: Any, x: Any, h: Any, v: Any) -> list[Any]:
    """Operators of all lists, and some that are made of others. (Tensors of no device are not indexed.)"""
    F = of.nn.functional
    some, row, one = h.unsqueeze(0), v.to(h.dtype), v.narrow(0, 0, 1)
    products = [x @ h, h @ h, F.linear(x, h, v), of.einsum("ij,jk->ik", x, x), of.mv(h, v)]
    products += [of.linalg.multi_dot([x, h, x]), of.linalg.matrix_power(x, 3), of.addmm(v, x, h)]
    products += [F.conv1d(some, x.unsqueeze(2), padding="same"), F.prelu(h, v), of.inner(x, h)]
    full = [of.exp(h), of.arccos(h), h**2, h.square(), 2**h, F.mse_loss(h, h), of.logsumexp(h, 0)]
    full += [F.layer_norm(h, [4]), F.group_norm(some, 2), F.rms_norm(h, [4]), F.kl_div(h, h)]
    full += [F.interpolate(some, scale_factor=2), F.huber_loss(h, x), F.cosine_similarity(h, h)]
    told = [h.softmax(0), of.special.log_softmax(h, 0), h.sum(), h.sum(0), h.cumsum(0), h.prod()]
    told += [h.sum(dtype=of.float64), h.softmax(0, dtype=of.float16), h.int().sum()]
    norms = [h.norm(), of.norm(h, 3), of.norm(h, 2, 0), of.linalg.norm(h), F.normalize(h)]
    norms += [F.pairwise_distance(h, h), of.ops.aten.norm.Scalar(h, 2)]
    widest = [of.addcmul(h, h, h), of.addcmul(h, x, h), of.atan2(h, x), of.dot(v, row)]
    widest += [of.tensordot(h, x, 1), F.bilinear(h, h, some, row.narrow(0, 0, 1))]
    widest += [F.bilinear(h, h, some, one), of.vdot(row, row)]
    kept = [h + x, h * h, of.relu(h), of.cat([h, x]), h.mean(), h.var(), F.gelu(h)]
    kept += [x.double() @ x.double()]
    return [*products, *full, *told, *norms, *widest, *kept]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_dtypes_of_eager_operators(lists_of_devices: None) -> None:
    sizes = (4, 4), (4, 4), (4,)
    mode = FakeTensorMode()
    with mode:
        device = torch.device("cuda")
        made = [FakeTensor(mode, torch.empty(size, device="meta"), device) for size in sizes]
    torch.set_autocast_enabled("cuda", True)
    try:
        with mode:
            theirs = results(torch, made[0], made[1].half(), made[2])
    finally:
        torch.set_autocast_enabled("cuda", False)
    x, h, v = (stand_in.rand(*size) for size in sizes)
    with stand_in.autocast("cpu", dtype=stand_in.float16):
        ours = results(stand_in, x, h.half(), v)
    assert [str(one.dtype) for one in ours] == [str(one.dtype) for one in theirs]


def test_layers_compute_as_cudnns(lists_of_devices: None) -> None:
    """Always with float16 (aten/src/ATen/cudnn/AutocastRNN.cpp); PyTorch has no such layers without a device."""
    nn, x = stand_in.nn, stand_in.rand(3, 2, 4)
    packed = nn.utils.rnn.pack_sequence([x[:, 0], x[:2, 1]])
    for layer in (nn.LSTM(4, 2), nn.LSTM(4, 3, proj_size=2), nn.GRU(4, 2), nn.RNN(4, 2)):
        with stand_in.autocast("cpu", dtype=stand_in.bfloat16):
            found, states = layer(x)
            of_packed, _ = layer(packed)
            cell = nn.GRUCell(4, 2)(x[0])
        states = states if isinstance(states, tuple) else (states,)
        dtypes = {str(one.dtype) for one in (found, *states, of_packed.data)}
        assert dtypes == {"torch.float16"}
        assert cell.dtype == stand_in.bfloat16


def both(program: Callable[[Any], Any]) -> None:
    """Both libraries give the same."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert program(stand_in) == program(torch)


def test_what_regions_set() -> None:
    def program(t: Any) -> list[str]:
        found: list[Any] = []

        def note() -> None:
            found.extend((t.is_autocast_enabled(), t.is_autocast_enabled("cpu")))
            found.extend(map(t.get_autocast_dtype, ("cuda", "cpu", "xpu", "mps")))
            found.append(t.is_autocast_cache_enabled())

        note()
        for kind in ("cuda", "cpu", "xpu"):
            with t.autocast(kind, dtype=t.float16, cache_enabled=False):
                note()
        t.set_autocast_enabled(True)
        t.set_autocast_dtype("cuda", t.bfloat16)
        note()
        with t.autocast("cuda", enabled=False):
            note()
        t.set_autocast_enabled("cuda", False)
        t.set_autocast_gpu_dtype(t.float16)
        t.set_autocast_cpu_enabled(True)
        note()
        found.append((t.ones(2, 2) @ t.ones(2, 2)).dtype)
        t.set_autocast_cpu_enabled(False)
        t.set_autocast_cache_enabled(False)
        note()
        t.set_autocast_cache_enabled(True)
        found += [t.autocast_increment_nesting(), t.autocast_decrement_nesting()]
        return list(map(str, found))

    both(program)


@pytest.mark.parametrize(
    "make",
    [
        lambda t: t.autocast("cuda"),
        lambda t: t.autocast("cpu", t.float64),
        lambda t: t.cuda.amp.autocast(),
        lambda t: t.autocast("mps", dtype=t.float64),
        lambda t: t.get_autocast_ipu_dtype(),
    ],
)
def test_what_is_said(make: Callable[[Any], Any]) -> None:
    """Without a device, too."""
    told: list[list[tuple[str, str]]] = []
    for t in (stand_in, torch):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            make(t)
        said = [str(one.message).partition(" (Triggered")[0] for one in caught]
        told.append([(one.category.__name__, text) for one, text in zip(caught, said, strict=True)])
    assert told[0] == told[1]
    assert told[0]


@pytest.mark.parametrize(
    "make",
    [
        lambda t: t.autocast("meta", dtype=t.float16),
        lambda t: t.autocast(3),
        lambda t: t.is_autocast_enabled("meta"),
    ],
)
def test_what_is_refused(make: Callable[[Any], Any]) -> None:
    told: list[Any] = []
    for t in (stand_in, torch):
        with pytest.raises((RuntimeError, ValueError)) as caught:
            make(t)
        told.append((caught.type, str(caught.value)))
    assert told[0] == told[1]


@pytest.mark.parametrize("cached", [True, False])
def test_weights_are_cast_once(cached: bool) -> None:
    """Gradients of several uses are added up in the dtype of the region."""

    def program(t: Any) -> Any:
        weight = t.nn.Parameter(t.tensor([[0.3, 1.7], [0.9, -0.2]]))
        x = t.tensor([[1.01, 0.7], [0.33, 3.1]])
        with t.autocast("cpu", cache_enabled=cached):
            with t.no_grad():
                assert not (x @ weight).requires_grad
            loss = (x @ weight).float().sum() * 1.01 + ((x * 3.1) @ weight).float().sum() * 1.3
        loss.backward()
        return weight.grad.tolist()

    both(program)
