"""Intersection over union of boxes: sixteen pointwise operators that become one kernel.

`python -m examples.ratio_iou` prints the graph, the optimized graph and the time against NumPy.
"""

import timeit

import numpy as np

from examples._torch import argument, torch


def ratio_iou(x1, y1, w1, h1, x2, y2, w2, h2):
    xi = torch.max(x1, x2)  # Intersection left
    yi = torch.max(y1, y2)  # Intersection top
    wi = torch.clamp(torch.min(x1 + w1, x2 + w2) - xi, min=0.0)  # Intersection width
    hi = torch.clamp(torch.min(y1 + h1, y2 + h2) - yi, min=0.0)  # Intersection height
    area_i = wi * hi  # Area Intersection
    area_u = w1 * h1 + w2 * h2 - wi * hi  # Area Union
    return area_i / torch.clamp(area_u, min=1e-5)  # Intersection over Union


def ratio_iou_numpy(x1, y1, w1, h1, x2, y2, w2, h2):
    """The same in NumPy, operator by operator."""
    wi = np.maximum(np.minimum(x1 + w1, x2 + w2) - np.maximum(x1, x2), 0)
    hi = np.maximum(np.minimum(y1 + h1, y2 + h2) - np.maximum(y1, y2), 0)
    area_i = wi * hi
    area_u = w1 * h1 + w2 * h2 - area_i
    return area_i / np.maximum(area_u, 1e-5)


def best_of(statement, repeat=7):
    """Seconds per call of `statement`, the best of `repeat` measurements of at least 10 ms each."""
    timer = timeit.Timer(statement)
    number = max(1, int(0.01 / max(timer.timeit(1), 1e-7)))
    return min(timer.repeat(repeat, number)) / number


def main() -> None:
    rng = np.random.default_rng(0)
    scripted = torch.jit.script(ratio_iou)
    print(scripted.graph)
    small = [rng.random((10, 10), dtype=np.float32) for _ in range(8)]
    args = [argument(array) for array in small]
    for _ in range(2):  # the first call may only observe
        scripted(*args)
    print(scripted.graph_for(*args))
    for shape in [(10, 10), (100, 1000), (1000, 4000)]:
        arrays = [rng.random(shape, dtype=np.float32) for _ in range(8)]
        args = [argument(array) for array in arrays]
        expected = ratio_iou_numpy(*arrays)
        for _ in range(3):
            np.testing.assert_allclose(np.asarray(scripted(*args)), expected, rtol=2e-6, atol=2e-6)
        ours = best_of(lambda args=args: scripted(*args))
        numpy_time = best_of(lambda arrays=arrays: ratio_iou_numpy(*arrays))
        ratio = numpy_time / ours
        print(
            f"{shape!s:>12}: {ours * 1e6:10.2f} µs, NumPy {numpy_time * 1e6:10.2f} µs, {ratio:6.1f} times faster"
        )


if __name__ == "__main__":
    main()
