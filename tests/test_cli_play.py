"""The commands that evaluate and play: ``hand``, ``showdown``, ``simulate``, ``games``, ``strategies``, ``bench``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from test_cli import refused, run

from gincore.cli import main

Capture = pytest.CaptureFixture[str]


def result(capsys: Capture, *words: str) -> Any:
    code, out, err = run(capsys, *words, "--json")
    assert (code, err) == (0, "")
    return json.loads(out)


class TestHand:
    def test_e04_run_of_five_and_a_set(self, capsys: Capture) -> None:
        found = result(capsys, "hand", "Jc 9d 8s 6d Js 8h Td 8d 7d Jd")
        assert found["deadwood"] == 16
        assert found["cards"] == 10
        assert found["spreads"] == [
            {"melds": found["spreads"][0]["melds"], "deadwood_cards": "8h 8s", "points": 16},
        ]
        assert sorted(found["spreads"][0]["melds"]) == ["6d 7d 8d 9d Td", "Jc Jd Js"]
        assert "discards" not in found

    def test_e06_eleven_cards_try_every_discard(self, capsys: Capture) -> None:
        found = result(capsys, "hand", "As Ac Ad 2s 2c 2d 2h 3s Jh Qh Kh")
        assert (found["deadwood"], found["big_gin"]) == (0, False)
        left = {each["card"]: each["deadwood"] for each in found["discards"]}
        assert len(left) == 11
        assert left["3s"] == 0
        assert min(left.values()) == 0
        assert {each["points"] for each in found["spreads"]} == {2}

    def test_text_says_which_deadwood_it_is(self, capsys: Capture) -> None:
        ten = run(capsys, "hand", *["5h", "5s", "5c", "6h", "7h", "8h", "Td", "Jd", "Kd", "2c"])[1]
        assert ten.startswith("2c 5c Td Jd Kd 5h 6h 7h 8h 5s  (10 cards, classic)\ndeadwood: ")
        eleven = run(capsys, "hand", "As Ac Ad 2s 2c 2d 2h 3s Jh Qh Kh")[1]
        assert "deadwood after the best discard: 0\n" in eleven
        assert "best arrangements of all eleven: " in eleven
        assert "\n3s " in eleven

    def test_rules_change_the_deadwood(self, capsys: Capture) -> None:
        corner = "Ks Kc Kd As 4h 5h 6h 9c 9d 9h"  # V06
        assert result(capsys, "hand", corner)["deadwood"] == 1
        assert result(capsys, "hand", corner, "--rules", "round-the-corner")["deadwood"] == 15
        assert result(capsys, "hand", corner, "--set", "ace_points=15")["rules"] == "classic, ace_points=15"

    @pytest.mark.parametrize(
        ("cards", "named"),
        [
            ("R D V", "'R'"),
            ("5h 5h 5s 5c 6h 7h 8h Td Jd Kd", "5h"),
            ("5h 5s 5c 6h 7h 8h Td Jd Kd", "9"),
            ("5h 5s 5c 6h 7h 8h Td Jd Kd 2c 3c 4c", "12"),
        ],
    )
    def test_e13_e17_refusals(self, capsys: Capture, cards: str, named: str) -> None:
        assert named in refused(capsys, "hand", cards)


class TestShowdown:
    L01 = ("5s 6s 7s 9c Tc Jc Jd Ks Kc Kd", "2s 2c 2d 2h Ac 8s 9s 7c 8c 8d")

    def test_l01_undercut_by_breaking_a_set(self, capsys: Capture) -> None:
        found = result(capsys, "showdown", *self.L01)
        assert (found["winner"], found["kind"], found["points"]) == ("defender", "undercut", 26)
        assert (found["knocker_deadwood"], found["defender_deadwood"]) == (10, 9)
        assert found["laid_off"] == "7c 8c 8s 9s"

    def test_text(self, capsys: Capture) -> None:
        out = run(capsys, "showdown", *self.L01)[1]
        assert "laid off: 7c 8c 8s 9s" in out
        assert out.endswith("undercut: defender scores 26\n")

    def test_bonus_of_the_table(self, capsys: Capture) -> None:
        assert result(capsys, "showdown", *self.L01, "--set", "undercut_bonus=20")["points"] == 21

    def test_e13_a_card_in_both_hands(self, capsys: Capture) -> None:
        assert "5s" in refused(capsys, "showdown", self.L01[0], "5s 2c 2d 2h Ac 8s 9s 7c 8c 8d")

    def test_a_knock_above_the_limit(self, capsys: Capture) -> None:
        refused(capsys, "showdown", *reversed(self.L01))


class TestSimulate:
    def test_json(self, capsys: Capture) -> None:
        found = result(capsys, "simulate", "--deals", "200", "--seed", "7", "--strategy", "threshold,limit=4")
        assert found["folder"] is None
        assert found["manifest"]["seed"] == 7
        assert {"metric", "estimate", "low", "high", "n", "unit"} <= set(found["summary"][0])

    def test_t02_one_deal_has_no_interval_and_no_crash(self, capsys: Capture) -> None:
        code, out, _ = run(capsys, "simulate", "--deals", "1")
        assert code == 0
        assert "nan" not in out.lower()

    def test_a_folder_keeps_the_rows(self, capsys: Capture, tmp_path: Path) -> None:
        out = tmp_path / "my runs" / "\u00e9 1"  # C04
        code, text, _ = run(capsys, "simulate", "--deals", "100", "--out", str(out))
        assert code == 0
        assert text.endswith(f"kept in {out}\n")
        assert (out / "manifest.json").is_file()
        assert list(out.glob("hands/part-*.parquet"))

    def test_f04_another_plan_in_the_same_folder_is_refused(self, capsys: Capture, tmp_path: Path) -> None:
        words = ("simulate", "--deals", "100", "--out", str(tmp_path / "run"))
        assert main(words) == 0
        capsys.readouterr()
        assert "seed" in refused(capsys, *words, "--seed", "2", "--resume")

    @pytest.mark.parametrize(("kind", "unit"), [("simulate", "deals"), ("games", "games")])
    def test_chunk_is_the_size_of_a_part(self, capsys: Capture, tmp_path: Path, kind: str, unit: str) -> None:
        words = (kind, f"--{unit}", "100", "--out", str(tmp_path / "run"), "--chunk", "4e1")
        assert main(words) == 0
        assert len(list((tmp_path / "run").glob("hands/part-*.parquet"))) == 3
        capsys.readouterr()
        assert "chunk (--chunk): 40 in the folder, 50 asked for" in refused(capsys, *words[:-1], "50", "--resume")

    @pytest.mark.parametrize("name", ["hollywood", "partnership", "cutthroat"])
    def test_single_hands_say_that_the_form_does_not_matter(self, capsys: Capture, name: str) -> None:
        code, text, _ = run(capsys, "simulate", "--deals", "10", "--rules", name)
        assert code == 0
        assert f"single hands, without form = {name}" in text

    @pytest.mark.parametrize("name", ["simpel", "./none.py:x", "threshold,limt=4", "threshold,limit=999"])
    def test_unknown_strategies(self, capsys: Capture, name: str) -> None:
        refused(capsys, "simulate", "--deals", "10", "--strategy", name)

    def test_strategy_of_a_file(self, capsys: Capture, tmp_path: Path) -> None:
        mine = tmp_path / "mine.py"
        mine.write_text(
            "import gincore\n\n\n"
            "@gincore.decision\n"
            "def knock(view, params):\n"
            "    return view.deadwood <= (10 if view.turn < 8 else params[0])\n\n\n"
            'patient = gincore.Strategy("patient", knock=knock, params={"late_limit": 4}, base="simple")\n',
            encoding="utf-8",
        )
        found = result(capsys, "simulate", "--deals", "100", "--strategy", f"{mine}:patient,late_limit=2")
        assert found["manifest"]["strategies"][0]["params"]["late_limit"] == 2

    def test_an_illegal_answer_ends_the_run_with_exit_1(self, capsys: Capture, tmp_path: Path) -> None:
        wrong = tmp_path / "wrong.py"
        wrong.write_text(
            "import gincore\n\n\n"
            "@gincore.decision\n"
            "def discard(view, params):\n"
            "    return 99\n\n\n"
            'wrong = gincore.Strategy("wrong", discard=discard)\n',
            encoding="utf-8",
        )
        code, out, err = run(capsys, "simulate", "--deals", "100", "--strategy", f"{wrong}:wrong")
        assert (code, out) == (1, "")
        assert "wrong" in err
        assert err.count("\n") == 1

    def test_games(self, capsys: Capture) -> None:
        found = result(capsys, "games", "--games", "20", "--rules", "pagat")
        assert {row["metric"] for row in found["summary"]} >= {"game_won_0_share"}

    @pytest.mark.slow
    def test_n05_ctrl_c_saves_and_says_how_to_go_on(self, tmp_path: Path) -> None:
        out = tmp_path / "run"
        words = ["simulate", "--deals", "1e9", "--keep", "stats", "--workers", "1", "--out", str(out)]
        with subprocess.Popen(
            [sys.executable, "-m", "gincore", *words], stderr=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ
        ) as process:
            deadline = time.monotonic() + 120
            while not list(out.glob("stats/part-*.npz")) and time.monotonic() < deadline:
                time.sleep(0.05)
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
        assert process.returncode == 130
        assert time.monotonic() - start < 10
        assert b"--resume" in err
        said, last = err.decode().splitlines()
        assert said == "gincore: stopping after the parts in play; Ctrl-C again stops now"
        assert last.startswith("gincore: interrupted: ")


def test_strategies_list(capsys: Capture) -> None:
    found = result(capsys, "strategies", "list")
    assert {"simple", "threshold", "gin-only", "random"} <= {each["name"] for each in found}
    assert "threshold" in run(capsys, "strategies")[1]


def test_bench(capsys: Capture) -> None:
    found = result(capsys, "bench", "--deals", "1000", "--workers", "1")
    assert found["hands"] == 2000
    assert found["hands_per_second"] > 0


@pytest.mark.slow
def test_warmup_names_the_cache(capsys: Capture) -> None:
    assert result(capsys, "warmup")["cache"]


@pytest.mark.slow
def test_report_prints_the_page(capsys: Capture, tmp_path: Path) -> None:
    words = ("report", "knock-threshold", "--deals", "200", "--games", "20", "--out", str(tmp_path / "report"))
    code, out, _ = run(capsys, *words)
    assert code == 0
    page = Path(out.strip())
    assert page == tmp_path / "report" / "index.html"
    assert page.is_file()
