"""The command line: list, run, all, worker."""


def main() -> int:
    return 0
