"""What derivatives of products call."""

SOURCE = """
def matmul_left(grad: Tensor, left: Tensor, right: Tensor) -> Tensor:
    if left.dim() == 1 and right.dim() == 1:
        return grad * right.conj()
    if left.dim() == 1:
        return torch.matmul(grad.unsqueeze(-2), right.transpose(-1, -2).conj()).squeeze(-2)
    if right.dim() == 1:
        return grad.unsqueeze(-1) * right.conj()
    return torch.matmul(grad, right.transpose(-1, -2).conj())

def matmul_right(grad: Tensor, left: Tensor, right: Tensor) -> Tensor:
    if left.dim() == 1 and right.dim() == 1:
        return grad * left.conj()
    if left.dim() == 1:
        return left.unsqueeze(-1).conj() * grad.unsqueeze(-2)
    if right.dim() == 1:
        return torch.matmul(left.transpose(-1, -2).conj(), grad.unsqueeze(-1)).squeeze(-1)
    return torch.matmul(left.transpose(-1, -2).conj(), grad)

def einsum_of(grad: Tensor, equation: str, tensors: List[Tensor]) -> List[Tensor]:
    whole = equation.replace(" ", "")
    if "." in whole:
        raise NotImplementedError("the gradient of einsum with an ellipsis")
    sides = whole.split("->")
    terms = sides[0].split(",")
    result = ""
    if len(sides) > 1:
        result = sides[1]
    else:
        letters: List[str] = []
        for place in range(len(sides[0])):
            if sides[0].count(sides[0][place]) == 1 and sides[0][place] != ",":
                letters.append(sides[0][place])
        letters.sort()
        result = "".join(letters)
    found: List[Tensor] = []
    for number in range(len(terms)):
        term = terms[number]
        others: List[Tensor] = [grad]
        names = result
        for place in range(len(terms)):
            if place != number:
                others.append(tensors[place].conj())
                names = names + "," + terms[place]
        kept = ""
        for place in range(len(term)):
            if term.count(term[place]) > 1:
                raise NotImplementedError("the gradient of einsum of a diagonal")
            if term[place] in names:
                kept = kept + term[place]
        slope = torch.einsum(names + "->" + kept, others)
        for place in range(len(term)):
            if not (term[place] in names):
                slope = slope.unsqueeze(place)
        found.append(slope.expand_as(tensors[number]) if slope.numel() <= tensors[number].numel() else slope)
    return found

def linear_weight(grad: Tensor, input: Tensor, weight: Tensor) -> Tensor:
    if weight.dim() == 1:
        return (grad.unsqueeze(-1) * input.conj()).reshape([-1, input.size(-1)]).sum([0])
    rows = grad.reshape([-1, weight.size(0)])
    return rows.t().mm(input.reshape([-1, input.size(-1)]).conj())
"""
