"""What several layers borrow: it imports nothing else of the package."""
