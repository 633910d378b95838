"""The paper's claims, by what they are about."""
