"""Saying what was found. Sentences live in ``words``; they read fields and never compute."""
