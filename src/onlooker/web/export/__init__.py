"""A study's data as a Psych-DS dataset."""
