"""The sections of the report (`short`) and of its supplement (`full`), a module each."""
