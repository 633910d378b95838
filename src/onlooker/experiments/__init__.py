"""The four experiments: their inventory, trials, orderings, and what the observers predict."""
