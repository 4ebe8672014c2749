"""Metrics that add up over batches: buffers that are changed in place, a curve by thresholds, a report by name."""

from typing import Dict, List, Optional, Tuple

from examples._torch import torch
from support.models import uniform, whole

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


def _safe_divide(num: Tensor, denom: Tensor, zero_division: float = 0.0) -> Tensor:
    """num / denom, and what is said where that is none."""
    num = num if num.is_floating_point() else num.float()
    denom = denom if denom.is_floating_point() else denom.float()
    zero = torch.tensor(zero_division, dtype=num.dtype, device=num.device)
    return torch.where(denom != 0, num / denom, zero)


def _adjust_weights(score: Tensor, average: Optional[str], tp: Tensor, fn: Tensor) -> Tensor:
    if average is None or average == "none":
        return score
    if average == "weighted":
        weights = tp + fn
    else:
        weights = torch.ones_like(score)
    return _safe_divide(weights * score, weights.sum(-1, keepdim=True)).sum(-1)


def _bincount(x: Tensor, minlength: Optional[int] = None) -> Tensor:
    if minlength is None:
        minlength = int(x.max()) + 1
    mesh = torch.arange(minlength, device=x.device).repeat(len(x), 1)
    return torch.eq(x.reshape(-1, 1), mesh).sum(dim=0)


def _auc_compute(x: Tensor, y: Tensor, direction: float = 1.0) -> Tensor:
    with torch.no_grad():
        auc_score: Tensor = torch.trapezoid(y, x) * direction
    return auc_score


class ConfusionMatrix(nn.Module):
    confmat: Tensor

    def __init__(self, num_classes: int, normalize: Optional[str] = None):
        super().__init__()
        allowed = ("true", "pred", "all", "none", None)
        if normalize not in allowed:
            raise ValueError(f"Argument average needs to one of the following: {allowed}")
        self.num_classes = num_classes
        self.normalize = normalize
        self.register_buffer("confmat", torch.zeros(num_classes, num_classes, dtype=torch.long))

    @torch.jit.export
    def reset(self) -> None:
        self.confmat.zero_()

    def update(self, preds: Tensor, target: Tensor) -> None:
        unique_mapping = target.to(torch.long) * self.num_classes + preds.to(torch.long)
        bins = _bincount(unique_mapping, minlength=self.num_classes * self.num_classes)
        self.confmat += bins.reshape(self.num_classes, self.num_classes)

    def compute(self) -> Tensor:
        confmat = self.confmat.float()
        if self.normalize is not None and self.normalize != "none":
            if self.normalize == "true":
                confmat = confmat / confmat.sum(dim=1, keepdim=True)
            elif self.normalize == "pred":
                confmat = confmat / confmat.sum(dim=0, keepdim=True)
            elif self.normalize == "all":
                confmat = confmat / confmat.sum()
            nan_elements = confmat[torch.isnan(confmat)].numel()
            if nan_elements:
                confmat[torch.isnan(confmat)] = 0
        return confmat

    def forward(self, preds: Tensor, target: Tensor) -> Tensor:
        self.update(preds, target)
        return self.compute()


class FBeta(nn.Module):
    tp: Tensor
    fp: Tensor
    fn: Tensor

    def __init__(self, num_classes: int, beta: float = 1.0, average: str = "macro"):
        super().__init__()
        self.num_classes = num_classes
        self.beta = beta
        self.average = average
        for name in ("tp", "fp", "fn"):
            self.register_buffer(name, torch.zeros(num_classes, dtype=torch.long))

    def forward(self, preds: Tensor, target: Tensor) -> Tuple[Tensor, Tensor]:
        onehot_preds = F.one_hot(preds, self.num_classes)
        onehot_target = F.one_hot(target, self.num_classes)
        self.tp += (onehot_preds * onehot_target).sum(0)
        self.fp += (onehot_preds * (1 - onehot_target)).sum(0)
        self.fn += ((1 - onehot_preds) * onehot_target).sum(0)
        beta2 = self.beta**2
        score = _safe_divide(
            (1 + beta2) * self.tp, (1 + beta2) * self.tp + beta2 * self.fn + self.fp
        )
        return _adjust_weights(score, self.average, self.tp, self.fn), score


class BinnedCurve(nn.Module):
    """Counts at fixed thresholds, so that no prediction is kept."""

    counts: Tensor

    def __init__(self, thresholds: int):
        super().__init__()
        self.thresholds = torch.linspace(0, 1, thresholds)
        self.register_buffer("counts", torch.zeros(thresholds, 2, 2, dtype=torch.long))

    def forward(self, preds: Tensor, target: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
        len_t = len(self.thresholds)
        preds_t = (preds.unsqueeze(-1) >= self.thresholds.unsqueeze(0)).long()
        unique_mapping = preds_t + 2 * target.long().unsqueeze(-1) + 4 * torch.arange(len_t)
        bins = _bincount(unique_mapping.flatten(), minlength=4 * len_t)
        self.counts += bins.reshape(len_t, 2, 2)
        tps, fps = self.counts[:, 1, 1], self.counts[:, 0, 1]
        fns, tns = self.counts[:, 1, 0], self.counts[:, 0, 0]
        tpr = _safe_divide(tps, tps + fns).flip(0)
        fpr = _safe_divide(fps, fps + tns).flip(0)
        return fpr, tpr, _auc_compute(fpr, tpr, 1.0)


class Running(nn.Module):
    """Mean and variance of all numbers so far."""

    count: Tensor

    def __init__(self):
        super().__init__()
        self.register_buffer("count", torch.zeros(()))
        self.register_buffer("mean", torch.zeros(()))
        self.register_buffer("m2", torch.zeros(()))

    def forward(self, values: Tensor) -> Tensor:
        n = float(values.numel())
        delta = values.mean() - self.mean
        total = self.count + n
        self.m2 += (values - values.mean()).pow(2).sum() + delta**2 * self.count * n / total
        self.mean += delta * n / total
        self.count.copy_(total)
        return torch.stack([self.mean, self.m2 / self.count])


class Report(nn.Module):
    def __init__(self, num_classes: int = 3):
        super().__init__()
        self.confusion = ConfusionMatrix(num_classes, "true")
        self.fbeta = FBeta(num_classes, 0.5, "weighted")
        self.curve = BinnedCurve(5)
        self.running = Running()
        self.batches = 0

    def forward(self, scores: Tensor, target: Tensor) -> Dict[str, Tensor]:
        preds = scores.argmax(dim=1)
        self.batches += 1
        report: Dict[str, Tensor] = {"confusion": self.confusion(preds, target)}
        report["f"], report["f_per_class"] = self.fbeta(preds, target)
        fpr, tpr, auc = self.curve(scores[:, 0], (target == 0).int())
        report.update({"fpr": fpr, "tpr": tpr, "auc": auc})
        report["running"] = self.running(scores)
        values, indices = scores.topk(2, dim=1)
        hits = indices.eq(target.view(-1, 1).expand_as(indices))
        report["top2"] = hits.reshape(-1).float().sum(0) / float(target.size(0))
        report["batches"] = torch.tensor(self.batches)
        if self.batches == 2:
            self.confusion.reset()
        return report


def make():
    return Report()


CALLS = [(uniform(i, 7 + i, 3), whole(i, 3, 7 + i)) for i in range(3)]
