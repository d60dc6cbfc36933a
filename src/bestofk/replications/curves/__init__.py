"""Piater, Cohen, Zhang and Atighetchi 1998: type I error and power of the ANOVA of performance curves."""
