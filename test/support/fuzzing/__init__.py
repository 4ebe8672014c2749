"""Random mistakes: texts, sources, graphs and arguments spoiled in random ways, and what a user hears of them."""
