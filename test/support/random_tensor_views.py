"""Expressions of tensors for random programs that are not pointwise: views, joins, reductions, products."""

from __future__ import annotations

from dataclasses import replace

from support.random_tensor_expressions import (
    ONE,
    Pointwise,
    Shape,
    Value,
    broadcast,
    highest,
)


class Expressions(Pointwise):
    """All expressions."""

    def other(self) -> Value | None:
        rule = self.r.choice(
            (
                self.reduction,
                self.product,
                self.product,
                self.random_view,
                self.random_view,
                self.random_view,
                self.concatenation,
                self.chunk,
                self.creation,
            )
        )
        return rule()

    def reduction(self) -> Value | None:
        x = self.any()
        only_extremes = self.exact and x.kind == "f"  # a kernel adds in another order than NumPy
        if x.shape is None or not x.shape:
            if only_extremes:
                return None
            name = self.r.choice(("sum", "sum", "mean")) if x.kind == "f" else "sum"
            return Value(f"torch.{name}({x.text})", (), "f" if x.kind == "f" else "i")
        axis = self.r.randrange(len(x.shape))
        keep = self.r.random() < 0.5
        shape = (*x.shape[:axis], *((ONE,) if keep else ()), *x.shape[axis + 1 :])
        names = (
            ["sum", "amax", "amin"]
            + (["mean", "mean", "softmax", "log_softmax"] if x.kind == "f" else [])
            + ["cumsum"]
        )
        if x.kind == "b":
            names = ["sum", "any", "all"]
        if only_extremes:
            names = ["amax", "amin"]
        name = self.r.choice(names)
        if name in ("softmax", "log_softmax", "cumsum"):
            return Value(f"torch.{name}({x.text}, {axis})", x.shape, "f" if x.kind == "f" else "i")
        kind = "i" if name == "sum" and x.kind != "f" else x.kind
        if self.r.random() < 0.2 and name == "sum":
            return Value(f"torch.sum({x.text})", (), kind)
        place = axis if self.r.random() < 0.7 else axis - len(x.shape)
        if name == "amax" and self.r.random() < 0.3:
            return Value(f"torch.max({x.text}, {place}, {keep})[0]", shape, kind)
        dims = f"[{place}]" if name in ("sum", "mean") and self.r.random() < 0.5 else str(place)
        return Value(f"torch.{name}({x.text}, {dims}, {keep})", shape, kind)

    def product(self) -> Value | None:
        if self.exact:
            return None
        floats = [v for v in self.scope.values() if v.kind == "f"]
        self.r.shuffle(floats)
        found = (self.product_of(x, y) for x in floats for y in floats)
        return next((value for value in found if value is not None), None)

    def product_of(self, x: Value, y: Value) -> Value | None:
        """A product of the two, if their shapes fit."""
        if x.shape is None or y.shape is None:
            return None
        a, b = x.shape, y.shape
        match len(a), len(b):
            case (2, 2) if a[1] == b[0]:
                return self.matrix_product(x, y, y.text, (a[0], b[1]))
            case (2, 2) if a[1] == b[1]:
                turned = self.r.choice((f"{y.text}.t()", f"{y.text}.transpose(0, 1)"))
                return self.matrix_product(x, y, turned, (a[0], b[0]))
            case (1, 1) | (1, 2) | (2, 1) if a[-1] == b[0]:
                return Value(f"torch.matmul({x.text}, {y.text})", (*a[:-1], *b[1:]), "f")
            case (3, 3) if (a[0], a[2]) == b[:2]:
                return Value(f"torch.bmm({x.text}, {y.text})", (*a[:2], b[2]), "f")
            case _:
                return None

    def matrix_product(self, x: Value, y: Value, right: str, shape: Shape) -> Value:
        starts = [
            v
            for v in self.scope.values()
            if v.kind == "f" and v.shape is not None and broadcast(v.shape, shape) == shape
        ]
        # Both of one dtype, most of the time: others raise.
        left = x.text
        if self.r.random() < 0.5:
            right = f"{right}.type_as({x.text})"
        if starts and self.r.random() < 0.4:
            start = self.r.choice(starts).text
            if self.r.random() < 0.5:
                start = f"{start}.type_as({x.text})"
            options = ("", ", beta=2, alpha=0.5", ", alpha=2.0")
            return Value(
                f"torch.addmm({start}, {left}, {right}{self.r.choice(options)})", shape, "f"
            )
        return Value(f"torch.{self.r.choice(('mm', 'matmul'))}({left}, {right})", shape, "f")

    def random_view(self) -> Value | None:
        return self.view(self.any())

    def view(self, x: Value) -> Value | None:
        """A view of a variable, or what may be one."""
        if x.shape is None:
            return self.view_like(
                self.r.choice((f"{x.text}.contiguous()", f"{x.text}.reshape(-1)")),
                replace(x, writable=False),
            )
        shape, rank = x.shape, len(x.shape)

        def made(text: str, dims: Shape, writable: bool = True) -> Value:
            return Value(text, dims, x.kind, x.roots, x.writable and writable)

        axis = self.r.randint(0, rank)
        options = [made(f"{x.text}.unsqueeze({axis})", (*shape[:axis], ONE, *shape[axis:]))]
        whole = ("*".join("+".join(dim) for dim in shape),)
        if rank:
            axis = self.r.randrange(rank)
            before, dim, after = shape[:axis], shape[axis], shape[axis + 1 :]
            colons = ":, " * axis
            options += [
                made(f"{x.text}[{colons}0]", (*before, *after)),
                made(f"{x.text}.select({axis}, -1)", (*before, *after)),
                made(f"{x.text}[{colons}1:]", (*before, (f"{dim}-1",), *after)),
                made(f"{x.text}[{colons}:-1]", (*before, (f"{dim}-1",), *after)),
                made(f"{x.text}[{colons}::2]", (*before, (f"{dim}/2",), *after)),
                made(f"{x.text}[{colons}:2]", (*before, (f"min({dim}, 2)",), *after)),
                made(f"{x.text}[None]", (ONE, *shape)),
                made(f"{x.text}[..., None]", (*shape, ONE)),
                made(f"{x.text}.reshape(-1)", (whole,), writable=False),
                made(f"{x.text}.contiguous()", shape, writable=False),
                made(f"{x.text}.clone()", shape),
                made(f"{x.text}.view_as({x.text})", shape),
            ]
            if dim == ONE:
                options += [made(f"{x.text}.squeeze({axis})", (*before, *after))] * 3
                options += [
                    made(
                        f"{x.text}.expand({', '.join('3' if i == axis else '-1' for i in range(rank))})",
                        (*before, ("1",) * 3, *after),
                        False,
                    )
                ]
        if rank == 2:
            options += [made(f"{x.text}.t()", shape[::-1])] * 5
        if rank >= 2:
            a, b = self.r.sample(range(rank), 2)
            dims = list(shape)
            dims[a], dims[b] = dims[b], dims[a]
            options += [made(f"{x.text}.transpose({a}, {b})", tuple(dims))] * 3
            order = self.r.sample(range(rank), rank)
            options.append(made(f"{x.text}.permute({order})", tuple(shape[i] for i in order)))
        larger = [
            v
            for v in self.scope.values()
            if v.shape is not None and broadcast(v.shape, shape) == v.shape != shape
        ]
        if larger:
            y = self.r.choice(larger)
            assert y.shape is not None
            options += [made(f"{x.text}.expand_as({y.text})", y.shape, False)] * 3
        return self.r.choice(options)

    def concatenation(self) -> Value | None:
        x = self.any()
        if not x.shape:
            return None
        axis = self.r.randrange(len(x.shape))
        fitting = [
            v
            for v in self.scope.values()
            if v.shape is not None
            and len(v.shape) == len(x.shape)
            and all(
                a == b or i == axis for i, (a, b) in enumerate(zip(v.shape, x.shape, strict=True))
            )
        ]
        parts = [x, *(self.r.choice(fitting) for _ in range(self.r.randint(0, 2)))]
        total = tuple(sorted(name for part in parts for name in (part.shape or ())[axis]))
        shape = (*x.shape[:axis], total, *x.shape[axis + 1 :])
        text = f"torch.cat([{', '.join(part.text for part in parts)}], {self.r.choice((axis, axis - len(x.shape)))})"
        return Value(text, shape, highest(*(part.kind for part in parts)))

    def chunk(self) -> Value | None:
        """One of two equal parts along a dimension that has them."""
        for x in self.r.sample(list(self.scope.values()), len(self.scope)):
            for axis, dim in enumerate(x.shape or ()):
                if x.shape is None or dim[::2] != dim[1::2]:
                    continue
                shape = (*x.shape[:axis], dim[::2], *x.shape[axis + 1 :])
                place = self.r.choice((axis, axis - len(x.shape)))
                text = f"torch.chunk({x.text}, 2, {place})[{self.r.randint(0, 1)}]"
                return Value(text, shape, x.kind, x.roots, x.writable)
        return None

    def creation(self) -> Value | None:
        x = self.any()
        number = self.number(x.kind)
        options = (
            f"torch.zeros_like({x.text})",
            f"torch.ones_like({x.text})",
            f"torch.full_like({x.text}, {number})",
        )
        return self.result(self.r.choice(options), x.kind, x)
