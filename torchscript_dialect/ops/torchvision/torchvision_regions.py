"""What torchvision's operators over regions of images have in common: their checks, and the pixels that a region's cells take.

An operator has images (N, C, H, W) and regions (K, 5), each the number of an image and a box (x1, y1, x2, y2). A grid of cells lies
over each box. In some operators a cell reads a channel of its own.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.indexing.combine_at import combine_at
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.tensor import Tensor, wrap_dim

Array = NDArray[Any]
Sizes = tuple[int, ...]
"""Of height and width."""

DTYPES = (dtypes.float16, dtypes.float32, dtypes.float64)


def check_images(name: str, x: Tensor, rois: Tensor, cells: Sizes) -> None:
    """Refuse what no operator over images and regions takes.

    Raises:
        IndexError: there are too few dimensions, or regions of images that there are none of.
        NotImplementedError: the elements are no floats, or none that torchvision computes with.
        RuntimeError: there are other dimensions or different dtypes.
    """
    check_rank("input", x, 4)
    check_dtypes(f"{name}_forward_kernel", "input", x, rois)
    if min(cells) < 0:
        raise RuntimeError("zeros: Dimension size must be non-negative.")
    _check_regions(name, rois, len(x.array))


def check_gradient(
    name: str, grad: Tensor, rois: Tensor, images: int, numbers: Tensor | None = None
) -> None:
    """The same for an operator that goes backwards; `numbers` are those of pixels or channels, for each element of the gradient."""
    check_rank("grad", grad, 4)
    if numbers is not None and numbers.dtype is not dtypes.int32:
        raise RuntimeError(f"expected scalar type Int but found {numbers.dtype.type_name}")
    check_dtypes(f"{name}_backward_kernel", "grad", grad, rois)
    _check_regions(name, rois, images)


def check_rank(what: str, x: Tensor, rank: int) -> None:
    """Refuse a tensor of fewer or more dimensions.

    Raises:
        IndexError: there are fewer.
        RuntimeError: there are more.
    """
    found = x.array.ndim
    if found < rank:
        wrap_dim(found, found)
    if found > rank:
        raise RuntimeError(f"{what} should have {rank} dimensions, and not {found}")


def check_dtypes(kernel: str, what: str, x: Tensor, rois: Tensor) -> None:
    """Refuse dtypes that differ, or that torchvision has no kernel for.

    Raises:
        NotImplementedError: there is no kernel for the dtype.
        RuntimeError: the dtypes differ.
    """
    if x.dtype is not rois.dtype:
        first, second = (f"torch.{each.dtype.type_name}Tensor" for each in (x, rois))
        raise RuntimeError(
            f"Expected tensor for argument #1 '{what}' to have the same type as tensor for argument #2 'rois'; but type {first} "
            f"does not equal {second} (while checking arguments for {kernel})"
        )
    if x.dtype not in DTYPES:
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{x.dtype.type_name}'")


def _check_regions(name: str, rois: Tensor, images: int) -> None:
    check_rank("rois", rois, 2)
    if rois.array.shape[1] != 5:
        subject = "rois must" if name == "roi_align" else "Tensor rois should"
        raise RuntimeError(f"{subject} have shape as Tensor[K, 5]")
    numbers = image_numbers(rois.array)
    for number in numbers[(numbers < 0) | (numbers >= images)]:
        raise IndexError(f"a region is of image {number}, and there are {images} images")


def image_numbers(rois: Array) -> Array:
    """The number of each region's image."""
    return np.nan_to_num(rois[:, 0], nan=-1.0).astype(np.int64)


def channels_out(channels: int, cells: Sizes) -> int:
    """How many results a cell has where it reads channels of its own.

    Raises:
        RuntimeError: the channels cannot be shared out among the cells.
    """
    count = cells[0] * cells[1]
    if not count or channels % count:
        raise RuntimeError("input channels must be a multiple of pooling height * pooling width")
    return channels // count


def channel_mapping(regions: int, channels: int, cells: Sizes) -> Array:
    """The channel (K, channels_out, *cells) that each result was read from."""
    numbers = np.arange(channels, dtype=np.int32).reshape(-1, *cells)
    return np.broadcast_to(numbers, (regions, *numbers.shape)).copy()


class Side(NamedTuple):
    """What the cells of a region take along one side of an image: arrays (cells, taps)."""

    places: Array
    """Numbers of rows or columns of pixels, all of them in the image."""
    inside: Array
    """Whether the tap counts."""


class Pixels(NamedTuple):
    """The pixels that the cells of a region take from one image: arrays (rows of cells, columns of cells, taps, taps)."""

    places: Array
    """In the image, flat from the dimension behind the results' channels on."""
    inside: Array
    """Whether the pixel counts."""

    def read(self, image: Array, outputs: int) -> Array:
        """The values (outputs, *places) in an image (C, H, W)."""
        return image.reshape(outputs, -1).take(self.places, 1)


def pixels(rows: Side, columns: Side, sizes: Sizes, by_cell: bool = False) -> Pixels:
    """The pixels in rows and columns of images of the given height and width; `by_cell`, each cell has a channel of its own."""
    height, width = sizes
    places = rows.places[:, None, :, None] * width + columns.places[:, None, :]
    if by_cell:
        cells = np.arange(len(rows.places) * len(columns.places))
        places = places + height * width * cells.reshape(*places.shape[:2], 1, 1)
    inside = rows.inside[:, None, :, None] & columns.inside[:, None, :]
    return Pixels(places, inside)


def add_to(image: Array, at: Pixels, channels: Array, values: Array) -> None:
    """Add values (outputs, *places), those that count, to a contiguous image (C, H, W): to channels (outputs, *cells) of it."""
    size = image.shape[1] * image.shape[2]
    places = channels[..., None, None].astype(np.int64) * size + at.places
    combine_at(np.add, image.reshape(-1), places[:, at.inside], values[:, at.inside])
