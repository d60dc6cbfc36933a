"""Write the five tables of Bramer, *Principles of Data Mining*, chapter 15: accuracy in percent on data sets."""

from pathlib import Path

A = {1: 80, 2: 73, 3: 85, 4: 68, 5: 82, 6: 75, 7: 73, 8: 64, 9: 75, 10: 69, 11: 75, 12: 82}
B = {1: 85, 2: 70, 3: 85, 4: 74, 5: 71, 6: 65, 7: 77, 8: 73, 9: 75, 10: 76, 11: 80, 12: 88}
C = {1: 81, 2: 74, 3: 86, 4: 69, 5: 83, 6: 75, 7: 75, 8: 63, 9: 75, 10: 70}
A_EXERCISE = [74, 69, 80, 67, 84, 87, 69, 74, 78, 72, 75, 72, 70, 75, 80, 84, 79, 79, 63, 75]
B_EXERCISE = [86, 75, 86, 69, 83, 95, 65, 81, 74, 80, 73, 82, 68, 78, 78, 85, 79, 78, 76, 71]

TEN = range(1, 11)
WITHOUT_FIVE_AND_SIX = [1, 2, 3, 4, 7, 8, 9, 10]


def write(name: str, header: str, rows: list[str]) -> None:
    """Write one table beside this file."""
    Path(__file__).with_name(name).write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")


def rows_of(numbers, first, second) -> list[str]:
    """One line per data set of a figure."""
    return [f"dataset {i},{first[i]},{second[i]}" for i in numbers]


write("bramer_15_2.csv", "dataset,A,B", rows_of(TEN, A, B))
write("bramer_15_5.csv", "dataset,A,C", rows_of(TEN, A, C))
write("bramer_15_6.csv", "dataset,A,B", rows_of(WITHOUT_FIVE_AND_SIX, A, B))
write("bramer_15_7.csv", "dataset,A,B", rows_of([*WITHOUT_FIVE_AND_SIX, 11, 12], A, B))
pairs = enumerate(zip(A_EXERCISE, B_EXERCISE, strict=True), 1)
write("bramer_exercise.csv", "dataset,A,B", [f"{i},{a},{b}" for i, (a, b) in pairs])
