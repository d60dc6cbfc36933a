"""``python -m bestofk``: the command."""

from bestofk.cli import main

if __name__ == "__main__":
    main()
