"""From loops over numbers to loops of scf."""
