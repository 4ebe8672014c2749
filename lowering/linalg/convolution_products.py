"""The three products that convolutions, transposed ones and the gradients of both are made of.

A convolution makes features `(N, O, H', W')` of an image `(N, C, H, W)` and filters `(O, C / groups, R, S)`, of which all tensors here
have the names. Each of the three follows from the other two. With windows that move by s, have their elements d apart, and begin p
before the image,

    features[n, o, i] = sum over c, r of filters[o, c, r] * image[n, c, s i + d r - p]
    image[n, c, h]    = sum over o, r of filters[o, c, r] * features[n, o, i], where s i + d r - p = h
    filters[o, c, r]  = sum over n, i of features[n, o, i] * image[n, c, s i + d r - p]

The first is a convolution, the other two are its gradients. A transposed convolution is the second, and its gradients are the others
(Dumoulin and Visin, A guide to convolution arithmetic for deep learning, 2016).

Note [Phases of an image]
With h = s q + f, only elements r of the filters with (d r - p) mod s = f meet the image at h: such r lie s / gcd(s, d) apart. They
meet the features i = q - (d r - p - f) / s. So each f, a phase, is a convolution of the features that moves by 1, with some elements
of the filters, and gives each s-th element of the image; no zeros stand between the features. An f that no r belongs to stays 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import gcd, prod
from typing import TYPE_CHECKING, NamedTuple

from xdsl.ir import Operation, SSAValue

from lowering.linalg.channel_groups import cut, joined
from lowering.linalg.depthwise import Inputs, last_channels, sum_over_taps
from lowering.linalg.element import ONE, Element, Place, Window, along, multiply_add, unchanged
from lowering.linalg.symbolic_shapes import Definition, Shape, Symbol, fixed, ratio
from torchscript_dialect.ops.convolution.convolution_plan import Windows
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.type_promotion import opmath

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder

MOST_PHASES = 16
"""Each is a product of its own in a kernel."""
MANY_FACTORS = 1 << 18
"""So many elements of filters take longer to turn"""
FEW_PLACES = 32
"""than to multiply with so many places of features."""
MOST_VECTORS = 25
"""Taps of a filter that are vectors of channels: more do not stay in registers, and scalars of rows are faster."""
MUCH = 1 << 22
"""Multiplications from which on it counts how many of them are with zeros around the features,"""
MOST_ZEROS = 4
"""as there are so many times more than others,"""
MOST_GATHERED = 8
"""and how often an element that is gathered is multiplied, which is once for each channel of the image: windows have so many more of
the features' channels."""


class Phase(NamedTuple):
    """A phase of one dimension: see Note [Phases of an image]."""

    first: int
    """The first element of the image, f;"""
    size: Symbol
    """how many there are."""
    tap: int
    """The first element of the filters;"""
    taps: Symbol
    """how many there are,"""
    apart: int
    """and how far apart they lie."""
    at: int
    """Which of the padded features the first two belong to;"""
    back: int
    """by how many less it is one element of the filters on."""


@dataclass(frozen=True)
class ConvolutionProducts:
    """The shapes of a convolution, and the products of its tensors."""

    windows: Windows
    """With a number for each dimension."""
    image: Shape
    filters: Shape
    features: Shape
    padded_image: Shape
    parts: Shape | None
    """How many groups there are, and of each the channels of the image and of the features; None where there is one."""
    padded_features: Shape = ()
    phases: tuple[tuple[Phase, ...], ...] = ()
    """Those of each dimension, where an image is made."""
    over_taps: bool = False
    """Whether each channel has a filter of its own: there is nothing to multiply matrices for."""

    @classmethod
    def of(
        cls,
        b: LinalgBuilder,
        given: Shape,
        filters: Shape,
        windows: Windows,
        *,
        makes_image: bool,
        over_taps: bool = False,
    ) -> ConvolutionProducts:
        """What follows from filters and image, or from filters and features where the convolution is transposed; for `shapes`."""
        axis, is_transposed = len(given) - len(filters) + 1, windows.output_padding is not None
        for symbol in (*filters, *given[axis + 1 :]):
            b.require(symbol, 1)
        for symbol in filters[2:]:
            symbol.find().is_static |= symbol.size == 1
            if windows.padding == "same" or is_transposed or makes_image:
                symbol.unite(fixed(symbol.size))
        for symbol in (given[axis], *filters) if over_taps else ():
            symbol.unite(fixed(symbol.size))
        outputs, inputs, *kernel = filters
        groups, parts = windows.groups, None
        if groups > 1:
            count = b.derived(fixed(groups))
            parts = (count, inputs, b.derived(ratio(outputs.size // groups, (outputs,), groups)))
            inputs = b.derived(ratio(inputs.size * groups, (inputs, count)))
        pads = [sum(pad) for pad in windows.pads([symbol.size for symbol in kernel])]
        dims = zip(given[axis + 1 :], kernel, pads, windows.dilation, windows.stride, strict=True)
        if windows.output_padding is None:
            given[axis].unite(inputs)
            image = given
            sizes = [_windows(b, *dim) for dim in dims]
            features = (*given[:axis], outputs, *sizes)
        else:
            given[axis].unite(outputs)
            features = given
            more = windows.output_padding
            sizes = [_reached(b, *dim, one) for dim, one in zip(dims, more, strict=True)]
            image = (*given[:axis], inputs, *sizes)
        wide = [span(b, size, pad, 1) for size, pad in zip(image[axis + 1 :], pads, strict=True)]
        padded = (*image[: axis + 1], *wide)
        found = cls(windows, image, filters, features, padded, parts, over_taps=over_taps)
        return found._with_phases(b) if makes_image else found

    def _with_phases(self, b: LinalgBuilder) -> ConvolutionProducts:
        """The same with what it takes to make an image."""
        windows, kernel = self.windows, self._kernel
        pads = feature_pads(windows, kernel)
        first = self.batch + 1
        wide = [
            span(b, size, sum(pad), 1)
            for size, pad in zip(self.features[first:], pads, strict=True)
        ]
        phases: list[tuple[Phase, ...]] = []
        for axis, met in enumerate(taps_by_phase(windows, kernel)):
            size, s, d = self.image[first + axis], windows.stride[axis], windows.dilation[axis]
            b.require(size, s)
            apart = s // gcd(s, d)
            found: list[Phase] = []
            for place, (tap, *others) in met.items():
                begin = d * tap - windows.pads(kernel)[axis][0]
                at, count = pads[axis][0] - begin // s, _number(b, 1 + len(others))
                part = span(b, size, -place, s)
                found.append(Phase(place, part, tap, count, apart, at, d * apart // s))
            phases.append(tuple(found))
        features = (*self.features[:first], *wide)
        return replace(self, padded_features=features, phases=tuple(phases))

    @property
    def result(self) -> Shape:
        """The shape of what the convolution, transposed or not, gives."""
        return self.features if self.windows.output_padding is None else self.image

    @property
    def rank(self) -> int:
        """How many dimensions windows have."""
        return len(self.filters) - 2

    @property
    def batch(self) -> int:
        """How many dimensions stand before the channels."""
        return len(self.image) - self.rank - 1

    @property
    def lead(self) -> int:
        """How many loops stand before those over channels: the batch and the group."""
        return self.batch + (self.parts is not None)

    def suits_channels_last(self, order: Sequence[int] | None) -> bool:
        """Whether the taps of filters are vectors of channels that registers hold, for a result in that order of memory."""
        is_last = order == last_channels(self.batch, len(self.image))
        return is_last and prod(self._kernel) <= MOST_VECTORS

    def padded(self, b: LinalgBuilder, image: SSAValue, *, channels_last: bool = False) -> SSAValue:
        """The image with zeros around it, `(N, H, W, C)` where channels come last."""
        pads = self.windows.pads(self._kernel)
        before, whole = [0] * (self.batch + 1) + [first for first, _ in pads], self.padded_image
        of = b.dtype_of(image)
        if channels_last:
            order = last_channels(self.batch, len(whole))
            sizes = tuple(self.image[axis] for axis in order)
            image = b.transpose(image, sizes, of, order)
            before, whole = [before[axis] for axis in order], tuple(whole[axis] for axis in order)
        return b.padded_to(image, whole, before, 0, of) if any(map(any, pads)) else image

    def make_features(
        self, b: LinalgBuilder, image: SSAValue, filters: SSAValue, like: Operation
    ) -> SSAValue:
        """The convolution: a `linalg.generic` with loops over `(N, O, H', W', C, R, S)`, of which the last three reduce.

        In groups, C and O are cut into two dimensions, of which the first, the group, is a loop of its own.
        """
        of, whole, lead = b.dtype_of(image), self.features, self.lead
        image, filters = b.dense(self.padded(b, image), like), b.dense(filters, like)
        if self.parts is not None:
            groups, inputs, outputs = self.parts
            image = cut(b, image, self.batch, (groups, inputs), of)
            filters = cut(b, filters, 0, (groups, outputs), of)
            whole = _cut_shape(whole, self.batch, (groups, outputs))
        into, inner = opmath(of), len(whole)  # loops of the result
        read = [*along(0, lead), *along(inner, 1), *self._positions(lead + 1, inner + 1)]
        factors = [*along(self.batch, lead - self.batch + 1), *along(inner, 1 + self.rank)]
        windows = [Window(image, of, tuple(read)), Window(filters, of, tuple(factors))]
        kinds = "p" * inner + "r" * (self.rank + 1)
        result = b.accumulate(windows, kinds, range(inner), whole, into, 0, multiply_add, like=like)
        return self._joined(b, result, self.batch, self.features, into)

    def make_filters(
        self, b: LinalgBuilder, image: SSAValue, features: SSAValue, like: Operation
    ) -> SSAValue:
        """Products of the features and of the windows that they belong to."""
        of, whole, lead, rank = b.dtype_of(image), self.filters, self.lead - 1, self.rank
        image, features = b.dense(self.padded(b, image), like), b.dense(features, like)
        if self.over_taps:
            return self._filters_over_taps(b, image, features, of, like)
        if self.parts is not None:
            groups, inputs, outputs = self.parts
            image = cut(b, image, 1, (groups, inputs), of)
            features = cut(b, features, 1, (groups, outputs), of)
            whole = (groups, outputs, *whole[1:])
        into, inner = opmath(of), len(whole)  # loops of the result; then the batch, and the places
        positions = self._positions(inner + 1, lead + 2)
        read = [*along(inner, 1), *along(0, lead), *along(lead + 1, 1), *positions]
        factors = [*along(inner, 1), *along(0, lead + 1), *along(inner + 1, rank)]
        windows = [Window(image, of, tuple(read)), Window(features, of, tuple(factors))]
        kinds = "p" * inner + "r" * (rank + 1)
        result = b.accumulate(windows, kinds, range(inner), whole, into, 0, multiply_add, like=like)
        return self._joined(b, result, 0, self.filters, into)

    def make_image(
        self, b: LinalgBuilder, features: SSAValue, filters: SSAValue, like: Operation
    ) -> SSAValue:
        """A convolution of the features for each phase: see Note [Phases of an image]."""
        of, before = b.dtype_of(features), [0] * (self.batch + 1)
        features = self._padded_features(b, features)
        features, filters = b.dense(features, like), b.dense(filters, like)
        make_phase = self._phase_over_taps if self.over_taps else self._make_phase
        if self.parts is not None and not self.over_taps:
            groups, _, outputs = self.parts
            features = cut(b, features, self.batch, (groups, outputs), of)
            filters = cut(b, filters, 0, (groups, outputs), of)
        if not self.over_taps:
            filters = self._turned(b, filters, of, like)
        if set(self.windows.stride) == {1}:
            phase = tuple(one for (one,) in self.phases)
            return make_phase(b, features, filters, phase, of, like)
        image = b.filled(0, self.image, opmath(of))
        steps = [*(1 for _ in before), *self.windows.stride]
        for phase in product(*self.phases):
            part = make_phase(b, features, filters, phase, of, like)
            starts = [*before, *(one.first for one in phase)]
            image = b.insert_part(part, image, self._shape_of(phase), starts, steps)
        b.shapes[image] = self.image
        return image

    def _make_phase(
        self,
        b: LinalgBuilder,
        features: SSAValue,
        filters: SSAValue,
        phase: Sequence[Phase],
        of: dtype,
        like: Operation,
    ) -> SSAValue:
        """A phase of the image, of features and filters that are padded, and cut where there are groups."""
        lead, shape = self.lead, self._shape_of(phase)
        whole = shape if self.parts is None else _cut_shape(shape, self.batch, self.parts[:2])
        own = b.shapes[filters]
        first = len(own) - self.rank
        taps = {first + axis: (one.tap, one.apart) for axis, one in enumerate(phase)}
        if any(tap != (0, 1) for tap in taps.values()):
            own = (*own[:first], *(one.taps for one in phase))
            part = Element(b.window(filters, own, taps, own, of), of, tuple(range(len(own))))
            filters = b.generic(own, of, [part], unchanged, like=like)
        into, inner = opmath(of), len(whole)  # loops of the result
        places: list[Place] = [
            ((lead + 1 + axis, 1), (inner + 1 + axis, -one.back), (ONE, one.at))
            for axis, one in enumerate(phase)
        ]
        read = [*along(0, lead), *along(inner, 1), *places]
        factors = [*along(self.batch, lead - self.batch + 1), *along(inner, 1 + self.rank)]
        windows = [Window(features, of, tuple(read)), Window(filters, of, tuple(factors))]
        kinds = "p" * inner + "r" * (self.rank + 1)
        result = b.accumulate(windows, kinds, range(inner), whole, into, 0, multiply_add, like=like)
        return self._joined(b, result, self.batch, shape, into)

    def _phase_over_taps(
        self,
        b: LinalgBuilder,
        features: SSAValue,
        filters: SSAValue,
        phase: Sequence[Phase],
        of: dtype,
        like: Operation,
    ) -> SSAValue:
        """A phase of an image each of whose channels has a filter of its own."""
        counts = [range(one.taps.size) for one in phase]
        pairs = list(zip(phase, counts, strict=True))
        taps = [[one.tap + one.apart * number for number in count] for one, count in pairs]
        starts = [[one.at - one.back * number for number in count] for one, count in pairs]
        shape, steps = self._shape_of(phase), [1] * self.rank
        inputs = Inputs(features, filters, of)
        return sum_over_taps(b, inputs, shape, taps, starts, steps, opmath(of), like)

    def _filters_over_taps(
        self, b: LinalgBuilder, image: SSAValue, features: SSAValue, of: dtype, like: Operation
    ) -> SSAValue:
        """A sum for each element of the filters, over all that it meets of a padded image."""
        channels, rank, windows = self.filters[:1], self.rank, self.windows
        shape = (*channels, *(Symbol(1, is_static=True),) * (1 + rank))
        read: tuple[Place, ...] = (((1, 1),), ((0, 1),), *along(2, rank))
        kinds = "p" + "r" * (1 + rank)
        into = opmath(of)
        result = b.filled(0, self.filters, into)
        for tap in product(*map(range, self._kernel)):
            steps = zip(tap, windows.dilation, windows.stride, strict=True)
            places = {2 + axis: (at * apart, step) for axis, (at, apart, step) in enumerate(steps)}
            part = b.window(image, self.features, places, self.features, of)
            both = [Window(part, of, read), Window(features, of, read)]
            total = b.accumulate(both, kinds, range(1), channels, into, 0, multiply_add, like=like)
            part = b.expand_shape(total, [[*range(2 + rank)]], shape, into)
            result = b.insert_part(part, result, shape, (0, 0, *tap))
        b.shapes[result] = self.filters
        return result

    def _positions(self, moves: int, taps: int) -> list[Place]:
        """Where windows lie in the padded image: loops from `moves` on move them, those from `taps` on go through their elements."""
        steps = zip(self.windows.stride, self.windows.dilation, strict=True)
        return [
            ((moves + axis, stride), (taps + axis, dilation))
            for axis, (stride, dilation) in enumerate(steps)
        ]

    def _turned(self, b: LinalgBuilder, filters: SSAValue, of: dtype, like: Operation) -> SSAValue:
        """Filters whose first channels are those of the image."""
        own = b.shapes[filters]
        last = len(own) - self.rank - 1
        order = [*range(last - 1), last, last - 1, *range(last + 1, len(own))]
        walked = Element(filters, of, tuple(order))
        return b.generic(tuple(own[axis] for axis in order), of, [walked], unchanged, like=like)

    def _shape_of(self, phase: Sequence[Phase]) -> Shape:
        return (*self.image[: self.batch + 1], *(one.size for one in phase))

    def _joined(
        self, b: LinalgBuilder, result: SSAValue, axis: int, shape: Shape, of: dtype
    ) -> SSAValue:
        return result if self.parts is None else joined(b, result, axis, shape, of)

    def _padded_features(self, b: LinalgBuilder, features: SSAValue) -> SSAValue:
        if self.padded_features == self.features:
            return features
        befores = [before for before, _ in feature_pads(self.windows, self._kernel)]
        before = [0] * (self.batch + 1) + befores
        return b.padded_to(features, self.padded_features, before, 0, b.dtype_of(features))

    @property
    def _kernel(self) -> list[int]:
        return [symbol.size for symbol in self.filters[2:]]


def taps_by_phase(windows: Windows, kernel: Sequence[int]) -> list[dict[int, list[int]]]:
    """The elements of filters that belong to each phase of each dimension."""
    found: list[dict[int, list[int]]] = []
    pads = windows.pads(kernel)
    for size, (pad, _), s, d in zip(kernel, pads, windows.stride, windows.dilation, strict=True):
        taps: dict[int, list[int]] = {}
        for tap in range(size):
            taps.setdefault((d * tap - pad) % s, []).append(tap)
        found.append(taps)
    return found


def feature_pads(windows: Windows, kernel: Sequence[int]) -> list[tuple[int, int]]:
    """How many zeros stand before and after the features in each dimension, such that each element of an image has windows; negative
    where some features meet no element.
    """
    more = windows.output_padding or [stride - 1 for stride in windows.stride]
    reach = [d * (size - 1) for d, size in zip(windows.dilation, kernel, strict=True)]
    each = zip(reach, windows.pads(kernel), windows.stride, more, strict=True)
    return [((far - pad[0]) // s, (far - pad[1] + extra) // s) for far, pad, s, extra in each]


def has_phases(windows: Windows, image: Sequence[int], filters: Sequence[int]) -> bool:
    """Whether images have few phases, each of which has elements, and no feature is without."""
    kernel, sizes = filters[2:], image[2 - len(filters) :]
    phases = prod(map(len, taps_by_phase(windows, kernel)))
    fits = all(size >= stride for size, stride in zip(sizes, windows.stride, strict=True))
    return fits and phases <= MOST_PHASES and min(map(min, feature_pads(windows, kernel))) >= 0


def makes_images(
    windows: Windows, image: Sequence[int], filters: Sequence[int], features: Sequence[int]
) -> bool:
    """Whether a kernel makes images of such sizes, and sooner than NumPy, which multiplies before it adds up windows."""
    if not has_phases(windows, image, filters):
        return False
    if windows.output_padding is None and set(windows.stride) == {1}:
        return True  # NumPy turns filters, and gathers windows, too
    factors, batch = prod(filters), prod(image[: 1 - len(filters)])
    places, made = (batch * prod(one[2 - len(filters) :]) for one in (features, image))
    if factors > MANY_FACTORS and places < FEW_PLACES:
        return False
    made //= prod(windows.stride)
    if factors * made <= MUCH:
        return True
    return made <= MOST_ZEROS * places and filters[0] <= MOST_GATHERED * filters[1]


def _cut_shape(shape: Shape, axis: int, parts: Shape) -> Shape:
    return (*shape[:axis], *parts, *shape[axis + 1 :])


def _number(b: LinalgBuilder, number: int) -> Symbol:
    """A size that is a number."""
    return Symbol(1, is_static=True) if number == 1 else b.derived(fixed(number))


def _windows(
    b: LinalgBuilder, symbol: Symbol, kernel: Symbol, pad: int, dilation: int, stride: int
) -> Symbol:
    """How many windows of a size there are in a dimension that is padded: at least 1."""
    if kernel.size == 1:
        return span(b, symbol, pad, stride)
    whole = span(b, symbol, pad + dilation, 1)
    starts = Symbol(whole.size - dilation * kernel.size)
    starts.definitions.append(Definition("rest", (whole, kernel), dilation))
    return span(b, b.derived(starts), 0, stride)


def _reached(
    b: LinalgBuilder,
    symbol: Symbol,
    kernel: Symbol,
    pad: int,
    dilation: int,
    stride: int,
    more: int,
) -> Symbol:
    """The size of an image that has so many windows, and `more` than these reach, without its padding."""
    if stride > 1:
        apart = Symbol(symbol.size * stride)
        apart.definitions.append(Definition("sum", (symbol,) * stride))
        symbol = b.derived(apart)
    return span(b, symbol, dilation * (kernel.size - 1) + 1 - stride - pad + more, 1)


def span(b: LinalgBuilder, symbol: Symbol, number: int, step: int) -> Symbol:
    """`(symbol + number) / step`, rounded up."""
    if (number, step) == (0, 1):
        return symbol
    made = Symbol(-(-(symbol.size + number) // step))
    made.definitions.append(Definition("span", (symbol,), step, number))
    return b.derived(made)
