"""What derivatives of products call."""

SOURCE = """
def matmul_left(grad: Tensor, left: Tensor, right: Tensor) -> Tensor:
    if left.dim() == 1 and right.dim() == 1:
        return grad * right.conj()
    if left.dim() == 1 and right.dim() > 2:
        return in_rows(right.transpose(-1, -2)).t().conj().mv(grad.flatten())
    if left.dim() == 1:
        return torch.matmul(grad.unsqueeze(-2), right.transpose(-1, -2).conj()).squeeze(-2)
    if left.dim() == 2 and right.dim() > 2:
        return in_rows(right.transpose(-1, -2)).t().conj().mm(in_rows(grad.transpose(-1, -2))).t()
    if right.dim() == 1:
        return grad.unsqueeze(-1) * right.conj()
    return torch.matmul(grad, right.transpose(-1, -2).conj())

def matmul_right(grad: Tensor, left: Tensor, right: Tensor) -> Tensor:
    if left.dim() == 1 and right.dim() == 1:
        return grad * left.conj()
    if left.dim() == 1:
        return left.unsqueeze(-1).conj() * grad.unsqueeze(-2)
    if right.dim() == 1 and left.dim() > 2:
        return in_rows(left).t().conj().mv(grad.flatten())
    if right.dim() == 1:
        return torch.matmul(left.transpose(-1, -2).conj(), grad.unsqueeze(-1)).squeeze(-1)
    if right.dim() == 2 and left.dim() > 2:
        return in_rows(left).t().conj().mm(in_rows(grad))
    return torch.matmul(left.transpose(-1, -2).conj(), grad)

def einsum_terms(equation: str, tensors: List[Tensor]) -> Tuple[List[str], str]:
    whole = equation.replace(" ", "")
    sides = whole.split("->")
    spare = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    unused = ""
    for place in range(len(spare)):
        if not (spare[place] in whole):
            unused = unused + spare[place]
    terms: List[str] = []
    longest = 0
    given = sides[0].split(",")
    for number in range(len(given)):
        term = given[number]
        if "." in term:
            rank = tensors[number].dim() - len(term) + 3
            longest = max(longest, rank)
            term = term.replace("...", unused[len(unused) - rank:])
        terms.append(term)
    around = unused[len(unused) - longest:]
    if len(sides) > 1:
        return terms, sides[1].replace("...", around)
    letters: List[str] = []
    for place in range(len(sides[0])):
        letter = sides[0][place]
        if sides[0].count(letter) == 1 and letter != "," and letter != ".":
            letters.append(letter)
    letters.sort()
    return terms, around + "".join(letters)

def on_diagonals(x: Tensor, have: str, term: str) -> Tensor:
    result = x
    names = have
    for place in range(len(have)):
        letter = have[place]
        for extra in range(term.count(letter) - 1):
            at = names.find(letter)
            result = torch.diag_embed(result.movedim(at, -1), 0, -2, -1)
            names = names[:at] + names[at + 1:] + letter + letter
    order: List[int] = []
    for place in range(len(term)):
        at = names.find(term[place])
        while at in order:
            at = names.find(term[place], at + 1)
        order.append(at)
    return result.permute(order)

def einsum_of(grad: Tensor, equation: str, tensors: List[Tensor]) -> List[Tensor]:
    terms, result = einsum_terms(equation, tensors)
    found: List[Tensor] = []
    for number in range(len(terms)):
        term = terms[number]
        others: List[Tensor] = [grad]
        names = result
        for place in range(len(terms)):
            if place != number:
                others.append(tensors[place].conj().to(grad.dtype))
                names = names + "," + terms[place]
        once = ""
        kept = ""
        sizes: List[int] = []
        for place in range(len(term)):
            if not (term[place] in once):
                once = once + term[place]
                sizes.append(tensors[number].size(place))
                if term[place] in names:
                    kept = kept + term[place]
        slope = torch.einsum(names + "->" + kept, others)
        for place in range(len(once)):
            if not (once[place] in names):
                slope = slope.unsqueeze(place)
        wide: List[int] = []
        for place in range(len(once)):
            wide.append(sizes[place] if slope.size(place) == 1 else slope.size(place))
        found.append(on_diagonals(slope.expand(wide), once, term))
    return found

def linear_weight(grad: Tensor, input: Tensor, weight: Tensor) -> Tensor:
    if weight.dim() == 1:
        return (grad.unsqueeze(-1) * input.conj()).reshape([-1, input.size(-1)]).sum([0])
    return in_rows(grad).t().mm(in_rows(input).conj())

def in_rows(x: Tensor) -> Tensor:
    if x.dim() == 2:
        return x
    if x.dim() == 1:
        return x.unsqueeze(0)
    return x.flatten(0, -2)
"""
