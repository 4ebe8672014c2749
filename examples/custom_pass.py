"""A pass of one's own, put in front of the fuser: `x * sigmoid(x)` becomes `silu(x)` in every function that is compiled."""

import numpy as np
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern, op_type_rewrite_pattern

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.dialects import aten


class UseSilu(RewritePattern):
    """`x * sigmoid(x)` is `silu(x)`."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: aten.MulTensorOp, rewriter: PatternRewriter, /) -> None:
        sigmoid = op.other.owner
        if isinstance(sigmoid, aten.SigmoidOp) and sigmoid.self is op.self:
            silu = aten.SiluOp.create(operands=[op.self], result_types=op.result_types)
            rewriter.replace(op, silu)


def gate(x, y):
    return x * torch.sigmoid(x) + y


def main() -> None:
    f = ts.script(gate)
    x, y = np.linspace(-1, 1, 6, dtype=np.float32), np.ones(6, dtype=np.float32)
    without = f(x, y)
    with ts.add_pass(UseSilu, before="ts-fuse-tensorexprs"):
        graph = f.graph_for(x, y)
        for _ in range(3):
            result = f(x, y)
        print(graph.findNode("prim::TensorExprGroup").g("Subgraph"))
        print(f"{f.native_calls} of 3 calls were native")
        print(ts.pipelines["runtime-optimizations"].timings)
    np.testing.assert_allclose(np.asarray(result), np.asarray(without), rtol=1e-6)


if __name__ == "__main__":
    main()
