"""When and whom to watch, as a benchmark: players beside the model, people and the ideal."""
