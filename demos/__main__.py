"""``python -m demos``: list, run, all, worker."""

from demos.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
