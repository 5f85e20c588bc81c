"""Verdicts from synthetic estimates: each kind, too few hands, Holm, and seeds that never contradict each other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from gincore.analysis.questions_quantity import Quantity, by_unit, deviation, mean, ratio, weighted
from gincore.analysis.questions_verdict import KINDS, Row, judge, needed, settle
from gincore.errors import UsageError

A, B, C = ("a", "a"), ("b", "b"), ("c", "c")


def row(estimate: float, error: float, **changes: Any) -> Row:
    """A tested row of 1,000 units, compared with 0; 1 matters."""
    made: dict[str, Any] = {
        "group": A, "label": ("effect", "effet"), "n": 1_000, "played": 1_000, "share": False, "unit": "points",
        "noun": "deal", "smallest": 1.0,
    }  # fmt: skip
    return Row(estimate=estimate, error=error, **(made | changes))


@pytest.mark.parametrize(
    ("estimate", "error", "expect", "kind"),
    [
        (3.0, 0.5, "above", "supported"),
        (-3.0, 0.5, "above", "contradicted"),
        (-3.0, 0.5, "below", "supported"),
        (3.0, 0.5, "below", "contradicted"),
        (0.1, 0.1, "above", "none"),
        (0.1, 0.1, "below", "none"),
        (1.0, 1.0, "above", "open"),
        (3.0, 0.5, "differs", "supported"),
        (-3.0, 0.5, "differs", "supported"),
        (0.1, 0.1, "differs", "none"),
        (0.1, 0.1, "within", "supported"),
        (3.0, 0.5, "within", "contradicted"),
        (-3.0, 0.5, "within", "contradicted"),
        (1.0, 0.1, "within", "open"),
        (0.9, 0.1, "above", "supported"),  # above 0 for sure, though perhaps less than what matters
    ],
)
def test_a_row_is_concluded_by_its_interval(estimate: float, error: float, expect: str, kind: str) -> None:
    assert judge([row(estimate, error, expect=expect)]).kind == kind


def test_the_value_compared_with_counts() -> None:
    assert judge([row(0.2, 0.01, share=True, than=0.25, smallest=0.02, expect="below")]).kind == "supported"
    assert judge([row(0.2, 0.01, share=True, than=0.25, smallest=0.02)]).kind == "contradicted"


def test_groups_that_differ_depend() -> None:
    found = judge([row(3, 0.5), row(-3, 0.5, group=B)])
    assert found.kind == "depends"
    assert not found.agree
    assert found.groups == {A: "supported", B: "contradicted"}
    assert judge([row(3, 0.5), row(0, 0.1, group=B)]).kind == "depends"


def test_open_groups_leave_the_verdict_to_a_majority() -> None:
    assert judge([row(3, 0.5), row(3, 0.5, group=B), row(0, 5, group=C)]).kind == "supported"
    assert judge([row(3, 0.5), row(0, 5, group=B)]).kind == "open"
    assert judge([row(3, 0.5), row(-3, 0.5, group=B), row(0, 5, group=C)]).kind == "depends"


def test_a_claim_of_two_parts_needs_both() -> None:
    assert judge([row(3, 0.5), row(3, 0.5, label=("b", "b"))]).kind == "supported"
    assert judge([row(3, 0.5), row(-3, 0.5, label=("b", "b"))]).kind == "contradicted"
    assert judge([row(3, 0.5), row(0, 5, label=("b", "b"))]).kind == "open"


def test_an_undecidable_claim_stays_so() -> None:
    assert judge([row(3, 0.5)], undecidable=True).kind == "undecidable"
    assert "undecidable" in KINDS


def test_rows_that_are_not_tested_do_not_count() -> None:
    found = judge([row(3, 0.5), row(-3, 0.5, label=("b", "b"), test=False)])
    assert found.kind == "supported"
    assert found.rows[1].outcome == ""
    assert found.rows[1].low < -3 < found.rows[1].high


def test_holm_gives_up_rows_step_by_step() -> None:
    """At 99 %, z = 2.7 suffices alone (p = 0.007), not beside another open row, but beside one that is concluded."""
    alone = row(2.7, 1.0)
    assert settle([alone], 0.99)[0].outcome == "supported"
    assert [each.outcome for each in settle([alone, row(0, 5)], 0.99)] == ["open", "open"]
    assert [each.outcome for each in settle([alone, row(9, 1)], 0.99)] == ["supported", "supported"]
    wide = settle([alone, row(0, 5)], 0.99)[0]
    single = settle([alone], 0.99)[0]
    assert wide.high - wide.low > single.high - single.low


def test_too_few_hands_are_named() -> None:
    assert judge([row(30, 0.5, n=20, played=40)]).kind == "open"
    found = judge([row(0.5, 1.0)])
    assert found.kind == "open"
    assert found.needed > 1_000
    more = row(0.2, 1.0 / math.sqrt(found.needed / 1_000), n=found.needed, played=found.needed)
    assert judge([more]).kind != "open"


def test_no_data_is_open() -> None:
    found = judge([row(math.nan, math.nan, n=0)])
    assert found.kind == "open"
    assert found.needed > 0


def test_a_mean_of_few_units_is_not_trusted() -> None:
    assert judge([row(3, 0.5, weight=3.0)]).kind == "open"
    assert judge([row(0.0, 0.0, weight=0.0, n=100)]).kind == "open"  # a hundred equal units: nothing was seen to differ
    assert judge([row(0.0, 0.0, weight=0.0)]).kind == "none"


def test_unknown_expectation_is_refused() -> None:
    with pytest.raises(UsageError, match="expect 'more'"):
        judge([row(3, 0.5, expect="more")])


def test_needed_shrinks_with_the_distance() -> None:
    near, far = (settle([row(x, 1.0, smallest=0.1)], 0.99)[0] for x in (1.5, 2.0))
    assert needed(near) > needed(far)
    assert near.rests == far.rests == "estimate"


def test_an_estimate_without_a_clue_is_projected_from_its_width() -> None:
    """+0.31 give or take 21 where 0.2 matters: the interval must shrink a hundredfold, and no doubling helps."""
    found = settle([row(0.31, 8.1, smallest=0.2, n=400, played=400)], 0.99)[0]
    assert found.rests == "width"
    half = (found.high - found.low) / 2
    assert found.needed > 400 * (half / 0.2) ** 2
    assert found.needed < 400 * 3 * (half / 0.2) ** 2
    few = settle([row(0.31, 8.1, smallest=0.2, n=400, played=400, weight=3.0)], 0.99)[0]
    assert (few.needed, few.rests) == (found.needed, "width")  # few units tell most: no doubling either


@pytest.mark.parametrize("truth", [0.0, 0.1, 0.5, 3.0])
def test_who_plays_as_many_as_projected_mostly_gets_a_conclusion(truth: float) -> None:
    """A first look without a clue names as many units as decide, unless the truth is half of what matters."""
    random = np.random.default_rng(3)
    first = settle([row(0.3, 20.0)], 0.99)[0]
    error = 20.0 / math.sqrt(first.needed / first.played)
    decided = [judge([row(truth + error * random.standard_normal(), error)]).kind != "open" for _ in range(400)]
    assert np.mean(decided) > (0.7 if truth != 0.5 else 0.1)


def test_what_cannot_be_projected_has_no_number() -> None:
    on_border = settle([row(1.0, 0.05, expect="within")], 0.99)[0]
    assert (on_border.needed, on_border.rests) == (0, "border")
    assert settle([row(math.inf, math.nan, unit="games")], 0.99)[0].rests == "none"
    few = settle([row(3.0, 1.0, n=3, played=100)], 0.99)[0]
    assert (few.needed, few.rests) == (1_000, "count")
    assert settle([row(3.0, 0.5)], 0.99)[0].rests == ""


@pytest.mark.parametrize("truth", [-0.2, 0.0, 0.2])
def test_seeds_do_not_contradict_each_other(truth: float) -> None:
    """Of 400 seeds none is wrong in sign more often than the level allows; opposites would need both ends."""
    random = np.random.default_rng(7)
    kinds = [judge([row(truth + 0.5 * random.standard_normal(), 0.5)]).kind for _ in range(400)]
    wrong = kinds.count("contradicted") if truth >= 0 else kinds.count("supported")
    assert wrong <= 6  # 0.5 % of 400 is 2


class TestQuantity:
    def test_mean_and_ratio(self) -> None:
        values = np.arange(10.0)
        assert mean(values).value == 4.5
        assert mean(values).error == pytest.approx(values.std(ddof=1) / math.sqrt(10))
        found = ratio(values, np.full(10, 2.0))
        assert found.value == 2.25
        assert found.error == pytest.approx(mean(values).error / 2)

    def test_common_cards_drop_out_of_a_difference(self) -> None:
        random = np.random.default_rng(1)
        luck, edge = random.normal(0, 10, 500), random.normal(1, 0.1, 500)
        difference = mean(luck + edge) - mean(luck)
        assert difference.error == pytest.approx(edge.std(ddof=1) / math.sqrt(500), rel=1e-6)

    def test_the_delta_method_against_the_bootstrap(self) -> None:
        random = np.random.default_rng(2)
        counts = random.poisson(2, 400).astype(float)
        sums = counts * 3 + random.normal(0, 2, 400)
        found = ratio(sums, counts)
        draws = random.integers(0, 400, (2_000, 400))
        redrawn = sums[draws].sum(axis=1) / counts[draws].sum(axis=1)
        assert found.error == pytest.approx(redrawn.std(), rel=0.1)
        spread = deviation(sums, sums**2, np.ones(400))
        assert spread.value == pytest.approx(sums.std())
        assert spread.error == pytest.approx(sums[draws].std(axis=1).std(), rel=0.15)

    def test_other_units_are_refused(self) -> None:
        with pytest.raises(UsageError, match="3 and 4 units"):
            mean([1, 2, 3]) - mean([1, 2, 3, 4])

    def test_nothing_to_count(self) -> None:
        found = ratio([0, 0], [0, 0])
        assert math.isnan(found.value)
        assert math.isnan(found.error)

    def test_weight_counts_the_units_that_carry_the_spread(self) -> None:
        assert Quantity(0.0, np.array([1.0, -1.0, 1.0, -1.0]), 4).weight == 4
        assert Quantity(0.0, np.array([1.0, 0.0, 0.0, 0.0]), 4).weight == 1
        assert Quantity(0.0, np.zeros(4), 4).weight == 0

    def test_sums_by_unit(self) -> None:
        assert by_unit(np.array([0, 0, 2]), 3, [1, 2, 5]).tolist() == [3, 0, 5]
        assert weighted([(2.0, mean([1, 3])), (-1.0, mean([1, 1]))]).value == 3
