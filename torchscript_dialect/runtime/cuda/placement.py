"""Where operands of operators may be: all on one device, or some on the host."""

from __future__ import annotations

from torchscript_dialect.runtime.cuda.complex_numbers import COMPLEX
from torchscript_dialect.runtime.cuda.composites import COMPOSITES
from torchscript_dialect.runtime.cuda.convolutions import CONVOLUTIONS
from torchscript_dialect.runtime.cuda.distances import DISTANCES
from torchscript_dialect.runtime.cuda.embedding_bags import EMBEDDING_BAGS
from torchscript_dialect.runtime.cuda.fake_quantization import FAKE_QUANTIZATION
from torchscript_dialect.runtime.cuda.fourier import FOURIER
from torchscript_dialect.runtime.cuda.fractional_pooling import FRACTIONAL_POOLING
from torchscript_dialect.runtime.cuda.histograms import HISTOGRAMS
from torchscript_dialect.runtime.cuda.indexing import INDEXING
from torchscript_dialect.runtime.cuda.linear_algebra import LINEAR_ALGEBRA
from torchscript_dialect.runtime.cuda.losses import LOSSES
from torchscript_dialect.runtime.cuda.normalizations import NORMALIZATIONS
from torchscript_dialect.runtime.cuda.padding import PADDING
from torchscript_dialect.runtime.cuda.pooling import POOLING
from torchscript_dialect.runtime.cuda.products import PRODUCTS
from torchscript_dialect.runtime.cuda.rearranged import REARRANGED
from torchscript_dialect.runtime.cuda.recurrent_layers import RECURRENT_LAYERS
from torchscript_dialect.runtime.cuda.sampling import SAMPLING
from torchscript_dialect.runtime.cuda.scans import SCANS
from torchscript_dialect.runtime.cuda.segment_reduction import SEGMENT_REDUCTION
from torchscript_dialect.runtime.cuda.sequences import SEQUENCES
from torchscript_dialect.runtime.cuda.statistics import STATISTICS

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
