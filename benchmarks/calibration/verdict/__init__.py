"""How often a verdict is wrong: ``bk.judge`` itself, on results whose truth is known."""
