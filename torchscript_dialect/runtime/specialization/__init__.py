"""What a function is specialized for: types, dtypes, attributes of modules and gradients, and the copy made for them."""
