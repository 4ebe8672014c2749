"""`torch.nn.utils.prune` beside PyTorch: masks, parameters, gradients, and what is refused."""

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.utils.prune

from torchscript_dialect import torch as stand_in


def plain(value: Any) -> Any:
    """Numbers as far as libraries round alike."""
    return (value * 1024).round().tolist()


def both(program: Callable[[Any, Any], Any]) -> None:
    """Both libraries give the same."""
    theirs, ours = (program(t, t.nn.utils.prune) for t in (torch, stand_in))
    assert ours == theirs


def layers(t: Any) -> Any:
    t.manual_seed(0)
    return t.nn.Sequential(t.nn.Linear(4, 6), t.nn.ReLU(), t.nn.Linear(6, 3))


def test_masks_of_a_layer() -> None:
    """Each method leaves what those before have pruned."""

    def program(t: Any, p: Any) -> list[Any]:
        net, found = layers(t), []
        first = net[0]
        for prune in (
            lambda: p.l1_unstructured(first, "weight", 0.3),
            lambda: p.random_unstructured(first, "weight", 3),
            lambda: p.ln_structured(first, "weight", 0.5, 2, 0),
            lambda: p.random_structured(first, "weight", 1, dim=1),
            lambda: p.identity(first, "weight"),
            lambda: p.l1_unstructured(first, "weight", 2, importance_scores=-first.weight),
            lambda: p.custom_from_mask(first, "weight", mask=t.eye(6)[:, :4]),
        ):
            assert prune() is first
            found += [plain(first.weight_mask), plain(first.weight)]
        container = next(iter(first._forward_pre_hooks.values()))
        found += [type(container).__name__, [type(one).__name__ for one in container]]
        net(t.ones(2, 4)).sum().backward()
        found += [plain(first.weight_orig.grad), sorted(net.state_dict()), p.is_pruned(net)]
        p.remove(first, "weight")
        found += [[name for name, _ in net.named_parameters()], plain(first.weight)]
        return [*found, p.is_pruned(net), len(first._forward_pre_hooks)]

    both(program)


def test_masks_of_several_layers() -> None:
    def program(t: Any, p: Any) -> list[Any]:
        net = layers(t)
        tensors = [(net[0], "weight"), (net[2], "weight")]
        for amount in (0.4, 5):
            p.global_unstructured(tensors, pruning_method=p.L1Unstructured, amount=amount)
        return [plain(one.weight_mask) for one, _ in tensors]

    both(program)


def test_tensors_alone() -> None:
    def program(t: Any, p: Any) -> list[Any]:
        x = t.arange(8.0).reshape(2, 4) - 3
        methods = p.L1Unstructured(3), p.LnStructured(1, 1, 0), p.CustomFromMask(x > 0)
        return [plain(method.prune(x)) for method in methods]

    both(program)


def test_what_is_refused() -> None:
    def program(t: Any, p: Any) -> list[Any]:
        net, said = layers(t), []
        first = net[0]
        for run in (
            lambda: p.l1_unstructured(first, "bias", 1.5),
            lambda: p.l1_unstructured(first, "bias", 100),
            lambda: p.l1_unstructured(first, "bias", "x"),
            lambda: p.ln_structured(first, "bias", 1, 2, 0),
            lambda: p.random_structured(first, "weight", 1, 5),
            lambda: p.remove(first, "bias"),
            lambda: p.custom_from_mask(first, "bias", mask=t.ones(2)),
            lambda: p.l1_unstructured(first, "bias", 1, importance_scores=t.ones(2)),
            lambda: p.global_unstructured(3, p.L1Unstructured),
            lambda: p.global_unstructured([(first, "bias")], p.LnStructured, amount=1, n=1),
            lambda: p.PruningContainer().add_pruning_method(3),
        ):
            try:
                run()
            except (AssertionError, IndexError, TypeError, ValueError) as error:
                text = str(error).replace("torchscript_dialect.", "")
                said.append((type(error).__name__, text.partition(" Found method")[0]))
        return [*said, sorted(net.state_dict())]

    both(program)
