"""`torch.fx.experimental`: what programs ask of symbolic traces."""
