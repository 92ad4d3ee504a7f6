"""Use cases, called alike by the screens and the command line."""
