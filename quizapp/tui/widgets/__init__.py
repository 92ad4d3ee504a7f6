"""Widgets that draw their own lines; none of them reads the text it shows as markup."""
