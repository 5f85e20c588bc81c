"""The comparison with other engines: a peer's games are dealt our decks, and ratios are taken within a round."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import gincore
from gincore.core import hand
from gincore.schema import VIEW_DTYPE


@pytest.fixture(scope="module")
def script() -> ModuleType:
    path = Path(__file__).parent.parent / "scripts" / "compare_peers.py"
    spec = importlib.util.spec_from_file_location("compare_peers", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["compare_peers"] = module
    spec.loader.exec_module(module)
    return module


def test_decks_are_those_of_our_deals(script: ModuleType) -> None:
    decks = script.decks_of(3)
    state, views = np.zeros(1, hand.STATE_DTYPE)[0], np.zeros(2, VIEW_DTYPE)
    for number, deck in enumerate(decks):
        assert sorted(deck) == list(range(52))
        rules = gincore.rules(script.RULES).to_record()
        hand.deal(state, views[0], views[1], rules, np.uint64(script.SEED), np.uint64(number), False)
        assert sum(1 << card for card in deck[:10]) == int(views[0].hand)
        assert sum(1 << card for card in deck[10:20]) == int(views[1].hand)
        assert deck[20] == views[0].top


def test_ratios_are_taken_within_a_round(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = {"gincore": iter((1.0, 2.0, 4.0)), "peer": iter((10.0, 20.0, 80.0))}
    monkeypatch.setattr(script, "seconds", lambda job: next(taken[job.system]))

    def nothing(n: int) -> None:
        return None

    frame = script.measure([script.Job("ten", "gincore", nothing, 100), script.Job("ten", "peer", nothing, 10)], 3)
    peer = frame.set_index("system").loc["peer"]
    assert (peer["per_second"], peer["low"], peer["high"]) == (0.5, 0.125, 1.0)
    assert (peer["ratio"], peer["ratio_low"], peer["ratio_high"]) == (100.0, 100.0, 200.0)


def test_other_answers_end_the_comparison(script: ModuleType) -> None:
    script.compare("a", [1, 2], "b", [1, 2])
    with pytest.raises(SystemExit, match="differ on 1 of 2 hands"):
        script.compare("a", [1, 2], "b", [1, 3])


def test_a_peer_that_is_absent_is_left_out(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def absent(_decks: Any) -> None:
        raise ImportError("No module named 'peer'")

    monkeypatch.setattr(script, "open_spiel", absent)
    monkeypatch.setattr(script, "rlcard", absent)
    monkeypatch.setattr(script, "RESULTS", tmp_path)
    monkeypatch.setattr(script, "ours", lambda: [script.Job("ten", "gincore", lambda n: sum(range(10_000 * n)), 20)])
    monkeypatch.setattr("sys.argv", ["compare_peers.py", "--rounds", "1"])
    script.main()
    out = capsys.readouterr().out
    assert "OpenSpiel is left out" in out
    assert "RLCard is left out (No module named 'peer'): pip install 'gincore[peers]'" in out
    assert (tmp_path / "peers.csv").read_text().count("\n") == 2
