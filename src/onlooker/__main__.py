"""`python -m onlooker` is the `onlooker` command."""

import signal
import sys


def main() -> None:
    """Run the command line; Ctrl+C ends it without a traceback, also while it is loading."""
    try:
        from onlooker.cli.main import main as run  # takes a moment, in which Ctrl+C may come

        run()
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)


if __name__ == "__main__":
    main()
