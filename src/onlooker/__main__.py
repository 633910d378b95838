"""`python -m onlooker` is the `onlooker` command."""

from onlooker.cli.main import main

if __name__ == "__main__":
    main()
