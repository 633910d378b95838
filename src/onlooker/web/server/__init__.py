"""The application and the server that runs it."""
