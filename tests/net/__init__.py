"""The net: what the command answers to many inputs, kept without sentences, so that code can move and numbers cannot.

``cases.py`` lists the commands, ``inputs.py`` makes the small files that they read, ``facts.py`` says what of an answer
is kept, ``kept/`` holds it, ``test_net.py`` compares. An answer that changes on purpose is written again with
``python -m tests.net.keep NAME`` and committed with the reason.
"""
