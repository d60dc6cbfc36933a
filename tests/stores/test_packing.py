"""Cells packed into bytes: every bit comes back, and damaged or foreign bytes are refused."""

from __future__ import annotations

import json
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from bestofk.core.errors import InputError
from bestofk.design.plan.cell import CellKey, CellResult
from bestofk.stores import cell_format
from bestofk.stores.cell_format import pack, unpack
from bestofk.testing.stats import refuses
from bestofk.testing.store import same_cell, sample_cell
from makers_stores import two_class_cell


def _shapes(dtype: object, elements: object, *more: int) -> st.SearchStrategy:
    return hnp.arrays(dtype, (2, 3, *more), elements=elements)


_COUNTS = st.sampled_from([0, 1, 200, 70_000]).flatmap(lambda high: st.integers(0, high))


_FLOATS = st.floats(allow_nan=True, width=64)


@given(
    confusion=st.none() | _shapes(np.uint32, _COUNTS, 2, 2),
    seconds=_shapes(np.float64, _FLOATS),
    size=_shapes(np.float64, st.sampled_from([0.0, -0.0, np.nan])),
    marks=_shapes(np.int64, st.integers(-(2**63), 2**63 - 1)),
    sizes=st.none() | _shapes(np.int64, st.integers(-300, 300)),
    score=st.dictionaries(st.text(max_size=5), _shapes(np.float64, _FLOATS), max_size=2),
    texts=st.lists(st.text(max_size=400), min_size=6, max_size=6),
    kept=st.none()
    | st.dictionaries(
        st.tuples(st.integers(0, 1), st.integers(0, 2)),
        hnp.arrays(st.sampled_from(["<i8", ">i4", "<f8", "?", "<U3", "<f4"]), hnp.array_shapes(min_side=0, max_dims=2)),
    ),
)
def test_packing_gives_back_every_bit(confusion, seconds, size, marks, sizes, score, texts, kept) -> None:
    cell = CellResult(
        key=CellKey("wine", "d", "lda", "l", "2x3", 1, 4, 6),
        classes=() if confusion is None else ("no", "yes"),
        confusion=confusion,
        fit_seconds=seconds,
        predict_seconds=seconds[::-1],
        size=size,
        fingerprints=marks,
        failures=(tuple(texts[:3]), tuple(texts[3:])),
        scores=score,
        test_sizes=sizes,
        predictions=kept,
    )
    assert same_cell(unpack(cell.key, pack(cell), where="here"), cell)


def test_packed_cells_are_small() -> None:
    cell = two_class_cell("lda", "wine", replications=500)
    plain = cell.confusion.nbytes + cell.fit_seconds.nbytes * 3 + cell.fingerprints.nbytes + cell.test_sizes.nbytes
    folds = cell.fit_seconds.size
    assert len(pack(cell)) < 30 * folds < plain  # 4 counts, two times, the fingerprint; what repeats is free


@given(data=st.data())
def test_damaged_bytes_are_refused(data) -> None:
    cell = sample_cell(failed=True)
    blob = bytearray(pack(cell))
    match data.draw(st.sampled_from(["flip", "cut", "more"])):
        case "flip":
            blob[data.draw(st.integers(0, len(blob) - 1))] ^= 1 << data.draw(st.integers(0, 7))
        case "cut":
            del blob[data.draw(st.integers(0, len(blob) - 1)) :]
        case "more":
            blob += data.draw(st.binary(min_size=1, max_size=9))
    refuses(lambda: unpack(cell.key, bytes(blob), where="here"), what="damaged bytes")


def test_bytes_of_another_cell_are_refused() -> None:
    blob = pack(sample_cell("lda"))
    with pytest.raises(InputError, match=r"learner knn.*wine"):
        unpack(sample_cell("knn").key, blob, where="results.db")


def test_cells_of_a_newer_format_say_so() -> None:
    cell = sample_cell()
    blob = bytearray(pack(cell))
    blob[3] = cell_format.VERSION + 1
    with pytest.raises(InputError, match="newer bestofk"):
        unpack(cell.key, bytes(blob), where="results.db")


CLAIMS = {
    "a size beyond all": lambda header: header["arrays"][0].__setitem__(3, [1 << 20] * 3),
    "a negative size": lambda header: header["arrays"][0].__setitem__(3, [-1, 2]),
    "another shape": lambda header: header["arrays"][0].__setitem__(3, [1, 1]),
    "many failures": lambda header: header["failures"].update(shape=[1 << 40, 1 << 40]),
    "a class that is no name": lambda header: header.update(classes=[None, "yes"]),
    "notes that are none": lambda header: header.update(notes={"versions": {"numpy": True}}),
    "an array without a name": lambda header: header["arrays"][0].__setitem__(0, "nonsense"),
    "a list": lambda header: header.update(arrays=[[]]),
}


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_cell_whose_checksum_fits_and_whose_content_does_not_is_damaged(claim: str) -> None:
    wanted = _golden_cell()
    size = int.from_bytes(VERSION_1[8:12], "little")
    header = json.loads(zlib.decompress(VERSION_1[12 : 12 + size]))
    CLAIMS[claim](header)
    head = json.dumps(header).encode()
    rest = len(head).to_bytes(4, "little") + head + VERSION_1[12 + size :]
    checksum = zlib.crc32(rest, zlib.crc32(wanted.key.id.encode()))
    with pytest.raises(InputError, match="damaged"):
        unpack(wanted.key, VERSION_1[:4] + checksum.to_bytes(4, "little") + rest, where="here")


#: A cell as version 1 wrote it: it must stay readable for ever.
VERSION_1 = bytes.fromhex(
    "626b63014e5b2722eb00000078018591614b03310c86ff8ae473e17a9bc83cfcea5ff0cb7948e952af58da925c9973eebf9b761e2803a5"
    "10d2f679dfa4e9096c30ccc8308c101328384a3e293044e6584f47b029bac23e45b97d28b72d6e408dbddad425309903a8fe6e522338bf"
    "bc308a64cf1574bb3556fc379a09f7defe8d3b1f02a85d7566ff81abd9c5f8dad2f9f88a94c9c7a595f7ad7c8dd72cdb44c89d29f63fd7"
    "ef466502dce94e57bc197f965e8cb7ebabb693646f98973acb1f9a3a4e677c28520e8613f06c320a7319c882efd2ab289e4c28f8489468"
    "b8792e5ae37d15e6606cfb9d5e3687d9db59583d9dcf5f039582462800020001002c010000000000000000000000000000c03f00000000"
    "0000f87f000000000000e03f00000000004893400000000000000000fbffffffffffffff0000000000000040000000000000e83f000000"
    "000000f87f010001"
)


def test_the_first_format_stays_readable() -> None:
    wanted = _golden_cell()
    assert same_cell(unpack(wanted.key, VERSION_1, where="here"), wanted)


def _golden_cell() -> CellResult:
    return CellResult(
        key=CellKey("wine", "d", "lda", "l", "1x2", 7, 3, 4, "auc"),
        classes=("no", "yes"),
        confusion=np.array([[[[40, 2], [1, 300]], [[0, 0], [0, 0]]]], dtype=np.uint32),
        fit_seconds=np.array([[0.125, np.nan]]),
        predict_seconds=np.array([[0.5, 0.5]]),
        size=np.array([[1234.0, 0.0]]),
        fingerprints=np.array([[-5, 2**62]]),
        failures=(("", "ValueError: é"),),
        scores={"auc": np.array([[0.75, np.nan]])},
        predictions={(0, 0): np.array([1, 0, 1])},
    )
