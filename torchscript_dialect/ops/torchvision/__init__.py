"""The operators of torchvision that archives of detection models call."""
