"""Kernels of devices that are not made of programs: what makes each, by its name."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import ModuleOp

from lowering.gpu import (
    alignments,
    binary_search,
    block_scan,
    block_sort,
    chosen_places,
    column_reduction,
    indexed_copy,
    matrix_columns,
    matrix_factors,
    random_numbers,
    segments,
    strided_copy,
    turned_copy,
    window_reduction,
)

OWN_KERNELS: dict[str, Callable[..., ModuleOp]] = {
    alignments.NAME: alignments.alignments,
    binary_search.NAME: binary_search.binary_search,
    block_scan.NAME: block_scan.block_scan,
    block_scan.CARRY_NAME: block_scan.carry,
    **block_sort.SORT_STEPS,
    chosen_places.NAME: chosen_places.chosen_places,
    column_reduction.NAME: column_reduction.column_reduction,
    indexed_copy.NAME: lambda *form: indexed_copy.indexed_copy(indexed_copy.Form(*form)),
    matrix_columns.TRIANGULAR: matrix_columns.triangular_solutions,
    matrix_columns.REFLECTIONS: matrix_columns.reflections,
    matrix_columns.ROW_ORDER: matrix_columns.row_order,
    matrix_factors.LU: matrix_factors.lu_factors,
    matrix_factors.CHOLESKY: matrix_factors.cholesky_factors,
    matrix_factors.HOUSEHOLDER: matrix_factors.householder_factors,
    random_numbers.NAME: random_numbers.random_numbers,
    segments.NAME: segments.segments,
    strided_copy.NAME: strided_copy.strided_copy,
    turned_copy.NAME: turned_copy.turned_copy,
    window_reduction.NAME: lambda *form: window_reduction.window_reduction(
        window_reduction.Form(*form)
    ),
}
