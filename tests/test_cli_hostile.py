"""The command line in rough surroundings: signals, closed streams, odd locales, completion, refusals in its words."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_cli import refused, run

from gincore.cli import _common
from gincore.ruleset import preset_names, rules
from gincore.runs.run import MOST_WORKERS
from gincore.strategies import names as strategy_names

Capture = pytest.CaptureFixture[str]

STOPPING = "gincore: stopping after the parts in play; Ctrl-C again stops now\n"

ENDLESS = """
import gincore

@gincore.decision
def knock(view, params):
    while view.turn >= 0:
        pass
    return 0

endless = gincore.Strategy("endless", knock=knock)
"""


def child(*words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "gincore", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for(path: Path, pattern: str) -> None:
    deadline = time.monotonic() + 120
    while not list(path.glob(pattern)):
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.mark.skipif(os.name != "posix", reason="POSIX signals")
class TestSignals:
    @pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
    def test_every_polite_signal_saves_and_says_how_to_go_on(self, tmp_path: Path, name: str, code: int) -> None:
        out = tmp_path / "run"
        process = child("simulate", "--deals", "1e9", "--keep", "stats", "--workers", "1", "--out", str(out))
        wait_for(out, "stats/part-*.npz")
        process.send_signal(getattr(signal, name))
        said, err = process.communicate(timeout=60)
        assert (process.returncode, said) == (code, "")
        assert err.startswith(STOPPING + "gincore: interrupted: ")
        assert err.endswith("--resume\n")

    def test_a_second_ctrl_c_stops_a_block_that_never_ends(self, tmp_path: Path) -> None:
        mine = tmp_path / "mine.py"
        mine.write_text(ENDLESS)
        out = tmp_path / "run"
        process = child("simulate", "--deals", "1e6", "--strategy", f"{mine}:endless", "--out", str(out))
        wait_for(out, "hands/.part-*.tmp")
        time.sleep(2)  # until it plays
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        assert process.stderr.readline() == STOPPING
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 130
        assert err.startswith("gincore: interrupted: 0 of 16 parts are saved in ")

    def test_a_report_that_is_stopped_says_that_nothing_was_written(self, tmp_path: Path) -> None:
        out = tmp_path / "report"
        process = child("report", "knock-threshold", "--deals", "1e9", "--out", str(out))
        wait_for(tmp_path, ".knock-threshold-building-*")
        time.sleep(2)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 143
        assert err.endswith(f"gincore: interrupted; nothing was written to {out}\n")
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("delay", [0.0, 0.05, 0.1, 0.2, 0.4])
    def test_an_early_ctrl_c_gives_no_traceback(self, delay: float) -> None:
        """From the first line of gincore on; before that the interpreter starts, and says what it likes."""
        code = (
            "import signal, sys, gincore; print('go', flush=True); import gincore.__main__; "
            "sys.exit(gincore.__main__.main())"
        )
        words = [sys.executable, "-c", code, "simulate", "--deals", "1e9", "--keep", "stats"]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "go\n"
        time.sleep(0.02 + delay)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert process.returncode in (130, -signal.SIGINT)
        assert "Traceback" not in err


def shell(redirection: str, *words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    command = f'"{sys.executable}" -m gincore "$@" {redirection}'
    return subprocess.run(
        ["sh", "-c", command, "sh", *words], env=os.environ | environment, capture_output=True, check=False, timeout=120
    )


@pytest.mark.skipif(os.name != "posix", reason="a POSIX shell")
class TestStreams:
    @pytest.mark.parametrize("redirection", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
    def test_closed_streams_are_no_error(self, tmp_path: Path, redirection: str) -> None:
        shown = shell(redirection, "simulate", "--deals", "100", "--out", str(tmp_path / "run"))
        assert (shown.returncode, shown.stderr) == (0, b"")
        assert (tmp_path / "run" / "hands" / "part-00000.parquet").read_bytes()[:4] == b"PAR1"
        assert shell(redirection, "rules", "show", "nope").returncode == 2

    def test_a_full_output_is_one_line(self) -> None:
        if not Path("/dev/full").exists():
            pytest.skip("no /dev/full")
        shown = shell(">/dev/full", "rules", "list")
        assert (shown.returncode, shown.stderr) == (1, b"gincore: No space left on device\n")

    def test_a_path_that_is_not_utf8_is_printed_as_it_is(self, tmp_path: Path) -> None:
        out = os.fsencode(tmp_path) + b"/caf\xe9"
        command = [sys.executable, "-m", "gincore", "simulate", "--deals", "10", "--out", out]
        shown = subprocess.run(command, env=os.environ | {"LC_ALL": "C"}, capture_output=True, check=True, timeout=120)
        assert shown.stdout.endswith(b"\nkept in " + out + b"\n")
        again = subprocess.run([*command, "--resume", "--json"], capture_output=True, check=True, timeout=120)
        assert os.fsencode(json.loads(again.stdout)["folder"]) == out

    @pytest.mark.slow
    def test_a_report_needs_neither_a_backend_nor_utf8(self, tmp_path: Path) -> None:
        out = os.fsencode(tmp_path) + b"/caf\xe9"
        command = [sys.executable, "-m", "gincore", "report", "knock-threshold", "--deals", "10", "--games", "2"]
        environment = os.environ | {"LC_ALL": "C", "MPLBACKEND": "bogus"}
        shown = subprocess.run([*command, "--out", out], env=environment, capture_output=True, check=False, timeout=120)
        assert (shown.returncode, shown.stderr) == (0, b"")
        assert shown.stdout == out + b"/index.html\n"


class TestCompletion:
    def completed(self, words: str) -> list[str]:
        environment = os.environ | {"_GINCORE_COMPLETE": "complete_bash", "COMP_WORDS": words}
        environment["COMP_CWORD"] = str(len(words.split(" ")) - 1)
        command = [sys.executable, "-m", "gincore"]
        shown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120)
        return shown.stdout.split()

    def test_words_of_the_command_line(self) -> None:
        assert self.completed("gincore sim") == ["simulate"]
        assert self.completed("gincore simulate --rules cl") == ["classic", "classic-big-gin"]
        assert self.completed("gincore rules show pag") == ["pagat"]
        assert self.completed("gincore games --strategy thr") == ["threshold"]
        assert self.completed("gincore arena simple thr") == ["threshold"]
        assert self.completed("gincore games --set undercut_b") == ["undercut_bonus="]

    def test_names_and_files(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert _common.complete_rules("") == preset_names()
        assert _common.complete_strategy("") == list(strategy_names())
        monkeypatch.chdir(tmp_path)
        for name in ("house.toml", "house.txt", "hers.py"):
            Path(name).touch()
        Path("homes").mkdir()
        assert _common.complete_rules("./ho") == ["./homes/", "./house.toml"]
        assert _common.complete_strategy("he") == ["hers.py:"]
        assert _common.complete_strategy("ho") == ["homes/", "house.toml:"]

    def test_the_help_names_it(self, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
        """Which shell it is, Typer sees from the processes above: here there may be none."""
        monkeypatch.setattr("shellingham.detect_shell", lambda: ("bash", "/bin/bash"))
        assert "--install-completion" in run(capsys, "--help")[1]
        code, out, _ = run(capsys, "--show-completion", "bash")
        assert code == 0
        assert "_GINCORE_COMPLETE=complete_bash" in out


class TestLimit:
    HANDS = ("5s 6s 7s 9c Tc Jc Ks Kc Kd 4d", "2s 2c 2d 2h Ac 8s 9s 7c 8c 8d")

    def test_the_limit_of_a_turned_card(self, capsys: Capture) -> None:
        out = run(capsys, "showdown", *self.HANDS, "--rules", "oklahoma")[1]
        assert "knock limit: 10, the most that a card allows (--limit N names another); under oklahoma a turned" in out
        out = run(capsys, "showdown", *self.HANDS, "--rules", "oklahoma", "--limit", "4")[1]
        assert "knock limit: 4, as --limit says" in out
        shown = json.loads(run(capsys, "showdown", *self.HANDS, "--rules", "oklahoma", "--limit", "4", "--json")[1])
        assert (shown["kind"], shown["limit"]) == ("knock", 4)
        assert "knock limit is 3" in refused(capsys, "showdown", *self.HANDS, "--rules", "oklahoma", "--limit", "3")

    def test_other_rules_have_the_limit_in_them(self, capsys: Capture) -> None:
        assert "limit" not in run(capsys, "showdown", *self.HANDS)[1]
        assert "--set knock_limit=4 changes it" in refused(capsys, "showdown", *self.HANDS, "--limit", "4")
        assert "from 0 to 10" in refused(capsys, "showdown", *self.HANDS, "--rules", "oklahoma", "--limit", "11")


class TestWords:
    def test_metrics_explains_every_line_of_a_summary(self, capsys: Capture) -> None:
        code, out, _ = run(capsys, "metrics")
        assert code == 0
        explained = {line.split()[0] for line in out.splitlines() if line}
        for words in (["simulate", "--deals", "5"], ["games", "--games", "2", "--rules", "cutthroat"]):
            shown = json.loads(run(capsys, *words, "--json")[1])
            assert {row["metric"] for row in shown["summary"]} <= explained
        assert "player 0's view" in out
        assert "tie, an undercut at equal deadwood, is a part of it" in out
        assert set(json.loads(run(capsys, "metrics", "--json")[1])) == {"metrics", "notes"}

    def test_a_summary_fits_the_screen_and_names_the_changed_rules(self, capsys: Capture) -> None:
        _, out, _ = run(capsys, "simulate", "--deals", "20", "--set", "gin_bonus=20")
        assert out.startswith("rules: classic, gin_bonus=20\n")
        table = out.split("\n\n")[1].splitlines()
        assert table[0].split() == ["metric", "estimate", "low", "high"]
        assert max(map(len, table)) < 80
        assert "95 % interval over 20 pairs of deals\n" in out

    @pytest.mark.parametrize("changes", [[], ["--set", "gin_bonus=15"]])
    def test_a_derived_rule_file_is_named_with_its_changes(
        self, capsys: Capture, tmp_path: Path, changes: list[str]
    ) -> None:
        house = tmp_path / "house.toml"
        house.write_text(run(capsys, "rules", "show", "pagat", "--set", "undercut_bonus=15", "--toml")[1])
        _, out, _ = run(capsys, "simulate", "--deals", "5", "--rules", str(house), *changes)
        named = "pagat, gin_bonus=15, undercut_bonus=15" if changes else "pagat, undercut_bonus=15"
        assert out.startswith(f"rules: {named}\n")

    def test_rules_of_ones_own_name_what_was_set(self, capsys: Capture, tmp_path: Path) -> None:
        house = tmp_path / "house.toml"
        house.write_bytes(b'\xef\xbb\xbfbase = "classic"\ngin_bonus = 20\n')  # with the mark that Windows writes
        words = ("simulate", "--deals", "5", "--rules", str(house), "--set", "undercut_bonus=15")
        assert run(capsys, *words)[1].startswith("rules: house, undercut_bonus=15\n")
        again = rules(house, undercut_bonus=15).replace(undercut_bonus=10)
        assert again.label == "house, undercut_bonus=10"

    def test_a_name_with_a_line_break_is_refused(self, capsys: Capture, tmp_path: Path) -> None:
        house = tmp_path / "house.toml"
        house.write_text('name = "a\\nb"\n')
        assert "it holds a control character" in refused(capsys, "rules", "show", str(house))

    def test_two_forms_of_the_same_rules(self, capsys: Capture) -> None:
        assert "--toml and --json" in refused(capsys, "rules", "show", "classic", "--toml", "--json")

    def test_one_card(self, capsys: Capture) -> None:
        assert refused(capsys, "hand", "5h") == "gincore: hand 5h: 1 card, must be 10 or 11\n"

    @pytest.mark.parametrize(
        ("words", "path"),
        [
            (["hand"], "gincore hand"),
            (["rules", "show"], "gincore rules show"),
            (["report", "knock-threshold"], "gincore report knock-threshold"),
        ],
    )
    def test_a_missing_argument_names_the_help_of_its_command(
        self, capsys: Capture, words: list[str], path: str
    ) -> None:
        assert refused(capsys, *words).endswith(f"(see '{path} --help')\n")

    def test_the_most_workers_is_one_number(self) -> None:
        assert _common.MOST_WORKERS == MOST_WORKERS

    def test_differences_are_named_by_their_flags(self, capsys: Capture, tmp_path: Path) -> None:
        words = ("simulate", "--out", str(tmp_path / "run"), "--deals")
        assert run(capsys, *words, "10")[0] == 0
        line = refused(capsys, *words, "20", "--strategy", "threshold,limit=4", "--resume")
        assert "deals (--deals): 10 in the folder, 20 asked for" in line
        assert "strategy of player 0 (--strategy): 'simple' in the folder, 'threshold,limit=4' asked for" in line
        assert "digest" not in line
