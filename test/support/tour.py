"""Code of "Optimizing models using the PyTorch JIT" (Lernapparat, Dec. 2020) as it is printed there, but for what it imports: `torch` is
the stand-in, `graphviz` keeps what is drawn, and tensors are on the CPU.
"""

# ruff: noqa
# pyright: basic, reportRedeclaration=false
from support import graphviz_shim as graphviz

from torchscript_dialect import torch

device = "cpu"


def scripted_and_traced_functions():
    @torch.jit.script
    def fn(x):
        return x * 2

    scripted = fn

    def fn(x):
        return x * 2

    fn = torch.jit.trace(fn, [torch.randn(5)])
    return scripted, fn


def scripted_and_traced_loops():
    def fn(x):
        for i in range(x.dim()):
            x = x * x
        return x

    script_fn = torch.jit.script(fn)
    trace_fn = torch.jit.trace(fn, [torch.randn(5, 5)])
    return script_fn, trace_fn


def traced_model(path):
    model = torch.nn.Sequential(torch.nn.Linear(1, 10), torch.nn.ReLU(), torch.nn.Linear(10, 1))
    traced_model = torch.jit.trace(model, [torch.randn(8, 1)])
    traced_model.save(path)
    loaded_model = torch.jit.load(path)
    scripted_model = torch.jit.script(model)
    return model, traced_model, loaded_model, scripted_model


def lunif(x, t=2):  # copied from the paper
    sq_pdist = torch.pdist(x, p=2).pow(2)
    return sq_pdist.mul(-t).exp().mean().log()


def lunif2(x, t=2):
    t = 2
    xnorm = torch.norm(x, p=2, dim=1).pow(2)
    sq_pdist = xnorm[None] + xnorm[:, None] - 2 * torch.mm(x, x.t())
    exp = sq_pdist.mul(-t).exp().tril(diagonal=-1)
    N = x.size(0)
    res = exp.sum().mul(2 / (N * N - N)).log()
    return res


def make_graph(gr):
    dot = graphviz.Digraph(format="svg", graph_attr={"labelloc": "t"})

    nodes = {}
    for i in gr.inputs():
        nname = i.debugName()
        label = nname.split(".")[0]
        nodes[nname] = (nname, dot)
        dot.node(nname, label, color="blue")

    unseen_ops = {
        "prim::ListConstruct", "aten::index",
        "aten::size", "aten::slice", "aten::unsqueeze", "aten::squeeze",
        "aten::to", "aten::view", "aten::permute", "aten::transpose", "aten::contiguous",
        "aten::permute", "aten::Int", "prim::TupleUnpack", "prim::ListUnpack", "aten::unbind",
        "aten::select", "aten::detach", "aten::stack", "aten::reshape", "aten::split_with_sizes",
        "aten::cat", "aten::expand", "aten::expand_as", "aten::_shape_as_tensor",
        "aten::_size_if_not_equal", "prim::BroadcastSizes",
        "prim::Constant",
    }  # fmt: skip

    def process_block(nodeit, dot):
        firstnode = None
        lastnode = None
        for n in nodeit:
            k = n.kind()
            outs = list(n.outputs())
            inps = list(n.inputs())
            type_outs = [o.type().kind() for o in outs]
            type_inps = [o.type().kind() for o in inps]
            if k == "prim::If":
                label = "If"
                nname = outs[0].debugName()
                for i in inps:
                    src, srcdot = nodes.get(i.debugName(), (None, None))
                    if src is not None:
                        srcdot.edge(src, nname + "_in")
                dot.node(nname + "_in", "If", shape="diamond")
                dot.node(nname, "", width="0.1", height="0.1")
                dot.edge(nname + "_in", nname, style="invis")
                nodes[nname] = (nname, dot)
                bl = list(n.blocks())
                for i, b in enumerate(bl):
                    with dot.subgraph(
                        name=f"cluster_{nname}_{i}", graph_attr={"label": ""}
                    ) as sub_dot:
                        firstnode, lastnode = process_block(b.nodes(), sub_dot)
                    dot.edge(nname + "_in", firstnode, label="yn"[i])
                    dot.edge(lastnode, nname)
                if firstnode is None:
                    firstnode = nname + "_in"
                lastnode = nname
            elif k == "prim::DifferentiableGraph":
                label = "DifferentiableGraph"
                nname = outs[0].debugName()
                nodes[nname] = (nname, dot)
                sg = n.g("Subgraph")
                nis = list(n.inputs())
                sgis = list(sg.inputs())
                assert len(nis) == len(sgis)
                for ni, sgi in zip(nis, sgis):
                    if ni.debugName() in nodes:
                        nodes[sgi.debugName()] = nodes[ni.debugName()]
                with dot.subgraph(
                    name=f"cluster_{nname}",
                    graph_attr={
                        "label": "DifferentiableGraph",
                        "labelloc": "b",
                        "labeljust": "r",
                    },
                ) as sub_dot:
                    firstnode, lastnode = process_block(sg.nodes(), sub_dot)
                nos = list(n.outputs())
                sgos = list(sg.outputs())
                assert len(nos) <= len(sgos)
                for no, sgo in zip(nos, sgos):
                    if sgo.debugName() in nodes:
                        nodes[no.debugName()] = (nodes[sgo.debugName()][0], dot)
            elif k not in unseen_ops:
                if k == "prim::CallFunction":
                    label = "call " + next(n.inputs()).node().s("name")
                else:
                    label = k.replace("aten::", "").replace("prim::", "")
                nname = outs[0].debugName()
                dot.node(nname, label, shape="box", style="rounded")
                for o in outs:
                    nodes[o.debugName()] = (nname, dot)
                for i in inps:
                    src, srcdot = nodes.get(i.debugName(), (None, None))
                    if src is not None:
                        srcdot.edge(src, nname)
                if firstnode is None:
                    firstnode = nname
                lastnode = nname
        return firstnode, lastnode

    process_block(gr.nodes(), dot)
    dot.node(".outputs", "outputs", color="blue")
    for i, o in enumerate(gr.outputs()):
        src, srcdot = nodes.get(o.debugName(), (None, None))
        if src is not None:
            dot.edge(src, ".outputs")

    return dot


def ratio_iou(x1, y1, w1, h1, x2, y2, w2, h2):
    xi = torch.max(x1, x2)  # Intersection left
    yi = torch.max(y1, y2)  # Intersection top
    wi = torch.clamp(torch.min(x1 + w1, x2 + w2) - xi, min=0.0)  # Intersection width
    hi = torch.clamp(torch.min(y1 + h1, y2 + h2) - yi, min=0.0)  # Intersection height
    area_i = wi * hi  # Area Intersection
    area_u = w1 * h1 + w2 * h2 - wi * hi  # Area Union
    return area_i / torch.clamp(area_u, min=1e-5)  # Intersection over Union


# fmt: skip


def find_function_types(graph_or_block, function_types=None):
    if function_types is None:
        function_types = []
    for n in graph_or_block.nodes():
        if n.kind() == "prim::Constant":
            t = n.output().type()
            if t.kind() == "FunctionType":
                function_types.append(t)
        else:
            for b in n.blocks():
                find_function_types(b, function_types=function_types)
            if n.hasAttribute("Subgraph"):
                find_function_types(n.g("Subgraph"), function_types=function_types)
    return function_types


def get_function_graphs(gr):
    return {
        t.name(): list(t.get_debug_state().execution_plans.values())[0].graph
        for t in find_function_types(gr)
    }


def fused(shape=(100, 1000)):
    """The graph specialised for the inputs, as it is after two calls."""
    ratio_iou_scripted = torch.jit.script(ratio_iou)
    x1, y1, w1, h1, x2, y2, w2, h2 = torch.randn(8, *shape, device=device).exp()

    def take_time(fn):
        _ = fn(x1, y1, w1, h1, x2, y2, w2, h2)

    take_time(ratio_iou)  # warmup
    for i in range(2):
        take_time(ratio_iou_scripted)
    return ratio_iou_scripted, ratio_iou_scripted.graph_for(x1, y1, w1, h1, x2, y2, w2, h2)


def differentiated():
    """The forward graph, the reverse graph as it is made, and the one that runs."""
    ratio_iou_scripted = torch.jit.script(ratio_iou)
    x1, y1, w1, h1, x2, y2, w2, h2 = torch.randn(
        8, 100, 1000, device=device, requires_grad=True
    ).exp()
    for i in range(10):
        ratio_iou_scripted.graph_for(x1, y1, w1, h1, x2, y2, w2, h2)

    gr = ratio_iou_scripted.graph_for(x1, y1, w1, h1, x2, y2, w2, h2)
    n = gr.findAllNodes("prim::DifferentiableGraph")[0]
    reverse = n.g("ReverseSubgraph")

    for i in range(10):
        res = ratio_iou_scripted(x1, y1, w1, h1, x2, y2, w2, h2)
        torch.autograd.grad(res.sum(), [x1, y1, w1, h1, x2, y2, w2, h2])

    fw_execution_plan = list(ratio_iou_scripted.get_debug_state().execution_plans.values())[0]
    bw_execution_plan = list(
        fw_execution_plan.code.grad_executor_states()[0].execution_plans.values()
    )[0]
    return gr, reverse, bw_execution_plan.graph


def fallbacks():
    """The graph that ran last, after calls without gradients and calls with them."""
    ratio_iou_scripted = torch.jit.script(ratio_iou)

    x1, y1, w1, h1, x2, y2, w2, h2 = torch.randn(8, 100, 1000, device=device).exp()
    for i in range(10):
        ratio_iou_scripted.graph_for(x1, y1, w1, h1, x2, y2, w2, h2)

    x1, y1, w1, h1, x2, y2, w2, h2 = torch.randn(
        8, 100, 1000, device=device, requires_grad=True
    ).exp()
    for i in range(10):
        ratio_iou_scripted.graph_for(x1, y1, w1, h1, x2, y2, w2, h2)

    gr = torch.jit.last_executed_optimized_graph()
    return ratio_iou_scripted, gr


def benchmarks():
    """What each fuser gives, with gradients and without."""
    results = []
    for rq in [False, True]:
        for fuser in [None, "fuser1", "fuser2"]:
            if fuser is not None:
                c = torch.jit.fuser(fuser)
                c.__enter__()

            ratio_iou_scripted = torch.jit.script(ratio_iou) if fuser is not None else ratio_iou

            torch.manual_seed(0)
            x1, y1, w1, h1, x2, y2, w2, h2 = torch.randn(
                8, 100, 1000, device=device, requires_grad=rq
            ).exp()
            for i in range(10):
                result = ratio_iou_scripted(x1, y1, w1, h1, x2, y2, w2, h2)
            results.append(result)
    return results


def requires_grad_of_outputs():
    """Pairs: whether inputs require gradients, and whether the output does."""
    found = []
    for fuser in ["fuser1", "fuser2"]:
        for rq in [True, False]:
            c = torch.jit.fuser(fuser)
            c.__enter__()

            ratio_iou_scripted = torch.jit.script(ratio_iou)

            x1, y1, w1, h1, x2, y2, w2, h2 = torch.randn(
                8, 100, 1000, device=device, requires_grad=not rq
            ).exp()
            for i in range(10):
                ratio_iou_scripted.graph_for(x1, y1, w1, h1, x2, y2, w2, h2)
            x1, y1, w1, h1, x2, y2, w2, h2 = torch.randn(
                8, 100, 1000, device=device, requires_grad=rq
            ).exp()
            found.append(
                (x1.requires_grad, ratio_iou_scripted(x1, y1, w1, h1, x2, y2, w2, h2).requires_grad)
            )
    return found


def two_sizes():
    """A function that profiling runs see tensors of two sizes in."""
    c = torch.jit.fuser("fuser1")
    c.__enter__()
    torch._C._jit_set_num_profiled_runs(2)

    ratio_iou_scripted = torch.jit.script(ratio_iou)

    inputs1 = torch.randn(8, 100, 1000, device=device).exp()
    inputs2 = torch.randn(8, 101, 1000, device=device).exp()

    for i in range(10):
        ratio_iou_scripted.graph_for(*inputs1)
        ratio_iou_scripted.graph_for(*inputs2)

    return ratio_iou_scripted, inputs1, inputs2, make_graph(ratio_iou_scripted.graph_for(*inputs1))
