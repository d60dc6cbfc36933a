"""Yıldız and Alpaydın 2006: five learners in the authors' own forms, on plain random halves of thirty data sets."""
