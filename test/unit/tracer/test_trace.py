"""Traces of functions and modules: what they record, what they run, and what is refused."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tracer.tensor_hooks import TracerWarning

nn = torch.nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(3, 4)
        self.rest = nn.Sequential(nn.Linear(4, 4), nn.ReLU())
        self.register_buffer("shift", torch.ones(4))

    def forward(self, x):
        y = self.first(x)
        return self.rest(y) + self.rest(y) * self.shift + self.first.weight.sum()


def scale(x, y):
    z = x + y * 2
    return z.view(x.size(0), -1) / x.shape[1]


def test_a_function_serves_other_sizes() -> None:
    traced = ts.trace(scale, (torch.rand(2, 3), torch.rand(2, 3)))
    x, y = torch.rand(5, 7), torch.rand(5, 7)
    for _ in range(3):
        np.testing.assert_allclose(traced(x, y), (x.array + y.array * 2) / 7, rtol=1e-6)


def test_types_of_the_example_are_forgotten_in_other_calls() -> None:
    """Sizes of the example stayed in the graph that was compiled, which had another rank then."""

    def f(x):
        return x.softmax(-1).reshape(x.shape[0] * x.shape[1]) * 2

    traced = ts.trace(f, torch.rand(2, 3))
    assert "Float(2, 3" in str(traced.graph)
    for shape in ((5, 7), (1, 4), (5, 7), (5, 7)):
        x = torch.rand(*shape)
        np.testing.assert_allclose(traced(x), f(x), rtol=1e-5)


def test_a_module_keeps_its_tree() -> None:
    module = Net()
    traced = ts.trace(module, torch.rand(2, 3))
    assert [name for name, _ in traced.named_modules()] == [
        "", "first", "rest", "rest.0", "rest.1",
    ]  # fmt: skip
    assert "(rest).forward1(" in traced.code
    x = torch.rand(4, 3)
    np.testing.assert_allclose(traced(x).detach(), module(x).detach(), rtol=1e-6)
    assert traced.first.weight.array is module.first.weight.array
    assert "scope: __module.rest/__module.rest.0" in str(traced.inlined_graph)


def test_a_traced_module_is_saved_and_loaded(tmp_path: Path) -> None:
    module = Net()
    traced = ts.trace(module, torch.rand(2, 3))
    ts.save(traced, tmp_path / "net.pt")
    x = torch.rand(4, 3)
    again = ts.load(tmp_path / "net.pt")
    np.testing.assert_array_equal(again(x).detach(), traced(x).detach())


def test_a_compiled_function_keeps_its_control_flow() -> None:
    @torch.jit.script
    def halve_positive(x):
        if bool(x.sum() > 0):
            return x / 2
        return x

    def f(x):
        return halve_positive(x) + 1

    for _ in range(3):  # native by then
        halve_positive(torch.ones(3))
    traced = ts.trace(f, torch.ones(3))
    assert "prim::CallFunction" in str(traced.graph)
    np.testing.assert_array_equal(traced(-torch.ones(3)), np.zeros(3, np.float32))
    assert halve_positive(torch.ones(3)).tolist() == [0.5] * 3


def test_a_number_that_is_baked_in_is_warned_of() -> None:
    def f(x):
        if x.sum() > 0:
            return x * float(x[0])
        return x

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ts.trace(f, torch.ones(2))
    assert ["boolean" in str(caught[0].message), "float" in str(caught[1].message)] == [True, True]
    lines = {warning.lineno for warning in caught if warning.filename == __file__}
    first = f.__code__.co_firstlineno
    assert lines >= {first + 1, first + 2}


def test_sizes_are_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ts.trace(scale, (torch.rand(2, 3), torch.rand(2, 3)))


def test_tensors_have_their_own_methods_after_a_trace() -> None:
    before = dict(vars(Tensor))
    ts.trace(scale, (torch.rand(2, 3), torch.rand(2, 3)))
    with pytest.raises(ZeroDivisionError):
        ts.trace(lambda x: 1 // 0, torch.ones(2))
    after = vars(Tensor)
    assert all(after[name] is before[name] for name in ("shape", "size", "__bool__", "item"))


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda x: 3, "Only tensors, lists, tuples"),
        (lambda x: (x, None), "Only tensors, lists, tuples"),
        (lambda x: None, "didn't return any values"),
        (lambda x: [], "cannot infer type"),
        (lambda x: {"a": x + 1}, "Encountering a dict at the output.*strict=False"),
        (lambda x: [(x, x + 1)], "Only tensors, lists, tuples"),
        (lambda x: torch.jit.trace(lambda y: y + 1, x)(x), "while another one runs"),
    ],
    ids=["number", "none", "nothing", "empty list", "dict", "list of tuples", "nested"],
)
def test_refused(function, message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        ts.trace(function, torch.ones(2))


def test_a_list_of_tensors_is_a_result_with_a_warning() -> None:
    with pytest.warns(TracerWarning, match="Encountering a list at the output"):
        traced = ts.trace(lambda x: [x, x + 1], torch.ones(2))
    assert [item.tolist() for item in traced(torch.zeros(1))] == [[0], [1]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ts.trace(lambda x: [x, x + 1], torch.ones(2), strict=False)


def test_a_tensor_from_elsewhere_is_no_result() -> None:
    outside = torch.ones(2)
    with pytest.raises(RuntimeError, match="did not have observable data dependence"):
        ts.trace(lambda x: (x, outside), torch.ones(2))


def test_an_input_that_is_no_tensor() -> None:
    with pytest.raises(RuntimeError, match=r"Type 'Tuple\[Tensor, int\]' cannot be traced"):
        ts.trace(lambda x, n: x + n, (torch.ones(2), 3))


def test_a_dict_of_other_values_is_no_result() -> None:
    with pytest.raises(RuntimeError, match="only outputs matching dict"):
        ts.trace(lambda x: {"a": (x, 1)}, torch.ones(2), strict=False)


@pytest.mark.parametrize(
    ("make", "kinds"),
    [
        (lambda: torch.FloatTensor([2.0]), ["aten::to"]),
        (lambda: torch.Tensor([2.0]), ["aten::to"]),
        (lambda: torch.ones(1).new([2]), ["aten::to"]),
        (lambda: torch.Tensor(2).fill_(2), ["aten::empty", "aten::fill_"]),
        (lambda: torch.LongTensor(1, 2).fill_(2), ["aten::empty", "aten::fill_"]),
        (lambda: torch.from_numpy(np.full(2, 2)), ["aten::lift_fresh"]),
        (lambda: torch.as_tensor(np.full(2, 2)), ["aten::lift_fresh", "aten::to"]),
    ],
)
def test_tensors_made_of_python_values_are_results(make: Any, kinds: list[str]) -> None:
    """They were constants, which a trace refused as results."""
    traced = ts.trace(lambda x: (x, make()), torch.ones(2))
    nodes = [node.kind() for node in traced.graph.nodes()]
    assert [kind for kind in nodes if kind.startswith("aten::")] == kinds
    assert (traced(torch.zeros(3))[1] == 2).all()


def test_calls_do_not_share_a_tensor_of_sizes() -> None:
    """`torch.Tensor(2)` was one constant, which each call wrote to: a result changed with the next call."""
    traced = ts.trace(lambda x: torch.Tensor(2).copy_(x), torch.ones(2))
    first, second = traced(torch.ones(2)), traced(torch.zeros(2))
    assert [first.tolist(), second.tolist()] == [[1, 1], [0, 0]]


def test_inputs_by_name() -> None:
    def f(x, *, shift):
        return x + shift

    def g(x, shift):
        return x - shift

    traced = ts.trace(g, example_kwarg_inputs={"shift": torch.ones(2), "x": torch.zeros(2)})
    assert traced(torch.zeros(2), torch.ones(2)).tolist() == [-1, -1]
    with pytest.raises(TypeError, match="'shift'"):
        ts.trace(f, example_kwarg_inputs={"shift": torch.ones(2), "x": torch.zeros(2)})


def test_a_program_that_differs_from_run_to_run_is_told() -> None:
    runs = []

    def f(x):
        runs.append(x)
        return x + 1 if len(runs) % 2 else x - 1

    with pytest.raises(torch.jit.TracingCheckError, match=r"- .*aten::add.*test_trace.py"):
        ts.trace(f, torch.ones(2))


def _times_its_sum(x):
    return x * float(x.sum())


def _once_a_row(x):
    for _ in range(x.size(0)):
        x = torch.neg(x)
    return x


@pytest.mark.filterwarnings("ignore::torchscript_dialect.tracer.tensor_hooks.TracerWarning")
@pytest.mark.parametrize(
    ("f", "other"), [(_times_its_sum, torch.ones(2) * 3), (_once_a_row, torch.ones(3))]
)
def test_other_inputs_show_what_was_baked_in(f: Any, other: Any) -> None:
    with pytest.raises(torch.jit.TracingCheckError):
        ts.trace(f, torch.ones(2), check_inputs=[other])


def test_other_inputs_may_have_other_shapes() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ts.trace(lambda x: x.view(-1) * 2, torch.ones(2, 3), check_inputs=[torch.ones(4)])


def test_results_are_compared_on_other_inputs() -> None:
    def f(x):
        return x * 3 if torch.jit.is_tracing() else x + 2

    with pytest.warns(
        TracerWarning, match=r"check_inputs\[0\].*2 of 2.*at \[0\]: 6.0 instead of 4.0"
    ):
        ts.trace(f, torch.ones(2), check_inputs=[torch.ones(2) * 2])


def test_a_check_leaves_random_numbers_as_they_were() -> None:
    torch.manual_seed(3)
    ts.trace(lambda x: x + torch.rand(2), torch.ones(2), check_trace=False)
    known = torch.rand(2).tolist()
    torch.manual_seed(3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ts.trace(lambda x: x + torch.rand(2), torch.ones(2))
    assert torch.rand(2).tolist() == known


def test_the_example_is_not_written_to() -> None:
    x = torch.ones(2)
    ts.trace(lambda x: x.add_(1), x)
    assert x.tolist() == [1, 1]


@ts.script
def nested(x):
    return [[x + 1, x - 1], [x + 2]]


def test_lists_of_lists_that_a_compiled_function_gives() -> None:
    traced = ts.trace(lambda x: nested(x)[0][1], torch.ones(2))
    assert traced(torch.zeros(2)).tolist() == [-1, -1]
    assert ": Tensor[], %3 : Tensor[] = prim::ListUnpack(" in str(traced.graph)


def test_is_tracing() -> None:
    seen = []

    def f(x):
        seen.append(torch.jit.is_tracing())
        return x + 1

    ts.trace(f, torch.ones(2), check_trace=False)
    f(torch.ones(2))
    assert seen == [True, False]


@torch.jit.script_if_tracing
def first_positive(x):
    for i in range(x.size(0)):
        if bool(x[i] > 0):
            return x[i]
    return x[0]


def test_script_if_tracing() -> None:
    traced = ts.trace(lambda x: first_positive(x) * 2, torch.tensor([-1.0, 2.0]))
    assert traced(torch.tensor([3.0, -1.0])).item() == 6
    assert first_positive(torch.tensor([-1.0, 4.0])).item() == 4


def test_methods_of_a_module() -> None:
    class Coder(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.Linear(2, 2)

        def forward(self, x):
            return self.inner(x)

        def encode(self, x):
            return self.inner(x) * 2

    module = Coder()
    traced = ts.trace_module(module, {"forward": torch.ones(1, 2), "encode": torch.ones(1, 2)})
    x = torch.rand(3, 2)
    np.testing.assert_allclose(traced.encode(x).detach(), traced(x).array * 2, rtol=1e-6)


def test_forward_of_a_module_is_traced_as_the_module() -> None:
    net = Net()
    traced = ts.trace(net.forward, torch.rand(2, 3))
    assert [name for name, _ in traced.named_parameters()] == [n for n, _ in net.named_parameters()]
    with pytest.raises(AttributeError, match="Please use trace_module"):
        ts.trace(net.extra_repr, torch.rand(2, 3))


def test_tensors_that_require_gradients_are_no_constants() -> None:
    weight = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="Cannot insert a Tensor that requires grad"):
        ts.trace(lambda x: x * weight, torch.ones(2))
    known = weight.detach()
    assert ts.trace(lambda x: x * known, torch.ones(2))(torch.ones(2)).sum().item() == 2


def test_a_tensor_detached_in_place_ends_gradients() -> None:
    def program(x: Any) -> Any:
        y = x * 2
        y.detach_()
        return y * x

    x: Any = torch.tensor([3.0], requires_grad=True)
    traced = ts.trace(program, torch.ones(1))
    for _ in range(3):
        x.grad = None
        traced(x).backward()
        np.testing.assert_array_equal(x.grad, [6])


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({}, "Dictionary inputs must have entries"),
        ({"a": []}, "List trace inputs must have elements"),
        ({"a": torch.ones(1), "b": [torch.ones(1)]}, "Found Tensor and List"),
        ({"a": torch.ones(1), 1: torch.ones(1)}, "Found str and int"),
    ],
)
def test_containers_of_other_types_are_refused(inputs: Any, message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        ts.trace(lambda x: torch.ones(1), (inputs,))


def test_what_a_forked_call_computes_leaves_it_as_its_result_only() -> None:
    def program(x: Any) -> Any:
        seen: list[Any] = []

        def task(a: Any) -> Any:
            seen.append(a * 2)
            return a

        return torch.jit.wait(torch.jit.fork(task, x)) + seen[0]

    with pytest.raises(RuntimeError, match="a forked call computed is used outside of it"):
        ts.trace(program, (torch.ones(2),))


def test_a_history_that_is_taken_in_place_is_not_in_the_trace() -> None:
    """`detach_` was not recorded, so results of the trace required gradients."""

    def through(x: Any, w: Any) -> Any:
        y = x.mm(w)
        y.detach_()
        return y, y + x

    x, w = torch.ones(2, 2), torch.ones(2, 2, requires_grad=True)
    traced: Any = ts.trace(through, (x, w))
    assert "aten::detach(" in str(traced.graph)
    for _ in range(3):
        first, second = traced(x, w)
        assert not first.requires_grad and not second.requires_grad
        assert second.tolist() == [[3.0, 3.0], [3.0, 3.0]]


def test_types_say_which_inputs_require_gradients() -> None:
    def scaled(x: Any, y: Any, z: Any) -> Any:
        return x * y, y.detach() * z

    x, y = torch.ones(2), torch.ones(2, requires_grad=True)
    text = str(ts.trace(scaled, (x, y, y), check_trace=False).graph)
    asking = [line.split()[0] for line in text.splitlines() if "requires_grad=1" in line]
    assert asking[:3] == ["%y", "%z", "%0"] and "aten::detach(%y)" in text


def test_examples_may_have_a_history() -> None:
    """They had no copies for the check."""
    module, w = nn.Linear(2, 2), torch.ones(2, requires_grad=True)
    traced = ts.trace(scale, (module(torch.ones(1, 2)), w))
    traced(module(torch.ones(1, 2)), w).sum().backward()
    assert w.grad is not None and w.grad.tolist() == [1.0, 1.0]
    assert module.bias.grad.tolist() == [0.5, 0.5]


def test_methods_of_a_module_may_fork_the_same_layer() -> None:
    """The second trace of a method called another method of the layer than the first."""

    class Both(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.ReLU()

        def forward(self, x: Any) -> Any:
            return self.layer(x)

        def beside(self, x: Any) -> Any:
            return torch.jit.wait(torch.jit.fork(self.layer, x))

    x = torch.ones(2)
    traced = ts.trace_module(Both(), {"forward": x, "beside": x})
    assert traced.beside(-x).tolist() == [0.0, 0.0]
