"""Yıldız, Aslan and Alpaydın 2011: several measures at once, on two-class data sets."""
