"""The nearest training row of every test row in many folds, 64 at a time, as compiled loops (extra ``fast``).

A word of the list walk answers for every fold in which all rows that may be nearest have one class; the others look at
distances, one fold at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.collecting.sharing import near_clearest
from bestofk.collecting.sharing.fold_words import ONE
from bestofk.collecting.sharing.lowest_bit import bits_set, lowest_bit
from bestofk.collecting.sharing.neighbour_loops import EQUAL, _quick, numba
from bestofk.collecting.sharing.word_distances import _inlined, between, between_known, constant_part, trained
from bestofk.collecting.sharing.word_lanes import FAR, NEAR, in_word
from bestofk.collecting.sharing.word_walk import walk

#: Equally near rows that are remembered; where there are more, all training rows are compared again.
HELD = 16
#: Columns that are looked at before all others.
CLEAREST = near_clearest.COLUMNS
#: Folds of a word that look at distances one by one; where there are more, all do side by side.
FEW = 3
#: Times the median of a word's spreads above which a fold looks at distances by itself.
CALM = 1.1


def _nearest_one(
    i: int, fold: int, reach: float, table: Any, lists: Any, weights: Any, kinds: Any, rows: Any, held: Any
) -> Any:
    """The nearest row of kind i in one fold, whether classes tie there, and how many kinds are equally near.

    Some row is known to be no farther than ``reach``, which may be infinite.
    """
    listed, least, most, beyond = lists
    number, level, filled, modes, lower, spread, told_number, told_level, lost, low, gaps, apart, rare, aids = weights
    of_kind, _, _ = kinds
    words, members, y = rows
    w, place = fold // 64, np.uint64(fold % 64)
    length, ratio = listed.shape[1], lower[fold]
    bound, own, open_constant = 0.0, 0.0, lost[fold]
    # Columns that no list can bound: all rows but those that are rare there too are farther by what is rare in i.
    rare_starts, rare_columns, holder_starts, holders, usual, beside = rare
    extra, numeric = 0, table[0].shape[1]
    for entry in range(rare_starts[i], rare_starts[i + 1]):
        c = rare_columns[entry]
        if extra + holder_starts[c + 1] - holder_starts[c] > beside.shape[0]:
            extra, own = 0, 0.0
            break
        for other in range(holder_starts[c], holder_starts[c + 1]):
            beside[extra] = holders[other]
            extra += 1
        if c < numeric:
            own += number[fold, c] * (table[0][i, c] - usual[c]) ** 2
        else:
            own += level[fold, c - numeric]
    own_rare = own
    (lines, in_order, whole_least, telling), (clearest, excess, full) = aids
    line = -1 if extra > 0 else lines[i]
    best, row, several, mixed, cap, found = np.inf, np.int64(-1), 0, False, np.inf, reach
    for phase in range(2):
        finished = False
        for at in range(-1 - extra, length if phase == 0 else of_kind.shape[1]):
            limit = min(best, found) * (1.0 + EQUAL)
            j = np.int64(i)
            if phase == 1:
                if at < 0:
                    continue
                j = np.int64(at)
                if line >= 0:
                    bounded = (whole_least[line, at] - bound) * ratio + own
                    if bounded > limit:
                        break
                    j = np.int64(in_order[line, at])
            elif at < -1:
                j = beside[-2 - at]
            elif at >= 0:
                if (least[i, at] - bound) * ratio + own > limit or least[i, at] > cap:
                    finished = True
                    break
                j = np.int64(listed[i, at])
            if (of_kind[w, j] >> place) & ONE == 0:
                continue
            if at >= 0:  # what a few columns add in the fold's own weights, before all of them are looked at
                clear, base = 0.0, 0.0
                if phase == 0 or line >= 0:
                    # What is rare in i is left out: it may be among these columns.
                    base = ((least[i, at] if phase == 0 else whole_least[line, at]) - bound) * ratio + own - own_rare
                    for k in range(CLEAREST):
                        clear += excess[fold, k] * (clearest[i, k] - clearest[j, k]) ** 2
                else:
                    for k in range(CLEAREST):
                        clear += full[fold, k] * (clearest[i, k] - clearest[j, k]) ** 2
                if base + clear > limit * (1.0 + EQUAL):
                    continue
                if phase == 1 and line >= 0 and not gaps and not lost[fold]:
                    for place_of in range(telling.shape[1]):
                        f = telling[line, place_of]
                        step = table[0][i, f] - table[0][j, f]
                        base += (number[fold, f] - ratio * low[0][f]) * step * step
                    if base > limit * (1.0 + EQUAL):
                        continue
            if open_constant and j != i:
                bound, own = constant_part(
                    table, (told_number[fold], told_level[fold]), low, number[fold], level[fold], i, j
                )
                own += own_rare
                open_constant = False
            if phase == 0 and at >= 0 and apart.shape[0] > 0 and apart[i, at, 0] >= 0:
                distance = level[fold, apart[i, at, 0]] + level[fold, apart[i, at, 1]]
                distance += level[fold, apart[i, at, 2]] + level[fold, apart[i, at, 3]]
            elif gaps:
                distance = between(table, number, level, filled, modes, fold, i, j, limit)
            else:
                distance = between_known(table, number, level, fold, i, j, limit)
            if phase == 0 and at >= -1:
                cap = min(cap, (most[i, at] if at >= 0 else 0.0) * spread[fold])
            if distance > limit:
                continue
            lowest, several_classes = trained(j, members, y, words, w, place)
            if row < 0 or distance < best * (1.0 - EQUAL):
                best, row, several, mixed = distance, lowest, 0, several_classes
            else:
                mixed = mixed or several_classes or y[lowest] != y[row]
                best, row = min(best, distance), min(row, lowest)
            if several < HELD:
                held[several] = lowest
            several += 1
        if phase == 0:
            if finished or (beyond[i] - bound) * ratio + own > best * (1.0 + EQUAL) or beyond[i] > cap:
                break
            found = min(found, best)  # what all rows are searched for is no farther
            best, row, several, mixed = np.inf, np.int64(-1), 0, False
    return row, mixed, several


nearest_one: Any = _inlined(_nearest_one)


def _search_words(
    table: Any, lists: Any, weights: Any, lanes: Any, more: Any, kinds: Any, rows: Any, tests: Any, answer: Any
) -> Any:
    """Fill in the class of every tested kind, (folds, kinds); returns ties and what rounding might decide.

    ``tests``: words of tested kinds and of tested rows. What rounding might decide: fold, kind, and equally near rows,
    first -1 where they are too many to be told.
    """
    of_kind, _, _ = kinds
    _, members, y = rows
    kinds_tested, rows_tested = tests
    folds, ties = answer.shape[0], np.zeros(answer.shape[0], dtype=np.int64)
    room = 1024
    open_places, open_rows = np.empty((room, 2), dtype=np.int64), np.empty((room, HELD), dtype=np.int64)
    held, count, looked = np.empty(HELD, dtype=np.int64), 0, 0
    lower, lost, best = weights[4], weights[8], more[3][1]
    for w in range(of_kind.shape[0]):
        spreads = weights[5][64 * w : min(64 * w + 64, folds)]
        # A fold whose weights are far from all others' would loosen the bounds of its whole word.
        spread, wild = min(CALM * np.median(spreads), spreads.max()) * (1.0 + EQUAL), np.uint64(0)
        for lane in range(spreads.shape[0]):
            wild |= np.uint64(spreads[lane] > spread) << np.uint64(lane)
        for i in range(of_kind.shape[1]):
            tested = kinds_tested[w, i]
            if tested == 0:
                continue
            calm = tested & ~wild
            unsure = tested ^ calm
            if calm != 0:
                unsure |= walk(i, w, calm, spread, lists, kinds, answer)
            together = unsure & ~lanes[4][w]
            measured = bits_set(together) > FEW
            if measured:
                unsure ^= together ^ in_word(i, w, together, table, lists, lanes, kinds, more, answer)
            while unsure != 0:
                bit = lowest_bit(unsure)
                unsure &= unsure - ONE
                fold = 64 * w + np.int64(bit)
                looked += 1
                reach = np.inf
                if measured and not lost[fold] and best[bit] < FAR:
                    reach = best[bit] * lower[fold] * (1.0 + NEAR)
                row, mixed, several = nearest_one(i, fold, reach, table, lists, weights, kinds, rows, held)
                answer[fold, i] = y[row]
                if not mixed:
                    continue
                for at in range(members[0][i], members[0][i + 1]):
                    ties[fold] += np.int64((rows_tested[w, members[1][at]] >> bit) & ONE)
                if several > 1:
                    if count == room:
                        wider_places, wider_rows = (
                            np.empty((2 * room, 2), np.int64),
                            np.empty((2 * room, HELD), np.int64),
                        )
                        wider_places[:room], wider_rows[:room] = open_places, open_rows
                        open_places, open_rows, room = wider_places, wider_rows, 2 * room
                    open_places[count, 0], open_places[count, 1] = fold, i
                    for t in range(HELD):
                        open_rows[count, t] = held[t] if t < several else held[0]
                    if several > HELD:
                        open_rows[count, 0] = -1
                    count += 1
    return ties, open_places[:count], open_rows[:count], looked


def _answers(answer: Any, kind: Any, tests: Any, starts: Any) -> Any:
    """Class codes of the test rows, fold after fold."""
    out = np.empty(tests.shape[0], dtype=np.intp)
    for fold in range(starts.shape[0] - 1):
        line = answer[fold]
        for place in range(starts[fold], starts[fold + 1]):
            out[place] = line[kind[tests[place]]]
    return out


search_words: Any = _quick(_search_words)
answers: Any = numba.njit(cache=True, nogil=True)(_answers)
