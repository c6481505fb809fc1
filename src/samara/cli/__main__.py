"""`python -m samara.cli` is the samara command."""

from samara.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
