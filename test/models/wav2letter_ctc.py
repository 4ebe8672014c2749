"""Letters from sound: plain convolutions, and a beam over prefixes with probabilities of blank and other ends in a dictionary."""

import math
from typing import Dict, List, Tuple

from examples._torch import torch
from support.models import normal

nn = torch.nn
F = torch.nn.functional
Tensor = torch.Tensor


def log_add(a: float, b: float) -> float:
    """log(exp(a) + exp(b))"""
    if a < b:
        a, b = b, a
    if b <= -1e30:
        return a
    return a + math.log1p(math.exp(b - a))


class Wav2Letter(nn.Module):
    def __init__(self, num_classes: int, input_type: str = "waveform", num_features: int = 1):
        super().__init__()
        acoustic_num_features = 6 if input_type == "waveform" else num_features
        acoustic_model = nn.Sequential(
            nn.Conv1d(acoustic_num_features, 6, kernel_size=5, stride=2, padding=2),
            nn.ReLU(inplace=True),
            nn.Conv1d(6, 6, kernel_size=3, stride=1, padding=1),
            nn.ReLU(inplace=True),
            nn.Conv1d(6, num_classes, kernel_size=1, stride=1, padding=0),
        )
        if input_type == "waveform":
            waveform_model = nn.Sequential(
                nn.Conv1d(in_channels=1, out_channels=6, kernel_size=10, stride=4, padding=3),
                nn.ReLU(inplace=True),
            )
            self.acoustic_model = nn.Sequential(waveform_model, acoustic_model)
        if input_type in ["power_spectrum", "mfcc"]:
            self.acoustic_model = acoustic_model

    def forward(self, x: Tensor) -> Tensor:
        x = self.acoustic_model(x)
        x = F.log_softmax(x, dim=1)
        return x


class PrefixBeamSearch(nn.Module):
    def __init__(self, labels: str, beam: int = 4, blank: int = 0, cutoff: float = -8.0):
        super().__init__()
        self.labels: List[str] = list(labels)
        self.label_index: Dict[str, int] = {label: i for i, label in enumerate(labels)}
        self.beam = beam
        self.blank = blank
        self.cutoff = cutoff

    def collapse(self, indices: Tensor) -> str:
        kept: List[str] = []
        last = self.blank
        path: List[int] = indices.tolist()
        for index in path:
            if index != self.blank and index != last:
                kept.append(self.labels[index])
            last = index
        return "".join(kept).replace("|", " ").strip()

    def forward(self, emission: Tensor) -> Tuple[List[str], List[float]]:
        """Emissions (classes, frames) of log probabilities."""
        NEG_INF = -1e30
        beams: Dict[str, Tuple[float, float]] = {"": (0.0, NEG_INF)}
        for t in range(emission.size(1)):
            frame: List[float] = emission[:, t].tolist()
            grown: Dict[str, Tuple[float, float]] = {}
            for prefix, (p_blank, p_other) in beams.items():
                for index, p in enumerate(frame):
                    if p < self.cutoff:
                        continue
                    if index == self.blank:
                        b, o = grown.get(prefix, (NEG_INF, NEG_INF))
                        grown[prefix] = (log_add(b, log_add(p_blank, p_other) + p), o)
                        continue
                    label = self.labels[index]
                    longer = prefix + label
                    b, o = grown.get(longer, (NEG_INF, NEG_INF))
                    if len(prefix) > 0 and prefix[-1] == label:
                        grown[longer] = (b, log_add(o, p_blank + p))
                        b, o = grown.get(prefix, (NEG_INF, NEG_INF))
                        grown[prefix] = (b, log_add(o, p_other + p))
                    else:
                        grown[longer] = (b, log_add(o, log_add(p_blank, p_other) + p))
            scored = [(log_add(b, o), prefix) for prefix, (b, o) in grown.items()]
            scored.sort(reverse=True)
            beams = {prefix: grown[prefix] for _, prefix in scored[: self.beam]}
        texts = [prefix for prefix in beams.keys()]
        scores = [log_add(b, o) for b, o in beams.values()]
        return texts, scores


class Recognizer(nn.Module):
    def __init__(self, labels: str = "-|abc"):
        super().__init__()
        self.acoustic = Wav2Letter(len(labels))
        self.search = PrefixBeamSearch(labels)

    def forward(self, waveform: Tensor):
        emission = self.acoustic(waveform)
        greedy = [self.search.collapse(e.argmax(dim=0)) for e in emission.unbind(0)]
        texts: List[List[str]] = []
        scores: List[List[float]] = []
        for i in range(emission.size(0)):
            found, rated = self.search(emission[i])
            texts.append(found)
            scores.append(rated)
        return greedy, texts, scores


def make():
    return Recognizer()


CALLS = [(normal(0, 2, 1, 60),), (normal(1, 2, 1, 60),), (normal(2, 1, 1, 90),)]
