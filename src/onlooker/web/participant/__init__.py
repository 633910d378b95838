"""The participant's side: arrivals, orderings and the HTTP API of the study."""
