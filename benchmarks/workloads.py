"""The workloads of the table: programs, sizes, inputs."""

from collections.abc import Iterator

import numpy as np

from benchmarks import lstm_cell_s, product, ratio_iou, simple_lstm, tanh
from benchmarks.harness import Workload

POINTWISE_SIZES = ((10, 10), (100, 1000), (1000, 4000))


def _uniform(count: int, shape: tuple[int, ...]) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(0)
    return tuple(rng.random(shape, dtype=np.float32) for _ in range(count))


def workloads() -> Iterator[Workload]:
    for shape in POINTWISE_SIZES:
        size = f"{shape[0]}x{shape[1]}"
        yield Workload("ratio_iou", size, ratio_iou.BUILD, lambda s=shape: _uniform(8, s))
    for shape in POINTWISE_SIZES:
        size = f"{shape[0]}x{shape[1]}"
        yield Workload("tanh", size, tanh.BUILD, lambda s=shape: _uniform(2, s))
    for batch, inputs, hidden in [(1, 32, 32), (64, 256, 512)]:
        yield Workload(
            "lstm_cell_s",
            f"batch {batch}, {inputs}/{hidden}",
            lstm_cell_s.BUILD,
            lambda b=batch, i=inputs, h=hidden: lstm_cell_s.arguments(b, i, h),
        )
    for batch, inputs, hidden in [(1, 32, 32), (16, 128, 128)]:
        yield Workload(
            "simple_lstm",
            f"50 steps, batch {batch}, {inputs}/{hidden}",
            simple_lstm.BUILD,
            lambda b=batch, i=inputs, h=hidden: simple_lstm.arguments(50, b, i, h),
        )
    for m, k, n in (*product.SIZES, *product.LARGE_SIZES):
        for kind in ("nn", "nt"):
            yield Workload(
                "product",
                f"{m}x{k}x{n} {kind}",
                product.build(kind),
                lambda m=m, k=k, n=n, kind=kind: product.arguments(m, k, n, kind),
                tolerance=1e-3,
            )
