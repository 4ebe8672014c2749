"""`torch._subclasses`: what programs ask of tensors without elements."""
