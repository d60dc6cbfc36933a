"""The makers need programs that the tests do not: keep pytest out of their folder."""

collect_ignore_glob = ["make/*"]
