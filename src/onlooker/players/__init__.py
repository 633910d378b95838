"""Players besides people: observers, programs, a person at the terminal, language models."""
