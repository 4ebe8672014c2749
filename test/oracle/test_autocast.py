"""Regions of `torch.autocast`, in programs and around calls, give the dtypes and numbers that PyTorch gives."""

from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import torchscript_dialect as ts
from torchscript_dialect import torch as stand_in
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.ir.edit import nested_ops
from torchscript_dialect.ir.module import functions_of
from torchscript_dialect.ops.autocast import autocast as lists
from torchscript_dialect.ops.autocast import autocast_composites as composites
from torchscript_dialect.passes.pass_pipeline import PassPipeline


def products(a: torch.Tensor, b: torch.Tensor):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        c = torch.mm(a, b)
        d = torch.exp(c) + c
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=False):
            e = torch.mm(c.float(), b)
        f = F.linear(a, b, b[0])
    return c, d, e, f, c.sum(), torch.softmax(c, 0), torch.mm(a, b)


def in_a_loop(a: torch.Tensor, b: torch.Tensor):
    c = torch.mm(a, b)
    for i in range(3):
        if i > 0:
            with torch.autocast("cpu"):
                c = torch.mm(c, b) + a
    return c, torch.cat([c, a])


def without_regions(a: torch.Tensor, b: torch.Tensor):
    c = torch.mm(a, b)
    attended = F.scaled_dot_product_attention(a[None], b[None], a[None])
    parts = torch.exp(c), torch.cat([c, a]), c + a, F.mse_loss(c, a)
    return c, attended, parts, torch.layer_norm(c, [4]), F.conv1d(a[None], b[:, :, None])


def not_for_us(a: torch.Tensor, b: torch.Tensor):
    with torch.autocast("cuda", dtype=torch.float16, enabled=False):
        return torch.mm(a, b)


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.GELU(), nn.Linear(8, 4))
        self.bare = nn.Conv1d(4, 4, 1, bias=False)
        self.conv = nn.Conv1d(4, 4, 1)

    def forward(self, a: torch.Tensor, b: torch.Tensor):
        return self.layers(a), self.conv(b[None]), self.bare(b[None])


class Regions(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Linear(4, 2, bias=False)

    def cast(self, a: torch.Tensor):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            return self.net(a), torch.exp(a)

    def forward(self, a: torch.Tensor, b: torch.Tensor):
        return self.cast(a), torch.mm(a, b)


@cache
def net() -> Net:
    torch.manual_seed(0)
    return Net().eval()


def flat(result: Any) -> list[torch.Tensor]:
    if isinstance(result, tuple):
        return [tensor for part in result for tensor in flat(part)]
    return [torch.from_dlpack(result) if isinstance(result, ts.Tensor) else result]


def assert_same(ours: Any, theirs: Any, *args: Any, around: bool) -> None:
    for number in range(3):
        with torch.autocast("cpu", dtype=torch.bfloat16) if around else nullcontext():
            found, expected = flat(ours(*args)), flat(theirs(*args))
        for got, want in zip(found, expected, strict=True):
            assert got.dtype == want.dtype, f"call {number}"
            torch.testing.assert_close(got, want, rtol=0.02, atol=0.05)


@pytest.mark.parametrize("around", [False, True])
@pytest.mark.parametrize("program", [products, in_a_loop, without_regions, not_for_us, net])
def test_results_are_pytorchs(program: Any, around: bool) -> None:
    made = net() if program is net else program
    torch.manual_seed(0)
    args = torch.randn(4, 4), torch.randn(4, 4)
    with torch.no_grad():
        assert_same(ts.script(made), torch.jit.script(made), *args, around=around)


def test_a_call_goes_by_the_region_that_it_stands_in() -> None:
    """What was compiled outside of a region, or in one, is not used elsewhere."""
    ours = ts.script(without_regions)
    args = torch.ones(4, 4), torch.ones(4, 4)
    for _ in range(3):
        assert flat(ours(*args))[0].dtype == torch.float32
        with torch.autocast("cpu", dtype=torch.bfloat16):
            assert flat(ours(*args))[0].dtype == torch.bfloat16
            with torch.autocast("cpu", enabled=False):
                assert flat(ours(*args))[0].dtype == torch.float32


def test_archives_keep_their_regions(tmp_path: Path) -> None:
    """The methods of a region were missing in what was loaded."""
    args = torch.ones(4, 4), torch.ones(4, 4)
    theirs, ours = tmp_path / "theirs.pt", tmp_path / "ours.pt"
    module = Regions()
    torch.jit.save(torch.jit.script(module), theirs)
    ts.save(ts.script(module), ours)
    with torch.no_grad():
        for loaded in (ts.load(theirs), ts.load(ours), ts.from_torch(torch.jit.load(theirs))):
            assert_same(loaded, torch.jit.load(ours), *args, around=False)


def test_gradients_go_through_casts() -> None:
    a = torch.randn(4, 4)
    x = stand_in.tensor(a.tolist(), requires_grad=True)
    y = a.clone().requires_grad_()
    for script, given in ((ts.script, x), (torch.jit.script, y)):
        script(products)(given, a)[0].float().sum().backward()
    assert x.grad is not None
    assert y.grad is not None
    torch.testing.assert_close(torch.from_dlpack(x.grad), y.grad, rtol=0.02, atol=0.05)


def chosen_when_it_runs(a: torch.Tensor, on: bool):
    with torch.autocast("cpu", enabled=on):
        return torch.mm(a, a)


def unsafe(a: torch.Tensor):
    with torch.autocast("cpu"):
        return F.binary_cross_entropy(a, a)


@pytest.mark.parametrize(
    ("program", "args", "message"),
    [
        (chosen_when_it_runs, (True,), "Autocast _enabled argument must be a constant"),
        (unsafe, (), "aten::binary_cross_entropy is unsafe to autocast"),
    ],
)
def test_what_pytorch_refuses(program: Any, args: Any, message: str) -> None:
    with pytest.raises(ts.TorchScriptError, match=message + r" \(at .*\.py:\d+:\d+\)"):
        ts.script(program)(torch.ones(2, 2), *args)


def contractions(x: torch.Tensor):
    v = x[0]
    pairs = (
        torch.einsum("ij,jk->ik", x, x),
        torch.einsum("ij,ij", x, x),
        torch.einsum("ij,j->i", x, v),
    )
    chains = torch.einsum("ij,jk,kl->il", x, x, x), torch.einsum("i,j,jk->ik", v, v, x)
    kept = torch.einsum("ij,ij->ij", x, x), torch.einsum("i,j->ij", v, v), torch.einsum("ii->i", x)
    one = torch.einsum("ij,jk->ik", x[:, :1], x[:1]), torch.einsum("...j,jk->...k", x, x)
    last = torch.einsum("ij,jk,ik->ik", x, x, x)
    return pairs, chains, kept, one, last


def products_of_several(x: torch.Tensor):
    v = x[0]
    dots = torch.tensordot(x, x, 1), torch.inner(x, x), torch.inner(v, v), torch.inner(x[0, 0], v)
    chains = torch.chain_matmul(x, x, x), torch.chain_matmul(x), torch.linalg.multi_dot([v, x, v])
    powers = torch.linalg.matrix_power(x, 3), torch.matrix_power(x, 1), torch.matrix_power(x, -2)
    statistics = torch.cov(x), torch.corrcoef(x), torch.linalg.matmul(x, x), torch.matrix_exp(x)
    copied = torch.index_copy(x, 0, torch.tensor([0]), x[:1].to(torch.bfloat16))
    return dots, chains, powers, statistics, copied


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(4, 4, num_layers=2, bidirectional=True, batch_first=True)
        self.projected = nn.LSTM(4, 4, proj_size=2)
        self.gru, self.rnn = nn.GRU(4, 4), nn.RNN(4, 4, nonlinearity="relu", bias=False)

    def forward(self, x: torch.Tensor):
        x = torch.stack([x, x])
        packed = nn.utils.rnn.pack_padded_sequence(x, torch.tensor([2, 1, 1, 1]))
        sequences = self.gru(packed)[0].data, self.rnn(packed)[0].data
        return self.lstm(x), self.projected(x), self.gru(x), self.rnn(x), sequences


def recurrent() -> Recurrent:
    torch.manual_seed(0)
    return Recurrent().eval()


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("program", [contractions, products_of_several, recurrent])
def test_operators_made_of_others_in_a_region_around_the_call(program: Any) -> None:
    """What such an operator calls is cast, so that the dtype of its result depends on its arguments: it was an error."""
    made = recurrent() if program is recurrent else program
    torch.manual_seed(1)
    x = torch.rand(4, 4) / 2 + torch.eye(4)
    with torch.no_grad():
        assert_same(ts.script(made), torch.jit.script(made), x, around=True)


def text_of(schema: Any, dtype: bool) -> str | None:
    """A graph of one node, None for what takes other things than tensors, numbers and lists of numbers."""
    inputs: list[str] = []
    nodes: list[str] = []
    for index, argument in enumerate(schema.arguments):
        name, type_ = f"%a{index}", str(argument.type)
        constants = {"int": 1, "bool": 1, "float": 1.0, "number": 1}
        if type_ == "Tensor":
            inputs.append(f"{name} : Tensor")
        elif type_ == "List[int]":
            inputs.append(f"{name} : int[]")
        elif dtype and argument.name == "dtype":
            nodes.append(f"{name} : int = prim::Constant[value=6]()")
        elif type_.startswith("Optional"):
            nodes.append(f"{name} : NoneType = prim::Constant()")
        elif type_ in constants:
            kind = type_.replace("number", "int")
            nodes.append(f"{name} : {kind} = prim::Constant[value={constants[type_]}]()")
        else:
            return None
    names = ", ".join(f"%a{index}" for index in range(len(schema.arguments)))
    results = [f"%r{index} : Tensor" for index in range(len(schema.returns))]
    nodes.append(f"{', '.join(results)} = {schema.name}({names})")
    returned = ", ".join(result.split()[0] for result in results)
    return f"graph({', '.join(inputs)}):\n  " + "\n  ".join(nodes) + f"\n  return ({returned})\n"


def our_casts(text: str) -> list[str]:
    module = parse_ir_text(text)
    PassPipeline("ts-autocast{cpu=bfloat16}").apply(module)
    (function,) = functions_of(module)
    kinds = [getattr(op, "KIND", "") for op in nested_ops(function.body.block)]
    return [kind for kind in kinds if kind.startswith("aten::_autocast_to")]


def their_casts(text: str) -> list[str]:
    graph = torch._C.parse_ir(text)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        torch._C._jit_pass_autocast(graph)  # pyright: ignore[reportAttributeAccessIssue]
    return [node.kind() for node in graph.nodes() if node.kind().startswith("aten::_autocast_to")]


def test_the_lists_of_programs_are_pytorchs() -> None:
    """Every operator that PyTorch casts is cast here, and every one of our lists there; a region around casts more."""
    ours = lists.REDUCED | lists.FULL | lists.WIDEST
    around = set[str]().union(*lists.AROUND["cpu"], composites.names("cpu"))
    compared: set[str] = set()
    for schema in torch._C._jit_get_all_schemas():
        name = schema.name.removeprefix("aten::")
        if not schema.name.startswith("aten::") or name.startswith("_autocast_to"):
            continue
        text = text_of(schema, dtype=False)
        returned = [str(one.type) for one in schema.returns]
        if text is None or not returned or set(returned) != {"Tensor"} or name in lists.BANNED:
            continue
        casts = their_casts(text)
        assert bool(casts) <= (name in ours), name
        if name in ours - around:
            assert our_casts(text) == casts, name
            with_dtype = text_of(schema, dtype=True)
            assert with_dtype is not None
            assert our_casts(with_dtype) == their_casts(with_dtype), name
            compared.add(name)
    assert len(compared) > 50


def eager(torch: Any, F: Any, dtype: Any, a: Any, b: Any) -> list[Any]:
    """Operators of all lists, and some that are made of others, on operands of several dtypes."""
    low, double = a.to(dtype), a.to(torch.float64)
    products = [a @ b, torch.mm(low, b.to(dtype)), double @ double, F.linear(a, b, b[0])]
    products += [torch.baddbmm(a[None], a[None], b[None]), torch.einsum("ij,jk->ik", a, b)]
    products += [torch.addmm(a[0], a, b), torch.tensordot(a, b, 1), F.prelu(a, b[0])]
    layers = [
        F.conv1d(a[None], b[:, :, None]),
        F.conv_transpose2d(a[None, :, :, None], b[:, :, None, None]),
    ]
    layers += [F.scaled_dot_product_attention(a[None], b[None], low.to(torch.float32)[None])]
    full = [F.mse_loss(low, low), F.l1_loss(low, a), torch.prod(low), torch.trace(low)]
    full += [
        F.smooth_l1_loss(low, a),
        F.kl_div(low, a),
        torch.cdist(low, low),
        torch.linalg.inv(low),
    ]
    full += [
        F.cross_entropy(low, torch.tensor([0, 1, 2, 3])),
        F.grid_sample(low[None, None], low[None, :, :2, None].reshape(1, 4, 1, 2)),
    ]
    kept = [
        torch.exp(low),
        low + a,
        torch.cat([low, a]),
        torch.stack([low, a]),
        low.sum(),
        low.mean(),
    ]
    kept += [F.softmax(low, 0), F.layer_norm(low, [4]), F.gelu(low), torch.matmul(double, double)]
    return [*products, *layers, *full, *kept]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_eager_operators_are_cast_as_pytorchs(dtype: str) -> None:
    torch.manual_seed(0)
    data = [(torch.rand(4, 4) / 4 + torch.eye(4)).tolist() for _ in range(2)]
    results: list[list[torch.Tensor]] = []
    for of in (stand_in, torch):
        given = [of.tensor(one) for one in data]
        with of.autocast("cpu", dtype=getattr(of, dtype)), torch.no_grad():
            found = eager(of, of.nn.functional, getattr(of, dtype), *given)
        results.append([torch.from_dlpack(x) if of is stand_in else x for x in found])
    for number, (ours, theirs) in enumerate(zip(*results, strict=True)):
        assert ours.dtype == theirs.dtype, number
        torch.testing.assert_close(ours, theirs, rtol=0.02, atol=0.05)


def own_region(x: torch.Tensor):
    with torch.autocast("cpu"):
        y = torch.mm(x, x)
    return y


def test_regions_in_regions_and_functions_of_ones_own() -> None:
    """A region that is not told its dtype has that of the one around; `custom_fwd` casts what it is told to, or nothing."""

    def inside(t: Any) -> list[str]:
        x = t.ones(2, 2)
        found: list[Any] = [t.is_autocast_enabled("cpu"), t.is_autocast_enabled()]
        found += [t.get_autocast_dtype(kind) for kind in ("cpu", "cuda")]
        with t.autocast("cpu"):
            found.append((x @ x).dtype)
        with t.autocast("cpu", enabled=False):
            found += [t.get_autocast_dtype("cpu"), t.is_autocast_enabled("cpu"), (x @ x).dtype]
            with t.autocast("cpu"):
                found.append((x @ x).dtype)
        found.append(t.jit.script(own_region)(x).dtype)
        for casts in (None, t.float64):
            y = t.ones(2, 2).requires_grad_()
            result = squared(t, casts).apply(y)
            result.sum().backward()
            found += [result.dtype, y.grad.dtype, y.grad.tolist()]
        return list(map(str, found))

    def squared(t: Any, casts: Any) -> Any:
        class Squared(t.autograd.Function):
            @staticmethod
            @t.amp.custom_fwd(device_type="cpu", cast_inputs=casts)
            def forward(ctx: Any, x: Any) -> Any:
                ctx.save_for_backward(x)
                return x @ x

            @staticmethod
            @t.amp.custom_bwd(device_type="cpu")
            def backward(ctx: Any, *grads: Any) -> Any:
                (x,), (grad,) = ctx.saved_tensors, grads
                product = grad @ x.t()
                assert product.dtype is grad.dtype
                return product + x.t() @ grad

        return Squared

    def program(t: Any) -> list[list[str]]:
        found = [inside(t)]
        for kind in (t.float16, t.bfloat16):
            with t.autocast("cpu", dtype=kind):
                found.append(inside(t))
        return found

    assert program(stand_in) == program(torch)
    for t in (torch, stand_in):
        with pytest.raises(ValueError, match="Expected `device_type` of type `str`, got"):
            t.amp.custom_fwd(device_type=None)
        with pytest.warns(FutureWarning, match="Please use `torch.amp.custom_bwd"):
            t.cuda.amp.custom_bwd(squared)
        with pytest.warns(DeprecationWarning, match="use torch.get_autocast_dtype.'cuda'"):
            assert t.get_autocast_gpu_dtype() is t.float16
