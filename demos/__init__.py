"""Programs that prove what a card claims, by measuring it; see README.md beside this file."""

import warnings

# torch says so at its import; nothing here needs NumPy.
warnings.filterwarnings("ignore", message="Failed to initialize NumPy")
