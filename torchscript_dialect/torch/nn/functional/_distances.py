"""How far vectors are from each other."""

# Modules hold what programs give them: their attributes have no types that a checker knows.
# pyright: basic
from __future__ import annotations

from torchscript_dialect.ops.eager.dispatch import function

pairwise_distance = function("pairwise_distance")
pdist = function("pdist")
cosine_similarity = function("cosine_similarity")
