"""Figures, one file each: its data, then its drawing."""
