"""LLVM IR of losses of classes, element by element: minus the element of the class that a target names, and the gradient of that.

Each is a kernel of Note [Kernels] in backend.py for a range of images `(N, C, P)`, whose targets `(N, P)` are of int64. The sizes
function reads the targets: it refuses calls with one that is no class and not `IGNORED`, so that the operator's own kernel says what is
wrong.
"""

from __future__ import annotations

from itertools import product

from torchscript_dialect.runtime.kernels.handwritten.loops import Carried, load_words, loop
from torchscript_dialect.runtime.kernels.handwritten.row_ir import load_buffers

TYPES = {"float32": "float", "float64": "double"}
KINDS = ("plain", "weighted")
PICKED, SPREAD = "picked", "spread"
HOW = ("each", "mean", "sum")
"""By PyTorch's number of the reduction: what gradients are of."""
FUNCTIONS = (
    *(f"{PICKED}_{kind}_{dtype}" for kind, dtype in product(KINDS, TYPES)),
    *(f"{SPREAD}_{kind}_{how}_{dtype}" for kind, how, dtype in product(KINDS, HOW, TYPES)),
    *(f"{name}_sizes" for name in (PICKED, SPREAD)),
)
IGNORED, IMAGES, CLASSES, PLACES = range(4)
"""Words of `syms`: the target that counts for nothing, and sizes."""
TARGETS = {PICKED: 1, SPREAD: 2}
"""The buffer of targets."""

_WORDS = load_words({"ignored": IGNORED, "images": IMAGES, "classes": CLASSES, "places": PLACES})
_TARGET = """\
  %target_at = getelementptr i64, ptr %targets, i64 %number
  %given = load i64, ptr %target_at
"""
_ELEMENT = f"""\
  %number = add i64 %before, %place
{_TARGET}  %counts = icmp ne i64 %given, %ignored
  %is_class = icmp ult i64 %given, %classes
  %target = select i1 %is_class, i64 %given, i64 0
  %line = add i64 %lines, %target
  %row = mul i64 %line, %places
  %at = add i64 %row, %place
"""
"""Sets what stands at `%place` of an image; the first class if another thread has written to targets meanwhile."""


def _weight(kind: str, t: str) -> str:
    """Text that sets `%weight` to that of the class, 0 where the target does not count."""
    if kind == "plain":
        return f"  %weight = select i1 %counts, {t} 1.0, {t} 0.0\n"
    return f"""\
  %weight_at = getelementptr {t}, ptr %weights, i64 %target
  %weight_given = load {t}, ptr %weight_at
  %weight = select i1 %counts, {t} %weight_given, {t} 0.0
"""


def _kernel(name: str, buffers: dict[str, int], before: str, of_image: str, element: str) -> str:
    image = f"""\
  %before = mul i64 %image, %places
  %lines = mul i64 %image, %classes
{of_image}{loop("place", "0", "%places", _ELEMENT + element)}"""
    return f"""
define void @{name}(ptr %buffers, ptr %syms, i64 %begin, i64 %end) nounwind {{
entry:
{load_buffers(buffers)}{_WORDS}{before}{loop("image", "%begin", "%end", image)}  ret void
}}
"""


def _picked(kind: str, dtype: str) -> str:
    """The losses of elements, and their weights."""
    t = TYPES[dtype]
    element = f"""\
{_weight(kind, t)}  %from = getelementptr {t}, ptr %x, i64 %at
  %found = load {t}, ptr %from
  %negative = fneg {t} %found
  %product = fmul {t} %negative, %weight
  %loss = select i1 %counts, {t} %product, {t} 0.0
  %loss_at = getelementptr {t}, ptr %losses, i64 %number
  store {t} %loss, ptr %loss_at
  %total_at = getelementptr {t}, ptr %totals, i64 %number
  store {t} %weight, ptr %total_at
"""
    names = ("x", "targets", *(("weights",) if kind == "weighted" else ()), "losses", "totals")
    buffers = {name: place for place, name in enumerate(names)}
    return _kernel(f"{PICKED}_{kind}_{dtype}", buffers, "", "", element)


def _spread(kind: str, how: str, dtype: str) -> str:
    """The gradient of the losses, which is 0 for all classes but those of targets."""
    t = TYPES[dtype]
    bytes_ = 4 if t == "float" else 8
    before = f"  %slope = load {t}, ptr %grad\n" if how != "each" else ""
    before += f"  %number_of_all = load {t}, ptr %total\n" if how == "mean" else ""
    slope = f"""\
  %slope_at = getelementptr {t}, ptr %grad, i64 %number
  %slope = load {t}, ptr %slope_at
"""
    scaled = f"  %scaled = fdiv {t} %product, %number_of_all\n" if how == "mean" else ""
    result = "%scaled" if how == "mean" else "%product"
    element = f"""\
{slope if how == "each" else ""}{_weight(kind, t)}  %negative = fneg {t} %weight
  %product = fmul {t} %negative, %slope
{scaled}  %value = select i1 %counts, {t} {result}, {t} 0.0
  %to = getelementptr {t}, ptr %into, i64 %at
  store {t} %value, ptr %to
"""
    of_image = f"""\
  %elements = mul i64 %classes, %places
  %first = mul i64 %image, %elements
  %own = getelementptr {t}, ptr %into, i64 %first
  %bytes = mul i64 %elements, {bytes_}
  %cleared = call ptr @memset(ptr %own, i32 0, i64 %bytes)
"""
    names = ("grad", "x", "targets", *(("weights",) if kind == "weighted" else ()), "total", "into")
    buffers = {name: place for place, name in enumerate(names) if name != "x"}
    return _kernel(f"{SPREAD}_{kind}_{how}_{dtype}", buffers, before, of_image, element)


def _sizes(name: str) -> str:
    """Refuses targets that are neither classes nor ignored."""
    one = f"""\
{_TARGET}  %is_class = icmp ult i64 %given, %classes
  %is_ignored = icmp eq i64 %given, %ignored
  %is_fine = or i1 %is_class, %is_ignored
  %fine_next = and i1 %fine, %is_fine
"""
    carried = [Carried("i1", "fine", "true", "%fine_next")]
    return f"""
define zeroext i1 @{name}_sizes(ptr %syms, ptr %buffers) nounwind {{
entry:
{load_buffers({"targets": TARGETS[name]})}{_WORDS}  %count = mul i64 %images, %places
{loop("number", "0", "%count", one, carried)}  ret i1 %fine
}}
"""


def class_ir() -> str:
    """The module's text; it defines `FUNCTIONS`."""
    return "".join(
        (
            "declare ptr @memset(ptr, i32, i64) nonlazybind\n",
            *(_picked(kind, dtype) for kind, dtype in product(KINDS, TYPES)),
            *(_spread(*each) for each in product(KINDS, HOW, TYPES)),
            *map(_sizes, (PICKED, SPREAD)),
        )
    )
