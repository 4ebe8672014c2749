"""Trains a network of three layers to tell two spirals apart, through a compiled module: `python -m examples.train_mlp`."""

import math

from examples._torch import torch


class Spirals(torch.nn.Module):
    """The logit that a point belongs to the second spiral."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = torch.nn.Linear(2, width)
        self.second = torch.nn.Linear(width, width)
        self.last = torch.nn.Linear(width, 1)

    def forward(self, points):
        x = torch.tanh(self.first(points))
        x = torch.tanh(self.second(x))
        return self.last(x).squeeze(1)


def spirals(count):
    """Points on two spirals, with some noise, and which one each belongs to."""
    angle = torch.rand(count) * 2.5 * math.pi
    label = (torch.rand(count) < 0.5).to(torch.float32)
    turned = angle + math.pi * label
    radius = 0.1 + angle / (2.5 * math.pi)
    points = torch.stack([radius * torch.cos(turned), radius * torch.sin(turned)], 1)
    return points + 0.01 * torch.randn(count, 2), label


def train(steps=400, width=32, show=lambda line: None):
    """The loss after each step."""
    torch.manual_seed(0)
    points, label = spirals(256)
    model = Spirals(width)
    compiled = torch.jit.script(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    losses = []
    for step in range(steps):
        optimizer.zero_grad()
        logit = compiled(points)
        loss = torch.nn.functional.binary_cross_entropy_with_logits(logit, label)
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        right = ((logit > 0) == (label > 0)).to(torch.float32).mean().item()
        show(f"step {step + 1}/{steps}, loss {losses[-1]:.4f}, {right:.0%} right")
    return losses


if __name__ == "__main__":
    train(show=lambda line: print(f"\r{line:60}", end="", flush=True))
    print()
