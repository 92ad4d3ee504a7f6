"""Programs that prove what a card claims, by measuring it; see README.md beside this file."""
