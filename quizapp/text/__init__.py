"""Cell-exact text: widths, wrapping of mixed Chinese and Latin, Markdown to spans."""
