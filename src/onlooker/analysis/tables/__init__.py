"""Tables of people beside observers."""
