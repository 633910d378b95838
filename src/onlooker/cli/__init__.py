"""The command line: parses, calls the layers below and prints."""
