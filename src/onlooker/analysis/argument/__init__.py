"""What the comparison amounts to: the paper's claims one by one, and what lies behind them."""
