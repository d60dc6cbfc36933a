"""Tables of battles, as arenas write them."""

import json

import numpy as np
import pytest

import bestofk as bk
from bestofk.core.errors import InputError
from makers_tables import differences


def table(tmp_path, text, name="battles.csv"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


HEAD = "model_a,model_b,winner\n"
ROWS = ["x,y,model_a", "x,y,model_b", "y,x,tie", "y,x,tie (bothbad)", "x,y,x", "y,x,x"]


def test_winners_by_side_by_name_and_ties(tmp_path):
    found = bk.read(table(tmp_path, HEAD + "\n".join(ROWS)))
    assert isinstance(found, bk.Battles)
    assert found.learners == ("x", "y")
    assert found.first.tolist() == [0, 0, 1, 1, 0, 1]
    assert found.score.tolist() == [1, 0, 0.5, 0.5, 1, 0]
    assert found.means()["x"] - found.means()["y"] == pytest.approx(400 * np.log10(4 / 2))


def test_json_lines_parquet_and_one_column_per_outcome_are_the_same(tmp_path):
    pandas = pytest.importorskip("pandas")
    rows = [dict(zip(HEAD.strip().split(","), each.split(","), strict=True)) for each in ROWS]
    plain = bk.read(table(tmp_path, HEAD + "\n".join(ROWS)))
    lines = "\n".join(json.dumps({**row, "conversation_a": [{"role": "user"}]}) for row in rows)
    pandas.DataFrame(rows).to_parquet(tmp_path / "battles.parquet")
    sides = plain.score[:, None] == [1.0, 0.0, 0.5]
    wide = "id,model_a,model_b,winner_model_a,winner_model_b,winner_tie\n" + "\n".join(
        f"{i},{row['model_a']},{row['model_b']},{','.join(str(int(each)) for each in side)}"
        for i, (row, side) in enumerate(zip(rows, sides, strict=True))
    )
    others = (
        table(tmp_path, lines, "battles.jsonl"),
        tmp_path / "battles.parquet",
        table(tmp_path, wide, "wide.csv"),
        pandas.DataFrame(rows),
    )
    for source in others:
        assert bk.read(source).score.tolist() == plain.score.tolist()


def test_prompts_with_several_battles_are_the_units(tmp_path):
    text = "question_id,judge,model_a,model_b,winner\n" + "\n".join(f"{i // 2},j,{row}" for i, row in enumerate(ROWS))
    found = bk.read(table(tmp_path, text))
    assert found.prompt_count == 3
    assert found.prompts.tolist() == [0, 0, 1, 1, 2, 2]
    assert any("judge" in note for note in found.origin.notes)
    gap = bk.read(table(tmp_path, text.replace("\n0,", "\n,", 1)))  # a battle without a prompt has its own
    assert (gap.prompt_count, len(set(gap.prompts.tolist()))) == (4, 4)
    assert gap.prompts[2] == gap.prompts[3] != gap.prompts[1]
    alone = "id,model_a,model_b,winner\n" + "\n".join(f"{i},{row}" for i, row in enumerate(ROWS))
    assert bk.read(table(tmp_path, alone)).prompt_count == 0


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_a_converted_table_has_the_same_prompts(tmp_path, ending):
    prompts = ['"Why, then?\nSay, it."', "=1+1", "", "12", "=1+1", ""]
    text = "prompt,model_a,model_b,winner\n" + "\n".join(map(",".join, zip(prompts, ROWS, strict=True)))
    found = bk.read(table(tmp_path, text))
    answer = found.convert(tmp_path / f"again.{ending}")
    again = bk.read(tmp_path / f"again.{ending}", **answer.options)
    assert again.prompt_names == ("Why, then?\nSay, it.", "=1+1", "12")
    assert differences(found, again) == []
    assert (found.prompt_count, answer.options) == (5, {})


def test_costs_of_either_side_are_means_by_model(tmp_path):
    text = "model_a,model_b,winner,price_a,price_b,tokens_a,tokens_b\nx,y,x,2,1,10,30\ny,x,y,1,4,20,30\n"
    found = bk.read(table(tmp_path, text), costs=["tokens"])
    assert found.costs == {"price": {"x": 3.0, "y": 1.0}, "tokens": {"x": 20.0, "y": 25.0}}


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        ("x,y,model_a\nx,x,tie", "line 3, column model_b"),
        ("x,y,model_a\nx,y,z", "line 3, column winner"),
        ("x,y,model_a\nx,y,", "line 3, column winner"),
        (",y,model_a", "line 2, column model_a"),
        ("a1,a2,model_a\na1,a2,b1", "line 3, column winner"),
        ("a1,a2,model_a\nb1,b2,b2\na1,a2,b1", "line 4, column winner"),
        ("x,y,model_a\nb,x,b\nx,y,b", "line 4, column winner"),
    ],
)
def test_a_wrong_row_is_found(tmp_path, rows, line):
    with pytest.raises(InputError) as told:
        bk.read(table(tmp_path, HEAD + rows))
    assert told.value.where.endswith(line)


@pytest.mark.parametrize("option", [{"measure": "accuracy"}, {"rows": "items"}, {"on": "tpr,fpr"}, {"dataset": "d"}])
def test_what_battles_have_not_is_refused(tmp_path, option):
    path = table(tmp_path, HEAD + "\n".join(ROWS))
    with pytest.raises(InputError):
        bk.read(path, **option)


def test_battles_by_hand_are_checked():
    with pytest.raises(InputError, match="with itself"):
        bk.Battles(learners=("x", "y"), first=[0], second=[0], score=[1])
    with pytest.raises(InputError, match="score"):
        bk.Battles(learners=("x", "y"), first=[0], second=[1], score=[0.7])
    with pytest.raises(InputError, match="first"):
        bk.Battles(learners=("x", "y"), first=[0, 1], second=[1], score=[1])


def test_learners_are_taken_out_with_their_battles():
    found = bk.Battles(
        learners=("x", "y", "z"), first=[0, 1, 2, 0], second=[1, 2, 0, 1], score=[1, 0, 0.5, 0], prompts=[4, 5, 6, 7]
    ).without(["z"])
    assert (found.first.tolist(), found.score.tolist(), found.prompts.tolist()) == ([0, 0], [1, 0], [4, 7])


def test_what_was_understood_is_said():
    found = bk.Battles(learners=("x", "y"), first=[0, 1, 0], second=[1, 0, 1], score=[1, 1, 0.5], prompts=[0, 0, 1])
    summary = found.summary()
    assert (summary.kind, summary.units, summary.results) == ("battles", {"battle": 3, "prompt": 2}, 3)
