"""Fits on made-up samples give back what these were made of, and reject what is not so. Nothing here was measured."""

import random

import pytest
from silicon import fit

UNROLLS = fit.UNROLLS


def made_up(latency, rate, noise=0, rounds=64, chains=8, seed=1):
    """Samples of a machine given by `rate(place, warps)`: cycles between two instructions of a warp that waits for no result.
    Spans are written down directly, not by the formulas of the fit."""
    chance = random.Random(seed)
    samples = []
    for kind in ("dep", "ind"):
        for place, warps in [("one", count) for count in range(1, 9)] + [("all", count) for count in (1, 2, 4, 8)]:
            step = max(latency if kind == "dep" else latency / chains, rate(place, warps))
            spans = {str(unroll): [int(37 + rounds * (unroll * step + 11)) + chance.randint(0, noise) for _ in range(9)] for unroll in UNROLLS}
            samples.append({"kind": kind, "place": place, "warps": warps, "rounds": rounds, "spans": spans})
    return samples


def private(occupancy):
    return lambda place, warps: warps * max(1, occupancy)


def shared(occupancy):
    return lambda place, warps: max(warps, warps * occupancy * (4 if place == "all" else 1))


@pytest.mark.parametrize("latency, occupancy", [(4, 1), (4, 2), (23, 8), (8, 2), (33, 16), (60, 64)])
def test_a_private_unit_is_found(latency, occupancy):
    found = fit.letter(made_up(latency, private(occupancy), noise=20))
    assert (found["occupancy"], found["shared"]) == (occupancy, False)
    assert found["fit"] == "private" and found["verdict"] == "one fits"
    assert found["latency"] == ([latency, latency] if latency > occupancy else [1, occupancy])


@pytest.mark.parametrize("latency, occupancy", [(29, 2), (29, 4), (90, 6)])
def test_a_shared_unit_is_found_and_a_private_one_rejected(latency, occupancy):
    found = fit.letter(made_up(latency, shared(occupancy), noise=20))
    assert (found["occupancy"], found["shared"], found["fit"]) == (occupancy, True, "shared")
    assert not next(one for one in found["hypotheses"] if one["name"] == "private")["accepted"]


def test_a_private_unit_before_a_shared_one_is_neither_of_them():
    # An address unit of each sub-partition that takes 4 cycles, and one of the multiprocessor behind them that takes 2.
    samples = made_up(29, lambda place, warps: max(4 * warps, 8 * warps if place == "all" else 0), noise=10)
    found = fit.letter(samples)
    accepted = [one["name"] for one in found["hypotheses"] if one["accepted"]]
    assert accepted == ["both"]
    # The letter of a machine has one unit: shared, and for the longer time, holds at least as long as both.
    assert (found["occupancy"], found["shared"]) == (4, True)


def test_what_follows_no_law_is_rejected_and_rounded_up():
    # The unit takes longer the more warps want it, which no occupancy says.
    samples = made_up(20, lambda place, warps: 2 * warps * warps)
    found = fit.letter(samples)
    assert found["verdict"] == "none fits"
    assert all(not one["accepted"] for one in found["hypotheses"])
    # Eight warps waited 16 cycles for each of their instructions, and no smaller occupancy is claimed.
    assert found["occupancy"] >= 16


def test_a_latency_that_varies_becomes_an_interval():
    samples = made_up(100, private(2))
    alone = fit.pick(samples, "dep", "one", 1)
    copies = (UNROLLS[1] - UNROLLS[0]) * alone["rounds"]
    alone["spans"][str(UNROLLS[1])] = [value + copies * (extra % 4) for extra, value in enumerate(alone["spans"][str(UNROLLS[1])])]
    assert fit.letter(samples)["latency"] == [100, 103]


def test_one_interrupted_launch_is_no_latency():
    samples = made_up(4, private(2))
    alone = fit.pick(samples, "dep", "one", 1)
    alone["spans"][str(UNROLLS[1])][3] += 50_000
    assert fit.letter(samples)["latency"] == [4, 4]


def test_a_unit_as_fast_as_the_issue_has_occupancy_one():
    found = fit.letter(made_up(4, private(1)))
    assert (found["occupancy"], found["occupancy_fit"]) == (1, 1)


def test_chains_slower_than_the_theorem_allows_are_reported():
    samples = made_up(4, private(2))
    assert fit.letter(samples)["checks"]["ok"]
    slow = fit.pick(samples, "dep", "one", 8)
    slow["spans"][str(UNROLLS[1])] = [value * 3 for value in slow["spans"][str(UNROLLS[1])]]
    assert [one["warps"] for one in fit.letter(samples)["checks"]["outside"]] == [8]


def test_chains_that_are_slower_raise_the_occupancy():
    # So FP32 was on an H100: a cycle for each warp side by side, two in chains of four warps and more.
    samples = made_up(4, private(1))
    for one in samples:
        if one["kind"] == "dep" and one["place"] == "one" and one["warps"] >= 4:
            one["spans"] = {str(unroll): [int(37 + one["rounds"] * (unroll * 2 * one["warps"] + 11))] * 9 for unroll in UNROLLS}
    found = fit.letter(samples)
    assert (found["occupancy_fit"], found["occupancy"]) == (1, 2)
    assert [one["warps"] for one in found["checks"]["outside"]] == [4, 5, 6, 7, 8]


def test_two_issues_a_cycle_are_seen():
    found = fit.letter(made_up(4, lambda place, warps: warps / 2))
    assert found["issues_per_cycle"] == pytest.approx(2, rel=0.02)
    assert fit.pair({"letters": ["A", "B"], "ratio": 1.0, "issued_per_cycle": 1.9, "sass": [{"ok": True}]})["dual_issue"]


@pytest.mark.parametrize("ratio, verdict", [(2.0, "take turns"), (1.05, "side by side"), (1.45, "unclear")])
def test_pairs(ratio, verdict):
    sample = {"letters": ["A", "B"], "ratio": ratio, "issued_per_cycle": 1.5, "sass": [{"ok": True}, {"ok": True}]}
    assert fit.pair(sample)["verdict"] == verdict
    sample["sass"][1]["ok"] = False
    assert fit.pair(sample)["verdict"] == "not comparable" and not fit.pair(sample)["dual_issue"]


def test_percentiles_of_a_known_list():
    assert fit.percentiles(list(range(1, 1001))) == {"count": 1000, "least": 1, "middle": 500, "p99": 990, "p999": 999, "most": 1000}
    assert fit.percentiles([7])["p999"] == 7
