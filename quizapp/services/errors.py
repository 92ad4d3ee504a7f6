"""What the user can mend, told in one line."""

from __future__ import annotations


class UserError(Exception):
    """Something the user asked for that cannot be done, and what to do instead."""

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(f"{message}; {remedy}" if remedy else message)
        self.message = message
        self.remedy = remedy
