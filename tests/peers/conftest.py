"""The scripts in make/ need the other programs themselves; they are run by hand, see README.md."""

collect_ignore = ["make"]
