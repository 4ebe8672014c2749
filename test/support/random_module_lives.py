"""Random lives of modules, with PyTorch and here: trees that are trained, frozen, converted, copied, stored, loaded and changed.

    PYTHONPATH=.:test python -m support.random_module_lives [COUNT] [FIRST_SEED] [script]

After each step what both have is the same: results and gradients, parameters, buffers, dtypes, shapes, strides, what requires gradients,
which modules train, and what hooks saw. With `script` calls go through `ts.script`.
"""

from __future__ import annotations

import copy
import io
import pickle
import random
import sys
import warnings
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np

STEPS, WIDTH = 20, 4


@cache
def parts_of(library: str) -> Any:
    """The classes of `module_parts.py`, made of the modules of a library."""
    name = f"support.module_parts_of_{library.partition('.')[0]}"
    spec = spec_from_file_location(name, Path(__file__).with_name("module_parts.py"))
    assert spec is not None and spec.loader is not None
    made: Any = module_from_spec(spec)
    made.torch = import_module(library)
    sys.modules[name] = made  # where pickles look for them
    spec.loader.exec_module(made)
    return made


def tree(r: random.Random, parts: Any, replaces: bool, depth: int = 0) -> Any:
    """A module from parts of one library, some of which may replace their buffers."""
    nn, kind = parts.torch.nn, r.random()
    if depth > 2 or kind < 0.3:
        name = r.choice(
            "Gate Gate Moving Mixed Linear Linear LayerNorm RMSNorm BatchNorm1d BatchNorm1d Tanh ReLU Identity PReLU Softmax"
            " LeakyReLU Hardswish SELU Dropout".split()
        )
        if name in ("Gate", "Moving", "Mixed"):
            wants = r.random() < 0.5
            return getattr(parts, name)(wants and (replaces or name != "Moving"))
        if name == "BatchNorm1d":
            options = (
                {},
                {},
                {"affine": False},
                {"track_running_stats": False},
                {"momentum": None},
            )
            return nn.BatchNorm1d(WIDTH, **r.choice(options))
        if name == "Linear":
            return nn.Linear(WIDTH, WIDTH, bias=r.random() < 0.5)
        if name == "ReLU":
            return nn.ReLU(inplace=r.random() < 0.5)
        given = {"LayerNorm": WIDTH, "RMSNorm": WIDTH, "Softmax": -1, "Dropout": 0.0}
        return getattr(nn, name)(*([given[name]] if name in given else []))
    if kind < 0.6:
        return nn.Sequential(*(tree(r, parts, replaces, depth + 1) for _ in range(r.randint(1, 3))))
    if kind < 0.8:
        return parts.Residual(
            tree(r, parts, replaces, depth + 1), r.choice((nn.LayerNorm, nn.BatchNorm1d))(WIDTH)
        )
    return parts.Several([tree(r, parts, replaces, depth + 1) for _ in range(r.randint(1, 3))])


class Life:
    """A module, an optimizer, and what happens to them: the same on both sides, as the same numbers are drawn."""

    def __init__(self, parts: Any, seed: int, script: Any) -> None:
        self.parts, self.torch, self.script = parts, parts.torch, script
        self.r = random.Random(seed)
        self.module = tree(self.r, parts, script is None)
        self.filled(self.module, seed)
        self.module.double()
        self.handles: list[Any] = []
        self.seen: list[Any] = []
        self.optimizer: Any = None
        self.changed()
        self.optimized()

    def filled(self, module: Any, seed: int) -> None:
        g = np.random.default_rng(seed)
        with self.torch.no_grad():
            for one in module.parameters():
                one.copy_(
                    self.torch.tensor(g.standard_normal(tuple(one.shape)) * 0.5).to(one.dtype)
                )

    def changed(self) -> None:
        """Call the module as it is now."""
        self.call = self.module if self.script is None else self.script(self.module)

    def optimized(self) -> None:
        parameters, make = list(self.module.parameters()), self.torch.optim
        kind = self.r.choice((make.SGD, make.Adam, make.AdamW, make.RMSprop))
        self.optimizer = kind(parameters, 0.05) if parameters else None

    def operand(self, number: int) -> Any:
        rows, torch = self.r.choice((1, 3, 5, 7)), self.torch
        values = np.random.default_rng(number).standard_normal((rows, WIDTH))
        how = self.r.randrange(4)
        x = torch.tensor(np.ascontiguousarray(values.T)).t() if how == 0 else torch.tensor(values)
        x = x[:1].expand(3, WIDTH) if how == 1 else x
        x = x.to(next((one.dtype for one in self.module.parameters()), x.dtype))
        return x.clone().requires_grad_() if self.r.random() < 0.3 else x

    def owner(self, path: str) -> tuple[Any, str]:
        owner, _, name = path.rpartition(".")
        return self.module.get_submodule(owner), name

    def drawn(self, found: Any) -> Any:
        items = list(found)
        return self.r.choice(items) if items else None

    def step(self, number: int) -> list[Any]:
        """Do something, and tell what there is then."""
        happens = self.drawn(
            "train train train train twice forward forward mode mode freeze replace buffer convert hook watch unhook state state"
            " copy pickle save clip renew attribute append drop data every swap wrong".split()
        )
        told = [happens, getattr(self, happens)(number)]
        named = [
            (name, *map(told_of, (one, one.grad))) for name, one in self.module.named_parameters()
        ]
        buffers = [(name, told_of(one)) for name, one in self.module.named_buffers()]
        modes = [one.training for one in self.module.modules()]
        return [*told, named, buffers, modes, repr(self.module), list(self.seen)]

    # What happens

    def train(self, number: int, times: int = 1) -> Any:
        x, found = self.operand(number), []
        for _ in range(times):
            y = self.call(x)
            found.append(told_of(y))
            if y.requires_grad:
                y.square().mean().backward()
        if self.optimizer is not None:
            self.optimizer.step()
            self.optimizer.zero_grad(set_to_none=self.r.random() < 0.7)
        return [*found, told_of(x.grad)]

    def twice(self, number: int) -> Any:
        return self.train(number, 2)

    def forward(self, number: int) -> Any:
        torch = self.torch
        with self.r.choice((torch.no_grad, torch.inference_mode, torch.enable_grad))():
            y = self.call(self.operand(number))
            return told_of(y), y.is_inference()

    def mode(self, _: int) -> None:
        trains = self.r.random() < 0.6
        self.drawn(self.module.modules()).train(trains)
        self.changed()

    def freeze(self, _: int) -> None:
        wants, named = self.r.random() < 0.5, self.drawn(self.module.parameters())
        if named is not None:
            named.requires_grad_(wants)

    def replace(self, _: int) -> None:
        if (found := self.drawn(self.module.named_parameters())) is not None:
            owner, name = self.owner(found[0])
            wants = self.r.random() < 0.8
            setattr(owner, name, self.torch.nn.Parameter(found[1].detach().clone() * 0.5, wants))
            self.changed()
            self.optimized()

    def buffer(self, _: int) -> None:
        if (found := self.drawn(self.module.named_buffers())) is not None:
            owner, name = self.owner(found[0])
            if self.r.random() < 0.5 and not found[1].is_inference():
                found[1].add_(1)
            else:
                setattr(owner, name, found[1].clone() + 1)
                self.changed()

    def convert(self, _: int) -> None:
        if self.r.random() < 0.3:
            self.module.float()
        self.module.to(self.torch.float64)
        self.changed()
        self.optimized()

    def hook(self, _: int) -> None:
        if self.script is None:
            found = self.drawn(self.module.modules())
            if self.r.random() < 0.5:
                self.handles.append(found.register_forward_hook(lambda m, i, o: o * 1.5))
            else:
                self.handles.append(found.register_forward_pre_hook(lambda m, i: (i[0] + 0.25,)))

    def watch(self, _: int) -> None:
        if (
            found := self.drawn(one for one in self.module.parameters() if one.requires_grad)
        ) is not None:
            self.handles.append(
                found.register_hook(lambda grad: self.seen.append(tuple(grad.shape)))
            )

    def unhook(self, _: int) -> None:
        if self.handles:
            self.handles.pop(self.r.randrange(len(self.handles))).remove()

    def state(self, _: int) -> Any:
        state, how = self.module.state_dict(), self.r.randrange(3)
        if any(one.is_inference() for one in self.module.buffers()):
            return list(state)
        if how == 0:
            self.module.load_state_dict({name: one * 2 for name, one in state.items()})
        elif how == 1:
            self.module.load_state_dict(copy.deepcopy(state), assign=True)
            self.changed()
        else:
            lacking = {name: one for name, one in state.items() if not name.endswith("weight")}
            return str(self.module.load_state_dict(lacking, strict=False))
        return list(state)

    def copy(self, number: int) -> Any:
        copied = copy.deepcopy(self.module)
        if self.r.random() < 0.5:
            self.module = copied
            self.changed()
            self.optimized()
            return None
        self.filled(copied, number)
        return told_of(copied.eval()(self.operand(number)))

    def pickle(self, _: int) -> None:
        if not self.handles:
            self.module = pickle.loads(pickle.dumps(self.module))
            self.changed()
            self.optimized()

    def save(self, _: int) -> None:
        if not any(one.is_inference() for one in self.module.buffers()):
            file = io.BytesIO()
            self.torch.save(self.module.state_dict(), file)
            file.seek(0)
            self.module.load_state_dict(self.torch.load(file))

    def clip(self, _: int) -> Any:
        if any(one.grad is not None for one in self.module.parameters()):
            norm = self.torch.nn.utils.clip_grad_norm_(self.module.parameters(), 0.1)
            return told_of(norm)
        return None

    def renew(self, _: int) -> None:
        self.optimized()

    def attribute(self, _: int) -> None:
        value = self.r.random()
        names = {"Gate": "mode", "Residual": "scale", "BatchNorm1d": "momentum", "LayerNorm": "eps"}
        found = self.drawn(one for one in self.module.modules() if type(one).__name__ in names)
        if found is not None:
            name = names[type(found).__name__]
            setattr(found, name, int(value * 2) if name == "mode" else value)
            self.changed()

    def sequential(self) -> Any:
        return self.drawn(
            one for one in self.module.modules() if type(one).__name__ == "Sequential"
        )

    def append(self, _: int) -> None:
        if (found := self.sequential()) is not None:
            found.append(self.torch.nn.Tanh())
            self.changed()

    def drop(self, _: int) -> None:
        linear = (one for one in self.module.modules() if type(one).__name__ == "Linear")
        if (found := self.drawn(one for one in linear if one.bias is not None)) is not None:
            found.bias = None
            self.changed()
            self.optimized()

    def data(self, _: int) -> None:
        how = self.r.randrange(3)
        if (found := self.drawn(self.module.parameters())) is not None:
            if how == 0:
                found.data = found.data * 0.5
            elif how == 1:
                found.data.mul_(0.9)
            else:
                with self.torch.no_grad():
                    found.sub_(0.1)

    def every(self, _: int) -> None:
        self.module.requires_grad_(self.r.random() < 0.7)

    def swap(self, number: int) -> None:
        if (found := self.sequential()) is not None:
            place = self.r.randrange(len(found))
            found[place] = self.torch.nn.Linear(WIDTH, WIDTH).double()
            self.filled(self.module, number)
            self.changed()
            self.optimized()

    def wrong(self, number: int) -> Any:
        x = self.operand(number)
        try:
            return told_of(self.call(x[:, :3] if self.r.random() < 0.5 else x.long()))
        except Exception:
            return "raised"


def told_of(tensor: Any) -> Any:
    """What is compared of a tensor."""
    if tensor is None:
        return None
    steps = [step for size, step in zip(tensor.shape, tensor.stride()) if size > 1]
    asks = tensor.requires_grad, tensor.is_leaf
    plain = tensor.detach().clone()
    return [
        str(tensor.dtype).rpartition(".")[2],
        tuple(tensor.shape),
        steps,
        asks,
        plain.double().numpy(),
    ]


def difference(mine: Any, theirs: Any, path: str = "") -> str | None:
    """Where two outcomes part."""
    if isinstance(theirs, np.ndarray):
        same = mine.shape == theirs.shape
        same = same and np.allclose(mine, theirs, rtol=1e-3, atol=1e-5, equal_nan=True)
        return None if same else f"{path}: {mine} where PyTorch has {theirs}"
    if (
        isinstance(theirs, (list, tuple))
        and isinstance(mine, (list, tuple))
        and len(mine) == len(theirs)
    ):
        pairs = enumerate(zip(mine, theirs))
        found = (difference(one, other, f"{path}.{place}") for place, (one, other) in pairs)
        return next((one for one in found if one is not None), None)
    return None if mine == theirs else f"{path}: {mine!r} where PyTorch has {theirs!r}"


def parted(seed: int, script: Any = None) -> str | None:
    """Where the lives of a seed part; None where they do not. A step that both refuse ends them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        keeps = None if script is None else lambda module: module
        theirs = Life(parts_of("torch"), seed, keeps)
        mine = Life(parts_of("torchscript_dialect.torch"), seed, script)
        for number in range(STEPS):
            outcomes: list[Any] = []
            for life in (theirs, mine):
                try:
                    outcomes.append(life.step(number))
                except Exception as error:
                    outcomes.append(error)
            refused = [isinstance(one, Exception) for one in outcomes]
            if any(refused):
                return None if all(refused) else f"{seed}, step {number}: {outcomes!r}"
            found = difference(outcomes[1], outcomes[0])
            if found is not None:
                return f"{seed}, step {number}, {outcomes[0][0]} {found}\n{theirs.module}"
    return None


def main(arguments: list[str]) -> None:
    import torchscript_dialect as ts

    script = ts.script if "script" in arguments else None
    count, first = (
        int(one) for one in [*(one for one in arguments if one.isdigit()), "100", "0"][:2]
    )
    found = [
        one for seed in range(first, first + count) if (one := parted(seed, script)) is not None
    ]
    print("\n".join(found))
    print(f"{count} lives, {len(found)} differ")


if __name__ == "__main__":
    main(sys.argv[1:])
