"""What names mean and what calls become: sugared values, schema matching, and what they build graphs with."""
