"""The flow of a study, from consent to debrief: pure functions and what the screens show."""
