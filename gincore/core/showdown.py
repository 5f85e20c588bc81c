"""Exact showdown: the knocker's spread, the defender's melds and lay-offs, and the points.

A *spread* is what lies on the table: the cards in sets, the cards in runs, and the loose rest. For lay-offs only these
masks matter: a run of six takes the same cards at its ends as two runs of three.

Runs are handled on *lines*: 14 bits a suit, the ace at both ends where the rules allow it high. On a line two
neighbours are consecutive; around the corner the line is a circle of 13.
"""

from __future__ import annotations

import numpy as np

from gincore._jit import kernel
from gincore.core.bits import ACES, DECK, KING, KINGS, ONE, SUIT_BITS, ZERO, bit, count, lowest, suit
from gincore.core.deadwood import least, meldable, rank_cards, set_choice, set_choices, triple_ranks, without_sets
from gincore.core.rng import below
from gincore.core.tables import block, run_cards, run_ways, suit_points
from gincore.schema import Ace, KnockerSpread, Layoff, Tie

LOW = int(Ace.low)
HIGH_LOW = int(Ace.high_low)
ROUND = int(Ace.round)
TIE_UNDERCUT, TIE_NOTHING = int(Tie.undercut), int(Tie.nothing)
MELDS_FIRST = int(Layoff.melds_first)
BEST = int(KnockerSpread.best)
RANDOM_MINIMUM = int(KnockerSpread.random_minimum)

OUTCOME_DTYPE = np.dtype(
    (
        np.record,
        [
            ("points", np.int64),  # the knocker's, negative for an undercut
            ("knocker_deadwood", np.int64),
            ("defender_deadwood_before", np.int64),
            ("defender_deadwood", np.int64),
            ("sets", np.uint64),  # what the knocker laid as sets
            ("runs", np.uint64),  # and as runs
            ("high_aces", np.uint64),  # the aces of those runs that lie above a king
            ("laid_off", np.uint64),
        ],
    ),
    align=True,
)
"""What a showdown leaves behind."""


@kernel
def points_of(cards, ace_points):
    """Points of cards of which none is melded."""
    return (
        suit_points(ace_points, suit(cards, 0))
        + suit_points(ace_points, suit(cards, 1))
        + suit_points(ace_points, suit(cards, 2))
        + suit_points(ace_points, suit(cards, 3))
    )


@kernel
def all_run_cards(cards, ace):
    """The cards that lie in some run: with the ace low or around the corner all of them can be laid at once."""
    runs = ZERO
    for number in range(4):
        runs |= np.uint64(run_cards(ace, suit(cards, number))) << np.uint64(13 * number)
    return runs


@kernel
def neighbours(runs, high_aces, ace):
    """Cards that fit at an end of laid runs.

    ``high_aces`` are the aces of ``runs`` that lie above a king (only where the ace is high or low).
    """
    low = runs & ~high_aces
    fit = (low << ONE & ~ACES) | (low >> ONE & ~KINGS)  # an ace below and a king above are of another suit
    if ace != LOW:
        fit |= (runs & KINGS) >> KING
    if ace == ROUND:
        fit |= (runs & ACES) << KING
    return fit & DECK & ~runs


@kernel
def open_sets(sets):
    """The fourth cards that fit on laid sets of three."""
    clubs, diamonds, hearts, spades = suit(sets, 0), suit(sets, 1), suit(sets, 2), suit(sets, 3)
    black, red = clubs & spades, diamonds & hearts
    return (
        np.uint64(red & spades & ~clubs)
        | np.uint64(black & hearts & ~diamonds) << np.uint64(13)
        | np.uint64(black & diamonds & ~hearts) << np.uint64(26)
        | np.uint64(red & clubs & ~spades) << np.uint64(39)
    )


@kernel
def reachable(cards, sets, runs, high_aces, ace):
    """Those of ``cards`` that can be laid off, chains on both ends of runs included."""
    got = cards & open_sets(sets)
    on_runs = cards & neighbours(runs, high_aces, ace)
    if on_runs == ZERO:
        return got
    line = runs
    new = on_runs
    while new != ZERO:
        if ace == HIGH_LOW:  # an ace laid above a king ends the line there, and likewise below a two
            kings_side = (new & (line >> np.uint64(12)) & ~(line >> ONE)) & ACES
            high_aces |= kings_side
        line |= new
        new = cards & neighbours(line, high_aces, ace) & ~line
        on_runs |= new
    return got | on_runs


@kernel
def defend(hand, own, sets, runs, high_aces, ace, ace_points):
    """The defender's best answer to a spread: melds and lay-offs chosen together.

    Parameters
    ----------
    hand : uint64
        The defender's ten cards.
    own : int64
        Their least deadwood without lay-offs.

    Returns
    -------
    tuple of (int64, uint64)
        Least deadwood, and the cards laid off (the fewest that reach it).
    """
    fit = reachable(hand, sets, runs, high_aces, ace)
    if fit == ZERO:
        return own, ZERO
    if fit & meldable(hand, ace) == ZERO:  # loose in any case
        return own - points_of(fit, ace_points), fit
    best = own
    laid = ZERO
    place = block(ace, ace_points)
    some = fit
    while some != ZERO:  # every subset of the cards that fit
        if reachable(some, sets, runs, high_aces, ace) == some:
            left = least(hand ^ some, place)
            if left < best or (left == best and count(some) < count(laid)):
                best = left
                laid = some
        some = (some - ONE) & fit
    return best, laid


@kernel
def first_fit(loose, sets, runs, high_aces, ace):
    """Lay-offs of loose cards one after the other, the lowest first, on a run before a set, until none fits."""
    laid = ZERO
    fourths = open_sets(sets)
    found = True
    while found:
        found = False
        ends = neighbours(runs, high_aces, ace)
        some = loose & (ends | fourths)
        if some != ZERO:
            card = bit(lowest(some))
            if card & ends != ZERO:
                runs |= card
            loose ^= card
            laid |= card
            found = True
    return laid


@kernel
def minimum_spread(hand, number, own, ace, ace_points):
    """Spreads of least deadwood, counted as arrangements of melds: how many there are, and one of them.

    Parameters
    ----------
    number : int64
        Which one is wanted, from 0; -1 for the last.
    own : int64
        The hand's least deadwood.

    Returns
    -------
    tuple of (int64, uint64, uint64)
        The count up to and including the one wanted (all of them for -1), its sets and its runs.
    """
    ranks = triple_ranks(hand)
    if ranks == 0:
        return run_ways_of(hand), ZERO, all_run_cards(hand, ace)
    place = block(ace, ace_points)
    first = rank_cards(hand, ranks)
    ranks &= ranks - 1
    second = rank_cards(hand, ranks)
    ranks &= ranks - 1
    third = rank_cards(hand, ranks)
    seen = np.int64(0)
    found = ZERO
    for i in range(set_choices(first)):
        one = set_choice(first, i)
        for j in range(set_choices(second)):
            two = one | set_choice(second, j)
            for k in range(set_choices(third)):
                sets = two | set_choice(third, k)
                if without_sets(hand ^ sets, place) == own:
                    seen += run_ways_of(hand ^ sets)
                    found = sets
                    if 0 <= number < seen:
                        return seen, sets, all_run_cards(hand ^ sets, ace)
    return seen, found, all_run_cards(hand ^ found, ace)


@kernel
def run_ways_of(cards):
    """Number of ways to lay all run cards as runs (ace low)."""
    return run_ways(suit(cards, 0)) * run_ways(suit(cards, 1)) * run_ways(suit(cards, 2)) * run_ways(suit(cards, 3))


@kernel
def net_points(knocker_deadwood, defender_deadwood, undercut_bonus, tie):
    """Points of an ordinary knock seen from the knocker; an undercut is negative."""
    if defender_deadwood > knocker_deadwood:
        return defender_deadwood - knocker_deadwood
    if defender_deadwood < knocker_deadwood or tie == TIE_UNDERCUT:
        return defender_deadwood - knocker_deadwood - undercut_bonus
    return np.int64(0)


@kernel
def _better(points, deadwood, out):
    """More points for the knocker; at equal points less deadwood."""
    return points > out.points or (points == out.points and deadwood < out.knocker_deadwood)


@kernel
def _try_spread(sets, free, hand, own, knocker, slack, rules, out):
    """Try the spreads of one choice of sets, with aces high or low, and keep the best for the knocker in ``out``.

    ``free`` are the knocker's cards outside the sets, ``slack`` how much deadwood the spread may have.
    """
    ace = rules.ace
    aces = free & ACES if ace == HIGH_LOW else ZERO
    high = aces
    while True:  # every choice of aces above a king
        runs, laid_high = _runs_with(free, high, ace)
        _try_runs(sets, runs, laid_high, hand, own, knocker, slack, rules, out)
        if high == ZERO:
            break
        high = (high - ONE) & aces


@kernel
def _runs_with(free, high, ace):
    """All run cards if the aces in ``high`` may lie above a king only and the others below a two only."""
    if ace != HIGH_LOW:
        return all_run_cards(free, ace), ZERO
    low = all_run_cards(free & ~high, 0)
    runs = low
    laid_high = ZERO
    for number in range(4):
        shift = np.uint64(13 * number)
        if (high >> shift) & ONE != ZERO:
            line = ((free >> shift) & SUIT_BITS) >> ONE | ONE << np.uint64(12)  # two .. king, ace
            cards = np.uint64(run_cards(0, np.int64(line)))
            runs |= ((cards << ONE) & SUIT_BITS) << shift
            if cards >> np.uint64(12) != ZERO:
                runs |= ONE << shift
                laid_high |= ONE << shift
    return runs, laid_high


@kernel
def _try_runs(sets, runs, high, hand, own, knocker, slack, rules, out):
    """Try a spread and, where any legal spread may be laid, all that leave run cards out."""
    ace, ace_points = rules.ace, rules.ace_points
    deadwood = points_of(knocker ^ sets ^ runs, ace_points)
    if deadwood > slack:
        return
    leave = runs if rules.knocker_spread == BEST and slack > 0 else ZERO
    most_loose = 10 - rules.min_melded if rules.min_melded > 0 else 11
    out_cards = ZERO
    while True:
        kept = runs ^ out_cards
        if out_cards == ZERO or _still_runs(kept, high, ace):
            total = deadwood + points_of(out_cards, ace_points)
            if total <= slack and count(knocker ^ sets ^ kept) <= most_loose:
                defender, laid = defend(hand, own, sets, kept, high & kept, ace, ace_points)
                points = net_points(total, defender, rules.undercut_bonus, rules.tie)
                if _better(points, total, out):
                    out.points = points
                    out.knocker_deadwood = total
                    out.defender_deadwood = defender
                    out.sets = sets
                    out.runs = kept
                    out.high_aces = high & kept
                    out.laid_off = laid
        out_cards = (out_cards - leave) & leave  # next subset of the run cards, upwards
        if out_cards == ZERO:
            break


@kernel
def _still_runs(kept, high, ace):
    """Whether the kept cards fall into runs of three or more, each."""
    if ace != HIGH_LOW:
        return all_run_cards(kept, ace) == kept
    runs, laid_high = _runs_with(kept, high & kept, ace)
    return runs == kept and laid_high == high & kept


@kernel
def _every_spread(knocker, defender, own, slack, rules, out):
    """Try every spread of at most ``slack`` points; the best for the knocker stays in ``out``."""
    ranks = triple_ranks(knocker)
    first = rank_cards(knocker, ranks)
    ranks &= ranks - 1
    second = rank_cards(knocker, ranks)
    ranks &= ranks - 1
    third = rank_cards(knocker, ranks)
    out.points = -10_000
    for i in range(set_choices(first)):
        one = set_choice(first, i)
        for j in range(set_choices(second)):
            two = one | set_choice(second, j)
            for k in range(set_choices(third)):
                sets = two | set_choice(third, k)
                _try_spread(sets, knocker ^ sets, defender, own, knocker, slack, rules, out)


@kernel
def knock(knocker, defender, least_knocker, own, limit, rules, random_0, random_1, out):
    """Settle an ordinary knock.

    Parameters
    ----------
    knocker, defender : uint64
        Ten cards each.
    least_knocker, own : int64
        Their least deadwood, points.
    limit : int64
        The hand's knock limit in points.
    rules : record of ``schema.RULES_DTYPE``
    random_0, random_1 : uint64
        Words for the choice between minimum spreads (``random_minimum`` only).
    out : record of ``OUTCOME_DTYPE``, modified in place
        The outcome; ``points`` are the knocker's, negative for an undercut, bonuses included.
    """
    out.defender_deadwood_before = own
    if rules.knocker_spread == RANDOM_MINIMUM or rules.layoff == MELDS_FIRST:
        _knock_melds_first(knocker, defender, least_knocker, own, rules, random_0, random_1, out)
        return
    slack = limit if rules.knocker_spread == BEST else least_knocker
    _every_spread(knocker, defender, own, slack, rules, out)


@kernel
def gin(melded, defender, own, bonus, rules, out):
    """Settle a gin or big gin: the bonus and all of the defender's deadwood ``own``.

    Lay-offs count only where the rules allow them on gin; a defender at zero may then cancel the hand.
    """
    out.defender_deadwood_before = own
    out.laid_off = ZERO
    if rules.layoff_on_gin:
        _every_spread(melded, defender, own, np.int64(0), rules, out)
    else:
        out.defender_deadwood = own
    out.knocker_deadwood = 0
    out.points = bonus + out.defender_deadwood
    if rules.gin_cancelled_at_zero and out.defender_deadwood == 0:
        out.points = 0


@kernel
def _spread_of(hand, own, random, rules):
    """The spread that the research framework lays: at random among the minimum ones, or the last found."""
    ways, sets, runs = minimum_spread(hand, np.int64(-1), own, rules.ace, rules.ace_points)
    if rules.knocker_spread == RANDOM_MINIMUM and ways > 1 and triple_ranks(hand) != 0:
        number = below(random, ways)
        ways, sets, runs = minimum_spread(hand, number, own, rules.ace, rules.ace_points)
    return sets, runs


@kernel
def _knock_melds_first(knocker, defender, least_knocker, own, rules, random_0, random_1, out):
    """The research framework's way: minimum spreads at random, the defender's melds before the lay-offs."""
    ace, ace_points = rules.ace, rules.ace_points
    sets, runs = _spread_of(knocker, least_knocker, random_0, rules)
    out.knocker_deadwood = least_knocker
    out.sets = sets
    out.runs = runs
    out.high_aces = ZERO
    if rules.layoff == MELDS_FIRST:
        own_sets, own_runs = _spread_of(defender, own, random_1, rules)
        laid = first_fit(defender ^ own_sets ^ own_runs, sets, runs, ZERO, ace)
        out.defender_deadwood = own - points_of(laid, ace_points)
    else:
        out.defender_deadwood, laid = defend(defender, own, sets, runs, ZERO, ace, ace_points)
    out.laid_off = laid
    out.points = net_points(out.knocker_deadwood, out.defender_deadwood, rules.undercut_bonus, rules.tie)
