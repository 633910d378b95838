"""The analysis' figures: each is a Plate, a drawing with its caption and the numbers it shows."""
