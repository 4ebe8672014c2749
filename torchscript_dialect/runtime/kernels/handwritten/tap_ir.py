"""LLVM IR of sums over taps: `TAP_IR` is the module's text, which defines `FUNCTIONS`.

Three arrays belong together: values (images, channels, points), pixels (images, channels, size), weights (taps, images, points); places
(taps, images, points) of int64 say which pixel a tap of a point is. To the elements of one array the products of the other two are
added, one after the other. A place that is out of range is no pixel.
"""

from __future__ import annotations

from itertools import product

TYPES = {"float32": "float", "float64": "double"}
TARGETS = ("values", "pixels", "weights")
FUNCTIONS = tuple(f"{target}_{dtype}" for target, dtype in product(TARGETS, TYPES))


def _function(target: str, dtype: str) -> str:
    """`planes` counts images times channels."""
    kind = TYPES[dtype]
    first, second = (name for name in TARGETS if name != target)
    return f"""
define void @{target}_{dtype}(ptr %values, ptr %pixels, ptr %weights, ptr %places,
    i64 %planes, i64 %channels, i64 %size, i64 %points, i64 %taps) nounwind {{
entry:
  %images = udiv i64 %planes, %channels
  br label %plane_head
plane_head:
  %plane = phi i64 [ 0, %entry ], [ %plane_next, %plane_end ]
  %has_plane = icmp slt i64 %plane, %planes
  br i1 %has_plane, label %plane_begin, label %out
plane_begin:
  %image = udiv i64 %plane, %channels
  %pixels_offset = mul i64 %plane, %size
  %plane_pixels = getelementptr {kind}, ptr %pixels, i64 %pixels_offset
  %values_offset = mul i64 %plane, %points
  %plane_values = getelementptr {kind}, ptr %values, i64 %values_offset
  br label %tap_head
tap_head:
  %tap = phi i64 [ 0, %plane_begin ], [ %tap_next, %tap_end ]
  %has_tap = icmp slt i64 %tap, %taps
  br i1 %has_tap, label %tap_begin, label %plane_end
tap_begin:
  %images_before = mul i64 %tap, %images
  %row = add i64 %images_before, %image
  %tap_offset = mul i64 %row, %points
  %tap_places = getelementptr i64, ptr %places, i64 %tap_offset
  %tap_weights = getelementptr {kind}, ptr %weights, i64 %tap_offset
  br label %point_head
point_head:
  %point = phi i64 [ 0, %tap_begin ], [ %point_next, %point_end ]
  %has_point = icmp slt i64 %point, %points
  br i1 %has_point, label %point_begin, label %tap_end
point_begin:
  %place_at = getelementptr i64, ptr %tap_places, i64 %point
  %place = load i64, ptr %place_at
  %is_pixel = icmp ult i64 %place, %size
  br i1 %is_pixel, label %compute, label %point_end
compute:
  %values_at = getelementptr {kind}, ptr %plane_values, i64 %point
  %pixels_at = getelementptr {kind}, ptr %plane_pixels, i64 %place
  %weights_at = getelementptr {kind}, ptr %tap_weights, i64 %point
  %first = load {kind}, ptr %{first}_at
  %second = load {kind}, ptr %{second}_at
  %old = load {kind}, ptr %{target}_at
  %part = fmul {kind} %first, %second
  %sum = fadd {kind} %old, %part
  store {kind} %sum, ptr %{target}_at
  br label %point_end
point_end:
  %point_next = add i64 %point, 1
  br label %point_head
tap_end:
  %tap_next = add i64 %tap, 1
  br label %tap_head
plane_end:
  %plane_next = add i64 %plane, 1
  br label %plane_head
out:
  ret void
}}
"""


TAP_IR = "".join(_function(target, dtype) for target, dtype in product(TARGETS, TYPES))
