"""Planted alterations: whatever is changed in a record is found, and named where it was changed and nowhere else."""

from __future__ import annotations

import pytest

from app.records.verify import verify
from tests.records import games
from tests.records.plain_verifier import complaints
from tests.records.planted import ELSEWHERE_TOO, PLANTED, Planted, base


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.name.replace(" ", "-"))
def test_an_alteration_is_found_and_named(planted: Planted) -> None:
    record = base(planted)
    planted.alter(record)
    findings = verify(games.again(record)).findings
    named = [finding for finding in findings if (finding.what, finding.hand) == (planted.what, planted.hand)]
    assert named, [str(finding) for finding in findings]
    assert planted.name in ELSEWHERE_TOO or {finding.hand for finding in findings} == {planted.hand}
    assert bool(complaints(record)) or not planted.seen_twice


def test_the_games_are_right_before_anything_is_planted() -> None:
    for record in (games.fresh("altered"), games.fresh("altered with claims", "all-fives-claim", 4)):
        assert not verify(games.again(record)).findings
        assert not complaints(record)
