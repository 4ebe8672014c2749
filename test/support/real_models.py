"""Models at the size that people use, in plain PyTorch: written as published, with random weights.

Each is made for a size: "full" is the published one, "small" has the same layers with few channels, for the suite.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F


class Residual(nn.Module):
    """The block of ResNet-18: two convolutions beside the identity, or beside a projection."""

    expansion = 1

    def __init__(self, channels: int, width: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, width, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.downsample = projection(channels, width, stride)

    def forward(self, x: Tensor) -> Tensor:
        out = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(out + self.downsample(x))


class Bottleneck(nn.Module):
    """The block of ResNet-50: a narrow convolution between two of single points."""

    expansion = 4

    def __init__(self, channels: int, width: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, width * 4, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(width * 4)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = projection(channels, width * 4, stride)

    def forward(self, x: Tensor) -> Tensor:
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        out += self.downsample(x)
        return self.relu(out)


def projection(channels: int, width: int, stride: int) -> nn.Module:
    """What brings the input of a block to the shape of its output."""
    if stride == 1 and channels == width:
        return nn.Identity()
    return nn.Sequential(nn.Conv2d(channels, width, 1, stride, bias=False), nn.BatchNorm2d(width))


class ResNet(nn.Module):
    def __init__(self, block: Any, layers: list[int], width: int, classes: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        channels, stages = width, list[nn.Module]()
        for stage, count in enumerate(layers):
            out, blocks = width << stage, list[nn.Module]()
            for place in range(count):
                blocks.append(block(channels, out, 2 if stage and not place else 1))
                channels = out * block.expansion
            stages.append(nn.Sequential(*blocks))
        self.stages = nn.ModuleList(stages)
        self.channels = channels
        self.fc = nn.Linear(channels, classes)

    def forward(self, x: Tensor) -> Tensor:
        return self.fc(torch.flatten(F.adaptive_avg_pool2d(self.features(x)[-1], 1), 1))

    @torch.jit.export
    def features(self, x: Tensor) -> list[Tensor]:
        """What each stage gives."""
        x = self.maxpool(F.relu(self.bn1(self.conv1(x))))
        found: list[Tensor] = []
        for stage in self.stages:
            x = stage(x)
            found.append(x)
        return found


class InvertedResidual(nn.Module):
    def __init__(self, channels: int, width: int, stride: int, factor: int) -> None:
        super().__init__()
        hidden = channels * factor
        expand = [] if factor == 1 else conv_bn(channels, hidden, 1)
        self.conv = nn.Sequential(
            *expand,
            *conv_bn(hidden, hidden, 3, stride, hidden),
            *(nn.Conv2d(hidden, width, 1, bias=False), nn.BatchNorm2d(width)),
        )
        self.is_residual = stride == 1 and channels == width

    def forward(self, x: Tensor) -> Tensor:
        return x + self.conv(x) if self.is_residual else self.conv(x)


def conv_bn(
    channels: int, width: int, size: int, stride: int = 1, groups: int = 1
) -> list[nn.Module]:
    conv = nn.Conv2d(channels, width, size, stride, size // 2, groups=groups, bias=False)
    return [conv, nn.BatchNorm2d(width), nn.ReLU6(inplace=True)]


class MobileNetV2(nn.Module):
    def __init__(self, width: float, classes: int) -> None:
        super().__init__()
        table = [
            *((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2)),
            *((6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)),
        ]
        channels, last = int(32 * width), int(1280 * width)
        layers = conv_bn(3, channels, 3, 2)
        for factor, out, count, stride in table:
            for place in range(count):
                step = 1 if place else stride
                layers.append(InvertedResidual(channels, int(out * width), step, factor))
                channels = int(out * width)
        self.features = nn.Sequential(*layers, *conv_bn(channels, last, 1))
        self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(last, classes))

    def forward(self, x: Tensor) -> Tensor:
        x = F.adaptive_avg_pool2d(self.features(x), (1, 1)).reshape(x.shape[0], -1)
        return self.classifier(x)


class Encoder(nn.Module):
    """Twelve layers of a transformer over tokens, with a mask of what is padding, which the fast path gets as numbers."""

    def __init__(self, dim: int, heads: int, words: int) -> None:
        super().__init__()
        layer = nn.TransformerEncoderLayer(dim, heads, 4 * dim, activation="gelu", batch_first=True)
        self.words = nn.Embedding(words, dim)
        self.places = nn.Parameter(torch.randn(512, dim) * 0.02)
        self.encoder = nn.TransformerEncoder(layer, 12, enable_nested_tensor=False)
        self.norm = nn.LayerNorm(dim)

    def forward(self, tokens: Tensor, lengths: Tensor) -> Tensor:
        places = torch.arange(tokens.size(1))
        x = self.words(tokens) + self.places[: tokens.size(1)]
        padding = places.unsqueeze(0) >= lengths.unsqueeze(1)
        return self.norm(self.encoder(x, src_key_padding_mask=padding))


class Tagger(nn.Module):
    """A bidirectional LSTM over words of sentences of several lengths, which names each of them."""

    def __init__(self, words: int, dim: int, hidden: int, tags: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, dim, padding_idx=0)
        self.lstm = nn.LSTM(dim, hidden, 2, batch_first=True, bidirectional=True, dropout=0.1)
        self.out = nn.Linear(2 * hidden, tags)

    def forward(self, tokens: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        packed = nn.utils.rnn.pack_padded_sequence(
            self.embedding(tokens), lengths, batch_first=True, enforce_sorted=False
        )
        states, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True)
        scores = F.log_softmax(self.out(states), -1)
        return scores, scores.argmax(-1)


def suppressed(boxes: Tensor, scores: Tensor, most: float) -> Tensor:
    """The places of boxes that no better one overlaps by more than `most`, best first."""
    order = torch.argsort(scores, descending=True)
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    kept: list[int] = []
    while order.numel() > 0:
        best = int(order[0])
        kept.append(best)
        rest = order[1:]
        low = torch.max(boxes[best, :2], boxes[rest, :2])
        high = torch.min(boxes[best, 2:], boxes[rest, 2:])
        shared = (high - low).clamp(min=0).prod(1)
        order = rest[shared / (area[best] + area[rest] - shared) <= most]
    return torch.tensor(kept, dtype=torch.int64)


class Detector(nn.Module):
    """A detector on the last two stages of a ResNet-18: anchors, boxes, and the best of each class kept."""

    def __init__(self, width: int, classes: int) -> None:
        super().__init__()
        self.backbone = ResNet(Residual, [2, 2, 2, 2], width, 1)
        self.classes = classes
        sides = [width * 4, width * 8]
        self.lateral = nn.ModuleList([nn.Conv2d(side, width * 4, 1) for side in sides])
        self.head = nn.Sequential(nn.Conv2d(width * 4, width * 4, 3, padding=1), nn.ReLU())
        self.scores = nn.Conv2d(width * 4, classes, 3, padding=1)
        self.boxes = nn.Conv2d(width * 4, 4, 3, padding=1)

    def forward(self, images: Tensor) -> list[dict[str, Tensor]]:
        stages = self.backbone.features(images)
        scores: list[Tensor] = []
        boxes: list[Tensor] = []
        for place, lateral in enumerate(self.lateral):
            x = self.head(lateral(stages[place + 2]))
            step = images.size(2) // x.size(2)
            scores.append(self.scores(x).flatten(2).transpose(1, 2).sigmoid())
            change = self.boxes(x).flatten(2).transpose(1, 2)
            boxes.append(self.decoded(change, x.size(2), x.size(3), step))
        all_scores, all_boxes = torch.cat(scores, 1), torch.cat(boxes, 1)
        result: list[dict[str, Tensor]] = []
        for image in range(images.size(0)):
            result.append(self.best(all_scores[image], all_boxes[image]))
        return result

    def decoded(self, change: Tensor, height: int, width: int, step: int) -> Tensor:
        """Boxes from what moves and stretches the anchors of one stage."""
        y, x = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
        center = (torch.stack([x, y], -1).reshape(-1, 2) + 0.5) * step + change[..., :2] * step
        size = torch.exp(change[..., 2:].clamp(max=3.0)) * (2.0 * step)
        return torch.cat([center - size / 2, center + size / 2], -1)

    def best(self, scores: Tensor, boxes: Tensor) -> dict[str, Tensor]:
        best, labels = scores.max(-1)
        best, places = best.topk(min(60, best.size(0)))
        labels, boxes = labels[places], boxes[places]
        kept = suppressed(boxes + labels.unsqueeze(1) * 4096.0, best, 0.5)
        return {"boxes": boxes[kept], "scores": best[kept], "labels": labels[kept]}


@dataclass(frozen=True)
class RealModel:
    """How to make a model, and inputs of it, for a size."""

    make: Callable[[bool], nn.Module]
    inputs: Callable[[bool], tuple[Tensor, ...]]


def images(count: int) -> Callable[[bool], tuple[Tensor, ...]]:
    return lambda full: (
        torch.randn(count, 3, 224, 224) if full else torch.randn(count, 3, 64, 64),
    )


def sentences(full: bool) -> tuple[Tensor, ...]:
    length = 128 if full else 12
    return torch.randint(1, 50, (4, length)), torch.tensor([length, 7, length // 2, 3])


MODELS: dict[str, RealModel] = {
    "resnet18": RealModel(
        lambda full: ResNet(Residual, [2, 2, 2, 2], 64 if full else 4, 1000 if full else 10),
        images(1),
    ),
    "resnet50": RealModel(
        lambda full: ResNet(Bottleneck, [3, 4, 6, 3], 64 if full else 4, 1000 if full else 10),
        images(1),
    ),
    "mobilenet": RealModel(
        lambda full: MobileNetV2(1.0 if full else 0.25, 1000 if full else 10), images(1)
    ),
    "encoder": RealModel(
        lambda full: Encoder(768, 12, 30000) if full else Encoder(16, 4, 50), sentences
    ),
    "tagger": RealModel(
        lambda full: Tagger(30000, 256, 256, 20) if full else Tagger(50, 8, 8, 5), sentences
    ),
    "detector": RealModel(lambda full: Detector(64, 80) if full else Detector(4, 5), images(2)),
}


def made(name: str, *, full: bool) -> tuple[nn.Module, tuple[Tensor, ...]]:
    """A model in evaluation and inputs, the same each time; norms have seen something."""
    torch.manual_seed(7)
    model = MODELS[name].make(full).eval()
    for module in model.modules():
        if isinstance(module, nn.BatchNorm2d):
            assert module.running_mean is not None and module.running_var is not None
            module.running_mean.normal_(0, 0.1)
            module.running_var.uniform_(0.5, 1.5)
    return model, MODELS[name].inputs(full)
