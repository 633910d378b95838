"""The online experiment: settings, store, the study's flow and the participant's HTTP API."""
