"""What a game does to ratings: openskill's Plackett-Luce model, where a pair is a team and equal places are draws.

Numbers in, numbers out: nothing here knows where records are kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace
from openskill.models import PlackettLuce, PlackettLuceRating

from app.standing.outcome import Outcome, Party
from app.standing.record import MU, SIGMA, Record

_MODEL = PlackettLuce(mu=MU, sigma=SIGMA)


def booked(outcome: Outcome, before: Mapping[str, Record]) -> dict[str, Record]:
    """The records after this game, of everybody for whom it counts; whoever has none yet begins with a new one."""
    after = {party.id: before.get(party.id, Record()) for party in outcome.parties if party.ending is not None}
    for party in outcome.parties:
        if party.ending is not None:
            after[party.id] = after[party.id].after(party.ending)
    if outcome.is_rated:
        for entry_id, (mu, sigma) in _rated(outcome, after).items():
            record = after[entry_id]
            after[entry_id] = replace(record, mu=mu, sigma=sigma, rated=record.rated + 1)
    return {entry_id: replace(record, version=record.version + 1) for entry_id, record in after.items()}


def _rated(outcome: Outcome, records: Mapping[str, Record]) -> dict[str, tuple[float, float]]:
    """New mu and sigma of everybody. A level that plays several seats moves by what they moved on average."""
    moved: dict[str, list[tuple[float, float]]] = {}
    for seat, party in enumerate(outcome.parties):
        places = list(outcome.places)
        if party.gone:
            places[party.side] = len(places) + 1
        rating = _team_result(outcome.parties, records, places)[seat]
        moved.setdefault(party.id, []).append((rating.mu, rating.sigma))
    return {
        entry_id: (sum(mu for mu, _ in seats) / len(seats), sum(sigma for _, sigma in seats) / len(seats))
        for entry_id, seats in moved.items()
    }


def _team_result(
    parties: Sequence[Party], records: Mapping[str, Record], places: Sequence[int]
) -> dict[int, PlackettLuceRating]:
    """Every seat's rating after a game with these places."""
    seats = [[seat for seat, party in enumerate(parties) if party.side == side] for side in range(len(places))]
    teams = [
        [_MODEL.rating(mu=records[parties[seat].id].mu, sigma=records[parties[seat].id].sigma) for seat in team]
        for team in seats
    ]
    rated = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return {
        seat: rating
        for team, ratings in zip(seats, rated, strict=True)
        for seat, rating in zip(team, ratings, strict=True)
    }
