"""What the tables are made of: people, predictions, the paper's values, and statistics."""
