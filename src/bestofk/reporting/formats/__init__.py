"""Reports in every format: HTML, Markdown, LaTeX, JSON and plain text."""
