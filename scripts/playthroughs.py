"""Write tests/playthroughs/NAME.txt: a few hands of every preset, printed state by state.

A recorder in plain Python walks through each hand move by move, with the kernels that the engine uses for each move and
the decisions of the shipped strategies, and its row is compared with the row of the compiled engine.

    python scripts/playthroughs.py            # write the files anew
    python scripts/playthroughs.py --check    # exit 1 and name the files that would change
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import gincore
from gincore.core import batch, hand, showdown, tables, view
from gincore.schema import HAND_DTYPE, NO_LIMIT, VIEW_DTYPE, LastDiscard, Phase, Result, Source, UpcardOffer
from gincore.strategies import get

FOLDER = Path(__file__).resolve().parent.parent / "tests" / "playthroughs"
SEED = 20
PLAYERS = ("simple", "random")
SEARCHED = 4_000
"""Deals among which the hands of a file are chosen."""
WANTED = (Result.knock, Result.big_gin, Result.undercut, Result.gin, Result.dead, Result.stalled)
"""A file has the first hand that counts double and the first of each of these results, but three at most."""
MOST = 3
DRAW, DISCARD, KNOCK = 0, 1, 2


def cards(mask: Any) -> str:
    """Cards of a mask, or a dash."""
    return gincore.format_hand(int(mask)) if int(mask) else "-"


def card(number: Any) -> str:
    """One card."""
    return cards(1 << int(number))


class Recorder:
    """One hand, and the lines that tell it."""

    def __init__(self, rules: gincore.Rules, seed: int, number: int, first: int) -> None:
        self.rules = rules
        self.first = first
        self.record = rules.to_record()
        self.table = tables.discards(int(self.record.ace), int(self.record.ace_points))
        self.state = np.zeros(1, hand.STATE_DTYPE)[0]
        self.views = np.zeros(2, VIEW_DTYPE)
        self.out = np.zeros(1, showdown.OUTCOME_DTYPE)[0]
        self.row = np.zeros(1, HAND_DTYPE)[0]
        self.row.deal = number
        self.decisions = [(get(name).functions(), get(name).values()) for name in PLAYERS]
        self.lines: list[str] = []
        zero = np.int64(0)
        for each in self.views:
            view.score(each, zero, zero, zero)
        hand.deal(self.state, self.views[0], self.views[1], self.record, np.uint64(seed), np.uint64(number), False)

    def who(self, seat: int) -> str:
        """Name of the player in a seat."""
        player = self.first ^ seat
        return f"{player} {PLAYERS[player]}"

    def ask(self, seat: int, kind: int, phase: Phase) -> int:
        """Put a question to the strategy in a seat."""
        mine = self.views[seat]
        view.ask(mine, np.int64(phase), self.state.turn, self.state.seat_key[seat])
        functions, values = self.decisions[self.first ^ seat]
        return int(functions[kind](mine, values[kind]))

    def play(self) -> None:
        """Play to the end."""
        self.lines.append(f"deal {self.row.deal}: {self.who(0)} leads, {self.who(1)} deals")
        for seat in (0, 1):
            each = self.views[seat]
            self.lines.append(f"  {self.who(seat):10} holds {cards(each.hand)}  deadwood {each.deadwood}")
        self.lines.append(f"  {self.terms()}")
        seat, drawn = self.open()
        while True:
            mine, theirs = self.views[seat], self.views[1 - seat]
            big = hand.see_eleven(self.state, mine, np.int64(drawn), self.record, self.table)
            if (int(mine.knocks) or big) and self.goes_out(seat, Phase.knock, bool(big)):
                return
            thrown = self.ask(seat, DISCARD, Phase.discard)
            assert int(mine.legal) >> thrown & 1, f"{self.who(seat)} throws {card(thrown)}"
            self.turn(seat, f"throws {card(thrown)}", int(mine.after[thrown]))
            hand.throw(self.state, mine, theirs, np.int64(thrown))
            seat = 1 - seat
            if theirs.stock <= self.rules.dead_stock:
                if self.rules.last_discard == LastDiscard.knock_only.name and self.takes_last(seat):
                    return
                return self.nobody(seat, Result.dead)
            if self.state.turn >= self.rules.max_turns:
                return self.nobody(seat, Result.stalled)
            drawn = self.draws(seat, Phase.draw)

    def terms(self) -> str:
        """What the turned cards say."""
        upcard = self.views[0].top
        parts = [f"upcard {card(upcard)}" if upcard >= 0 else "no upcard"]
        limit = int(self.state.limit)
        parts.append(f"{self.rules.min_melded} melded cards go out" if limit == NO_LIMIT else f"knock limit {limit}")
        if self.state.multiplier == 2:
            parts.append("counts double")
        return ", ".join(parts)

    def open(self) -> tuple[int, int]:
        """The offer of the upcard: who has the first full turn, and the card drawn (-1 where eleven were dealt)."""
        if self.rules.upcard_offer == UpcardOffer.none_eleven.name:
            return 0, -1
        for seat in (0, 1):
            taken = self.takes(seat, Phase.upcard)
            if taken >= 0:
                self.state.upcard_seat = seat
                return seat, taken
            self.lines.append(f"  {self.who(seat):10} leaves {card(self.views[0].top)}")
        return 0, self.from_stock(0)

    def takes(self, seat: int, phase: Phase) -> int:
        """Ask whether to take the top card; -1 if it is left."""
        mine, theirs = self.views[seat], self.views[1 - seat]
        if self.ask(seat, DRAW, phase):
            return int(hand.take(mine, theirs))
        view.left(mine, theirs)
        return -1

    def from_stock(self, seat: int) -> int:
        """Draw from the stock."""
        return int(hand.draw_stock(self.state, self.views[seat], self.views[1 - seat]))

    def draws(self, seat: int, phase: Phase) -> int:
        """Take the top card, or draw from the stock."""
        taken = self.takes(seat, phase)
        return taken if taken >= 0 else self.from_stock(seat)

    def turn(self, seat: int, what: str, deadwood: int) -> None:
        """Tell a turn: the draw, the discard, the deadwood that is left, the stock."""
        mine = self.views[seat]
        source = {Source.stock: "draws", Source.pile: "takes", Source.nothing: "holds eleven"}[Source(mine.drew_from)]
        drawn = f"{source} {card(mine.drew)}" if mine.drew >= 0 else source
        place = int(self.state.turn) + 1
        self.lines.append(
            f"  {place:3} {self.who(seat):10} {drawn}, {what:15} deadwood {deadwood:2}, stock {int(mine.stock)}"
        )

    def goes_out(self, seat: int, phase: Phase, big: bool) -> bool:
        """Ask whether to go out; if so, the showdown."""
        mine, theirs = self.views[seat], self.views[1 - seat]
        reply = self.ask(seat, KNOCK, phase)
        if reply == 0:
            return False
        declared = big and reply == 1
        if declared:
            self.turn(seat, "big gin", 0)
            self.state.turn += 1
        else:
            thrown = hand.knock_card(mine, np.int64(reply))
            assert thrown >= 0, f"{self.who(seat)} answers {reply}"
            self.turn(seat, f"knocks with {card(thrown)}", int(mine.after[thrown]))
            hand.throw(self.state, mine, theirs, np.int64(thrown))
        first = np.int64(self.first)
        hand.settle(self.state, mine, theirs, self.record, declared, first, self.row, self.out)
        hand.close(self.state, mine, theirs, first, self.row)
        self.lines += self.showdown(seat)
        return True

    def takes_last(self, seat: int) -> bool:
        """Ask the other player whether to go out with the last discard."""
        mine, theirs = self.views[seat], self.views[1 - seat]
        deadwood = int(mine.deadwood)
        taken = hand.take(mine, theirs)
        big = hand.see_eleven(self.state, mine, taken, self.record, self.table)
        if (int(mine.knocks) or big) and self.goes_out(seat, Phase.last, bool(big)):
            return True
        view.gave_back(mine, theirs, taken, np.int64(deadwood))
        return False

    def showdown(self, seat: int) -> list[str]:
        """Melds, lay-offs and points."""
        mine, theirs, row = self.views[seat], self.views[1 - seat], self.row
        if int(self.out.sets) or int(self.out.runs):
            melds = list(groups(int(self.out.sets), int(self.out.runs)))
            loose = int(mine.hand) & ~int(self.out.sets) & ~int(self.out.runs)
        else:
            melds = [cards(meld) for meld in gincore.spreads(int(mine.hand), self.rules)[0].melds]
            loose = 0
        return [
            f"      {self.who(seat):10} lays {' | '.join(melds)} + {cards(loose)}  deadwood {row.knocker_deadwood}",
            f"      {self.who(1 - seat):10} holds {cards(theirs.hand)}  deadwood {row.defender_deadwood_before},"
            f" lays off {cards(self.out.laid_off)}, left {row.defender_deadwood}",
            f"      {Result(row.result).name}{', doubled' if row.doubled else ''}: {row.points_0} to {row.points_1}",
        ]

    def nobody(self, seat: int, result: Result) -> None:
        """Nobody goes out any more."""
        hand.nobody(self.row, np.int64(result))
        hand.close(self.state, self.views[seat], self.views[1 - seat], np.int64(self.first), self.row)
        self.lines.append(f"      {result.name}: 0 to 0")


def groups(sets: int, runs: int) -> Iterator[str]:
    """Melds of a spread: sets by rank, runs by suit."""
    for rank in range(13):
        found = sets & sum(1 << 13 * suit + rank for suit in range(4))
        if found:
            yield cards(found)
    for suit in range(4):
        found = runs & 0x1FFF << 13 * suit
        if found:
            yield cards(found)


def chosen(rules: gincore.Rules) -> list[Any]:
    """Rows of the compiled engine for the deals of a file: the first of each kind that is wanted."""
    rows, fault = np.zeros(SEARCHED, HAND_DTYPE), np.zeros(8, np.int64)
    status = batch.play_hands([get(name) for name in PLAYERS], rules.to_record(), SEED, 0, False, rows, fault)
    assert status == 0, f"{rules.name}: status {status}"
    kinds = [rows["doubled"] == 1, *(rows["result"] == result for result in WANTED)]
    places = [int(np.argmax(kind)) for kind in kinds if kind.any()]
    return [rows[place] for place in sorted(list(dict.fromkeys(places))[:MOST])]


def text(name: str) -> str:
    """The playthrough of a preset."""
    rules = gincore.rules(name)
    lines = [f"{name}: {rules.title}", f"seed {SEED}, player 0 {PLAYERS[0]}, player 1 {PLAYERS[1]}"]
    for row in chosen(rules):
        number = int(row["deal"])
        with np.errstate(over="ignore"):
            recorder = Recorder(rules, SEED, number, number % 2)
            recorder.play()
        names = HAND_DTYPE.names or ()
        theirs = {field: int(row[field]) for field in names}
        mine = {field: int(recorder.row[field]) for field in names}
        assert mine == theirs, f"{name}, deal {number}: {mine}, and the engine {theirs}"
        lines += ["", *recorder.lines, "  row " + " ".join(f"{field}={value}" for field, value in mine.items())]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file would change")
    arguments = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    wanted = {f"{name}.txt": text(name) for name in gincore.preset_names()}
    present = {path.name: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt")}
    changed = sorted(name for name in {*wanted, *present} if wanted.get(name) != present.get(name))
    for name in changed:
        print(name)
        if arguments.check:
            continue
        if name in wanted:
            (FOLDER / name).write_text(wanted[name], encoding="utf-8")
        else:
            (FOLDER / name).unlink()
    return 1 if changed and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
