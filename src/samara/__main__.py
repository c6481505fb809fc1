"""`python -m samara` is the command line."""

from samara.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
