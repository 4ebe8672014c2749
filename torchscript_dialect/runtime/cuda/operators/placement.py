"""Where operands of operators may be: all on one device, or some on the host."""

from __future__ import annotations

from torchscript_dialect.runtime.cuda.operators.complex_numbers import COMPLEX
from torchscript_dialect.runtime.cuda.operators.composites import COMPOSITES
from torchscript_dialect.runtime.cuda.operators.convolutions import CONVOLUTIONS
from torchscript_dialect.runtime.cuda.operators.distances import DISTANCES
from torchscript_dialect.runtime.cuda.operators.embedding_bags import EMBEDDING_BAGS
from torchscript_dialect.runtime.cuda.operators.fake_quantization import FAKE_QUANTIZATION
from torchscript_dialect.runtime.cuda.operators.fourier import FOURIER
from torchscript_dialect.runtime.cuda.operators.fractional_pooling import FRACTIONAL_POOLING
from torchscript_dialect.runtime.cuda.operators.histograms import HISTOGRAMS
from torchscript_dialect.runtime.cuda.operators.indexing import INDEXING
from torchscript_dialect.runtime.cuda.operators.linear_algebra import LINEAR_ALGEBRA
from torchscript_dialect.runtime.cuda.operators.losses import LOSSES
from torchscript_dialect.runtime.cuda.operators.normalizations import NORMALIZATIONS
from torchscript_dialect.runtime.cuda.operators.padding import PADDING
from torchscript_dialect.runtime.cuda.operators.pooling import POOLING
from torchscript_dialect.runtime.cuda.operators.products import PRODUCTS
from torchscript_dialect.runtime.cuda.operators.rearranged import REARRANGED
from torchscript_dialect.runtime.cuda.operators.recurrent_layers import RECURRENT_LAYERS
from torchscript_dialect.runtime.cuda.operators.sampling import SAMPLING
from torchscript_dialect.runtime.cuda.operators.scans import SCANS
from torchscript_dialect.runtime.cuda.operators.segment_reduction import SEGMENT_REDUCTION
from torchscript_dialect.runtime.cuda.operators.sequences import SEQUENCES
from torchscript_dialect.runtime.cuda.operators.statistics import STATISTICS

MIXES = frozenset(
    "aten::index aten::index_put aten::index_put_ aten::_index_put_impl_ aten::set_"
    " aten::lstm.data aten::gru.data aten::rnn_tanh.data aten::rnn_relu.data"
    " aten::ctc_loss.IntList aten::ctc_loss.Tensor".split()
)
"""Operators some of whose operands may be on the host."""
ON_ONE_DEVICE = {
    *PRODUCTS,
    *INDEXING,
    *SCANS,
    *LOSSES,
    *REARRANGED,
    *COMPOSITES,
    *NORMALIZATIONS,
    *CONVOLUTIONS,
    *PADDING,
    *POOLING,
    *FRACTIONAL_POOLING,
    *RECURRENT_LAYERS,
    *SAMPLING,
    *STATISTICS,
    *FAKE_QUANTIZATION,
    *SEQUENCES,
    *DISTANCES,
    *EMBEDDING_BAGS,
    *HISTOGRAMS,
    *SEGMENT_REDUCTION,
    *LINEAR_ALGEBRA,
    *COMPLEX,
    *FOURIER,
}
"""Operators of their own whose operands have to be together."""
TOGETHER = frozenset(
    f"aten::{name}"
    for name in (
        "index_select gather scatter scatter_ scatter_add scatter_add_ scatter_reduce scatter_reduce_ index_add index_add_ index_copy"
        " index_copy_ index_reduce index_reduce_ take put put_ embedding bucketize searchsorted stack linear addmm addmv addr addbmm"
        " baddbmm addmm_ addmv_ addr_ addbmm_ baddbmm_ equal"
    ).split()
)
"""Operators that take no tensor of the host, be it one number: all others that PyTorch has go over elements."""
